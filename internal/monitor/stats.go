package monitor

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Group is what the runs of one type come to.
type Group struct {
	Type    string        `json:"agent_type"`
	Count   int           `json:"count"`
	Running int           `json:"running"`
	Failed  int           `json:"failed"`
	Empty   int           `json:"empty"`
	Tokens  int           `json:"tokens"`
	Models  []string      `json:"models"`
	Mean    time.Duration `json:"-"`
	P50     time.Duration `json:"-"`
	P95     time.Duration `json:"-"`

	took []time.Duration
}

// Stats groups runs by type, the most frequent first, and all of them. A call of which nothing more is known is no run. Times are of
// those that have begun and ended.
func Stats(runs []Run) (by []Group, all Group) {
	all.Models = []string{}
	for i := range runs {
		r := &runs[i]
		if r.State == Called {
			continue
		}
		at := slices.IndexFunc(by, func(g Group) bool { return g.Type == r.Type })
		if at < 0 {
			at = len(by)
			by = append(by, Group{Type: r.Type, Models: []string{}})
		}
		by[at].add(r)
		all.add(r)
	}
	for i := range by {
		by[i].measure()
	}
	all.measure()
	slices.SortStableFunc(by, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type))
	})
	return by, all
}

func (g *Group) add(r *Run) {
	g.Count++
	switch r.State {
	case Running:
		g.Running++
	case Failed:
		g.Failed++
	case Empty:
		g.Empty++
	}
	g.Tokens += r.Tokens
	if r.Model != "" && !slices.Contains(g.Models, r.Model) {
		g.Models = append(g.Models, r.Model)
	}
	if r.Agent != "" && r.Over() {
		g.took = append(g.took, r.Took())
	}
}

func (g *Group) measure() {
	slices.Sort(g.Models)
	if len(g.took) == 0 {
		return
	}
	slices.Sort(g.took)
	var sum time.Duration
	for _, d := range g.took {
		sum += d
	}
	g.Mean, g.P50, g.P95 = sum/time.Duration(len(g.took)), rank(g.took, 0.5), rank(g.took, 0.95)
}

// rank is the smallest of sorted times that so large a part does not exceed.
func rank(sorted []time.Duration, part float64) time.Duration {
	return sorted[max(0, int(math.Ceil(part*float64(len(sorted))))-1)]
}
