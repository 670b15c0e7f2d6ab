package moaid

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/term"
)

// What came of a turn is whole in a narrow terminal.
func TestTurnsInNarrowTerminals(t *testing.T) {
	prompt := "make the tests of the project pass"
	turn := store.Turn{Session: "01a2b3c4-5", Number: 12, Files: 1, Denied: 1, Prompt: &prompt, Began: store.Time(time.Date(2024, 11, 1, 9, 0, 0, 0, time.UTC).UnixMilli())}
	for _, columns := range []string{"", "40", "60", "100"} {
		var out bytes.Buffer
		e := env{out: &out, getenv: func(name string) string { return map[string]string{"COLUMNS": columns}[name] }}
		e.printTurn(&turn, false)
		if !strings.Contains(out.String(), "1 file, 1 denied") {
			t.Errorf("%s columns: %s", columns, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if columns == "40" && term.Width(strings.TrimRight(line, "\n")) > 40 {
				t.Errorf("too wide: %s", line)
			}
		}
	}
}
