package rule

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

func TestLoadEvents(t *testing.T) {
	p, err := LoadEvents(os.DirFS("../.."))
	kit.Must(t, err)
	if got := len(p.Events); got != 33 {
		t.Errorf("%d events, want the 33 of the client", got)
	}
	specific := 0
	for _, e := range p.Events {
		if e.Answer.Specific {
			specific++
		}
		if soft, hard := e.Budget(); soft <= 0 || hard > 2*time.Second {
			t.Errorf("%s: budget %v, %v", e.Name, soft, hard)
		}
	}
	if specific != 22 {
		t.Errorf("%d events take hookSpecificOutput, want 22", specific)
	}
}

// broken is the real events folder with one file replaced.
func broken(t *testing.T, file, text string) fs.FS {
	t.Helper()
	m := fstest.MapFS{}
	names, err := Files(os.DirFS("../.."), "events")
	kit.Must(t, err)
	for _, name := range append(names, file) {
		data, err := os.ReadFile("../../" + name)
		if err != nil && name != file {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: data}
	}
	m[file] = &fstest.MapFile{Data: []byte(text)}
	return m
}

const setupEvent = `name        = "Setup"
description = "x"
verb        = "setup"
[answer]
context = "none"
refuse  = "none"
exit2   = "shown"
[budget]
soft_ms = 1
hard_ms = 1000
`

const turnRules = `begins = "UserPromptSubmit"
[[end]]
event = "Stop"
how   = "done"
why   = "x"
`

const aroundRules = `[[client]]
name      = "a"
variables = ["A"]
processes = ["a"]
source    = "x"
[host]
programs = ["a"]
why      = "x"
[lender]
programs = ["a"]
why      = "x"
`

func TestEventProblems(t *testing.T) {
	const setup = "rules/events/Setup.toml"
	change := func(old, new string) string { return strings.Replace(setupEvent, old, new, 1) }
	for _, c := range []struct{ file, text, want string }{
		{setup, setupEvent, ""},
		{setup, setupEvent + "[answers]\n", `rules/events/Setup.toml:11: unknown key "answers"`},
		{setup, "name = ", "rules/events/Setup.toml:1: "},
		{setup, change(`"Setup"`, `"Stop"`), `Setup.toml:1: Stop: name = "Stop", but the file is named Setup.toml`},
		{setup, change(`"setup"`, `""`), "an event needs description and verb"},
		{setup, change(`"setup"`, `"pre_compact"`), `"pre_compact" is also a spelling of PreCompact`},
		{setup, change(`"shown"`, `"boom"`), `answer.exit2 = "boom", want one of stops, feedback, shown, ignored`},
		{setup, change(`refuse  = "none"`, `refuse = "permission"`), "need specific = true"},
		{setup, change(`refuse  = "none"`, `refuse = "block"`), `needs "decision" in top`},
		{setup, change(`refuse  = "none"`, "refuse = \"none\"\nask = true"), "can ask"},
		{setup, change("soft_ms = 1", "soft_ms = 1001"), "want 0 < soft_ms <= hard_ms"},
		{setup, setupEvent + "[register]\ntimeout = 1\n", "the client would kill moai before it answers"},
		{setup, setupEvent + "[register]\ntimeout = 2\nmatcher = \"x\"\n", "tries no matcher"},
		{setup, change(`verb `, "matcher = \"nope\"\nverb "), `matcher = "nope" is no field of it`},
		{setup, setupEvent + "[[field]]\nname = \"a\"\ntype = \"text\"\n", "Setup.toml:11: Setup.a: a field needs name and text"},
		{setup, setupEvent + "[[field]]\nname = \"a\"\ntype = \"text\"\ntext = \"x\"\n", `type = "text", want one of string, bool`},
		{setup, setupEvent + strings.Repeat("[[field]]\nname = \"a\"\ntype = \"string\"\ntext = \"x\"\n", 2), "Setup.toml:15: Setup.a: is there twice"},
		{setup, setupEvent + "[[field]]\nname = \"a b\"\ntype = \"string\"\ntext = \"x\"\n", `Setup.toml:11: Setup.a b: name = "a b", want lower-case words`},
		{setup, setupEvent + "[[field]]\nname = \"session_id\"\ntype = \"string\"\ntext = \"x\"\n", "Setup.toml:11: Setup.session_id: comes with this event by _common.toml already"},
		{setup, setupEvent + "[[field]]\nname = \"prompt\"\ntype = \"int\"\ntext = \"x\"\n", "in another file"},
		{setup, setupEvent + "[[field]]\nname = \"a\"\ntype = \"string\"\ntext = \"x\"\nonly = [\"Stop\"]\n", "only and foreign are for fields of _common.toml"},
		{setup, setupEvent + "[[field]]\nname = \"a\"\ntype = \"string\"\ntext = \"x\"\n[[field.field]]\nname = \"b\"\ntype = \"int\"\ntext = \"x\"\n", "only objects have fields"},
		{setup, setupEvent + "[spelling]\nklingon = [\"x\"]\n", `no dialect "klingon" in _dialects.toml`},
		{"rules/events/_common.toml", "[[field]]\nname = \"x\"\ntype = \"string\"\ntext = \"y\"\nonly = [\"Nope\"]\n", `only: no event "Nope"`},
		{"rules/events/_turns.toml", "begins = \"Stop\"\n", "_turns.toml:1: turns: a turn needs begins and end"},
		{"rules/events/_turns.toml", turnRules + "[[end]]\nevent = \"Nope\"\nhow = \"x\"\nwhy = \"y\"\n", `turns: no event "Nope"`},
		{"rules/events/_turns.toml", turnRules + "[[end]]\nevent = \"Stop\"\nhow = \"x\"\nwhen = \"reason\"\nwhy = \"y\"\n", `turns.Stop: when = "reason" is no field of it that is true or false`},
		{"rules/events/_turns.toml", turnRules + "[[end]]\nevent = \"Stop\"\nwhy = \"y\"\n", "an end of a turn needs event, how and why"},
		{"rules/events/_turns.toml", turnRules + "[[machine]]\nbegins = \" \"\nwhy = \"y\"\n", "a prompt of a machine needs begins and why"},
		{"rules/events/_environment.toml", aroundRules + "[[terminal]]\nvariables = []\nwhy = \"y\"\n", "a terminal needs variables and why"},
		{"rules/events/_environment.toml", aroundRules + "[[terminal]]\nvariables = [\"a b\"]\nwhy = \"y\"\n", `"a b" is no name of a variable`},
		{"rules/events/_environment.toml", strings.Replace(aroundRules, "source", "pid = [\"a b\"]\nsource", 1), `"a b" is no name of a variable`},
		{"rules/events/_dialects.toml", "[[dialect]]\nname = \"claude\"\n", "_dialects.toml:1: claude: a dialect needs name, description and source"},
	} {
		_, err := LoadEvents(broken(t, c.file, c.text))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.file, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v, want %q", c.file, err, c.want)
		}
	}
	// One slip is one line: who names the event that could not be read is not to blame.
	if _, err := LoadEvents(broken(t, "rules/events/PreToolUse.toml", "name = 5\n")); err == nil || strings.Contains(err.Error(), "no event") {
		t.Errorf("an event that cannot be read = %v, want that alone", err)
	}
	if _, err := LoadEvents(fstest.MapFS{}); err == nil {
		t.Error("no events at all is no error")
	}
}

func TestJournalProblems(t *testing.T) {
	p, err := LoadEvents(os.DirFS("../.."))
	kit.Must(t, err)
	const bare = "[[type]]\nname = \"x\"\ntitle = \"X\"\nkorean = \"엑스\"\ndescription = \"x\"\nseverity = \"info\"\nsource = \"moai\"\n"
	const good = bare + "waits = \"ports\"\n"
	for _, c := range []struct{ text, want string }{
		{good, ""},
		{good + good, "j.toml:9: x: is there twice"},
		{strings.Replace(good, "info", "fatal", 1), `severity = "fatal", want info, warn or error`},
		{strings.Replace(good, "moai", "", 1), "needs name, title, korean, description and source"},
		{good + "shows = \"{y}\"\n", "shows: {y} is none of its fields"},
		{bare + "from = [\"Stop\"]\n", "from and summary belong together"},
		{bare + "from = [\"Nope\"]\nsummary = \"x\"\n", `no event "Nope"`},
		{bare + "from = [\"Stop\"]\nsummary = \"{prompt}\"\n", "{prompt} is in none of Stop"},
		{bare + "from = [\"Stop\"]\nsummary = \"x\"\n[[type.field]]\nname = \"prompt\"\ntype = \"string\"\ntext = \"x\"\n", "field prompt is in none of Stop"},
		{bare + "from = [\"Stop\"]\nsummary = \"x\"\n" + strings.Replace(bare, `"x"`, `"y"`, 1) + "from = [\"Stop\"]\nsummary = \"x\"\n", "Stop already leaves an entry x"},
		{good + "colour = 1\n", "j.toml:9: unknown key"},
		{bare, "want one of from, shown"},
		{good + "shown = [\"x\"]\n", "want one of from, shown"},
		{good + "[[command]]\ntype = \"y\"\nprograms = [\"p\"]\nhits = [\"p\", \"p x\"]\nmisses = [\"q\", \"q p\"]\n", "leaves an entry of this type, and there is none"},
		{good + "[[command]]\ntype = \"x\"\nhits = [\"p\", \"p x\"]\nmisses = [\"q\", \"q p\"]\n", "needs type and programs"},
		{good + "[[command]]\ntype = \"x\"\nprograms = [\"p\"]\n", "two hits and two misses"},
	} {
		_, err := LoadJournal(fstest.MapFS{"rules/journal/j.toml": {Data: []byte(c.text)}}, p)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v, want %q", c.text, err, c.want)
		}
	}
}

func TestAgentProblems(t *testing.T) {
	const good = "[[agent]]\nid = \"x\"\ndescription = \"x\"\nverifies = [\"code\"]\nsource = \"S3-07\"\n"
	for _, c := range []struct{ text, want string }{
		{good, ""},
		{good + good, `a.toml:6: x: "x" already means x`},
		{strings.Replace(good, "code", "soul", 1), `verifies: "soul", want code or plan`},
		{strings.Replace(good, `"x"`, `"X"`, 1), `"X" must be lower case`},
		{"[[agent]]\nid = \"x\"\n", "needs id, description, source and verifies"},
		{good + "prompt = \"x\"\n", "a definition needs tools and a prompt"},
		{"[[kind]]\nname = \"x\"\npaths = [\"a/**\"]\nneeds = \"code\"\n", ""},
		{"[[kind]]\nname = \"x\"\n", "a kind needs a name, and paths, tools or languages"},
		{"[[kind]]\nname = \"x\"\npaths = [\"A\"]\n", `"A" must be lower case`},
		{"[[kind]]\nname = \"x\"\npaths = [\"[\"]\n", `"[" is no pattern`},
		{"[[kind]]\nname = \"x\"\nlanguages = [\"poems\"]\n", `"poems" is no kind of languages`},
		{"[[kind]]\nname = \"x\"\npaths = [\"a\"]\nneeds = \"soul\"\n", `"soul", want code or plan`},
		{"[own]\npaths = [\"[\"]\n", `"[" is no pattern`},
		{"[verdict]\nline = [\"Verdict\"]\n", `"Verdict" must be lower case`},
	} {
		_, err := LoadAgents(fstest.MapFS{"rules/agents/a.toml": {Data: []byte(c.text)}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v, want %q", c.text, err, c.want)
		}
	}
}

func TestSqueeze(t *testing.T) {
	for in, want := range map[string]string{"PreToolUse": "pretooluse", "PRE_TOOL-use ": "pretooluse", "": "", "한글": "한글"} {
		if got := Squeeze(in); got != want {
			t.Errorf("Squeeze(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	field := func(name string) string { return map[string]string{"a": "one\ntwo", "b": ""}[name] }
	for in, want := range map[string]string{"{a} {b} {c}x": "one two x", "plain": "plain", "{a": "one two", "}": "}", "": ""} {
		if got := (&Entry{Summary: in}).Line(field); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}
