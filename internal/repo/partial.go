package repo

import "strings"

// Partial reports a clone that was told to leave objects with its remote: one that is not here is not lost.
func (r *Repo) Partial() bool {
	for _, e := range r.local.entries {
		if e.key == "extensions.partialclone" || strings.HasPrefix(e.key, "remote.") && strings.HasSuffix(e.key, ".promisor") {
			return true
		}
	}
	return false
}
