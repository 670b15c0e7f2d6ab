package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// keyByName are the families that a file is in by its name, which a folder of that name is not.
const keyByName = rule.Secret | rule.Key

// oneValue reports a filter that prints files in such folders of which each is one value: "cat secrets/stripe".
func (c *checker) oneValue(k *call) bool {
	n := 0
	for i := range k.effects {
		if e := &k.effects[i]; e.kind&rule.Read != 0 {
			if !c.holdsValue(k, e) {
				return false
			}
			n++
		}
	}
	return n > 0 && c.set.In("text-filters", k.raw)
}

// holdsValue reports a file in such a folder that is one value.
func (c *checker) holdsValue(k *call, e *effect) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	t := c.locate(k, e)
	text, there := c.in.Settings(t.Path)
	return there && c.names(t.Path, false)&keyByName == 0 && len(strings.Fields(text)) == 1
}

// intoLogin reports a file that is one value, and that a program takes as the password with which it logs in: by its input or through a pipe.
func (m *match) intoLogin(e *effect) bool {
	c, to := m.c, m.call
	if !c.holdsValue(to, e) {
		return false
	}
	if pipe := to.cmd.PipeTo; !e.redirect {
		if len(pipe) != 1 || pipe[0] < 0 || pipe[0] >= len(c.calls) || !c.handsOn(to) {
			return false
		}
		to = &c.calls[pipe[0]]
	}
	return to.givenOf(c.set.members("takes-password"))
}

// kept reports the path of a file in a folder for secrets.
func (s *Set) kept(path string) bool {
	for ; s != nil; s = s.More {
		if s.Keys != nil && s.Keys.Kept(path) {
			return true
		}
	}
	return false
}

// noKeyFile reports a path that has the name of a file of keys, and is none: a folder is there, such as the package identity, or the name is an
// everyday word, nothing is there, and the call makes no file of it: nx test identity.
func (c *checker) noKeyFile(k *call, e *effect, abs string) bool {
	if !e.known || e.glob || k.away() || !c.spend(costSettings) {
		return false
	}
	return c.isFolder(abs) || e.kind&(rule.Write|rule.Append) == 0 && c.wordAlone(k, abs)
}

// wordAlone reports an everyday word that is the name of a file of keys, too, where no such file is or can have been made.
func (c *checker) wordAlone(k *call, abs string) bool {
	return c.set.In("everyday-words-of-keys", strings.ToLower(path.Base(abs))) && c.notMade(k, abs)
}

// isFolder reports a folder that is there for sure, and not where answers are guesses.
func (c *checker) isFolder(abs string) bool {
	return c.in.Exists != nil && c.in.Regular != nil && c.in.Exists(abs) && !c.in.Regular(abs) && c.in.Exists(abs+"/.") && !c.in.Looks.Over()
}

// keyOperand reports a word of Git's that is the name of a file of keys: of one that is there, or that a commit may have.
func (c *checker) keyOperand(k *call, word string) bool {
	if c.names(word, false)&keyByName == 0 {
		return false
	}
	abs, ok := c.absolute(k, word)
	return !ok || k.away() || !c.spend(costSettings) || !c.isFolder(abs) && !c.wordAlone(k, abs)
}

// keyObject reports a path in a commit that is that of a file of keys; what is a folder now was one.
func (c *checker) keyObject(k *call, p string) bool {
	if c.names(p, false)&keyByName == 0 {
		return false
	}
	abs, ok := c.absolute(k, p)
	return !ok || k.away() || !c.spend(costSettings) || !c.isFolder(abs)
}
