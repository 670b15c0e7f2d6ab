test_that("adds", expect_equal(cart_total(1:2), 3))
