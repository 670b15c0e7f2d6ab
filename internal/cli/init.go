package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// scope says which of the client's settings files a verb is about.
type scope struct{ user, local bool }

// file is the settings file of the scope, and the folder that it must not
// leave over a symbolic link ("" for the user's own file, where dotfiles are
// often links).
func (s scope) file(e *env) (path, root string, err error) {
	if s.user && s.local {
		return "", "", usagef("--user and --local exclude each other")
	}
	if s.user {
		dir := e.getenv("CLAUDE_CONFIG_DIR")
		if dir == "" {
			home := state.Home(e.getenv)
			if home == "" {
				return "", "", hint(errors.New("there is no home folder, so no settings of the user"), "moai init")
			}
			dir = filepath.Join(home, ".claude")
		}
		return filepath.Join(dir, "settings.json"), "", nil
	}
	root = e.projectRoot()
	name := "settings.json"
	if s.local {
		name = "settings.local.json"
	}
	return filepath.Join(root, ".claude", name), root, nil
}

// initResult is what moai init --json prints.
type initResult struct {
	File    string   `json:"file"`
	Target  string   `json:"target,omitempty"` // when File is a link
	Program string   `json:"program,omitempty"`
	Events  []string `json:"events,omitempty"`
	Changed bool     `json:"changed"`
	Written bool     `json:"written"`
	Created bool     `json:"created,omitempty"`
	Removed bool     `json:"removed,omitempty"`
	Exact   bool     `json:"exact,omitempty"` // uninstalled to the very bytes of before
	Saved   string   `json:"saved,omitempty"`
	Diff    string   `json:"diff,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// initFlags are the options of moai init.
type initFlags struct {
	scope
	dryRun, uninstall, diff bool
	called                  string // by which command line, when not by moai init
}

// again is the command line with --yes added, for the hint to somebody who could not
// be asked.
func (f *initFlags) again() string {
	line := f.called
	if line == "" {
		line = "moai init"
	}
	for _, o := range [...]struct {
		on   bool
		name string
	}{{f.uninstall, " --uninstall"}, {f.user, " --user"}, {f.local, " --local"}, {true, " --yes"}} {
		if o.on {
			line += o.name
		}
	}
	return line
}

// newInit registers the absolute path of this very binary: the client's PATH is that of a login shell, or of a desktop,
// and a guard that is not found is a guard that is silently off.
func newInit(e *env) *cobra.Command {
	var o initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Register moai's hooks with the agent client",
		Long: `init writes moai's hooks into the project's .claude/settings.json, with the
absolute path of this binary. It shows the difference first and asks; without a
terminal it writes only with --yes. It keeps every other byte of the file, and a
copy of the old file with your state.

That file is often committed, and the path is this machine's: --local writes
.claude/settings.local.json instead, --user your own settings for all projects.`,
		Example: "  moai init --dry-run\n  moai init --uninstall",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path, root, err := o.file(e)
			if err != nil {
				return err
			}
			// root bounds where a link may lead: a cloned repository must not make moai write outside of it.
			f, err := settings.Open(path, root)
			if errors.Is(err, settings.ErrOutside) {
				return hint(err, "moai init --user")
			} else if err != nil {
				return err
			}
			if o.uninstall {
				return e.uninstall(f, &o)
			}
			return e.install(f, &o)
		},
	}
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the difference and write nothing")
	c.Flags().BoolVar(&o.uninstall, "uninstall", false, "take moai out again; an unchanged file comes back byte for byte")
	c.Flags().BoolVar(&o.diff, "diff", false, "show the difference of an --uninstall, too")
	c.Flags().BoolVar(&o.user, "user", false, "your own settings, for all projects")
	c.Flags().BoolVar(&o.local, "local", false, "the project's settings.local.json, which is not committed")
	return c
}

// install plans the whole new file first; what is shown is what is written.
func (e *env) install(f *settings.File, o *initFlags) error {
	program, err := ownPath(e.getenv("PATH"))
	if err != nil {
		return err
	}
	want := settings.Registration{Program: program, Hooks: wantedHooks()}
	data, err := settings.Plan(f.Data, want)
	if err != nil {
		return hint(fmt.Errorf("%s: %w", f.Path, err), "moai doctor")
	}
	r := initResult{File: f.Path, Program: program, Created: !f.Exists, Changed: !bytes.Equal(data, f.Data)}
	for _, h := range want.Hooks {
		r.Events = append(r.Events, h.Event)
	}
	// Of the file as it will be: what was wrong before and stays wrong makes the client skip all of it, hooks and all.
	for _, p := range settings.Check(data, knownEvent) {
		r.Notes = append(r.Notes, p.String())
	}
	return e.change(f, &r, data, o, "register moai's hooks there?", func() error {
		r.Saved, err = f.Install(data, e.stateDir())
		return err
	})
}

// uninstall brings back the kept copy where nobody else has written since, and
// takes out only moai's own entries where somebody has.
func (e *env) uninstall(f *settings.File, o *initFlags) error {
	u, err := f.Undo(e.stateDir())
	if err != nil {
		return hint(fmt.Errorf("%s: %w", f.Path, err), "moai doctor")
	}
	r := initResult{File: f.Path, Changed: u.Delete || !bytes.Equal(u.Data, f.Data), Removed: u.Delete, Exact: u.Exact}
	if r.Changed && !u.Exact {
		r.Notes = append(r.Notes, "others wrote this file since, or moai did not keep a copy: only moai's own entries are taken out")
	}
	// The diff of a file that goes is against nothing, not against an empty file.
	data := u.Data
	if u.Delete {
		data = nil
	}
	if r.Changed && !o.dryRun && !o.diff && !e.json {
		// Nobody needs to read again what moai itself has written.
		entries, _ := settings.Entries(f.Data) // Undo has read it already
		fmt.Fprintf(e.err, "moai: %s of moai in %s; --diff shows them\n", term.Count(len(entries), "hook"), f.Path)
	}
	return e.change(f, &r, data, o, "take moai's hooks out there?", func() error { return f.Uninstall(u, e.stateDir()) })
}

// change shows what will be written, asks where somebody can answer, and does it.
func (e *env) change(f *settings.File, r *initResult, data []byte, o *initFlags, question string, do func() error) error {
	if f.Linked() {
		r.Target = f.Target
		r.Notes = append(r.Notes, "the file is reached over a symbolic link; what is written is "+f.Target)
	}
	oldName, newName := f.Path, f.Path
	if !f.Exists {
		oldName = "/dev/null" // as patch and git read it, on every system
	}
	if r.Removed {
		newName = "/dev/null"
	}
	r.Diff = settings.Diff(oldName, newName, f.Data, data)
	show := func() {
		if !e.json && (!o.uninstall || o.dryRun || o.diff) {
			e.printDiff(r.Diff)
		}
		for _, n := range r.Notes {
			fmt.Fprintln(e.err, "moai: note:", n)
		}
	}
	write := r.Changed && !o.dryRun
	asks := write && !e.yes
	if asks || !write {
		show()
	}
	if asks && !e.confirm(f.Path+": "+question) {
		if e.json {
			if err := e.printJSON(r); err != nil {
				return err
			}
		}
		return e.unasked("nothing was written to "+f.Path, o.again())
	}
	if write {
		if err := do(); err != nil {
			return err
		}
		r.Written = true
	}
	if write && !asks {
		// Only now: a reader that leaves early, as head does, ends the process with the
		// first line that it does not take.
		show()
	}
	if e.json {
		return e.printJSON(r)
	}
	e.sayDone(r)
	return nil
}
