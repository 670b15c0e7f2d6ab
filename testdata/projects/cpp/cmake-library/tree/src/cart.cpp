#include "cart.h"

#include <numeric>

namespace shop {

void Cart::add(const std::string& sku, int count) {
    lines_[sku] += count;
}

int Cart::total() const {
    return std::accumulate(lines_.begin(), lines_.end(), 0,
                           [](int sum, const auto& line) { return sum + line.second; });
}

}  // namespace shop
