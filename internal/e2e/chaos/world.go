//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// A world is one user with a home and a repository.
type world struct {
	dir                       string
	home, state, config, repo string
	outside                   string // a folder that belongs to nobody's project
	session                   string
	env                       []string // what the client's settings add for hooks
}

// world makes a user who has keys at home, and a repository with one commit, one changed file and new ones.
func (t *trial) world() *world {
	w := &world{dir: t.dir, session: fmt.Sprintf("%s-%d", t.kind, t.n)}
	w.home, w.state, w.config = filepath.Join(t.dir, "home"), filepath.Join(t.dir, "state"), filepath.Join(t.dir, "config")
	w.repo, w.outside = filepath.Join(t.dir, "repo"), filepath.Join(t.dir, "outside")
	w.write(w.home, ".gitconfig", "[user]\n\tname = chaos\n\temail = chaos@example.invalid\n[gc]\n\tauto = 0\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n")
	w.write(w.home, ".ssh/id_ed25519", "a key\n")
	w.write(w.home, "work/thesis.txt", "ten years\n")
	w.write(w.outside, "precious", "somebody else's\n")
	for _, d := range []string{w.state, w.config, w.repo} {
		must(os.MkdirAll(d, 0o700))
	}
	return w
}

// repository gives the world's repository its history and its work in progress.
func (t *trial) repository(w *world) {
	t.git(w, "init", "-q")
	for _, name := range lines.First {
		w.write(w.repo, name, "first "+name+"\n"+strings.Repeat("a line of "+name+"\n", 5))
	}
	w.write(w.repo, ".gitignore", "*.log\nbuild/\n")
	t.git(w, "add", "-A")
	t.git(w, "commit", "-qm", "first")
	w.write(w.repo, "b", "second\n")
	t.git(w, "commit", "-qam", "second")
	t.dirty(w)
}

// dirty puts the work in progress there, again where it was lost.
func (t *trial) dirty(w *world) {
	for name, text := range lines.Mine {
		w.write(w.repo, name, text)
	}
	t.git(w, "add", "staged")
}

// write makes a file, and the folders above it.
func (w *world) write(dir, name, text string) {
	p := filepath.Join(dir, name)
	must(os.MkdirAll(filepath.Dir(p), 0o755))
	must(os.WriteFile(p, []byte(text), 0o644))
}

// environ is what a hook of the client sees. Nothing of who runs chaos is in it.
func (w *world) environ() []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "XDG_STATE_HOME=" + w.state, "XDG_CONFIG_HOME=" + w.config, "LANG=C.UTF-8",
		"TMPDIR=" + w.dir, "GIT_CONFIG_NOSYSTEM=1",
	}, w.env...)
}

// digest says what is in a tree: names, kinds, link targets, and the contents of small regular files. Paths named in
// except are left out, and what is named so in any folder.
func digest(dir string, except ...string) string {
	h := sha256.New()
	var lines []string
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		for _, e := range except {
			if rel == e || filepath.Base(rel) == e {
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
		}
		if err != nil {
			lines = append(lines, rel+" unreadable")
			return nil
		}
		line := rel + " " + d.Type().String()
		if d.Type()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(p)
			line += " " + to
		}
		if d.Type().IsRegular() {
			if info, err := d.Info(); err == nil && info.Size() < 1<<20 {
				data, _ := os.ReadFile(p)
				line += fmt.Sprintf(" %x", sha256.Sum256(data))
			}
		}
		lines = append(lines, line)
		return nil
	})
	sort.Strings(lines)
	fmt.Fprint(h, strings.Join(lines, "\n"))
	return fmt.Sprintf("%x", h.Sum(nil))
}
