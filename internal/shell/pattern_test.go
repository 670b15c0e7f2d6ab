package shell

import "testing"

// TestPicks: what bash says of the same names in a UTF-8 locale, but for classes, which are taken to hold all.
func TestPicks(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"[!a]*", "bcd", true},
		{"[^a]*", "bcd", true},
		{"[!a]*", "abc", false},
		{"[]x]", "]", true},
		{"[!]x]", "]", false},
		{"[a-c]?", "b1", true},
		{"[a-]", "-", true},
		{`[\]]`, "]", true},
		{"[a", "[a", true},
		{"[a", "a", false},
		{"?.txt", "가.txt", true},
		{"??.txt", "가.txt", false},
		{"*??", "가", false},
		{"[가-힣]*", "나무", true},
		{"[!가]", "나", true},
		{"[[:alpha:]]*", "x1", true},
		{"[![:digit:]]", "x", true},
		{`\*`, "*", true},
		{`\*`, "x", false},
		{"*.[ch]", "main.c", true},
		{"?", "\xff", true},
		{"", "", true},
		{"*", "", true},
		{"[", "[", true},
		{"[!", "[!", true},
		{"[[:x", "[[:x", true},
	} {
		if got := Picks(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Picks(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}
