package risk

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// fieldCase is one line of testdata/risk/field.jsonl: a command that somebody
// wrote down with what a guard should do before any rule had seen it.
type fieldCase struct {
	Command  string `json:"command"`
	Expected string `json:"expected"` // notice: checkpoint, ask or deny; allow: silence
	Family   string `json:"family"`
	Except   string `json:"except,omitempty"` // why the verdict differs; asserted too
}

// TestField judges the field commands in the world of the rules' examples. A
// line with an exception must still differ: whoever mends one deletes its
// reason, and whoever breaks a line without one sees it here.
func TestField(t *testing.T) {
	f, err := os.Open("../../testdata/risk/field.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set := NewSet(builtin(t))
	seen := map[string]bool{}
	count := map[string]int{}
	right := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c fieldCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("field.jsonl: %q: %v", lines.Text(), err)
		}
		if c.Expected != "notice" && c.Expected != "allow" {
			t.Fatalf("expected of %q is %q, want notice or allow", c.Command, c.Expected)
		}
		if seen[c.Command] {
			t.Errorf("%q stands twice in field.jsonl", c.Command)
		}
		seen[c.Command] = true
		in := World()
		in.Command = c.Command
		v := set.Check(&in)
		agrees := (v.Action != Allow) == (c.Expected == "notice")
		count[c.Expected]++
		if agrees {
			right[c.Expected]++
		}
		switch {
		case agrees && c.Except != "":
			t.Errorf("Check(%q) = %v, as it should be: delete its exception", c.Command, v.Action)
		case !agrees && c.Except == "":
			t.Errorf("Check(%q) = %v %v, want %s (%s)", c.Command, v.Action, v.IDs(), c.Expected, c.Family)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(seen) < 1000 {
		t.Errorf("only %d commands were read", len(seen))
	}
	t.Logf("noticed %d of %d (%.1f %%), silent on %d of %d", right["notice"], count["notice"],
		percent(right["notice"], count["notice"]), right["allow"], count["allow"])
}
