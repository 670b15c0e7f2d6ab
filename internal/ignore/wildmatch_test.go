package ignore

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// tried is what a match is without a memory: every way is tried, as Git does.
func tried(pattern, text string, f Flags) bool {
	w := wild{flags: f, most: 1 << 40, pattern: len(pattern), text: len(text)}
	w.steps = -1 << 40 // so that no memory is made
	return w.run(pattern, text) == matched
}

// remembered is what a match is with one from the first step on.
func remembered(pattern, text string, f Flags) bool {
	w := wild{flags: f, steps: fewSteps, most: maxSteps, pattern: len(pattern), text: len(text)}
	return w.run(pattern, text) == matched
}

// TestWildmatchRemembers asserts that the memory changes no answer.
func TestWildmatchRemembers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(letters []string, most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	matches := 0
	for range 300_000 {
		p := random([]string{"a", "b", "A", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", `\a`, `\*`, "["}, 9)
		s := random([]string{"a", "b", "B", "/", "*"}, 9)
		f := Flags(r.IntN(4))
		want := tried(p, s, f)
		if want {
			matches++
		}
		if got := remembered(p, s, f); got != want {
			t.Fatalf("%q on %q, flags %d: %v with a memory, %v without", p, s, f, got, want)
		}
		if got := Wildmatch(p, s, f); got != want {
			t.Fatalf("Wildmatch(%q, %q, %d) = %v, want %v", p, s, f, got, want)
		}
	}
	if matches < 10_000 {
		t.Errorf("%d of the random patterns matched: the test shows little", matches)
	}
}

// TestWildmatchCosts asserts that no pattern takes more steps than its bytes times those
// of the text, and that its answer is right all the same.
func TestWildmatchCosts(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"**/*" + strings.Repeat("a*", 60) + "b", strings.Repeat("a", 250), false},
		{"**/*" + strings.Repeat("a*", 60) + "b", strings.Repeat("a", 250) + "b", true},
		{strings.Repeat("**/", 30) + "b*", strings.Repeat("a/", 150), false},
		{strings.Repeat("**/", 30) + "b*", strings.Repeat("a/", 150) + "b", true},
		{strings.Repeat("**/a*/", 20) + "b", strings.Repeat("aa/", 100), false},
		{strings.Repeat("*?[a]", 40) + "b", strings.Repeat("a", 250), false},
		{strings.Repeat("a*/**/", 20) + "x", strings.Repeat("a/", 120) + "x", true},
	} {
		ok, steps := wildmatch(tt.pattern, tt.text, Pathname, maxSteps)
		if most := fewSteps + 3*len(tt.pattern)*len(tt.text); ok != tt.want || steps > most {
			t.Errorf("%.40s… on %d bytes: %v in %d steps, want %v in %d at most", tt.pattern, len(tt.text), ok, steps, tt.want, most)
		}
	}
}

func FuzzWildmatchRemembers(f *testing.F) {
	f.Add("**/*a*b", "a/aab", uint8(1))
	f.Add(`[!a]\*?`, "b*c", uint8(2))
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		if strings.Count(pattern, "*") > 6 || len(pattern) > 60 || len(text) > 60 {
			return // without a memory these take for ever
		}
		fl := Flags(flags) & 3
		if got, want := remembered(pattern, text, fl), tried(pattern, text, fl); got != want {
			t.Errorf("%q on %q, flags %d: %v with a memory, %v without", pattern, text, fl, got, want)
		}
	})
}
