package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

func TestPrecedence(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "[ui]\nascii = true\ncard = false\n[checkpoint]\nkeep = 5\n")
	kit.Write(t, filepath.Join(project, ".moai", FileName), "ui.card = true\n")
	env := map[string]string{"MOAI_CHECKPOINT_KEEP": "7", "MOAI_HOOK_TIMEOUT": "500ms"}
	c := Load(Sources{UserDir: user, Project: project, Getenv: func(k string) string { return env[k] }, Flags: map[string]string{"hook.timeout": "3s"}})
	if len(c.Problems) > 0 {
		t.Errorf("problems: %v", c.Problems)
	}
	if !c.Bool("ui.ascii") || !c.Bool("ui.card") || c.Int("checkpoint.keep") != 7 || c.Duration("hook.timeout") != 3*time.Second {
		t.Errorf("got ascii=%v card=%v keep=%d timeout=%v", c.Bool("ui.ascii"), c.Bool("ui.card"), c.Int("checkpoint.keep"), c.Duration("hook.timeout"))
	}
	if c.Origin("ui.card") != "project" || c.Origin("guard.mode") != "default" || c.Origin("hook.timeout") != "flag" {
		t.Errorf("origins %s %s %s", c.Origin("ui.card"), c.Origin("guard.mode"), c.Origin("hook.timeout"))
	}
}

// A cloned repository must not be able to switch its guard off or to run things.
func TestProjectCannotLoosen(t *testing.T) {
	project := t.TempDir()
	kit.Write(t, filepath.Join(project, ".moai", FileName), "guard.mode = \"off\"\nguard.on_failure = \"closed\"\ncheckpoint.keep = 0\ncheckpoint.timeout = \"1ns\"\nhook.timeout = \"1ns\"\n")
	c := Load(Sources{Project: project})
	if c.String("guard.mode") != "standard" || c.Int("checkpoint.keep") != 10 || c.Duration("checkpoint.timeout") != 1500*time.Millisecond || c.Duration("hook.timeout") != 2*time.Second {
		t.Error("a project loosened a setting")
	}
	if c.String("guard.on_failure") != "closed" {
		t.Error("a project could not tighten guard.on_failure")
	}
	if len(c.Problems) != 4 {
		t.Errorf("problems = %q, want 4", c.Problems)
	}
	// A value that is none says so: "may not set" would send people the wrong way.
	kit.Write(t, filepath.Join(project, ".moai", FileName), "guard.mode = \"fierce\"\n")
	c = Load(Sources{Project: project})
	if c.String("guard.mode") != "standard" || len(c.Problems) != 1 || !strings.Contains(c.Problems[0], "want one of off, warn") {
		t.Errorf("a value that is none: %q, problems %q", c.String("guard.mode"), c.Problems)
	}
}

func TestBadInputIsReportedAndSkipped(t *testing.T) {
	user := t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "[guard]\nmode = \"fierce\"\n[nope]\nx = 1\n")
	c := Load(Sources{UserDir: user, Getenv: func(k string) string {
		if k == "MOAI_UI_ASCII" {
			return "maybe"
		}
		return ""
	}})
	all := strings.Join(c.Problems, "\n")
	for _, want := range []string{`guard.mode is "fierce", want one of off, warn, standard, strict`, `no setting is named "nope.x"`, `MOAI_UI_ASCII: ui.ascii is "maybe", want true or false`} {
		if !strings.Contains(all, want) {
			t.Errorf("problems lack %q:\n%s", want, all)
		}
	}
	kit.Write(t, filepath.Join(user, FileName), "[guard\n")
	if c := Load(Sources{UserDir: user}); len(c.Problems) != 1 || !strings.Contains(c.Problems[0], FileName+":1: ") {
		t.Errorf("syntax error reported as %q", c.Problems)
	}
}

func TestEveryDefaultIsAllowed(t *testing.T) {
	for _, k := range Keys {
		if v, err := Check(k.Name, k.Default); err != nil || v != k.Default {
			t.Errorf("default of %s: %q, %v", k.Name, v, err)
		}
		if k.Doc == "" {
			t.Errorf("%s has no documentation", k.Name)
		}
	}
}

func TestEditKeepsOtherLines(t *testing.T) {
	tests := []struct{ name, doc, key, value, want string }{
		{"empty", "", "ui.ascii", "true", "[ui]\nascii = true\n"},
		{"replace", "# mine\n[ui]\nascii = false # why\ncard = true\n", "ui.ascii", "true", "# mine\n[ui]\nascii = true # why\ncard = true\n"},
		{"beside dotted keys", "guard.mode = \"strict\"\n", "guard.on_failure", "closed", "guard.mode = \"strict\"\nguard.on_failure = \"closed\"\n"},
		{"into section", "[ui]\ncard = true\n\n[guard]\nmode = \"off\"\n", "ui.ascii", "true", "[ui]\ncard = true\nascii = true\n\n[guard]\nmode = \"off\"\n"},
		{"new section", "[ui]\ncard = true", "guard.mode", "strict", "[ui]\ncard = true\n\n[guard]\nmode = \"strict\"\n"},
		{"dotted", "ui.ascii = false\n", "ui.ascii", "true", "ui.ascii = true\n"},
		{"comment with an apostrophe", "[guard]\nmode = \"off\" # don't ask\n", "guard.mode", "strict", "[guard]\nmode = \"strict\" # don't ask\n"},
		{"comment behind a tab", "[guard]\nmode = 'off'\t# \"why\"\n", "guard.mode", "strict", "[guard]\nmode = \"strict\"\t# \"why\"\n"},
		{"no comment but a value", "guard.mode = \"o\\\" #ff\"\n", "guard.mode", "off", "guard.mode = \"off\"\n"},
		{"indented", "  [ui]\n  ascii = true\n", "ui.ascii", "false", "  [ui]\n  ascii = false\n"},
		{"CRLF, replaced", "[ui]\r\nascii = true\r\n", "ui.ascii", "false", "[ui]\r\nascii = false\r\n"},
		{"CRLF, added", "[ui]\r\nascii = true\r\n", "ui.card", "false", "[ui]\r\nascii = true\r\ncard = false\r\n"},
		{"CRLF, new section", "ui.ascii = true\r\n", "guard.mode", "off", "ui.ascii = true\r\n\r\n[guard]\r\nmode = \"off\"\r\n"},
		{"byte-order mark", bom + "[ui]\nascii = true\n", "ui.ascii", "false", bom + "[ui]\nascii = false\n"},
	}
	for _, tt := range tests {
		if got := edit(tt.doc, tt.key, tt.value); got != tt.want {
			t.Errorf("%s: edit = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A file that the line editor does not understand is left alone, and says so; so is one
// that is no plain file, which would be read for ever.
func TestSetLeavesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for name, doc := range map[string]string{
		"quoted section":      "\"guard\".mode = \"off\"\n",
		"text like a section": "x.y = \"\"\"\n[guard]\nmode = 'off'\n\"\"\"\n",
		"several lines":       "guard.mode = \"\"\"\noff\"\"\"\n",
		"not TOML":            "[guard\n",
	} {
		kit.Write(t, path, doc)
		if err := Set(path, "guard.mode", "strict"); err == nil || !strings.Contains(err.Error(), "left as it is") {
			t.Errorf("%s: Set = %v, want an error that says the file is left as it is", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != doc {
			t.Errorf("%s: the file became %q, %v", name, got, err)
		}
	}
	if err := Set(filepath.Dir(path), "guard.mode", "strict"); err == nil {
		t.Error("Set of a folder = nil, want an error")
	}
}

// What is taken out leaves every other line as it was.
func TestUnset(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for _, tt := range []struct{ name, doc, want string }{
		{"alone", "[guard]\nmode = \"off\"\n", ""},
		{"beside others", "# mine\n[guard]\non_failure = \"open\"\nmode = \"off\" # why\n\n[ui]\nascii = true\n", "# mine\n[guard]\non_failure = \"open\"\n\n[ui]\nascii = true\n"},
		{"under a remark", "# mine\n[guard]\nmode = \"off\"\n", "# mine\n[guard]\n"},
		{"dotted", "guard.mode = \"off\"\nui.ascii = true\n", "ui.ascii = true\n"},
		{"CRLF", "[ui]\r\nascii = true\r\n[guard]\r\nmode = 'off'\r\n", "[ui]\r\nascii = true\r\n[guard]\r\n"},
		{"no end of line", "[ui]\nascii = true\n[guard]\nmode = 'off'", "[ui]\nascii = true\n[guard]\n"},
		{"byte-order mark", bom + "guard.mode = 'off'\nui.ascii = true\n", "ui.ascii = true\n"},
	} {
		kit.Write(t, path, tt.doc)
		if err := Unset(path, "guard.mode"); err != nil {
			t.Errorf("%s: Unset = %v", tt.name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != tt.want {
			t.Errorf("%s: the file became %q, %v, want %q", tt.name, got, err, tt.want)
		}
		if set, err := Sets(path, "guard.mode"); set || err != nil {
			t.Errorf("%s: Sets = %v, %v afterwards", tt.name, set, err)
		}
	}
	several := "[guard]\nmode = \"\"\"\noff\"\"\"\n"
	kit.Write(t, path, several)
	if err := Unset(path, "guard.mode"); err == nil || !strings.Contains(err.Error(), "left as it is") {
		t.Errorf("a value of several lines: Unset = %v, want an error that says the file is left as it is", err)
	}
}

// What Set writes, Load reads, for every kind of key and in a file with a byte-order mark.
func TestSetRoundTrip(t *testing.T) {
	dir := t.TempDir()
	kit.Write(t, filepath.Join(dir, FileName), bom+"ui.ascii = true\n")
	for _, kv := range [][2]string{{"guard.mode", "strict"}, {"ui.ascii", "false"}, {"checkpoint.keep", "7"}, {"hook.timeout", "3s"}} {
		if err := Set(filepath.Join(dir, FileName), kv[0], kv[1]); err != nil {
			t.Errorf("Set(%s, %q) = %v", kv[0], kv[1], err)
		}
		if c := Load(Sources{UserDir: dir}); c.String(kv[0]) != kv[1] || len(c.Problems) > 0 {
			t.Errorf("after Set(%s, %q): %q, problems %q", kv[0], kv[1], c.String(kv[0]), c.Problems)
		}
	}
}

// A repository's file must neither hang a hook nor eat its memory.
func TestHostileProjectFile(t *testing.T) {
	project := t.TempDir()
	for name, text := range map[string]string{
		"deep":  strings.Repeat("a.", 6000) + "b = 1\n",
		"large": strings.Repeat("# filler\n", 40000),
		"many":  strings.Repeat("[x]\n", 1) + manyKeys(1000),
		"value": "ui.ascii = \"" + strings.Repeat("x", 9000) + "\"\n",
	} {
		kit.Write(t, filepath.Join(project, ".moai", FileName), text)
		start := time.Now()
		c := Load(Sources{Project: project})
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: loading took %v", name, took)
		}
		if len(c.Problems) == 0 || len(c.Problems) > maxProblems {
			t.Errorf("%s: %d problems, want 1 to %d", name, len(c.Problems), maxProblems)
		}
		for _, p := range c.Problems {
			if len(p) > 500 {
				t.Errorf("%s: a problem of %d bytes", name, len(p))
			}
		}
	}
}

// Files of /proc are regular and have no size, and this one has 256 GB: links in a
// cloned repository can name it.
func TestLinkToEndlessFile(t *testing.T) {
	const endless = "/proc/self/pagemap"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("there is no such file here:", err)
	}
	project := t.TempDir()
	path := filepath.Join(project, ".moai", FileName)
	kit.Must(t, os.Mkdir(filepath.Dir(path), 0o755))
	kit.Must(t, os.Symlink(endless, path))
	// Before it was bounded this test did not fail, it ate the memory of the machine.
	if c := Load(Sources{Project: project}); len(c.Problems) != 1 {
		t.Errorf("problems = %q, want one", c.Problems)
	}
	if err := Set(path, "ui.ascii", "true"); err == nil {
		t.Error("Set = nil, want an error")
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + strings.Repeat("x", i%5) + strings.Repeat("y", i/5) + "=1\n")
		if b.Len() > maxProjectFile-1000 {
			break
		}
	}
	return b.String()
}

// The tighter value wins whoever sets it.
func TestProjectTightens(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "checkpoint.branch = false\nguard.ask_unattended = \"deny\"\n")
	kit.Write(t, filepath.Join(project, ".moai", FileName), "checkpoint.branch = true\nguard.ask_unattended = \"ask\"\ntags.policy = \"block\"\n")
	c := Load(Sources{UserDir: user, Project: project})
	if c.Bool("checkpoint.branch") || c.String("guard.ask_unattended") != "deny" {
		t.Errorf("a project loosened checkpoint.branch or guard.ask_unattended: %v", c.Problems)
	}
	if c.String("tags.policy") != "block" {
		t.Error("a project could not tighten tags.policy")
	}
}

// Where an agent runs moai, a variable does what a project's file may, and says what it may not.
func TestAgentsVariablesTighten(t *testing.T) {
	user := t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "guard.on_failure = \"closed\"\n")
	env := map[string]string{
		"MOAI_GUARD_MODE": "off", "MOAI_GUARD_NO_CHECKPOINT": "deny", "MOAI_GUARD_ON_FAILURE": "open", "MOAI_HOOK_TIMEOUT": "1ns", "MOAI_CHECKPOINT_TIMEOUT": "9h",
		"MOAI_CHECKPOINT_KEEP": "0", "MOAI_TAGS_POLICY": "block", "MOAI_UI_ASCII": "true", "MOAI_CHECKPOINT_KEEP_DAYS": "30",
	}
	getenv := func(k string) string { return env[k] }
	c := Load(Sources{UserDir: user, Getenv: getenv, Agent: true})
	for key, want := range map[string]string{
		"guard.mode": "standard", "guard.no_checkpoint": "deny", "guard.on_failure": "closed", "hook.timeout": "2s", "checkpoint.timeout": "1500ms",
		"checkpoint.keep": "10", "tags.policy": "block", "ui.ascii": "true",
	} {
		if got := c.String(key); got != want {
			t.Errorf("%s = %s, want %s", key, got, want)
		}
	}
	var ignored []string
	for _, i := range c.Ignored {
		ignored = append(ignored, i.Variable)
		if !strings.Contains(i.String(), i.Variable) || i.Why() != "loosens, run by an agent" {
			t.Errorf("said %q, %q", i, i.Why())
		}
	}
	want := "MOAI_GUARD_MODE MOAI_GUARD_ON_FAILURE MOAI_CHECKPOINT_KEEP MOAI_CHECKPOINT_TIMEOUT MOAI_HOOK_TIMEOUT"
	if got := strings.Join(ignored, " "); got != want || len(c.Problems) > 0 {
		t.Errorf("ignored %s, want %s; problems %q", got, want, c.Problems)
	}
	// A person's shell is a person's word.
	if c := Load(Sources{UserDir: user, Getenv: getenv}); c.String("guard.mode") != "off" || len(c.Ignored) > 0 {
		t.Errorf("without an agent: %s, %v", c.String("guard.mode"), c.Ignored)
	}
}

// Folders that may be the user's tighten, in silence: that they are doubted is said elsewhere.
func TestDoubtedFoldersTighten(t *testing.T) {
	user, beside := t.TempDir(), t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "guard.mode = \"warn\"\nguard.no_checkpoint = \"deny\"\nhook.timeout = \"1ns\"\n")
	kit.Write(t, filepath.Join(beside, FileName), "guard.mode = \"strict\"\nguard.no_checkpoint = \"allow\"\ncheckpoint.timeout = \"1ns\"\n")
	for name, row := range map[string]struct {
		from Sources
		want [4]string
	}{
		"one is the user's": {Sources{UserDir: user, Beside: []string{beside}}, [4]string{"strict", "deny", "1ns", "1500ms"}},
		"the other is":      {Sources{UserDir: beside, Beside: []string{user}}, [4]string{"strict", "deny", "2s", "1ns"}},
		"neither is":        {Sources{UserDir: user, Beside: []string{beside}, Doubted: true}, [4]string{"strict", "deny", "2s", "1500ms"}},
	} {
		c := Load(row.from)
		got := [4]string{c.String("guard.mode"), c.String("guard.no_checkpoint"), c.String("hook.timeout"), c.String("checkpoint.timeout")}
		if got != row.want || len(c.Problems) > 0 {
			t.Errorf("%s: %v, want %v; problems %q", name, got, row.want, c.Problems)
		}
	}
	if got, want := Load(Sources{UserDir: user}).Loosened(), "guard.mode is warn ("+filepath.Join(user, FileName)+")"; len(got) != 2 || got[0] != want {
		t.Errorf("loosened: %q, want %q and hook.timeout", got, want)
	}
	if got := Load(Sources{}).Loosened(); len(got) > 0 {
		t.Errorf("the defaults are loose: %q", got)
	}
}

// A key that is a command, an address or a file is the user's own, whatever somebody says about its trust. Free text
// is nothing else, so that nobody can forget to say so.
func TestPlacesAreNoVariables(t *testing.T) {
	for _, k := range Keys {
		if k.kind == choice && len(k.Values) == 0 {
			t.Errorf("%s has free text and is no place", k.Name)
		}
	}
	saved := Keys
	defer func() { Keys = saved }()
	Keys = append(saved[:len(saved):len(saved)], Key{Name: "store.dsn", kind: place, trust: anyone, Doc: "a test"})
	user, project := t.TempDir(), t.TempDir()
	kit.Write(t, filepath.Join(project, ".moai", FileName), "store.dsn = \"postgres://stranger\"\n")
	from := Sources{UserDir: user, Project: project, Getenv: func(k string) string {
		return map[string]string{"MOAI_STORE_DSN": "postgres://stranger"}[k]
	}}
	c := Load(from)
	if c.String("store.dsn") != "" || len(c.Problems) != 1 || len(c.Ignored) != 1 || c.Ignored[0].Why() != "no variable sets it" {
		t.Errorf("store.dsn = %q, problems %q, ignored %v", c.String("store.dsn"), c.Problems, c.Ignored)
	}
	kit.Write(t, filepath.Join(user, FileName), "store.dsn = \"postgres://mine\"\n")
	if c := Load(from); c.String("store.dsn") != "postgres://mine" {
		t.Errorf("the user's own = %q", c.String("store.dsn"))
	}
}
