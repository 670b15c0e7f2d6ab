package policy

import (
	"os"
	"sync"
	"testing"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// builtin loads the project's own rules, as gen does.
func builtin(tb testing.TB) *rule.Risks {
	tb.Helper()
	r, err := builtinOnce()
	if err != nil {
		tb.Fatalf("load rules:\n%v", err)
	}
	return r
}

// Nothing changes them, and to read them takes a while.
var builtinOnce = sync.OnceValues(func() (*rule.Risks, error) { return rule.LoadRisks(os.DirFS("../..")) })

func check(t testing.TB, set *risk.Set, change func(*risk.Input), command string) risk.Verdict {
	t.Helper()
	in := risk.World()
	in.Command = command
	if change != nil {
		change(&in)
	}
	return set.Check(&in)
}
