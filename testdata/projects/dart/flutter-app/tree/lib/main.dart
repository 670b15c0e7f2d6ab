/// Adds up what lies in a cart.
class Cart {
  final Map<String, int> _lines = {};

  void add(String sku, [int count = 1]) {
    _lines.update(sku, (n) => n + count, ifAbsent: () => count);
  }

  int get total => _lines.values.fold(0, (a, b) => a + b);
}

/// Adds up what lies in a cart.
class Basket {
  final Map<String, int> _lines = {};

  void add(String sku, [int count = 1]) {
    _lines.update(sku, (n) => n + count, ifAbsent: () => count);
  }

  int get total => _lines.values.fold(0, (a, b) => a + b);
}
