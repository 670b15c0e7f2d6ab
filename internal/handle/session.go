package handle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/stack"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/when"
)

// shownCheckpoints is how many of the last checkpoints the card names.
const shownCheckpoints = 3

// sessionStart shows the user what the project is and tells the model the facts.
// After a compaction it gives back what PreCompact kept instead of the card: the
// user has seen that already.
func (h *Handlers) sessionStart(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	source := events.Source(e)
	h.promised(ctx, e)
	p := h.look(ctx, root(e))
	p.port = h.shownPort(e)
	a := hook.Answer{Data: map[string]any{"project": p.data(), "session_id": e.SessionID}}
	if f := p.facts(); f != "" {
		a.Context = append(a.Context, f)
	}
	switch {
	case source == "compact":
		// Without what PreCompact kept (another machine, a dry run) there is nothing to give back.
		if m := h.recallSession(e.SessionID); m.Compact != nil {
			a.Context = append(a.Context, m.recall(&h.who(e).Edits))
			if e.Dialect == hook.Pal {
				a.Notifications = append(a.Notifications, h.recalled(e, m)...)
			}
		}
	case e.Dialect == hook.Moai03:
		a.Message = p.started()
	case h.Config.Bool("ui.card"):
		a.System = p.card(h.Config.Bool("ui.ascii"))
		a.Message = p.named(h.Config.Bool("ui.ascii"))
	}
	warnings, rules := h.unread(root(e))
	warnings = append(h.standing(), warnings...)
	if source == "startup" && len(p.unguarded) > 0 {
		warnings = append(warnings, p.elsewhere())
	}
	for _, w := range warnings {
		a.System = strings.TrimPrefix(a.System+"\nmoai: warning: "+w, "\n")
	}
	if rules != nil {
		a.System = addSystem(a.System, h.newExceptions(rules, h.places(root(e))))
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if source == "compact" || source == "clear" {
			m.Docs, m.Tokens, m.Modes = nil, nil, nil // the model has lost them, so they may be handed over again
		}
		if source == "clear" {
			m.Prompts, m.Tasks = nil, nil
		}
		m.Doubts = h.doubts()
		m.Compact = nil // given back once; the next compaction keeps its own
		return true
	})
	a.System = addSystem(a.System, h.closeStale(e))
	h.sessionGuard(e)
	h.note(e, "session started: "+orText(source, "startup"), p.entry(orText(source, "startup")))
	return a, nil
}

// unread says what of the user's or the project's settings and rules does not
// count. Rules that do not load tighten nothing, a setting that cannot be read is
// its default again, and a line in a log that nobody reads would be all: the
// person at the start of a session can mend them. The rules that hold come with it.
func (h *Handlers) unread(dir string) (list []string, rules *risk.Set) {
	if p := h.Config.Problems; len(p) > 0 { // the first stands for all: doctor lists them
		list = append(list, "settings do not count: "+term.Clip(term.Text(p[0]), 300)+" (moai doctor)")
	}
	if h.Tables.Risks == nil {
		return list, nil
	}
	rules, err := policy.Load(h.Tables.Risks, h.places(dir))
	if err != nil {
		list = append(list, h.notLoaded(err, dir))
	} else if broken := risk.Misfire(rules, someRules); broken != nil {
		list = append(list, "a rule protects from nothing: "+term.Clip(term.Text(broken.Error()), 300)+" (moai rules check)")
	}
	return list, rules
}

// someRules are as many as are tried in a few milliseconds; doctor and check try all.
const someRules = 16

// notLoaded says which rules, or whose exceptions, do not count, and why.
func (h *Handlers) notLoaded(err error, dir string) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	what := "rules have a mistake, and count as far as they can be read: "
	if rule.Costly(err, rule.Exempting) == nil {
		what = "something of a project's rules waits for you: "
	}
	if own := h.places(dir).UserRules(); own != "" && strings.HasPrefix(first, own) {
		what = "your own rules and exceptions of a file do not count: "
	}
	return what + term.Clip(term.Text(first), 300) + " (moai rules check)"
}

// tellUnread says so once a session at a call, too: rules may break in the middle of one, and an exception that is not read looks as
// if it had never been given. Where rules that may protect are not read as they stand and guard.on_failure is closed, the first
// command or edit is asked about, since they might have stopped it.
func (h *Handlers) tellUnread(e *hook.Event, mode risk.Mode, err error) (a hook.Answer) {
	if err == nil || !h.Tables.Risks.RunsCommand(e.ToolName) && !h.writes(e.ToolName) {
		return a
	}
	text := h.notLoaded(err, root(e))
	if h.recallSession(e.SessionID).Unread == text {
		return a
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Unread = text; return true })
	a.System = "moai: warning: " + text
	once := e.SessionID != "" && !h.DryRun && mode != risk.Off && mode != risk.Warn
	if once && rule.Costly(err, rule.Loss) != nil && h.Config.String("guard.on_failure") == "closed" {
		a.Decision, a.Reason = hook.Ask, "moai "+h.asks(e)+": "+text+"\n  once a session, since guard.on_failure is closed; next: moai rules check"
	}
	return a
}

// look finds out what the card shows. The parts read different files, so they run
// side by side; one that hangs or fails costs its own lines only.
func (h *Handlers) look(ctx context.Context, dir string) *project {
	parts := []func(*project){
		func(p *project) { h.lookLanguage(ctx, dir, p) },
		func(p *project) { h.lookGit(ctx, dir, p) },
		func(p *project) {
			p.specs = spec.Progress(dir, h.Tables.Specs)
			h.lookTags(dir, p)
		},
		func(p *project) {
			if h.Unguarded != nil {
				p.unguarded = h.Unguarded(dir)
			}
		},
	}
	found := make(chan func(*project), len(parts))
	for _, part := range parts {
		go func() {
			stack.Grow()
			var own project
			defer func() {
				if p := recover(); p != nil {
					h.Log.Warn("a part of the card failed", "panic", fmt.Sprint(p))
				}
				found <- func(p *project) { p.merge(&own) }
			}()
			part(&own)
		}()
	}
	p := &project{}
	until, cancel := beforeDeadline(ctx)
	defer cancel()
	for range parts {
		select {
		case merge := <-found:
			merge(p)
		case <-until.Done():
			return p
		}
	}
	return p
}

// merge takes over what another look has found. Each field is found by one part alone, so
// that adding numbers is taking them over.
func (p *project) merge(q *project) {
	p.language, p.languageID = orText(p.language, q.language), orText(p.languageID, q.languageID)
	p.known = append(p.known, q.known...)
	p.branch, p.commit, p.operation = orText(p.branch, q.branch), orText(p.commit, q.commit), orText(p.operation, q.operation)
	p.ahead, p.behind, p.changes = p.ahead+q.ahead, p.behind+q.behind, p.changes+q.changes
	p.unknown = orText(p.unknown, q.unknown)
	p.partial, p.declined = p.partial || q.partial, orText(p.declined, q.declined)
	p.remedy, p.undo = orText(p.remedy, q.remedy), orText(p.undo, q.undo)
	p.open += q.open
	if q.specs.Folders > 0 {
		p.specs = q.specs
	}
	p.saved, p.ages = append(p.saved, q.saved...), append(p.ages, q.ages...)
	p.unguarded = append(p.unguarded, q.unguarded...)
}

// beforeDeadline ends a little before ctx does, so that there is time to answer.
func beforeDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, end.Add(-50*time.Millisecond))
	}
	return context.WithCancel(ctx)
}

// lookGit fills in branch, changes and checkpoints.
func (h *Handlers) lookGit(ctx context.Context, dir string, p *project) {
	r, err := repo.Open(dir)
	if err != nil {
		p.declined, p.remedy = refusal(err)
		if errors.Is(err, repo.ErrNone) {
			p.undo = h.undoOutside(ctx, dir)
		}
		return
	}
	if p.branch, p.commit, p.operation = headline(r); p.branch == "" {
		_, err := r.Head()
		p.declined, p.remedy = refusal(err)
	}
	// Most branches have no upstream, and one that cannot be compared is no news.
	if up, err := r.Upstream(); err == nil && up != nil {
		p.ahead, p.behind = up.Ahead, up.Behind
	}
	if !r.Bare() {
		p.undo = undoStands(undo.Why(h.StateDir, r.WorkTree))
		options := repo.StatusOptions{Untracked: repo.UntrackedNormal}
		kept := ""
		if !h.DryRun {
			options.DirCache, kept = r.DirCacheIn(h.StateDir), h.StateDir
		}
		if s, err := r.Keep(kept, func() (*repo.Status, error) { return r.Status(ctx, options) }); err == nil {
			p.changes, p.partial, p.unknown = len(s.Changes), s.Partial, strings.Join(s.Notes, "; ")
		} else if p.declined == "" {
			p.declined, p.remedy = refusal(err)
		}
	}
	if list, err := checkpoint.Last(r, shownCheckpoints); err == nil {
		for i := range list {
			p.saved = append(p.saved, list[i].Name)
			p.ages = append(p.ages, when.Ago(h.now().Sub(list[i].Time))+" ("+term.Text(list[i].Operation)+")")
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
	// Git makes no branch with control characters in its name, but a repository need not come from Git.
	head.Branch, head.Onto = term.Text(head.Branch), term.Text(head.Onto)
	switch {
	case head.Unborn:
		return head.Branch + " (no commits yet)", "", head.Operation
	case head.Detached && head.Onto != "": // a rebase detaches HEAD; people still mean the branch
		branch = head.Onto
	case head.Detached:
		branch = "detached HEAD"
	default:
		branch = head.Branch
	}
	return branch, r.Short(head.Hash), head.Operation
}

// refusal is why Git is not shown, and the command that changes that, if there is one. A folder that simply is no repository has
// neither.
func refusal(err error) (reason, remedy string) {
	if d, ok := repo.AsDeclined(err); ok {
		switch {
		case d.Remedy != "":
			return d.Reason, "to trust it: " + d.Remedy
		case d.Advice != "":
			return d.Reason, "next: " + d.Advice
		}
		return d.Reason, ""
	}
	var d *repo.Damaged
	if errors.As(err, &d) {
		return "it is damaged: " + d.Error(), "next: " + d.Advice
	}
	return "", ""
}

// shownFolders is how many folders without moai are named: doctor names them all.
const shownFolders = 3

// elsewhere says where else in this project nothing calls moai: who is there gets no word, so it is said here.
func (p *project) elsewhere() string {
	names := make([]string, 0, shownFolders)
	for _, dir := range p.unguarded[:min(len(p.unguarded), shownFolders)] {
		names = append(names, term.Text(dir))
	}
	more := ""
	if n := len(p.unguarded) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "nothing calls moai in " + strings.Join(names, ", ") + more + " (moai init --user covers all folders)"
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
	add("changes", p.changes, p.branch != "") // none is a fact too, where Git was asked
	add("specs_completed", p.specs.Completed, p.specs.Folders > 0)
	add("specs_total", p.specs.Total(), p.specs.Folders > 0)
	add("checkpoints", p.saved, len(p.saved) > 0)
	return d
}

// entry is the project for the journal.
func (p *project) entry(source string) types.SessionStart {
	d := types.SessionStart{Source: source, Language: p.language, Branch: p.branch, Commit: p.commit, Checkpoints: p.saved}
	if p.branch != "" { // none is a fact too, where Git was asked
		d.Changes = &p.changes
	}
	if total := p.specs.Total(); p.specs.Folders > 0 {
		d.SpecsCompleted, d.SpecsTotal = &p.specs.Completed, &total
	}
	return d
}

// Session is the name under which a session is kept, in files and in messages of commits: its own, unless a secret or a blank stands in it.
func Session(rules *risk.Set, id string) string {
	if rules.Mask(id) == id && !strings.ContainsAny(id, " \t\n") {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "session-" + hex.EncodeToString(sum[:8])
}
