(ns tasks)
(println "hi")
