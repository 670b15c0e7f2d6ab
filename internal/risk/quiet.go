package risk

import "slices"

// Quiet reports a verdict that is a snapshot and no more, by rules alone of which each is quiet: whoever reads every word that moai says would learn
// nothing from this one.
func (v *Verdict) Quiet() bool {
	return v.Action == Checkpoint && !slices.ContainsFunc(v.Hits, func(h Hit) bool { return h.Action != Allow && !h.Rule.Quiet })
}
