package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// Where what was there cannot be kept, nothing is written: the file stays as it was.
func TestInstallKeepsTheOldFirst(t *testing.T) {
	path, root, stateDir := place(t, "{\"model\": \"x\"}\n")
	if err := os.WriteFile(stateDir, nil, 0o600); err != nil { // a file where the folder of state should be
		t.Fatal(err)
	}
	f := open(t, path, root)
	data, err := Plan(f.Data, want)
	kit.Must(t, err)
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
		kit.Must(t, os.Mkdir(root, 0o755))
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
	kit.Must(t, err)
	for _, c := range copies {
		kit.Must(t, os.Remove(c))
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

// What is no JSON, or names a thing twice, is refused by whatever would write it, and changed by nothing.
func TestNothingIsMadeOfBrokenSettings(t *testing.T) {
	for _, text := range []string{"{\"statusLine\": ", "[]", "{\"statusLine\": {}, \"statusLine\": {}}"} {
		if _, err := PlanLine([]byte(text), want); err == nil {
			t.Errorf("PlanLine of %s = nil", text)
		}
	}
	for _, text := range []string{"{\"hooks\": ", "[]", "{\"hooks\": {\"Stop\": 1}}"} {
		if _, err := Plan([]byte(text), want); err == nil {
			t.Errorf("Plan of %s = nil", text)
		}
	}
	if l, err := StatusLine([]byte("{\"statusLine\": ")); err == nil || l != nil {
		t.Errorf("StatusLine of half a file = %v, %v", l, err)
	}
	if _, err := RemoveLine([]byte("{\"statusLine\": ")); err == nil {
		t.Error("RemoveLine of half a file = nil")
	}
	if _, err := Remove([]byte("{\"hooks\": ")); err == nil {
		t.Error("Remove of half a file = nil")
	}
	if data, err := RemoveLine(nil); err != nil || data != nil {
		t.Errorf("RemoveLine of nothing = %q, %v", data, err)
	}
	if data, err := Remove([]byte("\n")); err != nil || string(data) != "\n" {
		t.Errorf("Remove of blanks = %q, %v", data, err)
	}
	if _, err := Entries([]byte("{\"hooks\": ")); err == nil {
		t.Error("Entries of half a file = nil")
	}
	if taken := (&TakenError{Line{Command: "ccline", At: 3}}).Error(); taken != "line 3: there is a status line already: ccline" {
		t.Errorf("a line that is taken says %q", taken)
	}
}

// A path that leads nowhere, to a folder, or to what is no folder, is opened by nobody; a project that is gone has no settings.
func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	kit.Must(t, os.WriteFile(plain, nil, 0o600))
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling")); err != nil {
		t.Skip("no links here:", err)
	}
	huge := filepath.Join(dir, "huge")
	kit.Must(t, os.WriteFile(huge, make([]byte, maxSize+1), 0o600))
	for _, path := range []string{dir, huge, filepath.Join(plain, "below", "settings.json"), filepath.Join(dir, "dangling"), filepath.Join(dir, "dangling", "settings.json")} {
		if _, err := Open(path, ""); err == nil {
			t.Errorf("Open(%s) = nil", path)
		}
		if Calls(path) || Announced(dir, path) {
			t.Errorf("%s calls moai, or is announced", path)
		}
	}
	if _, err := Open(filepath.Join(dir, "x", "settings.json"), filepath.Join(dir, "gone")); err == nil || !strings.Contains(err.Error(), "find project") {
		t.Errorf("Open in a project that is gone = %v", err)
	}
	if !(&File{Path: filepath.Join(dir, "gone", ".claude", "settings.json")}).Linked() {
		t.Error("a file whose folders are gone counts as what it looks like")
	}
}

// What cannot be announced, written or forgotten is an error, and the file stays as it was.
func TestUninstallRefuses(t *testing.T) {
	path, root, stateDir := place(t, "{\"model\": \"x\"}\n")
	install(t, path, root, stateDir, "/opt/moai")
	f := open(t, path, root)
	u, err := f.Undo(stateDir)
	if err != nil || !u.Exact {
		t.Fatalf("Undo = %+v, %v", u, err)
	}
	broken := filepath.Join(t.TempDir(), "state")
	kit.Must(t, os.WriteFile(broken, nil, 0o600))
	before := content(t, path)
	if err := f.Uninstall(u, broken); err == nil || !strings.Contains(err.Error(), "announce the change") {
		t.Errorf("Uninstall = %v, want that nobody could be told", err)
	}
	// Somebody writes between the plan and its end.
	kit.Must(t, os.WriteFile(path, []byte("{}"), 0o600))
	for _, planned := range []Undo{u, {Delete: true}} {
		if err := f.Uninstall(planned, stateDir); !errors.Is(err, ErrChanged) {
			t.Errorf("Uninstall over somebody's change = %v", err)
		}
	}
	if got := content(t, path); got != "{}" {
		t.Errorf("the file is %q now", got)
	}
	kit.Must(t, os.WriteFile(path, []byte(before), 0o600))
	if err := open(t, path, root).Uninstall(u, stateDir); err != nil || content(t, path) != "{\"model\": \"x\"}\n" {
		t.Errorf("Uninstall = %v", err)
	}
}
