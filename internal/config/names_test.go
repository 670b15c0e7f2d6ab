package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func TestNamesOfTools(t *testing.T) {
	for value, want := range map[string]string{
		"WebSearch,  mcp__a__*": "WebSearch mcp__a__*",
		"Web{Search,Fetch} x x": "Web{Search,Fetch} x",
		"functions.shell a/b:c": "functions.shell a/b:c",
		"":                      "",
	} {
		if got, err := Check("guard.tools_deny", value); got != want || err != nil {
			t.Errorf("Check(%q) = %q, %v, want %q", value, got, err, want)
		}
	}
	for _, value := range []string{"mcp__.*", "a|b", "^Web$", "(x)", "\"Web\"", "{}", "-", "a\x00b", strings.Repeat("x", mostNamed+1), strings.Repeat("{a,b}", 6), "x " + manyNames()} {
		if got, err := Check("guard.tools_deny", value); err == nil {
			t.Errorf("Check(%.40q) = %q, want an error", value, got)
		}
	}
	c := Load(Sources{Flags: map[string]string{"guard.tools_deny": "Web{Search,Fetch} Task"}})
	if got := c.Names("guard.tools_deny"); !slices.Equal(got, []string{"WebSearch", "WebFetch", "Task"}) {
		t.Errorf("Names = %q", got)
	}
}

func manyNames() string {
	var b strings.Builder
	for i := range maxNames {
		b.WriteString(strings.Repeat("y", i+1) + " ")
	}
	return b.String()
}

// What tightens a list is more that never run, and fewer that may.
func TestNamesTighten(t *testing.T) {
	for _, c := range []struct {
		key, old, value string
		want            bool
	}{
		{"guard.tools_deny", "", "A", true},
		{"guard.tools_deny", "A", "A B", true},
		{"guard.tools_deny", "A", "B", false},
		{"guard.tools_deny", "A", "", false},
		{"guard.tools_allow", "", "A", true},
		{"guard.tools_allow", "A B", "A", true},
		{"guard.tools_allow", "A", "A B", false},
		{"guard.tools_allow", "A", "", false},
		{"guard.tools_allow", "", "", true},
	} {
		if got := Load(Sources{Flags: map[string]string{c.key: c.old}}).Tightens(c.key, c.value); got != c.want {
			t.Errorf("%s from %q to %q tightens = %v, want %v", c.key, c.old, c.value, got, c.want)
		}
	}
}

// A list of words has those that its default has, in any order, from a file's list or from one text.
func TestWords(t *testing.T) {
	const key = "statusline.segments"
	for _, c := range []struct{ value, want string }{
		{"cost branch", "cost branch"}, {" Cost,\tbranch\ncost ", "cost branch"}, {"", ""}, {"cost weather", "!"}, {"cost;branch", "!"}, {`["cost"]`, "!"},
	} {
		got, err := Check(key, c.value)
		if (err != nil) != (c.want == "!") || err == nil && got != c.want {
			t.Errorf("%q: %q, %v; want %q", c.value, got, err, c.want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	kit.Must(t, Set(path, key, "snapshot guard"))
	if got := Load(Sources{UserDir: dir}).String(key); got != "snapshot guard" {
		t.Errorf("set and read back: %q", got)
	}
	// Which segments a person sees is his own: neither a project nor a variable of an agent's process hides the guard.
	project := t.TempDir()
	kit.Must(t, Set(filepath.Join(project, ".moai", FileName), key, "cost"))
	c := Load(Sources{UserDir: dir, Project: project, Agent: true, Getenv: func(name string) string {
		return map[string]string{EnvName(key): "cost"}[name]
	}})
	if got := c.String(key); got != "snapshot guard" || len(c.Problems) != 1 || len(c.Ignored) != 1 {
		t.Errorf("%q, problems %v, ignored %v", got, c.Problems, c.Ignored)
	}
}

// What keeps more loosens nothing, and is for the user alone to set.
func TestKeepingMoreTightens(t *testing.T) {
	for _, c := range []struct {
		key, from, to string
		want          bool
	}{
		{"checkpoint.keep", "10", "20", true},
		{"checkpoint.keep", "10", "5", false},
		{"checkpoint.keep", "10", "0", false},
		{"checkpoint.keep_days", "30", "60", true},
		{"checkpoint.keep_days", "30", "0", true},
		{"checkpoint.keep_days", "0", "365", false},
		{"checkpoint.keep_days", "30", "x", false},
		{"checkpoint.keep_mb", "1024", "10", false},
	} {
		base := Load(Sources{Flags: map[string]string{c.key: c.from}})
		if got := base.Tightens(c.key, c.to); got != c.want {
			t.Errorf("%s from %s to %s: tightens is %v", c.key, c.from, c.to, got)
		}
		if base.ProjectMay(c.key, c.to) == nil && c.to != "x" {
			t.Errorf("a project may set %s to %s", c.key, c.to)
		}
	}
}
