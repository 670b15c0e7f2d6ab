package risk_test

import (
	"path"
	"strings"
	"testing"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
)

// The guard's family "underway" and the names that a checkpoint keeps are one list: what one has, the other has. ORIG_HEAD alone
// outlives an operation, and is of none.
func TestUnderwayIsWhatACheckpointKeeps(t *testing.T) {
	met := map[string]bool{}
	var globs []string
	for _, f := range risktable.Set().Files {
		if f.Is == rule.Underway {
			globs = append(globs, f.Globs...)
		}
	}
	if len(globs) == 0 {
		t.Fatal("there is no family")
	}
	for _, n := range repo.StateNames {
		found := false
		for _, g := range globs {
			// A folder is named as one in both.
			if ok, err := path.Match(g, strings.ToLower(".git/"+n.Name)); err != nil {
				t.Fatal(err)
			} else if ok {
				found, met[g] = true, true
			}
		}
		if found == n.Stays {
			t.Errorf("%s: in the family: %v, stays after the operation: %v", n.Name, found, n.Stays)
		}
	}
	for _, g := range globs {
		if !met[g] {
			t.Errorf("%s: no checkpoint keeps it", g)
		}
	}
}
