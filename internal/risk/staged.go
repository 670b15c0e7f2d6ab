package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// dropsStaged reports that a call of git takes out of the index what neither HEAD nor a file holds. Paths narrow it down; where
// they cannot be told from revisions, or are patterns, all of the index counts.
func (m *match) dropsStaged() bool { return m.staged(false) }

// dropsOnlyCopy reports the same where the file is gone, so that nothing comes in place of it.
func (m *match) dropsOnlyCopy() bool { return m.staged(true) }

func (m *match) staged(gone bool) bool {
	c, k := m.c, m.call
	if c.in.Staged == nil || len(c.elsewhere(k)) > 0 {
		return !gone // nobody can tell; what is staged every day must not be asked about for that
	}
	return c.in.Staged(m.pathspecs(), gone)
}

// pathspecs are the plain paths among the operands, absolute; nil where all may be meant.
func (m *match) pathspecs() (paths []string) {
	c, k := m.c, m.call
	for n := min(m.skip, len(k.operands)); n < len(k.operands); n++ {
		w := &k.cmd.Args[k.operands[n]]
		abs, ok := c.absolute(k, w.Text)
		switch {
		case w.Kind != shell.Literal || w.Glob || strings.ContainsAny(w.Text, "*?[:"):
			return nil
		case k.dashdash >= 0 && n < k.dashdash: // what stands before "--" is a revision
		case !ok, c.in.Exists == nil, k.dashdash < 0 && !c.in.Exists(abs):
			if k.dashdash >= 0 || !ok || n > m.skip {
				return nil
			}
			// The first word that is no file is a revision.
		default:
			paths = append(paths, abs)
		}
	}
	return paths
}

// mayBeOption reports a word of the call that only the shell will know, unquoted and in front of "--", so that it may be an
// option, or several.
func (m *match) mayBeOption() bool {
	k := m.call
	for n := m.skip; n < len(k.operands); n++ {
		if w := &k.cmd.Args[k.operands[n]]; (k.dashdash < 0 || n < k.dashdash) && w.Kind == shell.Unknown && w.Many {
			return true
		}
	}
	return false
}
