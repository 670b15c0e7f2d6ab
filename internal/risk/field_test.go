package risk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

const fieldFile = "../../testdata/risk/field.jsonl"

// fieldCase is one line of testdata/risk/field.jsonl: a command that somebody
// wrote down with what a guard should do before any rule had seen it.
type fieldCase struct {
	Command  string `json:"command"`
	Expected string `json:"expected"` // notice: checkpoint, ask or deny; allow: silence
	Family   string `json:"family"`
	Except   string `json:"except,omitempty"` // why the verdict differs; asserted too
}

// TestField judges the field commands in the world of the rules' examples. A
// line with an exception must still differ: whoever mends one takes its reason
// away (MOAI_FIELD=update does), and whoever breaks a line without one sees it
// here. The update never adds an exception.
func TestField(t *testing.T) {
	update := os.Getenv("MOAI_FIELD") == "update"
	f, err := os.Open(fieldFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set := NewSet(builtin(t))
	seen := map[string]bool{}
	count := map[string]int{}
	right := map[string]int{}
	var kept bytes.Buffer
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
		in.Waiting = nil                                       // whoever gives an operation up has one
		in.Staged = func([]string, bool) bool { return false } // as in most repositories, the index holds nothing that is nowhere else
		v := set.Check(&in)
		agrees := (v.Action != Allow) == (c.Expected == "notice")
		count[c.Expected]++
		if agrees {
			right[c.Expected]++
		}
		if agrees && update {
			c.Except = ""
		}
		out := json.NewEncoder(&kept)
		out.SetEscapeHTML(false)
		if err := out.Encode(c); err != nil {
			t.Fatal(err)
		}
		switch {
		case agrees && c.Except != "":
			t.Errorf("Check(%q) = %v, as it should be: take its exception away with MOAI_FIELD=update go test -run TestField ./internal/risk", c.Command, v.Action)
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
	if update {
		if err := os.WriteFile(fieldFile, kept.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("noticed %d of %d (%.1f %%), silent on %d of %d", right["notice"], count["notice"],
		percent(right["notice"], count["notice"]), right["allow"], count["allow"])
}
