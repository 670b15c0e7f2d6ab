package checkpoint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a sparse checkout takes away comes back though the index is as it was, the marks go with --index, and the undo takes both back.
func TestFilesOfASparseCheckoutComeBack(t *testing.T) {
	for name, sparse := range map[string]func(s *sandbox){
		"sparse-checkout": func(s *sandbox) { s.git("sparse-checkout", "set", "src") },
		"no cone":         func(s *sandbox) { s.git("sparse-checkout", "set", "--no-cone", "/src/") },
		"update-index": func(s *sandbox) {
			s.git("update-index", "--skip-worktree", "docs/a", "docs/deep/b")
			must(t, os.RemoveAll(filepath.Join(s.dir, "docs")))
		},
	} {
		for _, index := range []bool{true, false} {
			s := newSandbox(t)
			s.commit("src/x", "docs/a", "docs/deep/b")
			c := s.create(CreateOptions{NoLog: true})
			sparse(s)
			if _, err := os.Stat(filepath.Join(s.dir, "docs")); err == nil {
				t.Fatalf("%s: docs is still there", name)
			}
			marks := func() string {
				out := ""
				for line := range strings.Lines(s.git("ls-files", "-t") + "\n") {
					out += line[:2]
				}
				return out
			}
			before := marks()
			res := s.restore(c, RestoreOptions{Index: index, NoLog: true})
			if len(res.Failed) > 0 || s.read("docs/a") != "docs/a\n" || s.read("docs/deep/b") != "docs/deep/b\n" {
				t.Errorf("%s, index %v: failed %v, written %v", name, index, res.Failed, res.Written)
			}
			if got := s.git("status", "--porcelain"); got != "" {
				t.Errorf("%s, index %v: status %q", name, index, got)
			}
			if got := marks(); index && strings.Contains(got, "S") {
				t.Errorf("%s: marks stay: %s", name, got)
			}
			if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{Index: index, NoLog: true}); err != nil || !p.Empty() {
				t.Errorf("%s, index %v: the second time there is still something to do: %+v, %v", name, index, p, err)
			}
			if !index {
				continue
			}
			s.restore(res.Safety, RestoreOptions{Index: true, NoLog: true})
			if _, err := os.Stat(filepath.Join(s.dir, "docs")); err == nil || marks() != before || s.git("status", "--porcelain") != "" {
				t.Errorf("%s: undone, docs is there (%v), marks %s, were %s", name, err, marks(), before)
			}
		}
	}
}

// A folder that is asked for comes back alone, with its marks alone.
func TestPathOfASparseCheckout(t *testing.T) {
	s := newSandbox(t)
	s.commit("src/x", "docs/a", "more/b")
	c := s.create(CreateOptions{NoLog: true})
	s.git("sparse-checkout", "set", "src")
	s.restore(c, RestoreOptions{Index: true, NoLog: true}, "docs")
	if got := s.git("ls-files", "-t"); s.read("docs/a") != "docs/a\n" || got != "H docs/a\nS more/b\nH src/x" {
		t.Errorf("marks %q", got)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "more")); err == nil {
		t.Error("more came, too")
	}
}

// What Git wrote where a marked file was not there goes again, and the mark with it comes back: Git clears the mark of a file that is there.
// A file that somebody has changed since stays.
func TestFileWrittenOverAMark(t *testing.T) {
	for name, c := range map[string]struct {
		own, index, goes bool
		by               []string
	}{
		"as Git wrote it": {index: true, goes: true}, "without the index": {}, "changed since": {own: true, index: true},
		"of an older commit": {index: true, goes: true, by: []string{"restore", "--source=v1", "."}}, "of an older commit, changed since": {own: true, index: true, by: []string{"restore", "--source=v1", "."}},
	} {
		s := newSandbox(t)
		s.commit("src/x", "docs/a")
		s.git("tag", "v1")
		s.write("docs/a", "second\n")
		s.git("commit", "-q", "-am", "second")
		s.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs/")
		was := s.git("ls-files", "-t", "-s")
		cp := s.create(CreateOptions{NoLog: true})
		if c.by == nil {
			c.by = []string{"checkout", "-q", "v1", "--", "."}
		}
		s.git(c.by...)
		if s.read("docs/a") != "docs/a\n" {
			t.Skip("this Git writes no file that the patterns leave out")
		}
		if c.own {
			s.write("docs/a", "mine\n")
		}
		s.restore(cp, RestoreOptions{Index: c.index, NoLog: true})
		_, err := os.Stat(filepath.Join(s.dir, "docs/a"))
		if (err != nil) != c.goes {
			t.Errorf("%s: there: %v, want it to go: %v", name, err == nil, c.goes)
		}
		if got := s.git("ls-files", "-t", "-s"); c.goes && got != was {
			t.Errorf("%s: the index is\n%s\nwas\n%s", name, got, was)
		}
	}
}

// So does what a conflict left there, and the undo brings that back.
func TestConflictOverAMark(t *testing.T) {
	s := newSandbox(t)
	s.commit("src/x")
	s.git("checkout", "-q", "-b", "other")
	s.write("docs/a", "theirs\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "theirs")
	s.git("checkout", "-q", "main")
	s.commit("docs/a")
	s.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs/")
	was := s.git("ls-files", "-t", "-s")
	c := s.create(CreateOptions{NoLog: true, PinRefs: []string{"HEAD"}})
	if _, err := s.try(nil, "cherry-pick", "other"); err == nil {
		t.Fatal("no conflict")
	}
	conflict := s.read("docs/a")
	res := s.restore(c, RestoreOptions{Index: true, Refs: true, NoLog: true})
	if _, err := os.Stat(filepath.Join(s.dir, "docs/a")); err == nil || s.git("ls-files", "-t", "-s") != was {
		t.Errorf("it is there: %v; the index is\n%s\nwas\n%s", err == nil, s.git("ls-files", "-t", "-s"), was)
	}
	s.restore(res.Safety, RestoreOptions{Index: true, Refs: true, NoLog: true})
	if got := s.read("docs/a"); got != conflict || !strings.Contains(s.git("status", "--porcelain"), "AA docs/a") {
		t.Errorf("undone: %q, %s", got, s.git("status", "--porcelain"))
	}
}

// A restore brings the marks of a sparse checkout back, whatever changed them, and its undo reverses that. A restore of one path leaves them.
func TestSparsePatternsComeBack(t *testing.T) {
	for name, change := range map[string]func(s *sandbox){
		"set":              func(s *sandbox) { s.git("sparse-checkout", "set", "src") },
		"no cone":          func(s *sandbox) { s.git("sparse-checkout", "set", "--no-cone", "/src/", "!/docs/") },
		"deleted":          func(s *sandbox) { must(t, os.Remove(filepath.Join(s.dir, ".git/info/sparse-checkout"))) },
		"by hand":          func(s *sandbox) { s.write(".git/info/sparse-checkout", "*\n") },
		"off":              func(s *sandbox) { s.git("sparse-checkout", "disable") },
		"folded":           func(s *sandbox) { s.git("config", "--worktree", "index.sparse", "true") },
		"settings gone":    func(s *sandbox) { must(t, os.Remove(filepath.Join(s.dir, ".git/config.worktree"))) },
		"no cone any more": func(s *sandbox) { s.git("config", "--worktree", "core.sparseCheckoutCone", "false") },
		"one file of settings": func(s *sandbox) {
			s.git("config", "--unset", "extensions.worktreeConfig")
			s.git("config", "core.sparseCheckout", "false")
		},
		"nonsense": func(s *sandbox) { s.write(".git/info/sparse-checkout", "\xff\x00\n\n  \n") },
	} {
		s := newSandbox(t)
		s.commit("src/x", "src/lib/y", "docs/a", "more/b")
		s.git("sparse-checkout", "set", "src/lib")
		s.write(".git/info/sparse-checkout", "# mine\n"+s.read(".git/info/sparse-checkout")+"\n \n")
		was, marks := s.read(".git/info/sparse-checkout"), s.git("ls-files", "-t")
		// Git takes what is unset for false.
		variables := func() string {
			out, _ := s.try(nil, "config", "--bool", "--get-regexp", "sparse")
			return strings.Join(slices.DeleteFunc(strings.Fields(strings.ReplaceAll(out, " ", "=")), func(v string) bool { return strings.HasSuffix(v, "=false") }), " ")
		}
		on := variables()
		c := mustFind(t, s, s.create(CreateOptions{NoLog: true}).Name)
		change(s)
		now, changed := s.read(".git/info/sparse-checkout"), variables()
		s.restore(c, RestoreOptions{Index: true, NoLog: true}, "src")
		s.restore(c, RestoreOptions{NoLog: true})
		if s.read(".git/info/sparse-checkout") != now {
			t.Errorf("%s: a path, or the files, brought the patterns along", name)
		}
		res := s.restore(c, RestoreOptions{Index: true, NoLog: true})
		if got := s.read(".git/info/sparse-checkout"); got != was || !res.Patterns || len(res.Failed) > 0 {
			t.Errorf("%s: the patterns are %q, were %q; failed %v", name, got, was, res.Failed)
		}
		if got := variables(); got != on || !strings.Contains(got, "core.sparsecheckout=true") {
			t.Errorf("%s: the settings are %q, were %q", name, got, on)
		}
		if got := s.git("ls-files", "-t"); got != marks {
			t.Errorf("%s: marks\n%s\nwere\n%s", name, got, marks)
		}
		if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{Index: true, NoLog: true}); err != nil || !p.Empty() {
			t.Errorf("%s: the second time there is still something to do: %+v, %v", name, p, err)
		}
		if s.restore(res.Safety, RestoreOptions{Index: true, NoLog: true}); name != "deleted" && s.read(".git/info/sparse-checkout") != now {
			t.Errorf("%s: undone, the patterns are %q", name, s.read(".git/info/sparse-checkout"))
		}
		if got := variables(); name != "deleted" && got != changed {
			t.Errorf("%s: undone, the settings are %q, were %q", name, got, changed)
		}
	}
}

// An untracked file in a folder that is not checked out comes back by a restore, whatever marks the tracked files beside it have. An untracked
// file that was made after the snapshot stays.
func TestStrayFileInAHiddenFolder(t *testing.T) {
	for name, sparse := range map[string]func(s *sandbox){
		"cone":    func(s *sandbox) { s.git("sparse-checkout", "set", "src") },
		"folded":  func(s *sandbox) { s.git("sparse-checkout", "set", "--sparse-index", "src") },
		"no cone": func(s *sandbox) { s.git("sparse-checkout", "set", "--no-cone", "/src/") },
		"by hand": func(s *sandbox) {
			s.git("update-index", "--skip-worktree", "docs/a", "docs/deep/b")
			must(t, os.RemoveAll(filepath.Join(s.dir, "docs")))
		},
	} {
		for _, index := range []bool{true, false} {
			s := newSandbox(t)
			s.commit("src/x", "docs/a", "docs/deep/b")
			sparse(s)
			s.write("docs/stray", "mine\n")
			s.write("docs/deep/more", "mine too\n")
			c := s.create(CreateOptions{NoLog: true})
			s.git("clean", "-fdq")
			if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{Index: index, NoLog: true}); err != nil || len(p.Write) != 2 || len(p.Keep) != 0 {
				t.Fatalf("%s, index %v: plan %+v, %v", name, index, p, err)
			}
			res := s.restore(c, RestoreOptions{Index: index, NoLog: true})
			if len(res.Failed) > 0 || s.read("docs/stray") != "mine\n" || s.read("docs/deep/more") != "mine too\n" {
				t.Errorf("%s, index %v: failed %v, written %v", name, index, res.Failed, res.Written)
			}
			if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{Index: index, DeleteNew: true, NoLog: true}); err != nil || !p.Empty() {
				t.Errorf("%s, index %v: the second time there is still something to do: %+v, %v", name, index, p, err)
			}
			// The whole tree is there meanwhile, and a file more.
			s.git("sparse-checkout", "disable")
			s.write("docs/new", "new\n")
			s.git("add", "docs/new")
			s.restore(c, RestoreOptions{Index: index, NoLog: true})
			if s.read("docs/stray") != "mine\n" || s.read("docs/deep/more") != "mine too\n" || s.read("docs/new") != "new\n" {
				t.Errorf("%s, index %v: a file of nobody's went with the folder", name, index)
			}
			_, err := os.Stat(filepath.Join(s.dir, "docs/a"))
			if index && name != "by hand" && err == nil {
				t.Errorf("%s: docs/a stays", name)
			}
			s.git("fsck", "--strict")
		}
	}
}

// A file that a blend wants and that no plan writes is told as failed, and the stash keeps what may be the last copy.
func TestPassedOver(t *testing.T) {
	s := newSandbox(t)
	s.commit("src/x", "docs/a")
	s.write("docs/a", "mine\n")
	then := s.create(CreateOptions{NoLog: true})
	s.git("stash", "-q")
	now := s.create(CreateOptions{NoLog: true, PinRefs: []string{"refs/stash"}})
	blend := *now
	blend.Tree, blend.Marks.Absent, blend.Brings.Refs = then.Tree, []string{"docs/a"}, now.Pins
	res, err := Reach(t.Context(), s.open(), now, &blend, RestoreOptions{NoLog: true})
	if err != nil || len(res.Failed) != 2 || res.Failed[0].Path != "docs/a" || res.Failed[1].Path != "stash@{0}" || s.git("stash", "list") == "" {
		t.Errorf("%+v, %v", res, err)
	}
	blend.Marks.Absent = nil
	res, err = Reach(t.Context(), s.open(), now, &blend, RestoreOptions{NoLog: true})
	if err != nil || len(res.Failed) != 0 || s.read("docs/a") != "mine\n" || s.git("stash", "list") != "" {
		t.Errorf("%+v, %v", res, err)
	}
}
