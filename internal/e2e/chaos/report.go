//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is what one kind came to.
type row struct {
	kind     string
	cases    int
	took     time.Duration
	worst    time.Duration // of a hook that only judges
	slowest  int           // the case that it was
	notes    map[string]int
	failures []failure
	err      error
}

// report prints the table, and below it each failure with the command that makes it again.
func report(out io.Writer, rows []row, seed uint64, moai string) {
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "kind\tcases\tseconds\tworst hook\tfailures\t")
	for _, r := range rows {
		worst, failed := "-", fmt.Sprint(len(r.failures))
		if r.worst > 0 {
			worst = fmt.Sprintf("%.1f ms (case %d)", float64(r.worst.Microseconds())/1000, r.slowest)
		}
		if r.err != nil {
			failed = r.err.Error()
			if !errors.Is(r.err, errSkip) {
				failed = "could not start: " + failed
			}
		}
		var notes []string
		for _, k := range slices.Sorted(maps.Keys(r.notes)) {
			notes = append(notes, fmt.Sprintf("%d %s", r.notes[k], k))
		}
		fmt.Fprintf(tab, "%s\t%d\t%.1f\t%s\t%s\t%s\n", r.kind, r.cases, r.took.Seconds(), worst, failed, strings.Join(notes, ", "))
	}
	tab.Flush()
	for _, r := range rows {
		of := map[string][]failure{}
		for _, f := range r.failures {
			of[f.what] = append(of[f.what], f)
		}
		for _, what := range slices.Sorted(maps.Keys(of)) {
			list := of[what]
			fmt.Fprintf(out, "\nfailed: %s: %s\n  %s\n  again: go run ./internal/e2e/chaos -moai %s -seed %d -only %s -case %d\n",
				r.kind, what, list[0].detail, moai, seed, r.kind, list[0].n)
			var others []string
			for _, f := range list[1:] {
				if n := fmt.Sprint(f.n); !slices.Contains(others, n) && f.n != list[0].n {
					others = append(others, n)
				}
			}
			if len(others) > 0 {
				fmt.Fprintf(out, "  and in cases: %s\n", strings.Join(others, " "))
			}
		}
	}
}
