module Shop.Cart (Cart, add, total) where

import qualified Data.Map.Strict as Map

newtype Cart = Cart (Map.Map String Int)

add :: String -> Int -> Cart -> Cart
add sku n (Cart m) = Cart (Map.insertWith (+) sku n m)

total :: Cart -> Int
total (Cart m) = sum m
