package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// In and out again, the text is what it was, however it is laid out; with hooks in between, too.
func TestStatusLineComesAndGoes(t *testing.T) {
	want := Registration{Program: "/opt/my tools/moai", Hooks: []Hook{{Event: "Stop", Args: []string{"hook", "stop"}, Timeout: 5}}}
	for name, text := range map[string]string{
		"empty object": "{}", "with a line": "{}\n", "one line": `{"a": 1}`, "packed": `{"a":1,"b":[2]}` + "\n",
		"lines": "{\n  \"a\": 1\n}\n", "tabs": "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}", "windows": "{\r\n  \"a\": 1\r\n}\r\n", "marked": "\ufeff{\n  \"a\": 1\n}\n",
		"comments": "// mine\n{\n  // first\n  \"a\": 1, // one\n  /* last */\n}\n", "comma": "{\n  \"a\": 1,\n}\n",
		"hooks of others": "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]\n  }\n}\n",
	} {
		with, err := PlanLine([]byte(text), want)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l, err := StatusLine(with); err != nil || l == nil || !l.Own || l.Command != "'/opt/my tools/moai' statusline" {
			t.Errorf("%s: planned %+v, %v\n%s", name, l, err, with)
		}
		if again, err := PlanLine(with, want); err != nil || string(again) != string(with) {
			t.Errorf("%s: a second plan changes it, %v:\n%s", name, err, again)
		}
		without, err := RemoveLine(with)
		if diff := cmp.Diff(text, string(without)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		hooked, err := Plan([]byte(text), want)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		both, err := PlanLine(hooked, want)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if bare, err := RemoveLine(both); err != nil || string(bare) != string(hooked) {
			t.Errorf("%s with hooks: %v\n%s", name, err, cmp.Diff(string(hooked), string(bare)))
		}
		if bare, err := Remove(both); err != nil || string(bare) != text {
			t.Errorf("%s, all out: %v\n%s", name, err, cmp.Diff(text, string(bare)))
		}
	}
}

// What is there already: ours is brought up to date with what people set about it, others' stays.
func TestStatusLineThere(t *testing.T) {
	want := Registration{Program: "/new/moai"}
	for _, c := range []struct{ text, want string }{
		{"", "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"/new/moai statusline\",\n    \"refreshInterval\": 5\n  }\n}\n"},
		{`{"statusLine":{"padding":2,"type":"command","command":"/old/moai statusline"}}`, `{"statusLine":{"padding":2,"type":"command","command":"/new/moai statusline"}}`},
		{`{"statusLine":{"command":"moai statusline"}}`, `{"statusLine":{"command":"/new/moai statusline"}}`},
		{`{"statusLine":{"command":"command -v moai >/dev/null 2>&1 || exit 0; exec moai statusline"}}`, `{"statusLine":{"command":"/new/moai statusline"}}`},
		{`{"statusLine":{"command":"ccline moai statusline"}}`, ""},
		{`{"statusLine":{"command":"/x/moai hook stop"}}`, ""},
		{`{"statusLine":{"command":"moai"}}`, ""},
		{`{"statusLine":{}}`, ""},
		{`{"statusLine":"moai statusline"}`, ""},
		{`{"statusLine":null}`, ""},
	} {
		got, err := PlanLine([]byte(c.text), want)
		var taken *TakenError
		if c.want == "" {
			if !errors.As(err, &taken) || taken.At != 1 {
				t.Errorf("%s: %s, %v; want that it is taken", c.text, got, err)
			}
			if left, err := RemoveLine([]byte(c.text)); err != nil || string(left) != c.text {
				t.Errorf("%s: taken out, though it is somebody else's: %s, %v", c.text, left, err)
			}
		} else if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(c.want) {
			t.Errorf("%s: %v\n%s", c.text, err, cmp.Diff(c.want, string(got)))
		}
	}
	if _, err := PlanLine([]byte(`{"statusLine":{"command":"moai statusline"},"statusLine":{"command":"x"}}`), want); err == nil {
		t.Error("two status lines in one file are edited, and which of them counts is not known")
	}
	for _, text := range []string{"[]", "{", `{"statusLine"}`} {
		if got, err := PlanLine([]byte(text), want); err == nil {
			t.Errorf("%s: %s; want an error", text, got)
		}
	}
}
