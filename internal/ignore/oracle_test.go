package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// The oracles build random rule files and ask `git check-ignore` and `git check-attr` about
// random paths. MOAI_ORACLE_ROUNDS sets the number of rule sets.

func oracleRepo(t *testing.T) (dir string, env []string, rounds int) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	dir = t.TempDir()
	env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/none", "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C")
	cmd := exec.Command("git", "init", "-q", "--template=", ".")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	rounds = 60
	if n, err := strconv.Atoi(os.Getenv("MOAI_ORACLE_ROUNDS")); err == nil {
		rounds = n
	}
	return dir, env, rounds
}

var (
	letters  = []string{"a", "b", "c", "A", "x.o", "y.txt", "foo", "[x]", "a*", "\\", "-", "]", "한", "é", ".h", "#c", "!d", "e f", "g "}
	elements = []string{
		"a", "b", "c", "A", "*", "**", "?", "[", "]", "!", "/", "/", "/", "\\", "^", "-", "[a-c]", "[!a]", "[^b]", "[[:alpha:]]", "[[:upper:]]", "[[:punct:]]", "[[:foo:]]",
		"[]a]", "[a-]", "[\\]]", ".o", "x", ".", "#", " ", "\\ ", "foo", "한", "\t", "é", "***", "/**/", "**/", "/**", "[[a]", "[:alpha:]", "y.t",
	}
)

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(6) == 0 {
		b.WriteByte('!')
	}
	for range 1 + r.IntN(5) {
		b.WriteString(elements[r.IntN(len(elements))])
	}
	if r.IntN(5) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// fillers are so many patterns that a list is searched by what they ask for, nearly all of which match nothing here.
func fillers(r *rand.Rand) []string {
	lines := make([]string, 2*manyPatterns)
	for i := range lines {
		word := letters[r.IntN(len(letters))]
		if r.IntN(4) == 0 {
			word += "/"
		}
		word = strings.ReplaceAll(word+letters[r.IntN(len(letters))], "*", "x")
		lines[i] = []string{"", "/", "**/", "*", "!", "q?", "[ab]"}[r.IntN(7)] + word + []string{"", "/", "*", "/**", "?"}[r.IntN(5)]
	}
	return lines
}

func randomPath(r *rand.Rand) string {
	parts := make([]string, 1+r.IntN(4))
	for i := range parts {
		parts[i] = letters[r.IntN(len(letters))]
	}
	return strings.Join(parts, "/")
}

func ask(t *testing.T, dir string, env []string, paths []string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ee, ok := err.(*exec.ExitError); ok && ee.ExitCode() == 1 {
		err = nil // nothing is ignored
	}
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, errs.String())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestIgnoreOracle(t *testing.T) {
	dir, env, rounds := oracleRepo(t)
	asked := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var lines []string
		if seed%2 == 1 { // long enough for chains
			lines = fillers(r)
		}
		for range 1 + r.IntN(5) {
			lines = append(lines, randomPattern(r))
		}
		rules := strings.Join(lines, "\n") + "\n"
		kit.Write(t, filepath.Join(dir, ".gitignore"), rules)
		fold := r.IntN(4) == 0
		m := New(Options{Read: tree(map[string]string{"": rules}), Fold: fold})
		// Directories must exist: check-ignore looks at the disk to tell them from files.
		var paths []string
		seen := map[string]bool{}
		for range 60 {
			p := randomPath(r)
			if r.IntN(4) == 0 {
				_ = os.MkdirAll(filepath.Join(dir, p), 0o755)
			}
			if !seen[p] {
				seen[p] = true
				paths = append(paths, p)
			}
		}
		ignored := map[string]bool{}
		for _, p := range ask(t, dir, env, paths, "-c", fmt.Sprintf("core.ignoreCase=%v", fold), "check-ignore", "--no-index", "-z", "--stdin") {
			ignored[p] = true
		}
		for _, p := range paths {
			asked++
			fi, err := os.Stat(filepath.Join(dir, p))
			if got := m.Match(p, err == nil && fi.IsDir()); got != ignored[p] {
				t.Errorf("seed %d: Match(%q) = %v, git says %v; fold %v, rules %q", seed, p, got, ignored[p], fold, lines)
			}
		}
		for _, l := range letters {
			_ = os.RemoveAll(filepath.Join(dir, l))
		}
		if t.Failed() {
			break
		}
	}
	if asked < 10*rounds && !t.Failed() {
		t.Errorf("git was asked about %d paths only, with %d rule sets", asked, rounds)
	}
}

func TestAttributesOracle(t *testing.T) {
	dir, env, rounds := oracleRepo(t)
	names := []string{"text", "eol", "diff", "merge", "m1", "m2", "binary"}
	asked := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		file := func() string {
			var b strings.Builder
			if seed%2 == 1 { // long enough for chains
				for _, p := range fillers(r) {
					b.WriteString(strings.ReplaceAll(strings.TrimPrefix(p, "!"), " ", "?") + " " + names[r.IntN(len(names))] + "\n")
				}
			}
			for range 1 + r.IntN(6) {
				p := strings.TrimPrefix(randomPattern(r), "!")
				switch r.IntN(8) {
				case 0:
					p = "[attr]m1"
				case 1:
					p = "[attr]m2"
				case 2:
					p = strconv.Quote("e f")
				}
				b.WriteString(p)
				for range 1 + r.IntN(3) {
					b.WriteString(" " + []string{"", "-", "!"}[r.IntN(3)] + names[r.IntN(len(names))])
					if r.IntN(4) == 0 {
						b.WriteString(" eol=" + []string{"lf", "crlf", ""}[r.IntN(3)])
					}
				}
				b.WriteString("\n")
			}
			return b.String()
		}
		files := map[string]string{"": file(), "a/": file()}
		for d, text := range files {
			kit.Must(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
			kit.Write(t, filepath.Join(dir, d, ".gitattributes"), text)
		}
		a := NewAttributes(AttributeOptions{Read: tree(files)})
		var paths []string
		for range 25 {
			paths = append(paths, randomPath(r))
		}
		args := append([]string{"check-attr", "-z", "--stdin"}, names...)
		out := ask(t, dir, env, paths, args...)
		for i := 0; i+2 < len(out); i += 3 {
			path, attr, want := out[i], out[i+1], out[i+2]
			asked++
			got := string(a.Lookup(path, attr)[0])
			switch Value(got) {
			case Set:
				got = "set"
			case Unset:
				got = "unset"
			case Unspecified:
				got = "unspecified"
			}
			if got != want {
				t.Errorf("seed %d: Lookup(%q, %q) = %q, git says %q; files %q", seed, path, attr, got, want, files)
			}
		}
		if t.Failed() {
			break
		}
	}
	if asked < 10*rounds && !t.Failed() {
		t.Errorf("git gave %d answers only, to %d pairs of files", asked, rounds)
	}
}
