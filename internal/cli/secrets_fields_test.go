package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecretsStayInNoFile puts secrets of fifty kinds into every field of a payload that moai reads, those that name the session and
// its files among them, and into what verbs keep, and looks at every byte below the state folder, the settings and the repository.
func TestSecretsStayInNoFile(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	formats, lines := plantedSecrets(t)
	var all []planted
	for i := 0; i < len(formats); i += len(formats) / 30 {
		all = append(all, formats[i])
	}
	for i := 0; i < len(lines); i += len(lines) / 30 {
		all = append(all, lines[i])
	}
	if len(all) < 50 {
		t.Fatalf("%d secrets", len(all))
	}
	said := map[string]string{}
	send := func(p planted, fields map[string]any) {
		t.Helper()
		s.write("src/a.go", "package a // "+p.id+"\n")
		raw, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		s.out.Reset()
		s.err.Reset()
		s.e.in = strings.NewReader(string(raw))
		s.e.hookHere(nil)
		said["the answer to a hook"] += unescaped(s.out.String() + s.err.String())
	}
	for _, p := range all {
		folder := filepath.Join(s.dir, "sub "+p.text)
		if len(p.text) > 200 || strings.ContainsAny(p.text, "/\\\n\x00") || os.MkdirAll(folder, 0o755) != nil {
			folder = s.dir
		}
		base := func(session, cwd, event string) map[string]any {
			return map[string]any{"session_id": session, "cwd": cwd, "transcript_path": "/t/" + p.text + ".jsonl", "permission_mode": "default", "hook_event_name": event}
		}
		with := func(fields map[string]any, more map[string]any) map[string]any {
			maps.Copy(fields, more)
			return fields
		}
		for _, at := range []struct{ session, cwd string }{{p.text, s.dir}, {"plain", folder}, {"x " + p.text, folder}} {
			send(p, with(base(at.session, at.cwd, "SessionStart"), map[string]any{"source": "startup", "model": p.text, "session_title": p.text}))
			send(p, with(base(at.session, at.cwd, "UserPromptSubmit"), map[string]any{"prompt": p.text}))
			send(p, with(base(at.session, at.cwd, "PreToolUse"), map[string]any{"tool_name": "Bash", "tool_use_id": p.text, "tool_input": map[string]any{"command": "git reset --hard\n" + p.text, "description": p.text}}))
			send(p, with(base(at.session, at.cwd, "PostToolUse"), map[string]any{"tool_name": "Bash", "tool_use_id": p.text, "tool_input": map[string]any{"command": p.text}, "tool_response": map[string]any{"stdout": p.text, "stderr": p.text}}))
			send(p, with(base(at.session, at.cwd, "PreToolUse"), map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(at.cwd, "note.txt"), "content": p.text}}))
			send(p, with(base(at.session, at.cwd, "PreToolUse"), map[string]any{"tool_name": "mcp__x " + strings.SplitN(p.text, "\n", 2)[0], "tool_input": map[string]any{"path": p.text, "command": p.text}}))
			send(p, with(base(at.session, at.cwd, "PostToolUseFailure"), map[string]any{"tool_name": "Bash", "error": p.text, "tool_input": map[string]any{"command": p.text}}))
			send(p, with(base(at.session, at.cwd, "PreCompact"), map[string]any{"trigger": "manual", "custom_instructions": p.text}))
			send(p, with(base(at.session, at.cwd, "SubagentStop"), map[string]any{"agent_id": p.text, "agent_type": p.text, "agent_transcript_path": "/t/" + p.text, "last_assistant_message": p.text}))
			send(p, with(base(at.session, at.cwd, "SessionEnd"), map[string]any{"reason": p.text}))
		}
		if folder != s.dir {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{"risk", "allow", "git.reset-hard", "--argument", p.text, "--reason", p.text},
			{"checkpoint", "create", "-m", p.text},
			{"risk", "check", p.text},
			{"replay", "/t/" + p.text},
			{"context", "save", "text", p.text},
			{"context", "save", "name " + p.text, "x"},
			{"context", "save", "json", asJSON(map[string]any{"found": []string{p.text, strings.Repeat("words ", 4<<10) + p.text}, p.text: 1})},
			{"lib", "set", p.text, "1.2.3"},
			{"lib", "set", "react", p.text},
			{"spec", "show", p.text},
			{"tags", "show", p.text},
			{"checkpoint", "show", p.text},
			{"rules", "trust", p.text},
			{"detect", p.text},
		} {
			s.said(args...)
		}
		for _, name := range []string{"text", "json"} {
			said["moai context load "+name] += s.said("context", "load", name)
		}
	}
	for _, args := range [][]string{{"risk", "log"}, {"risk", "log", "--json"}, {"risk", "allow", "list"}, {"checkpoint", "list", "--history"}, {"context", "list"}, {"doctor"}} {
		said["moai "+strings.Join(args, " ")] = s.said(args...)
	}
	said["commits"] = s.git("log", "--format=%an %ae %B", "--all") + s.git("log", "--format=%B", "--glob=refs/moai/*") + s.git("for-each-ref")
	// The hidden references hold the files, and so the names of folders.
	said["commits"] = regexp.MustCompile(`(?m)^Moai-(Empty|Modes|Folders): .*$`).ReplaceAllString(said["commits"], "")
	files := 0
	for _, root := range []string{"state", "config", "home", filepath.Join("app", ".moai"), filepath.Join("app", ".git"), filepath.Join("app", ".claude")} {
		_ = filepath.WalkDir(filepath.Join(filepath.Dir(s.dir), root), func(name string, d fs.DirEntry, err error) error {
			if err != nil || strings.Contains(name, filepath.Join(".git", "objects")) {
				return nil
			}
			text := name
			if d.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				text += "\n" + string(data)
				files++
			}
			said[name] = text
			return nil
		})
	}
	if files < 20 || !strings.Contains(said["moai risk log"], "reset") {
		t.Errorf("looked into %d files", files)
	}
	for name, text := range said {
		for _, p := range all {
			for _, part := range p.parts {
				if i := strings.Index(text, part); i >= 0 {
					t.Errorf("%s stands in %.200q: …%q", p.id, name, text[max(0, i-80):min(len(text), i+len(part)+20)])
				}
			}
		}
	}
}

func asJSON(v any) string {
	raw, _ := json.Marshal(v) // of strings alone, which always can be
	return string(raw)
}
