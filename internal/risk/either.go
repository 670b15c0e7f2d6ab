package risk

import (
	"cmp"
	"slices"
	"sort"

	"github.com/modu-ai/moai/internal/rule"
)

// Either is the verdict on a call that can mean two things: the stricter answer, and all that is in danger by any of them.
func Either(v, w Verdict) Verdict {
	if w.Action > v.Action || w.Action == v.Action && w.Warned > v.Warned {
		v, w = w, v
	}
	both := v
	both.Hits = append([]Hit(nil), v.Hits...)
	for i := range w.Hits {
		both.take(&w.Hits[i])
	}
	sort.SliceStable(both.Hits, func(i, j int) bool { return both.Hits[i].Action > both.Hits[j].Action })
	if both.Operation == "" {
		both.Operation = w.Operation
	}
	both.Targets = union(v.Targets, w.Targets)
	both.Vault = union(v.Vault, w.Vault)
	both.Doubts, both.Failed = union(v.Doubts, w.Doubts), cmp.Or(v.Failed, w.Failed)
	both.Adds, both.Unignores = v.Adds || w.Adds, v.Unignores || w.Unignores
	both.Moved, both.Behind = slices.Concat(v.Moved, w.Moved), slices.Concat(v.Behind, w.Behind)
	if both.Uncopied = cmp.Or(v.Uncopied, w.Uncopied); v.Uncopied != nil && w.Uncopied != nil {
		one := Either(*v.Uncopied, *w.Uncopied)
		both.Uncopied = &one
	}
	both.Runs = v.Runs || w.Runs
	both.Makes = union(v.Makes, w.Makes)
	both.Whole, both.Pins = v.Whole || w.Whole, v.Pins|w.Pins
	both.Unnamed = v.Unnamed || w.Unnamed
	both.Drops = (v.Drops || v.Action < Checkpoint) && (w.Drops || w.Action < Checkpoint)
	both.Warned = max(v.Warned, w.Warned)
	if v.again != nil || w.again != nil {
		both.again = func(used func(*rule.Allowed) bool) Verdict { return Either(v.Anew(used), w.Anew(used)) }
	}
	return both
}

// Anew is the verdict with other answers of Input.Used.
func (v *Verdict) Anew(used func(*rule.Allowed) bool) Verdict {
	if v.again == nil {
		return *v
	}
	return v.again(used)
}

// Once lists the single-use exceptions that the verdict rests on.
func (v *Verdict) Once() (list []*rule.Allowed) {
	for i := range v.Hits {
		if e := v.Hits[i].Allowed; e != nil && e.Once {
			list = append(list, e)
		}
	}
	return list
}

// take adds a hit, or its targets to the one of the same rule at the same place.
func (v *Verdict) take(h *Hit) {
	for i := range v.Hits {
		o := &v.Hits[i]
		if o.Rule.ID != h.Rule.ID || o.Span != h.Span || o.Action != h.Action {
			continue
		}
		o.Targets = joinedLists(o.Targets, h.Targets, func(t *Target) string { return t.Path })
		return
	}
	v.Hits = append(v.Hits, *h)
}

func union(a, b []string) []string { return joinedLists(a, b, func(s *string) string { return *s }) }

// joinedLists adds what is not there yet to a list, which others may hold: a line can name thousands.
func joinedLists[T any](list, further []T, key func(*T) string) []T {
	if len(further) == 0 {
		return list
	}
	known := make(map[string]bool, len(list)+len(further))
	for i := range list {
		known[key(&list[i])] = true
	}
	list = slices.Clip(list)
	for i := range further {
		if k := key(&further[i]); !known[k] {
			known[k] = true
			list = append(list, further[i])
		}
	}
	return list
}
