package checkpoint

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/repo"
)

func TestInOrder(t *testing.T) {
	name := func(letter string) string { return strings.Repeat(letter, 40) }
	log := func(letters string) string {
		var b strings.Builder
		old := "0"
		for _, l := range strings.Split(letters, "") {
			b.WriteString(name(old) + " " + name(l) + " x <x@example.invalid> 1 +0000\tOn main: " + l + "\n")
			old = l
		}
		return b.String()
	}
	// Logs have the oldest first, pins the newest.
	for _, tt := range []struct{ have, pins, want string }{
		{"acb", "cba", "abc"},   // stash@{1} was dropped and is back on top
		{"bca", "cba", "abc"},   // the oldest
		{"abc", "cba", ""},      // as it was
		{"abdc", "cba", "abcd"}, // d is newer
		{"eacb", "cba", "eabc"}, // e is older than all that the checkpoint knows
		{"d", "cba", ""},
	} {
		var pins []Pin
		for _, l := range strings.Split(tt.pins, "") {
			h, _ := repo.ParseHash(name(l))
			pins = append(pins, Pin{"stash@{0}", h})
		}
		want := ""
		if tt.want != "" {
			want = log(tt.want)
		}
		got, top := inOrder([]byte(log(tt.have)), pins)
		if string(got) != want || want != "" && top.String() != name(tt.want[len(tt.want)-1:]) {
			t.Errorf("%s with %s: %s%s", tt.have, tt.pins, got, top)
		}
	}
	if got, _ := inOrder([]byte("no log\n"), nil); got != nil {
		t.Errorf("what is no log became %q", got)
	}
}
