//go:build linux

package rounds

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// told is what somebody needs who wants to see a failure again.
func (d *round) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %s: %s\n  in %s\n  work: %s\n  answer: %s %s\n", d.seed, d.kind.name, d.plan.line, d.plan.dir, strings.Join(d.said, "; "), d.outcome, strings.TrimSpace(d.answer.text))
	for i, f := range d.faults {
		if i == 8 && len(d.faults) > 10 {
			fmt.Fprintf(&b, "  and %d more\n", len(d.faults)-9)
			f = d.faults[len(d.faults)-1]
			fmt.Fprintf(&b, "  %s\n", f)
			break
		}
		fmt.Fprintf(&b, "  %s\n", f)
	}
	only := ""
	if k := os.Getenv("MOAI_ROUNDS_KIND"); k != "" {
		only = "MOAI_ROUNDS_KIND='" + k + "' "
	}
	fmt.Fprintf(&b, "  again: %sMOAI_ROUNDS=1 MOAI_ROUNDS_SEED=%d go test -count=1 -v ./internal/e2e/rounds", only, d.seed)
	return b.String()
}

// table counts what came of the rounds, by kind.
func table(played []*round) string {
	outcomes := []string{"harmless", "brought back", "asked", "asked, brought back", "denied", "lost", "skipped", "not played"}
	counts, failed, order := map[string]map[string]int{}, map[string]int{}, []string{}
	for _, d := range played {
		for _, name := range []string{d.kind.name, "all"} {
			if counts[name] == nil {
				counts[name] = map[string]int{}
				order = append(order, name)
			}
			counts[name][d.outcome]++
			if len(d.faults) > 0 {
				failed[name]++
			}
		}
	}
	slices.Sort(order)
	var b strings.Builder
	tab := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "kind\t%s\tfailed\t\n", strings.Join(outcomes, "\t"))
	for _, name := range order {
		fmt.Fprintf(tab, "%s\t", name)
		for _, o := range outcomes {
			fmt.Fprintf(tab, "%d\t", counts[name][o])
		}
		fmt.Fprintf(tab, "%d\t\n", failed[name])
	}
	tab.Flush()
	lines, things, ways, unsaid := 0, 0, 0, 0
	for _, d := range played {
		if d.changed > 0 {
			lines++
		}
		things, ways, unsaid = things+d.changed, ways+d.ways, unsaid+d.unsaid
	}
	return fmt.Sprintf("%s%d rounds of %d kinds: %d lines took or changed %d things; %d ways back were followed word by word; %d things were lost unsaid",
		b.String(), len(played), len(order)-1, lines, things, ways, unsaid)
}
