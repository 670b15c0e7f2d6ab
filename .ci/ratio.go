//go:build ignore

// Command ratio times whole processes against each other, interleaved, so that a
// busy machine slows all of them alike, and prints medians and their ratios.
// hyperfine does the same but, in the version that Debian ships, cannot give a
// command its standard input without a shell in between.
//
//	go run .ci/ratio.go -in payload.json -n 500 -- moai hook pre-tool -- empty -- /bin/true
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	in := flag.String("in", os.DevNull, "file on standard input")
	n := flag.Int("n", 200, "rounds")
	dir := flag.String("dir", ".", "working directory of the commands")
	warm := flag.Int("warmup", 10, "rounds that do not count")
	cold := flag.String("rm", "", "what is removed before each run of the first command, which so finds no cache")
	evict := flag.Bool("cold", false, "empty the kernel's caches before each run, as root")
	flag.Parse()
	var commands [][]string
	for _, a := range flag.Args() {
		if a == "--" || len(commands) == 0 {
			commands = append(commands, nil)
		}
		if a != "--" {
			commands[len(commands)-1] = append(commands[len(commands)-1], a)
		}
	}
	// What it starts are the hooks of a client that says which process it is.
	if err := os.Setenv("CLAUDE_PID", strconv.Itoa(os.Getpid())); err != nil {
		fmt.Fprintln(os.Stderr, "ratio:", err)
		os.Exit(1)
	}
	if len(commands) == 0 {
		fmt.Fprintln(os.Stderr, "ratio: no commands")
		os.Exit(2)
	}
	for _, c := range commands {
		path, err := exec.LookPath(c[0])
		if err != nil {
			fmt.Fprintln(os.Stderr, "ratio:", err)
			os.Exit(1)
		}
		c[0] = path
	}
	times := make([][]time.Duration, len(commands))
	for round := range *n + *warm {
		for i, c := range commands {
			if i == 0 && *cold != "" {
				if err := os.RemoveAll(*cold); err != nil {
					fmt.Fprintln(os.Stderr, "ratio:", err)
					os.Exit(1)
				}
			}
			if *evict {
				syscall.Sync() // what is not written yet cannot be dropped
				if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0); err != nil {
					fmt.Fprintln(os.Stderr, "ratio:", err)
					os.Exit(1)
				}
			}
			took, err := run(c, *in, *dir)
			if err != nil {
				fmt.Fprintln(os.Stderr, "ratio:", err)
				os.Exit(1)
			}
			if round >= *warm {
				times[i] = append(times[i], took)
			}
		}
	}
	median := func(i int) float64 {
		slices.Sort(times[i])
		return float64(times[i][len(times[i])/2].Microseconds()) / 1000
	}
	first := median(0)
	for i, c := range commands {
		m := median(i)
		fmt.Printf("%8.3f ms  (min %.3f)  %5.2f x  %s\n", m, float64(times[i][0].Microseconds())/1000, first/m, strings.Join(c, " "))
	}
	fmt.Println("  (x: how many times as long the first command takes)")
}

// run starts one process and waits for its end. Its output goes nowhere; a
// refusing exit code is fine.
func run(args []string, in, dir string) (time.Duration, error) {
	stdin, err := os.Open(in)
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	start := time.Now()
	p, err := os.StartProcess(args[0], args, &os.ProcAttr{Dir: dir, Env: os.Environ(), Files: []*os.File{stdin, null, null}})
	if err != nil {
		return 0, err
	}
	_, err = p.Wait()
	return time.Since(start), err
}
