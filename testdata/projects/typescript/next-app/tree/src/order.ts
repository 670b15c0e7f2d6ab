export interface Order {
  id: string;
  lines: { sku: string; count: number }[];
}

export function total(order: Order, price: (sku: string) => number): number {
  return order.lines.reduce((sum, line) => sum + line.count * price(line.sku), 0);
}
