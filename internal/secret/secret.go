// Package secret finds keys, tokens and passwords in text, and hides them.
//
// One table says how they look and behind what they stand (rules/secrets), and serves whoever asks: the guard, which stops a call
// for what is certainly a key; snapshots, which keep out of branches what may be one; and everything that moai writes down, where
// it is hidden. The three differ in how sure they have to be, so there are three questions: Find, Holds, Mask.
//
// It is no parser of command lines: what it hides has to be found in half a line, in prose and in files, too. Its invariants: a
// secret that it has found is in no result, and the work for a text grows with its length and not faster.
//
// What is masked is hidden before it is cut: half a key looks like none (risk.Verdict.Masked). The index of the words of
// rules/secrets is generated, so that masking a line costs one pass.
package secret

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Table is what secrets look like, with the index of its words.
type Table struct {
	Secrets *rule.Secrets
	Index   *Index
}

// New makes a table of rules that were read at run time. gen writes the built-in one down as data.
func New(s *rule.Secrets) *Table { return &Table{s, NewIndex(s)} }

// Found is a key in a text. The key itself is not kept, so that it cannot reach a log or a message.
type Found struct {
	Format *rule.Token
}

// Bounds in bytes of what is searched. Keys in larger files are in their beginning or not written by hand; of what is masked, a
// line of some hundred bytes is kept.
const (
	maxFind = 1 << 20
	maxMask = 16 << 10
)

// Find gives the keys of known formats in text, one of each format, in the order of the table.
func (t *Table) Find(text string) []Found {
	// No format is shorter, and most messages of tools are.
	if t == nil || len(text) < 8 {
		return nil
	}
	s := scan{table: t, text: text[:min(len(text), maxFind)]}
	first := make([]int, len(t.Secrets.Formats)) // 1 + where each was found; one is enough to ask
	t.Index.each(s.text, func(w *Word, at int) bool {
		if w.Kind == KindFormat && first[w.Of] == 0 {
			// A text that was made to cost much is no reason to pass it by.
			if _, ok := s.format(int(w.Of), at); ok || s.spent(0) {
				first[w.Of] = at + 1
			}
		}
		return true
	})
	var found []Found
	for i, at := range first {
		if at > 0 {
			found = append(found, Found{&t.Secrets.Formats[i]})
		}
	}
	return found
}

// Holds reports whether a text may hold a secret: rather once too often, since what it is asked about loses nothing by that.
func (t *Table) Holds(text string) bool { return t.holds(text, false) }

// HoldsIn is Holds for the content of a file, of which the name tells whether it is text of a program. In settings and notes a
// word behind the name of a secret is one, be it a word as people choose them; in programs it is mostly a variable.
func (t *Table) HoldsIn(path, text string) bool {
	if t == nil {
		return true
	}
	text = unwide(text)
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	last := ending(name)
	return bare(text) || t.holds(text, !slices.Contains(t.Secrets.Files.Sources, last) || slices.Contains(t.Secrets.Files.Worded, last))
}

func (t *Table) holds(text string, loose bool) bool {
	if t == nil || len(text) > maxFind {
		return true
	}
	s := scan{table: t, text: text, wide: true, sober: true, loose: loose}
	s.run()
	return len(s.spans) > 0
}

// Mask puts stars in the place of secrets. What names them stays, the prefix of a token too. It errs on the side of hiding: the
// result is for a person to recognise, not to be run again, and the beginning of a long text.
func (t *Table) Mask(text string) string { return t.MaskAll(bounded(text)) }

// MaskAll is Mask for a text of which nothing may be lost but the secrets.
func (t *Table) MaskAll(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if t == nil {
		// Without a table nothing is known to be harmless but the name of what runs.
		if name, _, more := strings.Cut(strings.TrimSpace(text), " "); more {
			return name + " " + stars
		}
		return text[:0]
	}
	s := scan{table: t, text: text, wide: true}
	s.run()
	return s.masked()
}

// Hidden gives what Mask hides in a text, so that a part of it can be searched for the same: "config set requirepass x" does not
// tell whose setting that is. It is not to be kept.
func (t *Table) Hidden(text string) (list []string) {
	if t == nil {
		return nil
	}
	s := scan{table: t, text: strings.ToValidUTF8(bounded(text), "\uFFFD"), wide: true}
	s.run()
	for _, one := range s.spans {
		if v := s.text[one.from:one.to]; len(v) > 3 {
			list = append(list, v)
		}
	}
	return list
}

// bounded cuts a long text at a blank, so that no secret stands there by half.
func bounded(text string) string {
	if len(text) <= maxMask {
		return text
	}
	text = text[:maxMask]
	return text[:strings.LastIndexAny(text, " \t\n")+1] + "…"
}
