package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// submodules is what configuration says about ignoring changes in submodules.
type submodules struct {
	byPath map[string]string // path → submodule.<name>.ignore
	def    string            // diff.ignoreSubmodules
}

// submodules reads .gitmodules from the work tree, or from the index when it is not
// checked out; the repository's configuration wins over it.
func (r *Repo) submodules(ix *Index) *submodules {
	s := &submodules{byPath: map[string]string{}, def: strings.ToLower(r.Config().String("diff.ignoresubmodules"))}
	b := r.ruleFile(".gitmodules")
	if b == nil {
		b = r.indexed(ix, ".gitmodules", false)
	}
	paths, modes := map[string]string{}, map[string]string{}
	p := configParser{s: string(b)}
	for p.next() {
		name, ok := strings.CutPrefix(p.key, "submodule.")
		if !ok {
			continue
		}
		if n, ok := strings.CutSuffix(name, ".path"); ok {
			paths[n] = p.value
		} else if n, ok := strings.CutSuffix(name, ".ignore"); ok {
			modes[n] = p.value
		}
	}
	for name, path := range paths {
		mode := modes[name]
		if v, ok := r.Config().Lookup("submodule." + name + ".ignore"); ok {
			mode = v
		}
		s.byPath[path] = strings.ToLower(mode)
	}
	return s
}

// Listed says whether `git submodule update` can fill the folder of a submodule: .gitmodules has a name for it, and can be read to its end.
func (r *Repo) Listed(path string) bool {
	names, addresses, whole := r.moduleNames(path)
	return whole && slices.ContainsFunc(names, func(n string) bool {
		return addresses[n] || r.Config().Has("submodule."+n+".url")
	})
}

// Module is the folder in which git keeps the repository of a submodule, also while its work tree is gone; "" where there is none. Before is a
// .gitmodules that counts as well.
func (r *Repo) Module(path string, before []byte) string {
	names, _, _ := r.moduleNames(path)
	then, _, _ := modulesIn(before, path)
	names = append(names, then...)
	for _, name := range names {
		dir := filepath.Join(r.GitDir, "modules", filepath.FromSlash(name))
		if fi, err := os.Lstat(dir); filepath.IsLocal(filepath.FromSlash(name)) && err == nil && fi.IsDir() {
			return dir
		}
	}
	return ""
}

// moduleNames are the names that .gitmodules has for a path, and those with an address; whole is false where it is damaged.
func (r *Repo) moduleNames(path string) (names []string, addresses map[string]bool, whole bool) {
	b := r.ruleFile(".gitmodules")
	if b == nil {
		ix, err := r.Index()
		if err != nil {
			return nil, nil, false
		}
		b = r.indexed(ix, ".gitmodules", false)
	}
	return modulesIn(b, path)
}

func modulesIn(gitmodules []byte, path string) (names []string, addresses map[string]bool, whole bool) {
	addresses = map[string]bool{}
	p := configParser{s: string(gitmodules)}
	for p.next() {
		name, ok := strings.CutPrefix(p.key, "submodule.")
		if n, is := strings.CutSuffix(name, ".path"); ok && is && p.value == path {
			names = append(names, n)
		} else if n, is := strings.CutSuffix(name, ".url"); ok && is {
			addresses[n] = true
		}
	}
	return names, addresses, p.s == ""
}

func (s *submodules) mode(path string) string {
	if m := s.byPath[path]; m != "" {
		return m
	}
	return s.def
}

// nestedHead is the commit that the repository in the directory rel stands on. ok is false
// when there is no repository, or none with a commit.
func (r *Repo) nestedHead(rel string) (Hash, bool) {
	sub, err := r.openNested(rel)
	if err != nil || sub == nil {
		return Hash{}, false
	}
	name, err := sub.headRef()
	if err != nil {
		return Hash{}, false
	}
	if h, ok := ParseHash(name); ok {
		return h, true
	}
	h, err := sub.lookup(name)
	return h, err == nil
}

// openNested opens the repository in the directory rel itself, not one above it. It is
// nil when there is none. Whose it is does not matter: git, too, looks into submodules of a
// repository that it trusts.
func (r *Repo) openNested(rel string) (*Repo, error) {
	dir := r.Path(rel)
	dot := filepath.Join(dir, ".git")
	fi, err := os.Stat(dot)
	if err != nil {
		return nil, nil // not populated
	}
	// A submodule has a .git file; one that was cloned in place has the folder itself.
	target := dot
	if !fi.IsDir() {
		if target, err = readGitFile(dot); err != nil {
			return nil, nil // git says no more about it
		}
	}
	common, ok := gitDir(target)
	if !ok {
		return nil, nil
	}
	sub, err := trustedRepo(dir, target, common)
	if err == nil {
		// Its own core.worktree could point anywhere, even back here.
		sub.WorkTree = dir
	}
	return sub, err
}

// maxNesting ends the descent into submodules of submodules.
const maxNesting = 32

// submoduleChanged says whether a gitlink's directory differs from what the index
// records: another commit, or changes inside, as far as configuration wants to know.
func (w *worker) submoduleChanged(e *entry) bool {
	sub, err := w.r.openNested(e.name)
	if err != nil || sub == nil {
		return false // not checked out, which is no change
	}
	mode := w.subs().mode(e.name)
	if mode == "all" {
		return false
	}
	head, err := sub.Head()
	// Another commit is a change whatever is in its files.
	if err == nil && !head.Unborn && head.Hash != e.hash(w.ix.hashSize) {
		return true
	}
	if mode == "dirty" || w.o.NoSubmodules || err != nil {
		return false
	}
	// One change is enough to know, and the walk outside has all processors.
	o := StatusOptions{NoRenames: true, Workers: 1, Limit: 1}
	if mode == "untracked" || w.o.Untracked == UntrackedNo {
		o.Untracked = UntrackedNo
	}
	if o.nesting = w.o.nesting + 1; o.nesting > maxNesting {
		return false
	}
	st, err := sub.Status(w.ctx, o)
	return err == nil && len(st.Changes) > 0
}
