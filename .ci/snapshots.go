//go:build ignore

// Command snapshots times what a hook call costs that saves a snapshot, in kinds of repositories that cost much: once where nothing
// is saved yet, and once more for the same work. Beside it, in the same rounds, what git takes to store the same (`git add -A`,
// `write-tree`, `commit-tree` on a second index). The figures are processor time, the least of all rounds.
//
//	go run .ci/snapshots.go -moai bin/moai -n 3
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// settled is how long files have to be as they are before moai remembers what they hold.
const settled = 3 * time.Second

// kinds make what is special in a repository with a commit and a little of everything changed.
var kinds = []struct {
	name string
	make func()
	each func() // before every round
}{
	{"20,000 tracked files, all touched", func() {
		for i := range 20000 {
			write(fmt.Sprintf("q/f%05d", i), fmt.Sprintln(i))
		}
		git("add", "q")
		git("commit", "-qm", "q")
		git("gc", "-q")
	}, func() {
		now := time.Now()
		for i := range 20000 {
			check(os.Chtimes(fmt.Sprintf("q/f%05d", i), now, now))
		}
	}},
	{"12 untracked files of 9 MB", func() {
		random := rand.NewChaCha8([32]byte{})
		for i := range 12 {
			b := make([]byte, 9_000_000)
			random.Read(b)
			write(fmt.Sprint("b", i), string(b))
		}
	}, nil},
	{"150 repositories inside, of whose changes git saves nothing", func() {
		for i := range 150 {
			dir := fmt.Sprint("n", i)
			git("init", "-q", dir)
			write(dir+"/x", "x\n")
			git("-C", dir, "add", "x") // Git takes none without a commit
			git("-C", dir, "commit", "-qm", "x")
			write(dir+"/x", "y\n")
		}
	}, nil},
	{"20,000 lines of .gitignore, 2,000 untracked files", func() {
		var b strings.Builder
		for i := range 20000 {
			fmt.Fprintf(&b, "**/a%d*/**/*b?[a-z]c\n", i)
		}
		write(".gitignore", b.String())
		for i := range 2000 {
			write(fmt.Sprint("q/aaaaaaaaaaaaaaaaa", i), "")
		}
	}, nil},
	{"10,000 untracked files", func() {
		for i := range 10000 {
			write(fmt.Sprintf("q/f%05d", i), fmt.Sprintln(i))
		}
	}, nil},
}

func main() {
	log.SetFlags(0)
	moai := flag.String("moai", "bin/moai", "program to time")
	rounds := flag.Int("n", 3, "rounds")
	flag.Parse()
	bin, err := filepath.Abs(*moai)
	check(err)
	top, err := os.MkdirTemp("", "moai-bench-")
	check(err)
	defer os.RemoveAll(top)
	check(os.Setenv("GIT_CONFIG_NOSYSTEM", "1"))
	check(os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull))
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		check(os.Setenv("GIT_"+who+"_NAME", "bench"))
		check(os.Setenv("GIT_"+who+"_EMAIL", "bench@example.invalid"))
	}
	fmt.Println("processor time: first call, second call, git")
	for _, k := range kinds {
		made, dir := filepath.Join(top, "made"), filepath.Join(top, "work")
		check(os.RemoveAll(made))
		check(os.Mkdir(made, 0o755))
		check(os.Chdir(made))
		git("init", "-q", "-b", "main")
		write("a", "a\n")
		git("add", "a")
		git("commit", "-qm", "a")
		write("a", "b\n")
		k.make()
		var least [3]time.Duration
		for range *rounds {
			var took [3]time.Duration
			for side := range 2 { // a copy for each: objects that one stored would be there for the other
				check(os.Chdir(top))
				check(os.RemoveAll(dir))
				run(nil, "cp", "-a", made, dir)
				check(os.Chdir(dir))
				git("status")
				if k.each != nil {
					k.each()
					time.Sleep(settled)
				}
				if side == 1 {
					took[2] = store()
					continue
				}
				check(os.Setenv("XDG_STATE_HOME", filepath.Join(top, "state")))
				check(os.Setenv("XDG_CONFIG_HOME", filepath.Join(top, "config")))
				check(os.RemoveAll(filepath.Join(top, "state")))
				for i := range 2 {
					var out string
					took[i], out = run(fmt.Appendf(nil, `{"hook_event_name":"PreToolUse","session_id":"bench","cwd":%q,"tool_name":"Bash","tool_input":{"command":"git reset --hard"}}`, dir), bin, "hook", "pre-tool")
					if !strings.Contains(out, "moai checkpoint restore") {
						log.Fatalf("snapshots: no snapshot in the answer: %s", out)
					}
				}
			}
			for i, t := range took {
				if least[i] == 0 || t < least[i] {
					least[i] = t
				}
			}
		}
		fmt.Printf("%7.1f ms %7.1f ms %7.1f ms  %s\n", ms(least[0]), ms(least[1]), ms(least[2]), k.name)
	}
	check(os.Chdir("/"))
}

// store is what git takes to store all of a work tree as a commit.
func store() time.Duration {
	index, err := os.ReadFile(".git/index")
	check(err)
	check(os.WriteFile(".git/second", index, 0o644))
	check(os.Setenv("GIT_INDEX_FILE", ".git/second"))
	defer os.Unsetenv("GIT_INDEX_FILE")
	add, _ := run(nil, "git", "add", "-A")
	tree, name := run(nil, "git", "write-tree")
	commit, _ := run(nil, "git", "commit-tree", "-m", "x", strings.TrimSpace(name))
	return add + tree + commit
}

// git works in the foreground: a collection of garbage beside it would be in the way, and in the figures.
func git(args ...string) { run(nil, "git", append([]string{"-c", "gc.auto=0"}, args...)...) }

// run gives the processor time of a program, with that of the ones that it waits for, and what it prints.
func run(in []byte, name string, args ...string) (time.Duration, string) {
	c := exec.Command(name, args...)
	c.Stdin = bytes.NewReader(in)
	var before, after syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_CHILDREN, &before))
	out, err := c.Output()
	if err != nil {
		log.Fatalf("snapshots: %s %q: %v", name, args, err)
	}
	check(syscall.Getrusage(syscall.RUSAGE_CHILDREN, &after))
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()), string(out)
}

func write(path, text string) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, []byte(text), 0o644))
}

func ms(t time.Duration) float64 { return float64(t) / float64(time.Millisecond) }

func check(err error) {
	if err != nil {
		log.Fatal("snapshots: ", err)
	}
}
