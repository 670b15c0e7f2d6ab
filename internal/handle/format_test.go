package handle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
)

// Only where a formatter is started may a call take longer.
func TestLonger(t *testing.T) {
	for _, row := range []struct {
		mode, event, tool, file string
		longer                  bool
	}{
		{"auto", "PostToolUse", "Edit", "a.js", true},
		{"off", "PostToolUse", "Edit", "a.js", false},
		{"auto", "PreToolUse", "Edit", "a.js", false},
		{"auto", "PostToolUse", "Bash", "a.js", false},
		{"auto", "PostToolUse", "Edit", "a.txt", false},
		{"auto", "PostToolUse", "Edit", "a.go", false}, // moai's own needs no time
	} {
		h, dir := testHandlers(t, map[string]string{"quality.format": row.mode})
		h.Tables.Quality, h.Tables.Risks = &quality.Table, risks.Set()
		for _, name := range []string{".prettierrc", "go.mod", "a.js", "a.go", "a.txt"} {
			kit.Must(t, os.WriteFile(filepath.Join(dir, name), []byte("module x\n"), 0o600))
		}
		e := &hook.Event{Name: row.event, Known: true, Dialect: hook.Claude, SessionID: "s1", CWD: dir, ProjectDir: dir, ToolName: row.tool}
		e.SetFields([]hook.Member{{Name: "tool_input", Value: `{"file_path":` + quote(filepath.Join(dir, row.file)) + `}`}})
		want := formatTime
		if !row.longer {
			want = 0
		}
		if got := h.Longer(e); got != want {
			t.Errorf("%v: %v", row, got)
		}
	}
}
