# 장바구니
class Cart
end
