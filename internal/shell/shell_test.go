package shell

import (
	"os"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// show renders a result for comparison, one command a line: arguments, then
// redirections, then marks (? conditional, @ remote, & background, fed: a list
// decides what the text is, nameless: the program is not known), the
// directory if it is not the line's own, and the derivation in braces.
func show(r *Result) []string {
	var out []string
	for i := range r.Commands {
		c := &r.Commands[i]
		var b strings.Builder
		for _, a := range c.Assigns {
			b.WriteString(a.Name + "=" + spell(&a.Value) + " ")
		}
		for j := range c.Args {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(spell(&c.Args[j]))
		}
		for _, rd := range c.Redirects {
			if strings.HasPrefix(rd.Op, "<") {
				continue
			}
			b.WriteString(" " + rd.Op + spell(&rd.Target))
		}
		if c.Conditional {
			b.WriteString(" ?")
		}
		if c.Background {
			b.WriteString(" &")
		}
		if c.Remote {
			b.WriteString(" @")
		}
		if c.Endless {
			b.WriteString(" endless")
		}
		if c.Recursive {
			b.WriteString(" recursive")
		}
		if c.Dir.Text != "/p" && !c.Remote {
			b.WriteString(" in:" + spell(&c.Dir))
		}
		if c.Code != nil && !c.Code.Seen {
			b.WriteString(" code:" + spell(&c.Code.Text))
		}
		if c.Code != nil && c.Code.Fed {
			b.WriteString(" fed")
		}
		if c.Name == "" && len(c.Args) > 0 && c.Args[0].Kind == Literal {
			b.WriteString(" nameless")
		}
		if len(c.Via) > 0 {
			var via []string
			for _, s := range c.Via {
				via = append(via, s.Name)
			}
			b.WriteString(" {" + strings.Join(via, " > ") + "}")
		}
		out = append(out, strings.TrimSpace(b.String()))
	}
	for _, d := range r.Incomplete {
		out = append(out, "!! "+d.Reason.String())
	}
	return out
}

// spell writes unknown parts in ‹›, and quotes what would be ambiguous.
func spell(w *Word) string {
	if w.Kind == Literal {
		if w.Text == "" || strings.ContainsAny(w.Text, " \n\t") {
			return "'" + strings.ReplaceAll(w.Text, "\n", "⏎") + "'"
		}
		return w.Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Unknown {
			b.WriteString("‹" + p.Text + "›")
		} else {
			b.WriteString(p.Text)
		}
	}
	return strings.ReplaceAll(b.String(), "\n", "⏎")
}

var here = Options{Dir: "/p", Home: "/h", Tables: tables}

// tables are the rules of this repository, as the generated ones hold them.
var tables = func() *rule.Shells {
	s, err := rule.LoadShells(os.DirFS("../.."))
	if err != nil {
		panic(err)
	}
	return s
}()
