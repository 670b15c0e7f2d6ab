package repo

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// The oracle builds random repositories, edits them at random, and compares Status with
// `git status --porcelain=v1 -z`: letters, paths, renames and order. MOAI_ORACLE_ROUNDS
// sets the number of repositories, MOAI_ORACLE_SEED the first seed.

// sandbox gives the test its own home, so that nobody's configuration matters.
func sandbox(t testing.TB) (home string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	home = kit.Dir(t)
	for k, v := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C",
	} {
		t.Setenv(k, v)
	}
	for _, k := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_COUNT", "SUDO_UID"} {
		if v, ok := os.LookupEnv(k); ok {
			t.Setenv(k, v)
			os.Unsetenv(k)
		}
	}
	write(t, filepath.Join(home, ".gitconfig"), "[user]\n\tname = t\n\temail = t@example.org\n[init]\n\tdefaultBranch = main\n"+
		"[protocol \"file\"]\n\tallow = always\n[core]\n\texcludesFile = "+filepath.Join(home, "ignored")+"\n[advice]\n\tdetachedHead = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	write(t, filepath.Join(home, "ignored"), "*.glob\n")
	return home
}

// write makes a file, and the folders above it.
func write(t testing.TB, path, text string) { t.Helper(); kit.Write(t, path, text) }

// git runs git and fails the test when git fails.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return errs.String(), err
	}
	return string(out), nil
}

// gitStatus asks git, and returns lines in the form of ours.
func gitStatus(dir string, args ...string) ([]string, error) {
	out, err := tryGit(dir, append([]string{"--no-optional-locks", "status", "--porcelain=v1", "-z"}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var lines []string
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i < len(fields) && fields[i] != ""; i++ {
		line := fields[i]
		if strings.ContainsAny(line[:2], "RC") {
			i++
			line += " <- " + fields[i]
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func ourStatus(dir string, o StatusOptions) ([]string, *Status, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, nil, err
	}
	st, err := r.Status(context.Background(), o)
	if err != nil {
		return nil, nil, err
	}
	var lines []string
	for _, c := range st.Changes {
		line := string([]byte{c.X, c.Y, ' '}) + c.Path
		if c.Orig != "" {
			line += " <- " + c.Orig
		}
		lines = append(lines, line)
	}
	return lines, st, nil
}

// diffLines lists what only one side has; order counts when the sets are the same.
func diffLines(ours, gits []string) string {
	var b strings.Builder
	for _, l := range ours {
		if !slices.Contains(gits, l) {
			fmt.Fprintf(&b, "  only moai: %q\n", l)
		}
	}
	for _, l := range gits {
		if !slices.Contains(ours, l) {
			fmt.Fprintf(&b, "  only git:  %q\n", l)
		}
	}
	if b.Len() == 0 && !slices.Equal(ours, gits) {
		fmt.Fprintf(&b, "  order: moai %q\n         git  %q\n", ours, gits)
	}
	return b.String()
}

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

func TestStatusOracle(t *testing.T) {
	home := sandbox(t)
	rounds := envInt("MOAI_ORACLE_ROUNDS", 150)
	if testing.Short() {
		rounds = min(rounds, 20)
	}
	first := envInt("MOAI_ORACLE_SEED", 1)
	var next, compared atomic.Int64
	var wg sync.WaitGroup
	for k := range min(runtime.NumCPU(), 4) {
		wg.Go(func() {
			for !t.Failed() {
				n := int(next.Add(1)) - 1
				if n >= rounds {
					return
				}
				if n > 0 && n%500 == 0 {
					t.Logf("%d repositories, %d answers, no difference", n, compared.Load())
				}
				w := &world{t: t, dir: filepath.Join(home, fmt.Sprintf("w%d", k)), rnd: rand.New(rand.NewPCG(uint64(first+n), 7))}
				w.build()
				for _, mode := range []string{"normal", "all", "no"} {
					gits, err := gitStatus(w.dir, "--untracked-files="+mode)
					if err != nil {
						continue // git itself gives up on some of them
					}
					o := StatusOptions{}
					switch mode {
					case "all":
						o.Untracked = UntrackedAll
					case "no":
						o.Untracked = UntrackedNo
					}
					if w.cache != "" && mode != "no" {
						o.DirCache = w.cache
					}
					ours, st, err := ourStatus(w.dir, o)
					if err != nil {
						t.Errorf("seed %d: Status: %v", first+n, err)
						return
					}
					if d := diffLines(ours, gits); d != "" || len(st.Notes) > 0 || st.Partial {
						keep := filepath.Join(os.TempDir(), fmt.Sprintf("moai-oracle-%d", first+n))
						if os.Getenv("MOAI_ORACLE_KEEP") != "" {
							_ = os.RemoveAll(keep)
							_ = exec.Command("cp", "-a", w.dir, keep).Run()
						}
						t.Errorf("seed %d, untracked %s, notes %q, partial %v:\n%s  history: %s", first+n, mode, st.Notes, st.Partial, d, strings.Join(w.log, "; "))
						return
					}
					compared.Add(1)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d repositories, %d answers compared", rounds, compared.Load())
	if compared.Load() < int64(rounds) && !t.Failed() {
		t.Errorf("only %d answers compared: git refuses too many of the repositories", compared.Load())
	}
}

// world is one random repository.
type world struct {
	t     *testing.T
	dir   string
	cache string
	rnd   *rand.Rand
	log   []string
	// converts: attributes or core.autocrlf are at work. Git built without nanoseconds takes
	// every file that was written in the second of the index for racy and hashes it, so a
	// change of attributes shows for the rest of that second and no longer. Touching all files
	// makes both sides hash.
	converts bool
}

var (
	oracleNames = []string{
		"a", "b", "c", "aa", "ab", "a.b", "x.o", "y.txt", "keep", "foo", "foo bar", ".h", "build", "logs", "é", "한글", "d-e", "d", "A", "Keep", "z.glob",
		"a b ", "[x]", "a*", "\\b", "t\tab", "!x", "#c",
	}
	oraclePatterns = []string{
		"*.o", "!keep", "build/", "/a", "a/", "b/*", "!b/keep", "**/foo", "foo/**", "a/**/b", "*", "!*/", "[ab]", "[!a]", "[^b]", "[a-c]?", "*.txt", "!y.txt", "logs",
		"d/", "/b/c", "c/", "\\!x", "#c", "\\#c", "foo bar", "foo\\ bar ", "a*b", "**", "*/", "/*", "!/a", "x.[o]", "?", "[[:alpha:]]", "[[:upper:]]", "a/b", ".h", "*.*", "!a/", "!b/",
		"a**b", "a**/b", "**/a/**", "**/b/c", "[]x]*", "[[x]*", "\\[x]", "a\\*", "a b\\ ", "한*", "é", "?.?", "a/*/c", "*/b", "!**/keep", "foo*/", "\ta", "[a", "\\", "keep\r",
	}
)

func (w *world) git(args ...string) {
	w.log = append(w.log, "git "+strings.Join(args, " "))
	_, _ = tryGit(w.dir, args...)
}

func pick[T any](w *world, list []T) T { return list[w.rnd.IntN(len(list))] }

func (w *world) path(depth int) string {
	parts := make([]string, 1+w.rnd.IntN(depth))
	for i := range parts {
		parts[i] = pick(w, oracleNames)
	}
	return strings.Join(parts, "/")
}

func (w *world) chance(p float64) bool { return w.rnd.Float64() < p }

func (w *world) write(rel, text string) {
	w.log = append(w.log, fmt.Sprintf("write %q %q", rel, text))
	path := filepath.Join(w.dir, rel)
	if rel == ".git/info/exclude" {
		if out, err := tryGit(w.dir, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude"); err == nil {
			path = strings.TrimSpace(out)
		}
	}
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		_ = os.Remove(path)
	}
	_ = os.WriteFile(path, []byte(text), 0o644)
}

func (w *world) files() []string {
	var out []string
	_ = filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if e.IsDir() && e.Name() == ".git" {
			return filepath.SkipDir
		}
		if e.IsDir() || e.Name() == ".git" {
			return nil
		}
		rel, _ := filepath.Rel(w.dir, path)
		out = append(out, rel)
		return nil
	})
	return out
}

func (w *world) remove(rel string) {
	w.log = append(w.log, fmt.Sprintf("remove %q", rel))
	_ = os.RemoveAll(filepath.Join(w.dir, rel))
}

func (w *world) lines() string {
	var b strings.Builder
	end := "\n"
	if w.chance(.15) {
		end = "\r\n"
	}
	for range w.rnd.IntN(14) {
		fmt.Fprintf(&b, "line %d%s", w.rnd.IntN(12), end)
	}
	return b.String()
}

func (w *world) rules() {
	var lines []string
	for range 1 + w.rnd.IntN(4) {
		lines = append(lines, pick(w, oraclePatterns))
	}
	dir := ""
	if fs := w.files(); len(fs) > 0 && w.chance(.5) {
		dir = filepath.Dir(pick(w, fs))
	}
	text := strings.Join(lines, "\n")
	if w.chance(.8) {
		text += "\n"
	}
	if w.chance(.05) {
		text = "\xef\xbb\xbf" + text
	}
	w.write(filepath.Join(dir, ".gitignore"), text)
}

func (w *world) attributes() {
	w.converts = true
	var lines []string
	for range 1 + w.rnd.IntN(3) {
		lines = append(lines, pick(w, []string{"*.txt", "*", "a", "b/*", "*.o", "\"foo bar\"", "[attr]tx text", "/c/**", "keep"})+" "+
			pick(w, []string{"text", "-text", "text=auto", "eol=crlf", "eol=lf", "binary", "!text", "tx", "crlf", "-crlf", "ident", "text eol=crlf", "text=auto eol=lf"}))
	}
	dir := ""
	if fs := w.files(); len(fs) > 0 && w.chance(.3) {
		dir = filepath.Dir(pick(w, fs))
	}
	w.write(filepath.Join(dir, ".gitattributes"), strings.Join(lines, "\n")+"\n")
}

func (w *world) build() {
	_ = os.RemoveAll(w.dir)
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		w.t.Error(err)
		return
	}
	switch {
	case w.chance(.05):
		w.git("init", "-q", "--template=", "--object-format=sha256", ".")
	case w.chance(.05):
		// A linked work tree of another repository, on an unborn branch.
		main := w.dir + "-main"
		_ = os.RemoveAll(main)
		_, _ = tryGit(filepath.Dir(w.dir), "init", "-q", "--template=", main)
		_, _ = tryGit(main, "commit", "-q", "--allow-empty", "-m", "main")
		_, _ = tryGit(main, "worktree", "add", "-q", "--detach", w.dir)
		w.log = append(w.log, "linked work tree")
	default:
		w.git("init", "-q", "--template=", ".")
		_ = os.MkdirAll(filepath.Join(w.dir, ".git", "info"), 0o755)
	}
	if w.chance(.15) {
		w.converts = true
		w.git("config", "core.autocrlf", pick(w, []string{"true", "input"}))
	}
	if w.chance(.05) {
		w.git("config", "core.fileMode", "false")
	}
	if w.chance(.05) {
		w.git("config", "status.renames", pick(w, []string{"false", "copies"}))
	}
	for range 2 + w.rnd.IntN(13) {
		w.write(w.path(3), w.lines())
	}
	if w.chance(.2) {
		w.attributes()
	}
	if w.chance(.4) {
		w.git("add", "-A")
	}
	if w.chance(.6) {
		w.rules()
	}
	if w.chance(.3) {
		w.git("add", "-A", "-f")
	} else {
		w.git("add", "-A")
	}
	if w.chance(.9) {
		w.git("commit", "-qm", "x")
	}
	switch {
	case w.chance(.25):
		w.git("update-index", "--index-version", pick(w, []string{"2", "3", "4"}))
	case w.chance(.1):
		w.git("update-index", "--split-index")
	}
	if w.chance(.1) {
		w.git("gc", "-q")
	}
	if fi, err := os.Stat(filepath.Join(w.dir, ".git")); err == nil && fi.IsDir() && w.chance(.2) {
		// The directory cache is filled before the edits, and must not hide one of them.
		w.cache = filepath.Join(w.dir, ".git", "moai", "dircache")
		w.log = append(w.log, "fill the cache")
		time.Sleep(dirCacheAge + 20*time.Millisecond)
		_, _, _ = ourStatus(w.dir, StatusOptions{DirCache: w.cache})
	}
	if w.chance(.5) {
		// Past the racy moment: without this, most files are hashed.
		time.Sleep(15 * time.Millisecond)
	}
	for range w.rnd.IntN(13) {
		w.edit()
	}
	if w.converts {
		for _, f := range w.files() {
			full := filepath.Join(w.dir, f)
			if fi, err := os.Lstat(full); err == nil && fi.Mode().IsRegular() {
				_ = os.Chtimes(full, time.Now(), time.Unix(1_100_000_000, 0))
			}
		}
	}
}

func (w *world) edit() {
	list := w.files()
	f := "a"
	if len(list) > 0 {
		f = pick(w, list)
	}
	full := filepath.Join(w.dir, f)
	switch k := w.rnd.Float64(); {
	case k < .22:
		w.write(w.path(3), fmt.Sprintf("n%d\n", w.rnd.IntN(99)))
	case k < .30:
		w.write(f, fmt.Sprintf("m%d\n", w.rnd.IntN(99)))
	case k < .34:
		// Change a part, so that similarity counts.
		if b, err := os.ReadFile(full); err == nil {
			w.write(f, strings.Replace(string(b), "line 1\n", "line x\n", 1)+"more\n")
		}
	case k < .36:
		if b, err := os.ReadFile(full); err == nil {
			w.write(f, strings.ReplaceAll(string(b), "\n", "\r\n"))
		}
	case k < .38:
		w.log = append(w.log, "touch "+f)
		_ = os.Chtimes(full, time.Now(), time.Unix(1_000_000_000, 0))
	case k < .46:
		w.remove(f)
	case k < .50 && strings.Contains(f, "/"):
		w.remove(filepath.Dir(f))
	case k < .59:
		w.rules()
	case k < .61:
		w.attributes()
	case k < .66:
		w.git("add", "--", f)
	case k < .69:
		w.git("add", "-A")
	case k < .72:
		w.git("rm", "-q", "-f", "--cached", "--", f)
	case k < .76:
		to, at := pick(w, oracleNames), w.path(2)
		w.log = append(w.log, fmt.Sprintf("link %q -> %q", at, to))
		_ = os.Symlink(to, filepath.Join(w.dir, at))
	case k < .80:
		mode := pick(w, []fs.FileMode{0o644, 0o755, 0o600})
		w.log = append(w.log, fmt.Sprintf("chmod %o %q", mode, f))
		if fi, err := os.Lstat(full); err == nil && fi.Mode().IsRegular() {
			_ = os.Chmod(full, mode)
		}
	case k < .82:
		w.remove(f)
		w.write(f+"/in", "z\n")
	case k < .85 && strings.Contains(f, "/"):
		d := filepath.Dir(f)
		w.remove(d)
		w.write(d, "was dir\n")
	case k < .87:
		w.git("mv", "-k", "--", f, w.path(3))
	case k < .89:
		w.write(".git/info/exclude", pick(w, oraclePatterns)+"\n")
	case k < .91:
		w.write(w.path(2)+"/.gitignore", pick(w, []string{"*", "*.o", "!*", "a/"})+"\n")
	case k < .92:
		d := w.path(3)
		w.log = append(w.log, "mkdir "+d)
		_ = os.MkdirAll(filepath.Join(w.dir, d), 0o755)
	case k < .935:
		w.git("update-index", pick(w, []string{"--assume-unchanged", "--skip-worktree", "--skip-worktree"}), "--", f)
	case k < .945:
		w.git("add", "-N", "--", f)
	case k < .95:
		w.git("config", "core.sparseCheckout", pick(w, []string{"true", "false"}))
	case k < .957:
		d := w.path(1)
		w.git("sparse-checkout", "set", "--cone", pick(w, []string{"--sparse-index", "--no-sparse-index"}), d)
	case k < .965:
		// A conflict.
		w.git("commit", "-qam", "y")
		w.git("checkout", "-q", "-b", "side", "HEAD~1")
		w.write(f, "side\n")
		w.git("add", "--", f)
		w.git("commit", "-qm", "side")
		w.git("merge", "-q", "main")
	case k < .97:
		w.git("checkout", "-q", "--detach")
	case k < .98:
		// A submodule, or what looks like one.
		d := w.path(1)
		w.git("-c", "init.defaultBranch=main", "init", "-q", "--template=", d)
		w.write(d+"/s", "s\n")
		w.git("-C", d, "add", "-A")
		w.git("-C", d, "commit", "-qm", "s")
		if w.chance(.6) {
			w.git("-c", "advice.addEmbeddedRepo=false", "add", "--", d)
		}
		if w.chance(.3) {
			w.write(d+"/s", "dirty\n")
		}
		if w.chance(.2) {
			w.write(d+"/new", "new\n")
		}
	default:
		d := w.path(2)
		if _, err := os.Lstat(filepath.Join(w.dir, d)); err == nil {
			return
		}
		w.git("init", "-q", "--template=", d)
		if w.chance(.5) {
			w.write(d+"/f", "x")
		}
	}
}

func gitInput(dir string, in *os.File, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, in
	out, err := cmd.CombinedOutput()
	return string(out), err
}
