package risk

import (
	"strings"
	"unicode"
)

// says reports whether a statement in text, written in SQL or a language of the
// same kind (redis commands, mongo shell), has the words of pattern next to each
// other. Strings and comments of the text are not looked into. In the pattern
// "a|b" are alternatives, "*" stands for any words of the statement, "^" for its
// beginning, "~" the word before the last one again ("= ~": what stands on both sides),
// and "!word" says that the word is nowhere in the statement.
func says(pattern, text string) bool {
	words := phraseOf(pattern)
	steps := maxStars
	for _, tokens := range statements(text) {
		if words.fits(tokens, &steps) {
			return true
		}
	}
	return false
}

// What comparing texts with patterns costs.
const (
	textBytes  = 8         // of a text that are taken apart for one unit
	costString = 8         // a string that is read as statements
	textTokens = 10        // of one that are compared with a pattern for one unit
	maxStars   = 1_000_000 // steps of "*" on one text
)

// says is the function of that name for all patterns of a rule. A text is taken apart
// once, however many rules ask about it.
func (c *checker) says(patterns []string, text string) bool {
	list, known := c.said[text]
	if !known {
		if !c.spend(len(text) / textBytes) {
			return false
		}
		var quoted []string
		list, quoted = apart(text)
		if len(quoted) > 0 && c.set.runsStrings(list) && c.spend(len(text)/textBytes+costString*len(quoted)) {
			for _, q := range quoted {
				list = append(list, statements(q)...)
			}
		}
		if c.said == nil {
			c.said = map[string][][]string{}
		}
		c.said[text] = list
	}
	for _, p := range patterns {
		phrase := phraseOf(p)
		for _, tokens := range list {
			steps := maxStars
			is := phrase.fits(tokens, &steps)
			if is || !c.spend(1+len(tokens)/textTokens+(maxStars-steps)/2) {
				return is
			}
		}
	}
	return false
}

// statements takes a text apart. Each statement is looked at by itself: a WHERE of the
// next one narrows nothing here.
func statements(text string) (list [][]string) {
	list, _ = apart(text)
	return list
}

// runsStrings reports a word that runs a string as a statement: EXECUTE 'drop table x', or a string that is kept in a variable and prepared
// later. Some do so at the beginning of a statement alone.
func (s *Set) runsStrings(list [][]string) bool {
	for w := range s.words("runs-statements") {
		w, begins := strings.CutPrefix(w, "^")
		for _, tokens := range list {
			if begins {
				tokens = tokens[:1]
			}
			for _, t := range tokens {
				if len(t) == len(w) && strings.EqualFold(w, t) {
					return true
				}
			}
		}
	}
	return false
}

// apart takes a text apart into its statements and the strings in them that may be some.
func apart(text string) (list [][]string, quoted []string) {
	for text != "" {
		var tokens []string
		if tokens, text = statement(text, &quoted); len(tokens) > 0 {
			list = append(list, tokens)
		}
	}
	return list, quoted
}

// phrase is a pattern taken apart.
type phrase struct {
	need  []string // the words that stand next to each other
	none  []string // the words that are nowhere
	start bool     // at the beginning
	heads uint64   // the letters with which the first of need may begin, as headsOf has them
}

func phraseOf(pattern string) (p phrase) {
	for w := range strings.FieldsSeq(pattern) {
		switch {
		case w == "^":
			p.start = true
		case len(w) > 1 && w[0] == '!':
			p.none = append(p.none, w[1:])
		default:
			p.need = append(p.need, w)
		}
	}
	p.heads = ^uint64(0)
	if len(p.need) > 0 {
		p.heads = firsts(p.need[0])
	}
	return p
}

// firsts is the set of the letters with which a word may begin that fits one of the
// alternatives of a glob: nearly all words are told apart by that alone.
func firsts(glob string) (heads uint64) {
	for one := range strings.SplitSeq(glob, "|") {
		if one == "" || one[0] == '*' || one[0] == '?' {
			return ^uint64(0)
		}
		heads |= head(one[0])
	}
	return heads
}

func head(b byte) uint64 { return 1 << (lowered(b) & 63) }

// fits compares one statement. steps is what is left for stars; without any it fits
// nothing, and the caller is told so by its number.
func (p *phrase) fits(tokens []string, steps *int) bool {
	// Anywhere in the statement: WHERE comes late.
	for _, w := range p.none {
		for _, t := range tokens {
			if globFold(w, t) {
				return false
			}
		}
	}
	if p.start {
		return run(p.need, tokens, 0, steps)
	}
	for i, t := range tokens {
		if t != "" && p.heads&head(t[0]) == 0 {
			continue
		}
		if run(p.need, tokens, i, steps) {
			return true
		}
	}
	return false
}

// run matches need against the tokens from at on.
func run(need, tokens []string, at int, steps *int) bool {
	for i, w := range need {
		if w == "*" {
			for ; at < len(tokens); at++ {
				if *steps--; *steps < 0 {
					return false
				}
				if run(need[i+1:], tokens, at, steps) {
					return true
				}
			}
			return i+1 == len(need)
		}
		if at >= len(tokens) || w == "~" && (at < 2 || tokens[at] == "'" || !strings.EqualFold(tokens[at-2], tokens[at])) || w != "~" && !globFold(w, tokens[at]) {
			return false
		}
		at++
	}
	return true
}

// statement takes the first statement off text, as tokens: names, numbers and
// single marks. A string is the token "'"; one of several words is noted.
func statement(text string, quoted *[]string) (tokens []string, rest string) {
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case b == ';':
			return tokens, text[i+1:]
		case b == '-' && strings.HasPrefix(text[i:], "--"), b == '#' && (i == 0 || text[i-1] == '\n'):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return tokens, ""
			}
			i += end + 1
		case strings.HasPrefix(text[i:], "/*!"):
			// MySQL runs what is in such a comment.
			i += 3
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return tokens, ""
			}
			i += end + 4
		case b == '\'' || b == '"' || b == '`':
			end := i + 1
			for end < len(text) && text[end] != b {
				// MySQL's escape; in standard SQL a doubled quote ends and begins anew, which is the same here.
				if text[end] == '\\' {
					end++
				}
				end++
			}
			tokens = append(tokens, "'")
			q := text[min(i+1, len(text)):min(end, len(text))]
			if member(tokens, text[:i], q, text[min(end+1, len(text)):]) { // db["users"]["drop"]()
				tokens = append(tokens[:len(tokens)-2], ".", q)
				i = end + 2
				continue
			}
			if strings.IndexByte(q, ' ') > 0 {
				*quoted = append(*quoted, q)
			}
			i = end + 1
		case b == '$' && dollarMark(text[i:]) > 0:
			i += dollarMark(text[i:]) // PostgreSQL runs what stands between two of them, or keeps it
		case nameByte(b):
			end := i
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			tokens = append(tokens, text[i:end])
			i = end
		default:
			if b > ' ' {
				tokens = append(tokens, text[i:i+1])
			}
			i++
		}
	}
	return tokens, ""
}

// member reports a name in quotes and brackets behind another one, as JavaScript has it for what stands behind a dot as well. tokens ends with
// the bracket and the mark of the string.
func member(tokens []string, before, name, behind string) bool {
	return len(tokens) > 2 && strings.HasSuffix(before, "[") && strings.HasPrefix(behind, "]") && name != "" &&
		!strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !nameByte(byte(r)) })
}

// dollarMark is the length of the $$ or $name$ that a text begins with, 0 if it does not.
func dollarMark(text string) int {
	for i := 1; i < len(text) && nameByte(text[i]); i++ {
		if text[i] == '$' {
			return i + 1
		}
	}
	return 0
}

func nameByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
