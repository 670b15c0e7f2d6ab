package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modu-ai/moai/internal/kit"
)

// TestGenerated keeps generated/ true: a plain go test fails when a rule was
// edited and the generator was not run.
func TestGenerated(t *testing.T) {
	stale, err := run("..", "", false)
	if err != nil {
		t.Fatalf("rules do not load: %v", err)
	}
	for _, f := range stale {
		t.Errorf("%s is stale; run: go generate ./...", f)
	}
}

// TestShellExamples: an entry of rules/shells that fails its own examples gives no table, and its place is said.
func TestShellExamples(t *testing.T) {
	for _, examples := range []string{"hits = ['aaa-run ls x']\nmisses = ['aaa rm x']", "hits = ['aaa-run rm x']\nmisses = ['aaa-run rm y']"} {
		rules := ruleFiles(t)
		const path = "rules/shells/wrappers.toml"
		line := 2 + strings.Count(string(rules[path].Data), "\n")
		rules[path] = &fstest.MapFile{Data: []byte(string(rules[path].Data) + "\n[[wrapper]]\nname = 'aaa-run'\n" + examples + "\n")}
		out, err := shells(&input{root: rules})
		if want := fmt.Sprintf("%s:%d: aaa-run: ", path, line); out != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %d files and %v, want no file and %q", examples, len(out), err, want)
		}
	}
}

func TestSync(t *testing.T) {
	root := t.TempDir()
	old := filepath.Join(root, "generated", "x")
	kit.Must(t, os.MkdirAll(old, 0o755))
	for name, text := range map[string]string{"same.go": "same", "changed.go": "old", "orphan.go": "bye"} {
		kit.Write(t, filepath.Join(old, name), text)
	}
	outputs := []output{
		{"generated/x/same.go", []byte("same")},
		{"generated/x/changed.go", []byte("new")},
		{"generated/x/sub/added.go", []byte("added")},
	}
	want := []string{"generated/x/changed.go", "generated/x/orphan.go", "generated/x/sub/added.go"}
	for _, write := range []bool{false, true} {
		stale, err := sync(root, []string{"generated/x"}, outputs, write)
		if err != nil || !slices.Equal(stale, want) {
			t.Fatalf("sync(write=%v) = %v, %v, want %v", write, stale, err, want)
		}
	}
	if stale, err := sync(root, []string{"generated/x"}, outputs, false); err != nil || len(stale) != 0 {
		t.Errorf("sync after writing = %v, %v, want nothing stale", stale, err)
	}
}
