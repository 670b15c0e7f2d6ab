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
// $2 the folder of moai, $3 the scenario, $4 the folder for what a run leaves, $5 the
// columns, $6 what ends the wait.
const terminal = `
ip link set lo up
"$1" serve -path "$2" -scenario "$3" -out "$4" > "$4.line" &
for i in $(seq 50); do test -s "$4.line" && break; sleep 0.1; done
tmux -S "$4.socket" -f /dev/null new-session -d -x $5 -y 50 "sh '$4.line'"
for i in $(seq 100); do
	tmux -S "$4.socket" capture-pane -p > "$4.screen"
	grep -q "$6" "$4.screen" && break
	sleep 0.2
done
cat "$4.screen"
`

// TestTerminal looks at what only terminals show: the card on the user's screen.
func TestTerminal(t *testing.T) {
	screen := onScreen(t, "card", "120", "Branch: main")
	for _, want := range []string{"MoAI-ADK Project Info", "Language: Go ≥ 1.24", "Branch: main ("} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}

// TestStatusLine looks at the line below the prompt in a narrow terminal: it is there, whole, and knows what hooks have found.
func TestStatusLine(t *testing.T) {
	screen := onScreen(t, "statusline", "60", "changed")
	i := strings.Index(screen, "guard on | ")
	if i < 0 {
		t.Fatalf("the screen has no status line:\n%s", screen)
	}
	line, _, _ := strings.Cut(screen[i:], "\n")
	t.Logf("the line is %q", line)
	if !strings.Contains(line, " | main, ") || !strings.Contains(line, " changed") || strings.Contains(line, "…") {
		t.Errorf("the line is %q; want branch and changes, and nothing cut", line)
	}
	if strings.Contains(screen, "subagentStatusLine") {
		t.Errorf("the client says something of the line of sub-agents:\n%s", screen)
	}
}

// onScreen is what the client shows in a terminal once a text is there.
func onScreen(t *testing.T, name, columns, until string) string {
	t.Helper()
	if !canUnshare("-n", "-p", "-f", "--mount-proc") {
		t.Skip("in a terminal the client cannot be kept from the network without namespaces (Linux, root)")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux to be the terminal")
	}
	client := findClient(t)
	out := filepath.Join(outFolder(t, "terminal-"+name), "run")
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	scenario, err := filepath.Abs(filepath.Join(root, "testdata", "e2e", "terminal", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-n", "-p", "-f", "--mount-proc", "sh", "-c", terminal, "sh", filepath.Join(bin, "harness"), bin, scenario, out, columns, until)
	cmd.Env = append(os.Environ(), "CLAUDE_CLIENT="+client, "LANG=C.UTF-8", "TMUX=")
	cmd.WaitDelay = 5 * time.Second
	screen, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("terminal: %v", err)
	}
	return string(screen)
}
