#' Add up what lies in a cart
#'
#' @param cart A named integer vector.
#' @export
cart_total <- function(cart) {
  stopifnot(is.numeric(cart))
  sum(cart)
}
