package shell

import "mvdan.cc/sh/v3/syntax"

// "[ -f .env ] || cp .env.example .env" replaces nothing: what runs behind such a test
// runs where the file is not there. Only the plain forms are read, with a name that is
// written out; any other test says nothing.

// where returns the context of what runs only if the outcome of a test says that a
// file is not there.
func (c *ctx) where(test *syntax.Stmt, outcome bool) *ctx {
	name, present, ok := fileTest(test)
	if !ok || present == outcome {
		return c
	}
	n := *c
	n.absent = append(n.absent[:len(n.absent):len(n.absent)], c.st.path(name))
	return &n
}

// fileTest reads "[ -f x ]", "test ! -e x", "! [[ -f x ]]": the file, and whether the
// test succeeds if it is there.
func fileTest(s *syntax.Stmt) (name string, present, ok bool) {
	present = !s.Negated
	if len(s.Redirs) > 0 || s.Background {
		return "", false, false
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		words := make([]string, 0, 6)
		for _, w := range cmd.Args[:min(len(cmd.Args), 6)] {
			text, plain := written(w)
			if !plain {
				return "", false, false
			}
			words = append(words, text)
		}
		if n := len(words); n > 2 && words[0] == "[" && words[n-1] == "]" {
			words = words[1 : n-1]
		} else if n > 2 && words[0] == "test" {
			words = words[1:]
		} else {
			return "", false, false
		}
		if words[0] == "!" {
			words, present = words[1:], !present
		}
		if len(words) == 2 && (words[0] == "-f" || words[0] == "-e") {
			return words[1], present, true
		}
	case *syntax.TestClause:
		x := cmd.X
		for {
			not, is := x.(*syntax.UnaryTest)
			if !is || not.Op != syntax.TsNot {
				break
			}
			x, present = not.X, !present
		}
		if u, is := x.(*syntax.UnaryTest); is && (u.Op == syntax.TsExists || u.Op == syntax.TsRegFile) {
			if w, is := u.X.(*syntax.Word); is {
				name, ok = written(w)
				return name, present, ok && name != ""
			}
		}
	}
	return "", false, false
}

// written returns a word that stands for itself, perhaps in quotes.
func written(w *syntax.Word) (text string, ok bool) {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, is := q.(*syntax.Lit)
				if !is {
					return "", false
				}
				text += l.Value
			}
		default:
			return "", false
		}
	}
	return text, true
}
