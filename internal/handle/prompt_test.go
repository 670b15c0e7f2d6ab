package handle

import (
	"context"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
)

// What the journal keeps of a prompt is the user's to say, and a secret is never in it.
func TestPromptsInTheJournal(t *testing.T) {
	prompt := "use --password hunter2secret for the database\n" + strings.Repeat("한글 ", 100) + "end"
	for mode, want := range map[string]func(s string) bool{
		"head": func(s string) bool { return strings.HasPrefix(s, "use --password ") && len([]rune(s)) <= 201 },
		"full": func(s string) bool { return strings.HasPrefix(s, "use --password ") && strings.HasSuffix(s, "end") },
		"hash": func(s string) bool {
			return strings.HasPrefix(s, "(349 characters, sha256 ") && len(s) == len("(349 characters, sha256 0123456789abcdef)")
		},
		"off": func(s string) bool { return s == "" },
	} {
		h, dir := testHandlers(t, map[string]string{"journal.prompts": mode})
		e := &hook.Event{Name: "UserPromptSubmit", Known: true, SessionID: "s", CWD: dir, ProjectDir: dir}
		e.SetFields([]hook.Member{{Name: "prompt", Value: quote(prompt)}})
		if _, err := h.prompt(context.Background(), e); err != nil {
			t.Fatal(err)
		}
		var got []string
		_, err := (&journal.Query{Types: []string{"user_request"}}).Run(state.JournalPath(h.StateDir, root(e)), func(j *journal.Event) error {
			got = append(got, j.Summary)
			return nil
		})
		if err != nil || len(got) != 1 || !want(got[0]) || strings.Contains(got[0], "hunter2secret") {
			t.Errorf("%s keeps %q, %v", mode, got, err)
		}
	}
}
