package shell

import (
	"strings"
	"testing"
)

// TestAbsent: what runs behind a test for a file knows that the file is not there, and
// nothing else does.
func TestAbsent(t *testing.T) {
	for line, want := range map[string]string{
		"[ -f a ] || touch a":                              "/p/a",
		"test ! -e 'a b' && touch x":                       "/p/a b",
		"! [ -e \"a\" ] && true && touch x":                "/p/a",
		"[[ ! -f /s/a ]] && { echo; touch x; }":            "/s/a",
		"if [ ! -f a ]; then touch x; fi":                  "/p/a",
		"if [ -f a ]; then :; else touch x; fi":            "/p/a",
		"if [ -f a ]; then :; elif true; then touch x; fi": "/p/a",
		"cd s && { [ -f a ] || touch a; }":                 "/p/s/a",
		"[ -f a ] && touch a":                              "",
		"[ -f a ] && true || touch a":                      "",
		"[ ! -f a ] && true || touch a":                    "",
		"[ -d a ] || touch a":                              "",
		"[ -f $X ] || touch a":                             "",
		"[ -f a -o -f b ] || touch a":                      "",
		"[ -f a ] || ssh h 'touch /p/a'":                   "",
		"if [ ! -f a ]; then :; fi; touch a":               "",
		"while [ ! -f a ]; do touch a; done":               "",
	} {
		got := "no touch"
		for _, c := range Parse(line, here).Commands {
			if c.Name == "touch" {
				got = strings.Join(c.Absent, " ")
			}
		}
		if got != want {
			t.Errorf("Parse(%q): absent %q, want %q", line, got, want)
		}
	}
	// A function that is called behind the test and after it does both.
	n := 0
	for _, c := range Parse("f() { touch a; }; for i in 1 2; do [ -f a ] || f; f; done", here).Commands {
		if c.Name == "touch" && len(c.Absent) == 0 {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d calls without the test, want 1", n)
	}
}
