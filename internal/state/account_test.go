//go:build unix && !darwin

package state

import (
	"os"
	"testing"
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
