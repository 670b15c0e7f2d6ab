package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// find runs commands on what it finds and deletes by itself. Both are spelled as
// the command that they are: "find x -delete" without any test is rm -r x, with a
// test it is rm of something below x. The operand keeps the known beginning of the
// path, and the name where -name asks for one name, so that rules on paths work.

// startDirs returns find's starting points and the index of its expression.
func (e *engine) startDirs(args []Word) (dirs []Word, expr int) {
	i := 1
	for i < len(args) {
		s := args[i].Text
		// They stand before the starting points and belong to no test (POSIX find).
		if e.tables.Find.Start.Has(s) || strings.HasPrefix(s, "-O") {
			i++
		} else if s == "-D" || s == "-f" { // -f is BSD's way to name a start
			if s == "-f" && i+1 < len(args) {
				dirs = append(dirs, args[i+1])
			}
			i += 2
		} else {
			break
		}
	}
	for i < len(args) {
		s := args[i].Prefix()
		if args[i].Kind == Literal && (strings.HasPrefix(s, "-") || s == "(" || s == "!" || s == ")" || s == ",") {
			break
		}
		dirs = append(dirs, args[i])
		i++
	}
	if len(dirs) == 0 {
		// GNU's default. BSD's find wants a start and refuses, so that nothing is lost by the guess.
		dirs = []Word{{Text: ".", Span: args[0].Span}}
	}
	return dirs, min(i, len(args))
}

// below returns the word for what lies below a directory; name is what the
// last element is known to be, if it is, or the pattern that it fits.
func below(dir *Word, name, written string, from ...int) Word {
	var b wordBuilder
	b.word(dir)
	// The folder's own pattern is spent; what is open is the name below it.
	b.w.Glob = false
	if !strings.HasSuffix(dir.Suffix(), "/") {
		b.text("/")
	}
	pattern := globbing(name)
	if pattern {
		written += "/" + name
	}
	b.part(Part{Text: term.Clip(written, mostShown), Unknown: true, Listed: true, From: from})
	if name != "" && !pattern {
		b.text("/" + name)
	}
	w := b.done(dir.Span)
	// So that rules about all files of a folder hold, as for "dir/*".
	w.Glob = true
	return w
}

// filterName returns the name or pattern that -name asks for, if there is one alone.
func (e *engine) filterName(expr []Word) string {
	words, name := &e.tables.Find, ""
	for i := 0; i < len(expr); i++ {
		switch w := &expr[i]; {
		case w.Kind != Literal:
		case words.Spares.Has(w.Text) && i+2 < len(expr) && expr[i+1].Kind == Literal && words.HasValue(expr[i+1].Text):
			i += 2 // a test with its value, which only leaves more out
		case words.Not.Has(w.Text):
			return ""
		case name == "" && (w.Text == "-name" || w.Text == "-iname") && i+1 < len(expr) && expr[i+1].Kind == Literal:
			name = expr[i+1].Text
		}
	}
	return name
}

// maxExecs bounds the commands that one find is followed into: where a public
// suite of a peer expects a guard to give up. Nobody writes as many.
const maxExecs = 104

// find follows -exec and its relatives, and spells -delete as the rm it is.
func (e *engine) find(x *simple, c *ctx) output {
	i := e.emit(c, x)
	args := x.args
	dirs, at := e.startDirs(args)
	expr := args[at:]
	name, filtered, execs := e.filterName(expr), false, 0
	every, shallow := true, hasArg(expr, "-maxdepth") // -type f narrows, but all files are all files
	for k := 0; k < len(expr); k++ {
		s := expr[k].Text
		if expr[k].Kind != Literal {
			// An unknown word may be a test that narrows. It may also be none, but then -delete is asked about all the same.
			filtered, every = true, false
			continue
		}
		switch words := &e.tables.Find; {
		case words.Runs.Has(s):
			if execs++; execs > maxExecs {
				e.doubt(TooMany, "", x.span)
				return e.finish("find", x, c, i)
			}
			end := k + 1
			// "+" ends it only right behind "{}"; anywhere else it is an argument of the command.
			for end < len(expr) && !expr[end].Is(";") && !(expr[end].Is("+") && expr[end-1].Is("{}")) {
				end++
			}
			if end > k+1 {
				words := expr[k+1 : end]
				if every && !shallow && e.program(&words[0]) == "rm" { // all files of a tree: the tree
					if !slices.ContainsFunc(words, func(w Word) bool { return strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "rR") }) {
						words = append([]Word{words[0], lit("-r", words[0].Span)}, words[1:]...)
					}
					e.findExec(x, words, dirs, "", false, "-exec", c)
				} else {
					e.findExec(x, words, dirs, name, filtered, s, c)
				}
			}
			k = end
		case s == "-delete":
			n := c.step("find -delete", expr[k].Span)
			n.in = nil
			rm := []Word{lit("rm", expr[k].Span)}
			whole := !filtered || every && !shallow
			for d := range dirs {
				if whole {
					rm = append(rm, dirs[d])
				} else {
					rm = append(rm, below(&dirs[d], name, "{}", i))
				}
			}
			if whole { // everything below, and the start itself
				rm = append([]Word{rm[0], lit("-r", expr[k].Span)}, rm[1:]...)
			}
			e.emit(n, &simple{args: rm, span: x.span})
		// Their file is no test; that it is written over, the table of programs says.
		case words.Writes.Has(s):
			k++
		case s == "-fprintf":
			k += 2
		case words.Says.Has(s):
			k++
		case words.Acts.Has(s):
		default:
			filtered = true
			// Tests that leave no file of the tree out, so that what goes is the tree's whole content.
			every = every && (s == "-type" && (k+1 == len(expr) || expr[k+1].Kind != Literal || strings.ContainsAny(expr[k+1].Text, "fd")) || s == "-mindepth")
			if !words.Plain.Has(s) {
				k++
			}
		}
	}
	return e.finish("find", x, c, i)
}

// findExec runs the command of -exec with the files in place of {}.
func (e *engine) findExec(x *simple, words, dirs []Word, name string, filtered bool, action string, c *ctx) {
	n := c.step("find "+action, x.args[0].Span)
	n.in = nil
	if strings.HasSuffix(action, "dir") {
		n.st = n.st.clone()
		d := below(&dirs[0], "", "…")
		n.st.chdir(d)
	}
	for d := range dirs {
		file := dirs[d]
		if filtered {
			file = below(&dirs[d], name, "{}")
		}
		// -execdir names files as ./name from the directory that it is in.
		if strings.HasSuffix(action, "dir") && filtered {
			here := lit(".", x.args[0].Span)
			file = below(&here, name, "{}")
		}
		uses := false
		list := make([]Word, len(words))
		for k := range words {
			list[k] = words[k]
			if strings.Contains(words[k].Text, "{}") && words[k].Kind == Literal {
				list[k] = fill(&words[k], "{}", &file)
				uses = true
			}
		}
		e.run(&simple{args: list, redirs: nil, assigns: x.assigns, span: x.span}, n)
		// Without {} it runs once for each file with the same words: once is enough to judge.
		if !uses {
			break
		}
	}
}

// fill replaces every mark in a word by another word.
func fill(w *Word, mark string, with *Word) Word {
	if w.Kind == Literal && w.Text == mark {
		v := *with
		// Where it is written, not where it was found: the message underlines the line.
		v.Span = w.Span
		return v
	}
	var b wordBuilder
	b.w.Quoted, b.w.Tilde = w.Quoted, w.Tilde
	text := func(s string) {
		for {
			before, after, ok := strings.Cut(s, mark)
			b.text(before)
			if !ok {
				return
			}
			if strings.HasSuffix(before, "/") && isListing(with) && with.Suffix() == "" {
				b.part(with.Parts[len(with.Parts)-1]) // ls x | xargs -I{} rm x/{}
			} else {
				b.word(with)
			}
			s = after
		}
	}
	if w.Kind == Literal {
		text(w.Text)
		return b.done(w.Span)
	}
	for _, p := range w.Parts {
		if p.Unknown {
			b.part(p)
		} else {
			text(p.Text)
		}
	}
	return b.done(w.Span)
}
