package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// ontoOne reports a source of a move that runs once for each of several files, where all of them get one name which is no
// folder: each takes the place of the one before, and only the last is left.
func (m *match) ontoOne(e *effect) bool {
	c, k := m.c, m.call
	_, dir, to := k.destination()
	if e.known || dir == nil || dir == e.word || dir.Kind != shell.Literal || dir.Glob || to != dir.Text || strings.HasSuffix(to, "/") {
		return false // a folder is named, or moves that differ
	}
	if e.word.Fresh() || k.away() || !repeated(k, e) {
		return false
	}
	abs, ok := c.absolute(k, to)
	if !ok || c.in.Exists != nil && c.in.Regular != nil && c.in.Exists(abs) && !c.in.Regular(abs) {
		return false
	}
	return !c.madeBefore(k, abs)
}

// repeated reports a call that runs for each name of a list or a search, or in a loop.
func repeated(k *call, e *effect) bool {
	return reachedThrough(k, "for", "while", "until", "find", "fd") ||
		fedByList(k) && (handedOn(e) || strings.Contains(e.text, "$")) // "xargs -I{} mv {} x" alone: nobody feeds it
}

// madeBefore reports a folder that an earlier call of the line makes, or one below it.
func (c *checker) madeBefore(k *call, dir string) bool {
	for i := range c.calls[:k.index] {
		one := &c.calls[i]
		if !c.makesFolder(one) {
			continue
		}
		for _, at := range one.operands {
			w := &one.cmd.Args[at]
			if abs, ok := c.absolute(one, w.Text); ok && w.Kind == shell.Literal && lies(abs, dir) {
				return true
			}
		}
	}
	return false
}

// makesFolder reports a program that makes the folders which its operands name.
func (c *checker) makesFolder(k *call) bool { return c.isOneOf("makes-folder", k) }

// isOneOf reports a call of one of the programs that a group names, each with its subcommand or an option.
func (c *checker) isOneOf(group string, k *call) bool {
	for words := range c.set.words(group) {
		name, rest, _ := strings.Cut(words, " ")
		switch {
		case k.raw != name:
		case rest == "", strings.HasPrefix(rest, "-") && k.given([]string{rest}), k.sub(rest, nil):
			return true
		}
	}
	return false
}

// namesWhatGoes reports a call of Git's that says by its operands which files it is about.
func (s *Set) namesWhatGoes(k *call) bool {
	for words := range s.words("names-what-goes") {
		if name, sub, _ := strings.Cut(words, " "); k.name == name && k.sub(sub, nil) {
			return true
		}
	}
	return false
}
