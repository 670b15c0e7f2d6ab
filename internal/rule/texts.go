package rule

import (
	"iter"
	"strings"
)

// Texts is a list of texts in one text, with a byte behind each that is in no UTF-8. Tables hold thousands of lists. Of each
// that is a slice of two or more, Go's runtime works out at every start of the process where its pointers are, whether the
// table is needed or not: half of the instructions of a harmless hook call. For a text there is nothing to work out.
type Texts string

// textsEnd is what no text of a rule file holds: they are read only where they are UTF-8.
const textsEnd = "\xff"

// NewTexts makes one of texts that are UTF-8.
func NewTexts(list ...string) Texts {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s)
		b.WriteString(textsEnd)
	}
	return Texts(b.String())
}

// All are the texts in their order.
func (t Texts) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for t != "" {
			s, rest, _ := strings.Cut(string(t), textsEnd)
			if t = Texts(rest); !yield(s) {
				return
			}
		}
	}
}

// Len is the number of texts.
func (t Texts) Len() int { return strings.Count(string(t), textsEnd) }

// First is the first text of a list that has some.
func (t Texts) First() string {
	s, _, _ := strings.Cut(string(t), textsEnd)
	return s
}

// Has reports whether s is one of the texts.
func (t Texts) Has(s string) bool {
	for one := range t.All() {
		if one == s {
			return true
		}
	}
	return false
}

// Meets reports whether one of the texts is as is says.
func (t Texts) Meets(is func(string) bool) bool {
	for one := range t.All() {
		if is(one) {
			return true
		}
	}
	return false
}

// HasSorted is Has for a list in order, which it searches by halves.
func (t Texts) HasSorted(s string) bool {
	for t != "" {
		from := strings.LastIndex(string(t[:len(t)/2]), textsEnd) + 1
		middle, after, _ := strings.Cut(string(t[from:]), textsEnd)
		switch strings.Compare(s, middle) {
		case -1:
			t = t[:from]
		case 0:
			return true
		default:
			t = Texts(after)
		}
	}
	return false
}

// List is a slice of the texts; nil where there are none.
func (t Texts) List() (list []string) {
	for s := range t.All() {
		list = append(list, s)
	}
	return list
}
