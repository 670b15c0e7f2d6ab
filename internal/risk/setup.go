package risk

import (
	"iter"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Everybody's profile holds eval "$(ssh-agent -s)" and source <(kubectl completion
// bash): what runs is not on the line, and asking about it would be noise. That holds
// for exactly these forms. A wrapper, a second command or an argument that only the
// shell knows could make it print, or run, anything else.

// onlyInitialisers reports that the code which a call runs is the output of one
// program whose purpose is to print set-up code for shells, in the everyday form.
func (c *checker) onlyInitialisers(k *call) bool {
	args := k.cmd.Args
	if len(args) == 1 && len(k.cmd.PipeFrom) == 1 { // fish: kubectl completion fish | source
		i := k.cmd.PipeFrom[0]
		return i >= 0 && i < len(c.calls) && plainly(k) && c.printsInitialiser(&c.calls[i])
	}
	if len(args) != 2 || !plainly(k) || k.cmd.Code == nil || k.raw == "trap" {
		return false
	}
	text := &k.cmd.Code.Text
	from := text.From()
	if text.Kind != shell.Unknown || len(text.Parts) != 1 || len(from) != 1 || from[0] < 0 || from[0] >= len(c.calls) {
		return false
	}
	p := &c.calls[from[0]]
	if !c.printsInitialiser(p) {
		return false
	}
	// Nothing else may run for its output: $(ssh-agent -s; true).
	last := len(p.cmd.Via) - 1
	c.spend(len(c.calls) / costCalls)
	for i := range c.calls {
		via := c.calls[i].cmd.Via
		if i != p.index && last >= 0 && len(via) > last && via[last].Span == p.cmd.Via[last].Span {
			return false
		}
	}
	return true
}

// printsInitialiser reports a call that does no more than that, with words that are all there to see.
func (c *checker) printsInitialiser(p *call) bool {
	if !c.initialises(p) || len(p.cmd.PipeFrom) > 0 || !plainly(p) {
		return false
	}
	for i := range p.cmd.Args[1:] {
		w := &p.cmd.Args[i+1]
		if w.Kind != shell.Literal && !strings.Contains(w.Text, "SHELL") {
			return false
		}
	}
	return true
}

// initialises reports a call that prints set-up code: of a program that does nothing
// else, or, where a program does much else or is not known, because the words ask for it.
func (c *checker) initialises(p *call) bool {
	if c.set.In("set-up", p.raw) {
		return true
	}
	if !c.set.In("set-up-by-word", p.raw) && (p.prog != nil || p.raw == "" || c.set.In("prints-words", p.raw)) {
		return false
	}
	for i := 1; i < len(p.cmd.Args); i++ {
		if c.set.In("set-up-words", p.cmd.Args[i].Text) {
			return true
		}
	}
	return false
}

// plainly reports that a call stands there with nothing around it: no wrapper,
// no variables of its own, no file that its output goes to.
func plainly(k *call) bool {
	if n := len(k.cmd.Via); n > 0 {
		// "bash -c", "function f", "$(…)" and the like change nothing; sudo,
		// env, command and their kind have names of one word.
		if step := k.cmd.Via[n-1].Name; !strings.ContainsAny(step, " (") && step != "trap" && step != "eval" {
			return false
		}
	}
	for i := range k.cmd.Assigns {
		// Exported variables are among them too; they stand elsewhere.
		// A number leads no program elsewhere: A=1 eval "$(ssh-agent -s)".
		if v := &k.cmd.Assigns[i].Value; v.Text == "" && v.Kind == shell.Literal || numeral(v) {
			continue
		}
		if s := k.cmd.Assigns[i].Value.Span; s[0] >= k.cmd.Span[0] && s[1] <= k.cmd.Span[1] {
			return false
		}
	}
	for i := range k.cmd.Redirects {
		r := &k.cmd.Redirects[i]
		if !r.Target.Is("/dev/null") && r.Op != ">&" && r.Op != "<&" {
			return false
		}
	}
	return true
}

// In reports whether a program belongs to a group of rules/risks, in this set or
// one behind it.
func (s *Set) In(group, program string) bool {
	for ; s != nil; s = s.More {
		if g := s.group(group); g != nil && g.Has(program) {
			return true
		}
	}
	return false
}

// shell reports a program that runs the commands which it reads.
func (s *Set) shell(program string) bool {
	return s.In("shells", program) || s.Shells != nil && s.Shells.Program(program).Grammar == rule.GrammarShell
}

// group finds one by its id; nil where this set has none of that name. They are sorted by it.
func (s *Set) group(id string) *rule.Group {
	i, ok := sort.Find(len(s.Groups), func(i int) int { return strings.Compare(id, s.Groups[i].ID) }) // copies none of them
	if !ok {
		return nil
	}
	return &s.Groups[i]
}

// members are the words of a group in the first set that has it, for options, of which the last one given counts.
func (s *Set) members(group string) rule.Texts {
	for ; s != nil; s = s.More {
		if g := s.group(group); g != nil {
			return g.Words
		}
	}
	return ""
}

// words are the members of a group, for groups whose members are parts of a text.
func (s *Set) words(group string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.More {
			if g := s.group(group); g != nil {
				for word := range g.Words.All() {
					if !yield(word) {
						return
					}
				}
			}
		}
	}
}

// mentions reports that a word of a group stands in a text.
func (s *Set) mentions(group, text string) bool {
	for word := range s.words(group) {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
