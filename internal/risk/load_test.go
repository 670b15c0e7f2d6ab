package risk

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
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

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLoadNothing(t *testing.T) {
	base := NewSet(builtin(t))
	got, err := Load(base, Places{Config: t.TempDir(), Root: t.TempDir()})
	if err != nil || got != base {
		t.Errorf("Load without files = %p, %v, want the base set %p itself", got, err, base)
	}
}

// TestProjectOnlyTightens is the promise of DESIGN section 2: a cloned
// repository cannot switch its guard off, whatever it writes.
func TestProjectOnlyTightens(t *testing.T) {
	base := NewSet(builtin(t))
	for _, c := range []struct{ name, text string }{
		{"exception", "[[allow]]\nrule = \"*\"\nreason = \"trust me\"\n"},
		{"family of names", "[[files]]\nis = \"build\"\nglobs = [\"src/\"]\n"},
		{"program", "[[program]]\nname = \"rm\"\nharmless = [\"-r\", \"-f\"]\n"},
		{"program without effects", "[[program]]\nname = [\"rm\", \"git\"]\n"},
		{"examples", "known_examples = [\"akia\"]\n"},
	} {
		places := Places{Config: t.TempDir(), Root: t.TempDir()}
		write(t, filepath.Join(places.ProjectRules(), "x.toml"), c.text)
		set, _ := Load(base, places)
		for _, command := range []string{"rm -rf src", "rm -rf /", "git push -f origin main", "git commit -m AKIAZQ7T2LW4X5RNV3KD"} {
			before, after := check(t, base, nil, command), check(t, set, nil, command)
			if after.Action < before.Action {
				t.Errorf("%s: Check(%q) = %s, was %s before the project had its say", c.name, command, after.Action, before.Action)
			}
		}
	}
}

func TestAddedRules(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Config: t.TempDir(), Root: t.TempDir()}
	write(t, filepath.Join(places.ProjectRules(), "deploy.toml"), addedRule)
	set, err := Load(base, places)
	if err != nil {
		t.Fatal(err)
	}
	if v := check(t, set, nil, "sudo deploy --skip-tests"); v.Action != Deny || v.First().Rule.ID != "deploy.skip-tests" {
		t.Errorf("an added rule gives %s %v", v.Action, v.IDs())
	}
	if set.Rule("deploy.skip-tests") == nil || set.Rule("git.merge") == nil {
		t.Error("Rule does not find both the added and the built-in rules")
	}
}

func TestTrust(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Config: t.TempDir(), Root: t.TempDir()}
	file := filepath.Join(places.ProjectRules(), "x.toml")
	const text = "[[allow]]\nrule = \"git.push-force\"\nreason = \"own fork\"\n"
	write(t, file, text)
	action := func() Action {
		set, _ := Load(base, places)
		return check(t, set, func(in *Input) { in.Root = places.Root }, "git push -f").Action
	}
	if got := action(); got != Ask {
		t.Fatalf("before trust: %s, want ask", got)
	}
	if _, err := places.Trust(file, []byte("# what was shown before it was exchanged\n")); err != nil {
		t.Fatal(err)
	}
	if got := action(); got != Ask {
		t.Errorf("after other content was approved: %s, want ask", got)
	}
	if _, err := places.Trust(file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	if got := action(); got != Allow {
		t.Errorf("after trust: %s, want allow", got)
	}
	write(t, file, "[[allow]]\nrule = \"*\"\nreason = \"own fork\"\n")
	if got := action(); got != Ask {
		t.Errorf("after a change: %s, want ask again", got)
	}
}

func TestOnce(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Config: t.TempDir(), State: t.TempDir()}
	if _, err := places.AppendAllowed(rule.Allowed{Rule: "git.push-force", Once: true, Reason: `"quoted" reason`}); err != nil {
		t.Fatal(err)
	}
	set, err := Load(base, places)
	if err != nil {
		t.Fatal(err)
	}
	use := func(in *Input) { in.Used = places.Spent() }
	v := check(t, set, use, "git push -f")
	if v.Action != Allow {
		t.Fatalf("first time: %s, want allow", v.Action)
	}
	if err := places.Spend(&v); err != nil {
		t.Fatal(err)
	}
	if v := check(t, set, use, "git push -f"); v.Action != Ask {
		t.Errorf("second time: %s, want ask", v.Action)
	}
}

func TestHostileRuleFiles(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Root: t.TempDir()}
	dir := places.ProjectRules()
	write(t, filepath.Join(dir, "big.toml"), strings.Repeat("# x\n", projectBounds.file))
	write(t, filepath.Join(dir, "broken.toml"), "[[rule]\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.toml")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	set, err := Load(base, places)
	if err == nil || !strings.Contains(err.Error(), "broken.toml:1") || !strings.Contains(err.Error(), "64 KiB") {
		t.Errorf("Load = %v, want both files named", err)
	}
	if v := check(t, set, nil, "rm -rf /"); v.Action != Deny {
		t.Errorf("a broken file lowers the verdict to %s", v.Action)
	}
}

// TestHostileRulesCostLittle: whatever a cloned repository holds, the rules of the
// user and of moai judge, soon. Unknown keys cost the TOML decoder the square of
// their number: 256 KiB of them took 18 s.
// What is asserted is memory and counted work, which no other process changes.
func TestHostileRulesCostLittle(t *testing.T) {
	base := NewSet(builtin(t))
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
			places := Places{Config: t.TempDir(), Root: t.TempDir()}
			for i := range c.files {
				write(t, filepath.Join(places.ProjectRules(), fmt.Sprintf("r%04d.toml", i)), c.text)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			set, err := Load(base, places)
			runtime.ReadMemStats(&after)
			if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 400 {
				t.Errorf("reading the rules took %d MiB in all, want at most 400", n)
			}
			in := World()
			in.Command = "rm -rf / " + strings.Repeat("a", 50000)
			k := checker{set: set, in: &in}
			k.line()
			if n := k.project(); n > work.Project*3/2 {
				t.Errorf("trying the rules took %d units of work, want at most %d and one rule's", n, work.Project)
			}
			v := set.Check(&in)
			if v.Action != Deny {
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

// TestUserBounds: what a project may not, the user may.
func TestUserBounds(t *testing.T) {
	places := Places{Config: t.TempDir()}
	for i := range 40 {
		write(t, filepath.Join(places.UserRules(), fmt.Sprintf("r%d.toml", i)), strings.Replace(addedRule, "skip-tests\"\n", fmt.Sprintf("skip-tests-%d\"\n", i), 1)+strings.Repeat("#\n", 8<<10))
	}
	set, err := Load(NewSet(builtin(t)), places)
	if err != nil || set.Rule("deploy.skip-tests-39") == nil {
		t.Errorf("Load = %v, want all forty files", err)
	}
}

// TestProjectFolderLinks: .moai/rules must lie in the project, and its files
// must be plain ones.
func TestProjectFolderLinks(t *testing.T) {
	base := NewSet(builtin(t))
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "deploy.toml"), addedRule)
	places := Places{Root: t.TempDir()}
	if err := os.Mkdir(filepath.Join(places.Root, ".moai"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, places.ProjectRules()); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := os.Readlink(places.ProjectRules()); err != nil {
		t.Skipf("symbolic links cannot be told here: %v", err) // Wine
	}
	set, err := Load(base, places)
	if err == nil || set.Rule("deploy.skip-tests") != nil {
		t.Errorf("Load followed a folder out of the project: %v", err)
	}
	places = Places{Root: t.TempDir()}
	write(t, filepath.Join(places.ProjectRules(), "a.toml"), addedRule)
	if err := os.Symlink(filepath.Join(elsewhere, "deploy.toml"), filepath.Join(places.ProjectRules(), "b.toml")); err != nil {
		t.Fatal(err)
	}
	set, err = Load(base, places)
	if err == nil || !strings.Contains(err.Error(), "b.toml") || set.Rule("deploy.skip-tests") == nil {
		t.Errorf("Load = %v, want the link named and the plain file read", err)
	}
}

// TestProjectRuleKeepsDoubts: in strict mode a line that cannot be read is asked
// about; a project's rule that snapshots it must not take that away.
func TestProjectRuleKeepsDoubts(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Root: t.TempDir()}
	write(t, filepath.Join(places.ProjectRules(), "a.toml"), strings.Replace(addedRule, `"deny"`, "\"checkpoint\"\noperation = \"x\"", 1))
	set, err := Load(base, places)
	if err != nil {
		t.Fatal(err)
	}
	strict := func(in *Input) { in.Mode = Strict }
	if v := check(t, set, strict, "deploy --skip-tests; if then ("); v.Action != Ask {
		t.Errorf("Check = %s %v, want ask as without the project's rule", v.Action, v.IDs())
	}
}

// TestOnceInParallel: one grant lets one call through, however many ask at once.
func TestOnceInParallel(t *testing.T) {
	base := NewSet(builtin(t))
	places := Places{Config: t.TempDir(), State: t.TempDir()}
	if _, err := places.AppendAllowed(rule.Allowed{Rule: "git.push-force", Once: true, Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	var through atomic.Int32
	var all sync.WaitGroup
	start := make(chan struct{})
	for range 30 {
		all.Go(func() {
			<-start
			set, err := Load(base, places)
			if err != nil {
				t.Error(err)
			}
			in := World()
			in.Command, in.Used = "git push -f", places.Spent()
			v := set.Check(&in)
			if err := places.Spend(&v); err != nil && v.Action == Allow {
				t.Errorf("let through although it could not be noted: %v", err)
			}
			if v.Action == Allow {
				through.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	if n := through.Load(); n != 1 {
		t.Errorf("one grant let %d calls through, want 1", n)
	}
}

// TestSpendOnlyWhatRuns: a call that another rule stops uses no grant up, and a
// grant that cannot be noted is none.
func TestSpendOnlyWhatRuns(t *testing.T) {
	places := Places{Config: t.TempDir(), State: t.TempDir()}
	if _, err := places.AppendAllowed(rule.Allowed{Rule: "git.push-force", Once: true, Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	set, err := Load(NewSet(builtin(t)), places)
	if err != nil {
		t.Fatal(err)
	}
	use := func(in *Input) { in.Used = places.Spent() }
	v := check(t, set, use, "git push -f; rm -rf /")
	if err := places.Spend(&v); err != nil || v.Action != Deny {
		t.Errorf("Spend = %v with %s, want deny", err, v.Action)
	}
	v = check(t, set, use, "git push -f")
	if err := (Places{}).Spend(&v); err == nil || v.Action != Ask {
		t.Errorf("Spend without a folder = %v with %s, want an error and ask", err, v.Action)
	}
	v = check(t, set, use, "git push -f")
	if err := places.Spend(&v); err != nil || v.Action != Allow {
		t.Errorf("Spend = %v with %s, want the grant to be still there", err, v.Action)
	}
}
