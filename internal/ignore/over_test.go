package ignore

import (
	"fmt"
	"strings"
	"testing"
)

// So many intricate patterns take seconds for some thousand names: past the bound a name counts as ignored, and it is said.
func TestTooManyPatternsForTheNames(t *testing.T) {
	var list strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&list, "**/a*b*c*d%d*e*/**/x*\n", i)
	}
	m := New(Options{Read: tree(map[string]string{"": list.String(), "few/": "*.o\n"}), Most: 1_000_000})
	name := strings.Repeat("abcd", 10)
	if m.Match("many/"+name+"0", false) || m.Over() {
		t.Fatal("the first name is not within the bound")
	}
	n := 1
	for ; n < 1000 && !m.Over(); n++ {
		m.Match(fmt.Sprintf("many/%s%d", name, n), false)
	}
	if n == 1000 {
		t.Fatal("there is no bound")
	}
	if !m.Match("many/"+name+"x", false) {
		t.Error("a name past the bound counts as not ignored")
	}
	if took := m.took.Load(); took > 2_000_000 {
		t.Errorf("%d steps were taken", took)
	}
}

// Ordinary lists cost nothing of the bound, however many names there are.
func TestOrdinaryListsAreNotCounted(t *testing.T) {
	m := New(Options{Read: tree(map[string]string{"": "*.o\n!keep.o\nbuild/\n/top\n**/cache/*.tmp\n"}), Most: 10})
	for i := range 10_000 {
		m.Match(fmt.Sprintf("src/dir/%d.c", i), false)
	}
	if m.Over() {
		t.Errorf("%d steps were counted", m.took.Load())
	}
}

// Patterns full of stars that hold a name which is nowhere in the path cost next to nothing, however deep the path is.
func TestNamesThatAreMissing(t *testing.T) {
	var list strings.Builder
	stars, deep := strings.Repeat("**/", 20), strings.Repeat("/**/a", 10)
	for i := range 500 {
		fmt.Fprintf(&list, "%sx%d%s\n", stars, i, deep)
	}
	list.WriteString(stars + "x[0]y\n" + stars + "x3" + deep + "z\n")
	m := New(Options{Read: tree(map[string]string{"": list.String()}), Most: 200_000})
	d := m.Root()
	for range 60 {
		if d.Match("a", true) {
			t.Fatal("a folder that no pattern speaks about is ignored")
		}
		d = d.Child("a")
	}
	if m.Over() {
		t.Errorf("%d steps were counted", m.took.Load())
	}
	// What they do speak about is found all the same.
	for _, path := range [...]string{"x7" + strings.ReplaceAll(deep, "**/", ""), "b/x7/c" + strings.ReplaceAll(deep, "**/", "")} {
		if !m.Match(path, true) {
			t.Errorf("%s is not ignored", path)
		}
	}
	if !m.Match("b/x0y", false) {
		t.Error("what stands in a bracket is taken for a piece")
	}
}

// Each name adds to the bound: many names in a list of some hundred patterns are no attack.
func TestManyNames(t *testing.T) {
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "**/b*%d\n", i)
	}
	m := New(Options{Read: tree(map[string]string{"": list.String()}), Most: 1000})
	for i := range 50_000 {
		m.Match(fmt.Sprintf("src/a%d", i), false)
	}
	if m.Over() {
		t.Errorf("%d steps were counted", m.took.Load())
	}
}
