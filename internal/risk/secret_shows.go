package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// Showing is what one program of a line may print of the content of files: of those among its words, absolute, as far as they are files or
// folders. Without any it may print all there is.
type Showing struct{ Words []string }

// Shows lists what a line may print of files. What prints names alone, and what only passes on what another program gives it, is left out. No verdict
// rests on it; it takes a quarter of what judging the line may.
func (s *Set) Shows(line, dir, home string) (list []Showing) {
	c := s.quickly(line, dir, home)
	if len(c.res.Incomplete) > 0 || len(c.calls) == 0 {
		return []Showing{{}}
	}
	fates := shell.Fates(line, false, c.res.Commands, s.Shells)
	for i := range c.calls {
		k := &c.calls[i]
		if len(k.cmd.Args) == 0 || fates[i].Never || s.In("shows-no-content", k.raw) || k.isWith(s, "shows-no-content-by-words") || k.outputDropped(s) {
			continue
		}
		words, known := k.operandsAt(dir, k.subcommand(s))
		switch {
		case !known || k.cmd.Remote || !k.onlyReads(s):
			return []Showing{{}}
		case len(words) > 0 || len(k.cmd.PipeFrom) == 0:
			list = append(list, Showing{words})
		}
	}
	return list
}

// outputDropped reports a call whose output goes to a device that keeps none.
func (k *call) outputDropped(s *Set) bool {
	return slices.ContainsFunc(k.cmd.Redirects, func(r shell.Redirect) bool {
		to, known := r.Target.Known()
		return strings.Contains(r.Op, ">") && r.Fd != 2 && known && strings.HasPrefix(to, "/dev/") && s.In("devices-without-data", path.Base(to))
	})
}

// subcommand is how many of the operands of what changes no file are its subcommand.
func (k *call) subcommand(s *Set) (words int) {
	for row := range s.words("changes-no-file-by-words") {
		if program, sub, _ := strings.Cut(row, " "); program == k.raw && k.sub(sub, &words) {
			return words
		}
	}
	return 0
}

// operandsAt are the operands of a call behind its subcommand as paths, and what it is given to read. It is not known where the shell alone will
// know one.
func (k *call) operandsAt(dir string, sub int) (list []string, known bool) {
	at, known := k.cmd.Dir.Known()
	if at == "" {
		at = dir
	}
	add := func(w *shell.Word) {
		text, is := w.Known()
		if known = known && is && !w.Glob; !path.IsAbs(text) {
			text = path.Join(at, text)
		}
		list = append(list, text)
	}
	for _, n := range k.operands[sub:] {
		add(&k.cmd.Args[n])
	}
	for i := range k.cmd.Redirects {
		if r := &k.cmd.Redirects[i]; r.Op == "<" {
			add(&r.Target)
		}
	}
	return slices.Compact(list), known
}
