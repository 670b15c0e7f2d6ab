package checkpoint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/modu-ai/moai/internal/kit"
)

// TestAnotherReader lets go-git, which shares no code with us, read a checkpoint:
// what we write must be what Git is, not what our own reader accepts. Few objects
// are written loose, many as one pack, so both are read.
func TestAnotherReader(t *testing.T) {
	for _, files := range []int{3, 300} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			s := newSandbox(t)
			s.write("kept", "from the start\n")
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "start")
			want := map[string]string{"kept": "changed\n", "한글 이름": "x"}
			for i := range files {
				want[fmt.Sprintf("dir%d/file%d", i%7, i)] = fmt.Sprintf("content %d\n", i)
			}
			for name, content := range want {
				s.write(name, content)
			}
			kit.Must(t, os.Chmod(filepath.Join(s.dir, "kept"), 0o755))
			c := s.create(CreateOptions{Operation: "rm"})

			r, err := git.PlainOpen(s.dir)
			kit.Must(t, err)
			ref, err := r.Reference(plumbing.ReferenceName(c.Ref), true)
			if err != nil {
				t.Fatalf("reference %s: %v", c.Ref, err)
			}
			commit, err := r.CommitObject(ref.Hash())
			kit.Must(t, err)
			if commit.Author.Name != "moai" || commit.NumParents() != 1 {
				t.Errorf("author %q with %d parents, want moai with HEAD alone", commit.Author.Name, commit.NumParents())
			}
			tree, err := commit.Tree()
			kit.Must(t, err)
			got := map[string]string{}
			err = tree.Files().ForEach(func(f *object.File) error {
				in, err := f.Reader()
				if err != nil {
					return err
				}
				defer in.Close()
				b, err := io.ReadAll(in)
				got[f.Name] = string(b)
				if f.Name == "kept" && f.Mode != filemode.Executable {
					t.Errorf("mode of %s is %v, want executable", f.Name, f.Mode)
				}
				return err
			})
			kit.Must(t, err)
			if len(got) != len(want) {
				t.Errorf("%d files in the tree, want %d", len(got), len(want))
			}
			for name, content := range want {
				if got[name] != content {
					t.Errorf("%s holds %q, want %q", name, got[name], content)
				}
			}
		})
	}
}
