command! Cart lua require("cart")
