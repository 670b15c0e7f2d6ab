package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// What "ls src" or "git ls-files" prints is not known, but all of it lies below a
// folder that is. A word for it is enough to tell "ls ~ | xargs rm -rf" from
// "git ls-files dist | xargs rm -f".

// found returns what find and fd print: names below their starting points.
func (e *engine) found(name string, args []Word, span Span, i int) (Word, bool) {
	all := append([]Word{{Text: name, Span: span}}, args...)
	var start Word
	last := ""
	if e.tables.Program(name).Grammar == rule.GrammarFind {
		dirs, expr := e.startDirs(all)
		start = farthest(dirs)
		last = e.filterName(all[expr:])
	} else {
		start = farthest(e.fdArgs(all).starts)
	}
	w := below(&start, last, "…", i)
	w.Many = true
	return w, true
}

// farthest returns the one of several folders that is judged for all: the first that
// is not plainly below the working directory.
func farthest(dirs []Word) Word {
	for i := range dirs {
		if s := dirs[i].Prefix(); s == "" || strings.IndexByte("/~.", s[0]) >= 0 && s != "." && !strings.HasPrefix(s, "./") {
			return dirs[i]
		}
	}
	return dirs[0]
}

// names tells what ls prints: what lies in its operands, or they themselves. Where it says where a link leads, that is printed, too.
func names(args []Word, span Span, i int) (Word, bool) {
	ops, given := sorted(args, "")
	if given.has("l long") {
		ops = slices.Clone(ops)
		for k := range ops {
			if ops[k].Kind == Literal && !ops[k].Glob {
				ops[k].Text += "/."
			}
		}
	}
	if given.has("d directory") && !given.has("l long") {
		return someOf(ops, span, i)
	}
	return named(ops, given.has("d directory"), span, i)
}

// tracked tells what git prints, where that is a list of files.
func tracked(args []Word, in *Input, span Span, i int) (Word, bool) {
	ops, given := sorted(args, "")
	if len(ops) == 0 {
		return Word{}, false
	}
	sub := ops[0].Text
	ops = slices.Clone(ops[1:])
	for k := range ops {
		ops[k].Glob = globbing(ops[k].Text) // git matches patterns itself
	}
	switch {
	case sub == "ls-files":
	case sub == "status" && given.has("sz short porcelain"):
	case sub == "clean" && given.has("n dry-run"):
	case sub == "check-ignore": // those of the names that it is given which Git ignores
		if given.has("stdin") {
			return in.listing()
		}
		return someOf(ops, span, i)
	case (sub == "diff" || sub == "grep" || sub == "ls-tree" || sub == "show" || sub == "log") && given.has("l name-only files-with-matches"):
		ops = nil // revisions and patterns
	default:
		return Word{}, false
	}
	return named(ops, false, span, i)
}

// listing is the list of names that comes in.
func (in *Input) listing() (Word, bool) {
	if in == nil || !isListing(&in.Text) && in.Text.Kind != Literal {
		return Word{}, false
	}
	return in.Text, true
}

// someOf is the word for some of the names that a program is given.
func someOf(ops []Word, span Span, i int) (Word, bool) {
	if len(ops) == 0 || slices.ContainsFunc(ops, func(w Word) bool { return w.Kind != Literal || w.Glob }) {
		return named(ops, len(ops) > 0, span, i)
	}
	return join(ops, "\n", span), true
}

// matches tells what grep prints, where that is a list of files. deep says that it looks
// into folders without being told.
func matches(args []Word, deep bool, span Span, i int) (Word, bool) {
	ops, given := sorted(args, "")
	list := deep && hasArg(args, "--files") // rg
	if !list && len(ops) > 0 {
		ops = ops[1:] // the pattern
	}
	if !list && !given.has("lL files-with-matches files-without-match") {
		return Word{}, false
	}
	return named(ops, !deep && !given.has("rR recursive"), span, i)
}

// named is the word for the names below one of several operands; plain says that the
// operand itself is printed.
func named(ops []Word, plain bool, span Span, i int) (Word, bool) {
	here := Word{Text: ".", Span: span}
	if len(ops) > 0 {
		here = farthest(ops)
	}
	if here.Kind == Unknown {
		return Word{}, false
	}
	w := here
	if here.Glob && here.Kind == Literal {
		w = matching(&here, i)
	} else if !plain {
		w = below(&here, "", "…", i)
	}
	w.Many = true
	return w, true
}

// upFrom is the word for the folders in which names of a list lie; false where the last part of these names is not told apart from its folder.
func upFrom(w *Word) (Word, bool) {
	n := len(w.Parts)
	if n == 0 || w.Kind != Partial {
		return Word{}, false
	}
	parts := slices.Clone(w.Parts)
	switch last := &parts[n-1]; {
	case !last.Unknown: // …/.git
		if n < 2 || !parts[n-2].Listed || strings.LastIndexByte(last.Text, '/') != 0 {
			return Word{}, false
		}
		parts = parts[:n-1]
	case !last.Listed || strings.LastIndexByte(last.Text, '/') <= 0:
		return Word{}, false
	default: // */.git
		last.Text = last.Text[:strings.LastIndexByte(last.Text, '/')]
	}
	var b wordBuilder
	b.whole(&Word{Parts: parts, Kind: Partial, Glob: w.Glob, Many: w.Many, Quoted: w.Quoted})
	return b.done(w.Span), true
}

// matching is the word for the names that a pattern stands for: known as far as
// the folder.
func matching(pattern *Word, from ...int) Word {
	s := pattern.Text
	cut := strings.LastIndexByte(s[:max(0, strings.IndexAny(s, "*?["))], '/') + 1
	var b wordBuilder
	if b.text(s[:cut]); cut == 0 {
		b.text("./")
	}
	b.part(Part{Text: term.Clip(s[cut:], mostShown), Unknown: true, Listed: true, From: from})
	w := b.done(pattern.Span)
	w.Glob, w.Tilde = true, pattern.Tilde
	return w
}

// isListing reports whether text is the word for a list of names, which stays
// one when lines of it are sorted, dropped or cut off.
func isListing(w *Word) bool {
	return w.Kind == Partial && len(w.Parts) <= 3 && !strings.Contains(w.Prefix(), "\n")
}
