package lang_test

import (
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// Whoever reads a version must see whether it is the least that will do, or the one that is meant.
func TestStated(t *testing.T) {
	for _, c := range []struct{ version, kind, want string }{
		{"3.12", "floor", "≥ 3.12"},
		{">=3.12", "floor", "≥ 3.12"},
		{">= 4.1, < 5.5", "floor", "≥ 4.1, < 5.5"},
		{"OTP 25", "floor", "OTP ≥ 25"},
		{"Node >=18", "floor", "Node ≥ 18"},
		{"3.12.4", "pin", "3.12.4"},
		{"^8.2", "floor", "^8.2"},
		{"~> 1.15", "floor", "~> 1.15"},
		{"C++17", "floor", "C++17"},
		{"net8.0", "floor", "net8.0"},
		{"3.12", "hint", "3.12"},
		{"", "floor", ""},
		{"stable", "floor", "stable"},
	} {
		if got := lang.Stated(c.version, c.kind); got != c.want {
			t.Errorf("Stated(%q, %s) = %q, want %q", c.version, c.kind, got, c.want)
		}
	}
}
