package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// deeds are what became of files, by the word for it, in the order in which the words came.
type deeds []deed

type deed struct {
	does  string
	paths []string
}

func (d *deeds) add(does string, paths ...string) {
	i := slices.IndexFunc(*d, func(one deed) bool { return one.does == does })
	if i < 0 {
		i, *d = len(*d), append(*d, deed{does: does})
	}
	(*d)[i].paths = append((*d)[i].paths, paths...)
}

// text says each word once, with as many names as a model needs; "" for no files.
func (d deeds) text() string {
	var parts []string
	room := shownUndone
	for _, one := range d {
		names := make([]string, 0, len(one.paths))
		for _, p := range one.paths[:min(len(one.paths), room)] {
			names = append(names, term.Name(p))
		}
		if more := len(one.paths) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		if room -= min(len(one.paths), room); len(one.paths) > 0 {
			parts = append(parts, one.does+" "+strings.Join(names, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "\nIt " + strings.Join(parts, "; ") + "."
}

// tellRestored leaves word of a restore for the models that work here, but for the one that ran it.
func (e *env) tellRestored(r *repo.Repo, c *checkpoint.Checkpoint, res *checkpoint.RestoreResult) {
	var did deeds
	did.add(undo.Writes, res.Written...)
	did.add(undo.Deletes, res.Deleted...)
	did.add(undo.Returns, res.Vault...)
	files := did.text()
	if files == "" {
		return
	}
	own := ""
	if e.byAgent() {
		own = e.currentID()
	}
	text := fmt.Sprintf("moai: files were restored from the snapshot %s. Read them again before you go on from what you remember.%s", c.Name, files)
	about := strings.Join(slices.Concat([]string{"restore"}, res.Written, res.Deleted, res.Vault), "\x00")
	for _, s := range e.sessionsIn(e.current()) {
		if s.ID == own {
			continue
		}
		if err := undo.Note(e.stateDir(), s.ID, about, text); err != nil {
			fmt.Fprintf(e.err, "moai: warning: the agent is not told: %s\n", oneLine(err.Error()))
		}
	}
}
