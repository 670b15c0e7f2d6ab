package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// commit looks up, before a commit, how the tests of what it will hold have ended. It runs nothing, and is about the line as the guard has read it.
func (h *Handlers) commit(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	mode := h.Config.String("quality.commit")
	p := h.pending.Load()
	if mode == "off" || h.DryRun || p == nil || p.event != e || len(p.verdict.Commits) == 0 || h.stopped(e) || h.Tables.Quality == nil {
		return hook.Answer{}, nil
	}
	c := &p.verdict.Commits[0]
	r, err := repo.Open(c.Dir)
	if err != nil || r.Bare() {
		return hook.Answer{}, nil
	}
	if c.After && slices.ContainsFunc(h.Tables.Risks.Ran(p.in.Command, e.CWD, h.Home, h.Tables.Commands), func(ran risk.Ran) bool {
		return ran.Type == types.TestFailed{}.Entry().Name
	}) {
		return hook.Answer{}, nil // it tests first, and commits only if they pass
	}
	files, err := receipt.Look(ctx, r, r.DirCacheIn(h.StateDir))
	if err != nil {
		h.Log.Info("no receipt", "err", err)
		return hook.Answer{}, nil
	}
	take := taking(c, r)
	name, left := files.Commit(take)
	if !c.Sure {
		name = "" // what it holds is not known before
	}
	whole := files.Work()
	if found := receipt.Find(h.StateDir, r.WorkTree, receipt.Test, name); found != nil {
		return h.tested(e, found, mode), nil
	}
	if found := receipt.Find(h.StateDir, r.WorkTree, receipt.Test, whole); found != nil && name != whole {
		return h.testedWhole(e, found, left, c.Sure), nil
	}
	if !h.holdsCode(r, files.Taken(take)) || h.TestCommand(ctx, r.WorkTree) == "" {
		return hook.Answer{}, nil
	}
	if h.testsCommit() {
		found, why := h.testNow(ctx, e, r, whole)
		switch {
		case found == nil:
			return hook.Answer{Context: []string{"moai: the tests were run before this commit, and how they end is not known: " + why + ". Run `moai test`."}}, nil
		case name == whole:
			return h.tested(e, found, mode), nil
		}
		return h.testedWhole(e, found, left, c.Sure), nil
	}
	if slices.Contains(h.who(e).Told, untoldEnd) {
		return h.adviseOnce(e, "receipt:piped", "moai: the tests ran in this session, and moai cannot tell how they ended: the line that ran them does not end as they do (a pipe, `|| true`, another command behind them). Run `moai test`, or the tests by themselves."), nil
	}
	return h.adviseOnce(e, "receipt:none", "moai: as far as moai has seen, the tests have not run since the files of this commit were changed. `moai test` runs them, and keeps how they end for the files as they are."), nil
}

// taking is what a commit takes, relative to the work tree.
func taking(c *risk.Commit, r *repo.Repo) *receipt.Taking {
	t := &receipt.Taking{All: c.All, Every: c.Every, Only: c.Only}
	root := disk.Real(r.WorkTree)
	within := func(list []string) (paths []string) {
		for _, p := range list {
			if rel, err := filepath.Rel(root, disk.Real(filepath.FromSlash(p))); err == nil && filepath.IsLocal(rel) {
				if rel == "." {
					rel = ""
				}
				paths = append(paths, filepath.ToSlash(rel))
			}
		}
		return paths
	}
	t.Paths, t.Tracked = within(c.Paths), within(c.Tracked)
	return t
}

// tested answers a commit of files of which a run is known.
func (h *Handlers) tested(e *hook.Event, found *receipt.Receipt, mode string) hook.Answer {
	switch {
	case found.Green():
	case found.Red():
		text := fmt.Sprintf("tests failed on what this commit holds, %s (`%s`, exit code %d):\n%s", agoOf(h.now().Sub(found.At)), term.Text(found.Command), found.Exit, whatFailed(found))
		if mode == "strict" {
			return hook.Answer{Decision: hook.Deny, Reason: "moai stopped the commit: " + text +
				"\n  mend them and run `moai test`; only a person can let it through: quality.commit = warn"}
		}
		return hook.Answer{
			Context: []string{"moai: " + text + "\n  Tell the user that this commit does not pass its tests, or mend it."},
			System:  "moai: tests failed on what this commit holds (`" + term.Text(found.Command) + "`)",
		}
	case found.Outcome == receipt.Failure:
		return h.adviseOnce(e, "receipt:failure", "moai: the tests could not be run on what this commit holds (`"+term.Text(found.Command)+"`, exit code "+fmt.Sprint(found.Exit)+"): they say nothing about it.")
	case found.NoTests:
		return h.adviseOnce(e, "receipt:empty", "moai: `"+term.Text(found.Command)+"` ended well on what this commit holds, and ran no test.")
	case found.Part && found.Beside != "":
		return h.adviseOnce(e, "receipt:beside", fmt.Sprintf("moai: `%s` passed on what this commit holds; the project's tests are `%s`, and whether these are all of them is not known. `moai test` runs them.", term.Text(found.Command), term.Text(found.Beside)))
	case found.Part:
		return h.adviseOnce(e, "receipt:part", "moai: of what this commit holds, only some of the tests were run (`"+term.Text(found.Command)+"`). `moai test` runs all of them.")
	}
	return hook.Answer{}
}

// testedWhole answers a commit of a part of the files that were tested, or of others, where what it holds is not sure. It stops nothing: nobody knows how the tests of that part end.
func (h *Handlers) testedWhole(e *hook.Event, found *receipt.Receipt, left []string, sure bool) hook.Answer {
	how := "passed"
	switch {
	case found.Red():
		how = "failed"
	case !found.Green():
		return hook.Answer{}
	}
	if !sure {
		return h.adviseOnce(e, "receipt:"+found.Tree, fmt.Sprintf("moai: tests %s on the files as they are, and this line changes them before it commits: what the commit will hold was not tested.", how))
	}
	names := "other changes"
	if len(left) > 0 {
		names = term.Clip(term.Text(strings.Join(left[:min(len(left), shownUnverified)], ", ")), promptRunes)
	}
	return h.adviseOnce(e, "receipt:"+found.Tree, fmt.Sprintf("moai: tests %s on the files as they are, and this commit leaves out %s: what it holds was not tested by itself.", how, names))
}

// adviseOnce tells the model something once in a session.
func (h *Handlers) adviseOnce(e *hook.Event, what, text string) hook.Answer {
	if !h.firstTime(e, what) {
		return hook.Answer{}
	}
	return hook.Answer{Context: []string{text}}
}

// firstTime reports that something was not said in a session before, and notes that it is now.
func (h *Handlers) firstTime(e *hook.Event, what string) bool {
	if !h.who(e).Tell(what) {
		return false
	}
	h.learn(e, func(s *session.Session) { s.Tell(what) })
	return true
}

// mostJudged is how many paths of a commit are asked for their kind.
const mostJudged = 60

// holdsCode reports that one of the paths is of a kind that tests are about.
func (h *Handlers) holdsCode(r *repo.Repo, paths []string) bool {
	if h.Tables.Verify.Agents == nil {
		return true
	}
	return slices.ContainsFunc(paths[:min(len(paths), mostJudged)], func(rel string) bool {
		k := h.Tables.Verify.Kind(&verify.File{Path: r.Path(rel)}, rel)
		return k != nil && k.Needs == codeNeed
	})
}
