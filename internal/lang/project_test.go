package lang_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// expected is what a person says of a project tree under testdata/projects. It
// was written from the files, not from moai's answer.
type expected struct {
	Primary       string            `json:"primary"`
	Version       string            `json:"version"`
	VersionKind   string            `json:"version_kind"`
	VersionSource string            `json:"version_source"`
	Manager       string            `json:"manager"`
	Formatter     string            `json:"formatter"`
	Linter        string            `json:"linter"`
	Test          string            `json:"test"`
	Build         string            `json:"build"`
	Frameworks    []string          `json:"frameworks"`
	Languages     []string          `json:"languages"` // 5 % and more, the largest first
	Projects      map[string]string `json:"projects,omitempty"`
}

func TestProjects(t *testing.T) {
	base := filepath.Join("..", "..", "testdata", "projects")
	files, err := filepath.Glob(filepath.Join(base, "*", "*", "expected.json"))
	kit.Must(t, err)
	seen := map[string]int{}
	for _, file := range files {
		dir := filepath.Dir(file)
		name, _ := filepath.Rel(base, dir)
		data, err := os.ReadFile(file)
		kit.Must(t, err)
		var want expected
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		seen[want.Primary]++
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			// A copy, since the tree here lies in moai's own repository.
			tree := t.TempDir()
			copyTree(t, filepath.Join(dir, "tree"), tree)
			r, err := lang.Detect(t.Context(), &languages.Table, tree, lang.Options{Projects: true})
			kit.Must(t, err)
			if diff := cmp.Diff(want, summary(r, want.Projects != nil)); diff != "" {
				t.Errorf("Detect (-want +got):\n%s\nlanguages: %+v", diff, r.Languages)
			}
		})
	}
	for i := range languages.Table.Languages {
		if l := &languages.Table.Languages[i]; l.Primary && seen[l.ID] < 2 {
			t.Errorf("%s has %d project trees, want 2", l.ID, seen[l.ID])
		}
	}
}

func summary(r *lang.Report, projects bool) expected {
	got := expected{Frameworks: []string{}, Languages: []string{}}
	if p := r.Primary; p != nil {
		got.Primary, got.Version, got.VersionKind, got.VersionSource = p.ID, p.Version, p.VersionKind, p.VersionSource
	}
	command := func(t *lang.Tool) string {
		if t == nil {
			return ""
		}
		return t.Command
	}
	if m := r.Tools.Manager; m != nil {
		got.Manager = m.Name
	}
	got.Formatter, got.Linter, got.Test, got.Build = command(r.Tools.Formatter), command(r.Tools.Linter), command(r.Tools.Test), command(r.Tools.Build)
	for _, f := range r.Tools.Frameworks {
		got.Frameworks = append(got.Frameworks, f.Name)
	}
	for _, l := range r.Languages {
		if l.Share >= 0.05 {
			got.Languages = append(got.Languages, l.ID)
		}
	}
	if projects {
		got.Projects = map[string]string{}
		for _, p := range r.Projects {
			if p.Primary != nil {
				got.Projects[p.Path] = strings.TrimSpace(p.Primary.ID + " " + p.Primary.Version)
			}
		}
	}
	return got
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, fi.Mode().Perm())
	})
	kit.Must(t, err)
}
