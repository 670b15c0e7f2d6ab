package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// Clients of clouds and devices work with stand-ins as well: LocalStack, Azurite, emulators. What tells them is data: standin of a program. The rules that
// are about that program alone do not hold then; what it does to files counts as ever, and so do rules about several programs.

// standin reports that the program works with a stand-in on this machine. An option decides before a variable does, and where there are several all must say so.
func (k *call) standin(s *Set) bool {
	if k.prog == nil {
		return false
	}
	told := false
	for row := range k.prog.Standin.All() {
		name, want, valued := strings.Cut(row, " ")
		if !strings.HasPrefix(name, "-") {
			continue
		}
		for i := range k.cmd.Args {
			w, ok := optionWord(k.cmd.Args, i, name)
			if !ok {
				continue
			}
			if !s.standsIn(w, want, valued) {
				return false
			}
			told = true
		}
	}
	if told {
		return true
	}
	for row := range k.prog.Standin.All() {
		name, want, valued := strings.Cut(row, " ")
		if is, called := strings.CutPrefix(name, "="); called {
			told = told || k.cmd.Name == is
		} else if variable, is := strings.CutPrefix(name, "$"); is {
			for j := range k.cmd.Assigns {
				if a := &k.cmd.Assigns[j]; a.Name == variable {
					told = s.standsIn(&a.Value, want, valued)
				}
			}
		}
	}
	return told
}

// ofOne reports a rule about one program alone.
func (m *match) ofOne() bool {
	n := 0
	for range m.rule.Programs.All() {
		n++
	}
	return n == 1
}

// standsIn reports a value that fits, or, where none is wanted, an address of this machine.
func (s *Set) standsIn(w *shell.Word, want string, valued bool) bool {
	if valued {
		return w.Kind == shell.Literal && globFold(want, w.Text)
	}
	host, ok := hostOf(w)
	return ok && s.isLocal(host)
}

// optionWord is the value of an option, if the argument at i is that option.
func optionWord(args []shell.Word, i int, name string) (*shell.Word, bool) {
	if args[i].Is(name) && i+1 < len(args) {
		return &args[i+1], true
	}
	if strings.HasPrefix(args[i].Prefix(), name+"=") {
		w := args[i]
		w.Text = w.Text[len(name)+1:]
		return &w, true
	}
	return nil, false
}
