package risk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// fieldSets are lists of commands that somebody wrote down with what a guard should do. Whoever wrote the second one, and the third one from public
// Makefiles, settings of agents and runbooks, saw no verdict before
// all of it was labelled. "sight" is what its writer took from documentation, and of what people and agents really ran "real" holds each kind of line that
// was told of, in other words than theirs, with the reason why it should be or should not. "hostile" is what somebody thought of who had not read the
// rules, beside lines of other people's Makefiles, services, manifests and READMEs, most releases among them. "agents" was labelled before any rule or list was read, too: what agents type day by day that
// loses something, in names of this world, and short lines of public projects. "mixed" is by somebody else in the same way, with longer lines of other projects; before anything
// was mended by it 91.5 % were noticed, 6.9 % touched and 1.7 % asked about. "outsider" is two such lists, of tools and libraries that rules do not name, too: before, 90.4 % and 52 %
// were noticed, 2.6 % and 1.7 % touched. "tasks" and "wide" are by two more people who saw neither rules nor verdicts, sealed before anything was judged: 97.7 % noticed, 1.2 % touched and none
// asked about of the first one, by the rules as they were; 92.4 %, 1.2 % and 0.2 % of the second one, after the first was looked at (91.5 %, 1.4 % and 0.2 % before). "projects" is by one more, sealed in the same way, of lines of public projects
// and of thought: 95.7 % noticed, 0.6 % touched and none asked about by the rules as they were.
// The bounds are in parts of a hundred, exceptions counted as what they are.
var fieldSets = []struct {
	file         string
	lines        int
	least        float64 // of what must be noticed
	most, asking float64 // of what is everyday: any verdict, and one that asks or stops
}{
	{"field.jsonl", 3000, 98.8, 0.5, 0.3},
	{"blind.jsonl", 600, 98, 2.2, 0.3},
	{"public.jsonl", 260, 97, 1, 0.3},
	{"sight.jsonl", 700, 99, 1, 0.3},
	{"real.jsonl", 50, 98, 0, 0},
	{"attack.jsonl", 1000, 97, 1, 0.6},
	{"hostile.jsonl", 1000, 96.4, 2.5, 0.8},
	{"agents.jsonl", 880, 99, 1, 0},
	{"mixed.jsonl", 420, 95.5, 5.7, 0.5},
	{"outsider.jsonl", 760, 95, 1, 0.3},
	{"tasks.jsonl", 640, 98.3, 1.2, 0},
	{"wide.jsonl", 750, 96, 1, 0},
	{"projects.jsonl", 590, 98, 0.7, 0},
}

// fieldCase is one line of such a list.
type fieldCase struct {
	Command  string `json:"command"`
	Expected string `json:"expected"` // notice: checkpoint, ask or deny; allow: silence
	Family   string `json:"family"`
	Reason   string `json:"reason,omitempty"` // what is in danger
	Except   string `json:"except,omitempty"` // why the verdict differs; asserted too
}

// TestField judges the field commands in the world of the rules' examples. A
// line with an exception must still differ: whoever mends one takes its reason
// away (MOAI_FIELD=update does), and whoever breaks a line without one sees it
// here. The update never adds an exception.
func TestField(t *testing.T) {
	set := NewSet(builtin(t))
	for _, s := range fieldSets {
		t.Run(s.file, func(t *testing.T) {
			path := filepath.Join("../../testdata/risk", s.file)
			count, right, asked, kept := judgeField(t, set, path)
			if n := count["allow"] + count["notice"]; n < s.lines {
				t.Errorf("only %d commands were read", n)
			}
			noticed, touched, questions := percent(right["notice"], count["notice"]), percent(count["allow"]-right["allow"], count["allow"]), percent(asked, count["allow"])
			if noticed < s.least || touched > s.most || questions > s.asking {
				t.Errorf("noticed %.1f %%, touched %.2f %%, asked about %.2f %%; want %.1f at least, %.2f and %.2f at most", noticed, touched, questions, s.least, s.most, s.asking)
			}
			if os.Getenv("MOAI_FIELD") == "update" {
				kit.Write(t, path, string(kept))
			}
			t.Logf("noticed %d of %d (%.1f %%), silent on %d of %d, asked about %d of them", right["notice"], count["notice"],
				noticed, right["allow"], count["allow"], asked)
		})
	}
}

// judgeField judges each line of a list. asked counts questions about what is everyday; kept is the list without exceptions that hold no more.
func judgeField(t *testing.T, set *Set, path string) (count, right map[string]int, asked int, kept []byte) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count, right = map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	var text bytes.Buffer
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c fieldCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if c.Expected != "notice" && c.Expected != "allow" {
			t.Fatalf("expected of %q is %q, want notice or allow", c.Command, c.Expected)
		}
		if seen[c.Command] {
			t.Errorf("%q stands twice", c.Command)
		}
		seen[c.Command] = true
		in := World()
		in.Command = c.Command
		in.Waiting = nil                                       // whoever gives an operation up has one
		in.Staged = func([]string, bool) bool { return false } // as in most repositories, the index holds nothing that is nowhere else
		there := in.Exists
		in.Exists = func(p string) bool { // whoever reads .env.local has one
			return c.Expected == "notice" && strings.HasPrefix(filepath.Base(p), ".env") || there(p)
		}
		v := set.Check(&in)
		agrees := (v.Action != Allow) == (c.Expected == "notice")
		count[c.Expected]++
		if agrees {
			right[c.Expected]++
		} else if v.Action >= Ask {
			asked++
		}
		switch {
		case agrees && c.Except != "":
			t.Errorf("Check(%q) = %v, as it should be: take its exception away with MOAI_FIELD=update go test -run TestField ./internal/risk", c.Command, v.Action)
			c.Except = ""
		case !agrees && c.Except == "":
			t.Errorf("Check(%q) = %v %v, want %s (%s)", c.Command, v.Action, v.IDs(), c.Expected, c.Family)
		}
		out := json.NewEncoder(&text)
		out.SetEscapeHTML(false)
		kit.Must(t, out.Encode(c))
	}
	kit.Must(t, lines.Err())
	return count, right, asked, text.Bytes()
}
