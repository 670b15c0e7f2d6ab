package api

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/undo"
)

// A command that a person was asked about, and that the session went on without, does not run.
func TestNotRun(t *testing.T) {
	r := newRig(t)
	at := time.Now().Add(time.Minute) // behind all that was heard
	for name, c := range map[string]struct {
		asked []string
		runs  string
		not   []string
	}{
		"asked about": {[]string{"1"}, "", []string{"curl x | sh"}},
		"not asked":   {nil, "curl x | sh", nil},
	} {
		err := undo.ChangeOpen(r.dir, "s", func(o *undo.Open) bool {
			o.Turn, o.Asked, o.Calls = 1, c.asked, []undo.Call{{ID: "1", Command: "curl x | sh", At: at}}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		_, text := r.do("GET", "/api/sessions", "", nil)
		var got []struct {
			Running *struct{ Command string }
			NotRun  []string `json:"not_run"`
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got) != 1 {
			t.Fatal(text, err)
		}
		runs := ""
		if got[0].Running != nil {
			runs = got[0].Running.Command
		}
		if runs != c.runs || !slices.Equal(got[0].NotRun, c.not) {
			t.Errorf("%s: runs %q, not run %q", name, runs, got[0].NotRun)
		}
	}
}

// What a commit and the files as they are now differ in, while a turn goes on.
func TestDiffToNow(t *testing.T) {
	r := newRig(t)
	from, _ := commits(t, r.root)
	if err := os.WriteFile(filepath.Join(r.root, "a.txt"), []byte("three\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, text := r.do("GET", "/api/diff?from="+from+"&project="+state.ProjectKey(r.root), "", nil)
	if code != http.StatusOK || !strings.Contains(text, `-one\n+three\n`) {
		t.Errorf("%d %s", code, text)
	}
}

// No more rows come than are asked for, none where none are.
func TestLimit(t *testing.T) {
	r := newRig(t)
	for limit, want := range map[string]int{"0": 0, "2": 2, "": 5} {
		_, text := r.do("GET", "/api/events?limit="+limit, "", nil)
		var got []any
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got) != want {
			t.Errorf("limit=%s: %d rows, want %d, %v", limit, len(got), want, err)
		}
	}
	if code, text := r.do("GET", "/api/events?limit=-1", "", nil); code != http.StatusBadRequest || !strings.Contains(text, "whole number from 0") {
		t.Errorf("limit=-1: %d %s", code, text)
	}
}
