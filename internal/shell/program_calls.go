package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Library calls are listed in rules/shells. What is left here is how a name in a
// program is compared with the table: modules are imported under other names, and
// some names mean the same on whatever they are called.

// effectOf finds the effect of a call by its name. A module may be imported
// under its members' names, so that the last part alone counts where it is
// telling; method tells that the name follows a value.
func (e *engine) effectOf(in *rule.Interpreter, name string, method bool) (rule.Deed, bool) {
	last := name
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' || name[i] == ':' || name[i] == '>' {
			last = name[i+1:]
			break
		}
	}
	if in.Members && last != name {
		if root, ok := strings.CutSuffix(name[:len(name)-len(last)], "."); ok && e.tables.Code.Roots.Has(root) {
			name, method = last, false
		}
	}
	if last == "" {
		return 0, false
	}
	tells, end := e.tables.Code.Telling.Has(last), last[len(last)-1]
	calls := e.tables.Calls
	// They stand by language, and a program asks about each name in it.
	i, _ := slices.BinarySearchFunc(calls, in.Lang, func(c rule.LibCall, lang string) int { return strings.Compare(c.Lang, lang) })
	e.work.Take(costCall)
	var does rule.Deed
	onPath := false
	for ; i < len(calls) && calls[i].Lang == in.Lang; i++ {
		c := &calls[i]
		if c.Name[len(c.Name)-1] != end {
			continue // whatever the way in which they fit, they end alike
		}
		switch {
		case c.Name == name && !method:
			return c.Does, false // its whole name counts before what fits a part of it
		case c.Name[0] == '.' && strings.HasSuffix(name, c.Name) && strings.Contains(c.Name[1:], "."):
			return c.Does, true // as does more than a last name
		case does != 0:
		case c.Name[0] == '.':
			if (method || last != name) && (c.Name[1:] == last || strings.HasSuffix(name, c.Name)) { // .create, .refunds.create
				does, onPath = c.Does, true
			}
		case in.Members && (method || last != name) && c.Name == last && !e.tables.Code.Ambiguous.Has(last), tells && suffixed(c.Name, last):
			does = c.Does
		}
	}
	return does, onPath
}

// suffixed reports whether a dotted name ends in the member last.
func suffixed(name, last string) bool {
	n := len(name) - len(last)
	return n > 0 && name[n:] == last && (name[n-1] == '.' || name[n-1] == ':')
}
