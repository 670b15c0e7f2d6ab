module Carts

export Cart, add!, total

struct Cart
    lines::Dict{String,Int}
end

add!(c::Cart, sku, n=1) = c.lines[sku] = get(c.lines, sku, 0) + n
total(c::Cart) = sum(values(c.lines); init=0)

end
