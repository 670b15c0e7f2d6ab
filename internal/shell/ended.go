package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/modu-ai/moai/internal/rule"
)

// End is what the end of a line tells of how one of its commands ended.
type End int

// The ends.
const (
	Untold End = iota
	Well
	Ill
	Suspect // it may be what failed, and then what waits for it did not run
)

// Chance is how sure it is that a command ran.
type Chance int

// The chances.
const (
	Perhaps Chance = iota
	Likely         // but for commands that seldom fail, such as cd
	Surely
)

// Fate is what the end of a line tells of one of its commands.
type Fate struct {
	End   End // if it ran
	Ran   Chance
	Never bool // it did not run
}

// Fates tells, from how a line of POSIX shells or Bash ended, how each of its commands did: "a && b" that ended well had both do so, "a; b" tells how b ended and
// not a, "a || true" tells of neither. A line in another language, or one that no parser reads, says nothing.
func Fates(line string, failed bool, commands []Command, tables *rule.Shells) []Fate {
	list := make([]Fate, len(commands))
	if tables == nil {
		return list
	}
	f := &fates{words: &tables.Sh, commands: commands}
	end := Well
	if failed {
		end = Ill
	}
	f.text(line, 0, end, Surely)
	for i := range commands {
		c := &commands[i]
		if c.Background || c.Remote || c.Recursive || slices.ContainsFunc(c.Via, func(s Step) bool {
			name, _, _ := strings.Cut(s.Name, " ")
			return f.words.Hides.Has(name)
		}) {
			continue
		}
		best := -1
		for at, one := range f.found { // the innermost call around it
			if one.span[0] <= c.Span[0] && c.Span[1] <= one.span[1] && (best < 0 || one.span[1]-one.span[0] < f.found[best].span[1]-f.found[best].span[0]) {
				best = at
			}
		}
		if best >= 0 {
			list[i] = f.found[best].Fate
		}
	}
	return list
}

// fates goes through a line.
type fates struct {
	words    *rule.Sh
	commands []Command
	found    []calledAt
	depth    int
	stops    bool // set -e
	pipefail bool
}

type calledAt struct {
	span Span
	Fate
}

// mostFates bounds how deep texts of shells lie in one another.
const mostFates = 4

// text reads a text that stands at a place of the line.
func (f *fates) text(text string, at int, end End, ran Chance) {
	if f.depth >= mostFates || nesting(text, f.words) < len(text) {
		return
	}
	file, err := readShell(text, syntax.NewParser(), func(string) bool { return true })
	if err != nil {
		return
	}
	f.depth++
	stops, pipefail := f.stops, f.pipefail
	f.list(file.Stmts, at, end, ran)
	f.stops, f.pipefail = stops, pipefail
	f.depth--
}

// list reads statements, of which the last one's end is that of all: or the one whose end "exit $?" hands on.
func (f *fates) list(stmts []*syntax.Stmt, at int, end End, ran Chance) {
	last := len(stmts) - 1
	if last >= 0 {
		if i, ok := f.handsOn(stmts); ok {
			f.list(stmts[:i+1], at, end, ran)
			if f.stops && end != Well {
				ran = Perhaps
			}
			for _, s := range stmts[i+1:] {
				f.stmt(s, at, Untold, ran)
			}
			return
		}
	}
	for i, s := range stmts {
		one := Untold
		switch {
		case i == last:
			one = end
		case (f.stops || f.leaves(s)) && !s.Negated:
			if one = end; end == Ill {
				one = Suspect
				if fixed := f.fixed(s); fixed != Untold {
					one = fixed
				}
			}
		}
		f.stmt(s, at, one, ran)
		if one == Suspect && i < last {
			ran = min(ran, f.behind(s))
		}
	}
}

// leaves reports "a || exit 1".
func (f *fates) leaves(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && b.Op == syntax.OrStmt && f.words.Leaves.Has(firstWord(b.Y)) && f.fixed(b.Y) == Ill
}

// handsOn finds the statement whose end a list ends with by saying so: "a; exit $?", "a; code=$?; b; exit $code".
func (f *fates) handsOn(stmts []*syntax.Stmt) (int, bool) {
	last := len(stmts) - 1
	call, ok := stmts[last].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 2 || !f.words.Leaves.Has(firstWord(stmts[last])) {
		return 0, false
	}
	name := onlyParam(call.Args[1])
	if name == "?" {
		return last - 1, last > 0
	}
	for i := last - 1; i > 0 && name != ""; i-- {
		set, ok := stmts[i].Cmd.(*syntax.CallExpr)
		if ok && len(set.Args) == 0 && len(set.Assigns) == 1 && set.Assigns[0].Name != nil && set.Assigns[0].Name.Value == name {
			return i - 1, onlyParam(set.Assigns[0].Value) == "?"
		}
	}
	return 0, false
}

// onlyParam is the name of the parameter that a word is made of, "" for any other word.
func onlyParam(w *syntax.Word) string {
	if w == nil || len(w.Parts) != 1 {
		return ""
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil && p.Exp == nil && p.Index == nil && p.Slice == nil && p.Repl == nil && !p.Length && !p.Excl {
		return p.Param.Value
	}
	return ""
}

func firstWord(s *syntax.Stmt) string {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return call.Args[0].Lit()
	}
	return ""
}

func (f *fates) stmt(s *syntax.Stmt, at int, end End, ran Chance) {
	if s.Background || s.Coprocess {
		end = Untold
	}
	if s.Negated {
		switch end {
		case Well:
			end = Ill
		case Ill:
			end = Well
		case Suspect:
			end = Untold
		}
	}
	f.command(s, at, end, ran)
}

func (f *fates) command(s *syntax.Stmt, at int, end End, ran Chance) {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		f.call(cmd, Span{at + int(s.Pos().Offset()), at + int(s.End().Offset())}, at, end, ran)
	case *syntax.BinaryCmd:
		f.binary(cmd, at, end, ran)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			f.stmt(cmd.Stmt, at, end, ran)
		}
	case *syntax.Block:
		f.list(cmd.Stmts, at, end, ran)
	case *syntax.Subshell:
		stops, pipefail := f.stops, f.pipefail
		f.list(cmd.Stmts, at, end, ran)
		f.stops, f.pipefail = stops, pipefail
	case *syntax.IfClause:
		f.list(cmd.Cond, at, Untold, ran)
	}
}

// binary reads a list of two, or a pipe.
func (f *fates) binary(b *syntax.BinaryCmd, at int, end End, ran Chance) {
	x, y := f.fixed(b.X), f.fixed(b.Y)
	left, right, both := Untold, end, ran
	switch b.Op {
	case syntax.Pipe, syntax.PipeAll:
		switch {
		case !f.pipefail:
		case end == Well, f.behind(b.Y) == Likely:
			left = end
		case end != Untold:
			left, right = Suspect, Suspect
		}
	case syntax.AndStmt:
		switch {
		case x == Ill:
			f.stmt(b.X, at, x, ran)
			f.never(b.Y, at)
			return
		case end == Well, x == Well:
			left = Well
		case end != Untold && y == Well: // it cannot be what failed
			left, both = end, Perhaps
		case end != Untold && y == Untold:
			left, both = Suspect, min(ran, f.behind(b.X))
		default:
			both = Perhaps
		}
	case syntax.OrStmt:
		switch {
		case x == Well, end == Well && y == Ill:
			f.stmt(b.X, at, Well, ran)
			f.never(b.Y, at)
			return
		case end == Ill, x == Ill:
			left = Ill
		case end == Suspect && y == Ill:
			left, both = Suspect, Perhaps
		default:
			both = Perhaps
		}
	}
	f.stmt(b.X, at, left, ran)
	f.stmt(b.Y, at, right, both)
}

// behind is how sure it is that what waits for a statement runs.
func (f *fates) behind(s *syntax.Stmt) Chance {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt {
		return min(f.behind(b.X), f.behind(b.Y))
	}
	if name := firstWord(s); f.words.Seldom.Has(name) || f.words.Succeeds.Has(name) {
		return Likely
	}
	return Perhaps
}

// never reads what does not run.
func (f *fates) never(s *syntax.Stmt, at int) {
	f.found = append(f.found, calledAt{Span{at + int(s.Pos().Offset()), at + int(s.End().Offset())}, Fate{Never: true}})
}

// fixed is how a statement ends whatever happens.
func (f *fates) fixed(s *syntax.Stmt) (end End) {
	if s.Background || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Op != syntax.DplOut }) {
		return Untold
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		switch name := firstWord(s); {
		case f.words.Succeeds.Has(name):
			end = Well
		case f.words.Fails.Has(name):
			end = Ill
		case f.words.Leaves.Has(name) && len(cmd.Args) == 2:
			if end = Ill; cmd.Args[1].Lit() == "0" {
				end = Well
			} else if cmd.Args[1].Lit() == "" {
				end = Untold
			}
		}
	case *syntax.Block:
		end = f.lastFixed(cmd.Stmts)
	case *syntax.Subshell:
		end = f.lastFixed(cmd.Stmts)
	}
	if s.Negated && end != Untold {
		end = Well + Ill - end
	}
	return end
}

func (f *fates) lastFixed(stmts []*syntax.Stmt) End {
	if len(stmts) == 0 {
		return Untold
	}
	return f.fixed(stmts[len(stmts)-1])
}

// call reads a simple command: what its words run first, itself, and a text that it hands to a shell.
func (f *fates) call(c *syntax.CallExpr, span Span, at int, end End, ran Chance) {
	f.found = append(f.found, calledAt{span, Fate{End: end, Ran: ran}})
	syntax.Walk(c, func(n syntax.Node) bool {
		sub, ok := n.(*syntax.CmdSubst)
		if !ok {
			if p, ok := n.(*syntax.ProcSubst); ok {
				f.list(p.Stmts, at, Untold, ran)
				return false
			}
			return true
		}
		inner := Untold
		if len(c.Args) == 0 && len(c.Assigns) == 1 && c.Assigns[0].Value != nil && len(c.Assigns[0].Value.Parts) == 1 { // a=$(b) ends as b does
			inner = end
		}
		f.list(sub.Stmts, at, inner, ran)
		return false
	})
	f.sets(c)
	f.handed(span, end, ran)
}

// sets takes in "set -e" and "set -o pipefail".
func (f *fates) sets(c *syntax.CallExpr) {
	if len(c.Args) < 2 || !f.words.Sets.Has(c.Args[0].Lit()) {
		return
	}
	for _, w := range c.Args[1:] {
		f.option(w.Lit())
	}
}

func (f *fates) option(word string) {
	if on := strings.HasPrefix(word, "-"); f.words.Pipefail.Has(word) {
		f.pipefail = true
	} else if short := strings.TrimLeft(word, "-+"); len(word) == len(short)+1 && strings.Contains(short, "e") {
		f.stops = on
	}
}

// handed reads the text that a command of the line hands to a shell: bash -c 'a && b'.
func (f *fates) handed(span Span, end End, ran Chance) {
	for i := range f.commands {
		c := &f.commands[i]
		if c.Span[0] < span[0] || c.Span[1] > span[1] || c.Code == nil || !c.Code.Shell() || !c.Code.Seen {
			continue
		}
		for j, w := range c.Args {
			if w.Text != c.Code.Text.Text || w.Text == "" || w.Span[1]-w.Span[0] != len(w.Text)+2 && w.Span[1]-w.Span[0] != len(w.Text) {
				continue // not as it stands on the line
			}
			stops, pipefail := f.stops, f.pipefail
			f.stops, f.pipefail = false, false
			for _, o := range c.Args[1:j] {
				if o.Text != "-c" && !strings.Contains(o.Text, "=") {
					f.option(o.Text)
				}
			}
			f.text(w.Text, w.Span[0]+(w.Span[1]-w.Span[0]-len(w.Text))/2, end, ran)
			f.stops, f.pipefail = stops, pipefail
			return
		}
	}
}
