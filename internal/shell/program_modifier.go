package shell

// In Ruby and Perl a condition may stand behind its statement: system("x") if ARGV.include?("--reset").

// modifies follows the condition at i that stands behind its statement; ok is false where it does not.
func (p *interp) modifies(i int) (ok bool) {
	end := p.until(i+1, p.lineEnd)
	from := p.ahead(i)
	if from < 0 || from >= i || end > i+1 && p.mark(end-1, "}") { // if ($x) { … } behind another block
		return false
	}
	is := p.known(i+1, end).truth(p)
	if p.e.tables.Code.Unless.Has(p.at(i).text) {
		is = -is
	}
	switch is {
	case no:
		p.skips(from, i)
	case maybe:
		if p.asks(i+1, end) {
			p.open = append(p.open, [2]int{from, i})
		}
	case yes:
		if p.margin(from) >= 0 && p.leavesBy(arm{body: from, end: i}) {
			p.skips(end, p.blockEnd(from, end))
		}
	}
	return true
}

// ahead is where the statement begins that ends in front of i, as far as it stands on one line; -1 where another one may be around it.
func (p *interp) ahead(i int) int {
	last := p.at(i - 1)
	if last.kind == tokMark && !p.mark(i-1, ")") && !p.mark(i-1, "]") && !p.mark(i-1, "}") && (last.text == "" || digit(last.text[0]) >= 10) {
		return -1 // a = if …
	}
	depth := 0
	for k := i - 1; k >= 0; k-- {
		switch code := &p.e.tables.Code; {
		case p.mark(k, ")"), p.mark(k, "]"), p.mark(k, "}"):
			depth++
		case p.mark(k, "("), p.mark(k, "["), p.mark(k, "{"):
			if depth--; depth < 0 {
				return k + 1
			}
		case depth > 0:
		case p.lineEnd(k):
			return k + 1
		case p.at(k).kind != tokName || p.mark(k-1, ".") || p.mark(k-1, ":"):
		case code.Within.Has(p.at(k).text), code.Tests.Has(p.at(k).text), code.Others.Has(p.at(k).text), code.Chained.Has(p.at(k).text), code.Defines.Has(p.at(k).text):
			return -1
		}
	}
	return 0
}

// grepped is the word that a block looks for in the arguments: grep { $_ eq "--reset" } @ARGV.
func (p *interp) grepped(from, end int) (word string, ok bool) {
	code := &p.e.tables.Code
	if !code.Picks.Has(p.at(from).text) || !p.mark(from+1, "{") {
		return "", false
	}
	close := p.closes(from + 1)
	t := p.at(close - 1)
	if close != from+5 || p.at(from+2).text != p.in.Topic || !code.Equals.Has(p.at(from+3).text) || t.kind != tokText || t.word.Kind != Literal || !p.isArguments(close+1, end) {
		return "", false
	}
	return t.word.Text, true
}
