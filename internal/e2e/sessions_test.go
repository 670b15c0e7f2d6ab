//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// twoTerminals starts the client in two terminals on one project, types a prompt into each, clears the first one, types
// again, and prints the sessions that moai knows then. It is kept from the network as terminal is.
const twoTerminals = `
ip link set lo up
"$1" serve -path "$2" -scenario "$3" -out "$4" > "$4.line" &
for i in $(seq 50); do test -s "$4.line" && break; sleep 0.1; done
T="tmux -S $4.socket -f /dev/null"
id=$4/home/.local/state/moai/identity
wait_for() { for i in $(seq 150); do eval "$1" && break; sleep 0.2; done; sleep 1; }
type_in() { $T send-keys -t "$1" "$2"; sleep 1; $T send-keys -t "$1" Enter; }
$T new-session -d -s one -x 120 -y 50 "sh '$4.line'"
wait_for 'test "$(ls $id/*.json 2>/dev/null | wc -l)" = 1'
$T new-session -d -s two -x 120 -y 50 "sh '$4.line'"
wait_for 'test "$(ls $id/*.json 2>/dev/null | wc -l)" = 2'
type_in one "fix the first"
wait_for 'grep -qs "fix the first" $id/*.json'
type_in two "fix the second"
wait_for 'grep -qs "fix the second" $id/*.json'
type_in one "/clear"
wait_for 'test "$(ls $id/ended/*.json 2>/dev/null | wc -l)" = 1 && test "$(ls $id/*.json | wc -l)" = 2'
type_in one "fix it again"
wait_for 'grep -qs "fix it again" $id/*.json'
cd "$4/project" && HOME="$4/home" "$2/moai" session list --all --json > "$4.sessions"
`

// TestTwoTerminals: two clients at once in one folder are two sessions of two terminals; what follows a /clear is another
// session of the same terminal.
func TestTwoTerminals(t *testing.T) {
	if !canUnshare("-n", "-p", "-f", "--mount-proc") {
		t.Skip("in a terminal the client cannot be kept from the network without namespaces (Linux, root)")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux to be the terminal")
	}
	client := findClient(t)
	out := filepath.Join(outFolder(t, "sessions"), "run")
	kit.Must(t, os.MkdirAll(filepath.Dir(out), 0o755))
	scenario, err := filepath.Abs(filepath.Join(root, "testdata", "e2e", "terminal", "sessions.json"))
	kit.Must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-n", "-p", "-f", "--mount-proc", "sh", "-c", twoTerminals, "sh", filepath.Join(bin, "harness"), bin, scenario, out)
	cmd.Env = append(os.Environ(), "CLAUDE_CLIENT="+client, "LANG=C.UTF-8", "TMUX=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
	cmd.WaitDelay = 5 * time.Second
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Logf("terminals: %v\n%s", err, said)
	}
	data, err := os.ReadFile(out + ".sessions")
	kit.Must(t, err)
	type session struct {
		ID, Fingerprint, TTY string
		ParentPID            int `json:"parent_pid"`
		Link                 *struct{ Kind, Parent string }
		Turn                 struct {
			Number int
			Prompt string
		}
	}
	var list []session
	kit.Must(t, json.NewDecoder(bytes.NewReader(data)).Decode(&list))
	by := map[string]session{}
	for _, s := range list {
		by[s.Turn.Prompt] = s
		if s.TTY == "" || s.ParentPID == 0 || s.Turn.Number != 1 {
			t.Errorf("%+v: want a terminal, a process and one turn", s)
		}
	}
	first, second, again := by["fix the first"], by["fix the second"], by["fix it again"]
	if len(list) != 3 || first.ID == "" || second.ID == "" || again.ID == "" {
		t.Fatalf("sessions:\n%s", data)
	}
	if first.TTY == second.TTY || first.Fingerprint == second.Fingerprint {
		t.Errorf("two terminals are one: %+v, %+v", first, second)
	}
	if again.Fingerprint != first.Fingerprint || again.Link == nil || again.Link.Kind != "cleared" || again.Link.Parent != first.ID {
		t.Errorf("after /clear: %+v, before: %+v", again, first)
	}
}
