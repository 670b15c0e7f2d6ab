require "cart"
