package term

import "testing"

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"가나", 3, "가…"}, {"가나", 5, "가…"}, {"가", 2, "…"}, {"\xbf\xbf\xbf", 2, "…"}} {
		if got := Clip(tt.text, tt.n); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
