package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/lint"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// shownFresh is how many findings are told, with the line that counts the others.
const shownFresh = 9

// checks reports that the user has linters and type checks run at the end of a turn.
func (h *Handlers) checks() bool { return Runs(h.Config, "Stop") && !h.DryRun }

// checking is what a session knows of its checks.
type checking struct {
	Off   map[string]string `json:"off,omitempty"`   // why one is not run again, by its command
	Moved map[string]bool   `json:"moved,omitempty"` // files have changed while it ran, by its command
	Asked int               `json:"asked,omitempty"` // the turn, and one, in which the model was asked to mend what is new
	Held  int               `json:"held,omitempty"`  // how often in a row the end of a turn was held up
	In    int               `json:"in,omitempty"`    // the turn, and one, in which that was last
}

// checkingPath is where that is kept: the rest of a session's record is written behind an answer that holds a turn up, and so not at all.
func (h *Handlers) checkingPath(e *hook.Event) string {
	return filepath.Join(h.StateDir, formats, state.SafeName(e.SessionID)+".checks.json")
}

// checked runs the linter and the type check of what a turn has changed, where the user has that done, and tells what they find that was not there when
// the turn began. A run of the very same files is looked up, whoever had it run.
func (h *Handlers) checked(ctx context.Context, e *hook.Event) hook.Answer {
	if !h.checks() || h.Tables.Quality == nil || h.yields(e) != "" {
		return hook.Answer{}
	}
	r, err := repo.Open(root(e))
	if err != nil || r.Bare() {
		return hook.Answer{}
	}
	changed := h.turnChanged(e, r)
	if len(changed) == 0 || !h.holdsCode(r, changed) {
		return hook.Answer{}
	}
	report := h.tools(ctx, r.WorkTree)
	tree := h.filesOf(ctx, r)
	if report == nil || tree == "" {
		return hook.Answer{}
	}
	begins := h.turnStart(e, r)
	var fresh []lint.Finding
	var ran, off []string
	for _, c := range h.checksOf(report, changed) {
		var found *receipt.Receipt
		var why string
		if c.Fixes == "" {
			found, why = h.checkNow(ctx, e, r, tree, &c)
		} else {
			why = h.checkOff(e, &c, "it would change files ("+c.Fixes+"); one that only looks can be named: moai config set quality.lint_command")
		}
		if why != "" {
			off = append(off, why)
		}
		if found == nil {
			continue
		}
		if list := h.freshOf(r, begins, changed, found); len(list) > 0 {
			fresh, ran = append(fresh, lint.New(list, fresh)...), append(ran, "`"+term.Text(found.Command)+"`")
		}
	}
	a := hook.Answer{System: strings.Join(off, "\n")}
	if len(fresh) > 0 {
		a.Merge(h.tellFindings(e, fresh, ran))
	}
	return a
}

// turnChanged are the files of a work tree that the session has changed in this turn, relative to it.
func (h *Handlers) turnChanged(e *hook.Event, r *repo.Repo) (list []string) {
	s, base := h.who(e), disk.Real(r.WorkTree)
	for _, w := range s.Wrote {
		if w.At.Before(s.Turn.Began) {
			continue
		}
		if rel, err := filepath.Rel(base, disk.Real(w.Path)); err == nil && filepath.IsLocal(rel) {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// turnStart is the commit that holds the files as they were when the turn began: a snapshot of the timeline, else HEAD; zero for none.
func (h *Handlers) turnStart(e *hook.Event, r *repo.Repo) repo.Hash {
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if at := open.Start(); !at.IsZero() {
		return at
	}
	if head, err := r.Head(); err == nil && !head.Unborn {
		return head.Hash
	}
	return repo.Hash{}
}

// check is a command that checks a project.
type check struct {
	Kind receipt.Kind
	Dir  string // below the root, with slashes; "" is the root
	Line string
	// Fixes is the word by which it changes files: such a one is not run.
	Fixes string
}

// checksOf are the checks of the projects in which files were changed, the innermost of each file, and each command once.
func (h *Handlers) checksOf(report *lang.Report, changed []string) (list []check) {
	asked := map[string]bool{}
	add := func(kind receipt.Kind, dir, own string, t *lang.Tool) {
		line, fixes := own, ""
		if line == "" && t != nil {
			if line = t.Lines; line == "" {
				line, fixes = t.Command, t.Fixes
			}
		}
		if line == "" || asked[dir+"\x00"+line] {
			return
		}
		asked[dir+"\x00"+line] = true
		list = append(list, check{kind, dir, line, fixes})
	}
	ownLint, ownTypes := h.Config.String("quality.lint_command"), h.Config.String("quality.typecheck_command")
	for _, rel := range changed {
		dir, tools := "", &report.Tools
		for i := range report.Projects {
			p := &report.Projects[i]
			if len(p.Path) > len(dir) && strings.HasPrefix(rel, p.Path+"/") && p.Tools.Linter != nil {
				dir, tools = p.Path, &p.Tools
			}
		}
		if ownLint != "" {
			add(receipt.Lint, "", ownLint, nil)
		} else {
			add(receipt.Lint, dir, "", tools.Linter)
		}
		if ownTypes != "" {
			add(receipt.Typecheck, "", ownTypes, nil)
		} else {
			add(receipt.Typecheck, dir, "", tools.Typecheck)
		}
	}
	return list
}

// checkNow is how a check ends for the files as they are. One that does not end in time, or floods, is not run again in this session, which why says once.
func (h *Handlers) checkNow(ctx context.Context, e *hook.Event, r *repo.Repo, tree string, c *check) (found *receipt.Receipt, why string) {
	kind := c.Kind
	if c.Dir != "" {
		kind = receipt.Kind(string(kind) + "." + state.SafeName(c.Dir))
	}
	if found := receipt.Find(h.StateDir, r.WorkTree, kind, tree); found != nil && found.Command == h.shownLine(c.Line) { // by another one it says less
		return found, ""
	}
	keep := h.checkingPath(e)
	var known checking
	state.Read(keep, sessionTTL, &known)
	if known.Off[c.Line] != "" {
		return nil, ""
	}
	dir := filepath.Join(r.WorkTree, filepath.FromSlash(c.Dir))
	out, err := h.run(ctx, e, dir, c.Line)
	if err != nil {
		return nil, h.checkOff(e, c, term.OneLine(h.mask(err.Error()), promptRunes))
	}
	if h.filesOf(ctx, r) != tree {
		return nil, h.checkMoved(e, c)
	}
	found = h.receiptOf(e, kind, tree, r.WorkTree, c.Line, out)
	found.Found = receipt.Findings(out.Text, r.WorkTree, dir, h.rules().Mask)
	if err := receipt.Put(h.StateDir, r.WorkTree, found); err != nil {
		h.Log.Warn("receipt not kept", "err", err)
	}
	return found, ""
}

// checkOff has a check not run again in this session, and says so the first time.
func (h *Handlers) checkOff(e *hook.Event, c *check, cause string) (said string) {
	if err := state.Update(h.checkingPath(e), sessionTTL, func(k *checking) bool {
		if k.Off[c.Line] != "" {
			return false
		}
		if k.Off == nil {
			k.Off = map[string]string{}
		}
		k.Off[c.Line] = cause
		said = "moai: `" + term.Text(term.OneLine(h.mask(c.Line), promptRunes)) + "` is off for this session: " + cause
		return true
	}); err != nil {
		h.Log.Warn("check not noted", "err", err)
	}
	return said
}

// checkMoved says that files changed while a check ran. Once a person may have edited one meanwhile; a check to which that happens again writes
// files itself, and is not run again.
func (h *Handlers) checkMoved(e *hook.Event, c *check) (said string) {
	again := false
	if err := state.Update(h.checkingPath(e), sessionTTL, func(k *checking) bool {
		if again = k.Moved[c.Line]; again {
			return false
		}
		if k.Moved == nil {
			k.Moved = map[string]bool{}
		}
		k.Moved[c.Line] = true
		return true
	}); err != nil {
		h.Log.Warn("check not noted", "err", err)
	}
	if again {
		return h.checkOff(e, c, "files changed while it ran: see `git status`")
	}
	return "moai: files changed while `" + term.Text(term.OneLine(h.mask(c.Line), promptRunes)) + "` ran, so what it found is not told: see `git status`"
}

// freshOf are the findings that were not there when the turn began: by a run of the files as they were then, where one is known, else those on lines that the
// turn has changed.
func (h *Handlers) freshOf(r *repo.Repo, begins repo.Hash, changed []string, found *receipt.Receipt) []lint.Finding {
	if found.Outcome == receipt.Failure || len(found.Found) == 0 {
		return nil
	}
	if c, err := r.Commit(begins); err == nil {
		if name, err := receipt.NameTree(r, c.Tree); err == nil {
			if before := receipt.Find(h.StateDir, r.WorkTree, found.Kind, name); before != nil && before.Outcome != receipt.Failure && before.Command == found.Command {
				return lint.New(found.Found, before.Found)
			}
		}
	}
	ours := map[string]bool{}
	for _, rel := range changed {
		ours[rel] = true
	}
	return lint.On(found.Found, func(rel string) func(int) bool {
		if !ours[rel] {
			return nil
		}
		now, _, err := disk.ReadFile(r.Path(rel), mostFile)
		if err != nil {
			return nil
		}
		var was []byte
		if !begins.IsZero() {
			was, _ = blobAt(r, begins, rel)
		}
		is := diff.Changed(was, now)
		return func(line int) bool { return line >= 1 && line <= len(is) && is[line-1] }
	})
}

// tellFindings tells what is new, in ten lines at most.
func (h *Handlers) tellFindings(e *hook.Event, fresh []lint.Finding, ran []string) hook.Answer {
	block := h.Config.String("quality.check") == "block" && h.asksOnce(e)
	do := ":"
	if block {
		do = "; mend them, or say why they stay, which you are asked once a turn:"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "moai: %s not there when this turn began (%s)%s", foundWords(len(fresh)), strings.Join(ran, ", "), do)
	for i := range fresh[:min(len(fresh), shownFresh)] {
		f := &fresh[i]
		if i == shownFresh-1 && len(fresh) > shownFresh {
			fmt.Fprintf(&b, "\n  and %d more", len(fresh)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s:%d: %s", term.Text(f.Path), f.Line, term.Clip(term.Text(f.Text), promptRunes))
		h.note(e, fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Text), types.QualityWarning{Path: f.Path})
	}
	if block {
		return hook.Answer{Decision: hook.Block, Reason: b.String()}
	}
	h.leaveModelWord(e, b.String())
	return hook.Answer{System: b.String()}
}

// asksOnce reports that the model was not asked in this turn, and notes that it is.
func (h *Handlers) asksOnce(e *hook.Event) (first bool) {
	turn := h.who(e).Turn.Number + 1
	err := state.Update(h.checkingPath(e), sessionTTL, func(k *checking) bool {
		first = k.Asked != turn
		k.Asked = turn
		return first
	})
	return first && err == nil
}

func foundWords(n int) string {
	if n == 1 {
		return "1 finding was"
	}
	return fmt.Sprintf("%d findings were", n)
}
