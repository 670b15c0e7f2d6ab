package risk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/work"
)

const addedRule = `[[rule]]
id      = "deploy.skip-tests"
program = "deploy"
args    = { flags = ["--skip-tests"] }
action  = "deny"
why     = "deploys what nobody tested"
instead = "run the tests"
hits    = ["deploy --skip-tests", "sudo deploy --skip-tests"]
misses  = ["deploy", "echo deploy --skip-tests"]
`

// TestHostileRulesCostLittle: whatever a cloned repository holds, the rules of the
// user and of moai judge, soon. Unknown keys cost the TOML decoder the square of
// their number: 256 KiB of them took 18 s.
// What is asserted is memory and counted work, which no other process changes.
func TestHostileRulesCostLittle(t *testing.T) {
	base := risk.NewSet(risk.Builtin(t))
	keys := func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, "k%d=1\n", i)
		}
		return b.String()
	}
	stars := "[[rule]]\nid = \"a.stars\"\nprogram = \"rm\"\nargs = { operands = [\"" + strings.Repeat("*a", 30000) + "b\"] }\n" + strings.SplitAfterN(addedRule, "\n", 5)[4]
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Replace(addedRule, "skip-tests\"\n", fmt.Sprintf("skip-tests-%d\"\n", i), 1))
		}
		return b.String()
	}
	for _, c := range []struct {
		name  string
		files int
		text  string
		want  string
	}{
		{"unknown keys", 64, keys(60 << 10), "too many keys"},
		{"some unknown keys", 64, keys(4 << 10), "ignored"},
		{"unknown keys in all files", 32, keys(7 << 10), "too many keys"},
		{"few unknown keys", 8, keys(1 << 10), "more problems"},
		{"comments", 64, strings.Repeat("#\n", 30<<10), "larger than 256 KiB"},
		{"files", 5000, "", "more than 32 rule files"},
		{"rules", 20, many(12), "more than 200"},
		{"stars", 1, stars, "too many conditions"},
		{"nothing but headers", 4, strings.Repeat("[[rule]]\n", 1000), "more problems"},
	} {
		t.Run(c.name, func(t *testing.T) {
			places := policy.Places{Config: t.TempDir(), Root: t.TempDir()}
			kit.Must(t, os.MkdirAll(places.ProjectRules(), 0o755))
			for i := range c.files {
				file := filepath.Join(places.ProjectRules(), fmt.Sprintf("r%04d.toml", i))
				kit.Write(t, file, c.text)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			set, err := policy.Load(base, places)
			runtime.ReadMemStats(&after)
			if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 400 {
				t.Errorf("reading the rules took %d MiB in all, want at most 400", n)
			}
			in := risk.World()
			in.Command = "rm -rf / " + strings.Repeat("a", 50000)
			if n := risk.ProjectWork(set, &in); n > work.Project*3/2 {
				t.Errorf("trying the rules took %d units of work, want at most %d and one rule's", n, work.Project)
			}
			v := set.Check(&in)
			if v.Action != risk.Deny {
				t.Errorf("Check = %s, want deny", v.Action)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Load = %.300v, want %q in it", err, c.want)
			}
			if err != nil && len(err.Error()) > 100<<10 {
				t.Errorf("the problems are %d bytes long", len(err.Error()))
			}
		})
	}
}
