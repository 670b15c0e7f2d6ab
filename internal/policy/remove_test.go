package policy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

func TestRemoveAllowed(t *testing.T) {
	const file = `# mine

[[allow]]
rule = "git.merge"
reason = "all day"

# the next one is for the move
[[allow]]
rule = "fs.*"
once = true
reason = "moving"
`
	for _, row := range []struct {
		rule, want string
	}{
		{"git.merge", "# mine\n\n# the next one is for the move\n[[allow]]\nrule = \"fs.*\"\nonce = true\nreason = \"moving\"\n"},
		{"fs.*", "# mine\n\n[[allow]]\nrule = \"git.merge\"\nreason = \"all day\"\n\n# the next one is for the move\n"},
	} {
		p := Places{Config: t.TempDir()}
		name := filepath.Join(p.UserRules(), "allowed.toml")
		kit.Must(t, os.MkdirAll(p.UserRules(), 0o700))
		kit.Must(t, os.WriteFile(name, []byte(file), 0o600))
		e := one(t, name, row.rule)
		if err := p.RemoveAllowed(&e); err != nil {
			t.Fatalf("RemoveAllowed(%s): %v", row.rule, err)
		}
		got, err := os.ReadFile(name)
		kit.Must(t, err)
		if diff := cmp.Diff(row.want, string(got)); diff != "" {
			t.Errorf("RemoveAllowed(%s) left (-want +got):\n%s", row.rule, diff)
		}
		if err := p.RemoveAllowed(&rule.Allowed{File: name, Line: 1}); err == nil {
			t.Errorf("RemoveAllowed of a line without an exception: no error")
		}
	}
}

func TestRemoveAllowedRefusesForeignFiles(t *testing.T) {
	p := Places{Config: t.TempDir(), Root: t.TempDir()}
	e := rule.Allowed{File: filepath.Join(p.ProjectRules(), "x.toml"), Line: 1}
	if err := p.RemoveAllowed(&e); err == nil {
		t.Error("RemoveAllowed edited a file of the project")
	}
}

func one(t *testing.T, file, id string) rule.Allowed {
	t.Helper()
	data, err := os.ReadFile(file)
	kit.Must(t, err)
	all, err := rule.DecodeRisks(file, data, rule.ByUser)
	kit.Must(t, err)
	for _, e := range all.Allows {
		if e.Rule == id {
			return e
		}
	}
	t.Fatalf("%s has no exception for %s", file, id)
	return rule.Allowed{}
}
