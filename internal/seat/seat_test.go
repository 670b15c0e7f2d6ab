package seat

import (
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

var (
	clients = []rule.Client{
		{Name: "one", Variables: []string{"ONE_SET"}, Processes: []string{"one", "one-*", "/@one/cli"}},
		{Name: "two", Variables: []string{"TWO_SET"}, Processes: []string{"two"}},
	}
	hosts = []string{"node", "python3*"}
)

func TestAgent(t *testing.T) {
	for _, row := range []struct {
		of   Process
		want string
	}{
		{Process{Name: "one"}, "one"},
		{Process{Name: "one-linux-x64"}, "one"},
		{Process{Name: "ONE.EXE"}, ""},
		{Process{Name: "two.exe"}, "two"},
		{Process{Name: "MainThread", Args: []string{"/usr/bin/one", "-p"}}, "one"},
		{Process{Name: "node", Args: []string{"node", "/usr/lib/node_modules/@one/cli/cli.js"}}, "one"},
		{Process{Name: "node", Args: []string{`C:\Program Files\nodejs\node.exe`, `C:\x\node_modules\@one\cli\cli.js`}}, "one"},
		{Process{Name: "node", Args: []string{"node", "/usr/bin/two"}}, "two"},
		{Process{Name: "python3.12", Args: []string{"/usr/bin/python3.12", "two"}}, "two"},
		{Process{Name: "sh", Environ: []string{"HOME=/", "TWO_SET=1"}}, "two"},
		{Process{Name: "sh", Environ: []string{"TWO_SET=", "XTWO_SET=1", "TWO_SET"}}, ""},
		{Process{Name: "vim", Args: []string{"vim", "one"}}, ""},
		{Process{Name: "node", Args: []string{"node", "server.js", "one"}}, ""},
		{Process{Name: "gone"}, ""},
		{Process{Name: "bash", Args: []string{"-bash"}}, ""},
		{Process{}, ""},
	} {
		s := Seat{Above: []Process{{Name: "sh"}, row.of, {Name: "init"}}}
		if got := s.Agent(clients, hosts); got != row.want {
			t.Errorf("%+v: %q, want %q", row.of, got, row.want)
		}
	}
	if got := (&Seat{}).Agent(clients, hosts); got != "" {
		t.Errorf("nothing above: %q", got)
	}
}

func TestLent(t *testing.T) {
	lenders := []string{"script", "python3*"}
	for name, want := range map[string]string{"script": "script", "python3.11": "python3.11", "sshd": "", "tmux: server": "", "xonsh": ""} {
		s := Seat{Lender: &Process{Name: name}}
		if got := s.Lent(lenders); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := (&Seat{}).Lent(lenders); got != "" {
		t.Errorf("an unknown lender: %q", got)
	}
}

// TestUp follows parents through what a system may tell: ends, circles, a crowd.
func TestUp(t *testing.T) {
	of := func(parents map[int]int) func(int) (Process, bool) {
		return func(id int) (Process, bool) {
			parent, ok := parents[id]
			return Process{ID: id, Parent: parent}, ok
		}
	}
	for _, row := range []struct {
		parents map[int]int
		want    int
	}{
		{map[int]int{}, 0},
		{map[int]int{9: 5, 5: 1, 1: 0}, 3},
		{map[int]int{9: 9}, 1},
		{map[int]int{9: 5, 5: 9}, most},
		{map[int]int{9: 5}, 1},
	} {
		if got := len(up(9, of(row.parents))); got != row.want {
			t.Errorf("%v: %d processes, want %d", row.parents, got, row.want)
		}
	}
	if n := len(up(1000, func(id int) (Process, bool) { return Process{ID: id, Parent: id - 1}, true })); n != most {
		t.Errorf("a thousand parents: %d looked at, want %d", n, most)
	}
}
