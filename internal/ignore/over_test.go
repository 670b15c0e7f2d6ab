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
