(ns shop.cart
  "Adds up what lies in a cart.")

(defn add [cart sku n]
  (update cart sku (fnil + 0) n))

(defn total [cart]
  (reduce + (vals cart)))
