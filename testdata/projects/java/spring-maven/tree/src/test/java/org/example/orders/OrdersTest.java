package org.example.orders;

class OrdersTest {
    void counts() {
        assert new Orders(java.util.List.of("a")).count() == 1;
    }
}
