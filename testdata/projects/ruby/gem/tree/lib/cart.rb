# frozen_string_literal: true

# Adds up what lies in a cart.
class Cart
  def initialize
    @lines = Hash.new(0)
  end

  def add(sku, count = 1)
    @lines[sku] += count
  end

  def total
    @lines.values.sum
  end
end
