package wire

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/hook"
)

func decode(t *testing.T, in string, change ...func(*Asked)) (*hook.Event, error) {
	t.Helper()
	a := Asked{Getenv: func(string) string { return "" }, Getwd: func() (string, error) { return filepath.FromSlash("/srv/app"), nil }}
	for _, c := range change {
		c(&a)
	}
	return Decode(rules(t), strings.NewReader(in), a)
}

func verb(v string) func(*Asked)    { return func(a *Asked) { a.Verb = v } }
func dialect(d string) func(*Asked) { return func(a *Asked) { a.Dialect = d } }

func TestWhichEvent(t *testing.T) {
	for _, c := range []struct {
		in, verb, want string
		known          bool
	}{
		{`{"hook_event_name":"PreToolUse"}`, "", "PreToolUse", true},
		{`{"hook_event_name":"PreToolUse"}`, "post-tool", "PreToolUse", true}, // the client knows better than the settings
		{`{}`, "pre-tool", "PreToolUse", true},
		{``, "compact", "PreCompact", true},
		{``, "subagent", "SubagentStop", true},
		{`{"hook_event_name":17}`, "stop", "Stop", true},
		{`{"hook_event_name":"Brand New"}`, "", "Brand New", false},
		{`{"hook_event_name":"BeforeTool"}`, "pre-tool", "PreToolUse", true}, // a guard stays a guard under a new name
		{``, "brand-new", "brand-new", false},
		{`{"hook_type":"pre_tool_use"}`, "", "PreToolUse", true},
		{`{"eventType":"STOP","payload":{}}`, "", "Stop", true},
	} {
		e, err := decode(t, c.in, verb(c.verb))
		if err != nil || e.Name != c.want || e.Known != c.known {
			t.Errorf("Decode(%s, %q) = %v, %v, want %s", c.in, c.verb, e, err, c.want)
		}
	}
	for _, in := range []string{``, `{}`, `null`, `{"hook_event_name":""}`, `{"cwd":"/x"}`} {
		if _, err := decode(t, in); !errors.Is(err, ErrNoEvent) {
			t.Errorf("Decode(%s) = %v, want ErrNoEvent", in, err)
		}
	}
}

// TestTheWordDecides: where clients name the event on the command line, that one counts; elsewhere the input's.
func TestTheWordDecides(t *testing.T) {
	for _, c := range []struct{ in, verb, want string }{
		{`{"event":"Stop","toolName":"Bash"}`, "PreToolUse", "PreToolUse"},
		{`{"event":"Stop"}`, "", "Stop"},
		{`{"event":"PreToolUse"}`, "brand-new", "PreToolUse"}, // a guard stays a guard
		{`{"event":"brand-new"}`, "newer", "newer"},
		{`{"hook_event_name":"Stop","event":"SessionEnd"}`, "PreToolUse", "Stop"},
		{`{"hook_type":"stop"}`, "pre-tool-use", "Stop"},
	} {
		e, err := decode(t, c.in, verb(c.verb))
		if err != nil || e.Name != c.want {
			t.Errorf("Decode(%s, %q) = %v, %v, want %s", c.in, c.verb, e, err, c.want)
		}
	}
}

func TestWhichDialect(t *testing.T) {
	for _, c := range []struct{ in, flag, want string }{
		{`{"hook_event_name":"Stop","payload":1,"toolName":"x"}`, "", hook.Claude},
		{`{"hook_type":"stop"}`, "", hook.Pal},
		{`{"eventType":"Stop","payload":{}}`, "", hook.Alfred},
		{`{"toolName":"Bash"}`, "", hook.Moai03},
		{`{"userPrompt":"x"}`, "", hook.Moai03},
		{`{"event":"Stop"}`, "", hook.Moai03},
		{`{"hook_event_name":"FileChanged","event":"add"}`, "", hook.Claude},
		{`{"cwd":"."}`, "", hook.Claude},
		{``, "", hook.Claude},
		{`{"hook_event_name":"Stop"}`, hook.Compiled, hook.Compiled},
		{`{"hook_event_name":"Stop"}`, hook.Pal, hook.Pal},
		{``, hook.Alfred, hook.Alfred},
	} {
		e, err := decode(t, c.in, verb("stop"), dialect(c.flag))
		if err != nil || e.Dialect != c.want {
			t.Errorf("Decode(%s, --dialect %q) = %v, %v, want %s", c.in, c.flag, e, err, c.want)
		}
	}
	if _, err := decode(t, `{}`, verb("stop"), dialect("klingon")); err == nil || !strings.Contains(err.Error(), `"klingon"; there are claude, pal`) {
		t.Errorf("unknown dialect: %v", err)
	}
}

func TestMissingFieldsAreFilledIn(t *testing.T) {
	env := func(a *Asked) {
		a.Getenv = func(name string) string {
			return map[string]string{"CLAUDE_PROJECT_DIR": "/srv/root", "CLAUDE_CODE_SESSION_ID": "s1"}[name]
		}
	}
	wd := filepath.FromSlash("/srv/app")
	for _, c := range []struct {
		in                    string
		change                func(*Asked)
		session, cwd, project string
	}{
		{`{}`, env, "s1", wd, "/srv/root"},
		{`{}`, func(*Asked) {}, "", wd, wd},
		{`{"session_id":"s2","cwd":"/home/dev","project_dir":"/home"}`, env, "s2", "/home/dev", "/home"},
		{`{"session_id":2,"cwd":["x"],"project_dir":null}`, env, "s1", wd, "/srv/root"},
		{`{"cwd":"."}`, func(*Asked) {}, "", wd, wd},
		{`{"cwd":"sub/한"}`, func(*Asked) {}, "", filepath.Join(wd, "sub/한"), filepath.Join(wd, "sub/한")},
		{`{"cwd":"x\u0000y"}`, env, "s1", "x\x00y", "/srv/root"},
		{`{"cwd":"rel"}`, func(a *Asked) { a.Getwd = func() (string, error) { return "", os.ErrNotExist } }, "", "rel", "rel"},
	} {
		e, err := decode(t, c.in, verb("stop"), c.change)
		if err != nil || e.SessionID != c.session || e.CWD != c.cwd || e.ProjectDir != c.project {
			t.Errorf("Decode(%s) = %q %q %q, %v, want %q %q %q", c.in, e.SessionID, e.CWD, e.ProjectDir, err, c.session, c.cwd, c.project)
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, in string
		ok       bool
	}{
		{"byte order mark", "\ufeff" + `{"hook_event_name":"Stop"}`, true},
		{"CRLF", "{\r\n\"hook_event_name\":\r\n\"Stop\"}\r\n", true},
		{"blanks only", " \r\n\t", true},
		{"mark only", "\ufeff", true},
		{"null", "null", true},
		{"invalid UTF-8", "{\"hook_event_name\":\"Stop\",\"session_id\":\"\xff\xfe한\xed\xa0\x80\"}", true},
		{"half a pair", `{"hook_event_name":"Stop","session_id":"\ud800"}`, true},
		{"unknown fields", `{"hook_event_name":"Stop","x":{"y":[1,{"z":null}]}}`, true},
		{"not closed", `{"hook_event_name":"Stop"`, false},
		{"list", `[{"hook_event_name":"Stop"}]`, false},
		{"text", `hello`, false},
		{"number", `17`, false},
		{"two objects", `{"hook_event_name":"Stop"}{}`, false},
		{"UTF-16", "{\x00\"\x00}\x00", false},
		{"deep", `{"a":` + strings.Repeat("[", 1<<20), false},
	} {
		e, err := decode(t, c.in, verb("stop"))
		if c.ok != (err == nil) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err != nil {
			if !errors.Is(err, hook.ErrInput) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
				t.Errorf("%s: error %q", c.name, err)
			}
			continue
		}
		if e.Name != "Stop" || !utf8.ValidString(e.SessionID) || !utf8.ValidString(string(e.Input)) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

func TestReadersThatMisbehave(t *testing.T) {
	in := `{"hook_event_name":"Stop","session_id":"` + strings.Repeat("한", 5000) + `"}`
	for name, r := range map[string]io.Reader{
		"byte by byte":         iotest.OneByteReader(strings.NewReader(in)),
		"data with the end":    iotest.DataErrReader(strings.NewReader(in)),
		"broken after the end": io.MultiReader(strings.NewReader(in), iotest.ErrReader(os.ErrClosed)),
	} {
		e, err := Decode(rules(t), r, Asked{Getenv: os.Getenv, Getwd: os.Getwd})
		if err != nil || len(e.SessionID) != 15000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A client that does not close the pipe, and writes in two parts, the first of which ends in a brace.
	r, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, `{"tool_input":{}`)
		_, _ = io.WriteString(w, `,"hook_event_name":"PreToolUse"}`+"\n")
	}()
	if e, err := Decode(rules(t), r, Asked{Getenv: os.Getenv, Getwd: os.Getwd}); err != nil || e.Name != "PreToolUse" {
		t.Errorf("open pipe: %v, %v", e, err)
	}
	// The same with the content of a large file, in many parts.
	r, w = io.Pipe()
	go func() {
		_, _ = io.WriteString(w, "\ufeff\n"+`{"tool_input":{"content":"`)
		for range 40 {
			_, _ = io.WriteString(w, strings.Repeat(`x}\"\\`, 1<<10))
		}
		_, _ = io.WriteString(w, `"},"hook_event_name":"PreToolUse"}`+"\r\n")
	}()
	done := make(chan string)
	go func() {
		e, err := Decode(rules(t), r, Asked{Getenv: os.Getenv, Getwd: os.Getwd})
		if err != nil {
			done <- err.Error()
			return
		}
		done <- e.Name
	}()
	select {
	case got := <-done:
		if got != "PreToolUse" {
			t.Errorf("open pipe with a large object: %s", got)
		}
	case <-time.After(20 * time.Second):
		t.Error("open pipe with a large object: the end of the pipe is waited for")
		w.Close()
	}
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	if e, err := Decode(rules(t), closed, Asked{Verb: "stop", Getenv: os.Getenv, Getwd: os.Getwd}); err != nil || e.Name != "Stop" {
		t.Errorf("closed stdin: %v, %v", e, err)
	}
}

// endless is input that never ends.
type endless struct{ n int }

func (r *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	r.n += len(p)
	return len(p), nil
}

func TestHugeInput(t *testing.T) {
	tables := rules(t)
	a := Asked{Verb: "post-tool", Getenv: os.Getenv, Getwd: os.Getwd}
	head, tail := `{"tool_name":"Edit","tool_response":"`, `"}`
	fits := head + strings.Repeat("x", Limit-len(head)-len(tail)) + tail
	if e, err := Decode(tables, strings.NewReader(fits), a); err != nil || e.ToolName != "Edit" {
		t.Errorf("input of %d bytes: %v", len(fits), err)
	}
	if e, err := Decode(tables, strings.NewReader(" "+fits), a); e == nil || e.Name != "PostToolUse" || e.ToolName != "Edit" || !errors.Is(err, hook.ErrInput) || !errors.Is(err, hook.ErrLarge) || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("input of %d bytes: %v", len(fits)+1, err)
	}

	fits = ""
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := new(endless)
	if _, err := Decode(tables, r, a); !errors.Is(err, hook.ErrInput) {
		t.Errorf("endless input: %v", err)
	}
	runtime.ReadMemStats(&after)
	if r.n > Limit+1 {
		t.Errorf("read %d bytes of endless input", r.n)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 3*Limit {
		t.Errorf("allocated %d MiB for endless input", got>>20)
	}
}

func TestAlfredReadsTheEnvelopeToo(t *testing.T) {
	e, err := decode(t, `{"eventType":"PreToolUse","cwd":"/outer","toolName":"Outer","payload":{"toolName":"Bash","toolArgs":{"command":"ls"}}}`)
	if err != nil || e.ToolName != "Bash" || e.CWD != "/outer" || e.Raw("tool_input").Get("command").Text() != "ls" {
		t.Errorf("Decode = %+v, %v", e, err)
	}
	if e, err = decode(t, `{"eventType":"PreToolUse","payload":"nonsense"}`); err != nil || e.Name != "PreToolUse" {
		t.Errorf("payload of the wrong type: %v, %v", e, err)
	}
}

// The names of one dialect mean nothing in another.
func TestForeignNamesStay(t *testing.T) {
	e, err := decode(t, `{"hook_event_name":"PreToolUse","toolName":"Bash","tool_output":"x"}`)
	if err != nil || e.ToolName != "" || e.Raw("tool_response") != "" || e.Text("toolName") != "Bash" {
		t.Errorf("Decode = %+v, %v", e, err)
	}
}

// A folder's name may come with a slash at its end, or with a dot: it is the same project.
func TestFoldersAreClean(t *testing.T) {
	for cwd, want := range map[string]string{"/srv/app/": "/srv/app", "/srv/./app": "/srv/app", "/srv/app": "/srv/app", "./": "/srv/app", "/": "/"} {
		if runtime.GOOS == "windows" {
			break // there /srv is not absolute, and left as it is
		}
		e, err := decode(t, `{"hook_event_name":"PreToolUse","cwd":"`+cwd+`","project_dir":"`+cwd+`"}`)
		if err != nil || e.CWD != want || e.ProjectDir != want {
			t.Errorf("cwd %s: %q and %q, %v; want %s", cwd, e.CWD, e.ProjectDir, err, want)
		}
	}
}

// A tool's input that comes as a text of JSON is the object in it; any other text stays what it is.
func TestDecodeFoldedInput(t *testing.T) {
	for _, tt := range []struct{ in, command string }{
		{`{"tool_name":"Bash","tool_input":"{\"command\":\"rm -rf /\"}"}`, "rm -rf /"},
		{`{"toolName":"bash","toolArgs":" {\"command\":\"rm -rf /\"}\n"}`, "rm -rf /"},
		{`{"tool_name":"Bash","tool_input":"{\"command\":"}`, ""},
		{`{"tool_name":"Bash","tool_input":"[1]"}`, ""},
		{`{"tool_name":"Bash","tool_input":"rm -rf /"}`, ""},
	} {
		e, err := decode(t, tt.in, verb("pre-tool"))
		if err != nil {
			t.Errorf("Decode(%s): %v", tt.in, err)
			continue
		}
		if got := e.Raw("tool_input").Get("command").Text(); got != tt.command {
			t.Errorf("Decode(%s) has the command %q, want %q", tt.in, got, tt.command)
		}
	}
}
