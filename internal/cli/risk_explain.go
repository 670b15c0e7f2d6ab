package cli

import (
	"fmt"
	"strings"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/generated/shells"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
)

// runJSON is one command that a line would run, as --explain tells it.
type runJSON struct {
	Command string   `json:"command"`        // with everything filled in that is known
	Via     []string `json:"via,omitempty"`  // what led to it, outermost first
	Dir     string   `json:"cwd,omitempty"`  // where, if not where the line starts
	File    string   `json:"file,omitempty"` // of the project, that says so: the guard judges it as well
	Line    int      `json:"line,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Span    [2]int   `json:"span"`
	Rules   []string `json:"rules,omitempty"`
	Unread  string   `json:"not_looked_into,omitempty"` // what it does that no verdict is about
}

// runs lists what the guard saw a line run. The line is taken apart once more: a
// verdict keeps what fired and forgets the rest.
func runs(in *risk.Input, v *risk.Verdict) []runJSON {
	if in.Command == "" {
		return nil
	}
	o := shell.Options{Dir: in.Dir, Home: in.Home, Env: in.Env, Alias: in.Alias, Tables: &shells.Tables, Root: in.Root, Source: in.Source, Limits: shell.Limits{Work: work.Files}}
	// Nothing but the tool tells: the two languages share most of their words.
	if in.Tool == "PowerShell" {
		o.Dialect = shell.PowerShell
	}
	var list []runJSON
	set := risktable.Set()
	res := shell.Parse(in.Command, o)
	inside := 0
	order, shown := inOrder(res)
	for _, i := range order {
		c := &res.Commands[i]
		one := runJSON{Command: written(c), Span: c.Span, Notes: notes(c)}
		at, line, fromFile := res.At(c.Span)
		if fromFile {
			if inside++; inside > mostInside {
				continue
			}
			one.File, one.Line, one.Span = at.Path, line, [2]int{0, len(in.Command)}
			if len(c.Via) > 0 && c.Via[0].Span[1] <= len(in.Command) {
				one.Span = c.Via[0].Span
			}
		}
		if !shown[i] {
			one.Unread = unread(set, c)
		}
		if c.Dir.Text != in.Dir && c.Dir.Text != "" {
			one.Dir = c.Dir.Text
		}
		one.Via = steps(c.Via)
		for i := range v.Hits {
			h := &v.Hits[i]
			if h.File != one.File || h.Line != one.Line {
				continue
			}
			if fromFile || h.Span == one.Span && same(steps(h.Via), one.Via) {
				one.Rules = append(one.Rules, h.Rule.ID)
			}
		}
		list = append(list, one)
	}
	return list
}

// mostInside bounds the commands of files that are told; all are judged.
const mostInside = 60

// runsIt reports that a command is what led to another one, which a file says.
func runsIt(c, next *shell.Command) bool {
	if len(next.Via) <= len(c.Via) {
		return false
	}
	by := next.Via[len(c.Via)].Span
	return by[0] >= c.Span[0] && by[1] <= c.Span[1]
}

// inOrder are the commands as one reads them: what a file says behind what runs the file. shown says for those that run one that what stands there follows.
func inOrder(res *shell.Result) (order []int, shown map[int]bool) {
	fromFile, placed, shown := make([]bool, len(res.Commands)), make([]bool, len(res.Commands)), map[int]bool{}
	for i := range res.Commands {
		_, _, fromFile[i] = res.At(res.Commands[i].Span)
	}
	for _, files := range [...]bool{false, true} { // at the end those that nothing is known to have led to
		for i := range res.Commands {
			if placed[i] || fromFile[i] != files {
				continue
			}
			order, placed[i] = append(order, i), true
			for j := range res.Commands {
				if fromFile[j] && j != i && runsIt(&res.Commands[i], &res.Commands[j]) {
					shown[i] = true
					if !placed[j] {
						order, placed[j] = append(order, j), true
					}
				}
			}
		}
	}
	return order, shown
}

// steps are the names of what led to a command, outermost first: sudo › bash -c.
func steps(via []shell.Step) []string {
	var names []string
	for _, s := range via {
		names = append(names, s.Name)
	}
	return names
}

// same compares two ways; no name of a step holds a NUL.
func same(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

// written is a command as the guard understood it: known words as a shell would
// need them, unknown ones as they stand on the line.
func written(c *shell.Command) string {
	var words []string
	for _, a := range c.Assigns {
		words = append(words, a.Name+"="+word(&a.Value))
	}
	for i := range c.Args {
		words = append(words, word(&c.Args[i]))
	}
	for _, r := range c.Redirects {
		words = append(words, r.Op+" "+word(&r.Target))
	}
	return strings.Join(words, " ")
}

// word leaves a pattern unquoted: quoted it would be the name of one file.
func word(w *shell.Word) string {
	if text, ok := w.Known(); ok && !w.Glob {
		return argv.Quote(text)
	}
	return w.Text
}

// notes says what is special about how a command would run.
func notes(c *shell.Command) []string {
	var list []string
	for _, n := range [...]struct {
		holds bool
		text  string
	}{
		{c.Conditional, "may not run"},
		{c.Background, "in the background"},
		{c.Remote, "on another machine"},
		{c.Substituted, "its output becomes a word"},
		{len(c.PipeFrom) > 0, "reads a pipe"},
		{len(c.Args) > 0 && c.Name == "", "which program is not known"},
	} {
		if n.holds {
			list = append(list, n.text)
		}
	}
	return list
}

// unread is what nobody looked into: a verdict is about what stands on the line, and what a file or a program of an unknown name does in
// its turn is not on it.
func unread(set *risk.Set, c *shell.Command) string {
	if len(c.Args) == 0 {
		return ""
	}
	first := c.Args[0].Text
	switch {
	case c.Code != nil && c.Code.From == shell.FromFile && !c.Code.Seen:
		return "what is in " + c.Code.File.Text
	case c.Code != nil:
		return ""
	case strings.Contains(first, "/") && !set.Knows(c.Name):
		return "what is in " + first
	case set.In("runs-scripts", c.Name) && len(c.Args) > 1:
		return "what " + c.Name + " runs for this project: its scripts, targets and plugins"
	case c.Name != "" && !set.Knows(c.Name):
		return "what " + c.Name + " does: no table knows it"
	}
	return ""
}

// printRuns shows the derivation: every command, what led to it, what it met.
func (e *env) printRuns(s term.Style, list []runJSON) {
	// Tools other than shells run nothing that could be derived.
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(e.out, "\nwhat would run:\n")
	for i, r := range list {
		fmt.Fprintf(e.out, "  %d  %s\n", i+1, s.Bold(term.Text(r.Command)))
		line := func(label, text string) {
			if text != "" {
				fmt.Fprintf(e.out, "     %s %s\n", s.Dim(label), text)
			}
		}
		line("through", term.Text(strings.Join(r.Via, " › ")))
		line("in", term.Text(r.Dir))
		if r.File != "" {
			line("by", fmt.Sprintf("%s:%d", term.Name(e.fromHere(r.File)), r.Line))
		}
		line("note:", strings.Join(r.Notes, ", "))
		line("meets", strings.Join(r.Rules, ", "))
		line("not looked into:", term.Text(r.Unread))
	}
}
