package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// place is a project with a state folder beside it.
func place(t *testing.T, content string) (path, root, stateDir string) {
	t.Helper()
	dir := t.TempDir()
	root, stateDir = filepath.Join(dir, "project"), filepath.Join(dir, "state")
	path = filepath.Join(root, ".claude", "settings.json")
	kit.Must(t, os.Mkdir(root, 0o755))
	if content != "" {
		write(t, path, content)
	}
	return path, root, stateDir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	kit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	kit.Must(t, os.WriteFile(path, []byte(content), 0o600))
}

func open(t *testing.T, path, root string) *File {
	t.Helper()
	f, err := Open(path, root)
	kit.Must(t, err)
	return f
}

func install(t *testing.T, path, root, stateDir, program string) string {
	t.Helper()
	f := open(t, path, root)
	data, err := Plan(f.Data, Registration{Program: program, Hooks: want.Hooks})
	kit.Must(t, err)
	saved, err := f.Install(data, stateDir)
	kit.Must(t, err)
	return saved
}

func uninstall(t *testing.T, path, root, stateDir string) Undo {
	t.Helper()
	f := open(t, path, root)
	u, err := f.Undo(stateDir)
	kit.Must(t, err)
	kit.Must(t, f.Uninstall(u, stateDir))
	return u
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	kit.Must(t, err)
	return string(data)
}

func TestUninstallBringsBackTheBytes(t *testing.T) {
	for _, old := range []string{
		" {\t} ", "{}", "\n", bom + "{\"hooks\":{ },\r\n\"a\":1}", "{\"hooks\": {\"Stop\": [ ]}, } // x\n",
		`{"model": "x", "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "lint"}]}]}}`,
	} {
		path, root, stateDir := place(t, old)
		saved := install(t, path, root, stateDir, "/opt/moai")
		if got := content(t, saved); got != old {
			t.Errorf("saved %q, want %q", got, old)
		}
		if strings.HasPrefix(saved, root) {
			t.Errorf("saved in the project: %s", saved)
		}
		// A second installation, of another binary, leads back to the same bytes.
		install(t, path, root, stateDir, "/new/moai")
		if u := uninstall(t, path, root, stateDir); !u.Exact || content(t, path) != old {
			t.Errorf("uninstalling gave %q, exact %v, want %q", content(t, path), u.Exact, old)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
		}
		if u := uninstall(t, path, root, stateDir); u.Delete || content(t, path) != old {
			t.Errorf("a second uninstalling changed %q to %q", old, content(t, path))
		}
	}
}

func TestUninstallRemovesWhatItMade(t *testing.T) {
	path, root, stateDir := place(t, "")
	if saved := install(t, path, root, stateDir, "/opt/moai"); saved != "" {
		t.Errorf("saved %q of a file that was not there", saved)
	}
	uninstall(t, path, root, stateDir)
	if _, err := os.Lstat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}

	path, root, stateDir = place(t, "")
	install(t, path, root, stateDir, "/opt/moai")
	write(t, filepath.Join(filepath.Dir(path), "agents.md"), "x")
	write(t, path, strings.Replace(content(t, path), "{\n", "{\n\n", 1)) // touched, but nothing of others in it
	if u := uninstall(t, path, root, stateDir); !u.Delete || u.Exact || content(t, path) != "(none)" {
		t.Errorf("undo %+v, the file is now %q", u, content(t, path))
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		t.Errorf("a folder with a file of others is gone: %v", err)
	}
}

func TestUninstallAfterEdits(t *testing.T) {
	path, root, stateDir := place(t, "{\n  \"model\": \"x\"\n}\n")
	install(t, path, root, stateDir, "/opt/moai")
	write(t, path, strings.Replace(content(t, path), `"x"`, `"y"`, 1))
	if u := uninstall(t, path, root, stateDir); u.Exact || u.Delete || content(t, path) != "{\n  \"model\": \"y\"\n}\n" {
		t.Errorf("undo %+v gave %q", u, content(t, path))
	}

	// An edit between two installations: the way back leads to the edited file.
	install(t, path, root, stateDir, "/opt/moai")
	write(t, path, strings.Replace(content(t, path), `"y"`, `"z"`, 1))
	install(t, path, root, stateDir, "/new/moai")
	if u := uninstall(t, path, root, stateDir); !u.Exact || content(t, path) != "{\n  \"model\": \"z\"\n}\n" {
		t.Errorf("undo %+v gave %q", u, content(t, path))
	}
}

func TestInstallRefusesAChangedFile(t *testing.T) {
	path, root, stateDir := place(t, "{}")
	f := open(t, path, root)
	write(t, path, `{"a": 1}`)
	if _, err := f.Install([]byte(fresh), stateDir); !errors.Is(err, ErrChanged) {
		t.Errorf("Install over a changed file: %v, want ErrChanged", err)
	}
	if got := content(t, path); got != `{"a": 1}` {
		t.Errorf("the file is now %q", got)
	}
}

// A file that moai made alone is deleted again, but not what somebody wrote into it since
// the question was asked.
func TestUninstallRefusesAChangedFile(t *testing.T) {
	path, root, stateDir := place(t, "")
	install(t, path, root, stateDir, "/opt/moai")
	f := open(t, path, root)
	u, err := f.Undo(stateDir)
	if err != nil || !u.Delete {
		t.Fatalf("Undo = %+v, %v, want a deletion", u, err)
	}
	write(t, path, `{"a": 1}`)
	if err := f.Uninstall(u, stateDir); !errors.Is(err, ErrChanged) || content(t, path) != `{"a": 1}` {
		t.Errorf("Uninstall of a changed file: %v, and it is now %q; want ErrChanged", err, content(t, path))
	}
}

func TestOpenLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	link := func(target, at string) {
		t.Helper()
		kit.Must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		kit.Must(t, os.Symlink(target, at))
	}
	path, root, _ := place(t, "")
	outside := filepath.Join(filepath.Dir(root), "elsewhere.json")
	write(t, outside, "{}")
	link(outside, path)
	if _, err := Open(path, root); !errors.Is(err, ErrOutside) {
		t.Errorf("a link out of the project: %v, want ErrOutside", err)
	}
	if f := open(t, path, ""); !f.Linked() || f.Target != outside {
		t.Errorf("without a root: linked %v, target %q", f.Linked(), f.Target)
	}

	path, root, _ = place(t, "")
	link(filepath.Dir(outside), filepath.Dir(path))
	if _, err := Open(path, root); !errors.Is(err, ErrOutside) {
		t.Errorf("a folder that is a link out of the project: %v, want ErrOutside", err)
	}

	path, root, _ = place(t, "")
	link("../gone.json", path)
	if _, err := Open(path, root); err == nil {
		t.Error("a link to nothing was opened")
	}

	// Inside of the project a link is followed, and stays a link.
	path, root, stateDir := place(t, "")
	write(t, filepath.Join(root, "shared.json"), "{}\n")
	link("../shared.json", path)
	if f := open(t, path, root); !f.Linked() {
		t.Error("Linked() = false for a link")
	}
	install(t, path, root, stateDir, "/opt/moai")
	if got, err := os.Readlink(path); err != nil || got != "../shared.json" {
		t.Errorf("the link is now %q, %v", got, err)
	}
	if got := content(t, filepath.Join(root, "shared.json")); got != fresh {
		t.Errorf("the target is now %q", got)
	}
	if path, root, _ := place(t, "{}"); open(t, path, root).Linked() {
		t.Error("Linked() = true for a plain file")
	}
}

func TestOpenRefuses(t *testing.T) {
	path, root, _ := place(t, "")
	kit.Must(t, os.MkdirAll(path, 0o755))
	if _, err := Open(path, root); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("Open of a folder: %v", err)
	}
	path, root, _ = place(t, strings.Repeat(" ", maxSize+1))
	if _, err := Open(path, root); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("Open of a huge file: %v", err)
	}
}

func TestCheck(t *testing.T) {
	known := func(event string) bool { return event == "Stop" || event == "PreToolUse" }
	const whole = "; the client skips the whole file, since this may be what guards the rest"
	const shaped = " has a value that the client does not take: it skips the whole file"
	tests := []struct {
		data string
		want []string
	}{
		{"", nil},
		{fresh, []string{`line 3: the client knows no event "SessionStart" and ignores it`}},
		{`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 2.5}]}]}}`, nil},
		{"{\n// hi\n}", []string{"line 2: comments and trailing commas are not JSON: the client skips the whole file"}},
		{`{"hooks": []}`, []string{`line 1: "hooks" must be an object, it is a list`}},
		{`{"hooks": {"Stop": [{"hooks": [{"type": "x"}]}]}}`, []string{`line 1: the client knows no type of hook "x" (it knows agent, command, http, mcp_tool, prompt); the client ignores it`}},
		{`{"disableAllHooks": "true"}`, []string{"line 1: disableAllHooks must be true or false, it is a text: the client skips the whole file"}},
		{`{"permissions": {"allow": "x", "defaultMode": "none"}, "model": null}`, []string{"line 1: model" + shaped, "line 1: permissions.allow" + shaped, "line 1: permissions.defaultMode" + shaped}},
		{`{"permissions": {"allow": [], "defaultMode": "plan"}, "model": "x", "sandbox": {"enabled": true}}`, nil},
		{`{"hooks"`, []string{"not valid JSON: line 1, column 9: parsing object after name: unexpected EOF"}},
		{
			"{\"disableAllHooks\": true, \"env\": {\"PATH\": \"/bin\"},\n\"hooks\": {\"Stop\": {},\n\"PreToolUse\": [1, {\"matcher\": 5}, {\"hooks\": 1}, {\"hooks\": [2,\n{\"type\": \"x\"},\n{\"type\": \"command\", \"timeout\": \"5\"},\n{\"type\": \"command\", \"command\": \"{{.Bin}}/moai hook stop\"},\n{\"type\": \"command\", \"command\": \"a\", \"args\": [1]}]}]}}",
			[]string{
				"line 1: env.PATH replaces the user's PATH for every command and hook",
				`line 2: "Stop" must be a list, it is an object; the client ignores it`,
				`line 3: an element of "PreToolUse" must be an object, it is a number` + whole,
				"line 3: a matcher must be a text, it is a number" + whole,
				`line 3: an element of "PreToolUse" has no "hooks"` + whole,
				`line 3: "hooks" of an event must be a list, it is a number` + whole,
				"line 3: a hook must be an object, it is a number" + whole,
				`line 4: the client knows no type of hook "x" (it knows agent, command, http, mcp_tool, prompt)` + whole,
				"line 5: a timeout must be a number of seconds above 0" + whole,
				"line 5: a command hook needs a command" + whole,
				"line 6: a template was never filled in: {{.Bin}}/moai hook stop",
				"line 7: args must be a list of texts" + whole,
			},
		},
	}
	for _, test := range tests {
		var got []string
		for _, p := range Check([]byte(test.data), known) {
			got = append(got, p.String())
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("Check(%q) =\n%s\nwant\n%s", test.data, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

func TestAnnounced(t *testing.T) {
	path, root, stateDir := place(t, `{"model": "x"}`)
	if Announced(stateDir, path) {
		t.Error("nothing was announced")
	}
	install(t, path, root, stateDir, "/opt/moai")
	if !Announced(stateDir, path) {
		t.Error("what moai installed was not announced")
	}
	uninstall(t, path, root, stateDir)
	if !Announced(stateDir, path) {
		t.Error("what moai left was not announced")
	}
	// Any other content is somebody else's, and so is the file's end.
	for _, other := range []string{`{"model": "x"} `, "{}", ""} {
		write(t, path, other)
		if Announced(stateDir, path) {
			t.Errorf("%q passes for announced", other)
		}
	}
	kit.Must(t, os.Remove(path))
	if Announced(stateDir, path) {
		t.Error("a file that somebody removed passes for announced")
	}
	// A file that was moai's alone goes, and its folder with it.
	path, root, stateDir = place(t, "")
	install(t, path, root, stateDir, "/opt/moai")
	uninstall(t, path, root, stateDir)
	if !Announced(stateDir, path) {
		t.Error("the removal was not announced")
	}
	// A later installation takes the word back: what comes after it was not announced.
	install(t, path, root, stateDir, "/opt/moai")
	kit.Must(t, os.Remove(path))
	if Announced(stateDir, path) {
		t.Error("an old word counts after a new installation")
	}
	write(t, path, "x")
	past := time.Now().Add(-time.Hour)
	uninstalled := open(t, path, root)
	kit.Must(t, uninstalled.announce(stateDir, []byte("x"), false))
	kit.Must(t, os.Chtimes(announcement(stateDir, uninstalled.Target), past, past))
	if Announced(stateDir, path) {
		t.Error("a word of an hour ago counts")
	}
}

func TestOff(t *testing.T) {
	on, off, silent := []byte(`{"disableAllHooks": false}`), []byte("{\n\n\"disableAllHooks\": true}"), []byte(`{"a": 1}`)
	for _, row := range []struct {
		user, shared, local []byte
		file                int
		off                 bool
	}{
		{nil, nil, nil, 0, false},
		{off, nil, nil, 0, true},
		{off, silent, nil, 0, true},
		{off, silent, on, 0, false},
		{off, on, silent, 0, false},
		{on, off, silent, 1, true},
		{on, on, off, 2, true},
		{silent, silent, []byte("{\"disableAllHooks\": true} // no"), 0, false}, // the client skips it
		{silent, silent, []byte(`{"disableAllHooks": "true"}`), 0, false},
		{off, nil, []byte(`{"disableAllHooks": null}`), 0, true},
		{off, []byte("not JSON"), []byte(" \n"), 0, true},
	} {
		file, line, got := Off(row.user, row.shared, row.local)
		if got != row.off || got && (file != row.file || line != 3) {
			t.Errorf("%s, %s, %s: file %d, line %d, %v; want file %d, %v", row.user, row.shared, row.local, file, line, got, row.file, row.off)
		}
	}
}
