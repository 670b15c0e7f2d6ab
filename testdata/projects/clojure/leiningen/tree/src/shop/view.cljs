(ns shop.view
  "Adds up what lies in a view.")

(defn add [view sku n]
  (update view sku (fnil + 0) n))

(defn total [view]
  (reduce + (vals view)))
