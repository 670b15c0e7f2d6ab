package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// change is what is about to be taken back, or brought again.
type change struct {
	turns   []undo.Turn
	keys    []string
	spans   []undo.Span
	now     *checkpoint.Step
	what    string // the prompt, or the command
	again   bool
	forced  bool      // what comes again was taken back over what somebody else had changed
	mirrors bool      // an undo of a redo, or a redo: all that it did goes back, whosever it was
	vault   repo.Hash // the copies of what Git ignores, as it comes back
	copies  repo.Hash // and as it was left
	only    string    // the command that is meant alone
	session string
	whole   []string    // of keys, those that are taken back as a whole; nil for all of them
	stuck   []int       // the numbers of the turns of the others
	edits   []undo.Edit // what tools wrote since the oldest turn began; none with again
}

// numbers are those of the turns that are taken back, or brought again, as a whole.
func (ch *change) numbers() (list []string) {
	for i := range ch.turns {
		if t := &ch.turns[i]; slices.Contains(ch.keys, t.Key) && !slices.Contains(ch.stuck, t.Number) {
			list = append(list, strconv.Itoa(t.Number))
		}
	}
	return list
}

// undoJSON is what moai undo says.
type undoJSON struct {
	Before    string      `json:"before"`
	Again     bool        `json:"again,omitempty"`
	Session   string      `json:"session"`
	DryRun    bool        `json:"dry_run,omitempty"`
	Paths     []undo.Path `json:"paths"`
	Kept      []undo.Kept `json:"kept"`
	Aside     []string    `json:"aside,omitempty"`      // what stood in the way, by its new names
	Dropped   []undo.Kept `json:"drops,omitempty"`      // what is not the session's, and goes with --force
	Stuck     []int       `json:"turns_kept,omitempty"` // the numbers of turns that are not undone as a whole, and can be asked for again
	Folders   []string    `json:"folders"`              // empty ones that come and go, and what changes in permissions alone
	Refs      []string    `json:"refs"`
	Index     bool        `json:"index"`
	Bytes     int64       `json:"bytes"`
	Vault     []string    `json:"vault"`
	VaultGone []string    `json:"vault_gone"` // that a redo deletes again
	Gone      []string    `json:"gone"`       // that Git ignores, and no snapshot has
	Altered   []string    `json:"changed"`    // the same, that are there and were written to since
	Pushed    []string    `json:"pushed"`     // what remotes have of what goes back
	Lost      []string    `json:"cannot_be_undone"`
	Trees     []lostTree  `json:"work_trees"` // that are gone, and come back by a command of their own
	Failed    []string    `json:"failed"`
	Elsewhere []placeJSON `json:"elsewhere,omitempty"` // where else the turns changed files
	Running   string      `json:"running,omitempty"`   // the session that is in the middle of a turn here
}

// takeBack shows a plan, asks where it must, and does it.
func (e *env) takeBack(u *undoing, cmd *cobra.Command, args []string, ch *change) error {
	now, err := checkpoint.SnapshotAt(u.r, ch.now.Snapshot)
	if err != nil {
		return err
	}
	o := undo.Options{Force: u.force, Stays: e.stands(u.r)}
	if o.Paths, err = e.askedFiles(u, ch, now); err != nil {
		return err
	}
	u.asked = o.Paths
	e.ofCopies(u, ch, &o)
	plan, err := undo.Make(u.r, now, ch.spans, o)
	if err == nil && len(plan.Hidden) > 0 {
		o.Left = e.leftHidden(u, ch, plan.Hidden)
		if now, err = e.withHidden(u, ch, plan.Hidden); err == nil {
			plan, err = undo.Make(u.r, now, ch.spans, o)
		}
	}
	if err != nil {
		return err
	}
	if u.patch && !e.json && len(plan.Paths) > 0 { // it stands alone, so that it can be piped into git apply; JSON is no patch
		return plan.Patch(e.data(), u.r)
	}
	ch.settle(plan)
	if u.force && !ch.mirrors {
		if u.drops, err = dropped(u.r, now, ch, o, plan); err != nil {
			return err
		}
	}
	vault := e.fromVault(u, ch, plan, o.Paths)
	if u.dry {
		return e.showUndo(u, ch, plan, vault, nil)
	}
	if plan, err = e.askUndo(u, cmd, args, ch, plan, now, o, vault); err != nil {
		return err
	}
	if plan.Empty() && vault.empty() && u.line.Cut != nil { // the process that undid it was killed before it marked that as done
		e.reached(u, ch, nil)
	}
	if plan.Empty() && vault.empty() {
		if err := e.showUndo(u, ch, plan, vault, nil); err != nil {
			return err
		}
		e.furtherBack(u, ch)
		return errNo
	}
	return e.write(u, ch, plan, now, vault)
}

// write does what a plan says, and tells of it.
func (e *env) write(u *undoing, ch *change, plan *undo.Plan, now *checkpoint.Checkpoint, vault *copiesPlan) error {
	ch.settle(plan) // an answer may have made another one of it
	u.beyond = e.beyondOf(u, ch, plan, vault)
	if !u.shown {
		e.showDrops(u.drops)
	}
	step, blend, err := plan.Blend.Write(u.r, now, checkpoint.Step{Kind: checkpoint.StepUndo, Session: ch.session, Undoes: ch.keys, Again: ch.again, Forced: u.force, Since: ch.now.Snapshot, Were: ch.now.Vault, Prompt: ch.what}, time.Now())
	if err != nil {
		if errors.Is(err, repo.ErrRefMoved) {
			return hint(nof("nothing was changed: another moai keeps or takes back something here at this moment"), e.ofTime("moai undo --dry-run"))
		}
		return fmt.Errorf("nothing was changed: %w", err)
	}
	if err := putAside(u.r, plan.Aside); err != nil {
		return hint(fmt.Errorf("put aside what is in the way: %w", err), "moai undo")
	}
	removeEmpty(u.r, plan.Blend.InTheWay()) // a file cannot come where they are
	first := e.dropFirst(u, plan, vault)
	unkept := u.beyond.branches.keep(e, u, ch)
	res, err := checkpoint.Reach(u.ctx, u.r, now, blend, e.restoring(u.r, ch.session))
	if err != nil {
		return hint(err, "moai undo")
	}
	removeEmpty(u.r, plan.Blend.Unmade)
	failed := slices.Concat(res.Failed, first)
	if unkept == nil {
		unkept = u.beyond.branches.set(e, u)
	}
	if unkept != nil {
		failed = append(failed, checkpoint.Skip{Path: ".git/config", Why: oneLine(unkept.Error())})
	}
	if !vault.empty() {
		failed = append(failed, e.vaultBack(u, ch, vault)...)
	}
	e.reached(u, ch, failed)
	e.tellModel(u, ch, plan, vault)
	word := "undid "
	if ch.again {
		word = "brought again "
	}
	note := types.CheckpointRestored{Branch: "undo", Safety: step.Link.String()[:10], Session: ch.session}
	if ch.again {
		note.Again = &ch.again
	}
	if len(failed) == 0 {
		note.Turns = ch.numbers()
	}
	e.record(word+ch.what, note)
	u.written = true
	if err := e.showUndo(u, ch, plan, vault, failed); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errNo
	}
	return nil
}

// reached marks that an undo has come to its end. Where some of it failed the turn is not undone, so that the next one does the rest.
func (e *env) reached(u *undoing, ch *change, failed []checkpoint.Skip) {
	step := checkpoint.Step{Kind: checkpoint.StepUndone, Session: ch.session, Undoes: ch.keys, Again: ch.again}
	if len(failed) == 0 && ch.whole != nil {
		step.Undoes = ch.whole
	}
	if len(failed) > 0 {
		step.Why = term.Count(len(failed), "path") + " failed"
	}
	if _, _, err := checkpoint.Mark(u.ctx, u.r, e.saving(u.r, ch.session), step, true); err != nil {
		fmt.Fprintf(e.err, "moai: warning: %s\n", oneLine(err.Error()))
	}
}

// askUndo asks about what is more than people mostly mean, and plans anew where the answer takes more along.
func (e *env) askUndo(u *undoing, cmd *cobra.Command, args []string, ch *change, plan *undo.Plan, now *checkpoint.Checkpoint, o undo.Options, vault *copiesPlan) (*undo.Plan, error) {
	refuse := func(what string) error { return e.unasked("nothing was changed: "+what, again(cmd, args)+" --yes") }
	if id := e.running(u.r); id != "" && !e.yes {
		if !e.confirm(fmt.Sprintf("Session %s is in the middle of a turn and goes on with the files. Undo all the same?", term.Text(session.Short(id)))) {
			return nil, refuse("session " + term.Text(session.Short(id)) + " is in the middle of a turn")
		}
	}
	unsure := 0
	for _, k := range plan.Kept {
		if k.Unsure {
			unsure++
		}
	}
	asked := term.IsTerminal(e.in) && !e.yes
	if unsure > 0 && asked {
		for _, k := range plan.Kept {
			if k.Unsure {
				e.row("  ? %s", term.Name(k.Path))
			}
		}
		if e.confirm(fmt.Sprintf("Nobody knows whether this session changed %s: take them back as well?", term.Count(unsure, "file"))) {
			o.Guess = true
			var err error
			if plan, err = undo.Make(u.r, now, ch.spans, o); err != nil {
				return nil, err
			}
		}
	}
	if many := len(plan.Paths) > manyUndone || plan.Bytes > muchUndone; many && !e.yes {
		size := fmt.Sprintf("%s, %s", term.Count(len(plan.Paths), "file"), checkpoint.Size(plan.Bytes))
		if !e.confirm("That changes " + size + ". Go on?") {
			return nil, refuse("that changes " + size)
		}
	} else if asked && len(args) == 0 && !(plan.Empty() && vault.empty()) {
		if err := e.showUndo(u, ch, plan, vault, nil); err != nil {
			return nil, err
		}
		if !e.goOn("Do that?") {
			return nil, refuse("you said no")
		}
		u.shown = true
	}
	return plan, nil
}

// tellModel leaves word for the models whose tree has changed under them.
func (e *env) tellModel(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan) {
	verb := "took back what was done for"
	if ch.again {
		verb = "brought again what was done for"
	}
	text := fmt.Sprintf("moai: the user %s %q. The work tree is no more what you left. Read files again before you go on from what you remember.", verb, ch.what)
	var did deeds
	about := slices.Clone(ch.keys)
	for _, p := range plan.Paths {
		did.add(p.Does, p.Path)
		about = append(about, p.Path)
	}
	did.add(undo.Returns, vault.back...)
	did.add(undo.Deletes, vault.gone...)
	text += did.text()
	if refs := slices.Concat(refsText(plan), u.beyond.branches.texts()); len(refs) > 0 {
		text += "\nReferences: " + strings.Join(refs, ", ") + "."
	}
	if err := undo.Note(e.stateDir(), ch.session, strings.Join(about, "\x00"), text); err != nil {
		fmt.Fprintf(e.err, "moai: warning: the agent is not told: %s\n", oneLine(err.Error()))
	}
}

// refsText names what becomes of references.
func refsText(plan *undo.Plan) (out []string) {
	for _, m := range plan.Moves {
		name := term.Name(strings.TrimPrefix(m.Ref, "refs/heads/"))
		switch {
		case m.To.IsZero():
			out = append(out, name+" goes ("+short(m.From)+")")
		case m.From.IsZero():
			out = append(out, name+" comes back at "+short(m.To))
		default:
			out = append(out, name+" from "+short(m.From)+" to "+short(m.To))
		}
	}
	if plan.Head != "" {
		out = append(out, "HEAD on "+term.Text(plan.Head))
	}
	if plan.Underway != "" {
		out = append(out, term.Text(plan.Underway))
	}
	return out
}

// showUndo prints what an undo comes to, or came to.
func (e *env) showUndo(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan, failed []checkpoint.Skip) error {
	b := u.beyond
	if b == nil {
		b = e.beyondOf(u, ch, plan, vault)
	}
	if e.json {
		j := undoJSON{Before: ch.what, Again: ch.again, Session: ch.session, DryRun: u.dry, Paths: append([]undo.Path{}, plan.Paths...), Kept: keptBy(plan, vault), Aside: asideNames(plan.Aside), Dropped: u.drops, Stuck: ch.stuck, Folders: append([]string{}, aside(plan)...), Refs: slices.Concat([]string{}, refsText(plan), b.branches.texts()), Index: plan.Index, Bytes: plan.Bytes, Vault: append([]string{}, vault.back...), VaultGone: append([]string{}, vault.gone...), Gone: []string{}, Altered: append([]string{}, b.altered...), Pushed: append([]string{}, b.pushed...), Lost: append([]string{}, b.lost...), Failed: []string{}, Trees: append([]lostTree{}, u.lost...), Running: e.running(u.r), Elsewhere: b.elsewhere}
		for _, k := range b.gone {
			j.Gone = append(j.Gone, k.Path)
		}
		for _, k := range failed {
			j.Failed = append(j.Failed, k.Path+": "+k.Why)
		}
		return e.printJSON(j)
	}
	if u.shown {
		e.row("%s: %s (%s)", u.heads(ch, plan, vault), term.Text(ch.what), term.Count(max(0, len(plan.Paths)+len(vault.back)+len(vault.gone)-len(failed)), "file"))
		e.showRest(u, ch, keptBy(plan, vault), failed, true)
		return nil
	}
	e.showChanges(u, ch, plan, vault, b.branches, failed)
	if !u.written {
		e.showDrops(u.drops)
	}
	e.showKept(u, ch, plan, vault, failed)
	e.showUntouched(u, ch, plan, vault)
	e.showAside(plan.Aside)
	e.showBeyond(u, b)
	if since := e.behindGit(); since != "" {
		fmt.Fprintf(e.err, "moai: hint: %s\n", since)
	}
	return nil
}

// showBeyond tells of what an undo does not take back.
func (e *env) showBeyond(u *undoing, b *beyond) {
	e.showGone(b.gone)
	e.showAltered(b.altered)
	e.showLost(u.lost)
	for _, text := range b.pushed {
		fmt.Fprintf(e.err, "moai: pushed: %s\n", term.Text(text))
	}
	for _, text := range b.lost {
		fmt.Fprintf(e.err, "moai: cannot be undone: %s\n", term.Text(text))
	}
	for _, one := range b.elsewhere {
		what := term.Count(one.Files, "file") + " in "
		if one.Files == 0 { // a commit, or another branch
			what = ""
		}
		if one.Command == "" {
			fmt.Fprintf(e.err, "moai: also changed: %s%s, of which there is no snapshot\n", what, term.Name(one.Dir))
			continue
		}
		fmt.Fprintf(e.err, "moai: also changed: %s%s\nmoai: hint: %s\n", what, term.Name(one.Dir), term.Text(one.Command))
	}
}

// showUntouched names the files that were asked for and in which there is nothing to take back.
func (e *env) showUntouched(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan) {
	for i, f := range u.files {
		rel := u.asked[i]
		in := func(path string) bool { return within(path, []string{rel}) }
		if slices.ContainsFunc(slices.Concat(vault.back, vault.gone), in) ||
			slices.ContainsFunc(plan.Paths, func(p undo.Path) bool { return in(p.Path) }) ||
			slices.ContainsFunc(slices.Concat(plan.Kept, vault.kept), func(k undo.Kept) bool { return in(k.Path) }) ||
			slices.ContainsFunc(aside(plan), func(text string) bool { return strings.Contains(text, rel) }) {
			continue
		}
		fmt.Fprintf(e.err, "moai: in %s there is nothing to take back\n", term.Name(f))
		if n := e.touchedBefore(u, ch, rel); n > 0 {
			fmt.Fprintf(e.err, "moai: hint: %s is about the last prompt for which it was changed\n", u.withFile(n, f))
		}
	}
}

// touchedBefore is how many turns back a path was changed last, behind those that are taken back; 0 where that is not known.
func (e *env) touchedBefore(u *undoing, ch *change, path string) int {
	own := slices.DeleteFunc(slices.Clone(u.line.Turns), func(t undo.Turn) bool { return t.Undone || t.Session != ch.session })
	if ch.again || ch.only != "" || len(own) <= len(ch.turns) {
		return 0
	}
	own = own[:min(len(own), sizedTurns)]
	at, err := u.line.Touched(u.r, own, e.edits(u.r, own), path)
	if err != nil || at < len(ch.turns) {
		return 0
	}
	return at + 1
}

// withFile is the line that takes back the newest n turns in one file.
func (u *undoing) withFile(n int, file string) string {
	words := []string{"moai", "undo", strconv.Itoa(n)}
	if u.session != "" {
		words = append(words, "--session", u.session)
	}
	return argv.Quote(append(words, "--file", file)...)
}

// heads says in a word or two whether something was done, or would be.
func (u *undoing) heads(ch *change, plan *undo.Plan, vault *copiesPlan) string {
	texts := [...]string{"back to before", "would go back to before", "went back to before"}
	if ch.again {
		texts = [...]string{"again as after", "would be again as after", "is again as after"}
	}
	switch {
	case u.written:
		return texts[2]
	case u.dry || !plan.Empty() || !vault.empty():
		return texts[1]
	}
	return texts[0]
}

// showChanges prints a line for each file and reference that changes.
func (e *env) showChanges(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan, branches *branchPlan, failed []checkpoint.Skip) {
	s := e.style()
	e.row("%s: %s", u.heads(ch, plan, vault), s.Bold(term.Text(ch.what)))
	marks := map[string]string{undo.Writes: "~", undo.Deletes: "-", undo.Returns: "+", undo.Merges: "m"}
	not := func(path string) bool {
		return slices.ContainsFunc(failed, func(k checkpoint.Skip) bool { return k.Path == path })
	}
	first := slices.DeleteFunc(slices.Clone(plan.Paths), func(p undo.Path) bool { return not(p.Path) })
	// What somebody else has changed as well is not lost among the others.
	slices.SortStableFunc(first, func(a, b undo.Path) int {
		switch merges := a.Does == undo.Merges; {
		case merges == (b.Does == undo.Merges):
			return 0
		case merges:
			return -1
		}
		return 1
	})
	if len(failed) == 0 {
		first = e.showMoved(plan, first)
	}
	for i, p := range first {
		if i == shownUndone {
			e.row("  … and %d more, %s", len(first)-i, doing(first))
			break
		}
		lines := ""
		if p.Added+p.Remove > 0 {
			lines = fmt.Sprintf("  +%d −%d", p.Added, p.Remove)
		}
		e.row("  %s %s%s", marks[p.Does], term.Name(p.Path), s.Dim(lines))
	}
	for _, p := range slices.DeleteFunc(slices.Clone(vault.back), not) {
		e.row("  + %s%s", term.Name(p), s.Dim("  from the vault"))
	}
	for _, p := range slices.DeleteFunc(slices.Clone(vault.gone), not) {
		e.row("  - %s%s", term.Name(p), s.Dim("  the vault has it"))
	}
	for _, text := range slices.Concat(refsText(plan), branches.texts()) {
		e.row("  > %s", text)
	}
	if plan.Index {
		e.row("  > what is staged, as it was then")
	}
	for i, text := range aside(plan) {
		if i == shownUndone {
			e.row("  … and more folders and permissions")
			break
		}
		e.row("  %s", text)
	}
	if plan.Empty() && vault.empty() {
		e.row("  nothing changes")
	}
}

// doing counts what becomes of files.
func doing(list []undo.Path) string {
	n := map[string]int{}
	for _, p := range list {
		n[p.Does]++
	}
	text := term.Count(len(list), "file") + " in all"
	for _, one := range [...]struct{ does, word string }{{undo.Returns, "come back"}, {undo.Deletes, "go"}, {undo.Writes, "change"}, {undo.Merges, "are merged"}} {
		if n[one.does] > 0 {
			text += fmt.Sprintf(", %d %s", n[one.does], one.word)
		}
	}
	return text
}

// aside names the empty folders that come and go, and what changes in permissions alone.
func aside(plan *undo.Plan) (out []string) {
	b := &plan.Blend
	for _, d := range slices.Sorted(slices.Values(b.Empty)) {
		out = append(out, "+ "+term.Name(d)+"/")
	}
	for _, d := range slices.Sorted(slices.Values(b.Unmade)) {
		out = append(out, "- "+term.Name(d)+"/")
	}
	for _, d := range plan.Folders {
		out = append(out, fmt.Sprintf("~ %s/  permissions %03o", term.Name(d), b.FolderModes[d]))
	}
	for _, p := range slices.Sorted(maps.Keys(b.Modes)) {
		if !slices.ContainsFunc(b.Files, func(ch checkpoint.Change) bool { return ch.Path == p }) {
			out = append(out, fmt.Sprintf("~ %s  permissions %03o", term.Name(p), b.Modes[p]))
		}
	}
	return out
}

// keptBy are the paths that stay. What comes back from the vault is none of them.
func keptBy(plan *undo.Plan, vault *copiesPlan) []undo.Kept {
	kept := slices.DeleteFunc(slices.Clone(plan.Kept), func(k undo.Kept) bool {
		said := func(other undo.Kept) bool { return other.Path == k.Path && other.InWay }
		return slices.Contains(vault.back, k.Path) || slices.ContainsFunc(vault.kept, said)
	})
	return append(append([]undo.Kept{}, kept...), vault.kept...)
}

// showKept tells what stays as it is, and how to go on.
func (e *env) showKept(u *undoing, ch *change, plan *undo.Plan, vault *copiesPlan, failed []checkpoint.Skip) {
	kept := keptBy(plan, vault)
	for i, k := range kept {
		if i == shownUndone {
			fmt.Fprintf(e.err, "moai: kept: %d more\n", len(kept)-i)
			break
		}
		if k.Forced && slices.Contains(ch.stuck, k.Turn) {
			fmt.Fprintf(e.err, "moai: %s: turn %d is kept (%s)\n", term.Name(k.Path), k.Turn, term.Text(k.Why))
			continue
		}
		fmt.Fprintf(e.err, "moai: kept: %s (%s)\n", term.Name(k.Path), term.Text(k.Why))
	}
	e.showRest(u, ch, kept, failed, u.written)
}

// showRest tells what did not work, and how to go on, behind an undo or before it.
func (e *env) showRest(u *undoing, ch *change, kept []undo.Kept, failed []checkpoint.Skip, done bool) {
	back, rest := e.ofTime("moai undo redo"), "moai undo"
	if ch.again {
		back, rest = e.ofTime("moai undo"), "moai undo redo"
	}
	switch more := slices.ContainsFunc(kept, func(k undo.Kept) bool { return k.Unsure || k.Forced }); {
	case more && done && len(ch.stuck) > 0 && len(u.files) == 0: // their turns come first in the list now
		fmt.Fprintf(e.err, "moai: hint: %s takes what is kept of %s as well, with what others changed there\n", e.ofTime(u.forced(len(ch.stuck))), turnNumbers(ch.stuck))
	case more && done: // once more is about what comes before
		fmt.Fprintf(e.err, "moai: hint: %s, and then the same with --force, takes these back as well\n", back)
	case more:
		fmt.Fprintln(e.err, "moai: hint: --force takes these back as well")
	}
	e.showBack(u, ch, kept)
	if slices.ContainsFunc(kept, func(k undo.Kept) bool { return k.InWay }) {
		then := e.ofTime("moai undo")
		if done { // once more alone would be about what comes before
			then = back + ", and " + e.ofTime(rest)
		}
		fmt.Fprintf(e.err, "moai: hint: move what is in the way elsewhere (of a repository its .git), then %s\n", then)
	}
	for _, k := range failed {
		fmt.Fprintf(e.err, "moai: not taken back: %s (%s)\n", term.Name(k.Path), term.Text(k.Why))
	}
	if len(failed) > 0 {
		fmt.Fprintf(e.err, "moai: hint: %s tries these again\n", e.ofTime(rest))
	}
	if done && ch.forced { // what somebody else had then is there again
		back += " --force"
	}
	if done {
		fmt.Fprintf(e.err, "moai: hint: %s takes this back\n", back)
	}
}
