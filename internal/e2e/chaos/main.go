//go:build linux

// Command chaos attacks a built moai as the world does: with command lines made to cost time, with hostile clones, by killing it
// wherever it stands, by many hooks at once, and on full disks. Whatever happens, what would destroy something is stopped, asked
// about or saved first, every promise of a snapshot is kept, and nothing that is left behind holds up what comes next.
//
// It is a program of its own and no part of moai: it starts the binary as an agent's client does, with scratch folders for home,
// state and configuration. The destructive commands are only judged. Where a loss is needed, chaos makes it itself, in a scratch
// repository. Every case has a number, and seed, kind and number make it again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// kinds are all sorts of chaos, with their shares of the time.
var kinds = []kind{
	{"time", 10, timeAttacks},
	{"clone", 10, hostileClones},
	{"kill", 8, killPoints},
	{"crowd", 5, crowds},
	{"full", 5, fullDisks},
}

// A kind is one sort of chaos.
type kind struct {
	name  string
	share int
	start func(*rig) (*attack, error)
}

// An attack is a kind that is ready to run.
type attack struct {
	try   func(*trial)
	least int // so many cases, even beyond its share of time: each of its variants once
}

// errSkip says why a kind cannot run here.
var errSkip = errors.New("skipped")

func main() {
	if err := ownMounts(); err != nil {
		fmt.Fprintln(os.Stderr, "chaos: no mounts of its own:", err)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, out, talk io.Writer) int {
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(talk)
	moai := flags.String("moai", "bin/moai", "the binary to attack")
	minutes := flags.Float64("minutes", 10, "how long in all")
	seed := flags.Uint64("seed", 0, "what the cases are made from; 0 takes one by chance")
	only := flags.String("only", "", "one kind: "+kindNames())
	number := flags.Int("case", -1, "with -only: this case and no other, as a failure names it")
	cpu := flags.Duration("cpu", 50*time.Millisecond, "processor time that judging one call may take where an empty Go program takes 1 ms")
	payloads := flags.String("payloads", "testdata/payload/claude", "recorded payloads of the client, one file each")
	spare := flags.Bool("spare", false, "kill nothing: what fails all the same does not fail for being killed")
	keep := flags.Bool("keep", false, "keep the scratch folder")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	chosen := slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return *only != "" && k.name != *only })
	if flags.NArg() > 0 || len(chosen) == 0 || *number >= 0 && *only == "" {
		fmt.Fprintln(talk, "chaos: error: usage: chaos [-moai FILE] [-minutes N] [-seed N] [-only "+kindNames()+" [-case N]]")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if *seed == 0 {
		*seed = rand.Uint64()>>32 + 1
	}
	r, err := newRig(ctx, *moai, *payloads, *seed, *cpu)
	if err != nil {
		fmt.Fprintln(talk, "chaos: error:", err)
		return 3
	}
	r.spare, r.keep = *spare, *keep
	if *keep {
		fmt.Fprintln(talk, "chaos: scratch folder:", r.dir)
	} else {
		defer r.clean()
	}
	fmt.Fprintf(talk, "chaos: %s, seed %d, %.4g minutes\n", r.moai, *seed, *minutes)
	total := 0
	for _, k := range chosen {
		total += k.share
	}
	var rows []row
	for _, k := range chosen {
		share := time.Duration(*minutes * float64(time.Minute) * float64(k.share) / float64(total))
		row := r.play(k, share, *number, talk)
		rows = append(rows, row)
		if ctx.Err() != nil {
			break
		}
	}
	report(out, rows, *seed, *moai)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(talk, "chaos: interrupted")
		return 130
	case slices.ContainsFunc(rows, func(r row) bool { return r.err != nil && !errors.Is(r.err, errSkip) }):
		return 3
	case slices.ContainsFunc(rows, func(r row) bool { return len(r.failures) > 0 }):
		return 1
	}
	return 0
}

// play runs the cases of one kind until its time is over, or just the one that was named.
func (r *rig) play(k kind, share time.Duration, number int, talk io.Writer) row {
	began := time.Now()
	row := row{kind: k.name}
	defer func() { row.took = time.Since(began) }()
	a, err := k.start(r)
	if err != nil {
		row.err = err
		return row
	}
	seen := map[string]bool{}
	one := func(n int) {
		t := r.trial(k.name, n)
		func() {
			defer t.recovered()
			a.try(t)
		}()
		t.done()
		if r.ctx.Err() != nil {
			return // what was interrupted proves nothing
		}
		row.cases++
		row.took = time.Since(began)
		if t.worst > row.worst {
			row.worst, row.slowest = t.worst, n
		}
		row.notes = add(row.notes, t.notes)
		for _, f := range t.failures {
			row.failures = append(row.failures, f)
			if !seen[f.what] {
				seen[f.what] = true
				fmt.Fprintf(talk, "chaos: %s case %d: %s\n", f.kind, f.n, f.what)
			}
		}
	}
	if number >= 0 {
		one(number)
		return row
	}
	// A kind that fails slowly must not take the others' time for ever.
	for n := 0; r.ctx.Err() == nil; n++ {
		if spent := time.Since(began); spent > share && n >= a.least {
			break
		} else if spent > 3*share {
			row.notes = add(row.notes, map[string]int{"variants not tried": a.least - n})
			break
		}
		one(n)
	}
	return row
}

// newRig finds what is needed and makes the scratch folder.
func newRig(ctx context.Context, moai, payloads string, seed uint64, cpu time.Duration) (*rig, error) {
	bin, err := filepath.Abs(moai)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(bin); err != nil || info.IsDir() {
		return nil, fmt.Errorf("%s is no program: make build makes bin/moai", moai)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, err
	}
	r := &rig{ctx: ctx, moai: bin, seed: seed, cpu: cpu}
	if r.payloads, err = readPayloads(payloads); err != nil {
		return nil, err
	}
	if r.dir, err = os.MkdirTemp("", "moai-chaos-"); err != nil {
		return nil, err
	}
	if r.dir, err = filepath.EvalSymlinks(r.dir); err != nil {
		return nil, err
	}
	return r, nil
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, "|")
}
