package risk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	write(t, file, "[[allow]]\nrule = \"git.push-force\"\nreason = \"own fork\"\n")
	action := func() Action {
		set, _ := Load(base, places)
		return check(t, set, nil, "git push -f").Action
	}
	if got := action(); got != Ask {
		t.Fatalf("before trust: %s, want ask", got)
	}
	if _, err := places.Trust(file); err != nil {
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
	write(t, filepath.Join(dir, "big.toml"), strings.Repeat("# x\n", maxRuleFile))
	write(t, filepath.Join(dir, "broken.toml"), "[[rule]\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.toml")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	set, err := Load(base, places)
	if err == nil || !strings.Contains(err.Error(), "broken.toml:1") || !strings.Contains(err.Error(), "256 KiB") {
		t.Errorf("Load = %v, want both files named", err)
	}
	if v := check(t, set, nil, "rm -rf /"); v.Action != Deny {
		t.Errorf("a broken file lowers the verdict to %s", v.Action)
	}
}
