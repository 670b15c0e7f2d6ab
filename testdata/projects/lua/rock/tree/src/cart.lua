local Cart = {}
Cart.__index = Cart

function Cart.new()
  return setmetatable({ lines = {} }, Cart)
end

function Cart:add(sku, count)
  self.lines[sku] = (self.lines[sku] or 0) + (count or 1)
end

return Cart
