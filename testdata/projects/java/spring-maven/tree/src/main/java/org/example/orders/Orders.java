package org.example.orders;

import java.util.List;

public final class Orders {
    private final List<String> open;

    public Orders(List<String> open) {
        this.open = List.copyOf(open);
    }

    public int count() {
        return open.size();
    }
}
