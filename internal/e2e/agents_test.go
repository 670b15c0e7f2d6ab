//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestAgentTimes holds how long sub-agents took, several at once, against what the client wrote down of each: from the first line of
// its conversation to its last answer.
func TestAgentTimes(t *testing.T) {
	client := findClient(t)
	out := filepath.Join(outFolder(t, "agent-times"), "run")
	play(t, client, filepath.Join(root, "testdata", "e2e", "agents", "parallel.json"), out, canUnshare("-n"))
	cmd := exec.Command(filepath.Join(bin, "moai"), "agents", "list", "--json")
	cmd.Dir, cmd.Env = filepath.Join(out, "project"), append(os.Environ(), "HOME="+filepath.Join(out, "home"), "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
	data, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Agent      string `json:"agent_id"`
		TookMS     int64  `json:"duration_ms"`
		Transcript string
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, a := range list {
		if a.Agent == "" {
			continue // it could not begin
		}
		want := lasted(t, a.Transcript)
		off := float64(a.TookMS)/float64(want.Milliseconds()) - 1
		t.Logf("%s: %d ms, by its transcript %v: %+.1f %%", a.Agent, a.TookMS, want, 100*off)
		if compared++; off < -0.05 || off > 0.05 {
			t.Errorf("%s took %d ms, by its transcript %v", a.Agent, a.TookMS, want)
		}
	}
	if compared != 3 {
		t.Errorf("%d sub-agents, want 3:\n%s", compared, data)
	}
}

// lasted is the time between the first line of a transcript and the last answer in it.
func lasted(t *testing.T, transcript string) time.Duration {
	t.Helper()
	data, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	var first, last time.Time
	for line := range bytes.Lines(data) {
		var l struct {
			Type      string
			Timestamp time.Time
		}
		if json.Unmarshal(line, &l) != nil || l.Timestamp.IsZero() {
			continue
		}
		if first.IsZero() {
			first = l.Timestamp
		}
		if l.Type == "assistant" {
			last = l.Timestamp
		}
	}
	return last.Sub(first)
}
