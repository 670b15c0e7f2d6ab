package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestDetectSchema: what --json prints has all fields that its schema requires and none that it does not name.
func TestDetectSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module x\n\ngo 1.22\n", "main.go": "package main\n", "package.json": `{"dependencies":{"express":"4"}}`, "a.js": "1\n", "Chart.yaml": "name: x\n",
	} {
		kit.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	e, _, _ := testEnv(t, strings.NewReader(""), nil)
	e.json = true
	r, err := e.detect(dir, &detectFlags{fresh: true}, nil)
	kit.Must(t, err)
	var got any
	kit.Must(t, json.Unmarshal(r.AppendJSON(nil), &got))
	if len(r.Projects) < 2 {
		t.Fatalf("projects = %+v, want those beside the primary language", r.Projects)
	}
	conforms(t, "report", got, e.detectSchema(&detectFlags{}))
}

// TestViewSchemas holds the other forms to theirs.
func TestViewSchemas(t *testing.T) {
	dir := t.TempDir()
	kit.Must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o600))
	for name, f := range map[string]detectFlags{
		"why": {why: "go", claims: true}, "why not": {why: "rust", claims: true}, "why field": {why: "language", claims: true}, "why all": {claims: true}, "breakdown": {breakdown: true}, "explain": {explain: "main.go"},
	} {
		e, out, _ := testEnv(t, strings.NewReader(""), nil)
		e.json, e.dir = true, dir
		f.fresh, f.format = true, "table"
		if err := e.showDetected(nil, &f); err != nil && name != "why not" {
			t.Fatal(name, err)
		}
		var got any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v in %s", name, err, out)
		}
		conforms(t, name, got, e.detectSchema(&f))
	}
}

// conforms judges a value by the few words of JSON Schema that schemaOf writes.
func conforms(t *testing.T, at string, v any, schema map[string]any) {
	t.Helper()
	if either, ok := schema["anyOf"].([]any); ok {
		if v != nil {
			conforms(t, at, v, either[0].(map[string]any))
		}
		return
	}
	kind := map[string]bool{}
	switch v := v.(type) {
	case string:
		kind["string"] = true
	case bool:
		kind["boolean"] = true
	case float64:
		kind["number"], kind["integer"] = true, v == float64(int64(v))
	case []any:
		kind["array"] = true
		items, _ := schema["items"].(map[string]any)
		for _, one := range v {
			conforms(t, at+"[]", one, items)
		}
	case map[string]any:
		kind["object"] = true
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]string)
		for name, one := range v {
			if properties[name] == nil {
				t.Errorf("%s.%s is in no schema", at, name)
				continue
			}
			conforms(t, at+"."+name, one, properties[name].(map[string]any))
		}
		for _, name := range required {
			if _, ok := v[name]; !ok {
				t.Errorf("%s has no %s; it has %v", at, name, slices.Sorted(maps.Keys(v)))
			}
		}
	}
	if want, _ := schema["type"].(string); !kind[want] {
		t.Errorf("%s is %v, and the schema says %s", at, v, want)
	}
}
