#pragma once

#include <map>
#include <string>

namespace shop {

class Cart {
public:
    void add(const std::string& sku, int count = 1);
    int total() const;

private:
    std::map<std::string, int> lines_;
};

}  // namespace shop
