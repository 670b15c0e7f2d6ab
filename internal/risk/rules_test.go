package risk

import (
	"os"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// builtin loads the project's own rules, as gen does.
func builtin(tb testing.TB) *rule.Risks {
	tb.Helper()
	r, err := rule.LoadRisks(os.DirFS("../.."))
	if err != nil {
		tb.Fatalf("load rules:\n%v", err)
	}
	return r
}

func TestRulesHoldTheirExamples(t *testing.T) {
	r := builtin(t)
	problems := Verify(r)
	for _, p := range problems {
		t.Error(p)
	}
	t.Logf("%d rules", len(r.Rules))
	if len(r.Rules) < 100 {
		t.Errorf("only %d rules were loaded", len(r.Rules))
	}
}
