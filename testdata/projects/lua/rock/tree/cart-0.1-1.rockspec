package = "cart"
version = "0.1-1"
dependencies = {
   "lua >= 5.1"
}
