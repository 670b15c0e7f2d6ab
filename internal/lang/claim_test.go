package lang

import (
	"regexp"
	"strings"
	"testing"
	"testing/quick"
)

var claimSet = []Claim{
	{Lang: 1, Line: []string{"@interface", "#import <"}},
	{Lang: 2, Line: []string{"class ", "template <", "try"}, Text: []string{"std::"}, Not: []string{"plain C"}},
	{Lang: 3, Fold: true, Line: []string{"go\n", "create table"}, Text: []string{"declare @"}, With: []string{";"}},
	{Lang: 4, Start: []string{"<?xml"}, In: []string{"i18n"}},
	{Lang: 5, Word: []string{"fn"}},
}

func TestDecide(t *testing.T) {
	d := newDecider(claimSet)
	for _, test := range []struct {
		path, head string
		want       int
	}{
		{"a.h", "int x;\n@interface A\nclass B {\n", 0},
		{"a.h", "\t  class  B {", 1},
		{"a.h", "// plain C\nclass B", -1},
		{"a.h", "subclass x", -1},
		{"a.h", "x = std::move(y)", 1},
		{"a.sql", "GO", -1},
		{"a.sql", "select 1;\nGO", 2},
		{"a.sql", "Create   Table x;", 2},
		{"a.sql", "DECLARE @x int;", 2},
		{"a.ts", "<?xml version", -1},
		{"src/i18n/a.ts", "<?xml version", 3},
		{"src/my-i18n-files/a.ts", "<?xml version", 3},
		{"a.v", "pub fn main()", 4},
		{"a.v", "fnord", -1},
		{"a.v", "", -1},
	} {
		if got, why := d.decide(test.path, []byte(test.head)); got != test.want {
			t.Errorf("decide(%q, %q) = %d (%s), want %d", test.path, test.head, got, why, test.want)
		}
	}
}

// FuzzDecide compares the single pass with asking claim by claim, line by line.
func FuzzDecide(f *testing.F) {
	f.Add("a.h", "class X;\nstd::y\n")
	f.Add("i18n/x.ts", "<?xml go\n;\nGO\n")
	f.Fuzz(func(t *testing.T, path, head string) {
		got, _ := newDecider(claimSet).decide(path, []byte(head))
		if want := slowDecide(claimSet, path, head); got != want {
			t.Errorf("decide(%q, %q) = %d, want %d", path, head, got, want)
		}
	})
}

func slowDecide(claims []Claim, path, head string) int {
	for i := range claims {
		k := &claims[i]
		in := head
		if k.Fold {
			in = strings.ToLower(head)
		}
		hit := false
		for _, s := range k.Text {
			hit = hit || strings.Contains(in, s)
		}
		for _, s := range k.Start {
			hit = hit || strings.HasPrefix(in, s)
		}
		for _, s := range k.Word {
			hit = hit || containsWord([]byte(in), s)
		}
		for _, p := range k.Line {
			re := strings.ReplaceAll(regexp.QuoteMeta(p), " ", "[ \\t]+")
			re = strings.ReplaceAll(re, "\n", "(\\n|\\z)")
			if k.Fold {
				re = "(?i)" + re
			}
			hit = hit || regexp.MustCompile(`(?m)^[ \t\r]*`+strings.Replace(re, "(?i)", "", 1)).MatchString(foldIf(k.Fold, head))
		}
		for _, s := range k.With {
			hit = hit && strings.Contains(in, s)
		}
		for _, s := range k.Not {
			hit = hit && !strings.Contains(in, s)
		}
		if hit && k.below(path) {
			return i
		}
	}
	return -1
}

// foldIf lowers ASCII letters only, as beginsLine does.
func foldIf(fold bool, s string) string {
	if !fold {
		return s
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// TestMatch compares the small pattern language with regular expressions.
func TestMatch(t *testing.T) {
	alphabet := []byte("ab.1*~#-")
	word := func(seed uint64, n int, set []byte) string {
		var b strings.Builder
		for range n {
			b.WriteByte(set[seed%uint64(len(set))])
			seed /= uint64(len(set))
		}
		return b.String()
	}
	same := func(p, s uint64, pn, sn uint8) bool {
		pattern, name := word(p, int(pn%7), alphabet), word(s, int(sn%9), []byte("ab.1-"))
		re := strings.NewReplacer(`\*`, `[^/]*`, "~", `[^/.]*`, "#", `[0-9]+`).Replace(regexp.QuoteMeta(pattern))
		want := regexp.MustCompile(`\A` + re + `\z`).MatchString(name)
		if got := match(pattern, name); got != want {
			t.Logf("match(%q, %q) = %v, want %v", pattern, name, got, want)
			return false
		}
		return true
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}

func TestAlternatives(t *testing.T) {
	got := strings.Join(alternatives("{a,b}x{1,2}"), " ")
	if want := "ax1 ax2 bx1 bx2"; got != want {
		t.Errorf("alternatives = %q, want %q", got, want)
	}
	if got := alternatives("{a"); len(got) != 1 || got[0] != "{a" {
		t.Errorf("alternatives of an open group = %q", got)
	}
}
