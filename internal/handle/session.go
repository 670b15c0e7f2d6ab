package handle

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/spec"
)

// shownCheckpoints is how many of the last checkpoints the card names (S0-20).
const shownCheckpoints = 3

// sessionStart shows the user what the project is and tells the model the facts.
// After a compaction it gives back what PreCompact kept instead of the card: the
// user has seen that already.
func (h *Handlers) sessionStart(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	source := events.Source(e)
	p := h.look(ctx, root(e))
	a := hook.Answer{Data: map[string]any{"project": p.data(), "session_id": e.SessionID}, Work: hook.Work{State: "running"}}
	if f := p.facts(); f != "" {
		a.Context = append(a.Context, f)
	}
	switch {
	case source == "compact":
		if m := h.recallSession(e.SessionID); m.Compact != nil {
			a.Context = append(a.Context, m.recall())
		}
	case e.Dialect == hook.Moai03:
		a.Message = p.started()
	case h.Config.Bool("ui.card"):
		a.System = p.card(h.Config.Bool("ui.ascii"))
		a.Message = a.System
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if source == "compact" || source == "clear" {
			m.Docs = nil // the model has lost them, so they may be handed over again
		}
		if source == "clear" {
			m.Prompts, m.Tasks = nil, nil
		}
		m.Compact = nil
		return true
	})
	h.note(e, "session_start", "", "session started: "+orText(source, "startup"), a.Data["project"])
	return a, nil
}

// look finds out what the card shows. The parts read different files, so they run
// side by side; each leaves its fields empty where it cannot answer in time.
func (h *Handlers) look(ctx context.Context, dir string) *project {
	p := &project{}
	var wg sync.WaitGroup
	wg.Go(func() { h.lookLanguage(ctx, dir, p) })
	wg.Go(func() {
		p.done, p.total, _ = spec.Progress(dir)
		h.lookTags(dir, p)
	})
	h.lookGit(ctx, dir, p)
	wg.Wait()
	return p
}

// lookGit fills in branch, changes and checkpoints.
func (h *Handlers) lookGit(ctx context.Context, dir string, p *project) {
	r, err := repo.Open(dir)
	if err != nil {
		p.declined = refusal(err)
		return
	}
	p.branch, p.commit, p.operation = headline(r)
	if up, err := r.Upstream(); err == nil && up != nil {
		p.ahead, p.behind = up.Ahead, up.Behind
	}
	if !r.Bare() {
		options := repo.StatusOptions{Untracked: repo.UntrackedNormal}
		if !h.DryRun {
			options.DirCache = filepath.Join(r.GitDir, "moai", "dircache")
		}
		if s, err := r.Status(ctx, options); err == nil {
			p.changes, p.partial = len(s.Changes), s.Partial
		}
	}
	if list, err := checkpoint.Last(r, shownCheckpoints); err == nil {
		for i := range list {
			p.saved = append(p.saved, list[i].Name)
		}
	}
}

// headline is the branch (or what stands for it), the short commit, and the
// operation that is in progress.
func headline(r *repo.Repo) (branch, commit, operation string) {
	head, err := r.Head()
	if err != nil {
		return "", "", ""
	}
	switch {
	case head.Unborn:
		return head.Branch + " (no commits yet)", "", head.Operation
	case head.Detached && head.Onto != "":
		branch = head.Onto
	case head.Detached:
		branch = "detached HEAD"
	default:
		branch = head.Branch
	}
	return branch, r.Short(head.Hash), head.Operation
}

// refusal is why Git is not shown; "" for a folder that simply is no repository.
func refusal(err error) string {
	if d, ok := asDeclined(err); ok {
		return d.Reason
	}
	return ""
}

// data is the project for programs: the compiled dialect's data, the journal.
func (p *project) data() map[string]any {
	d := map[string]any{}
	add := func(key string, value any, present bool) {
		if present {
			d[key] = value
		}
	}
	add("language", p.language, p.language != "")
	add("branch", p.branch, p.branch != "")
	add("commit", p.commit, p.commit != "")
	add("changes", p.changes, p.branch != "")
	add("specs_completed", p.done, p.total > 0)
	add("specs_total", p.total, p.total > 0)
	add("checkpoints", p.saved, len(p.saved) > 0)
	return d
}
