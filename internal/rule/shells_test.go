package rule

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestShellsRefuses asserts that each mistake is one line with its place.
func TestShellsRefuses(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"unknown key", "wrappers", "[[wrapper]]\nname = \"x\"\nskips = 1\n", "rules/shells/wrappers.toml:3: "},
		{"no name", "wrappers", "[[wrapper]]\nskip = 1\n", "rules/shells/wrappers.toml:1: a wrapper needs a name"},
		{"twice", "wrappers", "[[wrapper]]\nname = \"x\"\n\n[[wrapper]]\nname = \"x\"\n", "rules/shells/wrappers.toml:4: x: duplicate wrapper"},
		{"skip", "wrappers", "[[wrapper]]\nname = \"x\"\nskip = -2\n", "rules/shells/wrappers.toml:1: x: skip counts"},
		{"no keys", "wrappers", "[[setting]]\nprogram = \"git\"\n", "rules/shells/wrappers.toml:1: setting: a setting needs a program and keys"},
		{"alias of two", "cmdlets", "[[cmdlet]]\nname = \"x\"\nalias = [\"a\"]\n\n[[cmdlet]]\nname = \"y\"\nalias = [\"a\"]\n", "rules/shells/cmdlets.toml:5: y: duplicate cmdlet or alias"},
		{"flags of nothing", "cmdlets", "[[cmdlet]]\nname = \"x\"\nflags = [\"a -a\"]\n", "rules/shells/cmdlets.toml:1: x: flags and piped are about"},
		{"parameters", "cmdlets", "[parameters]\nvalue = [\"a\", \"b\", \"a\"]\n", `parameters.value: "a" stands twice in a list`},
		{"calls alone", "tcl", "[calls]\nremove = [\"x\"]\n", "rules/shells/tcl.toml: tcl: calls need"},
		{"loads without a value", "tcl", "[interpreter]\nprograms = [\"tclsh\"]\nvalues = \"I lib\"\nloads = \"M lib\"\n", "tcl: -M of loads is not among values"},
		{"no programs", "tcl", "[interpreter]\ncode = \"c\"\n", "tcl: an interpreter needs programs"},
		{"deed", "tcl", "[interpreter]\nprograms = [\"tclsh\"]\n[calls]\nerase = [\"x\"]\n", `tcl.toml:4: tcl: calls do not know "erase"; there are shell, `},
		{"word twice", "find", "[find]\nruns = [\"-exec\", \"-ok\", \"-exec\"]\n", `rules/shells/find.toml: find.runs: "-exec" stands twice in a list`},
		{"unknown list", "find", "[find]\nrun = [\"-exec\"]\n", `rules/shells/find.toml:2: unknown key "find.run"`},
		{"call twice", "tcl", "[interpreter]\nprograms = [\"tclsh\"]\n[calls]\nremove = [\"x\"]\ntree = [\"x\"]\n", "tcl: duplicate call x"},
	}
	for _, tt := range tests {
		_, err := LoadShells(fstest.MapFS{"rules/shells/" + tt.file + ".toml": {Data: []byte(tt.text)}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: LoadShells = %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestShellsTwice asserts that each table of words stands in one file, so that it has one home.
func TestShellsTwice(t *testing.T) {
	find := []byte("[find]\nruns = [\"-exec\"]\n")
	_, err := LoadShells(fstest.MapFS{"rules/shells/a.toml": {Data: find}, "rules/shells/b.toml": {Data: find}})
	if err == nil || !strings.Contains(err.Error(), "rules/shells/b.toml: find: this table stands in another file as well") {
		t.Errorf("LoadShells = %v, want that b.toml repeats a table", err)
	}
}

// TestShells asserts what one file of each kind becomes.
func TestShells(t *testing.T) {
	s, err := LoadShells(fstest.MapFS{
		"rules/shells/tcl.toml":      {Data: []byte("[interpreter]\nprograms = [\"tclsh\"]\ncode = \"c\"\n[calls]\nremove = [\"file.delete\"]\n")},
		"rules/shells/wrappers.toml": {Data: []byte("[[wrapper]]\nname = \"sudo\"\nvalue = \"u user\"\n\n[[wrapper]]\nname = \"chroot\"\nskip = 1\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Wrappers) != 2 || s.Wrappers[0].Name != "chroot" || s.Wrappers[0].Skip != 1 || s.Wrappers[1].Value != "u user" {
		t.Errorf("Wrappers = %+v, want chroot before sudo", s.Wrappers)
	}
	if len(s.Interpreters) != 1 || s.Interpreters[0].Lang != "tcl" || len(s.Calls) != 1 || s.Calls[0] != (LibCall{"tcl", "file.delete", DoRemove}) {
		t.Errorf("Interpreters = %+v, Calls = %+v, want those of tcl", s.Interpreters, s.Calls)
	}
}
