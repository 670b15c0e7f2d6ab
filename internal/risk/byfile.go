package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A makefile, a manifest, an archive of Java: files that are no scripts, and that say what a program does all the same. Which ones these
// are for which program is a group of words: the program, its subcommand, and last the file.

// goesByDownloaded reports a program that goes by a file which the line has fetched, or by what a download prints.
func (m *match) goesByDownloaded() bool {
	c, k := m.c, m.call
	if c.fetches == 0 && c.spend(1+len(c.calls)/costCalls) {
		c.fetches = -1
		for i := range c.calls {
			if c.downloads(&c.calls[i]) {
				c.fetches = 1
			}
		}
	}
	if c.fetches != 1 || !c.spend(1) {
		return false
	}
	for words := range c.set.words("programs-by-files") {
		name, rest, _ := strings.Cut(words, " ")
		if name != k.name && name != k.raw {
			continue
		}
		sub, file := "", rest
		if at := strings.LastIndexByte(rest, ' '); at >= 0 {
			sub, file = rest[:at], rest[at+1:]
		}
		if k.sub(sub, nil) && m.goesBy(file) {
			return true
		}
	}
	return false
}

// goesBy is goesByDownloaded for one way to name a file: an option that takes it (-f), an operand by its end (*.jar), the name that a program looks for by
// itself (Makefile), or what it reads (<), where it has no more operands than the number behind that says.
func (m *match) goesBy(file string) bool {
	c, k := m.c, m.call
	switch file[0] {
	case '<':
		most := file[1:]
		if most != "" && len(k.operands) > int(most[0]-'0') || k.prog != nil && k.givenOf(k.prog.Text) {
			return false // statements of the line have it read data
		}
		in := k.cmd.Stdin
		return c.upstream(k, make([]bool, len(c.calls)), c.downloads) || in != nil && in.Op == "<" && m.fetched(&in.File, in.File.Text)
	case '-':
		for i := 1; i < len(k.cmd.Args); i++ {
			w := &k.cmd.Args[i]
			value, ok := strings.CutPrefix(w.Text, file)
			switch {
			case !ok:
				continue
			case value == "" && i+1 < len(k.cmd.Args):
				w = &k.cmd.Args[i+1]
				value = w.Text
			case strings.HasPrefix(value, "="):
				value = value[1:]
			case len(file) > 2:
				continue // another option, which begins so
			}
			if m.fetched(w, value) {
				return true
			}
		}
		return false
	case '*':
		return slices.ContainsFunc(k.operands, func(i int) bool {
			w := &k.cmd.Args[i]
			return len(w.From()) > 0 && m.fetched(w, w.Text) || globFold(file, w.Text) && m.fetched(w, w.Text)
		})
	}
	dir, ok := c.absolute(k, path.Join(k.folder(), "."))
	return ok && c.wrote(k, func(p string) bool { return path.Dir(p) == dir && glob(file, path.Base(p)) }, c.downloads)
}

// fetched reports a word that names a file which the line has fetched, or stands for what a download prints.
func (m *match) fetched(w *shell.Word, name string) bool {
	c, k := m.c, m.call
	if name == "-" || name == "/dev/stdin" {
		return c.upstream(k, make([]bool, len(c.calls)), c.downloads)
	}
	if c.wordFrom(w, c.downloads) {
		return true
	}
	file, ok := c.absolute(k, name)
	return ok && c.wrote(k, func(p string) bool { return p == file }, c.downloads)
}

// wrote reports that a call before k wrote a file of such a place with the output of a program that is as asked.
func (c *checker) wrote(k *call, at func(p string) bool, is func(*call) bool) bool {
	if !c.spend(k.index / costCalls) {
		return false
	}
	for j := range c.calls[:k.index] {
		p := &c.calls[j]
		for n := range p.effects {
			if w := &p.effects[n]; w.kind&(rule.Write|rule.Append) == 0 || !at(c.locate(p, w).Path) {
				continue
			}
			if is(p) || c.upstream(p, make([]bool, len(c.calls)), is) {
				return true
			}
		}
	}
	return false
}
