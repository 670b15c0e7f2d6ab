package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/modu-ai/moai/internal/kit"
)

var want = Registration{
	Program: "/opt/moai",
	Hooks: []Hook{
		{Event: "SessionStart", Args: []string{"hook", "session-start"}, Timeout: 5},
		{Event: "PreToolUse", Matcher: "Bash|Edit", Args: []string{"hook", "pre-tool"}},
	},
}

const fresh = `{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/opt/moai",
            "args": ["hook", "session-start"],
            "timeout": 5
          }
        ]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash|Edit",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/moai",
            "args": ["hook", "pre-tool"]
          }
        ]
      }
    ]
  }
}
`

func TestPlan(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"nothing there", "", fresh},
		{"blank", " \n", " \n" + fresh},
		{"empty object", "{}\n", fresh},
		{"nothing to do", fresh, fresh},
		{
			"one line",
			`{"model":"x"}`,
			`{"model":"x","hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/opt/moai","args":["hook", "session-start"],"timeout":5}]}],` +
				`"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{"type":"command","command":"/opt/moai","args":["hook", "pre-tool"]}]}]}}`,
		},
		{
			"tabs, CRLF, BOM, a comment behind the last member, foreign hooks",
			bom + "{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [ {\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]} ]\r\n\t}, // ours\r\n\t\"z\" : 1 // why\r\n}",
			bom + "{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [ {\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}, {\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/moai\", \"args\": [\"hook\", \"session-start\"], \"timeout\": 5}]} ],\r\n" +
				"\t\t\"PreToolUse\": [\r\n\t\t\t{\r\n\t\t\t\t\"matcher\": \"Bash|Edit\",\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"/opt/moai\",\r\n\t\t\t\t\t\t\"args\": [\"hook\", \"pre-tool\"]\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n" +
				"\t}, // ours\r\n\t\"z\" : 1 // why\r\n}",
		},
		{
			"a stale path, an old matcher, shell text and an event that is not wanted",
			`{"hooks": {
  "SessionStart": [{"hooks": [{"type": "command", "command": "moai hook session-start", "timeout": 5, "onFailure": "block"}]}],
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"args": ["hook", "x"], "command": "C:\\old bin\\Moai.EXE", "type": "command"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "'/old/moai' hook stop"}, {"type": "command", "command": "date"}]}],
  "SessionEnd": [{"hooks": [{"type": "command", "command": "/old/moai hook session-end"}]}]
}}`,
			`{"hooks": {
  "SessionStart": [{"hooks": [{"type": "command", "command": "/opt/moai", "args": ["hook", "session-start"], "timeout": 5, "onFailure": "block"}]}],
  "PreToolUse": [{"matcher": "Bash|Edit", "hooks": [{"args": ["hook", "pre-tool"], "command": "/opt/moai", "type": "command"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "date"}]}]
}}`,
		},
		{
			"a shared group keeps its matcher, a second entry goes",
			`{"hooks": {
  "SessionStart": [
    {"hooks": [{"type": "command", "command": "/opt/moai", "args": ["hook", "session-start"], "timeout": 5}]},
    {"hooks": [{"type": "command", "command": "/x/moai", "args": ["hook", "session-start"], "timeout": 5}]}
  ],
  "PreToolUse": [
    {"matcher": "Write", "hooks": [{"type": "command", "command": "lint"}, {"type": "command", "command": "/opt/moai", "args": ["hook", "pre-tool"]}]},
  ],
}}`,
			`{"hooks": {
  "SessionStart": [
    {"hooks": [{"type": "command", "command": "/opt/moai", "args": ["hook", "session-start"], "timeout": 5}]}
  ],
  "PreToolUse": [
    {"matcher": "Write", "hooks": [{"type": "command", "command": "lint"}]},
    {
      "matcher": "Bash|Edit",
      "hooks": [
        {
          "type": "command",
          "command": "/opt/moai",
          "args": ["hook", "pre-tool"]
        }
      ]
    },
  ],
}}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Plan([]byte(test.old), want)
			kit.Must(t, err)
			if diff := cmp.Diff(test.new, string(got)); diff != "" {
				t.Errorf("Plan(%q) (-want +got):\n%s", test.old, diff)
			}
			again, err := Plan(got, want)
			if err != nil || string(again) != string(got) {
				t.Errorf("a second Plan changed the file, %v:\n%s", err, cmp.Diff(string(got), string(again)))
			}
		})
	}
}

func TestRemove(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"nothing", "", ""},
		{"no hooks", `{"a": [1, 2 ] }`, `{"a": [1, 2 ] }`},
		{"only ours", fresh, "{}\n"},
		{
			"first, middle and last of a list",
			`{"hooks": {"Stop": [{"hooks": [{"command": "moai hook stop"}, {"command": "a"}, {"command": "/x/moai hook stop"}, {"command": "b"}, {"command": "moai.exe hook stop"}]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}}`,
		},
		{
			"comments stay, and none swallows what follows",
			"{\"hooks\": {\"Stop\": [ // one\n {\"hooks\": [{\"command\": \"moai hook stop\"}]}, {\"hooks\": [{\"command\": \"b\"}]}]}}",
			"{\"hooks\": {\"Stop\": [ // one\n {\"hooks\": [{\"command\": \"b\"}]}]}}",
		},
		{
			"a comment keeps its list",
			"{\"hooks\": {\"Stop\": [\n  // mine\n  {\"hooks\": [{\"command\": \"moai hook stop\"}]}\n]}}",
			"{\"hooks\": {\"Stop\": [\n  // mine\n]}}",
		},
		{
			"not ours",
			`{"hooks": {"Stop": [{"hooks": [{"command": "moaix hook stop"}, {"command": "moai status"}, {"command": "echo moai hook"}, {"type": "prompt", "command": "moai hook stop"}, 7, {"command": "moai", "args": [1]}]}, 8, {"hooks": 9}]}}`,
			`{"hooks": {"Stop": [{"hooks": [{"command": "moaix hook stop"}, {"command": "moai status"}, {"command": "echo moai hook"}, {"type": "prompt", "command": "moai hook stop"}, 7, {"command": "moai", "args": [1]}]}, 8, {"hooks": 9}]}}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Remove([]byte(test.old))
			kit.Must(t, err)
			if diff := cmp.Diff(test.new, string(got)); diff != "" {
				t.Errorf("Remove(%q) (-want +got):\n%s", test.old, diff)
			}
		})
	}
}

func TestShapeErrors(t *testing.T) {
	tests := []struct{ old, err string }{
		{`{"hooks": []}`, `line 1: "hooks" must be an object, it is a list`},
		{"{\n\"hooks\": null}", `line 2: "hooks" must be an object, it is null`},
		{"{\"hooks\": {\n\n\"Stop\": {}}}", `line 3: "Stop" must be a list, it is an object`},
		{`[]`, `line 1: the file must be an object, it is a list`},
		{`{"hooks": {}, "hooks": {}}`, `line 1: "hooks" is there twice`},
		{`{"hooks": {"Stop": [], "St\u006fp": []}}`, `line 1: "Stop" is there twice`},
		{`{"a": 1`, `not valid JSON: line 1, column 8: parsing object after value: unexpected EOF`},
		{`{"a": 1} x`, `not valid JSON: line 1, column 10: invalid character 'x' after top-level value`},
		{strings.Repeat("[", 1<<20), `line 1: nested more than 200 levels deep`},
	}
	for _, test := range tests {
		for name, f := range map[string]func() ([]byte, error){
			"Plan":   func() ([]byte, error) { return Plan([]byte(test.old), want) },
			"Remove": func() ([]byte, error) { return Remove([]byte(test.old)) },
		} {
			got, err := f()
			if err == nil || err.Error() != test.err || got != nil {
				t.Errorf("%s(%.40q) = %q, %v, want error %q", name, test.old, got, err, test.err)
			}
		}
	}
}

func TestProgram(t *testing.T) {
	for _, program := range []string{"", "moai", "bin/moai", "/opt/moai-dev", "/opt/moai/", "/\xff/moai"} {
		if _, err := Plan(nil, Registration{Program: program}); !errors.Is(err, ErrProgram) {
			t.Errorf("Plan with program %q: %v, want ErrProgram", program, err)
		}
	}
	for _, program := range []string{"/opt/moai", `C:\Program Files\moai.exe`, `\\srv\bin\moai.exe`, "C:/x/moai.exe", "/한글 <&> dir/moai"} {
		got, err := Plan(nil, Registration{Program: program, Hooks: want.Hooks})
		if err != nil {
			t.Errorf("Plan with program %q: %v", program, err)
		}
		list, err := Entries(got)
		if err != nil || len(list) != 2 || list[0].Program != program {
			t.Errorf("Entries of a plan with program %q = %+v, %v", program, list, err)
		}
	}
}

// TestHostile gives each function a file that is as large as is read and as
// tangled as can be: the work must stay in proportion.
func TestHostile(t *testing.T) {
	group := `{"hooks":[{"command":"moai hook"},{"command":"x"}]},`
	many := `{"hooks":{"PreToolUse":[` + strings.TrimSuffix(strings.Repeat(group, maxSize/len(group)-1), ",") + `]}}`
	wide := `{"hooks":{` + strings.Repeat(`"x":[],`, maxSize/8) + `"y":[]}}`
	started := time.Now()
	for _, old := range []string{many, wide, strings.Repeat("[", maxSize), `{"a":"` + strings.Repeat(`\\`, maxSize/2)} {
		if planned, err := Plan([]byte(old), want); err == nil {
			_, _ = Remove(planned)
			_, _ = Entries(planned)
			Check(planned, nil)
		}
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestEntries(t *testing.T) {
	got, err := Entries([]byte(`{"hooks": {
  "PreToolUse": [{"matcher": "Bash", "hooks": [
    {"type": "command", "command": "\"/a b/moai\" hook pre-tool && date", "timeout": 2.5}]}],
  "Stop": [{"hooks": [
    {"type": "command", "command": "/b/moai", "args": ["hook", "stop"]}]}]}}`))
	kit.Must(t, err)
	want := []Entry{
		{Event: "PreToolUse", Matcher: "Bash", Program: "/a b/moai", Args: []string{"hook", "pre-tool"}, Shell: `"/a b/moai" hook pre-tool && date`, Timeout: 2.5, Line: 3},
		{Event: "Stop", Program: "/b/moai", Args: []string{"hook", "stop"}, Line: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzPlan holds what the package promises for every file it accepts: foreign
// bytes stay, twice is once, and taking out undoes putting in.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(fresh))
	f.Add([]byte(""))
	f.Add([]byte("{ }"))
	f.Add([]byte(bom + "{\r\n\t\"a\":1, // x\r\n}"))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"matcher":"X","hooks":[{"type":"command","command":"moai hook x"},{"command":"y"},]},],"Stop":[{"hooks":[{"command":"moai hook stop"}]} /* c */]}}`))
	f.Add([]byte("{\"hooks\":{\"SessionStart\":[// a\n{\"hooks\":[{\"command\":\"moai hook\"}]},// b\n{\"hooks\":[{\"command\":\"moai hook\"} // c\n]},]}}"))
	f.Fuzz(checkPromises)
}

// FuzzLayout checks the same on files that it builds out of choices, since
// random bytes seldom are settings.
func FuzzLayout(f *testing.F) {
	for seed := range 40 {
		choices := make([]byte, 400)
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		for i := range choices {
			choices[i] = byte(rnd.Uint32())
		}
		f.Add(choices)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		checkPromises(t, []byte(build(&choices)))
	})
}

// build makes a settings file, taking one byte for each decision.
func build(choices *[]byte) string {
	pick := func(from ...string) string {
		if len(*choices) == 0 {
			return from[0]
		}
		c := (*choices)[0]
		*choices = (*choices)[1:]
		return from[int(c)%len(from)]
	}
	extra := func() string {
		return pick("", " ", "\n", "\n  ", "\n\t", "\r\n    ", " // note\n", "/* note */", "\n// a\n// b\n ", " ")
	}
	several := func(open, end string, item func(i int) string) string {
		n := len(pick("", "1", "11", "111", "1", "1111"))
		out := open
		for i := range n {
			out += extra() + item(i) + extra()
			if i < n-1 || pick("", "", ",") != "" {
				out += ","
			}
		}
		return out + extra() + end
	}
	entry := func(int) string {
		return pick(
			`{"type": "command", "command": "date"}`,
			`{"type": "command", "command": "/opt/moai", "args": ["hook", "pre-tool"]}`,
			"{\n\"command\":\"moai hook x\"}",
			`{"command" : "/old/moai" , "args":["hook","session-start"],"timeout":5}`,
			`{"type": "http", "url": "http://x"}`, `{"command":"C:\\x\\moai.exe hook"// z
}`)
	}
	group := func(int) string {
		head := pick("", `"matcher": "*",`, `"matcher":"Bash|Edit",`, `"matcher":"X" , `)
		return "{" + extra() + head + extra() + `"hooks":` + extra() + several("[", "]", entry) + extra() + "}"
	}
	events := []string{"PreToolUse", "SessionStart", "Stop", "Other"}
	event := func(i int) string {
		return `"` + events[i%4] + `"` + extra() + ":" + extra() + several("[", "]", group)
	}
	root := func(i int) string {
		if i == 0 {
			return `"hooks":` + several("{", "}", event)
		}
		return pick(`"a`, `"b`, `"한글`) + strings.Repeat("x", i) + `":` + extra() + pick("1", "null", `{"k": [ ]}`, `"\u003c"`)
	}
	return pick("", bom) + extra() + several("{", "}", root) + extra()
}

func checkPromises(t *testing.T, old []byte) {
	planned, err := Plan(old, want)
	if err != nil {
		if _, err := Remove(old); err == nil && !isBlank(old) {
			t.Errorf("Plan refuses what Remove takes")
		}
		return
	}
	again, err := Plan(planned, want)
	if err != nil || !bytes.Equal(again, planned) {
		t.Fatalf("Plan twice is not Plan once, %v:\n%q\n%q", err, planned, again)
	}
	entries, err := Entries(planned)
	if err != nil || len(entries) != len(want.Hooks) {
		t.Fatalf("Plan(%q) = %q has %d entries, %v", old, planned, len(entries), err)
	}
	clean, err := Remove(old)
	if err != nil {
		t.Fatalf("Remove: %v", err)
	}
	if !subsequence(clean, old) {
		t.Errorf("Remove(%q) = %q is more than a deletion", old, clean)
	}
	if left, _ := Entries(clean); len(left) > 0 {
		t.Errorf("Remove(%q) left %v", old, left)
	}
	back, err := Remove(planned)
	if err != nil {
		t.Fatalf("Remove(Plan(%q)): %v", old, err)
	}
	if had, _ := Entries(old); len(had) == 0 {
		if !subsequence(old, planned) {
			t.Errorf("Plan(%q) = %q is more than an insertion", old, planned)
		}
		if !bytes.Equal(clean, old) {
			t.Errorf("Remove changed %q, which has nothing of ours, to %q", old, clean)
		}
	}
	if a, b := shape(t, clean), shape(t, back); !slices.Equal(a, b) {
		t.Errorf("taking out does not undo putting in: %q\n%q\n%q", old, a, b)
	}
}

// subsequence reports whether big is small with bytes inserted.
func subsequence(small, big []byte) bool {
	for _, c := range big {
		if len(small) > 0 && small[0] == c {
			small = small[1:]
		}
	}
	return len(small) == 0
}

// shape lists the values and the words of the comments of a file in order,
// without names and matchers: those of moai's own groups may change.
func shape(t *testing.T, data []byte) []string {
	if isBlank(data) {
		return nil
	}
	v, err := hujson.Parse(bytes.TrimPrefix(data, []byte(bom)))
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	var list []string
	comments := strings.NewReplacer("/*", " ", "*/", " ", "//", " ")
	extra := func(e hujson.Extra) { list = append(list, strings.Fields(comments.Replace(string(e)))...) }
	var walk func(v hujson.Value)
	walk = func(v hujson.Value) {
		extra(v.BeforeExtra)
		switch x := v.Value.(type) {
		case *hujson.Object:
			for _, m := range x.Members {
				extra(m.Name.BeforeExtra)
				extra(m.Name.AfterExtra)
				if text(&m.Name) == "matcher" {
					m.Value.Value = &hujson.Object{}
				}
				walk(m.Value)
			}
			extra(x.AfterExtra)
		case *hujson.Array:
			for _, e := range x.Elements {
				walk(e)
			}
			extra(x.AfterExtra)
		case hujson.Literal:
			list = append(list, string(x))
		}
		extra(v.AfterExtra)
	}
	walk(v)
	return list
}

// shared is what a file gets that other people get, too.
var shared = Registration{Portable: true, Hooks: want.Hooks}

// blocking is want with a guard that the client must not do without.
var blocking = Registration{Program: want.Program, Hooks: []Hook{want.Hooks[0], {Event: "PreToolUse", Matcher: "Bash|Edit", Args: []string{"hook", "pre-tool"}, Failure: Block}}}

// going is want with a guard that the client does without.
var going = Registration{Program: want.Program, Hooks: []Hook{want.Hooks[0], {Event: "PreToolUse", Matcher: "Bash|Edit", Args: []string{"hook", "pre-tool"}, Failure: Continue}}}

func plan(t *testing.T, old []byte, want Registration) []byte {
	t.Helper()
	got, err := Plan(old, want)
	if err != nil {
		t.Fatalf("Plan(%q): %v", old, err)
	}
	if again, err := Plan(got, want); err != nil || string(again) != string(got) {
		t.Errorf("a second Plan changed the file, %v:\n%s", err, cmp.Diff(string(got), string(again)))
	}
	return got
}

func TestPortable(t *testing.T) {
	got := string(plan(t, nil, shared))
	const command = `"command": "command -v moai >/dev/null 2>&1 || exit 0; exec moai hook pre-tool"`
	if !strings.Contains(got, command) || strings.Contains(got, "args") || strings.Contains(got, "/opt") {
		t.Errorf("no command for every machine:\n%s", got)
	}
	list, err := Entries([]byte(got))
	if err != nil || len(list) != 2 || !list[1].ByName || list[1].Program != "moai" || !slices.Equal(list[1].Args, []string{"hook", "pre-tool"}) {
		t.Errorf("not recognised: %+v, %v", list, err)
	}
	if rest, err := Remove([]byte(got)); err != nil || string(rest) != "{}\n" {
		t.Errorf("Remove left %q, %v", rest, err)
	}
	// Each form turns into each other, and back to the same bytes.
	exec := plan(t, nil, want)
	if back := plan(t, plan(t, exec, shared), want); string(back) != string(exec) {
		t.Errorf("there and back (-want +got):\n%s", cmp.Diff(string(exec), string(back)))
	}
	if there := plan(t, exec, shared); string(there) != got {
		t.Errorf("from a path (-want +got):\n%s", cmp.Diff(got, string(there)))
	}
	// An older or foreign test before the same call is ours to bring up to date; other text is not.
	for command, own := range map[string]bool{
		"command -v moai >/dev/null || exit 0; exec moai hook stop":                true,
		"command -v /opt/moai >/dev/null 2>&1 || exit 0; exec /opt/moai hook stop": true,
		"command -v lint >/dev/null || exit 0; exec moai hook stop":                false,
		"command -v moai >/dev/null || exit 0; exec lint hook stop":                false,
		"command -v moai; rm -rf x; exec lint":                                     false,
		"echo moai hook stop; exec moai hook stop":                                 false,
	} {
		list, err := Entries([]byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ` + quote(command) + `}]}]}}`))
		if err != nil || (len(list) == 1) != own || own && list[0].ByName {
			t.Errorf("%s: %+v, %v; want own %v", command, list, err, own)
		}
	}
}

func TestFailure(t *testing.T) {
	open, closed := plan(t, nil, want), plan(t, nil, blocking)
	list, err := Entries(closed)
	if err != nil || list[0].Blocks || !list[1].Blocks {
		t.Fatalf("want the guard alone to block: %+v, %v", list, err)
	}
	// The line that is named can be deleted by hand: what is left is a settings file that counts.
	lines := strings.SplitAfter(string(closed), "\n")
	at := list[1].BlockLine - 1
	if !strings.Contains(lines[at], `"onFailure": "block"`) {
		t.Errorf("line %d is %q", at+1, lines[at])
	}
	if got := strings.Join(slices.Delete(lines, at, at+1), ""); got != string(open) {
		t.Errorf("without that line (-want +got):\n%s", cmp.Diff(string(open), got))
	}
	if there := plan(t, open, blocking); string(there) != string(closed) {
		t.Errorf("from open to closed (-want +got):\n%s", cmp.Diff(string(closed), string(there)))
	}
	if back := plan(t, closed, going); string(back) != string(open) {
		t.Errorf("from closed to open (-want +got):\n%s", cmp.Diff(string(open), string(back)))
	}
	if kept := plan(t, closed, want); string(kept) != string(closed) {
		t.Errorf("no opinion (-want +got):\n%s", cmp.Diff(string(closed), string(kept)))
	}
	// Whatever the order and the layout of the members are, what comes out is a settings file.
	for _, members := range []string{
		`"type":"command","command":"/old/moai","args":["hook","pre-tool"],"onFailure":"block"`,
		`"onFailure":"block","type":"command","args":["hook","pre-tool"],"command":"/old/moai"`,
		`"type":"command","onFailure":"continue","command":"/old/moai hook pre-tool"`,
		`"type":"command","command":"/old/moai hook pre-tool","timeout":3,"onFailure":7`,
		`"type":"command","args":["hook","pre-tool"],"onFailure":"block","command":"moai"`,
		`"type":"command","command":"moai","args":["hook","x"],"args2":1,"onFailure":"block"`,
	} {
		for _, sep := range []string{",", ",\n    ", " , "} {
			old := `{"hooks":{"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{` + strings.ReplaceAll(members, `,"`, sep+`"`) + `}]}]}}`
			for name, w := range map[string]Registration{
				"want": want, "blocking": blocking, "going": going, "shared": shared,
				"shared and going": {Portable: true, Hooks: []Hook{{Event: "PreToolUse", Args: []string{"hook", "pre-tool"}, Timeout: 4, Failure: Continue}}},
			} {
				got := plan(t, []byte(old), w)
				if !json.Valid(got) {
					t.Errorf("%s of %s is no JSON:\n%s", name, old, got)
				}
				list, err := Entries(got)
				i := slices.IndexFunc(list, func(e Entry) bool { return e.Event == "PreToolUse" })
				if err != nil || i < 0 || name == "blocking" && !list[i].Blocks || strings.HasSuffix(name, "going") && list[i].Blocks || strings.HasPrefix(name, "shared") != list[i].ByName {
					t.Errorf("%s of %s: %+v, %v\n%s", name, old, list, err, got)
				}
			}
		}
	}
}

// A matcher grows by names, and one that is wider than wanted stays: another project may want more.
func TestWidened(t *testing.T) {
	const base = "^(Bash|Write|mcp__.*)$"
	for _, c := range []struct {
		matcher string
		names   []string
		want    string
	}{
		{base, nil, base},
		{base, []string{"Bash", "mcp__x__*"}, base},
		{base, []string{"Skill", "Skill", "Cron*", "a.b?"}, `^(Bash|Write|mcp__.*|Skill|Cron.*|a\.b.)$`},
		{base, []string{"*"}, ""},
		{"Write|Edit", []string{"Skill"}, "^(Write|Edit|Skill)$"},
		{"", []string{"Skill"}, ""},
	} {
		if got := Widened(c.matcher, c.names); got != c.want {
			t.Errorf("Widened(%q, %q) = %q, want %q", c.matcher, c.names, got, c.want)
		}
	}
	for _, c := range []struct {
		have, want string
		covers     bool
	}{
		{base, base, true},
		{"", base, true},
		{"*", base, true},
		{"^(Skill|mcp__.*|Write|Bash)$", base, true},
		{"Write|Edit|Bash", "Edit|Write", true},
		{"Write|Edit", base, false},
		{base, "", false},
		{"^(Bash)?$", "Bash", false},
		{".*", base, false},
	} {
		if got := covers(c.have, c.want); got != c.covers {
			t.Errorf("covers(%q, %q) = %v, want %v", c.have, c.want, got, c.covers)
		}
	}
}
