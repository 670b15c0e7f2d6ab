package org.example.orders;

import java.util.List;

public final class Ledger {
    private final List<String> open;

    public Ledger(List<String> open) {
        this.open = List.copyOf(open);
    }

    public int count() {
        return open.size();
    }
}
