package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// TestSecretsStayInEveryEvent puts secrets into every field of every event and into the arguments of the verbs, and looks for them in
// all that was written and printed.
func TestSecretsStayInEveryEvent(t *testing.T) {
	s := newShop(t)
	formats, lines := plantedSecrets(t)
	all := share(append(formats, lines...), 2)
	if len(all) < 120 {
		t.Fatalf("%d secrets", len(all))
	}
	protocol, err := rule.LoadEvents(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for i, p := range all {
		s.session = "s" + p.id
		for k := range 3 {
			e := &protocol.Events[(3*i+k)%len(protocol.Events)]
			fields := filled(e.Fields, p.text)
			fields["hook_event_name"] = e.Name
			if _, ok := fields["tool_name"]; ok {
				fields["tool_name"] = []string{"Bash", "Write", "WebFetch", "mcp__x__run", "Agent"}[i%5]
				fields["tool_input"] = map[string]any{"command": "git reset --hard; " + p.text, "file_path": filepath.Join(s.dir, "src/a.go"), "content": p.text, "url": p.text, "prompt": p.text}
			}
			s.write("src/a.go", "package a // "+e.Name+p.id+"\n")
			kept["answers to "+e.Name] += s.hook(fields)
		}
	}
	for i, p := range all {
		if i%10 != 0 {
			continue
		}
		payload, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "r", "cwd": s.dir, "tool_name": "Bash", "tool_input": map[string]any{"command": "rm -rf ~; " + p.text}})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "payload.json")
		if err := os.WriteFile(file, payload, 0o600); err != nil {
			t.Fatal(err)
		}
		s.write("src/a.go", "package a // "+p.id+" by hand\n")
		kept["replay"] += s.said("replay", file)
		kept["create"] += s.said("checkpoint", "create", "-m", p.text)
	}
	for _, args := range [][]string{
		{"risk", "log"},
		{"risk", "log", "--json"},
		{"checkpoint", "list"},
		{"checkpoint", "list", "--json"},
		{"checkpoint", "show"},
		{"checkpoint", "show", "--json"},
		{"checkpoint", "usage"},
		{"checkpoint", "restore", "--dry-run"},
		{"checkpoint", "prune", "--dry-run"},
		{"doctor"},
		{"doctor", "--json"},
		{"config", "list"},
		{"context", "list"},
		{},
	} {
		kept["moai "+strings.Join(args, " ")] = s.said(args...)
	}
	kept["messages"] = s.git("log", "--format=%an %ae %B", "--all")
	kept["references"] = s.git("for-each-ref")
	for _, root := range []string{filepath.Join(filepath.Dir(s.dir), "state"), filepath.Join(filepath.Dir(s.dir), "config"), filepath.Join(s.dir, ".moai")} {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				kept[name] = string(data)
			}
			return nil
		})
	}
	if len(kept) < len(protocol.Events)+15 || !strings.Contains(kept["messages"], "Moai-Command") || !strings.Contains(kept["moai risk log"], "reset") {
		t.Errorf("looked into %d texts", len(kept))
	}
	for name, text := range kept {
		for _, p := range all {
			for _, part := range p.parts {
				if i := strings.Index(text, part); i >= 0 {
					t.Errorf("%s stands in %s: …%q", p.id, name, text[max(0, i-60):i+len(part)])
				}
			}
		}
	}
}

// filled gives fields a text each, and those with few values one of them.
func filled(fields []rule.Field, text string) map[string]any {
	all := map[string]any{}
	for i := range fields {
		switch f := &fields[i]; {
		case len(f.Values) > 0:
			all[f.Name] = f.Values[0]
		case f.Type == "string" || f.Type == "any":
			all[f.Name] = text
		case f.Type == "[]string" || f.Type == "[]any":
			all[f.Name] = []string{text}
		case f.Type == "object":
			all[f.Name] = filled(f.Fields, text)
		case f.Type == "[]object":
			all[f.Name] = []any{filled(f.Fields, text)}
		case f.Type == "bool":
			all[f.Name] = true
		case f.Type == "number":
			all[f.Name] = 1
		}
	}
	return all
}

// said is all that a verb prints.
func (s *shop) said(args ...string) string {
	s.t.Helper()
	s.out.Reset()
	s.err.Reset()
	s.e.in = strings.NewReader("")
	Run(args, s.e)
	return s.out.String() + s.err.String()
}
