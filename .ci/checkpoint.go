//go:build ignore

// Command checkpoint times `moai checkpoint create` against what real git takes for the same tree, with new content before
// every run and all sides in turn, so that a busy machine slows them alike:
//
//	go run .ci/checkpoint.go -moai bin/moai -files 5000 -dirty 0,10,1000
//
// The sides: a temporary index (`git add -A; write-tree; commit-tree; update-ref`), `git stash create`, and one `git status`.
// Git keeps its default of not waiting for the disk for loose objects, which moai does.
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
	flag.Parse()
	bin, err := filepath.Abs(*moai)
	check(err)
	top, err := filepath.Abs(*dir)
	check(err)
	// Nobody's own configuration or state takes part.
	home := filepath.Join(top, "home")
	check(os.MkdirAll(home, 0o755))
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
		b.compare(n, *rounds, [][]string{
			{bin, "checkpoint", "create", "-m"},
			{"sh", "-c", tempIndex},
			{"git", "stash", "create"},
			{"git", "--no-optional-locks", "status", "--porcelain"},
		})
	}
}

type bench struct {
	dir   string
	files int
	names []string
	seq   int
}

func check(err error) {
	if err != nil {
		log.Fatal("checkpoint: ", err)
	}
}

func (b *bench) run(args ...string) time.Duration {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = b.dir
	var talk strings.Builder
	c.Stderr = &talk
	start := time.Now()
	err := c.Run()
	took := time.Since(start)
	if err != nil {
		log.Fatalf("checkpoint: %v: %v\n%s", args, err, talk.String())
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

// compare prints the median of each command and how many times as long the first one takes.
func (b *bench) compare(n, rounds int, commands [][]string) {
	b.clean()
	took := make([][]time.Duration, len(commands))
	const warmup = 2
	for round := range rounds + warmup {
		for i, c := range commands {
			b.change(n)
			syscall.Sync() // nobody waits for what another one has left unwritten
			if i == 0 {
				c = append(slices.Clip(c), fmt.Sprint(b.seq)) // a message of its own: never an older checkpoint again
			}
			if d := b.run(c...); round >= warmup {
				took[i] = append(took[i], d)
			}
		}
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Microseconds()) / 1000
	}
	first := median(took[0])
	for i, c := range commands {
		m := median(took[i])
		name := strings.Join(c[:min(3, len(c))], " ")
		if i == 1 {
			name = "git add -A; write-tree; commit-tree; update-ref"
		}
		fmt.Printf("%8.1f ms  (min %.1f)  %5.2f x  %s\n", m, float64(took[i][0].Microseconds())/1000, first/m, filepath.Base(name))
	}
}
