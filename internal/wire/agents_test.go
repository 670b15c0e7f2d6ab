package wire

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

// recorded hands on the recorded payloads of an agent. Their names begin with that of the event, in the agent's spelling.
func recorded(t *testing.T, agent string, each func(name, event string, data []byte)) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/payload/" + agent + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no payloads of %s: %v", agent, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		kit.Must(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		event, _, _ := strings.Cut(name, "-")
		if hook.Value(strings.TrimSpace(string(data))).Get("hook_event_name").Text() != "" {
			event = "" // it says so itself
		}
		each(name, event, data)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "agents", name)
	if *update {
		kit.Write(t, file, string(got))
	}
	want, err := os.ReadFile(file)
	kit.Must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// driven are the agents whose payloads there are.
var driven = []string{hook.Codex, hook.Copilot, hook.Cursor, hook.Gemini, "opencode", "qwen"}

// TestPayloadsOfAgents reads every payload that an agent was seen to send, with the words of the registered command and without.
func TestPayloadsOfAgents(t *testing.T) {
	for _, agent := range driven {
		var b bytes.Buffer
		recorded(t, agent, func(name, event string, data []byte) {
			e, err := decode(t, string(data), dialect(agent), verb(event))
			if err != nil {
				t.Errorf("%s/%s: %v", agent, name, err)
				return
			}
			fmt.Fprintf(&b, "%s: %s", name, e.Name)
			if !e.Known {
				fmt.Fprint(&b, " (unknown)")
			}
			if e.ToolName != "" {
				fmt.Fprintf(&b, " %s in %s %s", e.ToolName, filepath.ToSlash(e.CWD), e.Raw("tool_input"))
			}
			if e.Mute {
				fmt.Fprint(&b, " mute")
			}
			b.WriteByte('\n')
			if e.SessionID == "" && e.Known {
				t.Errorf("%s/%s: no session", agent, name)
			}
			if want := filepath.FromSlash("/home/dev/project"); e.ProjectDir != want {
				t.Errorf("%s/%s: project %q", agent, name, e.ProjectDir)
			}
			// Recognised by its shape: only what nothing is done for may be taken for another's.
			if e, err := decode(t, string(data), verb(event)); err == nil && e.Known && e.Dialect != agent && e.Name != "SessionEnd" {
				t.Errorf("%s/%s is taken for %s", agent, name, e.Dialect)
			}
		})
		golden(t, agent+".events", b.Bytes())
	}
}

// TestClaudesPayloadsAreClaudes: the shapes of others fit none of what Claude Code sends.
func TestClaudesPayloadsAreClaudes(t *testing.T) {
	recorded(t, hook.Claude, func(name, event string, data []byte) {
		if e, err := decode(t, string(data), verb(event)); err == nil && (e.Dialect != hook.Claude || e.Doubt) {
			t.Errorf("%s: %s, doubt %v", name, e.Dialect, e.Doubt)
		}
	})
}

// sayings are what handlers come to.
var sayings = []struct {
	name   string
	answer hook.Answer
}{
	{"nothing", hook.Answer{}},
	{"deny", hook.Answer{Decision: hook.Deny, Reason: "moai stopped: fs.delete-home"}},
	{"deny-bare", hook.Answer{Decision: hook.Deny}},
	{"ask", hook.Answer{Decision: hook.Ask, Reason: "moai asks first: git.push-force\n  a person can answer it beforehand: moai risk allow git.push-force --once --reason WHY"}},
	{"snapshot", hook.Answer{System: "moai: snapshot checkpoint/a (1 changed) before: git reset --hard\n  bring it back: moai checkpoint restore a --refs"}},
	{"context", hook.Answer{Context: []string{"The project is in Go."}}},
	{"all", hook.Answer{Decision: hook.Block, Reason: "stop", System: "for the user", Context: []string{"for the model"}, Suggestions: []string{"rm -r build"}, Stop: true, StopReason: "enough", Special: map[string]any{"sessionTitle": "x", "foreign": 1}}},
}

func TestAnswersToAgents(t *testing.T) {
	tables := rules(t)
	for i := range tables.Adapters {
		a := &tables.Adapters[i]
		var b bytes.Buffer
		for j := range a.Asks {
			for _, s := range sayings {
				e := &hook.Event{Name: a.Asks[j].Name, Said: a.Asks[j].As[0], Known: true, Dialect: a.Name}
				out := Encode(tables, e, s.answer)
				fmt.Fprintf(&b, "%s %s: exit %d\n", e.Said, s.name, out.Exit)
				for _, stream := range []struct {
					name string
					text []byte
				}{{"out", out.Stdout}, {"err", out.Stderr}, {"unheard", out.Unheard}} {
					for line := range strings.Lines(string(stream.text)) {
						fmt.Fprintf(&b, "  %s: %s\n", stream.name, strings.TrimSuffix(line, "\n"))
					}
				}
			}
		}
		golden(t, a.Name+".answers", b.Bytes())
	}
}

// TestWhatIsDeniedIsStopped holds the answers to what each agent makes of them: what is denied never runs, what is asked is asked or does not run, and
// with nothing to say the call goes on; also where nobody reads standard output.
func TestWhatIsDeniedIsStopped(t *testing.T) {
	tables := rules(t)
	for i := range tables.Adapters {
		a := &tables.Adapters[i]
		read := func(asks *rule.Asks, out Output) Fate { return Read(a, asks, out) }
		for j := range a.Asks {
			asks := &a.Asks[j]
			if asks.Name != "PreToolUse" {
				continue
			}
			for _, s := range sayings {
				want := Runs
				switch {
				case s.answer.Decision.Refuses() || s.answer.Decision == hook.Ask && !asks.Ask:
					want = Stopped
				case s.answer.Decision == hook.Ask:
					want = Put
				}
				e := &hook.Event{Name: asks.Name, Said: asks.As[0], Known: true, Dialect: a.Name}
				out := Encode(tables, e, s.answer)
				if got := read(asks, out); got != want {
					t.Errorf("%s, %s, %s: %s, want %s\n%+v", a.Name, asks.As[0], s.name, got, want, out)
				}
				if want == Runs || a.Name == hook.Cursor {
					continue
				}
				if got := read(asks, out.Unwritten(os.ErrClosed)); out.Exit != exitRefused && got == Runs {
					t.Errorf("%s, %s, %s with a closed standard output: runs", a.Name, asks.As[0], s.name)
				}
			}
		}
	}
}

// TestDoubtIsReadByAll: a refusal to a payload that tells nothing of who asks stops every agent.
func TestDoubtIsReadByAll(t *testing.T) {
	tables := rules(t)
	e, err := decode(t, `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~"}}`, verb("pre-tool"))
	if err != nil || !e.Doubt {
		t.Fatalf("%+v, %v", e, err)
	}
	out := Encode(tables, e, hook.Answer{Decision: hook.Deny, Reason: "no"})
	for i := range tables.Adapters {
		a := &tables.Adapters[i]
		if a.Codec == hook.Generic { // written for moai: --dialect, and exit code 2
			continue
		}
		if got := Read(a, &rule.Asks{Name: "PreToolUse", Refuse: rule.RefusePermission}, out); got != Stopped {
			t.Errorf("%s: %s\n%s", a.Name, got, out.Stdout)
		}
	}
	if err := Validate(tables.Event("PreToolUse"), out); err != nil {
		t.Errorf("Claude Code: %v", err)
	}
}

// TestVariablesComeLast: an agent's variables count where the payload is nobody's and no other agent's are set, since agents start each other.
func TestVariablesComeLast(t *testing.T) {
	set := func(names ...string) func(*Asked) {
		return func(a *Asked) {
			a.Getenv = func(name string) string {
				if slices.Contains(names, name) {
					return "1"
				}
				return ""
			}
		}
	}
	for _, c := range []struct {
		in, want string
		with     func(*Asked)
	}{
		{``, hook.Copilot, set("COPILOT_HOOK_DIR")},
		{``, hook.Claude, set("COPILOT_HOOK_DIR", "CURSOR_VERSION")},
		{`{"hook_event_name":"PreToolUse","transcript_path":"/x","permission_mode":"default"}`, hook.Claude, set("COPILOT_HOOK_DIR")},
		{`{"hook_event_name":"beforeShellExecution","cursor_version":"3"}`, hook.Cursor, set("GEMINI_SESSION_ID")},
	} {
		e, err := decode(t, c.in, verb("pre-tool"), c.with)
		if err != nil || e.Dialect != c.want {
			t.Errorf("%s: %v, %v, want %s", c.in, e, err, c.want)
		}
	}
}

// TestShapesOfInput: paths, folders, texts of JSON, bare texts and servers' tools end in the form that rules are written for.
func TestShapesOfInput(t *testing.T) {
	for _, c := range []struct{ agent, verb, in, tool, cwd, input string }{
		{"gemini", "", `{"hook_event_name":"BeforeTool","cwd":"/srv/app","tool_name":"run_shell_command","tool_input":{"command":"rm -rf .","dir_path":".."}}`, "Bash", "/srv", `{"command":"rm -rf .","dir_path":".."}`},
		{"gemini", "", `{"hook_event_name":"BeforeTool","cwd":"/srv/app","tool_name":"mcp_a_b_c","tool_input":{},"mcp_context":{"server_name":"a_b","tool_name":"c"}}`, "mcp__a_b__c", "/srv/app", `{}`},
		{"gemini", "", `{"hook_event_name":"BeforeTool","cwd":"/srv/app","tool_name":"write_file","tool_input":{"file_path":"../.bashrc","content":"x"}}`, "Write", "/srv/app", `{"file_path":"/srv/.bashrc","content":"x"}`},
		{"copilot", "pre-tool", `{"sessionId":"1","cwd":"/srv/app","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`, "Bash", "/srv/app", `{"command":"ls"}`},
		{"copilot", "pre-tool", `{"sessionId":"1","cwd":"/srv/app","toolName":"edit","toolArgs":{"path":"a","old_str":"x","new_str":"y"}}`, "Edit", "/srv/app", `{"file_path":"/srv/app/a","old_string":"x","new_string":"y"}`},
		{"copilot", "PreToolUse", `{"cwd":"/srv/app","tool_name":"Edit","tool_input":"*** Begin Patch\n"}`, "apply_patch", "/srv/app", `{"command":"*** Begin Patch\n"}`},
		{"copilot", "pre-tool", `{"cwd":"/srv/app","toolName":"lab-echo","toolArgs":{}}`, "mcp__lab__echo", "/srv/app", `{}`},
		{"cursor", "", `{"hook_event_name":"beforeMCPExecution","workspace_roots":["/srv/app"],"tool_name":"query","tool_input":"{\"sql\":\"drop table a\"}","command":"npx x"}`, "mcp__cursor__query", "/srv/app", `{"sql":"drop table a"}`},
		{"cursor", "", `{"hook_event_name":"beforeReadFile","workspace_roots":["/srv/app"],"file_path":".env","content":"A=1"}`, "Read", "/srv/app", `{"file_path":"/srv/app/.env"}`},
		{"opencode", "", `{"hook_event_name":"tool.execute.before","cwd":"/srv/app","tool_name":"bash","tool_input":{"command":"ls","workdir":"sub"}}`, "Bash", "/srv/app/sub", `{"command":"ls","workdir":"sub"}`},
		{"opencode", "", `{"hook_event_name":"tool.execute.before","cwd":"/srv/app","tool_name":"apply_patch","tool_input":{"patchText":"*** Begin Patch"}}`, "apply_patch", "/srv/app", `{"command":"*** Begin Patch"}`},
		{"generic", "", `{"command":"ls","cwd":"/srv/app"}`, "Bash", "/srv/app", `{"command":"ls"}`},
		{"generic", "", `{"tool":"shell","command":"ls","cwd":"/srv/app"}`, "Bash", "/srv/app", `{"command":"ls"}`},
		{"generic", "", `{"tool":"Write","input":{"file_path":"a","content":""},"cwd":"/srv/app"}`, "Write", "/srv/app", `{"file_path":"a","content":""}`},
		{"generic", "", `{}`, "", "/srv/app", ``},
		// A text, or words, for a tool that runs commands are a command and no patch, whatever is in them.
		{"codex", "PreToolUse", `{"cwd":"/srv/app","tool_name":"Bash","tool_input":"rm -rf ~ # *** Begin Patch"}`, "Bash", "/srv/app", `{"command":"rm -rf ~ # *** Begin Patch"}`},
		{"codex", "PreToolUse", `{"cwd":"/srv/app","tool_name":"Bash","tool_input":"*** Begin Patch\n"}`, "Bash", "/srv/app", `{"command":"*** Begin Patch\n"}`},
		{"copilot", "pre-tool", `{"sessionId":"1","cwd":"/srv/app","toolName":"bash","toolArgs":"rm -rf ~"}`, "Bash", "/srv/app", `{"command":"rm -rf ~"}`},
		{"opencode", "", `{"hook_event_name":"tool.execute.before","cwd":"/srv/app","tool_name":"bash","tool_input":"rm -rf ~"}`, "Bash", "/srv/app", `{"command":"rm -rf ~"}`},
		{"gemini", "", `{"hook_event_name":"BeforeTool","cwd":"/srv/app","tool_name":"run_shell_command","tool_input":"rm -rf ~"}`, "Bash", "/srv/app", `{"command":"rm -rf ~"}`},
		{"generic", "", `{"tool":"sh","input":["rm","-rf","/"],"cwd":"/srv/app"}`, "Bash", "/srv/app", `{"command":["rm","-rf","/"]}`},
		{"generic", "", `{"tool":"patch","input":"\n*** Begin Patch","cwd":"/srv/app"}`, "apply_patch", "/srv/app", `{"command":"\n*** Begin Patch"}`},
		// An input that moai cannot read is passed on as it is, so that the guard reports it as not judged.
		{"codex", "PreToolUse", `{"cwd":"/srv/app","tool_name":"Write","tool_input":"rm -rf ~"}`, "Write", "/srv/app", `"rm -rf ~"`},
		{"generic", "", `{"tool":"deploy","input":"rm -rf ~","cwd":"/srv/app"}`, "deploy", "/srv/app", `"rm -rf ~"`},
	} {
		e, err := decode(t, c.in, dialect(c.agent), verb(c.verb))
		if err != nil || e.ToolName != c.tool || filepath.ToSlash(e.CWD) != c.cwd || filepath.ToSlash(string(e.Raw("tool_input"))) != c.input {
			t.Errorf("%s %s:\n%v %v\n%s %s %s", c.agent, c.in, err, e.Name, e.ToolName, e.CWD, e.Raw("tool_input"))
		}
	}
}

// TestGenericSchema: the schema names what is read and written, and nothing else.
func TestGenericSchema(t *testing.T) {
	schema, err := hook.Parse(GenericSchema)
	kit.Must(t, err)
	defs := schema.Get("$defs")
	var read []string
	for name := range defs.Get("question").Get("properties").Members() {
		read = append(read, name)
	}
	a := rules(t).Adapter(hook.Generic)
	want := []string{"command", "cwd", a.Event, "prompt"}
	for _, f := range a.Fields {
		want = append(want, f.From...)
	}
	slices.Sort(read)
	slices.Sort(want)
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("what is read (-rules +schema):\n%s", diff)
	}
	var events []string
	for v := range defs.Get("question").Get("properties").Get("event").Get("enum").Items() {
		events = append(events, v.Text())
	}
	for _, asks := range a.Asks {
		if !slices.Contains(events, asks.As[0]) {
			t.Errorf("no event %s in the schema", asks.As[0])
		}
	}
	if len(events) != len(a.Asks) {
		t.Errorf("events: %v", events)
	}
	out := generic(saying{asked: true, reason: "r", restore: "x", context: "c", tell: "t"})
	written, known := 0, defs.Get("answer").Get("properties")
	for name := range whole(out.Stdout).Members() {
		if written++; known.Get(name) == "" {
			t.Errorf("%s is written and not in the schema", name)
		}
	}
	for name := range known.Members() {
		if written--; whole(out.Stdout).Get(name) == "" {
			t.Errorf("%s is in the schema and not written", name)
		}
	}
	if written != 0 {
		t.Errorf("written %d more than the schema has", written)
	}
}

// TestFailureOfAgents: a failure that is to let the call go on does so in each agent, and one that is not stops it.
func TestFailureOfAgents(t *testing.T) {
	tables := rules(t)
	for i := range tables.Adapters {
		a := &tables.Adapters[i]
		for j := range a.Asks {
			asks := &a.Asks[j]
			if asks.Name != "PreToolUse" {
				continue
			}
			out := Failed(tables, &hook.Event{Name: asks.Name, Said: asks.As[0], Known: true, Dialect: a.Name}, os.ErrDeadlineExceeded)
			if got := Read(a, asks, out); got != Runs {
				t.Errorf("%s, %s: %s\n%s", a.Name, asks.As[0], got, out.Stdout)
			}
			if !strings.Contains(string(out.Stdout)+string(out.Stderr), "timeout") {
				t.Errorf("%s, %s: nobody is told: %+v", a.Name, asks.As[0], out)
			}
		}
	}
}
