//go:build ignore

//go:debug updatemaxprocs=0

// Command status prints what internal/repo says of the working directory, in the
// form of `git status --porcelain`, and nothing else of moai: the program that the
// ratios to git's own status are taken with.
//
//	go build -o /tmp/status .ci/status.go && hyperfine -N /tmp/status 'git --no-optional-locks status --porcelain'
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/modu-ai/moai/internal/repo"
)

func main() {
	head := flag.Bool("head", false, "branch and short commit only")
	cache := flag.String("cache", "", "file of the directory cache")
	flag.Parse()
	if err := run(*head, *cache); err != nil {
		fmt.Fprintln(os.Stderr, "status:", err)
		os.Exit(1)
	}
}

func run(onlyHead bool, cache string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r, err := repo.Open(dir)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	h, err := r.Head()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "##", h.Branch, r.Short(h.Hash))
	if onlyHead {
		return nil
	}
	debug.SetGCPercent(-1) // as moai does for a hook that reads whole trees
	debug.SetMemoryLimit(512 << 20)
	st, err := r.Status(context.Background(), repo.StatusOptions{DirCache: cache})
	if err != nil {
		return err
	}
	for _, c := range st.Changes {
		fmt.Fprintf(out, "%c%c %s\n", c.X, c.Y, c.Path)
	}
	return nil
}
