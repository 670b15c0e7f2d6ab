package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/agents"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/line"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/verify"
)

// lineAbout is what one status line is about.
type lineAbout struct {
	in      hook.Value
	session string
	project string
	dir     string
	named   string // the project's folder as the client has it, whose settings it reads
}

// lineAbout settles which session and folder the client means, as a hook's call does.
func (e *env) lineAbout(in hook.Value) lineAbout {
	space := in.Get("workspace")
	at := e.seat()
	event := hook.Event{
		SessionID:  cmp.Or(in.Get("session_id").Text(), at.Session()),
		CWD:        cmp.Or(space.Get("current_dir").Text(), in.Get("cwd").Text(), e.dir),
		ProjectDir: cmp.Or(space.Get("project_dir").Text(), e.getenv("CLAUDE_PROJECT_DIR")),
	}
	if !filepath.IsAbs(event.CWD) {
		event.CWD = filepath.Join(e.dir, event.CWD)
	}
	named := event.ProjectDir
	event.ProjectDir = cmp.Or(event.ProjectDir, event.CWD)
	if event.SessionID != "" {
		event.SessionID = handle.Session(risktable.Set(), event.SessionID)
	}
	e.settle(&event)
	return lineAbout{in, event.SessionID, event.ProjectDir, event.CWD, cmp.Or(named, event.ProjectDir)}
}

// silence is how long after a session began a hook of it must have run: one does when it begins.
const silence = 20 * time.Second

// oldAfter is when what a work tree looked like is no longer said for certain.
const oldAfter = 5 * time.Minute

// lineFacts are what is known of a session, by few small files: no other is looked at, and nothing is waited for.
func (e *env) lineFacts(a lineAbout) (*line.Facts, *line.Options) {
	cfg := e.cfg(a.project)
	f := &line.Facts{Now: time.Now(), Guard: cfg.String("guard.mode"), Loosened: len(cfg.Loosened()) > 0, Broken: len(cfg.Problems)+len(cfg.Held) > 0}
	f.Model = cmp.Or(a.in.Get("model").Get("display_name").Text(), a.in.Get("model").Get("id").Text())
	f.Cost = a.in.Get("cost").Get("total_cost_usd").Float()
	f.Context = usedContext(a.in.Get("context_window"))

	look := handle.Handlers{StateDir: e.stateDir(), Home: e.user().Home, Getenv: e.getenv}
	f.Left = look.Left(&hook.Event{SessionID: a.session, ProjectDir: a.named, CWD: a.dir})

	s := session.Read(e.stateDir(), a.session)
	took := time.Duration(a.in.Get("cost").Get("total_duration_ms").Int()) * time.Millisecond
	f.Silent = s == nil && a.in.Get("session_id").Text() != "" && took > silence
	if s == nil {
		s = &session.Session{ID: a.session}
	}
	f.Mode = s.Mode
	if s.Port != "" {
		if r := handle.Ports(cfg, e.stateDir(), a.project); r.Runs(s.Port, s.ID) != nil { // else somebody has taken it over
			f.Port = s.Port
		}
	}
	// Where nobody could look, it is said once and not all the time.
	if v := verify.Read(e.stateDir(), a.session); v != nil && v.Last != nil && !strings.HasSuffix(v.Last.Why, verify.NoVerifier) {
		f.Checks = v.Last.Open // by the end of the last turn, or by what was taken back since
	}
	if l := loop.Read(e.stateDir(), a.session); l.Runs() {
		f.Loop = &line.Loop{Round: l.Round, Max: l.Max}
	}
	if s.Snapshot != nil {
		f.Snapshot = s.Snapshot.At
	}
	f.Missed = undo.ReadOpen(e.stateDir(), a.session).Why
	if s.Tests != nil {
		f.Tests = &line.Tests{Passed: s.Tests.Passed, Part: s.Tests.Part, Old: e.codeSince(s, a.project), At: s.Tests.At}
	}
	here := *s
	here.Now = session.Place{Dir: disk.Real(a.dir)}
	if r := e.lineBranch(f, a.dir, s); r != nil {
		here.Now.WorkTree = disk.Real(r.WorkTree)
	}
	f.Others = session.Beside(e.stateDir(), &here, f.Now)
	return f, e.lineOptions(cfg)
}

// sameCommand is how close to the end of tests a command has noted what it wrote that ran them itself.
const sameCommand = time.Second

// codeSince reports that a session changed code after its last tests. No file is read but those that it wrote since.
func (e *env) codeSince(s *session.Session, project string) bool {
	wrote := slices.DeleteFunc(slices.Clone(s.Wrote), func(w session.Write) bool {
		after := w.At.Sub(s.Tests.At)
		return after <= 0 || w.Ran && after < sameCommand
	})
	path, _ := handle.LastCode(&verify.Tables{Agents: &agents.All, Languages: e.languages}, verify.Homes(project, s), wrote)
	return path != ""
}

// lineBranch fills in what Git has to say.
func (e *env) lineBranch(f *line.Facts, dir string, s *session.Session) *repo.Repo {
	r, err := repo.Open(dir)
	switch {
	case errors.Is(err, repo.ErrNone):
		if _, err := checkpoint.FindShadow(e.stateDir(), dir); err != nil {
			f.Unsaved = "not in Git"
		}
		return nil
	case err != nil:
		f.Unsaved = "Git cannot be asked"
		if d, ok := repo.AsDeclined(err); ok {
			f.Unsaved = d.Reason
		}
		return nil
	case r.Bare():
		f.Unsaved = "no work tree"
	}
	h, err := r.Head()
	if err != nil {
		f.Unsaved = "HEAD cannot be read"
		return r
	}
	f.Branch = cmp.Or(h.Branch, h.Onto, "detached HEAD")
	if f.Operation = h.Operation; h.Steps > 0 {
		f.Operation = fmt.Sprintf("%s %d/%d", h.Operation, h.Step, h.Steps)
	}
	if k, same := r.Kept(e.stateDir(), h); !k.At.IsZero() {
		wrote := time.Time{}
		if n := len(s.Wrote); n > 0 {
			wrote = s.Wrote[n-1].At
		}
		f.Changes = &line.Changes{
			Count: k.Changes, Conflicts: k.Conflicts, Partial: k.Partial,
			Old: !same || wrote.After(k.At) || f.Now.Sub(k.At) > oldAfter,
		}
		if f.Changes.Count == 0 && wrote.After(k.At) {
			f.Changes.Count = 1 // at least what a tool wrote
		}
	} else if len(s.Wrote) > 0 {
		f.Changes = &line.Changes{Count: len(s.Wrote), Old: true} // the changes were not counted since
	}
	return r
}

// usedContext is how much of the context is used, in percent. A client that does not say it says what it is made of: what the last
// answer read, from the cache or not, and not what it wrote.
func usedContext(window hook.Value) *float64 {
	used := window.Get("used_percentage").Float()
	if !window.Get("used_percentage").Present() {
		last, size := window.Get("current_usage"), window.Get("context_window_size").Float()
		if !last.Present() || size <= 0 {
			return nil
		}
		sum := 0.0
		for _, part := range [...]string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
			sum += last.Get(part).Float()
		}
		used = 100 * sum / size
	}
	return &used
}

func (e *env) lineOptions(c *config.Config) *line.Options {
	o := &line.Options{
		Segments: strings.Fields(c.String("statusline.segments")), ASCII: c.Bool("ui.ascii"), Style: term.StyleBehind(e.getenv),
		ContextWarn: c.Int("statusline.context_warn"), ContextHigh: c.Int("statusline.context_high"),
		CostWarn: c.Int("statusline.cost_warn"), Bar: c.Int("statusline.bar"),
	}
	if n := term.Columns(e.out, e.getenv); n > 0 {
		o.Columns = max(n-margin, 1)
	}
	return o
}
