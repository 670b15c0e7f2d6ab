package cli

import (
	"testing"

	"github.com/modu-ai/moai/generated/agents"
	risktable "github.com/modu-ai/moai/generated/risks"
)

// The guard watches over the definition of every verifier.
func TestVerifiersAreGuarded(t *testing.T) {
	for i := range agents.Verifiers {
		if id := agents.Verifiers[i].ID; !risktable.Set().In("verifiers", id) {
			t.Errorf("the group verifiers lacks %s", id)
		}
	}
}
