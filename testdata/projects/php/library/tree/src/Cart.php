<?php

declare(strict_types=1);

namespace App\Cart;

final class Cart
{
    /** @var array<string, int> */
    private array $lines = [];

    public function add(string $sku, int $count = 1): void
    {
        $this->lines[$sku] = ($this->lines[$sku] ?? 0) + $count;
    }
}
