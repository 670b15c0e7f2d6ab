package shop

final case class Line(sku: String, count: Int)

final class Cart(lines: List[Line]):
  def add(line: Line): Cart = Cart(line :: lines)
  def total: Int = lines.map(_.count).sum
