//go:build unix

package checkpoint

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func (s *sandbox) chmod(perms map[string]fs.FileMode) {
	s.t.Helper()
	for name, perm := range perms {
		must(s.t, os.Chmod(filepath.Join(s.dir, name), perm))
	}
}

func (s *sandbox) permissions(names ...string) map[string]fs.FileMode {
	out := map[string]fs.FileMode{}
	for _, name := range names {
		if fi, err := os.Lstat(filepath.Join(s.dir, name)); err == nil {
			out[name] = fi.Mode() &^ fs.ModeType
		}
	}
	return out
}

// Git keeps one bit of a file's permissions; a checkpoint keeps what the user sees of all files, changed or not.
func TestPermissionsComeBack(t *testing.T) {
	want := map[string]fs.FileMode{
		"plain": 0o644, "script": 0o755, "clean-key": 0o600, "clean-group": 0o640, "clean-fixed": 0o400, "clean-own": 0o700, "clean-open": 0o664,
		"changed-key": 0o600, "changed-plain": 0o644, "dir/key": 0o600, "new-key": 0o600, "new-open": 0o666, "한글 열쇠": 0o600,
	}
	for name, destroy := range map[string]func(s *sandbox){
		"rm": func(s *sandbox) { s.git("rm", "-rqf", "."); s.git("clean", "-qfd") },
		"reset": func(s *sandbox) {
			s.git("rm", "-rqf", ".")
			s.git("clean", "-qfd")
			s.git("reset", "-q", "--hard")
		},
		"chmod": func(s *sandbox) {
			for p := range want {
				s.chmod(map[string]fs.FileMode{p: 0o777})
			}
		},
		"back": func(s *sandbox) {
			for p := range want {
				s.chmod(map[string]fs.FileMode{p: 0o600})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			for p := range want {
				if p != "new-key" && p != "new-open" {
					s.write(p, p+"\n")
				}
			}
			s.chmod(map[string]fs.FileMode{"script": 0o755, "clean-own": 0o755})
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "all")
			for _, p := range []string{"changed-key", "changed-plain", "new-key", "new-open"} {
				s.write(p, "work in progress\n")
			}
			s.chmod(want)
			status := s.git("status", "--porcelain")
			c := s.create(CreateOptions{NoLog: true})
			if again := s.create(CreateOptions{NoLog: true}); !again.Reused {
				t.Error("an equal checkpoint was taken again")
			}
			destroy(s)
			before := s.permissions(sortedKeys(want)...)
			res := s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true, Index: true})
			if got := s.permissions(sortedKeys(want)...); !maps.Equal(got, want) {
				t.Errorf("permissions %v, want %v", got, want)
			}
			if got := s.git("status", "--porcelain"); got != status {
				t.Errorf("status %q, want %q", got, status)
			}
			if again, err := MakePlan(t.Context(), s.open(), mustFind(t, s, c.Name), nil, RestoreOptions{NoLog: true}); err != nil || !again.Empty() {
				t.Errorf("a second restore would write %v and change the permissions of %v: %v", again.Write, again.Permissions, err)
			}
			if name == "chmod" || name == "back" {
				s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{NoLog: true})
				if got := s.permissions(sortedKeys(want)...); !maps.Equal(got, before) {
					t.Errorf("after the undo: permissions %v, want %v", got, before)
				}
			}
		})
	}
}

func sortedKeys(m map[string]fs.FileMode) []string { return slices.Sorted(maps.Keys(m)) }

// Where all files are private, or a group's, no list of all is kept, and whoever restores with another umask gets them so, too.
func TestPermissionsOfAWholeTree(t *testing.T) {
	for _, usual := range []fs.FileMode{0o600, 0o664, 0o640} {
		s := newSandbox(t)
		want := map[string]fs.FileMode{}
		for i := range 1100 {
			name := fmt.Sprintf("d%d/f%d", i%7, i)
			s.write(name, name)
			want[name] = usual
		}
		want["d1/tool"], want["d1/odd"] = usual|usual>>2&0o111, 0o644
		want["first"] = 0o444
		for _, name := range []string{"d1/tool", "d1/odd", "first"} {
			s.write(name, name)
		}
		s.chmod(want)
		s.git("add", "-A")
		s.git("commit", "-q", "-m", "all")
		s.write("new", "new")
		want["new"] = usual
		s.chmod(want)
		c := s.create(CreateOptions{NoLog: true})
		if len(c.Modes) != 2 || c.Usual != usual {
			t.Errorf("of %v: usual %v, besides %v; want two files named", usual, c.Usual, c.Modes)
		}
		s.remove("d1")
		s.remove("d2")
		s.remove("new")
		s.chmod(map[string]fs.FileMode{"d3/f3": 0o666, "first": 0o644})
		s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
		if got := s.permissions(sortedKeys(want)...); !maps.Equal(got, want) {
			for p := range want {
				if got[p] != want[p] {
					t.Errorf("of %v: %s has %v, want %v", usual, p, got[p], want[p])
				}
			}
		}
	}
}

// A file that git ignores by now, with its content and other permissions, gets them back, too, and loses them with the undo.
func TestPermissionsOfIgnored(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("key", "secret of nobody\n")
	s.write("open", "x\n")
	s.chmod(map[string]fs.FileMode{"key": 0o600, "open": 0o644})
	c := s.create(CreateOptions{NoLog: true})
	s.write(".gitignore", "key\nopen\n")
	s.chmod(map[string]fs.FileMode{"key": 0o644, "open": 0o400})
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
	if got, want := s.permissions("key", "open"), (map[string]fs.FileMode{"key": 0o600, "open": 0o644}); !maps.Equal(got, want) {
		t.Errorf("restored: %v, want %v", got, want)
	}
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{NoLog: true})
	if got, want := s.permissions("key", "open"), (map[string]fs.FileMode{"key": 0o644, "open": 0o400}); !maps.Equal(got, want) {
		t.Errorf("undone: %v, want %v", got, want)
	}
}

// Nothing of a restore makes a file run with somebody's rights.
func TestPermissionsOfStrangers(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "b")
	s.chmod(map[string]fs.FileMode{"b": 0o755 | fs.ModeSetuid | fs.ModeSetgid})
	config := s.permissions(".git/config")
	c := s.create(CreateOptions{NoLog: true})
	c = mustFind(t, s, c.Name)
	hostile := &Checkpoint{}
	hostile.decode("x\n\nMoai-Modes: 4755\nMoai-Mode: 4755 a\nMoai-Mode: 6777 ../x\nMoai-Modes: 999\n")
	if hostile.Usual != 0 || len(hostile.Modes) != 0 {
		t.Errorf("read usual %v, besides %v", hostile.Usual, hostile.Modes)
	}
	s.remove("a")
	s.remove("b")
	c.Modes = map[string]fs.FileMode{"a": 0o777, "b": 0o755, "../a": 0o777, "nowhere": 0o777, ".git/config": 0o777}
	s.restore(c, RestoreOptions{NoLog: true})
	if got := s.permissions("a", "b", ".git/config"); got["a"] != 0o666 && got["a"] != 0o677 || got["b"] != 0o755 || got[".git/config"] != config[".git/config"] {
		t.Errorf("permissions %v", got)
	}
	if got := s.git("status", "--porcelain"); got != "M b" {
		t.Errorf("status %q: the tree says what is executable", got)
	}
}

// A checkpoint of an older moai says nothing of files that had no change: they stay as they are.
func TestPermissionsUnknown(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "b")
	c := mustFind(t, s, s.create(CreateOptions{NoLog: true}).Name)
	s.chmod(map[string]fs.FileMode{"a": 0o600})
	c.Usual = 0
	if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{NoLog: true}); err != nil || !p.Empty() {
		t.Errorf("the plan would change the permissions of %v: %v", p.Permissions, err)
	}
}

func TestExportKeepsFilesPrivate(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "key")
	s.chmod(map[string]fs.FileMode{"a": 0o644, "key": 0o600})
	c := s.create(CreateOptions{NoLog: true})
	var b bytes.Buffer
	must(t, Export(&b, s.open(), mustFind(t, s, c.Name)))
	for in := tar.NewReader(&b); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		if want := map[string]int64{"a": 0o644, "key": 0o600}[h.Name]; h.Mode != want {
			t.Errorf("%s is exported with %o, want %o", h.Name, h.Mode, want)
		}
	}
}

// Where Git keeps links as plain files they have permissions of their own, which no tree tells.
func TestPermissionsOfALinkThatIsAFile(t *testing.T) {
	s := newSandbox(t)
	must(t, os.Symlink("a", filepath.Join(s.dir, "link")))
	s.write("a", "a\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	s.git("config", "core.symlinks", "false")
	s.remove("link")
	s.write("link", "a")
	for _, mode := range []os.FileMode{0o644, 0o755, 0o700, 0o600} {
		must(t, os.Chmod(filepath.Join(s.dir, "link"), mode))
		c := s.create(CreateOptions{NoLog: true})
		s.remove("link")
		s.restore(c, RestoreOptions{NoLog: true})
		fi, err := os.Lstat(filepath.Join(s.dir, "link"))
		if err != nil || fi.Mode() != mode {
			t.Errorf("%v came back as %v, %v", mode, fi.Mode(), err)
		}
		must(t, os.Chmod(filepath.Join(s.dir, "link"), 0o640))
		s.restore(c, RestoreOptions{NoLog: true})
		if fi, err = os.Lstat(filepath.Join(s.dir, "link")); err != nil || fi.Mode() != mode {
			t.Errorf("%v, changed alone, came back as %v, %v", mode, fi.Mode(), err)
		}
	}
}
