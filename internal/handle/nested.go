package handle

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
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

// deletes lists the targets of a call that go or are moved away.
func deletes(v *risk.Verdict) (list []*risk.Target) {
	for i := range v.Hits {
		if hit := &v.Hits[i]; hit.Rule.When.Effect&(rule.DeleteTree|rule.Delete|rule.Move) != 0 {
			for j := range hit.Targets {
				list = append(list, &hit.Targets[j])
			}
		}
	}
	return list
}

// takesAlong tells of a repository whether a call deletes it or a part of its history.
func takesAlong(in *risk.Input, v *risk.Verdict) func(dir string) bool {
	return alsoAs(in, deletes(v), (*risk.Target).Takes)
}

// searched tells of a folder whether a call changes or deletes files that it finds there, or further down.
func searched(in *risk.Input, v *risk.Verdict) func(dir string) bool {
	var list []*risk.Target
	for i := range v.Hits {
		for j := range v.Hits[i].Targets {
			if t := &v.Hits[i].Targets[j]; v.Hits[i].Action != risk.Allow && t.Found() {
				list = append(list, t)
			}
		}
	}
	return alsoAs(in, list, func(t *risk.Target, p string) bool { return p == t.Path || strings.HasPrefix(p, t.Path+"/") })
}

// alsoAs asks the targets that go about a path, by its real name and as the line may name it: a project may be known by a link, and so may the folder in
// which names are picked.
func alsoAs(in *risk.Input, list []*risk.Target, is func(t *risk.Target, p string) bool) func(p string) bool {
	root := ground.Follow(in.Root)
	led := make([][2]string, len(list)) // such a folder, and where it leads
	for i, t := range list {
		dir := t.Path
		if at := strings.IndexAny(t.Pattern, "*?["); at >= 0 {
			dir = filepath.Dir(t.Pattern[:at] + "x")
		}
		if real := ground.Follow(dir); (t.Pattern != "" || t.Found()) && filepath.IsAbs(dir) && real != dir {
			led[i] = [2]string{dir, real + string(filepath.Separator)}
		}
	}
	return func(p string) bool {
		line := p
		if rel, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(rel) {
			line = filepath.Join(in.Root, rel)
		}
		for i, t := range list {
			rest, below := strings.CutPrefix(p, led[i][1])
			if is(t, filepath.ToSlash(p)) || line != p && is(t, filepath.ToSlash(line)) || below && led[i][1] != "" && is(t, filepath.ToSlash(filepath.Join(led[i][0], rest))) {
				return true
			}
		}
		return false
	}
}

// pickedHistories lists the repositories whose history, or a part of it, is a target itself: `rm -rf vendor/x/.git`, and `rm -rf .[!.]*`,
// which is meant for dotfiles.
func pickedHistories(v *risk.Verdict) (list []string) {
	for _, t := range deletes(v) {
		dir, _ := filepath.Split(t.Pattern)
		if dir = filepath.Clean(dir); t.Pattern == "" {
			var in bool
			// What says that an operation is under way is in the snapshot of the work tree.
			if dir, _, in = strings.Cut(filepath.ToSlash(t.Path)+"/", "/.git/"); !in || t.Names&rule.Underway != 0 {
				continue
			}
		}
		if !strings.ContainsAny(dir, "*?[") && !slices.Contains(list, dir) && ground.IsRepository(dir) && t.Takes(filepath.ToSlash(dir)) {
			list = append(list, dir)
		}
	}
	return list
}

// anew is what makes a submodule or a linked work tree again, whose history is elsewhere,
// so that its checkpoint can be restored in it.
func anew(r *repo.Repo, cp *checkpoint.Checkpoint, from string) string {
	dir, name := filepath.Split(r.WorkTree)
	if r.GitDir == r.CommonDir { // a submodule: only linked work trees share another one's folder
		if fill, ok := refill(r); ok {
			return fill
		}
		// By then a clone may be in its place, of this line or a later one.
		aside := checkpoint.PutAside(argv.Quote(r.WorkTree), argv.Quote(r.WorkTree+checkpoint.Aside))
		return aside + "git -C " + argv.Quote(filepath.Clean(dir)) + " submodule update --init " + argv.Quote(name) + " && "
	}
	// A session that is in no work tree of the same repository says which one is meant.
	git := "git"
	if here, err := repo.Open(ground.Existing(from)); err != nil || here.CommonDir != r.CommonDir || here.WorkTree == r.WorkTree {
		git += " -C " + argv.Quote(strings.TrimSuffix(r.CommonDir, string(filepath.Separator)+".git"))
	}
	return LinkAnew(git, r.WorkTree, cp.On, cp.Head)
}

// LinkAnew makes a linked work tree again whose folder is gone.
func LinkAnew(git, dir, branch string, head repo.Hash) string {
	at := []string{dir, branch}
	if branch == "" {
		at = []string{"--detach", dir, head.String()}
	}
	return git + " worktree prune && " + git + " worktree add " + argv.Quote(at...) + " && "
}

// refill makes a folder a work tree again whose history is elsewhere, where `git submodule update` cannot: .gitmodules is damaged or does not
// list it, or it is no submodule at all (git init --separate-git-dir). A file says where the history is. ok is false where Git does it.
func refill(r *repo.Repo) (line string, ok bool) {
	if around, err := repo.Open(filepath.Dir(r.WorkTree)); err == nil {
		if rel, err := filepath.Rel(around.WorkTree, r.WorkTree); err != nil || around.Listed(filepath.ToSlash(rel)) {
			return "", false
		}
	}
	dir := argv.Quote(r.WorkTree)
	return "mkdir -p " + dir + " && printf %s " + argv.Quote("gitdir: "+r.GitDir) + " > " + argv.Quote(filepath.Join(r.WorkTree, ".git")) + " && ", true
}

// linkedTo reports whether a folder of a work tree is another work tree of the same repository.
func linkedTo(r *repo.Repo, p string) bool {
	other, err := repo.Open(r.Path(p))
	return err == nil && other.CommonDir == r.CommonDir && other.GitDir != r.GitDir
}

// histories answers a call that deletes repositories: what is saved of one in it goes along.
func (h *Handlers) histories(in *risk.Input, v *risk.Verdict, gone []string, asking bool) hook.Answer {
	slices.Sort(gone)
	text := listed(slices.Compact(gone), 3) + ": a repository of its own goes with its whole history, which no snapshot brings back"
	if asking { // a person decides anyway, and now knows
		return hook.Answer{System: "moai: " + text}
	}
	return h.irrevocable(in, v, text+".")
}

// goesAlong lists the repositories inside a work tree that a call deletes with their histories, and submodules that it
// empties or may empty, whose histories stay.
func goesAlong(r *repo.Repo, cp *checkpoint.Checkpoint, in *risk.Input, v *risk.Verdict) (gone, emptied []string) {
	takes := takesAlong(in, v)
	tracked := func(p string) bool { return false }
	if len(cp.Repositories) > 0 {
		if ix, err := r.Index(); err == nil {
			tracked = func(p string) bool { // as a submodule, or by files that are of the repository around it
				i, found := ix.Find(p)
				if !found {
					i, _ = ix.Find(p + "/")
				}
				return i < ix.Len() && (found || strings.HasPrefix(ix.At(i).Path, p+"/"))
			}
		}
	}
	cleaned, deinit := forcedTwice(v), ofSubmodules(v, "deinit")
	recursed := recurses(r, v)
	for _, p := range cp.Repositories {
		dir := r.Path(p)
		going := cleaned && !tracked(p) || takes(dir)
		switch {
		case going && ground.IsRepository(dir):
			gone = append(gone, p)
		case going, (deinit || tracked(p) && (recursed || removes(r, in, v, p))) && ground.HasGitFile(dir):
			emptied = append(emptied, p)
		}
	}
	return gone, emptied
}

// ofSubmodules reports that subcommand of `git submodule`. Which submodules it means is not looked at: it may be all.
func ofSubmodules(v *risk.Verdict, subcommand string) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Rule.Operation == "submodule" && hit.Action != risk.Allow && slices.Contains(strings.Fields(hit.Text), subcommand)
	})
}

// unfilledSubmodules are the folders that `git submodule deinit` and `git rm` clear with all that is ignored in them, about which Git
// says nothing. What `git submodule foreach` runs in each may do that, too.
func unfilledSubmodules(r *repo.Repo, in *risk.Input, v *risk.Verdict) (list []string) {
	deinit := ofSubmodules(v, "deinit") || ofSubmodules(v, "foreach")
	if !deinit && !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Rule.Operation == "rm" && hit.Rule.Programs.Has("git") }) {
		return nil
	}
	ix, err := r.Index()
	if err != nil {
		return nil
	}
	for _, i := range ix.Trusted() {
		e := ix.At(i)
		if e.Mode == repo.ModeGitlink && len(list) < maxInside && ground.HasGitFile(r.Path(e.Path)) && (deinit || removes(r, in, v, e.Path)) {
			list = append(list, e.Path)
		}
	}
	return list
}

// shifted lists the repositories inside that a call gives another name: they are there, and no snapshot of the one around them moves them.
func shifted(r *repo.Repo, cp *checkpoint.Checkpoint, in *risk.Input, v *risk.Verdict, gone []string) (list []string) {
	moved := make([]*risk.Target, len(v.Moved))
	for i := range v.Moved {
		moved[i] = &v.Moved[i]
	}
	takes := alsoAs(in, moved, (*risk.Target).Takes)
	for _, p := range cp.Repositories {
		if takes(r.Path(p)) && !slices.Contains(gone, p) {
			list = append(list, p)
		}
	}
	return list
}

func hasOperation(v *risk.Verdict, operation string) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Rule.Operation == operation && hit.Action != risk.Allow })
}

// removes reports whether `git rm` is told to take a submodule away. What is no plain path may be any.
func removes(r *repo.Repo, in *risk.Input, v *risk.Verdict, submodule string) bool {
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Rule.Operation != "rm" || !hit.Rule.Programs.Has("git") || slices.Contains(strings.Fields(hit.Text), "--cached") {
			continue
		}
		w := wordsOf(hit.Text)
		if !w.plain || len(w.names) == 0 {
			return true
		}
		for _, name := range w.names {
			rel, err := filepath.Rel(r.WorkTree, filepath.Join(ground.Follow(in.Dir), filepath.FromSlash(name)))
			if strings.HasPrefix(name, ":") || strings.HasPrefix(name, "/") || err != nil || newReach([]string{filepath.ToSlash(rel)}).takes(submodule) {
				return true
			}
		}
	}
	return false
}

// insideBack is the way back for a repository inside: a restore writes in its own repository only. There is none for one that
// goes with its history. A submodule that is filled anew stands on a commit: with --refs it gets back onto its branch.
func insideBack(cp *shot, in checkpoint.Inner) string {
	if slices.Contains(cp.gone, in.Path) {
		return ""
	}
	fill := checkpoint.Filled
	switch {
	case slices.Contains(cp.emptied, in.Path):
		fill = checkpoint.Empty
	case slices.Contains(cp.mayEmpty, in.Path):
		fill = checkpoint.Perhaps
	}
	if cp.mends && slices.ContainsFunc(cp.Vaulted, func(p string) bool { return strings.HasPrefix(p, in.Path+"/") }) {
		return in.Back(cp.from(in.Path), checkpoint.Filled, cp.moved) // the way back around it makes it a work tree again
	}
	if slices.Contains(cp.shifted, in.Path) && ground.HasGitFile(filepath.Join(cp.root, filepath.FromSlash(in.Path))) {
		fill = checkpoint.Empty // the path in its .git leads nowhere from another folder: only its history is where it was
	}
	if fill == checkpoint.Empty && cp.root != "" {
		if sub, err := repo.Open(filepath.Join(cp.root, filepath.FromSlash(in.Path))); err == nil {
			if line, ok := refill(sub); ok && sub.GitDir == sub.CommonDir {
				return line + in.Back(cp.from(in.Path), checkpoint.Filled, true)
			}
			if head, err := sub.Head(); err == nil && sub.GitDir != sub.CommonDir {
				return LinkAnew("git", cp.from(in.Path), head.Branch, head.Hash) + in.Back(cp.from(in.Path), checkpoint.Filled, cp.moved)
			}
		}
	}
	return in.Back(cp.from(in.Path), fill, cp.moved)
}

// mayEmpty lists the submodules whose folders a call may empty though its words need not say so: a setting that it makes, or that a script makes, has Git
// take them along with the commit that is checked out.
func mayEmpty(r *repo.Repo, cp *checkpoint.Checkpoint, v *risk.Verdict) (list []string) {
	git := func(hit risk.Hit) bool { return hit.Action != risk.Allow && hit.Rule.Programs.Has("git") }
	if len(cp.Inside) == 0 || !v.Untold && !slices.ContainsFunc(v.Hits, git) {
		return nil
	}
	for _, in := range cp.Inside {
		if ground.HasGitFile(r.Path(in.Path)) && r.Listed(in.Path) && cp.Submodule(r, in.Path) {
			list = append(list, in.Path)
		}
	}
	return list
}

// recurses reports whether a call of Git moves submodules along with the repository around them: it may empty their folders.
func recurses(r *repo.Repo, v *risk.Verdict) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		if hit.Action == risk.Allow || !hit.Rule.Programs.Has("git") {
			return false
		}
		told := r.Config().Bool("submodule.recurse", false)
		words := argv.Words(strings.Fields(hit.Text))
		read := argv.Reader{Args: words, At: 1, Takes: argv.List("c").Takes}
		for it, ok := read.Next(); ok; it, ok = read.Next() {
			value, has := "", it.Value >= 0
			if has {
				value = words[it.Value][it.Cut:]
			}
			switch {
			case it.Name == "--no-recurse-submodules":
				return false
			case it.Name == "-c":
				var name string
				if name, value, has = strings.Cut(value, "="); !strings.EqualFold(name, "submodule.recurse") {
					continue
				}
			case !argv.List(" recurse-submodules").Has(it.Name):
				continue
			}
			on, known := repo.ParseBool(strings.ToLower(value))
			told = on || !known || !has
		}
		return told
	})
}

// forcedTwice reports whether a `git clean` may delete repositories: one -f leaves them alone.
func forcedTwice(v *risk.Verdict) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		if hit.Action == risk.Allow || hit.Rule.Operation != "clean" {
			return false
		}
		words, n := argv.Words(strings.Fields(hit.Text)), 0
		read := argv.Reader{Args: words, At: 1, Takes: argv.List("Cce exclude").Takes}
		for it, ok := read.Next(); ok; it, ok = read.Next() {
			switch {
			case it.Name == "-f": // each of them counts, also in one word
				n += strings.Count(words[it.Arg], "f")
			case it.Name != "" && argv.List(" force").Has(it.Name):
				n++
			}
		}
		return n > 1
	})
}
