package handle

import "testing"

// TestTakes: a pattern takes along what a shell picks by it.
func TestTakes(t *testing.T) {
	for _, tt := range []struct {
		target, left string
		want         bool
	}{
		{"[!a]*", "big.iso", true},
		{"[!a]*", "a.iso", false},
		{"d/*.iso", "d/big.iso", true},
		{"d/*.iso", "d/e/big.iso", false},
		{"d/*", "d/e/big.iso", true},
		{"?.iso", "큰.iso", true},
		{"d", "d/big.iso", true},
		{"e", "d/big.iso", false},
		{"d/big.iso", "d/", true},
	} {
		if got := takes(tt.target, tt.left); got != tt.want {
			t.Errorf("takes(%q, %q) = %v, want %v", tt.target, tt.left, got, tt.want)
		}
	}
}
