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
		{"d/big.iso", "d-e/", false},
		{"d", "d-e/big.iso", false},
		{"d", "d", true},
		{"d/", "d", true},
		{".", "d", true},
		{"../x", "d", true},
		{"a*b", "a*b", true},
	} {
		if got := newReach([]string{tt.target}).takes(tt.left); got != tt.want {
			t.Errorf("takes(%q, %q) = %v, want %v", tt.target, tt.left, got, tt.want)
		}
	}
}

// TestReach: many targets are asked as one is, whatever stands beside them in the order of bytes, and the work is counted.
func TestReach(t *testing.T) {
	targets := []string{"d/e", "d", "d-e", "d.e/f", "d/e/f", "z*/y", "z*/y"}
	to := newReach(targets)
	for _, left := range []string{"d", "d/a", "d-", "d-e/x", "d.e", "d.e/", "d.e/f/g", "d0", "zz/y/x", "zz/x", "e", "c/"} {
		want := false
		for _, one := range targets {
			want = want || newReach([]string{one}).takes(left)
		}
		if got := to.takes(left); got != want {
			t.Errorf("%q: %v with all, %v one by one", left, got, want)
		}
	}
	if len(to.patterns) != 1 || len(to.roots) != 4 {
		t.Errorf("%d patterns, roots %q", len(to.patterns), to.roots)
	}
	for range maxCompared {
		to.takes("e")
	}
	if !to.takes("e") {
		t.Error("past the bound a path is said to stay")
	}
}

func TestFoldersBelow(t *testing.T) {
	f := newFolders([]string{"d", "d/e", "x/y"})
	for p, want := range map[string]bool{"d": true, "d/e": true, "d/e/f": false, "x": true, "": false, "x/y/z": false, "d-": false} {
		if got := f.anyIn(p); got != want {
			t.Errorf("anyIn(%q) = %v", p, got)
		}
	}
}
