package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// sparseTakes reports a git sparse-checkout after which a file of the work tree at top is not checked out, as far as its words tell: with words that
// only the shell knows, or that come from elsewhere, it is gone.
func (m *match) sparseTakes(file, top string) bool {
	c, k := m.c, m.call
	rel := strings.TrimPrefix(file, top+"/")
	dir := path.Dir(rel)
	cone, kept := !k.given([]string{"--no-cone"}), false
	words := k.operands[min(m.skip, len(k.operands)):]
	for _, i := range words {
		cone = cone && !strings.ContainsAny(k.cmd.Args[i].Text, `*?[!\`)
	}
	for _, i := range words {
		w := &k.cmd.Args[i]
		switch {
		case w.Kind != shell.Literal || !c.spend(len(w.Text)):
		case cone:
			abs, ok := c.absolute(k, strings.TrimLeft(w.Text, "/"))
			chosen := strings.TrimPrefix(strings.TrimPrefix(abs, top), "/")
			kept = kept || ok && (within(rel, chosen) || within(chosen, dir))
		default:
			pattern, not := strings.CutPrefix(w.Text, "!")
			if sparseFits(pattern, rel) {
				kept = !not
			}
		}
	}
	return !kept && !(cone && dir == ".")
}

// sparseFits reports that a pattern, as lists of what Git ignores have them, picks a file or a folder above it.
func sparseFits(pattern, rel string) bool {
	folder := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(pattern, "/")
	anchored := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	for at := rel; at != "."; at = path.Dir(at) {
		name := at
		if !anchored {
			name = path.Base(at)
		}
		if (!folder || at != rel) && glob(pattern, name) && (!anchored || strings.Contains(pattern, "**") || strings.Count(pattern, "/") == strings.Count(name, "/")) {
			return true
		}
	}
	return false
}
