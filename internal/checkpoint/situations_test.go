package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

func (s *sandbox) commit(files ...string) {
	for _, f := range files {
		s.write(f, f+"\n")
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x")
}

func TestUnbornAndDetached(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1\n")
	s.git("add", "a")
	s.write("b", "2\n")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if !c.Head.IsZero() || c.Stats.Untracked != 1 {
		t.Errorf("unborn: %+v", c)
	}
	s.remove("a")
	s.remove("b")
	s.git("rm", "-q", "--cached", "a")
	s.restore(c, RestoreOptions{Index: true, NoLog: true})
	if got := s.git("status", "--porcelain"); got != "A  a\n?? b" {
		t.Errorf("status %q", got)
	}
	s.git("commit", "-q", "-m", "x")
	s.git("checkout", "-q", "--detach")
	s.write("a", "changed\n")
	if c := s.create(CreateOptions{NoLog: true}); c.On != "" || c.Head.IsZero() {
		t.Errorf("detached: on %q, head %s", c.On, c.Head)
	}
}

func TestLinkedWorktreeAndSubmodule(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "d/b")
	linked := filepath.Join(filepath.Dir(s.dir), "linked")
	s.git("worktree", "add", "-q", linked)
	l := &sandbox{t: t, dir: linked, env: s.env}
	l.write("a", "in the linked tree\n")
	l.write("new", "n\n")
	c := l.create(CreateOptions{NoLog: true})
	l.git("reset", "-q", "--hard")
	l.remove("new")
	l.restore(c, RestoreOptions{NoLog: true})
	if l.read("a") != "in the linked tree\n" || l.read("new") != "n\n" || s.read("a") != "a\n" {
		t.Error("linked work tree is not restored")
	}

	m := newSandbox(t)
	m.commit("x")
	m.git("submodule", "--quiet", "add", s.dir, "sub")
	m.git("commit", "-q", "-m", "sub")
	in := &sandbox{t: t, dir: filepath.Join(m.dir, "sub"), env: m.env}
	in.write("a", "changed in the submodule\n")
	in.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "y")
	in.write("d/b", "and more\n")
	c = m.create(CreateOptions{NoLog: true})
	if len(c.Nested) != 1 || c.Nested[0] != "sub" {
		t.Errorf("nested = %v", c.Nested)
	}
	if got := m.git("ls-tree", c.Tree.String(), "sub"); !strings.Contains(got, in.git("rev-parse", "HEAD")) {
		t.Errorf("gitlink: %s", got)
	}
	ci := in.create(CreateOptions{NoLog: true})
	in.git("reset", "-q", "--hard")
	in.restore(ci, RestoreOptions{NoLog: true})
	if got := in.read("d/b"); got != "and more\n" {
		t.Errorf("in the submodule: %q", got)
	}
	if in.open().WorkTree != in.dir {
		t.Errorf("opened %s", in.open().WorkTree)
	}
	m.git("fsck", "--strict")
}

func TestConflictSurvives(t *testing.T) {
	s := newSandbox(t)
	s.commit("f")
	s.git("checkout", "-q", "-b", "other")
	s.write("f", "theirs\n")
	s.git("commit", "-qam", "theirs")
	s.git("checkout", "-q", "main")
	s.write("f", "ours\n")
	s.git("commit", "-qam", "ours")
	s.try(nil, "merge", "other")
	before, text := s.git("status", "--porcelain"), s.read("f")
	if before != "UU f" {
		t.Fatalf("no conflict: %q", before)
	}
	c := s.create(CreateOptions{Operation: "merge-abort", NoLog: true})
	s.git("reset", "-q", "--hard")
	s.git("gc", "-q", "--prune=now")
	s.restore(c, RestoreOptions{Index: true, NoLog: true})
	if got := s.git("status", "--porcelain"); got != before || s.read("f") != text {
		t.Errorf("status %q, file %q; want %q, %q", got, s.read("f"), before, text)
	}
	if got := s.git("show", ":2:f"); got != "ours" {
		t.Errorf("stage 2 = %q", got)
	}
}

func TestWhatIsSkippedIsNamed(t *testing.T) {
	s := newSandbox(t)
	s.commit("tracked", "fifo", "dir/hidden")
	s.write("big", strings.Repeat("x", 300))
	for i := range 12 {
		s.write(fmt.Sprintf("many/%02d", i), "m\n")
	}
	s.write("few", "f\n")
	s.write("odd\nname (x)", strings.Repeat("y", 300))
	s.remove("fifo")
	l, err := net.Listen("unix", filepath.Join(s.dir, "fifo"))
	if err != nil {
		t.Skip("no unix sockets: ", err)
	}
	defer l.Close()
	c := s.create(CreateOptions{NoLog: true, Limits: Limits{UntrackedFile: 200, UntrackedFiles: 5}})
	got := map[string]string{}
	for _, k := range c.Skipped {
		got[k.Path] = k.Why
	}
	for path, want := range map[string]string{"big": "over the limit", "odd\nname (x)": "over the limit", "fifo": "a socket", "many/11": "5 untracked files"} {
		if !strings.Contains(got[path], want) {
			t.Errorf("skipped[%q] = %q, want %q", path, got[path], want)
		}
	}
	if _, ok := got["few"]; ok || c.Stats.Untracked != 5 {
		t.Errorf("the small folder was crowded out: %v, %+v", got, c.Stats)
	}
	again, err := Find(s.open(), c.Name)
	if err != nil || !leavesOut(again, c) {
		t.Errorf("read back: %v, %v; want %v", again.Skipped, err, c.Skipped)
	}
	// What was left out is neither overwritten nor deleted.
	s.write("big", "other\n")
	res := s.restore(c, RestoreOptions{DeleteNew: true, NoLog: true})
	if s.read("big") != "other\n" || s.read("many/11") != "m\n" {
		t.Errorf("skipped files were touched: %+v", res)
	}
}

func TestSensitiveStaysOutOfTheBranch(t *testing.T) {
	s := newSandbox(t)
	s.write(".env", "A=1\n")
	s.commit("code")
	s.git("update-ref", "refs/remotes/origin/main", "HEAD") // what has been pushed is no secret any more
	sensitive := func(p string, content []byte) bool {
		return string(content) == "secret\n" || strings.HasPrefix(filepath.Base(p), ".env") || strings.HasSuffix(p, ".pem")
	}
	s.write(".env", "A=2\n")         // tracked and changed
	s.write("sub/.env.local", "x\n") // untracked
	s.write("key.pem", "k\n")        // staged
	s.write("code", "changed\n")
	s.write("notes", "secret\n") // by its content
	s.git("add", "key.pem")
	c := s.create(CreateOptions{Operation: "rm", NoLog: true, Branch: true, Sensitive: sensitive})
	if got := s.git("ls-tree", "-r", "--name-only", c.Name); got != ".env\ncode" {
		t.Errorf("branch holds %q", got)
	}
	if got := s.git("show", c.Name+":.env"); got != "A=1" {
		t.Errorf("branch holds .env = %q", got)
	}
	if got := s.git("rev-list", "--objects", c.Name); strings.Contains(got, "key.pem") || strings.Contains(got, ".env.local") || strings.Contains(got, "notes") {
		t.Errorf("the branch reaches sensitive files:\n%s", got)
	}
	if got := s.git("ls-tree", "-r", "--name-only", c.Ref); got != ".env\ncode\nkey.pem\nnotes\nsub/.env.local" {
		t.Errorf("hidden reference holds %q", got)
	}
	s.remove("key.pem")
	s.remove("sub")
	s.restore(c, RestoreOptions{NoLog: true})
	if s.read("sub/.env.local") != "x\n" || s.read("key.pem") != "k\n" {
		t.Error("sensitive files did not come back")
	}
	if plain := s.create(CreateOptions{NoLog: true, Branch: true}); plain.Branch == "" {
		t.Error("no branch")
	}
}

func TestBranchInTheWay(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("branch", "checkpoint")
	s.git("pack-refs", "--all")
	s.write("a", "2\n")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if c.Branch != "" || len(c.Warnings) != 1 {
		t.Errorf("branch %q, warnings %v", c.Branch, c.Warnings)
	}
	if _, err := Find(s.open(), "@1"); err != nil {
		t.Error(err)
	}
}

func TestIndexLockAndGCAreNoMatter(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("a", "2\n")
	s.write(".git/index.lock", "")
	c := s.create(CreateOptions{NoLog: true})
	s.remove(".git/index.lock")
	s.git("checkout", "-q", "--", "a")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now", "--aggressive")
	s.restore(c, RestoreOptions{NoLog: true})
	if s.read("a") != "2\n" {
		t.Error("gc has taken a checkpoint away")
	}
}

func TestHostileTree(t *testing.T) {
	for path, want := range map[string]bool{
		"a": true, "a/b.c": true, "...": true, ".gitignore": true, ".github/x": true, "git": true, "한글/파일": true, "a\\b": runtime.GOOS != "windows",
		"": false, ".git": false, "a/.git/config": false, ".GIT/hooks/x": false, ".g\u200cit/x": false, ".git ": false, ".git.": false, "git~1": false,
		".git::$INDEX_ALLOCATION/x": false, "../x": false, "a/../../x": false, "/etc/passwd": false, "a//b": false, "a/.": false, "a\x00b": false, ".Git\\x": false,
	} {
		if got := safePath(path); got != want {
			t.Errorf("safePath(%q) = %v, want %v", path, got, want)
		}
	}
	// A tree that holds a/file, and a work tree in which a is a link to elsewhere.
	s := newSandbox(t)
	s.commit("a/file")
	s.write("a/file", "saved\n")
	c := s.create(CreateOptions{NoLog: true})
	outside := t.TempDir()
	os.WriteFile(filepath.Join(outside, "file"), []byte("not ours\n"), 0o666)
	s.remove("a")
	os.Symlink(outside, filepath.Join(s.dir, "a"))
	s.restore(c, RestoreOptions{NoLog: true})
	if b, _ := os.ReadFile(filepath.Join(outside, "file")); string(b) != "not ours\n" {
		t.Errorf("written through a link: %q", b)
	}
	if fi, err := os.Lstat(filepath.Join(s.dir, "a")); err != nil || !fi.IsDir() || s.read("a/file") != "saved\n" {
		t.Errorf("a/file = %q", s.read("a/file"))
	}
	back := s.restore(mustFind(t, s, "before-restore"), RestoreOptions{DeleteNew: true, NoLog: true})
	if target, err := os.Readlink(filepath.Join(s.dir, "a")); err != nil || target != outside {
		t.Errorf("the link is not back: %v, %+v", err, back)
	}

	// A commit made by somebody else, in our namespace.
	w := s.open().NewWriter(repo.WriteOptions{})
	blob, _ := w.Add(repo.KindBlob, []byte("evil\n"))
	inner, _ := w.Add(repo.KindTree, repo.AppendTree(20, nil, []repo.TreeEntry{{Mode: repo.ModeFile, Name: "post-checkout", Hash: blob}}))
	tree, _ := w.Add(repo.KindTree, repo.AppendTree(20, nil, []repo.TreeEntry{{Mode: repo.ModeDir, Name: ".Git", Hash: inner}, {Mode: repo.ModeDir, Name: "..", Hash: inner}}))
	commit, _ := w.Add(repo.KindCommit, []byte("tree "+tree.String()+"\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\ncheckpoint: before x\n"))
	kit.Must(t, w.Flush())
	kit.Must(t, s.open().CreateRef(hiddenRefs+"before-x-20990101T000000.000Z", commit))
	res := s.restore(mustFind(t, s, "20990101"), RestoreOptions{NoLog: true})
	if len(res.Written) != 0 || len(res.Failed) != 2 {
		t.Errorf("hostile tree: %+v", res)
	}
	// Git itself trusts the paths of an index: its next checkout would write there.
	if list, err := indexEntries(s.open(), &Checkpoint{Index: tree}, new(Plan).unmarked); err == nil {
		t.Errorf("an index with %q would be written", list[0].path)
	}
	old, _ := w.Add(repo.KindTree, repo.AppendTree(20, nil, []repo.TreeEntry{{Mode: 0o100664, Name: "a", Hash: blob}, {Mode: 0o100775, Name: "b", Hash: blob}}))
	odd, _ := w.Add(repo.KindTree, repo.AppendTree(20, nil, []repo.TreeEntry{{Mode: 0o60644, Name: "a", Hash: blob}}))
	kit.Must(t, w.Flush())
	if list, err := indexEntries(s.open(), &Checkpoint{Index: old}, new(Plan).unmarked); err != nil || list[0].Mode != repo.ModeFile || list[1].Mode != repo.ModeExec {
		t.Errorf("modes of an old tree: %+v, %v", list, err)
	}
	if _, err := indexEntries(s.open(), &Checkpoint{Index: odd}, new(Plan).unmarked); err == nil {
		t.Error("an index with a device would be written")
	}
	twice, _ := w.Add(repo.KindTree, repo.AppendTree(20, nil, []repo.TreeEntry{{Mode: repo.ModeLink, Name: "a", Hash: blob}, {Mode: repo.ModeDir, Name: "a", Hash: inner}}))
	kit.Must(t, w.Flush())
	for _, h := range []repo.Hash{tree, twice} {
		if err := Export(io.Discard, s.open(), &Checkpoint{Tree: h}); err == nil || !strings.Contains(err.Error(), "not safe") {
			t.Errorf("export of a hostile tree: %v", err)
		}
	}
}

// Ten names for the same folder, and in it ten for another, and so on.
func TestTreeBomb(t *testing.T) {
	s := newSandbox(t)
	w := s.open().NewWriter(repo.WriteOptions{NoSync: true})
	blob := must(w.Add(repo.KindBlob, nil))
	for name, leaf := range map[string][]repo.TreeEntry{"files": {{Mode: repo.ModeFile, Name: "f", Hash: blob}}, "folders": nil} {
		tree := must(w.Add(repo.KindTree, repo.AppendTree(20, nil, leaf)))
		for range 12 {
			var list []repo.TreeEntry
			for i := range 10 {
				list = append(list, repo.TreeEntry{Mode: repo.ModeDir, Name: fmt.Sprint(i), Hash: tree})
			}
			tree = must(w.Add(repo.KindTree, repo.AppendTree(20, nil, list)))
		}
		r := s.open()
		read := func(h repo.Hash) ([]repo.TreeEntry, error) { return w.Tree(r, h) }
		const most = 5000
		d := &differ{read: read, left: most}
		if err := d.dir("", tree, repo.Hash{}, 0); !errors.Is(err, errTooMany) || len(d.out) > most {
			t.Errorf("%s: %d changes, %v, want %v", name, len(d.out), err, errTooMany)
		}
		kit.Must(t, w.Flush())
		n, left := 0, most
		if err := filesWithin(r, tree, "", 0, &left, func(string, Side) { n++ }); !errors.Is(err, errTooMany) || n > most {
			t.Errorf("%s: %d files, %v, want %v", name, n, err, errTooMany)
		}
	}
}

func mustFind(t *testing.T, s *sandbox, id string) *Checkpoint {
	t.Helper()
	c, err := Find(s.open(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCancelledPlanWritesNothing(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("a", "2\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := Create(ctx, s.open(), CreateOptions{NoLog: true}); err == nil {
		t.Errorf("a cancelled checkpoint was made: %+v", c)
	}
	if got := s.git("for-each-ref", "refs/moai"); got != "" {
		t.Errorf("references: %s", got)
	}
}

func TestSHA256(t *testing.T) {
	s := newSandbox(t)
	s.remove(".git")
	s.git("init", "-q", "--object-format=sha256")
	s.commit("a", "d/b")
	s.write("a", "2\n")
	s.write("new", "n\n")
	s.git("add", "new")
	before := s.git("status", "--porcelain")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if want := s.git("rev-parse", c.Name+"^{tree}"); want != c.Tree.String() {
		t.Errorf("tree %s, want %s", c.Tree, want)
	}
	s.git("reset", "-q", "--hard")
	s.restore(mustFind(t, s, "@1"), RestoreOptions{Index: true, NoLog: true})
	if got := s.git("status", "--porcelain"); got != before {
		t.Errorf("status %q, want %q", got, before)
	}
	s.git("fsck", "--strict")
}

// Directories that a sparse checkout leaves out are in the checkpoint and are not written by a restore.
func TestSparse(t *testing.T) {
	for _, sparseIndex := range []bool{false, true} {
		s := newSandbox(t)
		s.commit("in/a", "in/b", "out/deep/c", "out/d", "top")
		if sparseIndex {
			s.git("sparse-checkout", "init", "--cone", "--sparse-index")
		} else {
			s.git("sparse-checkout", "init", "--cone")
		}
		s.git("sparse-checkout", "set", "in")
		s.write("in/a", "changed\n")
		s.remove("in/b")
		s.write("in/new", "n\n")
		before := s.git("status", "--porcelain")
		c := s.create(CreateOptions{NoLog: true})
		if got := s.git("ls-tree", "-r", "--name-only", c.Tree.String()); got != "in/a\nin/new\nout/d\nout/deep/c\ntop" {
			t.Errorf("sparse index %v: tree holds %q", sparseIndex, got)
		}
		s.git("reset", "-q", "--hard")
		s.git("clean", "-qfd")
		res := s.restore(c, RestoreOptions{NoLog: true})
		if got := s.git("status", "--porcelain"); got != before || len(res.Failed) > 0 {
			t.Errorf("sparse index %v: status %q, want %q; %+v", sparseIndex, got, before, res)
		}
		if _, err := os.Lstat(filepath.Join(s.dir, "out")); err == nil {
			t.Error("a restore has checked out a directory that is left out")
		}
		// A file that appears in a directory that is left out is saved as well.
		s.write("out/deep/c", "appeared\n")
		s.write("out/deep/e", "new\n")
		c = s.create(CreateOptions{NoLog: true})
		if got := s.git("ls-tree", "-r", "--name-only", c.Tree.String(), "out/"); !strings.Contains(got, "out/deep/e") || !strings.Contains(got, "out/d") {
			t.Errorf("sparse index %v: %q", sparseIndex, got)
		}
	}
}

func TestAssumeUnchangedIsSaved(t *testing.T) {
	s := newSandbox(t)
	os.Symlink("conf", filepath.Join(s.dir, "link"))
	s.commit("conf", "other")
	s.git("update-index", "--assume-unchanged", "conf", "link")
	s.git("update-index", "--skip-worktree", "other")
	s.write("conf", "local settings\n")
	s.write("other", "local, too\n")
	c := s.create(CreateOptions{NoLog: true})
	s.remove("conf")
	s.remove("other")
	s.remove("link")
	s.restore(c, RestoreOptions{NoLog: true})
	if target, err := os.Readlink(filepath.Join(s.dir, "link")); target != "conf" {
		t.Errorf("link: %q, %v", target, err)
	}
	if s.read("conf") != "local settings\n" || s.read("other") != "local, too\n" {
		t.Errorf("conf %q, other %q", s.read("conf"), s.read("other"))
	}
}

// A file that is written to all the time is in the checkpoint, and named.
func TestTornFile(t *testing.T) {
	t.Run("small", func(t *testing.T) { tornFile(t, inMemory-1) })
	t.Run("streamed", func(t *testing.T) { tornFile(t, inMemory+1) })
}

func tornFile(t *testing.T, size int) {
	s := newSandbox(t)
	s.commit("f")
	s.write("f", strings.Repeat("x", size))
	stop := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		f, err := os.OpenFile(filepath.Join(s.dir, "f"), os.O_RDWR, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				f.WriteAt([]byte{byte('a' + i%26)}, int64(i%size))
			}
		}
	}()
	for range 20 {
		c := s.create(CreateOptions{NoLog: true})
		if slices.Contains(c.Torn, "f") {
			side := must(lookup(s.open().Tree, c.Tree, "f"))
			if n, err := s.open().BlobSize(side.Hash); err != nil || n != int64(size) {
				t.Errorf("%d bytes stored, %v", n, err)
			}
			if back := mustFind(t, s, c.Name); !slices.Equal(back.Torn, c.Torn) {
				t.Errorf("read back as %v", back.Torn)
			}
			close(stop)
			<-done
			return
		}
	}
	close(stop)
	<-done
	t.Error("a file that changes all the time was never named as torn")
}

func TestIntentToAddComesBack(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("later", "content\n")
	s.git("add", "-N", "later")
	before := s.git("status", "--porcelain")
	c := s.create(CreateOptions{NoLog: true})
	s.git("reset", "-q")
	s.remove("later")
	s.restore(mustFind(t, s, c.Name), RestoreOptions{Index: true, NoLog: true})
	if got := s.git("status", "--porcelain"); got != before {
		t.Errorf("status %q, want %q", got, before)
	}
}

// A merge that was given up goes on after a restore: its commit has two parents.
func TestMergeUnderWayComesBack(t *testing.T) {
	for _, begin := range [][]string{{"merge", "-q", "topic"}, {"cherry-pick", "topic"}} {
		s := newSandbox(t)
		s.commit("a")
		s.git("checkout", "-q", "-b", "topic")
		s.write("a", "theirs\n")
		s.git("commit", "-q", "-a", "-m", "theirs")
		topic := s.git("rev-parse", "topic")
		s.git("checkout", "-q", "main")
		s.write("a", "ours\n")
		s.git("commit", "-q", "-a", "-m", "ours")
		if _, err := s.try(nil, begin...); err == nil {
			t.Fatal("no conflict")
		}
		s.write("a", "half resolved\n")
		status := s.git("status")
		c := s.create(CreateOptions{Operation: begin[0], NoLog: true})
		s.git(begin[0], "--abort")
		s.git("branch", "-q", "-D", "topic")
		s.git("reflog", "expire", "--expire=now", "--all")
		s.git("gc", "-q", "--prune=now")
		s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
		if got := s.git("status"); got != status {
			t.Errorf("%v: status\n%s\nwant\n%s", begin, got, status)
		}
		s.git("commit", "-q", "-a", "-m", "resolved")
		if got := s.git("log", "-1", "--format=%P"); begin[0] == "merge" && !strings.HasSuffix(got, " "+topic) {
			t.Errorf("parents %s, want %s as the second", got, topic)
		}
		s.git("fsck", "--strict")
	}
}

// A file that is staged as deleted and stays on disk is both afterwards, whether it went from the disk or from the index.
func TestStagedDeletionOfFileThatStays(t *testing.T) {
	for name, destroy := range map[string]func(s *sandbox){
		"reset":  func(s *sandbox) { s.git("reset", "-q", "--hard") },
		"rm":     func(s *sandbox) { s.remove("a"); s.remove("b") },
		"commit": func(s *sandbox) { s.git("add", "-A"); s.remove("a") },
	} {
		s := newSandbox(t)
		s.commit("a", "b")
		s.git("rm", "-q", "--cached", "a")
		s.write("a", "changed since\n")
		status, staged := s.git("status", "--porcelain"), s.git("ls-files", "-s")
		c := s.create(CreateOptions{NoLog: true})
		destroy(s)
		s.restore(mustFind(t, s, c.Name), RestoreOptions{Index: true, NoLog: true})
		if got := s.git("status", "--porcelain"); got != status || s.git("ls-files", "-s") != staged || s.read("a") != "changed since\n" {
			t.Errorf("%s: status %q, want %q; a holds %q", name, got, status, s.read("a"))
		}
	}
}

// The executable bit of a file that had no other change comes back, too.
func TestModeOfUnchangedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no executable bit")
	}
	s := newSandbox(t)
	s.commit("tool", "text")
	must(t, os.Chmod(filepath.Join(s.dir, "tool"), 0o755))
	s.git("commit", "-q", "-a", "-m", "tool")
	c := s.create(CreateOptions{NoLog: true})
	must(t, os.Chmod(filepath.Join(s.dir, "tool"), 0o644))
	must(t, os.Chmod(filepath.Join(s.dir, "text"), 0o755))
	s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("status %q, want clean", got)
	}
}
