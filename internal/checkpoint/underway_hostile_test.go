//go:build unix

package checkpoint

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// What no git would leave of an operation: it is said, none of the operation is kept, and nothing waits for it.
func TestHostileState(t *testing.T) {
	outside := func(s *sandbox) string {
		out := filepath.Join(filepath.Dir(s.dir), "outside")
		os.MkdirAll(out, 0o777)
		os.WriteFile(filepath.Join(out, "secret"), []byte("of somebody else\n"), 0o666)
		return out
	}
	link := func(to, name string) func(s *sandbox) error {
		return func(s *sandbox) error { return os.Symlink(to, filepath.Join(s.dir, ".git", name)) }
	}
	fifo := func(name string) func(s *sandbox) error {
		return func(s *sandbox) error { return syscall.Mkfifo(filepath.Join(s.dir, ".git", name), 0o644) }
	}
	for name, tt := range map[string]struct {
		make func(s *sandbox) error
		says string
	}{
		"link to a file":          {link("/etc/passwd", "rebase-merge/onto"), ".git/rebase-merge/onto"},
		"link to nothing":         {link("nowhere", "rebase-merge/onto"), ".git/rebase-merge/onto"},
		"link instead of a file":  {link("/etc/passwd", "MERGE_HEAD"), ".git/MERGE_HEAD"},
		"link to a folder inside": {link("/etc", "rebase-merge/sub"), ".git/rebase-merge/sub"},
		"link instead of a folder": {func(s *sandbox) error {
			return os.Symlink(outside(s), filepath.Join(s.dir, ".git", "sequencer"))
		}, ".git/sequencer"},
		"link instead of references": {func(s *sandbox) error {
			return os.Symlink(outside(s), filepath.Join(s.dir, ".git/refs/bisect"))
		}, ".git/refs/bisect"},
		"FIFO":                     {fifo("rebase-merge/msgnum"), ".git/rebase-merge/msgnum"},
		"FIFO that HEAD is of":     {fifo("rebase-merge/head-name"), ".git/rebase-merge/head-name"},
		"FIFO instead of a file":   {fifo("CHERRY_PICK_HEAD"), ".git/CHERRY_PICK_HEAD"},
		"FIFO instead of a folder": {fifo("rebase-apply"), ".git/rebase-apply"},
		"file instead of a folder": {func(s *sandbox) error {
			return os.WriteFile(filepath.Join(s.dir, ".git/sequencer"), nil, 0o666)
		}, ".git/sequencer"},
		"many files": {func(s *sandbox) error {
			for i := range 10_000 {
				if err := os.WriteFile(filepath.Join(s.dir, ".git/rebase-merge", fmt.Sprint(i)), nil, 0o666); err != nil {
					return err
				}
			}
			return nil
		}, ".git/rebase-merge"},
		"many folders": {func(s *sandbox) error {
			for i := range 100 {
				for k := range 60 {
					if err := os.MkdirAll(filepath.Join(s.dir, ".git/rebase-merge", fmt.Sprint(i), fmt.Sprint(k)), 0o777); err != nil {
						return err
					}
				}
			}
			return nil
		}, ".git/rebase-merge/"},
		"a big file": {func(s *sandbox) error {
			f, err := os.Create(filepath.Join(s.dir, ".git/rebase-merge/patch"))
			if err == nil {
				err = f.Truncate(100 << 20)
				f.Close()
			}
			return err
		}, ".git/rebase-merge/patch"},
		"deep folders": {func(s *sandbox) error {
			return os.MkdirAll(filepath.Join(s.dir, ".git/rebase-merge", strings.Repeat("d/", 200)), 0o777)
		}, ".git/rebase-merge/d/d"},
		"backslashes in a name": {func(s *sandbox) error {
			return os.WriteFile(filepath.Join(s.dir, ".git/rebase-merge", `..\..\x`), nil, 0o666)
		}, `.git/rebase-merge/..\..\x`},
		"no reference": {func(s *sandbox) error {
			os.MkdirAll(filepath.Join(s.dir, ".git/refs/bisect"), 0o777)
			return os.WriteFile(filepath.Join(s.dir, ".git/refs/bisect", "a..b\n"), nil, 0o666)
		}, ".git/refs/bisect/a..b"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			s.commit("a")
			s.write(".git/rebase-merge/head-name", "refs/heads/main\n")
			if strings.Contains(name, "HEAD is of") {
				s.remove(".git/rebase-merge/head-name")
			}
			kit.Must(t, tt.make(s))
			s.write("a", "changed\n")
			type answer struct {
				c   *Checkpoint
				err error
			}
			done := make(chan answer, 1)
			go func() {
				r, err := repo.Open(s.dir)
				if err != nil {
					done <- answer{nil, err}
					return
				}
				c, err := Create(context.Background(), r, CreateOptions{Operation: "x", NoSync: true, NoLog: true})
				done <- answer{c, err}
			}()
			select {
			case a := <-done:
				if a.err != nil {
					t.Fatal(a.err)
				}
				said := false
				for _, k := range a.c.Skipped {
					said = said || strings.HasPrefix(k.Path, tt.says)
				}
				if !said {
					t.Errorf("left out %v, want one of %s", a.c.Skipped, tt.says)
				}
				if !a.c.state.IsZero() {
					t.Error("half of an operation was kept")
				}
				if len(a.c.Skipped) > 100 {
					t.Errorf("%d lines of what was left out", len(a.c.Skipped))
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no answer within 20 s")
			}
		})
	}
}

// A checkpoint can come from anybody: of its state, nothing is written outside of the names that git has for it.
func TestForeignState(t *testing.T) {
	for _, tt := range []struct{ name, mode, path string }{
		{"up", "100644", "../x"},
		{"up from a folder", "100644", "rebase-merge/../../x"},
		{"settings", "100644", "config"},
		{"a hook", "100755", "hooks/pre-commit"},
		{"absolute", "100644", "/x"},
		{"a branch", "100644", "refs/heads/main"},
		{"HEAD", "100644", "HEAD"},
		{"no reference", "100644", "refs/bisect/a..b"},
		{"a lock", "100644", "rebase-merge/x.lock"},
		{"backslashes", "100644", `rebase-merge\..\config`},
		{"backslashes below", "100644", `rebase-merge/..\..\config`},
		{"a stream", "100644", "rebase-merge/a:b"},
		{"a link", "120000", "rebase-merge/onto"},
		{"a link as folder", "120000", "rebase-merge"},
		{"a gitlink", "160000", "rebase-merge/onto"},
		{"a file as folder", "100644", "sequencer"},
		{"other letters", "100644", "merge_head/config"},
	} {
		for _, slashes := range []bool{false, true} {
			if slashes && !strings.Contains(tt.path, "/") {
				continue
			}
			t.Run(fmt.Sprint(tt.name, " ", slashes), func(t *testing.T) {
				s := stopped(t, "merge", "topic")
				c := s.create(CreateOptions{NoLog: true})
				if c.state.IsZero() {
					t.Fatal("no state")
				}
				r := s.open()
				w := r.NewWriter(repo.WriteOptions{})
				add := func(k repo.Kind, b []byte) repo.Hash {
					t.Helper()
					h, err := w.Add(k, b)
					if err != nil {
						t.Fatal(err)
					}
					return h
				}
				entry := func(mode, name string, h repo.Hash) []byte {
					id, _ := hex.DecodeString(h.String())
					return append([]byte(mode+" "+name+"\x00"), id...)
				}
				// As nested trees, and as one name with slashes in it, which no git makes.
				parts := []string{tt.path}
				if !slashes {
					parts = strings.Split(tt.path, "/")
				}
				h, mode := add(repo.KindBlob, []byte("evil\n")), tt.mode
				for i := len(parts) - 1; i >= 0; i-- {
					h, mode = add(repo.KindTree, entry(mode, parts[i], h)), "40000"
				}
				h = add(repo.KindTree, entry("40000", stateFolder, h))
				commit := s.git("cat-file", "commit", c.Commit.String()) + "\n"
				forged := strings.ReplaceAll(commit, c.state.String(), h.String())
				if forged == commit {
					t.Fatal("the message does not name the state")
				}
				id := add(repo.KindCommit, []byte(forged))
				kit.Must(t, w.Flush())
				ref := s.git("for-each-ref", "--points-at="+c.Commit.String(), "--format=%(refname)", "refs/moai/checkpoints")
				s.git("update-ref", ref, id.String())
				s.git("merge", "--abort")
				s.write("a", "else\n")
				before := s.listing()

				r = s.open()
				foreign, err := Find(r, c.Name)
				if err != nil || foreign.Commit != id {
					t.Fatal(foreign, err)
				}
				p, err := MakePlan(context.Background(), r, foreign, nil, RestoreOptions{Refs: true, NoSync: true})
				said := err != nil
				if err == nil {
					for _, k := range p.Blocked {
						said = said || strings.HasPrefix(k.Path, ".git")
					}
					_, err = Restore(context.Background(), r, p)
					said = said || err != nil
				}
				if !said {
					t.Error("nothing is said of it")
				}
				after := s.listing()
				if !maps.Equal(before, after) {
					for name, was := range after {
						if before[name] != was {
							t.Errorf("%s: %q", name, was)
						}
					}
					for name := range before {
						if _, is := after[name]; !is {
							t.Errorf("%s has gone", name)
						}
					}
				}
			})
		}
	}
}

// listing has all that lies beside the work tree and in its Git folder, but for objects, the index and moai's own references.
func (s *sandbox) listing() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(filepath.Dir(s.dir), func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(filepath.Dir(s.dir), p)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == "w/.git/objects" || rel == "w/.git/refs/moai" || rel == "w/.git/logs/refs/moai" || rel == "w/.moai"):
			return filepath.SkipDir
		case d.IsDir() || rel == "w/.git/index" || rel == "w/a" || rel == "w/brought" || rel == "w/.git/info/exclude":
			return nil
		}
		b, _ := os.ReadFile(p)
		out[rel] = d.Type().String() + string(bytes.TrimSpace(b))
		return nil
	})
	return out
}
