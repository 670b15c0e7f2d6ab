namespace Shop;

public sealed record Line(string Sku, int Count);

public sealed class Cart
{
    private readonly List<Line> _lines = [];

    public void Add(Line line) => _lines.Add(line);

    public int Total => _lines.Sum(l => l.Count);
}
