package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// beyond is what an undo does not take back. It is found out before anything is written, so that a plan and what was done say the same.
type beyond struct {
	lost      []string          // commands, and tags
	gone      []checkpoint.Skip // files that no snapshot has
	altered   []string          // the same, that are there and were written to since, and settings of Git
	pushed    []string          // what remotes have of what goes back
	elsewhere []placeJSON       // where else the turns changed files
	branches  *branchPlan       // what becomes of their settings, which comes with them
}

func (e *env) beyondOf(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan) *beyond {
	gone := e.gone(u, ch, plan, vault)
	b := &beyond{lost: e.lost(u, ch, plan, vault, len(gone) == 0), gone: gone, pushed: pushed(u, ch, plan), elsewhere: e.alsoIn(u, ch), branches: e.branchesOf(u, ch, plan)}
	if !ch.again && len(u.files) == 0 {
		b.lost = append(b.lost, e.settingsGone(u, ch, b.branches)...)
	}
	b.elsewhere = e.alsoInside(u, ch, b.elsewhere)
	if !ch.again && len(u.files) == 0 && ch.only == "" && len(ch.turns) > 0 {
		b.altered = e.altered(u, ch, plan, vault)
		for _, p := range settingsSince(u, ch.began(), ch.told()) {
			if !slices.Contains(b.altered, p) && (vault == nil || !vault.tells(p)) {
				b.altered = append(b.altered, p)
			}
		}
		b.altered = append(b.altered, tagsSince(u, ch.began())...)
		b.lost = append(b.lost, assumedSince(u, ch)...)
	}
	for _, one := range plan.Aside { // told by its new name
		b.altered = slices.DeleteFunc(b.altered, func(p string) bool { return slices.Contains(one.Files, p) })
	}
	// What comes back with a repository inside is told with that, also where Git ignores it here.
	b.gone = slices.DeleteFunc(b.gone, func(k checkpoint.Skip) bool { return b.within(u.r.Path(k.Path)) })
	b.altered = slices.DeleteFunc(b.altered, func(p string) bool { return b.within(u.r.Path(p)) })
	return b
}

// within reports a file of another repository that changed, and in which it can be taken back.
func (b *beyond) within(path string) bool {
	return slices.ContainsFunc(b.elsewhere, func(one placeJSON) bool {
		rel, err := filepath.Rel(one.Dir, path)
		return err == nil && one.Command != "" && filepath.IsLocal(rel)
	})
}

// lost lists the commands of the turns that the guard asked about, as far as they do what lasts: elsewhere, or to what no snapshot has. A command
// that has not run is left out. While the turn goes on, and where the client gives calls no ids, that is not known: the command is listed
// with "if it ran". All says that nothing is gone of which there is no copy.
func (e *env) lost(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan, all bool) (out []string) {
	if ch.again || len(u.files) > 0 {
		return nil
	}
	rules := e.risks(e.projectRoot())
	own := func(id string) bool { // what these do is in the timeline
		r := rules.Rule(id)
		return r != nil && len(r.Programs) > 0 && !r.Programs.Meets(func(p string) bool { return !rules.In("own-programs", p) })
	}
	named := func(id string) string { // with what an undo does not have
		if r := rules.Rule(id); r != nil && r.Beyond != "" {
			return id + ": " + r.Beyond
		}
		return id
	}
	writes := func(tool string) bool { // what these write is in the timeline, or named
		_, writes := rules.Writes(tool)
		return writes
	}
	for i := range ch.turns {
		t := &ch.turns[i]
		var asked []types.Decision
		ran := map[string]bool{}
		q := journal.Query{Types: []string{types.Decision{}.Entry().Name, types.AskedRan{}.Entry().Name}, Session: t.Session, Turn: t.Number}
		_, _ = q.Run(state.JournalPath(e.stateDir(), e.projectRoot()), func(one *journal.Event) error {
			var d types.Decision
			switch {
			case json.Unmarshal(one.Details, &d) != nil:
			case one.Type == types.AskedRan{}.Entry().Name:
				ran[d.Call] = true
			case d.Action == "ask" && d.Answer == "ask" && d.Command != "" && !writes(d.Tool) && slices.ContainsFunc(d.Lasting, func(id string) bool { return !own(id) }):
				asked = append(asked, d)
			}
			return nil
		})
		open := undo.ReadOpen(e.stateDir(), t.Session)
		goesOn := open.Turn == t.Number && !open.Closed
		for _, d := range asked {
			if ch.only != "" && d.Call != "" && ch.only != t.Key+"#"+d.Call {
				continue // another command
			}
			told := d.Call != "" && (!goesOn || !slices.Contains(open.Asked, d.Call)) // what was refused is asked about no more
			left := slices.Compact(slices.Sorted(slices.Values(d.Lasting)))
			if d.Unsaved == nil && (copied(t, d.Call) || e.onlyHere(u.r, rules, t, &d)) { // what it did to files is in the timeline
				left = slices.DeleteFunc(left, func(id string) bool { return aboutFiles(rules.Rule(id)) })
			}
			if all && d.Unsaved == nil && e.tookBack(u, t, d.Call, plan, vault) {
				left = slices.DeleteFunc(left, func(id string) bool { r := rules.Rule(id); return r != nil && r.Here })
			}
			if told && !ran[d.Call] || len(left) == 0 {
				continue
			}
			what := ""
			if missing := e.missing(u, rules, &d, plan, vault); len(missing) > 0 && !slices.ContainsFunc(left, func(id string) bool { return !aboutFiles(rules.Rule(id)) }) {
				what, left = someOf(missing, shownUndone)+" by ", left[:1]
			}
			for k := range left {
				left[k] = named(left[k])
			}
			text := what + term.Clip(d.Command, 80) + " (" + strings.Join(left, ", ") + ")"
			if !ran[d.Call] || d.Call == "" {
				text += ", if it ran"
			}
			if n := e.comeBack(u, rules, &d, plan, vault); n > 0 && what == "" {
				text += fmt.Sprintf(", but for %s that come back", term.Count(n, "file"))
			}
			out = append(out, text)
		}
	}
	if len(ch.turns) > 0 {
		out = append(out, e.refsGone(u.r, ch.session, ch.began())...)
	}
	return out
}

// refsGone says which references, of those that an undo does not bring back, went since a time with a command of a session, and what brings them back.
func (e *env) refsGone(r *repo.Repo, session string, since time.Time) (out []string) {
	list, err := checkpoint.Last(r, shownUndone)
	if err != nil {
		return nil
	}
	told := map[string]bool{}
	for i := range list {
		c := &list[i]
		if c.Session != session || c.Time.Before(since) {
			continue
		}
		for _, p := range c.Pins {
			name := refName(p.Ref)
			if _, err := r.Resolve(p.Ref); name == "" || err == nil || told[name] {
				continue
			}
			told[name] = true
			out = append(out, fmt.Sprintf("%s (%s brings it back)", name, checkpoint.Way{ID: c.Brief(), Missing: true}))
		}
	}
	return out
}

// refName is what people call a reference that an undo leaves alone, "" for the others.
func refName(ref string) string {
	if name, is := strings.CutPrefix(ref, tagRefs); is {
		return "tag " + name
	}
	if name, is := strings.CutPrefix(ref, "refs/remotes/"); is {
		return name + ", as it was last seen of the remote"
	}
	if strings.HasPrefix(ref, "refs/heads/") || !strings.HasPrefix(ref, "refs/") || strings.HasPrefix(ref, "refs/stash") || strings.HasPrefix(ref, "refs/moai/") {
		return ""
	}
	return ref
}

// copied reports a call that changed ignored files of which the timeline has copies: they come back.
func copied(t *undo.Turn, call string) bool {
	return call != "" && slices.ContainsFunc(t.Commands, func(c undo.Command) bool { return c.Key == t.Key+"#"+call && c.Were != c.Vault })
}

// tookBack reports a call that has taken files away here, all of which an undo brings back.
func (e *env) tookBack(u *undoing, t *undo.Turn, call string, plan *undo.Plan, vault *copiesPlan) bool {
	is := func(c undo.Command) bool { return call != "" && c.Key == t.Key+"#"+call }
	at := slices.IndexFunc(t.Commands, is)
	if at < 0 || len(vault.kept) > 0 {
		return false
	}
	took, err := t.Commands[at].Took(u.r)
	if err != nil || len(took) == 0 && !copied(t, call) {
		return false
	}
	return !slices.ContainsFunc(took, func(path string) bool {
		_, there := checkpoint.OnDisk(u.r, path)
		return !there && !slices.ContainsFunc(plan.Paths, func(p undo.Path) bool { return p.Path == path && p.Does != undo.Deletes })
	})
}

// onlyHere reports a command in the timeline that by its words changes files of the work tree, and no others.
func (e *env) onlyHere(r *repo.Repo, rules *risk.Set, t *undo.Turn, d *types.Decision) bool {
	if d.Call == "" || !rules.RunsCommand(d.Tool) || !slices.ContainsFunc(t.Commands, func(c undo.Command) bool { return c.Key == t.Key+"#"+d.Call }) {
		return false
	}
	does := rules.Alters(d.Command, r.WorkTree, e.home())
	return does.Only && len(does.Files) > 0 && !slices.ContainsFunc(does.Files, func(path string) bool {
		_, err := checkpoint.Relative(r, "", disk.Real(path)) // what is written to a link is written where that leads
		return err != nil
	})
}

// missing are the files and folders that a command names, that are gone, and that do not come back.
func (e *env) missing(u *undoing, rules *risk.Set, d *types.Decision, plan *undo.Plan, vault *copiesPlan) (list []string) {
	if !rules.RunsCommand(d.Tool) {
		return nil
	}
	for _, name := range rules.Alters(d.Command, u.r.WorkTree, e.home()).Files {
		rel, err := checkpoint.Relative(u.r, "", name)
		if err != nil || slices.Contains(list, rel) {
			continue
		}
		back := slices.ContainsFunc(plan.Paths, func(p undo.Path) bool { return p.Does != undo.Deletes && within(p.Path, []string{rel}) }) ||
			slices.ContainsFunc(vault.back, func(p string) bool { return within(p, []string{rel}) })
		if _, err := os.Lstat(u.r.Path(rel)); !back && errors.Is(err, fs.ErrNotExist) {
			list = append(list, rel)
		}
	}
	return list
}

// comeBack is how many files come back of those that a command names.
func (e *env) comeBack(u *undoing, rules *risk.Set, d *types.Decision, plan *undo.Plan, vault *copiesPlan) (n int) {
	if !rules.RunsCommand(d.Tool) {
		return 0
	}
	var named []string
	for _, path := range rules.Alters(d.Command, u.r.WorkTree, e.home()).Files {
		if rel, err := checkpoint.Relative(u.r, "", path); err == nil {
			named = append(named, rel)
		}
	}
	if len(named) == 0 {
		return 0
	}
	for _, p := range plan.Paths {
		if p.Does == undo.Returns && within(p.Path, named) {
			n++
		}
	}
	for _, p := range vault.back {
		if within(p, named) {
			n++
		}
	}
	return n
}

// aboutFiles reports a rule about nothing but what becomes of files.
func aboutFiles(r *rule.Risk) bool {
	const kinds = rule.Delete | rule.DeleteTree | rule.Move | rule.Rename | rule.Write | rule.Append | rule.Chmod | rule.ChmodTree | rule.Link
	return r != nil && r.When.Effect != 0 && r.When.Effect&^kinds == 0
}

// gone are files that no snapshot has, were there when the turn began, or when it was looked for them last, and are no more: those that Git
// ignores and no vault has, and those that a snapshot has left out.
func (e *env) gone(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan) []checkpoint.Skip {
	if ch.again || len(u.files) > 0 {
		return nil
	}
	back := slices.Clone(vault.back)
	for _, p := range plan.Paths {
		back = append(back, p.Path)
	}
	return e.unsavedGone(u, ch, leftOut(u, ch), back)
}

// leftOut is what the snapshots before the turns have left out.
func leftOut(u *undoing, ch *change) (were []checkpoint.Skip) {
	for _, s := range ch.spans {
		if from, err := checkpoint.SnapshotAt(u.r, s.From); err == nil {
			were = append(were, from.Skipped...)
		}
	}
	return were
}

// unsavedGone are those that went with the turns, with others that were left out; what comes back is none.
func (e *env) unsavedGone(u *undoing, ch *change, others []checkpoint.Skip, back []string) (out []checkpoint.Skip) {
	open := undo.ReadOpen(e.stateDir(), ch.session)
	of := u.spanned(ch)
	if !of(open.Turn) { // what was there when another turn began
		open.Ignored, open.Linked = nil, nil
	}
	for _, g := range open.Gone {
		if of(g.Turn) {
			open.Ignored = append(open.Ignored, g.Path)
		}
	}
	for _, l := range e.treesGone(u, ch) {
		of := func(t undo.Linked) bool { return t.Name == l.Name }
		if slices.ContainsFunc(open.Linked, of) && !slices.ContainsFunc(u.lost, func(t lostTree) bool { return t.Path == l.Dir }) {
			out = append(out, checkpoint.Skip{Path: l.Dir, Why: "a linked work tree, of which there is no snapshot"})
		}
	}
	were := make([]checkpoint.Skip, len(open.Ignored))
	for i, p := range open.Ignored {
		were[i] = checkpoint.Skip{Path: p, Why: "Git ignores it, so no snapshot has it"}
	}
	for _, k := range append(were, others...) {
		same := func(o checkpoint.Skip) bool { return o.Path == k.Path }
		if strings.HasSuffix(k.Path, "/") || u.inLost(k.Path) || slices.Contains(back, k.Path) || slices.ContainsFunc(out, same) {
			continue // it is a folder: which files are in it is not known
		}
		if _, err := os.Lstat(u.r.Path(k.Path)); errors.Is(err, fs.ErrNotExist) {
			out = append(out, k)
		}
	}
	return out
}

// spanned reports the turns of a session that are taken back, with those between and right behind them that changed nothing else: what they lost
// is missing as well. What turns behind these lost was told with them.
func (u *undoing) spanned(ch *change) func(turn int) bool {
	from, to, next := math.MaxInt, 0, math.MaxInt
	for i := range ch.turns {
		from, to = min(from, ch.turns[i].Number), max(to, ch.turns[i].Number)
	}
	for i := range u.line.Turns {
		if t := &u.line.Turns[i]; t.Session == ch.session && t.Number > to {
			next = min(next, t.Number)
		}
	}
	return func(turn int) bool { return from <= turn && turn < next }
}

// showGone names them.
func (e *env) showGone(list []checkpoint.Skip) {
	for i, k := range list {
		if i == shownUndone {
			fmt.Fprintf(e.err, "moai: gone: %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(e.err, "moai: gone: %s (%s)\n", term.Name(k.Path), term.Text(k.Why))
	}
}

// altered are files that Git ignores, that no snapshot has, and that were written to since turns began: by the session, by somebody else, or by a
// program in the background. They were known to be there, or commands of the turns name them.
func (e *env) altered(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan) (out []string) {
	list := undo.ReadOpen(e.stateDir(), ch.session).Ignored
	known := len(list)
	for i := range ch.turns {
		for k := range ch.turns[i].Commands {
			list = append(list, ch.turns[i].Commands[k].Names()...)
		}
	}
	since := ch.began()
	others := u.namedByOthers(ch)
	for i, p := range list {
		if others[p] { // told where that session's turns are taken back
			continue
		}
		if vault != nil && (!vault.from[p].IsZero() || i >= known && vault.tells(p)) || slices.Contains(out, p) {
			continue
		}
		fi, err := os.Lstat(u.r.Path(p))
		if err != nil || !fi.Mode().IsRegular() || !fi.ModTime().After(since) {
			continue
		}
		if i < known || !inSnapshots(plan, p) && unseen(u.r, p) {
			out = append(out, p)
		}
	}
	return out
}

// namedByOthers are the files that commands of other sessions name which changed something that is copied since the turns began: an undo of those has
// what they were.
func (u *undoing) namedByOthers(ch *change) map[string]bool {
	out := map[string]bool{}
	for i := range u.line.Turns {
		t := &u.line.Turns[i]
		for k := range t.Commands {
			c := &t.Commands[k]
			if t.Session == ch.session || c.At.Before(ch.began()) || c.Were == c.Vault {
				continue
			}
			for _, p := range c.Names() {
				out[p] = true
			}
		}
	}
	return out
}

// unseen reports a file that Git ignores and does not track.
func unseen(r *repo.Repo, path string) bool {
	if _, _, ignored := r.IgnoredBy(path, false); !ignored {
		return false
	}
	ix, err := r.Index()
	if err != nil {
		return false
	}
	_, tracked := ix.Find(path)
	return !tracked
}

// settingsSince are the files with which Git is told what to do, its settings, remotes, what it ignores and what is checked out, that were written
// to since a moment: an undo leaves them as they are. What Git wrote anew and left as it was, as told names it, is not changed.
func settingsSince(u *undoing, since time.Time, told repo.Hash) (out []string) {
	if u.r.Shadow {
		return nil
	}
	add := func(dir string, names ...string) {
		for _, name := range names {
			if fi, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && fi.ModTime().After(since) {
				out = append(out, ".git/"+name)
			}
		}
	}
	if told.IsZero() || told != u.r.SettingsName() {
		add(u.r.CommonDir, "config")
	}
	add(u.r.CommonDir, "info/exclude")
	add(u.r.GitDir, "config.worktree", "info/sparse-checkout")
	return out
}

// assumedSince says which files Git was told to take for unchanged since the turns began, and how it is told otherwise.
func assumedSince(u *undoing, ch *change) (out []string) {
	from, err := checkpoint.SnapshotAt(u.r, ch.turns[len(ch.turns)-1].From)
	if err != nil {
		return nil
	}
	ix, err := u.r.Index()
	if err != nil {
		return nil
	}
	for _, i := range ix.Trusted() {
		en := ix.At(i)
		if en.Flags&repo.AssumeValid == 0 || len(from.Marks.Assume) > 0 && within(en.Path, from.Marks.Assume) {
			continue
		}
		if out = append(out, "Git takes "+term.Name(en.Path)+" for unchanged: `git update-index --no-assume-unchanged "+argv.Quote(en.Path)+"`"); len(out) == shownUndone {
			break
		}
	}
	return out
}

// tagsSince are the tags and notes that were made or moved since a moment: an undo leaves them where they are. One that Git has packed since is not told.
func tagsSince(u *undoing, since time.Time) (out []string) {
	tags, err := u.r.Refs(tagRefs)
	if err != nil || u.r.Shadow {
		return nil
	}
	notes, err := u.r.Refs(noteRefs)
	if err != nil {
		return nil
	}
	for _, ref := range slices.Concat(notes, tags[:min(len(tags), maxCounted)]) {
		if fi, err := os.Lstat(filepath.Join(u.r.CommonDir, filepath.FromSlash(ref.Name))); err == nil && fi.ModTime().After(since) {
			out = append(out, ref.Name)
		}
	}
	return out
}

// Where tags and notes are.
const (
	tagRefs  = "refs/tags/"
	noteRefs = "refs/notes/"
)

// showAltered names them, tags in one line.
func (e *env) showAltered(list []string) {
	var tags []string
	list = slices.DeleteFunc(slices.Clone(list), func(p string) bool {
		name, is := strings.CutPrefix(p, tagRefs)
		if is {
			tags = append(tags, term.Name(name))
		}
		return is
	})
	if len(tags) > 0 {
		fmt.Fprintf(e.err, "moai: changed since: %s (an undo leaves tags where they are): %s\n", term.Count(len(tags), "tag"), someOf(tags, shownUndone))
	}
	for i, p := range list {
		if i == shownUndone {
			fmt.Fprintf(e.err, "moai: changed since: %d more\n", len(list)-i)
			break
		}
		why := "Git ignores it, so no snapshot has what it was"
		switch {
		case strings.HasPrefix(p, noteRefs):
			why = "an undo leaves notes where they are"
		case p == ".git/info/sparse-checkout":
			why = "an undo leaves what is checked out as it is: `git sparse-checkout disable` brings all of it back"
		case strings.HasPrefix(p, ".git/"):
			why = "an undo leaves Git's own settings as they are, but for those of branches that come or go"
		}
		fmt.Fprintf(e.err, "moai: changed since: %s (%s)\n", term.Name(p), why)
	}
}

// maxPushed bounds how many commits are looked for on remotes.
const maxPushed = 1000

// pushed says which of the commits that go back remotes have and had not when the turns began: there they stay.
func pushed(u *undoing, ch *change, plan *undo.Plan) (out []string) {
	if len(plan.Moves) == 0 {
		return nil
	}
	remotes, err := u.r.Refs("refs/remotes/")
	if err != nil || len(remotes) == 0 {
		return nil
	}
	before := hadBefore(u.r, ch)
	for _, m := range plan.Moves {
		if !strings.HasPrefix(m.Ref, "refs/heads/") || m.From.IsZero() {
			continue
		}
		stay := before
		if !m.To.IsZero() {
			stay = append(slices.Clone(before), m.To)
		}
		list, _, err := u.r.Unreached(m.From, stay, maxPushed)
		if err != nil {
			continue
		}
		for _, ref := range remotes {
			if at := slices.Index(list, ref.Hash); at >= 0 && u.r.Symbolic(ref.Name) == "" && !u.r.Fetched(ref) {
				out = append(out, fmt.Sprintf("%s has commits of %s up to %s, and keeps them", strings.TrimPrefix(ref.Name, "refs/remotes/"), strings.TrimPrefix(m.Ref, "refs/heads/"), short(ref.Hash)))
			}
		}
	}
	return out
}

// hadBefore are the commits at which branches and HEAD stood when the oldest of the turns began.
func hadBefore(r *repo.Repo, ch *change) (out []repo.Hash) {
	if len(ch.spans) == 0 {
		return nil
	}
	from, err := checkpoint.SnapshotAt(r, ch.spans[len(ch.spans)-1].From)
	if err != nil {
		return nil
	}
	if !from.Head.IsZero() {
		out = append(out, from.Head)
	}
	for _, p := range from.Pins {
		if strings.HasPrefix(p.Ref, "refs/heads/") && !slices.Contains(out, p.Hash) {
			out = append(out, p.Hash)
		}
	}
	return out
}
