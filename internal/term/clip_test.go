package term

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"가나", 2, "가나"}, {"가나", 1, "가…"}, {"가", 0, "…"}, {"\xbf\xbf\xbf", 2, "\xbf\xbf…"}} {
		if got := Clip(tt.text, tt.n); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{" a\n\tb ", 9, "a b"}, {"가 나\r\n다", 3, "가 나…"}, {strings.Repeat("가", 99), 2, "가가…"}} {
		if got := OneLine(tt.text, tt.n); got != tt.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
