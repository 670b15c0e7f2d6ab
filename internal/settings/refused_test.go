package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where what was there cannot be kept, nothing is written: the file stays as it was.
func TestInstallKeepsTheOldFirst(t *testing.T) {
	path, root, stateDir := place(t, "{\"model\": \"x\"}\n")
	if err := os.WriteFile(stateDir, nil, 0o600); err != nil { // a file where the folder of state should be
		t.Fatal(err)
	}
	f := open(t, path, root)
	data, err := Plan(f.Data, want)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Install(data, stateDir); err == nil || !strings.Contains(err.Error(), "save the old settings") {
		t.Errorf("Install = %v, want that the old settings are not saved", err)
	}
	if got := content(t, path); got != "{\"model\": \"x\"}\n" {
		t.Errorf("the file is %q now", got)
	}
	if Known(stateDir, 9) != nil {
		t.Errorf("Known = %v, want none", Known(stateDir, 9))
	}
}

// What is no settings file can be neither planned, installed into nor undone.
func TestBrokenSettingsAreRefused(t *testing.T) {
	path, root, stateDir := place(t, "{\"hooks\": [")
	f := open(t, path, root)
	if _, err := f.Install([]byte("{}"), stateDir); err == nil {
		t.Error("Install into half a file = nil")
	}
	if _, err := f.Undo(stateDir); err == nil {
		t.Error("Undo of half a file = nil")
	}
	for _, h := range []Hook{{Event: "", Args: []string{"hook", "stop"}}, {Event: "Stop"}, {Event: "Stop", Args: []string{"doctor"}}} {
		if _, err := Plan(nil, Registration{Program: "/opt/moai", Hooks: []Hook{h}}); err == nil || !strings.Contains(err.Error(), "arguments must begin with \"hook\"") {
			t.Errorf("Plan of %+v = %v", h, err)
		}
	}
}

// The folders that are known are those with a record that can be read, and no more than asked for.
func TestKnown(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	projects := t.TempDir()
	var first []string
	for _, name := range []string{"a", "b", "c"} {
		root := filepath.Join(projects, name)
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		install(t, filepath.Join(root, ".claude", "settings.json"), root, state, "/opt/moai")
		first = append(first, root)
	}
	if got := Known(state, 9); len(got) != len(first) {
		t.Errorf("Known = %v, want %v", got, first)
	}
	if got := Known(state, 2); len(got) != 2 {
		t.Errorf("Known of two at most = %v", got)
	}
	records, err := filepath.Glob(filepath.Join(state, "settings", "*", "record.json"))
	if err != nil || len(records) != 3 {
		t.Fatalf("records %v, %v", records, err)
	}
	write(t, records[0], "{")
	if got := Known(state, 9); len(got) != 2 {
		t.Errorf("Known with a damaged record = %v, want two", got)
	}
	// A record without its copy leads nowhere: what is there is read for moai's entries instead.
	root := filepath.Join(projects, "b")
	copies, err := filepath.Glob(filepath.Join(state, "settings", "*", "original.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range copies {
		if err := os.Remove(c); err != nil {
			t.Fatal(err)
		}
	}
	u, err := open(t, filepath.Join(root, ".claude", "settings.json"), root).Undo(state)
	if err != nil || u.Exact || u.Delete {
		t.Errorf("Undo without the copy = %+v, %v; want moai's entries taken out of what is there", u, err)
	}
}

// What the client does not take of a hook is said at its line.
func TestCheckOfHooks(t *testing.T) {
	for data, want := range map[string]string{
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "onFailure": "perhaps"}]}]}}`: `onFailure must be "block" or "continue"`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}`:                                         "a command hook needs a command",
		`{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "x", "timeout": 0}]}]}}`:             "a timeout must be a number of seconds above 0",
	} {
		var all []string
		for _, p := range Check([]byte(data), func(string) bool { return true }) {
			all = append(all, p.String())
		}
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("Check(%s) = %q, want %q", data, all, want)
		}
	}
	if Fits("("+strings.Repeat("a|", 4096)+"b)", "b") {
		t.Error("a matcher of 8 KB fits: it costs every call")
	}
}
