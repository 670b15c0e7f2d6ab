package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// initResult is what moai init --json prints.
type initResult struct {
	Scope      string   `json:"scope,omitempty"`
	File       string   `json:"file,omitempty"`
	Program    string   `json:"program,omitempty"` // absent where it is the one on PATH
	Events     []string `json:"events,omitempty"`
	OnFailure  string   `json:"on_failure,omitempty"`
	StatusLine string   `json:"status_line,omitempty"` // its command, where moai's is in File
	Line       int      `json:"block_line,omitempty"`  // of File, where "block" can be undone by hand
	Changed    bool     `json:"changed"`
	Written    bool     `json:"written"`
	Steps      []*step  `json:"steps,omitempty"`
	Ignored    string   `json:"ignored_by,omitempty"` // file:line that keeps a shared file out of Git
	Notes      []string `json:"notes,omitempty"`
	Kept       []kept   `json:"kept,omitempty"` // what stays of moai where it was taken out
}

// step is one file that is written.
type step struct {
	File    string `json:"file"`
	Scope   string `json:"scope,omitempty"`
	Target  string `json:"target,omitempty"` // when File is a link
	Created bool   `json:"created,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Exact   bool   `json:"exact,omitempty"`       // taken out to the very bytes of before
	Hooks   int    `json:"hooks,omitempty"`       // of moai that go
	Line    bool   `json:"status_line,omitempty"` // moai's own is in it, or goes
	Saved   string `json:"saved,omitempty"`
	Diff    string `json:"diff,omitempty"`

	Kept             bool `json:"-"` // hooks of moai stay in it
	place            *place
	data             []byte
	changed, created bool
	before, after    string // in words, for what is no settings file
	do               func(*step) error
}

// maxNotes keeps what is said on a screen; doctor has the rest.
const maxNotes = 3

func (r *initResult) note(format string, a ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, a...))
}

// verb is the command line that is about the same file.
func (r *initResult) verb() string {
	if r.Scope == "" {
		return "moai init"
	}
	return "moai init --" + r.Scope
}

// byHand finds the line in which a person without a working moai gets out.
func (r *initResult) byHand(data []byte) {
	entries, _ := settings.Entries(data) // planned by moai itself a moment ago
	for _, entry := range entries {
		if entry.Blocks {
			r.Line = entry.BlockLine
			return
		}
	}
}

// leave plans how moai goes out of a file: to the kept copy where nobody else has written since, else without moai's own
// entries.
func (e *env) leave(p *place) (*step, error) {
	u, err := p.file.Undo(e.stateDir())
	if err != nil {
		return nil, hint(nof("%s: %w", p.path, err), "moai doctor")
	}
	s := &step{place: p, data: u.Data, changed: u.Delete || string(u.Data) != string(p.file.Data), Removed: u.Delete, Exact: u.Exact, Hooks: len(p.entries), Line: p.ownLine()}
	if u.Delete {
		s.data = nil // the difference of a file that goes is against nothing, not against an empty file
	}
	s.do = func(*step) error {
		// What an agent starts has the variable that the client sets for it. The guard denies this
		// to agents; where it did not see it coming, running sessions keep their guard.
		p.file.Quiet = e.getenv("CLAUDECODE") == "1"
		if err := p.file.Uninstall(u, e.stateDir()); err != nil {
			return err
		}
		// A file of one person that is still there stays out of Git.
		if repository, rel, err := keptOut(p.path); u.Delete && p.scope == settings.Local && err == nil && repository != nil {
			_, _ = repository.Include(rel) // a line too many does no harm
		}
		return nil
	}
	return s, nil
}

// keepOut plans the line that keeps a local file out of Git, if it needs one.
func (e *env) keepOut(r *initResult, p *place) []*step {
	repository, rel, err := keptOut(p.path)
	switch {
	case err != nil:
		r.note("%s is not kept out of Git: %v", p.path, err)
		return nil
	case repository == nil:
		return nil
	}
	if tracked, err := repository.Tracked(rel); err == nil && tracked {
		r.note("%s is tracked by Git, so others get it: git rm --cached %s", p.path, rel)
		return nil
	}
	if repository.Ignore().Match(rel, false) {
		return nil
	}
	list := repository.ExcludeFile()
	return []*step{{
		File: list, changed: true, before: "keep " + rel + " out of Git by " + list, after: rel + " is kept out of Git by " + list,
		do: func(*step) error {
			// Not a reason to leave somebody unguarded.
			if _, err := repository.Exclude(rel); err != nil {
				r.note("%s is not kept out of Git: %v", p.path, err)
			}
			return nil
		},
	}}
}

// notShared says which ignore rule keeps a settings file that is meant for everybody out of Git.
func (r *initResult) notShared(p *place) {
	repository, rel, err := keptOut(p.path)
	if err != nil || repository == nil {
		return
	}
	if tracked, err := repository.Tracked(rel); err != nil || tracked {
		return
	}
	file, line, ignored := repository.IgnoredBy(rel, false)
	if !ignored {
		return
	}
	r.Ignored = file
	if line > 0 {
		r.Ignored = fmt.Sprintf("%s:%d", file, line)
	}
	r.note("%s is ignored by Git (%s), so nobody else gets it", p.path, r.Ignored)
}

// setOwn plans the user's own word on a setting.
func (e *env) setOwn(key, value string) *step {
	path := filepath.Join(e.configDir(), config.FileName)
	return &step{
		File: path, changed: true, before: key + " = " + value + " goes into " + path, after: key + " = " + value + " in " + path,
		do: func(*step) error {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			return e.editConfig(path, key, func() error { return config.Set(path, key, value) })
		},
	}
}

// carryOut says what will be done, asks where somebody can answer, does it, and says what was done.
func (e *env) carryOut(r *initResult, steps []*step, o *initFlags, question string) error {
	for _, s := range steps {
		if !s.changed {
			continue
		}
		r.Changed = true
		if s.place != nil {
			e.describeStep(r, s)
		}
		r.Steps = append(r.Steps, s)
	}
	write := r.Changed && !o.dryRun
	asks := write && !e.yes
	if asks || o.dryRun {
		e.sayPlan(r, o, false)
	}
	consents := e.goOn
	if o.uninstall {
		consents = e.confirm
	}
	if asks && !consents(question) {
		if e.json {
			if err := e.printJSON(r); err != nil {
				return err
			}
		}
		return e.unasked("nothing was written", o.again())
	}
	if write {
		for i, s := range r.Steps {
			if err := s.do(s); err != nil {
				if i > 0 {
					err = fmt.Errorf("%w (%s done before it)", err, term.Count(i, "step"))
				}
				return err
			}
		}
		r.Written = true
	}
	if e.json && r.Written && o.uninstall && !o.statusline {
		r.Kept = e.stays()
	}
	if e.json {
		return e.printJSON(r)
	}
	if !o.dryRun {
		// Only now: a reader that leaves early, as head does, ends the process with the first line that it does not take.
		e.sayPlan(r, o, true)
	}
	return nil
}

// describeStep fills in what is said about a settings file.
func (e *env) describeStep(r *initResult, s *step) {
	f := s.place.file
	s.File, s.Scope, s.Created = s.place.path, s.place.scope.String(), s.created
	if f.Linked() {
		s.Target = f.Target
		r.note("%s is reached over a symbolic link; what is written is %s", s.File, f.Target)
	}
	s.differs(f)
}

// differs fills in the whole difference.
func (s *step) differs(f *settings.File) {
	oldName, newName := s.File, s.File
	if !f.Exists {
		oldName = "/dev/null" // as patch and git read it, on every system
	}
	if s.Removed {
		newName = "/dev/null"
	}
	s.Diff = string(diff.Unified(oldName, newName, f.Data, s.data))
}

// sayPlan tells in a few lines what will be, or was, done, what comes next, and the way out. The whole difference is for
// those who ask for it.
func (e *env) sayPlan(r *initResult, o *initFlags, done bool) {
	if e.json {
		return
	}
	say := func(format string, a ...any) { fmt.Fprintf(e.err, "moai: "+format+"\n", a...) }
	if o.diff && (!done || e.yes) {
		for _, s := range r.Steps {
			e.printDiff(s.Diff)
		}
	}
	for _, s := range r.Steps {
		e.sayStep(r, s, done, say)
	}
	if !r.Changed {
		if r.File != "" {
			say("nothing to do: %s of moai are in %s (%s)", (&step{File: r.File, Line: r.StatusLine != ""}).parts(r), r.File, r.Scope)
		} else {
			say("nothing to do: moai is not registered here")
		}
	}
	if r.Line > 0 && r.Changed {
		say("without an answer of moai, tool calls are blocked; the way out by hand: %s:%d, put \"continue\" for \"block\"", r.File, r.Line)
	} else if r.OnFailure == "open" && r.Changed {
		say("without an answer of moai, tool calls run; to block them: %s --on-failure closed", r.verb())
	}
	for i, n := range r.Notes {
		if i == maxNotes {
			say("note: and %d more: moai doctor", len(r.Notes)-i)
			break
		}
		say("note: %s", n)
	}
	switch {
	case !done && o.dryRun:
		if r.Changed && !o.diff {
			say("dry run, nothing was written; --diff shows every line")
		} else {
			say("dry run, nothing was written")
		}
	case r.Changed && r.File != "" && !done:
		say("out again: moai init --uninstall; every line: %s --dry-run --diff", r.verb())
	case r.Written && r.File != "":
		if r.Ignored != "" {
			say("next: git add -f %s, or take out %s; commit it then; out again: moai init --uninstall", argv.Quote(r.File), r.Ignored)
		} else if r.Scope == settings.Shared.String() {
			say("next: commit it; out again: moai init --uninstall")
		} else {
			say("next: start the agent here; out again: moai init --uninstall")
		}
		say("hint: moai doctor")
	}
}

// sayStep tells of one file.
func (e *env) sayStep(r *initResult, s *step, done bool, say func(string, ...any)) {
	switch {
	case s.place == nil && done:
		say("%s", s.after)
		return
	case s.place == nil:
		say("%s", s.before)
		return
	}
	what := s.parts(r)
	switch goes := r.File == "" || s.File != r.File; {
	case goes && !done:
		say("takes %s of moai out of %s (%s)", what, s.File, s.place.text())
		if !s.Exact && !s.Kept {
			say("others wrote that file since, or moai kept no copy: only moai's own entries are taken out")
		}
	case goes && s.Removed:
		say("removed %s", s.File)
	case goes && s.Exact:
		say("wrote %s as it was before", s.File)
	case goes:
		say("took %s of moai out of %s", what, s.File)
	case done && len(s.place.entries) > 0:
		say("brought %s in %s up to date (%s)", what, s.File, s.place.text())
	case done:
		say("registered %s in %s (%s)", what, s.File, s.place.text())
		if s.Saved != "" {
			say("the file as it was is kept in %s", s.Saved)
		}
	default:
		say("%s go into %s (%s)", what, s.File, s.place.text())
	}
}

// parts are what of moai comes into a file, or goes.
func (s *step) parts(r *initResult) string {
	n := s.Hooks
	if s.File == r.File {
		n = len(r.Events)
	}
	var list []string
	if n > 0 {
		list = append(list, term.Count(n, "hook"))
	}
	if s.Line {
		list = append(list, "the status line")
	}
	return strings.Join(list, " and ")
}

// printDiff colours a unified diff where colours are wanted.
func (e *env) printDiff(diff string) {
	s := e.style()
	for line := range strings.Lines(diff) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			text = s.Bold(text)
		case strings.HasPrefix(line, "@@"):
			text = s.Cyan(text)
		case strings.HasPrefix(line, "+"):
			text = s.Green(text)
		case strings.HasPrefix(line, "-"):
			text = s.Red(text)
		}
		if !s.On() {
			text = strings.TrimSuffix(line, "\n")
		}
		fmt.Fprintln(e.out, text)
	}
}
