using Carts, Test
@test total(Cart(Dict())) == 0
