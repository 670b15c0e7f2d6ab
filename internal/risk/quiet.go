package risk

import "slices"

// Quiet reports that a snapshot is all that the verdict asks for, and that every rule behind it is quiet. The user is not told of such a snapshot.
func (v *Verdict) Quiet() bool {
	return v.Action == Checkpoint && !slices.ContainsFunc(v.Hits, func(h Hit) bool { return h.Action != Allow && !h.Rule.Quiet })
}
