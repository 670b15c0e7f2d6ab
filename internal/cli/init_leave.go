package cli

import (
	"fmt"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// uninstall takes moai out of every file that makes the client call it here, or out of the one that was named. It says first
// which those are: one of them may hold for all projects.
func (e *env) uninstall(o *initFlags) error {
	scope, given, err := o.scope()
	if err != nil {
		return err
	}
	if err := e.person("take moai out"); err != nil && !o.dryRun {
		return err
	}
	r := &initResult{}
	var steps []*step
	var broken error
	for _, p := range e.settingsFiles(e.projectRoot()) {
		if given && p.scope != scope {
			if p.counts() {
				r.note("moai stays registered in %s", p.path)
			}
			continue
		}
		if p.err != nil {
			if broken == nil {
				broken = hint(nof("%s: %w", p.path, p.err), "moai doctor")
			}
			continue
		}
		s, err := e.goesOut(p, o)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		if p.scope == settings.Shared && s.changed && !o.statusline {
			if repository, rel, err := keptOut(p.path); err == nil && repository != nil {
				if tracked, err := repository.Tracked(rel); err == nil && tracked {
					r.note("%s is tracked by Git: commit it, and moai is out for everybody", p.path)
				}
			}
		}
		steps = append(steps, s)
	}
	if c := e.cfg(e.projectRoot()); len(steps) > 0 && !o.statusline && c.String(onFailureKey) == "closed" && c.Where(onFailureKey) != "" {
		r.note("%s = closed stays in %s and counts for the next moai init; to undo it: moai config set %s open --user", onFailureKey, c.Where(onFailureKey), onFailureKey)
	}
	// A file that cannot be read does not hold up the others; it has the last word.
	if broken == nil || len(steps) > 0 {
		if err := e.carryOut(r, steps, o, o.leaving()); err != nil {
			return err
		}
	}
	if r.Written && !e.json && !o.statusline {
		e.offerDrop()
	}
	return broken
}

// goesOut plans what goes out of a file, nil for nothing: all of moai, or the status line alone.
func (e *env) goesOut(p *place, o *initFlags) (*step, error) {
	switch {
	case !p.ownLine() && (o.statusline || len(p.entries) == 0):
		return nil, nil
	case o.statusline && len(p.entries) > 0:
		return e.leaveLine(p)
	}
	return e.leave(p)
}

// leaving asks whether it shall go.
func (f *initFlags) leaving() string {
	if f.statusline {
		return "take the status line out?"
	}
	return "take moai out?"
}

// offerDrop asks whether the checkpoints of this repository go, too. The yes to everything is no yes to
// this: it would take the only copies of somebody's work.
func (e *env) offerDrop() {
	r, err := repo.Open(e.dir)
	if err != nil || r.Bare() {
		return
	}
	list, err := checkpoint.List(r)
	if err != nil || len(list) == 0 {
		return
	}
	count := term.Count(len(list), "checkpoint")
	if e.yes || !term.IsTerminal(e.in) {
		fmt.Fprintf(e.err, "moai: kept: %s of this repository; to delete: moai checkpoint drop --all\n", count)
		return
	}
	if !e.confirm("Delete the " + count + " of this repository, too? Nothing brings them back") {
		fmt.Fprintln(e.err, "moai: they stay; to delete them later: moai checkpoint drop --all")
		return
	}
	res, err := checkpoint.Prune(r, checkpoint.PruneOptions{All: true, VaultDir: e.vaultDir()})
	if err == nil {
		err = e.removed(res, false)
	}
	if err != nil {
		fmt.Fprintf(e.err, "moai: warning: not all checkpoints were deleted: %s\n", term.Text(oneLine(err.Error())))
	}
}
