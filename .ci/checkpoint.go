//go:build ignore

// Command checkpoint times `moai checkpoint create` against what real git takes for the same tree, with new content before
// every run and all sides in turn, so that a busy machine slows them alike:
//
//	go run .ci/checkpoint.go -moai bin/moai -files 5000 -dirty 0,10,1000
//
// The sides: the verb; the hook, which a risky command waits for; a temporary index (`git add -A; write-tree; commit-tree;
// update-ref`), `git stash create`, and one `git status`; and the prototype of a checkpoint (-prototype), without and with its
// directory cache. Git keeps its default of not waiting for the disk for loose objects, which moai and the prototype do.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const tempIndex = `cp -p .git/index .git/tmpidx && export GIT_INDEX_FILE=.git/tmpidx && git add -A &&
t=$(git write-tree) && c=$(git commit-tree -p HEAD -m snapshot "$t") && git update-ref refs/bench/snapshot "$c"`

func main() {
	log.SetFlags(0)
	moai := flag.String("moai", "bin/moai", "program to time")
	dir := flag.String("dir", ".cache/bench/checkpoint", "where the repositories are made and kept")
	files := flag.Int("files", 5000, "tracked files")
	dirty := flag.String("dirty", "0,10,1000", "changed files: 70 % modified, 10 % deleted, 20 % new")
	rounds := flag.Int("n", 15, "rounds")
	prepare := flag.Bool("prepare", false, "make the repository and stop")
	prototype := flag.String("prototype", "", "the throwaway program that showed what is possible")
	flag.Parse()
	bin, err := filepath.Abs(*moai)
	check(err)
	top, err := filepath.Abs(*dir)
	check(err)
	// Nobody's own configuration or state takes part.
	home, err := os.MkdirTemp("", "moai-bench-") // in a work tree moai would not believe that it is the user's
	check(err)
	defer os.RemoveAll(home)
	for _, kv := range []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"} {
		k, v, _ := strings.Cut(kv, "=")
		check(os.Setenv(k, v))
	}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		check(os.Setenv("GIT_"+who+"_NAME", "bench"))
		check(os.Setenv("GIT_"+who+"_EMAIL", "bench@example.invalid"))
	}
	b := &bench{dir: filepath.Join(top, fmt.Sprint("tree", *files)), files: *files}
	b.repository()
	if *prepare {
		return
	}
	for word := range strings.SplitSeq(*dirty, ",") {
		n, err := strconv.Atoi(word)
		check(err)
		fmt.Printf("%d files, %d of them changed\n", *files, n)
		b.compare(n, *rounds, b.sides(bin, *prototype))
	}
}

type bench struct {
	dir   string
	files int
	names []string
	seq   int
}

// A side is one way to save the tree.
type side struct {
	name  string
	args  []string
	input string
	env   []string
	named bool // takes a message of its own as its last word, so that no older checkpoint will do
}

func (b *bench) sides(moai, prototype string) []side {
	sides := []side{
		{name: "moai checkpoint create", args: []string{moai, "checkpoint", "create", "-m"}, named: true},
		{name: "moai hook pre-tool, git reset --hard", args: []string{moai, "hook", "pre-tool"}, input: fmt.Sprintf(
			`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git reset --hard"},"session_id":"bench","cwd":%q}`, b.dir)},
		{name: "git add -A; write-tree; commit-tree; update-ref", args: []string{"sh", "-c", tempIndex}},
		{name: "git stash create", args: []string{"git", "stash", "create"}},
		{name: "git status", args: []string{"git", "--no-optional-locks", "status", "--porcelain"}},
	}
	if prototype != "" {
		args := []string{prototype, "-fsync", b.dir}
		sides = append(sides, side{name: "prototype", args: args},
			side{name: "prototype with its directory cache", args: args, env: []string{"MG_UC=" + filepath.Join(b.dir, "..", fmt.Sprint("cache", b.files))}})
	}
	return sides
}

func check(err error) {
	if err != nil {
		log.Fatal("checkpoint: ", err)
	}
}

func (b *bench) run(args ...string) time.Duration { return b.time(side{args: args}) }

func (b *bench) time(s side) time.Duration {
	c := exec.Command(s.args[0], s.args[1:]...)
	c.Dir, c.Env = b.dir, append(os.Environ(), s.env...)
	if s.input != "" {
		c.Stdin = strings.NewReader(s.input)
	}
	var talk strings.Builder
	c.Stderr = &talk
	start := time.Now()
	err := c.Run()
	took := time.Since(start)
	if err != nil {
		log.Fatalf("checkpoint: %v: %v\n%s", s.args, err, talk.String())
	}
	return took
}

// repository copies Go's own sources until there are enough files.
func (b *bench) repository() {
	src := filepath.Join(runtime.GOROOT(), "src")
	if b.names = b.list(); len(b.names) == b.files {
		return
	}
	check(os.RemoveAll(b.dir))
	check(os.MkdirAll(b.dir, 0o755))
	n := 0
	for copies := 0; n < b.files; copies++ {
		check(filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || n == b.files {
				return err
			}
			rel, _ := filepath.Rel(src, p)
			to := filepath.Join(b.dir, fmt.Sprint("copy", copies), rel)
			data, err := os.ReadFile(p)
			if err == nil && os.MkdirAll(filepath.Dir(to), 0o755) == nil {
				n++
				err = os.WriteFile(to, data, 0o644)
			}
			return err
		}))
	}
	b.run("git", "init", "-q", "-b", "main")
	b.run("git", "config", "gc.auto", "0")
	b.run("git", "add", "-A", "-f")
	b.run("git", "commit", "-qm", "start")
	b.run("git", "gc", "-q")
	time.Sleep(1100 * time.Millisecond)
	b.run("git", "update-index", "--refresh")
	b.names = b.list()
}

func (b *bench) list() []string {
	c := exec.Command("git", "ls-files", "-z")
	c.Dir = b.dir
	out, err := c.Output()
	if err != nil || len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// change gives n files content that no repository has seen.
func (b *bench) change(n int) {
	b.seq++
	stamp := fmt.Sprintf("// %d %d\n", b.seq, time.Now().UnixNano())
	for i := range n {
		name := filepath.Join(b.dir, b.names[i*len(b.names)/n])
		switch {
		case i%10 == 9:
			os.Remove(name)
		case i%10 >= 7:
			check(os.WriteFile(name+".new", []byte(strings.Repeat(stamp, 100)), 0o644))
		default:
			f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o644)
			check(err)
			_, err = f.WriteString(stamp)
			check(err)
			check(f.Close())
		}
	}
}

// clean drops what earlier runs have left: packs and thousands of loose objects slow both sides, moai more.
func (b *bench) clean() {
	b.run("git", "checkout", "-q", "--", ".")
	b.run("git", "clean", "-qfd")
	b.run("sh", "-c", "git for-each-ref --format='delete %(refname)' refs/moai refs/heads/checkpoint refs/bench | git update-ref --stdin")
	b.run("git", "repack", "-adq")
	b.run("git", "prune", "--expire=now")
	syscall.Sync()
	time.Sleep(6 * time.Second) // ext4 avoids inodes that were deleted in the last five
	b.run("git", "update-index", "--refresh")
}

// compare prints the median of each side and how many times as long the first and, for the hook, the second one take.
func (b *bench) compare(n, rounds int, sides []side) {
	b.clean()
	took := make([][]time.Duration, len(sides))
	const warmup = 2
	for round := range rounds + warmup {
		for i, s := range sides {
			b.change(n)
			syscall.Sync() // nobody waits for what another one has left unwritten
			if s.named {
				s.args = append(slices.Clip(s.args), fmt.Sprint(b.seq))
			}
			if d := b.time(s); round >= warmup {
				took[i] = append(took[i], d)
			}
		}
	}
	median := func(i int) float64 {
		slices.Sort(took[i])
		return float64(took[i][len(took[i])/2].Microseconds()) / 1000
	}
	first, second := median(0), median(1)
	for i, s := range sides {
		m := median(i)
		fmt.Printf("%8.1f ms  (min %.1f)  %5.2f x  %5.2f x  %s\n", m, float64(took[i][0].Microseconds())/1000, first/m, second/m, s.name)
	}
}
