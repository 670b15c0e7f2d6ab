package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/repo"
)

// The oracle makes random repositories and random edits, takes a checkpoint, destroys things at random, restores, and compares
// with what was there and with what real git says. MOAI_ORACLE_ROUNDS sets the number of repositories, MOAI_ORACLE_SEED the first.

func oracleRounds(def int) (n int, seed int64) {
	n, seed = def, 1
	if v, err := strconv.Atoi(os.Getenv("MOAI_ORACLE_ROUNDS")); err == nil {
		n = v
	}
	if v, err := strconv.ParseInt(os.Getenv("MOAI_ORACLE_SEED"), 10, 64); err == nil {
		seed = v
	}
	return n, seed
}

var (
	oracleNames    = []string{"a", "b", "c", "aa", "ab", "a.b", "a-", "a0", "x.o", "y.txt", "keep", "foo", "foo bar", ".h", "build", "logs", "é", "한글", "d-e", "d", "tab\there", "q\"uote"}
	oraclePatterns = []string{"*.o", "!keep", "build/", "/a", "a/", "b/*", "!b/keep", "**/foo", "foo/**", "*", "!*/", "[ab]", "*.txt", "!y.txt", "logs", "d/", "/b/c", "foo bar", "a*b", "/*", "!/a", ".h", "!a/"}
)

type fuzzer struct {
	*sandbox
	r *rand.Rand
}

func (f *fuzzer) pick(list []string) string { return list[f.r.Intn(len(list))] }

func (f *fuzzer) path(depth int) string {
	parts := make([]string, 1+f.r.Intn(depth))
	for i := range parts {
		parts[i] = f.pick(oracleNames)
	}
	return strings.Join(parts, "/")
}

// put writes a file where that is possible; what cannot be is not part of the round.
func (f *fuzzer) put(name, content string) {
	p := filepath.Join(f.dir, name)
	if fi, err := os.Lstat(p); err == nil {
		if fi.IsDir() {
			return
		}
		os.Remove(p)
	}
	if os.MkdirAll(filepath.Dir(p), 0o777) == nil {
		os.WriteFile(p, []byte(content), 0o666)
	}
}

func (f *fuzzer) text() string {
	var b strings.Builder
	for range f.r.Intn(12) {
		fmt.Fprintf(&b, "l%d\n", f.r.Intn(10))
	}
	return b.String()
}

// files lists everything but .git directories.
func (f *fuzzer) files() []string {
	var out []string
	filepath.WalkDir(f.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			rel, _ := filepath.Rel(f.dir, p)
			out = append(out, rel)
		}
		return nil
	})
	return out
}

// quiet runs git and does not care.
func (f *fuzzer) quiet(args ...string) { f.try(nil, args...) }

func (f *fuzzer) ignore() {
	dir := ""
	if fs := f.files(); len(fs) > 0 && f.r.Intn(3) == 0 {
		if dir = filepath.Dir(f.pick(fs)); dir == "." {
			dir = ""
		}
	}
	var lines []string
	for range 1 + f.r.Intn(4) {
		lines = append(lines, f.pick(oraclePatterns))
	}
	f.put(filepath.Join(dir, ".gitignore"), strings.Join(lines, "\n")+"\n")
}

// build makes the repository of a round.
func (f *fuzzer) build() {
	os.RemoveAll(f.dir)
	os.Mkdir(f.dir, 0o777)
	f.git("init", "-q")
	for range 2 + f.r.Intn(12) {
		f.put(f.path(3), f.text())
	}
	if f.r.Intn(5) < 2 {
		f.quiet("add", "-A")
	}
	if f.r.Intn(5) < 3 {
		f.ignore()
	}
	if f.r.Intn(3) == 0 {
		f.quiet("add", "-A", "-f")
	} else {
		f.quiet("add", "-A")
	}
	if f.r.Intn(10) > 0 {
		f.quiet("commit", "-qm", "x")
	}
	if f.r.Intn(4) == 0 {
		f.quiet("gc", "-q")
	}
	if f.r.Intn(3) == 0 {
		f.quiet("update-index", "--index-version", f.pick([]string{"2", "4"}))
	}
	if f.r.Intn(10) == 0 {
		f.conflict()
	}
	for range f.r.Intn(12) {
		f.edit()
	}
}

func (f *fuzzer) conflict() {
	f.put("conf", "base\n")
	f.quiet("add", "-f", "conf")
	f.quiet("commit", "-qm", "base")
	f.quiet("checkout", "-qb", "other")
	f.put("conf", "theirs\n")
	f.quiet("commit", "-qam", "theirs")
	f.quiet("checkout", "-q", "main")
	if f.r.Intn(3) == 0 {
		f.quiet("rm", "-q", "conf")
	} else {
		f.put("conf", "ours\n")
	}
	f.quiet("commit", "-qam", "ours")
	f.quiet("merge", "-q", "other")
}

// edit is one random change of working tree or index.
func (f *fuzzer) edit() {
	name := "a"
	if fs := f.files(); len(fs) > 0 {
		name = f.pick(fs)
	}
	dir := filepath.Dir(name)
	switch k := f.r.Intn(24); {
	case k < 4:
		f.put(f.path(3), fmt.Sprintf("n%d\n", f.r.Intn(100)))
	case k < 8:
		f.put(name, fmt.Sprintf("m%d\n", f.r.Intn(100)))
	case k < 10:
		f.remove(name)
	case k < 11 && dir != ".":
		f.remove(dir)
	case k < 12:
		f.ignore()
	case k < 14:
		f.quiet("add", "--", name)
	case k == 14:
		f.quiet("add", "-A")
	case k == 15:
		f.quiet("rm", "-q", "-f", "--cached", "--", name)
	case k == 16:
		p := filepath.Join(f.dir, f.path(2))
		os.MkdirAll(filepath.Dir(p), 0o777)
		os.Symlink(f.pick(oracleNames), p)
	case k == 17:
		if fi, err := os.Lstat(filepath.Join(f.dir, name)); err == nil && fi.Mode().IsRegular() {
			os.Chmod(filepath.Join(f.dir, name), []os.FileMode{0o644, 0o755, 0o600, 0o400, 0o700, 0o664}[f.r.Intn(6)])
		}
	case k == 18:
		f.remove(name)
		f.put(name+"/in", "z\n")
	case k == 19 && dir != ".":
		f.remove(dir)
		f.put(dir, "was dir\n")
	case k == 20:
		f.quiet("mv", "-k", "--", name, f.path(3))
	case k == 21:
		f.put(".git/info/exclude", f.pick(oraclePatterns)+"\n")
	case k == 22:
		os.MkdirAll(filepath.Join(f.dir, f.path(3)), 0o777)
	case k == 23 && f.r.Intn(3) == 0:
		f.quiet("add", "-N", "--", name)
	case k == 23:
		f.quiet("update-index", f.pick([]string{"--assume-unchanged", "--skip-worktree"}), "--", name)
	}
}

// destroy is what an agent might do.
func (f *fuzzer) destroy() {
	for range 1 + f.r.Intn(4) {
		switch f.r.Intn(12) {
		case 0, 1:
			f.quiet("reset", "-q", "--hard")
		case 2:
			f.quiet("clean", "-qfd")
		case 3:
			f.quiet("checkout", "-q", "--", ".")
		case 4:
			f.quiet("stash", "-q", "-u")
		case 5:
			f.quiet("rm", "-qrf", "--", ".")
		case 6:
			for _, n := range f.files() {
				if f.r.Intn(2) == 0 {
					f.remove(n)
				}
			}
		case 7:
			f.quiet("add", "-A")
		case 8:
			ents, _ := os.ReadDir(f.dir)
			for _, e := range ents {
				if e.Name() != ".git" {
					f.remove(e.Name())
				}
			}
		default:
			f.edit()
		}
	}
}

// state is every file that a checkpoint holds, as "kind mode content".
func (f *fuzzer) state(paths []string) map[string]string {
	m := map[string]string{}
	for _, p := range paths {
		full := filepath.Join(f.dir, p)
		fi, err := os.Lstat(full)
		switch {
		case err != nil:
			m[p] = "absent"
		case fi.Mode()&os.ModeSymlink != 0:
			t, _ := os.Readlink(full)
			m[p] = "link " + t
		case fi.IsDir():
			m[p] = "directory"
		default:
			b, _ := os.ReadFile(full)
			perm := fi.Mode().Perm()
			if !hasPermissions {
				perm &= 0o100
			}
			m[p] = fmt.Sprintf("file %v %q", perm, b)
		}
	}
	return m
}

func (f *fuzzer) status() string {
	out, _ := f.try(nil, "--no-optional-locks", "status", "--porcelain", "-z", "-uall")
	return out
}

// gitTree is what `git add -A && git write-tree` gives on a copy of the index that keeps its time: a newer copy would defeat git's
// racy-clean rule.
func (f *fuzzer) gitTree() string {
	tmp := filepath.Join(f.dir, ".git", "tmpidx")
	defer os.Remove(tmp)
	index := filepath.Join(f.dir, ".git", "index")
	if b, err := os.ReadFile(index); err == nil {
		os.WriteFile(tmp, b, 0o666)
		if fi, err := os.Stat(index); err == nil {
			os.Chtimes(tmp, fi.ModTime(), fi.ModTime())
		}
	}
	env := []string{"GIT_INDEX_FILE=" + tmp}
	f.try(env, "add", "-A", "--ignore-errors")
	out, _ := f.try(env, "write-tree")
	return strings.TrimSpace(out)
}

func TestOracle(t *testing.T) {
	n, first := oracleRounds(20)
	s := newSandbox(t)
	failed := 0
	for i := range n {
		seed := first + int64(i)
		f := &fuzzer{s, rand.New(rand.NewSource(seed))}
		if err := f.round(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			if dir := os.Getenv("MOAI_ORACLE_KEEP"); dir != "" {
				os.CopyFS(filepath.Join(dir, fmt.Sprint("seed", seed)), os.DirFS(s.dir))
			}
			if failed++; failed > 5 {
				break
			}
		}
	}
	t.Logf("%d rounds", n)
}

func (f *fuzzer) round() error {
	f.build()
	hidden := strings.ContainsAny(f.flags(), "hSs")
	index, _ := os.ReadFile(filepath.Join(f.dir, ".git", "index"))
	head, _ := os.ReadFile(filepath.Join(f.dir, ".git", "HEAD"))
	status := f.status()

	r, err := repo.Open(f.dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	opts := CreateOptions{Operation: "fuzz", NoLog: true, NoSync: true, Branch: f.r.Intn(2) == 0, remember: 1, StateDir: filepath.Join(filepath.Dir(f.dir), "state")}
	c, err := Create(ctx, r, opts)
	if err != nil {
		return err
	}
	if now, _ := os.ReadFile(filepath.Join(f.dir, ".git", "index")); !bytes.Equal(now, index) {
		return fmt.Errorf("index changed")
	}
	if now, _ := os.ReadFile(filepath.Join(f.dir, ".git", "HEAD")); !bytes.Equal(now, head) {
		return fmt.Errorf("HEAD changed")
	}
	if now := f.status(); now != status {
		return fmt.Errorf("status changed from %q to %q", status, now)
	}
	// What git was told not to look at is in the checkpoint as it is on disk, which git's own tree is not.
	if want := f.gitTree(); !hidden && want != c.Tree.String() {
		diff, _ := f.try(nil, "diff", "--raw", "--no-renames", want, c.Tree.String())
		return fmt.Errorf("tree %s, git says %s:\n%s", c.Tree, want, diff)
	}
	if again, err := Create(ctx, r, opts); err != nil || !again.Reused {
		return fmt.Errorf("a second checkpoint was made: %v, %v", again, err)
	}
	// A look that was taken for something else, which knows what is staged as well, shows the same.
	shared := opts
	if shared.Look, err = r.Look(ctx, repo.StatusOptions{DirCache: r.DirCacheIn(opts.StateDir)}); err != nil {
		return err
	}
	if again, err := Create(ctx, r, shared); err != nil || !again.Reused {
		return fmt.Errorf("a second checkpoint was made of a look that was handed on: %v, %v", again, err)
	}
	// The second one had the directory cache to go by; so has this one, after another edit.
	f.edit()
	edited, err := Create(ctx, r, opts)
	if err != nil {
		return err
	}
	if hidden = hidden || strings.ContainsAny(f.flags(), "hSs"); !hidden {
		if want := f.gitTree(); want != edited.Tree.String() {
			return fmt.Errorf("after one more edit: tree %s, git says %s", edited.Tree, want)
		}
	}
	c = edited
	status = f.status()
	headCommit, _ := f.try(nil, "rev-parse", "-q", "--verify", "HEAD")
	exclude, _ := os.ReadFile(filepath.Join(f.dir, ".git/info/exclude"))
	var paths []string
	if err := files(r, c.Tree, func(p string, _ Side) { paths = append(paths, p) }); err != nil {
		return err
	}
	want := f.state(paths)
	// A .gitignore that is itself ignored is not part of the checkpoint. When it is destroyed its rules are gone: what it had
	// un-ignored, git ignores now. It is put back for the comparison, as info/exclude is.
	rules := map[string]string{}
	for _, p := range f.files() {
		if filepath.Base(p) == ".gitignore" && want[p] == "" {
			if b, err := os.ReadFile(filepath.Join(f.dir, p)); err == nil {
				rules[p] = string(b)
			}
		}
	}

	f.destroy()
	r, err = repo.Open(f.dir)
	if err != nil {
		return err
	}
	if loaded, err := Find(r, c.Name); err != nil {
		return err
	} else if c = loaded; c.Commit.IsZero() {
		return fmt.Errorf("no commit")
	}
	o := RestoreOptions{Index: true, DeleteNew: f.r.Intn(3) > 0, NoLog: true, NoSync: true, StateDir: opts.StateDir, remember: 1}
	p, err := MakePlan(ctx, r, c, nil, o)
	if err != nil {
		return err
	}
	res, err := Restore(ctx, r, p)
	if err != nil {
		return err
	}
	if len(res.Failed) > 0 {
		return f.checkFailures(res, want)
	}
	if got := f.state(paths); !maps.Equal(got, want) {
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if got[k] != want[k] {
				return fmt.Errorf("%s is %s, was %s", k, got[k], want[k])
			}
		}
	}
	// Rules outside the working tree are not part of a checkpoint, new ones that ignore themselves are not deleted, and marks on
	// index entries stay.
	hidden = hidden || strings.ContainsAny(f.flags(), "hSs")
	var ignored []string
	for _, p := range f.files() {
		if want[p] == "" {
			if _, err := f.try(nil, "check-ignore", "-q", "--no-index", "--", p); err == nil {
				ignored = append(ignored, p)
			}
		}
	}
	for _, p := range ignored {
		f.remove(p)
	}
	for p, text := range rules {
		f.put(p, text)
	}
	os.WriteFile(filepath.Join(f.dir, ".git/info/exclude"), exclude, 0o666)
	if now, _ := f.try(nil, "rev-parse", "-q", "--verify", "HEAD"); o.DeleteNew && now == headCommit && !hidden {
		if now := f.known(f.status(), status); now != status {
			return fmt.Errorf("status after restore is %q, was %q (kept %v)", now, status, res.Kept)
		}
	}
	o.DeleteNew = false
	p, err = MakePlan(ctx, r, c, nil, o)
	if err != nil || !p.Empty() {
		return fmt.Errorf("a second restore would write %v, delete %v, index %v: %v", p.Write, p.Delete, p.Index, err)
	}
	out, err := f.try(nil, "fsck", "--strict", "--no-dangling")
	if err != nil || strings.Contains(out, "error") || strings.Contains(out, "missing") {
		return fmt.Errorf("fsck: %v %s", err, out)
	}
	return nil
}

// known drops untracked files from a status that an older one does not have: files that came later and that git ignored when the
// restore looked, by rules that it has changed back.
func (f *fuzzer) known(now, then string) string {
	var out []string
	for _, e := range strings.SplitAfter(now, "\x00") {
		if !strings.HasPrefix(e, "?? ") || strings.Contains("\x00"+then, "\x00"+e) {
			out = append(out, e)
		}
	}
	return strings.Join(out, "")
}

// checkFailures allows what cannot be helped: an ignored file in a directory that must become a file, which a restore must not
// delete. Everything that is reported as failed must then be untouched.
func (f *fuzzer) checkFailures(res *RestoreResult, want map[string]string) error {
	for _, s := range res.Failed {
		// A file of the user's that is new where an empty folder was stays, and the restore says so.
		fi, err := os.Lstat(filepath.Join(f.dir, s.Path))
		// So does one that the snapshot could not have seen, since Git ignored it then.
		if (strings.HasPrefix(s.Why, "it was an empty folder") || strings.HasPrefix(s.Why, stays)) && want[s.Path] == "" && err == nil && !fi.IsDir() {
			continue
		}
		if !strings.Contains(s.Why, "directory with other files") {
			return fmt.Errorf("not restored: %v (want %s)", s, want[s.Path])
		}
	}
	return nil
}

func (f *fuzzer) flags() string {
	out, _ := f.try(nil, "ls-files", "-v")
	var b strings.Builder
	for line := range strings.Lines(out) {
		b.WriteByte(line[0])
	}
	return b.String()
}
