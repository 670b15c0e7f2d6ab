package risk

import (
	"strconv"
	"strings"
)

// Names of commits that count from HEAD mean other ones behind a commit of the same line: HEAD~1 is then what HEAD is now.

// since is how far HEAD has come on the line before a call.
type since struct {
	commits  int  // that the line puts on top
	replaced bool // the topmost of before is another one: --amend
	left     bool // the line has gone to a branch of its own
	behind   int  // commits when it did
}

// sinceStart is what the calls before k make of HEAD in the repository around dir.
func (c *checker) sinceStart(k *call, dir string) (s since) {
	for i := range c.calls[:k.index] {
		p := &c.calls[i]
		if p.name != k.name || p.away() || p.dry(c.set) || !c.spend(1) {
			continue
		}
		if at, ok := c.absolute(p, p.folder()); !ok || c.repository(at) != c.repository(dir) {
			continue
		}
		_, moves := p.anySub(c.set.members("moves-head"))
		switch {
		case p.sub("commit", nil) && p.given([]string{"--amend"}):
			s.replaced = s.replaced || s.commits == 0
		case p.sub("commit", nil):
			s.commits++
		case moves || p.dashdash < 0 && (p.sub("checkout", nil) || p.sub("switch", nil)):
			s.moved(&match{c: c, call: p})
		}
	}
	return s
}

// moved takes over where a call puts HEAD: to a branch that it makes there, or back.
func (s *since) moved(m *match) {
	k := m.call
	if k.givenOf(m.c.set.members("options-making-branch")) {
		s.left, s.behind = true, s.commits
	}
	for _, revision := range m.revisions() {
		if !strings.HasPrefix(revision, "HEAD") && !strings.HasPrefix(revision, "@") {
			continue
		}
		if steps, ok := stepsBack(revision); ok && steps > 0 {
			s.commits, s.replaced = max(0, s.commits-steps), false
		}
	}
}

// stepsBack is how many commits a name counts back from HEAD; ok is false for another name.
func stepsBack(revision string) (steps int, ok bool) {
	rest, head := strings.CutPrefix(revision, "HEAD")
	if !head {
		if rest, head = strings.CutPrefix(revision, "@"); !head {
			return 0, false
		}
	}
	for rest != "" {
		n, digits := 1, 0
		switch {
		case strings.HasPrefix(rest, "@{") && strings.HasSuffix(rest, "}"):
			n, err := strconv.Atoi(rest[2 : len(rest)-1])
			return steps + n, err == nil && n >= 0
		case rest[0] != '~' && rest[0] != '^':
			return 0, false
		}
		for digits < min(len(rest)-1, 4) && rest[digits+1] >= '0' && rest[digits+1] <= '9' {
			digits++
		}
		if digits > 0 && rest[0] == '~' {
			n, _ = strconv.Atoi(rest[1 : digits+1])
		}
		steps, rest = steps+n, rest[digits+1:]
	}
	return steps, true
}

// asNow is the name that a commit has before the line; made tells one that the line makes.
func (s *since) asNow(revision string) (name string, made bool) {
	if (revision == "-" || revision == "@{-1}") && s.left {
		return "HEAD", s.behind > 0
	}
	steps, ok := stepsBack(revision)
	switch {
	case !ok || s.commits == 0 && !s.replaced:
		return revision, false
	case steps < s.commits || steps == 0:
		return "HEAD", true
	case s.commits == 0:
		return revision, false
	}
	return "HEAD~" + strconv.Itoa(steps-s.commits), false
}

// settingsAt is what a file of settings is in a commit, when a call comes that names it.
func (c *checker) settingsAt(k *call, dir, revision, file string) (text string, known bool) {
	start := c.sinceStart(k, dir)
	name, made := start.asNow(revision)
	if made {
		if _, stored := c.addedBefore(k, file); stored {
			text, _ = c.in.Settings(file)
			return text, true
		}
	}
	return c.in.SettingsAt(dir, name, file)
}
