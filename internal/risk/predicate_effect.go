package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// aboutEffect reports predicates that are about one effect of a call, not the call.
func aboutEffect(name string) bool {
	switch name {
	case "by-redirect", "made-again", "holds-something", "own-write", "users-work", "derived-name", "glob-target", "listed-target", "found-target", "from-root", "to-socket", "whole-temp", "maybe-root", "own-binary", "own-folder", "holds-guard", "registers-guard", "drops-guard", "tracked-work", "unsaved", "unsaved-work", "maybe-unsaved", "handed-on", "saved-file", "nothing-there", "may-take-git", "replaces-file", "stale-lock", "operation-state", "tree-over-guard", "tree-over-settings", "picks-guard":
		return true
	}
	return false
}

// fitsEffect evaluates the predicates that are about one effect.
func (m *match) fitsEffect(e *effect) bool {
	for _, name := range m.rule.When.Is {
		if aboutEffect(name) && !m.effectIs(name, e) {
			return false
		}
	}
	for _, name := range m.rule.When.Not {
		if aboutEffect(name) && m.effectIs(name, e) {
			return false
		}
	}
	return true
}

func (m *match) effectIs(name string, e *effect) bool {
	switch name {
	case "by-redirect":
		return e.redirect
	case "own-write":
		return m.ownWrite(e)
	case "users-work": // the cheap question first
		return !m.ownWrite(e) && m.unsaved(e)
	case "holds-something":
		return m.holdsSomething(e)
	case "made-again":
		return m.madeAgain(e)
	case "glob-target":
		return e.glob
	case "listed-target":
		return e.word.Many
	case "found-target":
		// A name that a listing printed or a file holds, whoever hands it on.
		return e.word.Listed() || reachedThrough(m.call, "find", "fd")
	case "whole-temp":
		if !e.known {
			return false // "$(mktemp -d)": something in it
		}
		return isWholeTemp(m.c.locate(m.call, e).Path)
	case "to-socket":
		host, ok := socketHost(e.text)
		return e.redirect && ok && !isLocal(host)
	case "from-root":
		return !e.known && e.word.Prefix() == "/"
	case "maybe-root":
		return maybeRoot(e)
	case "own-binary":
		t := m.c.locate(m.call, e)
		return m.ownBinary(t) || m.foundOwn(e.word)
	case "own-folder":
		return m.inOwnFolder(m.c.locate(m.call, e))
	case "holds-guard":
		return m.holdsGuard(e)
	case "registers-guard":
		return m.registers(m.c.locate(m.call, e))
	case "drops-guard":
		return m.registers(m.c.locate(m.call, e)) && m.dropsRegistration(e)
	case "tree-over-guard":
		return m.unpacksOver(e, false)
	case "tree-over-settings":
		return m.unpacksOver(e, true)
	case "picks-guard":
		return m.picksGuard(e)
	case "unsaved":
		return m.unsaved(e)
	case "derived-name":
		return derivedName(e)
	case "tracked-work":
		return m.trackedWork(e)
	case "unsaved-work":
		return m.unsavedWork(e)
	case "maybe-unsaved":
		return m.maybeUnsaved(e)
	case "handed-on":
		return handedOn(e)
	case "saved-file":
		return m.savedFile(e)
	case "replaces-file":
		return m.replacesFile(e)
	case "may-take-git":
		return m.takesGit(e) != never
	case "nothing-there":
		return m.nothingThere(e)
	case "operation-state":
		// By its own name: a way through it leads elsewhere in the repository.
		return m.c.locate(m.call, e).Names&rule.Underway != 0 && e.known && !e.glob && !strings.Contains(e.text, "..")
	case "stale-lock":
		// What Git itself tells people to remove after a crash. It names nothing so that
		// is of value: no reference may end in ".lock" (git check-ref-format).
		return strings.HasSuffix(m.c.locate(m.call, e).Path, ".lock") && e.known && !e.glob
	}
	return false
}

// derivedName reports a name that is made of a found one by something behind it: "$f.gz"
// is another file than $f.
func derivedName(e *effect) bool {
	n := len(e.word.Parts)
	if n < 2 || e.text != e.word.Text {
		return false
	}
	end := &e.word.Parts[n-1]
	return e.word.Parts[n-2].Unknown && !end.Unknown && end.Text != "" && !strings.Contains(end.Text, "/")
}

// maybeRoot reports a path that is / or all of / when its unknown part turns
// out empty: "$DIR/*", "/$NAME".
func maybeRoot(e *effect) bool {
	if e.known || e.word == nil || e.text != e.word.Text {
		return false
	}
	var known strings.Builder
	for i := range e.word.Parts {
		if p := &e.word.Parts[i]; !p.Unknown {
			known.WriteString(p.Text)
		}
	}
	text := known.String()
	return strings.HasPrefix(text, "/") && strings.Trim(text, "/*.") == ""
}
