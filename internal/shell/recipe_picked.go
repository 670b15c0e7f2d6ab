package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// picked are the tasks of a program that runs all of them: of those in a group the ones that the call names or, where it names none,
// the document lists. Where nobody can tell which that are, all count.
func (a *asked) picked(b *recipe.Book) (names []string) {
	meant := a.meant(b)
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if name, in := strings.CutPrefix(t.Name, a.row.Group); in && meant != nil && a.row.Group != "" && !slices.ContainsFunc(rule.Braces(name), func(s string) bool { return slices.Contains(meant, s) }) {
			continue
		}
		names = append(names, t.Name)
		if t.Borrows {
			meant = nil
		}
	}
	if meant != nil {
		return names
	}
	names = names[:0]
	for i := range b.Tasks {
		names = append(names, b.Tasks[i].Name)
	}
	return names
}

// meant are the names of a group that a call is about; nil where nobody can tell.
func (a *asked) meant(b *recipe.Book) (list []string) {
	said := b.Listed
	switch {
	case a.row.Group == "" || a.any:
		return nil
	case len(a.named) == 0 && b.Unlisted:
		return nil
	case len(a.named) > 0:
		said = nil
	}
	for i := range a.named {
		if a.named[i].Kind != Literal {
			return nil
		}
		said = append(said, strings.FieldsFunc(a.named[i].Text, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	for _, name := range said {
		all := rule.Braces(name)
		if all == nil || slices.Contains(a.row.Whole, name) {
			return nil
		}
		list = append(list, all...)
	}
	return list
}
