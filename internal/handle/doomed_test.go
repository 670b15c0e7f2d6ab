package handle

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// TestDoomed shows which ignored credentials are found below what a call deletes:
// they are in no snapshot, so the vault must have them.
func TestDoomed(t *testing.T) {
	h, dir := testHandlers(t, nil)
	h.Tables.Risks.Files = []rule.FileSet{
		rule.NewFileSet(rule.Secret, []string{".env"}, nil), rule.NewFileSet(rule.Build, []string{"node_modules/", "dist/"}, nil), rule.NewFileSet(rule.Results, []string{"dist/"}, nil),
	}
	kit.Write(t, filepath.Join(dir, ".gitignore"), ".env\nnode_modules/\ndist/\ndata/\n")
	for _, p := range []string{".env", "config/.env", "config/plain", "config/deep/.env", "config/node_modules/x/.env", "config/node_modules/.env", "dist/.env", "dist/deep/.env", "dist/app.js", "src/.env", "data/train.csv"} {
		kit.Write(t, filepath.Join(dir, filepath.FromSlash(p)), "KEY=1\n")
	}
	r, err := repo.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := rule.Risk{When: rule.When{Effect: rule.DeleteTree}}
	file := rule.Risk{When: rule.When{Effect: rule.Delete}}
	clean := rule.Risk{Operation: "clean"}
	ignored := rule.Risk{Operation: "clean", Action: rule.Ask}
	at := func(p string, class rule.Class) []risk.Target {
		return []risk.Target{{Path: filepath.Join(dir, p), Class: class}}
	}
	for _, row := range []struct {
		name string
		hit  risk.Hit
		want []string
	}{
		{"a folder", risk.Hit{Rule: &tree, Action: risk.Checkpoint, Targets: at("config", rule.Inside)}, []string{"config/.env", "config/deep/.env", "config/node_modules/.env"}},
		{"what a build makes again", risk.Hit{Rule: &tree, Action: risk.Checkpoint, Targets: at("dist", rule.Inside)}, []string{"dist/.env", "dist/deep/.env"}},
		{"what git clean leaves", risk.Hit{Rule: &clean, Action: risk.Ask}, nil},
		{"ignored files", risk.Hit{Rule: &ignored, Action: risk.Ask}, []string{".env", "config/.env", "config/deep/.env", "config/node_modules/.env", "dist/.env", "dist/deep/.env", "src/.env", "data/train.csv"}},
		{"something below a folder", risk.Hit{Rule: &file, Action: risk.Ask, Targets: at("src", rule.Inside|rule.Unknown)}, []string{"src/.env"}},
		{"a pattern", risk.Hit{Rule: &file, Action: risk.Ask, Targets: []risk.Target{{Path: ".e*", Pattern: filepath.Join(dir, "config/.e*")}}}, []string{"config/.env", "config/deep/.env", "config/node_modules/.env"}},
		{"one file", risk.Hit{Rule: &file, Action: risk.Checkpoint, Targets: at("src/a.go", rule.Inside)}, nil},
		{"outside", risk.Hit{Rule: &tree, Action: risk.Ask, Targets: []risk.Target{{Path: t.TempDir(), Class: rule.Outside}}}, nil},
		{"let through", risk.Hit{Rule: &tree, Action: risk.Allow, Targets: at("config", rule.Inside)}, nil},
	} {
		got, _, _, complete := h.doomed(context.Background(), r, &risk.Input{Root: dir}, &risk.Verdict{Hits: []risk.Hit{row.hit}})
		if diff := cmp.Diff(row.want, got); diff != "" || !complete {
			t.Errorf("%s: doomed (-want +got), complete %v:\n%s", row.name, complete, diff)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, complete := h.doomed(done, r, &risk.Input{Root: dir}, &risk.Verdict{Hits: []risk.Hit{{Rule: &ignored, Action: risk.Ask}}}); complete {
		t.Error("a search that was cut off says that it is complete")
	}
}
