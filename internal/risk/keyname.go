package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// keyByName are the families that a file is in by its name, which a folder of that name is not.
const keyByName = rule.Secret | rule.Key

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
