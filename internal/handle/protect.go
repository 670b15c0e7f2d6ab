package handle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// spare is what is left of an event's time for everything after the snapshot.
const spare = 300 * time.Millisecond

// maxRepositories bounds how many repositories one command makes us save.
const maxRepositories = 4

// maxPulled bounds them where no more is kept of each than what Git ignores there.
const maxPulled = 20

// save takes the snapshots that a verdict calls for. What happens to the call when
// one cannot be taken in time is the setting guard.no_checkpoint.
func (h *Handlers) save(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict) hook.Answer {
	asking, keeps := v.Action == risk.Ask, ""
	// A question that the user answers with yes runs at once: what it would
	// destroy inside the project is saved before it is asked.
	if asking && !destroys(v) {
		if keeps = keeping(v); keeps == "" {
			return hook.Answer{}
		}
	}
	if h.DryRun || v.Action != risk.Checkpoint && !asking || movesNothing(in.Dir, v) {
		return hook.Answer{}
	}
	if !asking && h.kept(e.SessionID, v) {
		return hook.Answer{}
	}
	a := hook.Answer{}
	fail := func(err error) {
		if keeps != "" { // nothing here is in danger: that there is none is not worth a word
			h.Log.Info("no snapshot before a question", "err", err)
		} else if asking { // a person decides anyway, and now knows that there is no way back
			text := "moai: no snapshot was taken before this: " + cause(err)
			if part, ok := errors.AsType[*inPart](err); ok {
				text = "moai: " + part.Error() + ": moai checkpoint show " + part.name
			}
			a.Merge(hook.Answer{System: text})
		} else {
			a.Merge(h.unprotected(in, v, err))
		}
	}
	NoCollection()
	real := ground.Real(v)
	dirs, whole := places(in, real)
	saved, inside, err := h.snapshots(ctx, e, in, real, dirs, touchedInside(in, real))
	for i := range inside {
		if keeps != "" {
			break
		}
		a.Merge(hook.Answer{System: strings.TrimPrefix(inside[i].insides(), "\n  ")})
	}
	h.noteCopies(saved)
	if p := h.pending.Load(); p != nil && p.event == e {
		p.unsaved.Store(err != nil || len(whole) > 0 || slices.ContainsFunc(saved, func(s shot) bool { return len(s.Lost) > 0 }))
	}
	for i := range saved {
		saved[i].keeps = keeps
		a.Merge(h.told(e, in, v, &saved[i]))
		if lost := saved[i].Lost; len(lost) > 0 && !asking {
			a.Merge(h.unsaved(in, v, lost))
		}
		whole = append(whole, saved[i].gone...)
	}
	if err != nil {
		fail(err)
	}
	if len(whole) > 0 {
		a.Merge(h.histories(in, v, whole, asking))
	}
	return a
}

// destroys reports whether any part of a call would lose work in the project. A
// file that is not there yet, such as the first .env, is no loss.
func destroys(v *risk.Verdict) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		if hit.Away || hit.Action == risk.Allow || hit.Rule.Keeps != "" || hit.OnlyReads() {
			return false
		}
		return hit.Action == risk.Checkpoint || hit.Rule.Operation != "" && len(hit.Targets) == 0 || slices.ContainsFunc(hit.Targets, func(t risk.Target) bool {
			_, err := os.Lstat(t.Path)
			return slices.Contains(v.Targets, t.Path) && (err == nil || !filepath.IsAbs(t.Path))
		})
	})
}

// keeping is what a snapshot keeps that is taken before a question about what destroys nothing in the project, "" where no rule wants one.
func keeping(v *risk.Verdict) (text string) {
	for i := range v.Hits {
		hit := &v.Hits[i]
		near := len(hit.Targets) == 0 || slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return slices.Contains(v.Targets, t.Path) })
		if keeps := hit.Rule.Keeps; keeps != "" && near && !hit.Away && hit.Action != risk.Allow && !strings.Contains(text, keeps) {
			text += ", and " + keeps
		}
	}
	return strings.TrimPrefix(text, ", and ")
}

// places lists the folders whose repositories hold what is in danger, and those
// targets that are repositories themselves and would be deleted: a snapshot
// inside them would go with them.
func places(in *risk.Input, v *risk.Verdict) (dirs, whole []string) {
	existing := remembered(ground.Existing)
	gone := goneTrees(v)
	whole = pickedHistories(v)
	for _, t := range v.Targets {
		tree, _, inside := strings.Cut(t, string(filepath.Separator)+".git"+string(filepath.Separator))
		switch {
		case !filepath.IsAbs(t), slices.ContainsFunc(whole, func(dir string) bool { return t == dir || strings.HasPrefix(t, dir+string(filepath.Separator)) }):
		case inside: // Git's own folder is saved from the work tree around it
			dirs = append(dirs, existing(tree))
		case gone[t] && ground.IsRepository(t):
			whole = append(whole, t)
		case gone[t] && ground.HasGitFile(t): // its history is elsewhere and stays
			dirs = append(dirs, t)
		case gone[t]:
			dirs = append(dirs, existing(filepath.Dir(t)))
		default:
			dirs = append(dirs, existing(t))
		}
	}
	for _, dir := range pickedFrom(v) {
		dirs = append(dirs, existing(dir))
	}
	// First: there is a bound to how many repositories are saved.
	if here := orText(in.Dir, in.Root); v.Whole || len(dirs) == 0 && len(whole) == 0 {
		dirs = slices.Insert(dirs, 0, here)
	}
	return dirs, whole
}

// remembered asks once about each folder: many names of one line are in one.
func remembered(ask func(string) string) func(string) string {
	known := map[string]string{}
	return func(dir string) string {
		found, ok := known[dir]
		if !ok {
			found = ask(dir)
			known[dir] = found
		}
		return found
	}
}

// longDir is a folder of so many letters that looking for the part of it that is there costs less than looking for .git in each above it.
const longDir = 512

// touchedInside lists the repositories inside the project in which a call changes or deletes what Git holds, and the project itself. Alone that is no loss; where there
// is a way back, a person takes it for all of the call.
func touchedInside(in *risk.Input, v *risk.Verdict) (dirs []string) {
	root := ground.Follow(in.Root)
	seen := map[string]bool{} // many names of one line are in one folder, and that may be deep
	for _, p := range v.Touched {
		if !filepath.IsAbs(p) {
			continue
		}
		dir := filepath.Dir(p)
		if len(dir) > longDir {
			dir = disk.Present(dir)
		}
		for ; len(dir) >= len(root) && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			if ground.HasGit(dir) {
				dirs = append(dirs, dir)
				break
			}
		}
	}
	return dirs
}

// pickedFrom lists the folders in which a wildcard picks what goes, by their names: after cd one may lie in another repository than the session.
func pickedFrom(v *risk.Verdict) (dirs []string) {
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow {
			continue
		}
		for _, t := range hit.Targets {
			at := strings.IndexAny(t.Pattern, "*?[")
			if at < 0 || filepath.IsAbs(t.Path) || t.Class&(rule.Inside|rule.Project) == 0 && !slices.Contains(v.Targets, t.Path) {
				continue // by its path, as others
			}
			if dir := filepath.Dir(t.Pattern[:at] + "x"); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// Retention is what the configuration keeps of the checkpoints.
func Retention(c *config.Config) checkpoint.Retention {
	const day = 24 * time.Hour
	return checkpoint.Retention{
		Count: c.Int("checkpoint.keep"),
		// Somebody who means "for ever" writes a large number: it must not come out negative.
		Age:   time.Duration(min(c.Int("checkpoint.keep_days"), int(math.MaxInt64/day))) * day,
		Bytes: min(int64(c.Int("checkpoint.keep_mb")), math.MaxInt64>>20) << 20,
	}
}

// told remembers a snapshot and says so.
func (h *Handlers) told(e *hook.Event, in *risk.Input, v *risk.Verdict, cp *shot) hook.Answer {
	quiet := v.Quiet() && !cp.lacks() && h.Config.String("checkpoint.tell") != "all"
	if quiet && len(cp.Vaulted) > 0 && mayBringAny(v) {
		h.noteBringing(e, cp)
	}
	known := false
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if known = cp.Reused && len(cp.brings) > 0 && m.toldBefore(cp.Name); known {
			return false
		}
		cp.toldBranch = m.Branchless == cp.Unbranched
		m.Branchless = cp.Unbranched
		many := slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return slices.Contains(hit.Rule.When.Is, "edits-many") })
		if many {
			h.learn(e, func(s *session.Session) { s.Edits.Burst = in.Now })
		}
		if n := len(m.Checkpoints); n > 0 && m.Checkpoints[n-1] == cp.Name {
			return !cp.toldBranch
		}
		m.checkpointed(cp.Name)
		return true
	})
	if known {
		return hook.Answer{}
	}
	h.learn(e, func(s *session.Session) { s.Saved(cp.Name, in.Now.UTC()) })
	if !cp.Reused {
		h.note(e, "checkpoint "+cp.Name, Created(cp.Checkpoint))
	}
	a := hook.Answer{Data: map[string]any{"checkpoint": cp.Name}, System: saved(cp, v, h.maskPart(in))}
	if (onlyAdds(v) || onlyCommitted(v, cp) || cp.follows || cp.stays) && cp.Clean() || cp.spared || quiet || cp.keeps != "" && v.Pins&^rule.PinNone == 0 {
		a.System = "" // nothing goes: the question says what comes
	}
	if e.Dialect == hook.Alfred || e.Dialect == hook.Moai03 {
		// The words of the source (alfred's handler), for clients that show message.
		a.Message = "🛡️ Checkpoint created: " + cp.Name + "\n   Operation: " + cp.Operation
		if cp.Reused {
			a.Message = "🛡️ Checkpoint unchanged since: " + cp.Name + "\n   Operation: " + operation(v)
		}
	}
	if cp.Reused {
		a.Data["unchanged_since"] = cp.Time.UTC().Format(time.RFC3339)
	}
	return a
}

// operation names the checkpoint: the rule's own word, else the hazard of its id.
func operation(v *risk.Verdict) string {
	if v.Operation != "" {
		return v.Operation
	}
	_, hazard, _ := strings.Cut(v.Hits[0].Rule.ID, ".")
	return hazard
}

// within makes absolute paths relative to the work tree; others are not ours to copy.
func within(r *repo.Repo, paths []string) []string {
	var list []string
	for _, p := range paths {
		if rel, err := filepath.Rel(r.WorkTree, p); err == nil && filepath.IsLocal(rel) {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// command is what a checkpoint's message names: the command line, or the tool
// and the file that it writes.
func command(in *risk.Input) string {
	if in.Command != "" {
		return in.Command
	}
	if p := toolFile(in); p != "" {
		return in.Tool + " " + p
	}
	return in.Tool
}

// toolFile is the file that a tool is given, "" for none.
func toolFile(in *risk.Input) string {
	args := hook.Value(in.Args)
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if p := args.Get(key).Text(); p != "" {
			return p
		}
	}
	return ""
}

// unprotected decides about a call that needs a snapshot when there is none.
func (h *Handlers) unprotected(in *risk.Input, v *risk.Verdict, err error) hook.Answer {
	var damaged *repo.Damaged
	if _, declined := repo.AsDeclined(err); declined || errors.As(err, &damaged) {
		v = withoutGit(v, "keep a copy somewhere else first")
	} else if errors.Is(err, repo.ErrNone) {
		if answer, plain := h.unheld(in, v); plain {
			return answer
		}
		v = withoutGit(v, "keep a copy somewhere else first; after `git init` moai takes a snapshot by itself")
	}
	return h.irrevocable(in, v, "moai could not take a snapshot first ("+cause(err)+"), so this cannot be undone.")
}

// irrevocable decides about a call that cannot be taken back as a whole. It speaks
// as the guard does everywhere else.
func (h *Handlers) irrevocable(in *risk.Input, v *risk.Verdict, why string) hook.Answer {
	text := func(verb string) string { return h.reason(in, v, verb) + "\n  " + why }
	answer := h.Config.String("guard.no_checkpoint")
	if v.Lost != "" && answer != "allow" {
		answer, why = "deny", why+"\n  not asked: in the permission mode "+h.pending.Load().in.Permission+" "+v.Lost
	}
	switch answer {
	case "deny":
		return hook.Answer{Decision: hook.Deny, Reason: text(stopped), Suggestions: instead(v)}
	case "allow":
		return hook.Answer{System: text("warns (guard.no_checkpoint is allow)")}
	}
	return hook.Answer{Decision: hook.Ask, Reason: text(h.asksNow()), Suggestions: instead(v)}
}

// withoutGit is v with advice that works outside of a repository, and in one that is out
// of order: most rules advise to look with git status, or to keep things with git stash.
func withoutGit(v *risk.Verdict, advice string) *risk.Verdict {
	c := *v
	c.Hits = slices.Clone(v.Hits)
	for i := range c.Hits {
		if strings.Contains(c.Hits[i].Instead(), "`git ") {
			c.Hits[i].Advice = advice
		}
	}
	return &c
}

// cause says in a few words why there is no snapshot.
func cause(err error) string {
	if part, ok := errors.AsType[*inPart](err); ok {
		return part.Error()
	}
	switch {
	case errors.Is(err, repo.ErrNone):
		return "this folder is in no Git repository"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took longer than checkpoint.timeout"
	}
	if d, ok := repo.AsDeclined(err); ok {
		return "this repository cannot be read: " + d.Why()
	}
	var d *repo.Damaged
	if errors.As(err, &d) {
		return "this repository is damaged: " + d.Error() + "; next: " + d.Advice
	}
	return err.Error()
}

// saved tells the user what was saved, why, what is not in it, and the way back.
func saved(cp *shot, v *risk.Verdict, mask func(string) string) string {
	if cp.keeps != "" {
		return beforeDeciding(cp, v)
	}
	if len(cp.brings) > 0 {
		return mayCome(cp)
	}
	var b strings.Builder
	word := "snapshot"
	if cp.Reused {
		word = "snapshot (unchanged since)"
	}
	fmt.Fprintf(&b, "moai: %s %s (%s) before: %s", word, cp.Name, cp.Amount(), v.Masked(mask))
	if n := len(cp.Skipped); n > 0 {
		fmt.Fprintf(&b, "\n  not in it: %s", skipped(cp.Skipped))
	}
	for _, w := range cp.Warnings {
		fmt.Fprintf(&b, "\n  %s", w)
	}
	if cp.Unbranched != "" && !cp.toldBranch {
		fmt.Fprintf(&b, "\n  it comes back all the same, but is no Git branch, since that could be pushed: %s", term.Text(cp.Unbranched))
	}
	if len(cp.Vaulted) > 0 {
		fmt.Fprintf(&b, "\n  ignored files copied to the vault: %s", listed(cp.Vaulted, 5))
	}
	// A command about submodules leaves everything else as it is, unless another part of the line names some of that.
	switch {
	case cp.void:
		b.WriteString("\n  nothing brings it back")
	case cp.drops && !cp.Restorable():
		b.WriteString("\n  it keeps the commits that go: " + cp.there() + "moai checkpoint show " + cp.Brief())
	case v.Operation != "submodule" || len(cp.Inside) == 0 || namesMore(v):
		b.WriteString("\n  bring it back: " + cp.there() + way(cp))
	case len(cp.Vaulted) > 0: // of all else, what was in the submodules says how it comes back
		b.WriteString("\n  bring it back: " + cp.there() + checkpoint.Way{ID: cp.Brief(), Vault: true}.String())
	}
	for _, text := range beyond(v) {
		b.WriteString("\n  not brought back by it: " + text)
	}
	if len(cp.shifted) > 0 {
		b.WriteString("\n  not brought back by it: where these repositories were, which have another name then: " + listed(cp.shifted, 3))
	}
	if len(cp.SettingsLeft) > 0 {
		b.WriteString("\n  not brought back by it: if they go, settings that moai never sets, or cannot read: " + listed(cp.SettingsLeft, 3))
	}
	if len(cp.Linked) > 0 && !cp.drops {
		b.WriteString("\n  not brought back by it: that these are names of one file (hard links): " + listed(cp.Linked, 3))
	}
	if len(cp.Raised) > 0 {
		b.WriteString("\n  not brought back by it: that these run with the rights of their owner or group (`chmod u+s`, `g+s`): " + listed(cp.Raised, 3))
	}
	if cp.Resolved && (cp.index || cp.refs) {
		b.WriteString("\n  not brought back by it: how conflicts were resolved, which `git checkout -m` takes back")
	}
	return b.String() + cp.insides()
}

// beforeDeciding is saved for a question about what destroys nothing here: a way back would promise to undo what it cannot.
func beforeDeciding(cp *shot, v *risk.Verdict) string {
	text := "moai: before you decide, moai took " + cp.Name
	if cp.Reused {
		text = "moai: before you decide: unchanged since " + cp.Name
	}
	text = fmt.Sprintf("%s (%s): it keeps %s", text, cp.Amount(), cp.keeps)
	if again := pushedAgain(cp.Checkpoint, v); again != "" {
		text += "\n  to undo the push afterwards: " + again
	}
	return text
}

// pushedAgain is the push that gives branches of a remote back what they were last seen to hold; "" where the call names none of these.
func pushedAgain(cp *checkpoint.Checkpoint, v *risk.Verdict) string {
	var remote string
	var refs []string
	for i := range v.Hits {
		words := strings.Fields(v.Hits[i].Text)
		if v.Hits[i].Rule.Pins&rule.PinRemotes == 0 || v.Hits[i].Away {
			continue
		}
		for _, pin := range cp.Pins {
			from, branch, _ := strings.Cut(strings.TrimPrefix(pin.Ref, "refs/remotes/"), "/")
			if strings.HasPrefix(pin.Ref, "refs/remotes/") && (remote == "" || remote == from) && slices.Contains(words, from) && slices.ContainsFunc(words, func(word string) bool { return pushes(word, branch) }) {
				remote = from
				refs = append(refs, "+"+pin.Hash.String()[:10]+":refs/heads/"+branch)
			}
		}
	}
	if len(refs) == 0 {
		return ""
	}
	slices.Sort(refs)
	return "git push " + term.Text(remote+" "+strings.Join(slices.Compact(refs), " "))
}

// pushes reports a word of git push that writes a branch of the remote: topic, :topic, +HEAD:topic.
func pushes(word, branch string) bool {
	if i := strings.LastIndexByte(word, ':'); i >= 0 {
		word = word[i+1:]
	}
	return strings.TrimPrefix(strings.TrimPrefix(word, "+"), "refs/heads/") == branch
}

// namesMore reports a part of a call that is about files or about this repository, and not about submodules.
func namesMore(v *risk.Verdict) bool {
	inside := func(hit *risk.Hit) bool { // what runs in each submodule
		return slices.ContainsFunc(v.Hits, func(s risk.Hit) bool {
			return s.Rule.Operation == "submodule" && s.Span[0] <= hit.Span[0] && hit.Span[1] <= s.Span[1]
		})
	}
	return len(v.Touched) > 0 || slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Allow && (hit.Rule.Operation != "submodule" && len(hit.Targets) > 0 || !inside(&hit))
	})
}

// way restores all that a call takes, and not a part of it; nor more: references that it
// leaves alone may have moved on by the time somebody wants the files.
func way(cp *shot) string {
	back := checkpoint.Way{ID: cp.Brief()}
	switch {
	case cp.drops:
		back.Missing = true
		return back.String()
	case len(cp.names) > 0:
		back.Paths, back.Index = cp.asNamed(cp.names), cp.restage
		return term.Text(back.String())
	}
	// What is under way goes on where it was, a submodule that is made again stands on a commit and no branch, and a branch
	// without a commit has nothing to pin, though HEAD stood there.
	back.Refs = cp.refs && (cp.Restorable() || cp.Underway != nil || cp.Head.IsZero()) || strings.Contains(cp.anew, " submodule update ")
	back.Index = cp.Staged || cp.index || cp.Marks.Sparse.On
	line := back.String()
	if cp.mends {
		line += " && git worktree repair" // writes the .git of a work tree whose folder is there again
	}
	return line
}

// listed names the first of some files, each on no more than its own place: a line end in a name would begin a line in moai's voice.
func listed(paths []string, most int) string {
	names := make([]string, 0, most)
	for _, p := range paths[:min(len(paths), most)] {
		names = append(names, term.Name(p))
	}
	text := strings.Join(names, ", ")
	if n := len(paths) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// shownPath is how much of a path is shown, in columns: one may fill the screen.
const shownPath = 200

func skipped(list []checkpoint.Skip) string {
	var names []string
	for i, s := range list {
		if i == 3 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(list)-i)
		}
		names = append(names, term.Cut(term.Name(s.Path), shownPath)+" ("+s.Why+")")
	}
	return strings.Join(names, ", ")
}
