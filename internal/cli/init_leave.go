package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// uninstall takes moai out of every file that makes the client call it here, or out of the one that was named. It says first
// which those are: one of them may hold for all projects.
func (e *env) uninstall(o *initFlags) error {
	_, given, err := o.scope()
	if err != nil {
		return err
	}
	if err := e.person("take moai out"); err != nil && !o.dryRun {
		return err
	}
	r := &initResult{}
	steps, broken, err := e.planLeave(r, o)
	if err != nil {
		return err
	}
	if !given && len(steps) > 1 && e.asks(o) {
		if steps, err = e.askWhich(steps, r); err != nil {
			return err
		}
	}
	for _, s := range slices.Clone(steps) {
		if s.place != nil && s.place.scope != settings.Shared && !o.statusline {
			steps = slices.Concat(e.verifiersOut(s.place), steps)
		}
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
		for _, k := range e.stays() {
			fmt.Fprintf(e.err, "moai: kept: %s; to delete: %s\n", k.What, k.Delete)
		}
	}
	return broken
}

// planLeave plans what goes out of every file, or out of the one that was named. Broken is what is wrong with one that cannot be read.
func (e *env) planLeave(r *initResult, o *initFlags) (steps []*step, broken, err error) {
	scope, given, _ := o.scope()
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
			return nil, nil, err
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
	return steps, broken, nil
}

// askWhich lets a person choose where moai goes out, since one of the files may hold for all projects.
func (e *env) askWhich(steps []*step, r *initResult) ([]*step, error) {
	fmt.Fprintln(e.err, "moai is registered in several files. Which one shall it leave?")
	all := len(steps) + 1
	answers := map[string]int{fmt.Sprint(all): all, "all": all}
	for i, s := range steps {
		fmt.Fprintf(e.err, "  %d  %s\n     %s\n", i+1, s.place.text(), term.Name(s.place.path))
		answers[fmt.Sprint(i+1)], answers[s.place.scope.String()] = i+1, i+1
	}
	fmt.Fprintf(e.err, "  %d  all of them\n", all)
	n, err := choose(e, fmt.Sprintf("[1-%d, q to quit] ", all), answers)
	if err != nil || n == all {
		return steps, err
	}
	for i, s := range steps {
		if i != n-1 {
			r.note("moai stays registered in %s", s.place.path)
		}
	}
	return steps[n-1 : n], nil
}

// kept is something of moai's that stays when it is taken out, and what deletes it.
type kept struct {
	What   string `json:"what"`
	Delete string `json:"delete"`
}

// stays lists what is left of moai when nothing calls it here any more.
func (e *env) stays() (list []kept) {
	root := e.projectRoot()
	if e.callsIn(root) {
		return nil
	}
	add := func(remove, format string, a ...any) { list = append(list, kept{fmt.Sprintf(format, a...), remove}) }
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return path != "" && err == nil
	}
	if r, err := repo.Open(e.dir); err == nil && !r.Bare() {
		if saved, err := checkpoint.List(r); err == nil && len(saved) > 0 {
			add("moai checkpoint drop --all", "%s of this repository", term.Count(len(saved), "checkpoint"))
		}
	}
	local := settings.Local.Path("", root)
	if r, rel, err := keptOut(local); err == nil && r != nil && r.Excludes(rel) {
		add(editing(r.ExcludeFile()), "the line in %s that keeps %s out of Git", term.Name(r.ExcludeFile()), term.Name(rel))
	}
	if log := filepath.Join(root, filepath.FromSlash(checkpoint.LogName)); there(log) {
		add("rm "+argv.Quote(log), "%s, the history of checkpoints", term.Name(log))
	}
	for _, client := range slices.Compact([]string{filepath.Join(root, ".claude"), e.clientDir()}) {
		for i := range agents.Verifiers {
			if file := filepath.Join(client, "agents", agents.Verifiers[i].ID+".md"); client != "" && there(file) {
				add("rm "+argv.Quote(file), "the agent %s, which holds up turns with changes that it has not looked at as soon as moai is registered again", agents.Verifiers[i].ID)
			}
		}
	}
	if dir := e.stateDir(); there(dir) {
		add("rm -r "+argv.Quote(dir), "what moai remembers of all projects (journal, sessions, copies of ignored files) in %s", term.Name(dir))
	}
	if dir := e.configDir(); there(dir) {
		add("rm -r "+argv.Quote(dir), "your own settings, rules and exceptions in %s", term.Name(dir))
	}
	return list
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
	if e.yes || !term.IsTerminal(e.in) || !e.confirm("Delete the "+count+" of this repository, too? Nothing brings them back") {
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
