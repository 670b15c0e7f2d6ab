package tag

import (
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
)

// above is what lies outside of the tree and yet says what Git ignores in it: rules that are kept with the repository, and those of
// the folders above a project that is a part of one.
type above struct {
	exclude []byte            // info/exclude
	rel     string            // of the root in its work tree: "" or "a/b/"
	rules   map[string][]byte // .gitignore of the folders above, by their path in the work tree
}

// lookAbove finds them. Nearly every root is a work tree with a repository in it, which is seen at the price of one look-up; only
// a linked work tree, a submodule and a folder within a repository make the repository be looked for.
func (t *tree) lookAbove(root string) above {
	if _, dir, ok := t.stat(".git"); ok && dir {
		return above{exclude: t.small(".git/info/exclude")}
	}
	r, err := repo.Open(root)
	if err != nil || r.WorkTree == "" {
		return above{}
	}
	a := above{exclude: smallIn(filepath.Join(r.CommonDir, "info"), "exclude")}
	real, err := filepath.Abs(root)
	if err == nil { // as Open goes through links, so that the two have a common start
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return above{}
	}
	rel, err := filepath.Rel(r.WorkTree, real)
	if err != nil || !filepath.IsLocal(rel) {
		return above{}
	}
	if rel == "." {
		return a
	}
	a.rel, a.rules = filepath.ToSlash(rel)+"/", map[string][]byte{}
	top, err := openTree(r.WorkTree)
	if err != nil {
		return above{}
	}
	defer top.Close()
	for dir := ""; dir != a.rel; {
		a.rules[dir] = top.small(dir + ".gitignore")
		name, _, _ := strings.Cut(a.rel[len(dir):], "/")
		dir += name + "/"
	}
	// Who looks into an ignored folder asks for what is in it.
	if m := a.matcher(func(string) []byte { return nil }, nil); m.Match(strings.TrimSuffix(a.rel, "/"), true) {
		return above{}
	}
	return a
}

// smallIn reads a file of rules outside of the tree.
func smallIn(dir, name string) []byte {
	t, err := openTree(dir)
	if err != nil {
		return nil
	}
	defer t.Close()
	return t.small(name)
}

// matcher joins the rules: those of the tree, which read gives by paths relative to its root, and those around it. users are the
// user's own, which are the weakest.
func (a *above) matcher(read func(dir string) []byte, users [][]byte) *ignore.Matcher {
	return ignore.New(ignore.Options{
		Read: func(dir string) []byte {
			if inside, ok := strings.CutPrefix(dir, a.rel); ok {
				return read(inside)
			}
			return a.rules[dir]
		},
		Lower: func() [][]byte { return append(slices.Clone(users), a.exclude) },
	})
}

// hash writes what an index that was made under these rules depends on.
func (a *above) hash(h io.Writer) {
	_, _ = h.Write(a.exclude)
	_, _ = io.WriteString(h, "\x00"+a.rel)
	for _, dir := range slices.Sorted(maps.Keys(a.rules)) {
		_, _ = io.WriteString(h, "\x00"+dir+"\x00")
		_, _ = h.Write(a.rules[dir])
	}
}
