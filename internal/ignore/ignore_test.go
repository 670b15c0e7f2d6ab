package ignore

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWildmatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		flags         Flags
		want          bool
	}{
		{"foo", "foo", 0, true},
		{"foo", "bar", 0, false},
		{"???", "foo", 0, true},
		{"??", "foo", 0, false},
		{"*", "a/b", 0, true},
		{"*", "a/b", Pathname, false},
		{"**", "a/b", Pathname, true},
		{"a/**", "a/b/c", Pathname, true},
		{"a/**/b", "a/b", Pathname, true},
		{"a/**/b", "a/x/y/b", Pathname, true},
		{"**/b", "b", Pathname, true},
		{"a**b", "a/b", Pathname, false},
		{"a**b", "axxb", Pathname, true},
		{"[a-c]", "b", 0, true},
		{"[!a-c]", "b", 0, false},
		{"[^a-c]", "d", 0, true},
		{"[]-]", "]", 0, true},
		{"[[:digit:][:upper:][:space:]]", "A", 0, true},
		{"[[:digit:][:upper:][:space:]]", "_", 0, false},
		{"[[:unknown:]]", "a", 0, false},
		{"[a-", "a", 0, false},
		{`\*`, "*", 0, true},
		{`\`, `\`, 0, false},
		{`[\-_]`, "-", 0, true},
		{"[,-.]", "-", 0, true},
		{"*/foo", "a/foo", Pathname, true},
		{"*/foo", "a/b/foo", Pathname, false},
		{"FOO*", "foobar", Fold, true},
		{"[A-Z]x", "ax", Fold, true},
		{"[[:upper:]]", "a", Fold, true},
		{"[[:upper:]]", "a", 0, false},
		{"[a/b]c", "/c", Pathname, false},
		{"한*", "한글", 0, true},
	} {
		if got := Wildmatch(c.pattern, c.text, c.flags); got != c.want {
			t.Errorf("Wildmatch(%q, %q, %d) = %v, want %v", c.pattern, c.text, c.flags, got, c.want)
		}
	}
}

// A pattern of nested "**/" takes exponential time without a bound.
func TestWildmatchIsBounded(t *testing.T) {
	for _, p := range []string{strings.Repeat("**/a/", 40) + "b", strings.Repeat("a*", 400) + "b", strings.Repeat("*", 4000)} {
		w := wild{flags: Pathname, steps: maxSteps}
		w.run(p, strings.Repeat("a/", 200)+strings.Repeat("a", 500))
		if w.steps < -10_000 {
			t.Errorf("Wildmatch of %.20q… took %d steps more than allowed", p, -w.steps)
		}
	}
}

// tree reads rule files from a map of directory to content.
func tree(files map[string]string) func(string) []byte {
	return func(dir string) []byte {
		if s, ok := files[dir]; ok {
			return []byte(s)
		}
		return nil
	}
}

func TestMatch(t *testing.T) {
	m := New(Options{
		Read: tree(map[string]string{
			"":         "*.o\n!keep.o\nbuild/\n/top\nout/\n!out/keep\n# comment\n\\#hash\n\\!bang\nspace\\ \ntrail   \nslashes**//\n",
			"sub/":     "!x.o\n*.tmp\n",
			"sub/own/": "*\n!.gitignore\n",
		}),
		Lower: func() [][]byte { return [][]byte{[]byte("*.global\nboth\n"), []byte("*.excl\n!both\n")} },
	})
	for _, c := range []struct {
		path string
		dir  bool
		want bool
	}{
		{"a.o", false, true},
		{"keep.o", false, false},
		{"sub/a.o", false, true},
		{"sub/x.o", false, false},
		{"build", true, true},
		{"build", false, false},
		{"build/any/thing", false, true},
		{"sub/build/x", false, true},
		{"top", false, true},
		{"sub/top", false, false},
		{"out/keep", false, true}, // the parent is excluded
		{"#hash", false, true},
		{"!bang", false, true},
		{"space ", false, true},
		{"trail", false, true},
		{"slashes", true, true}, // "**/" may stand for nothing
		{"x.global", false, true},
		{"x.excl", false, true},
		{"both", false, false}, // info/exclude ranks above core.excludesFile
		{"sub/y.tmp", false, true},
		{"y.tmp", false, false},
		{"sub/own/f", false, true},
		{"sub/own/.gitignore", false, false},
		{"", true, false},
	} {
		if got := m.Match(c.path, c.dir); got != c.want {
			t.Errorf("Match(%q, %v) = %v, want %v", c.path, c.dir, got, c.want)
		}
	}
	if v, p := m.Dir("sub").Find("a.o", false); v != Exclude || p != "*.o" {
		t.Errorf("Find(a.o) = %v, %q, want the pattern *.o", v, p)
	}
}

func TestRulesAreReadLazily(t *testing.T) {
	var read []string
	m := New(Options{Read: func(dir string) []byte { read = append(read, dir); return nil }})
	d := m.Root().Child("a").Child("b")
	if len(read) != 0 {
		t.Fatalf("going down read %q, want nothing", read)
	}
	d.NoFile()
	d.Match("x", false)
	d.Match("y", false)
	if got := strings.Join(read, ","); got != "a/," {
		t.Errorf("Match read %q, want each file above once and none of the directory without one", got)
	}
}

func TestAttributes(t *testing.T) {
	a := NewAttributes(AttributeOptions{
		Read: tree(map[string]string{
			"":   "[attr]mine text eol=crlf -diff\n*.txt mine\n*.bin binary\n*.c text=auto whitespace=tab,space\n\"quo ted\" set1\n!neg text\ndir/ text\n*.bad 9$x\n",
			"d/": "*.txt !eol -text\n/x.txt eol=lf\n",
		}),
		Lower: func() [][]byte { return [][]byte{[]byte("* low=1\n*.c low=2\n")} },
		Upper: func() []byte { return []byte("top.c -text\n") },
	})
	for _, c := range []struct {
		path, attr string
		want       Value
	}{
		{"a.txt", "text", Set},
		{"a.txt", "eol", "crlf"},
		{"a.txt", "diff", Unset},
		{"a.txt", "mine", Set},
		{"d/a.txt", "eol", Unspecified},
		{"d/a.txt", "text", Unset},
		{"d/a.txt", "diff", Unset},
		{"d/x.txt", "eol", "lf"},
		{"d/e/x.txt", "eol", Unspecified},
		{"a.bin", "text", Unset},
		{"a.bin", "merge", Unset},
		{"a.c", "text", "auto"},
		{"a.c", "whitespace", "tab,space"},
		{"a.c", "low", "2"},
		{"top.c", "text", Unset},
		{"quo ted", "set1", Set},
		{"dir/x", "text", Unspecified},
		{"neg", "text", Unspecified},
		{"x.bad", "9$x", Unspecified},
		{"any", "low", "1"},
	} {
		if got := a.Lookup(c.path, c.attr)[0]; got != c.want {
			t.Errorf("Lookup(%q, %q) = %q, want %q", c.path, c.attr, got, c.want)
		}
	}
}

func FuzzWildmatch(f *testing.F) {
	f.Add("a/**/b*[!c-d]", "a/x/bx", byte(1))
	f.Add("[[:alpha:]-]]", "]", byte(0))
	f.Fuzz(func(t *testing.T, pattern, text string, flags byte) {
		got := Wildmatch(pattern, text, Flags(flags&3))
		// Without wildcards a pattern is its own only match.
		if !strings.ContainsAny(pattern, wildcards) && flags&2 == 0 && got != (pattern == text) {
			t.Errorf("Wildmatch(%q, %q) = %v", pattern, text, got)
		}
		// A star in front of a pattern that matches keeps matching, when it may match nothing.
		if got && flags&1 == 0 && !strings.HasPrefix(pattern, "*") && len(pattern) < 100 && len(text) < 100 && !Wildmatch("*"+pattern, text, Flags(flags&3)) {
			t.Errorf("Wildmatch(%q, %q) = false although it holds without the star", "*"+pattern, text)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("*.o\n!a\n/b/\n\\ \n", "b/c.o")
	f.Fuzz(func(t *testing.T, rules, path string) {
		m := New(Options{Read: tree(map[string]string{"": rules})})
		got := m.Match(path, false)
		// What is below an ignored directory is ignored.
		if got != m.Match(path, false) {
			t.Error("Match is not stable")
		}
		if i := strings.LastIndexByte(strings.Trim(path, "/"), '/'); i > 0 && m.Match(strings.Trim(path, "/")[:i], true) && !got {
			t.Errorf("Match(%q) = false below an ignored directory, rules %q", path, rules)
		}
		a := NewAttributes(AttributeOptions{Read: tree(map[string]string{"": rules})})
		a.Lookup(path, "text", "eol")
	})
}

func BenchmarkMatch(b *testing.B) {
	m := New(Options{Read: tree(map[string]string{"": "node_modules/\n*.log\n*.tmp\n/dist\n**/cache/\n*.py[co]\n.env*\n!/.env.example\nbuild/\n"})})
	d := m.Root().Child("src").Child("pkg")
	b.ReportAllocs()
	for b.Loop() {
		d.Match("component.tsx", false)
	}
}

// A long list is searched by what its patterns ask for, and answers as a search of all its patterns does.
func TestLongLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	word := func(letters string, most int) string {
		b := make([]byte, 1+rnd.IntN(most))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		return string(b)
	}
	found, asked := 0, [kindsOfChains]int{}
	for round := range 400 {
		most := 4 + round%5
		var lines []string
		for range 2 * manyPatterns {
			line := word("!aAb*?[]/\\c", most)
			if rnd.IntN(3) == 0 {
				line = word("aAb*/", most) + word("abAB", most)
			}
			lines = append(lines, line)
		}
		p := Parse([]byte(strings.Join(lines, "\n")))
		if p.chains == nil && p.Len() >= manyPatterns {
			t.Fatal("no chains")
		}
		for i := range p.list {
			kind, _ := p.list[i].asks()
			asked[kind]++
		}
		all := &Patterns{list: p.list}
		for _, fold := range []bool{false, true} {
			m := New(Options{Fold: fold})
			for range 100 {
				rel, isDir := word("aAbBc]*", most), rnd.IntN(2) == 0
				base := rel
				if rnd.IntN(2) == 0 {
					rel = word("aAb/", most) + "/" + rel
				}
				got, by := p.find(rel, base, isDir, m)
				want, wantBy := all.find(rel, base, isDir, m)
				if got != want || by != wantBy {
					t.Fatalf("%q in %q: %v by %q, want %v by %q", rel, lines, got, by, want, wantBy)
				}
				if got != Undecided {
					found++
				}
			}
		}
	}
	if found < 1000 || slices.Min(asked[:]) < 100 {
		t.Errorf("only %d names were decided, by lists with so many patterns of each kind: %d", found, asked)
	}
}

// Patterns that ask for anything of a path are compared with it, and hardly any others.
func TestLongListsCompareFew(t *testing.T) {
	var lines, rules strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&lines, "*some%dlong*name%d\nbuild%d*\n/src/x%d/**\n", i, i, i, i)
		fmt.Fprintf(&rules, "*some%dlong*name%d text\ndata%d*x/* -text\n", i, i, i)
	}
	p, f := Parse([]byte(lines.String())), parseAttributes([]byte(rules.String()), "", false)
	for _, path := range []string{"component.tsx", "deep/down/main.go", "a1"} {
		for what, c := range map[string]search{
			"patterns":   p.chains.search(p.Len(), path, filepath.Base(path)),
			"attributes": f.chains.search(len(f.rules), path, filepath.Base(path)),
		} {
			n := 0
			for c.next() > 0 {
				n++
			}
			if n > 20 {
				t.Errorf("%s is compared with %d %s", path, n, what)
			}
		}
	}
}
