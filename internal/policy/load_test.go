package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
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

func TestLoadNothing(t *testing.T) {
	base := risk.NewSet(builtin(t))
	got, err := Load(base, Places{Config: t.TempDir(), Root: t.TempDir()})
	if err != nil || got != base {
		t.Errorf("Load without files = %p, %v, want the base set %p itself", got, err, base)
	}
}

// TestProjectOnlyTightens is a promise of README: a cloned
// repository cannot switch its guard off, whatever it writes.
func TestProjectOnlyTightens(t *testing.T) {
	base := risk.NewSet(builtin(t))
	for _, c := range []struct{ name, text string }{
		{"exception", "[[allow]]\nrule = \"*\"\nreason = \"trust me\"\n"},
		{"family of names", "[[files]]\nis = \"build\"\nglobs = [\"src/\"]\n"},
		{"program", "[[program]]\nname = \"rm\"\nharmless = [\"-r\", \"-f\"]\n"},
		{"program without effects", "[[program]]\nname = [\"rm\", \"git\"]\n"},
		{"examples", "known_examples = [\"akia\"]\n"},
	} {
		places := Places{Config: t.TempDir(), Root: t.TempDir()}
		kit.Write(t, filepath.Join(places.ProjectRules(), "x.toml"), c.text)
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
	base := risk.NewSet(builtin(t))
	places := Places{Config: t.TempDir(), Root: t.TempDir()}
	kit.Write(t, filepath.Join(places.ProjectRules(), "deploy.toml"), addedRule)
	set, err := Load(base, places)
	kit.Must(t, err)
	if v := check(t, set, nil, "sudo deploy --skip-tests"); v.Action != risk.Deny || v.First().Rule.ID != "deploy.skip-tests" {
		t.Errorf("an added rule gives %s %v", v.Action, v.IDs())
	}
	if set.Rule("deploy.skip-tests") == nil || set.Rule("git.merge") == nil {
		t.Error("Rule does not find both the added and the built-in rules")
	}
}

func TestTrust(t *testing.T) {
	base := risk.NewSet(builtin(t))
	places := Places{Config: t.TempDir(), Root: t.TempDir()}
	file := filepath.Join(places.ProjectRules(), "x.toml")
	const text = "[[allow]]\nrule = \"git.push-force\"\nreason = \"own fork\"\n"
	kit.Write(t, file, text)
	action := func() risk.Action {
		set, _ := Load(base, places)
		return check(t, set, func(in *risk.Input) { in.Root = places.Root }, "git push -f").Action
	}
	if got := action(); got != risk.Ask {
		t.Fatalf("before trust: %s, want ask", got)
	}
	if _, err := places.Trust(file, []byte("# what was shown before it was exchanged\n")); err != nil {
		t.Fatal(err)
	}
	if got := action(); got != risk.Ask {
		t.Errorf("after other content was approved: %s, want ask", got)
	}
	if _, err := places.Trust(file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	if got := action(); got != risk.Allow {
		t.Errorf("after trust: %s, want allow", got)
	}
	kit.Write(t, file, "[[allow]]\nrule = \"*\"\nreason = \"own fork\"\n")
	if got := action(); got != risk.Ask {
		t.Errorf("after a change: %s, want ask again", got)
	}
}

func TestOnce(t *testing.T) {
	base := risk.NewSet(builtin(t))
	places := Places{Config: t.TempDir(), State: t.TempDir()}
	if _, err := places.AppendAllowed(rule.Allowed{Rule: "git.push-force", Once: true, Reason: `"quoted" reason`}); err != nil {
		t.Fatal(err)
	}
	set, err := Load(base, places)
	kit.Must(t, err)
	use := func(in *risk.Input) { in.Used = places.Spent() }
	v := check(t, set, use, "git push -f")
	if v.Action != risk.Allow {
		t.Fatalf("first time: %s, want allow", v.Action)
	}
	kit.Must(t, places.Spend(&v))
	if v := check(t, set, use, "git push -f"); v.Action != risk.Ask {
		t.Errorf("second time: %s, want ask", v.Action)
	}
}

func TestHostileRuleFiles(t *testing.T) {
	base := risk.NewSet(builtin(t))
	places := Places{Root: t.TempDir()}
	dir := places.ProjectRules()
	kit.Write(t, filepath.Join(dir, "big.toml"), strings.Repeat("# x\n", projectBounds.file))
	kit.Write(t, filepath.Join(dir, "broken.toml"), "[[rule]\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.toml")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	set, err := Load(base, places)
	if err == nil || !strings.Contains(err.Error(), "broken.toml:1") || !strings.Contains(err.Error(), "64 KiB") {
		t.Errorf("Load = %v, want both files named", err)
	}
	if v := check(t, set, nil, "rm -rf /"); v.Action != risk.Deny {
		t.Errorf("a broken file lowers the verdict to %s", v.Action)
	}
}

// TestUserBounds: what a project may not, the user may.
func TestUserBounds(t *testing.T) {
	places := Places{Config: t.TempDir()}
	for i := range 40 {
		kit.Write(t, filepath.Join(places.UserRules(), fmt.Sprintf("r%d.toml", i)), strings.Replace(addedRule, "skip-tests\"\n", fmt.Sprintf("skip-tests-%d\"\n", i), 1)+strings.Repeat("#\n", 8<<10))
	}
	set, err := Load(risk.NewSet(builtin(t)), places)
	if err != nil || set.Rule("deploy.skip-tests-39") == nil {
		t.Errorf("Load = %v, want all forty files", err)
	}
}

// TestProjectFolderLinks: .moai/rules must lie in the project, and its files
// must be plain ones.
func TestProjectFolderLinks(t *testing.T) {
	base := risk.NewSet(builtin(t))
	elsewhere := t.TempDir()
	kit.Write(t, filepath.Join(elsewhere, "deploy.toml"), addedRule)
	places := Places{Root: t.TempDir()}
	kit.Must(t, os.Mkdir(filepath.Join(places.Root, ".moai"), 0o755))
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
	kit.Write(t, filepath.Join(places.ProjectRules(), "a.toml"), addedRule)
	kit.Must(t, os.Symlink(filepath.Join(elsewhere, "deploy.toml"), filepath.Join(places.ProjectRules(), "b.toml")))
	set, err = Load(base, places)
	if err == nil || !strings.Contains(err.Error(), "b.toml") || set.Rule("deploy.skip-tests") == nil {
		t.Errorf("Load = %v, want the link named and the plain file read", err)
	}
}

// TestProjectRuleKeepsDoubts: in strict mode a line that cannot be read is asked
// about; a project's rule that snapshots it must not take that away.
func TestProjectRuleKeepsDoubts(t *testing.T) {
	base := risk.NewSet(builtin(t))
	places := Places{Root: t.TempDir()}
	kit.Write(t, filepath.Join(places.ProjectRules(), "a.toml"), strings.Replace(addedRule, `"deny"`, "\"checkpoint\"\noperation = \"x\"", 1))
	set, err := Load(base, places)
	kit.Must(t, err)
	strict := func(in *risk.Input) { in.Mode = risk.Strict }
	if v := check(t, set, strict, "deploy --skip-tests; if then ("); v.Action != risk.Ask {
		t.Errorf("Check = %s %v, want ask as without the project's rule", v.Action, v.IDs())
	}
}

// TestOnceInParallel: one grant lets one call through, however many ask at once.
func TestOnceInParallel(t *testing.T) {
	base := risk.NewSet(builtin(t))
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
			in := risk.World()
			in.Command, in.Used = "git push -f", places.Spent()
			v := set.Check(&in)
			if err := places.Spend(&v); err != nil && v.Action == risk.Allow {
				t.Errorf("let through although it could not be noted: %v", err)
			}
			if v.Action == risk.Allow {
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
	set, err := Load(risk.NewSet(builtin(t)), places)
	kit.Must(t, err)
	use := func(in *risk.Input) { in.Used = places.Spent() }
	v := check(t, set, use, "git push -f; rm -rf /")
	if err := places.Spend(&v); err != nil || v.Action != risk.Deny {
		t.Errorf("Spend = %v with %s, want deny", err, v.Action)
	}
	v = check(t, set, use, "git push -f")
	if err := (Places{}).Spend(&v); err == nil || v.Action != risk.Ask {
		t.Errorf("Spend without a folder = %v with %s, want an error and ask", err, v.Action)
	}
	v = check(t, set, use, "git push -f")
	if err := places.Spend(&v); err != nil || v.Action != risk.Allow {
		t.Errorf("Spend = %v with %s, want the grant to be still there", err, v.Action)
	}
}
