//go:build linux

package rounds

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A step is one piece of unsaved work. Its number makes it again, whatever the others do.
type step struct {
	name string
	do   func(w *world, r *rand.Rand, p string) // p is a file of the project, relative
}

func (w *world) at(p string) string { return filepath.Join(w.project, p) }

// paths lists what is in the project, relative to dir; Git's own and moai's left out.
func paths(dir string) (files, folders []string) {
	_ = filepath.WalkDir(dir+"/.", func(p string, d fs.DirEntry, err error) error { // dir may be a link
		rel, _ := filepath.Rel(dir, p)
		switch {
		case err != nil:
		case d.Name() == ".git" || d.Name() == ".moai":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && rel != ".":
			folders = append(folders, rel)
		case !d.IsDir():
			files = append(files, rel)
		}
		return nil
	})
	return files, folders
}

// overwrite writes over a plain file, whatever its mode, and leaves everything else alone.
func (w *world) overwrite(p, text string) {
	if info, err := os.Lstat(w.at(p)); err == nil && info.Mode().IsRegular() {
		must(os.WriteFile(w.at(p), []byte(text), info.Mode().Perm()))
	}
}

// plain reads a plain file: a pipe would be read for ever.
func (w *world) plain(p string) ([]byte, bool) {
	if info, err := os.Lstat(w.at(p)); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	b, err := os.ReadFile(w.at(p))
	return b, err == nil
}

// fresh writes a new file, where its folder can be made.
func (w *world) fresh(p, text string) {
	if _, err := os.Lstat(w.at(p)); err != nil && os.MkdirAll(filepath.Dir(w.at(p)), 0o755) == nil {
		_ = os.WriteFile(w.at(p), []byte(text), 0o644)
	}
}

func text(r *rand.Rand, what string) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		fmt.Fprintf(&b, "%s %d\n", what, r.IntN(1000))
	}
	return b.String()
}

var steps = []step{
	{"change", func(w *world, r *rand.Rand, p string) { w.overwrite(p, text(r, "changed")) }},
	{"change", func(w *world, r *rand.Rand, p string) { w.overwrite(p, text(r, "changed otherwise")) }},
	{"append", func(w *world, r *rand.Rand, p string) {
		if b, ok := w.plain(p); ok {
			w.overwrite(p, string(b)+text(r, "appended"))
		}
	}},
	{"stage", func(w *world, r *rand.Rand, p string) {
		w.overwrite(p, text(r, "staged"))
		w.try(w.project, "--literal-pathspecs", "add", "--", p)
	}},
	{"stage and change", func(w *world, r *rand.Rand, p string) {
		w.overwrite(p, text(r, "staged"))
		w.try(w.project, "--literal-pathspecs", "add", "--", p)
		w.overwrite(p, text(r, "changed after staging"))
	}},
	{"stage alone", func(w *world, r *rand.Rand, p string) {
		was, ok := w.plain(p)
		if !ok {
			return
		}
		w.overwrite(p, text(r, "staged alone"))
		w.try(w.project, "--literal-pathspecs", "add", "--", p)
		w.overwrite(p, string(was))
	}},
	{"new", func(w *world, r *rand.Rand, p string) { w.fresh(fmt.Sprintf("new%d.txt", r.IntN(50)), text(r, "new")) }},
	{"new", func(w *world, r *rand.Rand, p string) {
		w.fresh(filepath.Join(filepath.Dir(p), fmt.Sprintf("new%d", r.IntN(50))), text(r, "new in a folder"))
	}},
	{"new folder", func(w *world, r *rand.Rand, p string) {
		w.fresh(fmt.Sprintf("fresh%d/in/x.txt", r.IntN(50)), text(r, "new in a new folder"))
	}},
	{"new and staged", func(w *world, r *rand.Rand, p string) {
		n := fmt.Sprintf("src/added%d.go", r.IntN(50))
		w.fresh(n, text(r, "added"))
		w.try(w.project, "add", "--", n)
	}},
	{"new, staged and gone", func(w *world, r *rand.Rand, p string) {
		n := fmt.Sprintf("only-staged%d.txt", r.IntN(50))
		w.fresh(n, text(r, "only staged"))
		w.try(w.project, "add", "--", n)
		_ = os.Remove(w.at(n))
	}},
	{"ignored", func(w *world, r *rand.Rand, p string) {
		w.fresh(fmt.Sprintf("trace%d.log", r.IntN(50)), text(r, "ignored"))
	}},
	{"ignored folder", func(w *world, r *rand.Rand, p string) { w.fresh("build/out.o", text(r, "built")) }},
	{"secret", func(w *world, r *rand.Rand, p string) { w.fresh(".env", "TOKEN=not-a-real-one\n") }},
	{"delete", func(w *world, r *rand.Rand, p string) { _ = os.Remove(w.at(p)) }},
	{"remove", func(w *world, r *rand.Rand, p string) {
		w.try(w.project, "--literal-pathspecs", "rm", "-q", "--cached", "-f", "--", p)
	}},
	{"rename", func(w *world, r *rand.Rand, p string) {
		w.try(w.project, "--literal-pathspecs", "mv", "-k", "--", p, fmt.Sprintf("moved%d", r.IntN(50)))
	}},
	{"executable", func(w *world, r *rand.Rand, p string) {
		if info, err := os.Lstat(w.at(p)); err == nil && info.Mode().IsRegular() {
			must(os.Chmod(w.at(p), info.Mode().Perm()^0o111))
		}
	}},
	{"mode", func(w *world, r *rand.Rand, p string) {
		if info, err := os.Lstat(w.at(p)); err == nil && info.Mode().IsRegular() {
			must(os.Chmod(w.at(p), []os.FileMode{0o600, 0o640, 0o664, 0o755, 0o700, 0o444}[r.IntN(6)]))
		}
	}},
	{"link", func(w *world, r *rand.Rand, p string) {
		_ = os.Symlink([]string{"a.txt", "src", "nowhere", p}[r.IntN(4)], w.at(fmt.Sprintf("to%d", r.IntN(50))))
	}},
	{"file to link", func(w *world, r *rand.Rand, p string) {
		if info, err := os.Lstat(w.at(p)); err == nil && info.Mode().IsRegular() {
			must(os.Remove(w.at(p)))
			must(os.Symlink("somewhere", w.at(p)))
		}
	}},
	{"stash", func(w *world, r *rand.Rand, p string) {
		if r.IntN(3) == 0 {
			w.overwrite(p, text(r, "stashed"))
			w.try(w.project, "stash", "push", "-q", "-m", "by work", "--", p)
		}
	}},
	{"exclude", func(w *world, r *rand.Rand, p string) {
		if r.IntN(3) == 0 {
			w.fresh("hidden.txt", text(r, "excluded"))
			if b, err := os.ReadFile(w.at(".git/info/exclude")); err == nil {
				must(os.WriteFile(w.at(".git/info/exclude"), append(b, "hidden.txt\n"...), 0o644))
			}
		}
	}},
	{"commit", func(w *world, r *rand.Rand, p string) {
		if r.IntN(3) == 0 && len(underWayFiles(w)) == 0 {
			w.overwrite(p, text(r, "committed here alone"))
			w.try(w.project, "--literal-pathspecs", "commit", "-q", "-m", "here alone", "--", p)
		}
	}},
}

// underWayFiles says whether an operation has stopped: a commit would end it.
func underWayFiles(w *world) (list []string) {
	git := strings.TrimSpace(w.try(w.project, "rev-parse", "--absolute-git-dir").out)
	for _, n := range underWay {
		if _, err := os.Lstat(filepath.Join(git, n)); err == nil && git != "" {
			list = append(list, n)
		}
	}
	return list
}

// busy does one step: the same number does the same wherever the files are the same.
func (w *world) busy(number uint64) (name string) {
	r := rand.New(rand.NewPCG(number, 7))
	s := steps[r.IntN(len(steps))]
	files, _ := paths(w.project)
	files = slices.DeleteFunc(files, func(p string) bool {
		return strings.HasSuffix(p, ".gitignore") || strings.HasSuffix(p, ".gitattributes")
	})
	if len(files) == 0 {
		return s.name
	}
	p := files[r.IntN(len(files))]
	s.do(w, r, p)
	return s.name + " " + p
}
