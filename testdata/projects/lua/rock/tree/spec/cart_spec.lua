describe("cart", function() end)
