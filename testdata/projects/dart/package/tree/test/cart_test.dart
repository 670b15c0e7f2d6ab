import 'package:cart/cart.dart';

void main() {
  assert((Cart()..add('a')).total == 1);
}
