//go:build unix && !darwin

package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func TestHomeOf(t *testing.T) {
	const passwd = "#x:x:7:7::/comment:/bin/sh\nroot:x:0:0:root:/root:/bin/sh\nbad:x:7\n+::::::\ndev:x:7:7:Dev, 하나:/home/dev/:/bin/sh\nagain:x:7:7::/home/again:/bin/sh\nrel:x:8:8::rel:/bin/sh\nlast:x:9:9::/home/last:/bin/sh"
	for uid, want := range map[string]string{"0": "/root", "7": "/home/dev", "8": "", "9": "/home/last", "10": "", "": ""} {
		if got, _ := homeOf([]byte(passwd), uid, true); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", uid, got, want)
		}
	}
}

// An entry that is cut off by the end of what was read is not taken for a whole one.
func TestHomeOfPart(t *testing.T) {
	if home, ok := homeOf([]byte("dev:x:7:7::/home/dev:/bi"), "7", false); ok {
		t.Errorf("homeOf a part = %q", home)
	}
}

func BenchmarkLstat(b *testing.B) {
	for b.Loop() {
		_, _ = os.Lstat("/etc/none")
	}
}

func BenchmarkAccount(b *testing.B) {
	for b.Loop() {
		Account("")
	}
}

// A database that is not there, is none, or is longer than any, names nobody; one of many users names each.
func TestHomeIn(t *testing.T) {
	dir := t.TempDir()
	long, endless := filepath.Join(dir, "long"), filepath.Join(dir, "endless")
	other := "someone:x:1:1:A name that is long enough to make a file of many pages:/home/someone:/bin/sh\n"
	kit.Must(t, os.WriteFile(long, []byte(strings.Repeat(other, 1000)+"dev:x:7:7::/home/dev:/bin/sh\n"), 0o600))
	kit.Must(t, os.WriteFile(endless, []byte(strings.Repeat(other, 2*maxPasswd/len(other))+"dev:x:7:7::/home/dev:/bin/sh\n"), 0o600))
	for path, want := range map[string]string{long: "/home/dev", endless: "", dir: "", filepath.Join(dir, "none"): ""} {
		if got := homeIn(path, "7"); got != want {
			t.Errorf("homeIn(%s) = %q, want %q", path, got, want)
		}
	}
	if got := homeIn(long, "1"); got != "/home/someone" {
		t.Errorf("homeIn = %q, want the first entry's", got)
	}
}
