package handle

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// A repository inside another one gets a checkpoint of its own, in itself. That is no help where the call deletes the repository:
// the checkpoint and the whole history go along. Submodules and linked work trees are better off, since their history is elsewhere.

// goneTrees are the folders that a call deletes or moves away as a whole.
func goneTrees(v *risk.Verdict) map[string]bool {
	gone := map[string]bool{}
	for _, hit := range v.Hits {
		if hit.Rule.When.Effect&(rule.DeleteTree|rule.Move) != 0 {
			for _, t := range hit.Targets {
				if t.Class&rule.Unknown == 0 && t.Pattern == "" { // else something below it goes, as with find -name
					gone[t.Path] = true
				}
			}
		}
	}
	return gone
}

// pickedHistories lists the repositories whose history a pattern picks along with files: `rm -rf .[!.]*` is meant for dotfiles.
func pickedHistories(v *risk.Verdict) []string {
	var list []string
	for i := range v.Hits {
		if v.Hits[i].Rule.When.Effect&(rule.DeleteTree|rule.Move) == 0 {
			continue
		}
		for _, t := range v.Hits[i].Targets {
			dir, last := filepath.Split(t.Pattern)
			// Without a leading dot, shells take no names that begin with one.
			if dir = filepath.Clean(dir); !strings.HasPrefix(last, ".") || strings.ContainsAny(dir, "*?[") || slices.Contains(list, dir) {
				continue
			}
			if ok, err := path.Match(strings.ReplaceAll(last, "[!", "[^"), ".git"); (ok || err != nil) && isRepository(dir) {
				list = append(list, dir)
			}
		}
	}
	return list
}

// isRepository reports whether a folder holds a history.
func isRepository(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.IsDir()
}

// hasGitFile reports whether a folder is a submodule or a linked work tree.
func hasGitFile(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.Mode().IsRegular()
}

// anew is what makes a submodule or a linked work tree again, whose history is elsewhere,
// so that its checkpoint can be restored in it.
func anew(r *repo.Repo, cp *checkpoint.Checkpoint) string {
	dir, name := filepath.Split(r.WorkTree)
	if r.GitDir == r.CommonDir { // a submodule: only linked work trees share another one's folder
		return "git -C " + risk.Quote([]string{filepath.Clean(dir)}) + " submodule update --init " + risk.Quote([]string{name}) + " && "
	}
	at := []string{r.WorkTree, cp.On}
	if cp.On == "" {
		at = []string{"--detach", r.WorkTree, cp.Head.String()}
	}
	return "git worktree prune && git worktree add " + risk.Quote(at) + " && "
}

// wholeHistory says that a repository goes and that nothing can be saved of it in it.
func wholeHistory(dir string) error {
	return fmt.Errorf("%s is a repository of its own, which goes with its whole history", term.Name(dir))
}

// goesAlong lists the repositories inside a work tree that a call deletes with their histories, and submodules that it
// empties, whose histories stay.
func goesAlong(r *repo.Repo, cp *checkpoint.Checkpoint, in *risk.Input, v *risk.Verdict) (gone, emptied []string) {
	trees := goneTrees(v)
	cleaned := v.Operation == "clean" && forcedTwice(in.Command)
	deinit := slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Rule.Operation == "submodule" && slices.Contains(strings.Fields(hit.Text), "deinit")
	})
	var untracked []string
	if cleaned {
		untracked = cp.Repositories
		if ix, err := r.Index(); err == nil {
			untracked = slices.DeleteFunc(slices.Clone(untracked), func(p string) bool { _, found := ix.Find(p); return found })
		}
	}
	for _, p := range cp.Repositories {
		dir := r.Path(p)
		going := cleaned && slices.Contains(untracked, p)
		for up := filepath.Dir(dir); !going && len(up) >= len(r.WorkTree); up = filepath.Dir(up) {
			going = trees[up]
		}
		switch {
		case going && isRepository(dir):
			gone = append(gone, p)
		case going || deinit && hasGitFile(dir):
			emptied = append(emptied, p)
		}
	}
	return gone, emptied
}

// insideBack is the way back for a repository inside: a restore writes in its own repository only. There is none for one that
// goes with its history.
func insideBack(cp *shot, in checkpoint.Inner) string {
	if slices.Contains(cp.gone, in.Path) {
		return ""
	}
	dir := risk.Quote([]string{in.Path})
	back := "(cd " + dir + " && moai checkpoint restore " + strings.TrimPrefix(in.Name, "checkpoint/") + ")"
	if slices.Contains(cp.emptied, in.Path) {
		back = "git submodule update --init " + dir + " && " + back
	}
	return back
}

// forcedTwice reports whether a `git clean` may delete repositories: one -f leaves them alone.
func forcedTwice(command string) bool {
	n := 0
	for _, w := range strings.Fields(command) {
		switch {
		case w == "--force":
			n++
		case strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--"):
			n += strings.Count(w, "f")
		}
	}
	return n > 1
}
