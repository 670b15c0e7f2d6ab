package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretsReachNoSink sends examples through each event while moai is asked to say as much as it can, and through replay,
// broken input and failing verbs, and looks at both streams and at the names of what is kept.
func TestSecretsReachNoSink(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	formats, lines := plantedSecrets(t)
	all := share(append(formats, lines...), 1)
	loud := map[string]string{"MOAI_DEBUG": "1", "MOAI_LOG": "debug", "DEBUG": "moai"}
	quiet := s.e.getenv
	s.e.getenv = func(name string) string {
		if v := loud[name]; v != "" {
			return v
		}
		return quiet(name)
	}
	// A file of which the vault keeps a copy.
	s.write(".gitignore", "*.local\n")
	s.git("add", ".gitignore")
	said := 0
	look := func(p planted, what, text string) {
		t.Helper()
		said += len(text)
		for _, part := range p.parts {
			if i := strings.Index(text, part); i >= 0 {
				t.Errorf("%s: %s holds it: …%q", p.id, what, text[max(0, i-100):min(len(text), i+len(part)+20)])
			}
		}
	}
	for i, p := range all {
		s.session = fmt.Sprint("s", i/5)
		event := func(name string, fields map[string]any) {
			t.Helper()
			fields["hook_event_name"] = name
			look(p, "the answer or log of "+name, unescaped(s.hook(fields)))
		}
		call := map[string]any{"command": "git reset --hard\n" + p.text}
		event("UserPromptSubmit", map[string]any{"prompt": p.text})
		event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": call})
		event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": p.text + "\nrm -rf ~"}})
		event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": call, "tool_response": map[string]any{"stdout": p.text}})
		event("PreCompact", map[string]any{"trigger": "manual", "custom_instructions": p.text})
		event("Stop", map[string]any{"last_assistant_message": p.text})
		event("Notification", map[string]any{"message": p.text})

		raw, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": s.dir, "tool_name": "Bash", "tool_input": call})
		if err != nil {
			t.Fatal(err)
		}
		for name, payload := range map[string][]byte{
			"cut input": raw[:len(raw)-3], "no object": raw[len(raw)-len(p.text):], "another type": bytes.Replace(raw, []byte(`{"command":`), []byte(`[`), 1),
		} {
			s.out.Reset()
			s.err.Reset()
			s.e.in = bytes.NewReader(payload)
			s.e.hookHere([]string{"pre-tool"})
			look(p, name, unescaped(s.out.String()+s.err.String()))
		}
		s.out.Reset()
		s.err.Reset()
		s.e.in = bytes.NewReader(raw)
		s.e.asHook = false
		Run([]string{"replay", "-"}, s.e)
		look(p, "replay", unescaped(s.out.String()+s.err.String()))
	}
	if said < 100<<10 {
		t.Errorf("only %d bytes were said", said)
	}
	// Verbs that show what was kept.
	for _, args := range [][]string{{"checkpoint", "list"}, {"checkpoint", "list", "--history"}, {"checkpoint", "list", "--json"}, {"risk", "log"}, {"risk", "log", "--json"}, {"doctor"}, {"context", "list"}} {
		s.out.Reset()
		s.err.Reset()
		Run(args, s.e)
		text := unescaped(s.out.String() + s.err.String())
		for _, p := range all {
			look(p, strings.Join(args, " "), text)
		}
	}
	for _, root := range []string{filepath.Join(filepath.Dir(s.dir), "state"), filepath.Join(s.dir, ".moai"), filepath.Join(s.dir, ".git")} {
		seen := 0
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			seen++
			text := name
			if d.Type().IsRegular() && !strings.Contains(name, "objects") {
				data, _ := os.ReadFile(name)
				text += "\n" + string(data)
			}
			for _, p := range all {
				for _, part := range p.parts {
					if strings.Contains(text, part) {
						t.Errorf("%s stands in %s or its name", p.id, name)
					}
				}
			}
			return nil
		})
		if seen < 2 {
			t.Errorf("%d files below %s", seen, root)
		}
	}
}
