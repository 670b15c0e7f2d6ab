package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// Commit is a `git commit` on a line, with what it takes of the files by its own words and by those of `git add` before it.
type Commit struct {
	Dir     string   // where it runs, absolute
	All     bool     // tracked files that were changed
	Every   bool     // untracked ones, too
	Paths   []string // these, absolute
	Tracked []string // these, as far as they are tracked
	Only    bool     // nothing that is staged elsewhere
	// Sure says that the words tell all of it: nothing before it on the line changes files, and no file is picked by hand.
	Sure bool
	// After says that it runs only if all that stands before it on the line ended well.
	After bool
}

// commits lists the commits of the line. What happens on other machines and what only says what it would do is none.
func (c *checker) commits() (list []Commit) {
	for i := range c.calls {
		k := &c.calls[i]
		if len(k.operands) == 0 || !k.isOf(c.set, "commits-by-words") || k.away() || k.harmless(c.set) || k.dry(c.set) {
			continue
		}
		dir, known := k.cmd.Dir.Known()
		if dir == "" {
			dir = c.in.Dir
		}
		if !known || dir == "" {
			continue // a place that only the shell will know
		}
		one := Commit{Dir: dir, Sure: len(c.res.Incomplete) == 0, After: !strings.ContainsAny(strings.ReplaceAll(c.in.Command, "&&", ""), "|;&\n")}
		for j := range i {
			c.before(&c.calls[j], &one)
		}
		c.takes(k, &one)
		list = append(list, one)
	}
	return list
}

// before takes over what a call before a commit does to what it will hold.
func (c *checker) before(k *call, to *Commit) {
	switch {
	case k.isOf(c.set, "stages-by-words"):
		if dir, _ := k.cmd.Dir.Known(); dir != "" && dir != to.Dir && c.repository(dir) != c.repository(to.Dir) {
			return // another repository
		}
		paths, all := c.pathsOf(k), k.given([]string{"-A"}) || k.given([]string{"--all"})
		tracked := k.given([]string{"-u"}) || k.given([]string{"--update"})
		switch {
		case k.byHand() || k.given([]string{"-e"}) || paths == nil && !all && !tracked, k.given([]string{"-f"}), k.given([]string{"--force"}), k.given([]string{"-N"}):
			to.Sure = false
		case len(paths) > 0 && tracked:
			to.Tracked = append(to.Tracked, paths...)
		case len(paths) > 0:
			to.Paths = append(to.Paths, paths...)
		case tracked:
			to.All = true
		default:
			to.Every = true
		}
	case !k.onlyReads(c.set) && !k.makesBranch(c.set):
		to.Sure = false
	}
}

// makesBranch reports a call that makes a branch where HEAD is, and changes no file.
func (k *call) makesBranch(s *Set) bool {
	args := k.cmd.Args
	if len(args) < 3 || args[len(args)-1].Kind != shell.Literal || strings.HasPrefix(args[len(args)-1].Text, "-") {
		return false
	}
	words := make([]string, len(args)-1)
	for i := range words {
		words[i] = args[i].Text
	}
	return s.In("makes-branch-by-words", strings.Join(words, " "))
}

// takes takes over what a commit says itself.
func (c *checker) takes(k *call, to *Commit) {
	if k.byHand() || k.given([]string{"--pathspec-from-file"}) {
		to.Sure = false
	}
	to.All = to.All || k.given([]string{"-a"}) || k.given([]string{"--all"})
	if len(k.operands) < 2 {
		return
	}
	paths := c.pathsOf(k)
	if paths == nil {
		to.Sure = false
	}
	to.Tracked = append(to.Tracked, paths...)
	to.Only = !k.given([]string{"-i"}) && !k.given([]string{"--include"})
}

// byHand reports that parts of files are picked one by one.
func (k *call) byHand() bool {
	return k.given([]string{"-p"}) || k.given([]string{"--patch"}) || k.given([]string{"--interactive"})
}

// pathsOf are the paths behind a subcommand, absolute; nil where there are none, or patterns that Git or the shell will match.
func (c *checker) pathsOf(k *call) (paths []string) {
	for _, i := range k.operands[min(1, len(k.operands)):] {
		w := &k.cmd.Args[i]
		abs, ok := c.absolute(k, w.Text)
		if !ok || w.Kind != shell.Literal || w.Glob || strings.ContainsAny(w.Text, "*?[:") {
			return nil
		}
		paths = append(paths, abs)
	}
	return paths
}
