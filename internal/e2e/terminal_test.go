//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// terminal starts the client in a terminal of its own and prints the screen once
// the card is there. It runs in a network namespace, and in a process namespace,
// so that client, terminal and harness end with it. $1 is the harness,
// $2 the folder of moai, $3 the scenario, $4 the folder for what a run leaves.
const terminal = `
ip link set lo up
"$1" serve -path "$2" -scenario "$3" -out "$4" > "$4.line" &
for i in $(seq 50); do test -s "$4.line" && break; sleep 0.1; done
tmux -S "$4.socket" -f /dev/null new-session -d -x 120 -y 50 "sh '$4.line'"
for i in $(seq 100); do
	tmux -S "$4.socket" capture-pane -p > "$4.screen"
	grep -q 'Branch: main' "$4.screen" && break
	sleep 0.2
done
cat "$4.screen"
`

// TestTerminal looks at what only terminals show: the card on the user's screen.
func TestTerminal(t *testing.T) {
	if !canUnshare("-n", "-p", "-f", "--mount-proc") {
		t.Skip("in a terminal the client cannot be kept from the network without namespaces (Linux, root)")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux to be the terminal")
	}
	client := findClient(t)
	out := filepath.Join(outFolder(t, "terminal"), "run")
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	scenario, err := filepath.Abs(filepath.Join(root, "testdata", "e2e", "terminal", "card.json"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-n", "-p", "-f", "--mount-proc", "sh", "-c", terminal, "sh", filepath.Join(bin, "harness"), bin, scenario, out)
	cmd.Env = append(os.Environ(), "CLAUDE_CLIENT="+client, "LANG=C.UTF-8", "TMUX=")
	cmd.WaitDelay = 5 * time.Second
	screen, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("terminal: %v", err)
	}
	for _, want := range []string{"MoAI-ADK Project Info", "Language: Go 1.24", "Branch: main ("} {
		if !strings.Contains(string(screen), want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}
