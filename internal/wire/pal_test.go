package wire

import (
	"slices"
	"testing"
)

// What the user is told in lines is told in notifications, each with its level and with what to run.
func TestParted(t *testing.T) {
	got := parted("card 1\ncard 2\nmoai: warning: settings do not count: x (moai doctor)\nmoai: snapshot checkpoint/a (1 changed) before: git reset --hard\n  not in it: big.bin\n  bring it back: moai checkpoint restore a --refs\n  no branch: y")
	want := []palNote{
		{"info", "moai", "card 1\ncard 2", ""},
		{"warn", "moai", "settings do not count: x (moai doctor)", ""},
		{"info", "moai", "snapshot checkpoint/a (1 changed) before: git reset --hard\n  not in it: big.bin\n  no branch: y", "moai checkpoint restore a --refs"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("parted = %q, want %q", got, want)
	}
	if got := parted(""); len(got) > 0 {
		t.Errorf("of nothing: %q", got)
	}
}
