package rule

import (
	"strings"
	"testing"
	"time"
)

// TestBraces holds what patterns with alternatives stand for against what bash makes of them,
// and folders in any number.
func TestBraces(t *testing.T) {
	for pattern, want := range map[string]string{
		"":              "",
		"a*":            "a*",
		"a{b,c}d":       "abd acd",
		"{a,b}{c,d}":    "ac ad bc bd",
		"{a,b{c,d}}":    "a bc bd",
		"*.{ts,tsx}":    "*.ts *.tsx",
		"{,x}a":         "a xa",
		"{}":            "{}",
		"{a}":           "{a}",
		"{{a,b}}":       "{a} {b}",
		"{a,b":          "{a,b",
		"a,b}":          "a,b}",
		"${x}{a,b}":     "${x}a ${x}b",
		"{한글,b}":        "한글 b",
		"**/a":          "a */a",
		"src/**/a":      "src/a src/*/a",
		"src/**":        "src/**",
		"**/{a,b}/**/c": "a/c a/*/c b/c b/*/c */a/c */a/*/c */b/c */b/*/c",
	} {
		if got := strings.Join(Braces(pattern), " "); got != want {
			t.Errorf("Braces(%q) = %q, want %q", pattern, got, want)
		}
	}
	for _, hostile := range []string{
		strings.Repeat("{a,b}", 6), strings.Repeat("{a,b}", 200), "{" + strings.Repeat(",", maxBraces) + "}", strings.Repeat("{", maxPattern+1),
	} {
		if got := Braces(hostile); got != nil {
			t.Errorf("Braces of %d bytes stands for %d patterns, want none", len(hostile), len(got))
		}
	}
}

// TestBracesEnd asserts that no pattern is much work.
func TestBracesEnd(t *testing.T) {
	for _, s := range []string{"{a,b}", "{", "{a,", "{{a,b},", "{,", "a{b,{c,d}}"} {
		start := time.Now()
		Braces(strings.Repeat(s, maxPattern/len(s)))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%d bytes of %q took %v", maxPattern, s, took)
		}
	}
}

// TestBracesInRules asserts that lists of patterns have alternatives spelled out, and that too many are told.
func TestBracesInRules(t *testing.T) {
	const head = "[[rule]]\nid = \"own.x\"\naction = \"ask\"\nwhy = \"w\"\ninstead = \"i\"\nhits = [\"a\", \"b\"]\nmisses = [\"c\", \"d\"]\nprogram = \"x{1,2}\"\n"
	r, err := DecodeRisks("x.toml", []byte(head+"args = { operands = [\"*.{a,b}\", \"{}\"], flags = \"-{f,g}|--x\", argument = {} }\n"), ByUser)
	if err != nil {
		t.Fatal(err)
	}
	one := r.Rules[0]
	for name, list := range map[string][]string{"x1 x2": one.Programs.List(), "*.a *.b {}": one.When.Operands.List(), "-f -g --x": one.When.Flags[0].List()} {
		if got := strings.Join(list, " "); got != name {
			t.Errorf("read %q, want %q", got, name)
		}
	}
	files, err := DecodeRisks("x.toml", []byte("[[files]]\nis = \"agent\"\nglobs = [\"*.{A,b}\"]\n"), ByUser)
	if err != nil || strings.Join(files.Files[0].Globs, " ") != "*.a *.b" {
		t.Errorf("globs of files: %v, %v", files, err)
	}
	for _, pattern := range []string{"operands = \"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\"", "flags = \"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\""} {
		if _, err := DecodeRisks("x.toml", []byte(head+"args = { "+pattern+" }\n"), ByUser); err == nil || !strings.Contains(err.Error(), "stands for more than 32") {
			t.Errorf("%s: %v, want it refused", pattern, err)
		}
	}
	if _, err := DecodeRisks("x.toml", []byte("[[allow]]\nrule = \"git.x\"\nreason = \"r\"\npath = \""+strings.Repeat("{a,b}", 9)+"\"\n"), ByUser); err == nil {
		t.Error("an exception with too many alternatives is taken")
	}
}
