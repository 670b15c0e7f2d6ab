package checkpoint

import (
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// A Way is the command that restores a checkpoint, as it is printed for somebody who follows it. Every one of them is made here, so that
// none lacks an option that another has.
type Way struct {
	ID                          string // as Brief or Short say it
	Missing, Vault, Refs, Index bool
	BeforeGit                   bool     // of the time before git init
	Paths                       []string // as they are named from where the person stands
}

// restoreWords begin the command; a checkpoint's name follows.
const restoreWords = "moai checkpoint restore "

// String is the line for a shell.
func (w Way) String() string {
	line := restoreWords + argv.Quote(w.ID)
	for _, o := range [...]struct {
		is   bool
		name string
	}{{w.Missing, "--missing"}, {w.Refs, "--refs"}, {w.Index, "--index"}, {w.Vault, "--vault"}, {w.BeforeGit, "--before-git"}} {
		if o.is {
			line += " " + o.name
		}
	}
	for _, p := range w.Paths {
		if strings.HasPrefix(p, "-") {
			p = "./" + p
		}
		line += " " + argv.Quote(p)
	}
	return line
}

// In is the line for a shell anywhere, or in a folder from which dir is named so.
func (w Way) In(dir string) string {
	return "(cd " + argv.Quote(filepath.ToSlash(dir)) + " && " + w.String() + ")"
}
