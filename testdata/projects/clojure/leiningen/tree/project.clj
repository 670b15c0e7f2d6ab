(defproject shop "0.1.0"
  :dependencies [[org.clojure/clojure "1.10.3"]
                 [re-frame "1.3.0"]])
