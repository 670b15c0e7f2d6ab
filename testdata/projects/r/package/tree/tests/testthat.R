library(testthat)
test_check("cart")
