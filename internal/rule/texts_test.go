package rule

import (
	"slices"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, list := range [][]string{nil, {""}, {"a"}, {"a", ""}, {"", "a"}, {"a\nb", "c\x00d", "é"}, {"a", "ab", "abc", "b", "ba", "c"}} {
		texts := NewTexts(list...)
		if got := texts.List(); !slices.Equal(got, list) {
			t.Errorf("List of %q is %q", list, got)
		}
		if got := texts.Len(); got != len(list) {
			t.Errorf("Len of %q is %d", list, got)
		}
		if len(list) > 0 && texts.First() != list[0] {
			t.Errorf("First of %q is %q", list, texts.First())
		}
		sorted := slices.Sorted(slices.Values(list))
		inOrder := NewTexts(sorted...)
		for _, word := range append([]string{"", "a", "aa", "ab", "bb", "d", "é", "\n"}, list...) {
			want := slices.Contains(list, word)
			if got := texts.Has(word); got != want {
				t.Errorf("%q.Has(%q) = %t", list, word, got)
			}
			if got := inOrder.HasSorted(word); got != want {
				t.Errorf("%q.HasSorted(%q) = %t", sorted, word, got)
			}
			if got := texts.Meets(func(s string) bool { return s == word }); got != want {
				t.Errorf("%q.Meets(%q) = %t", list, word, got)
			}
		}
	}
}

// TestTextsStop: who has seen enough is asked no more.
func TestTextsStop(t *testing.T) {
	var seen []string
	for s := range NewTexts("a", "b", "c").All() {
		if seen = append(seen, s); s == "b" {
			break
		}
	}
	if !slices.Equal(seen, []string{"a", "b"}) {
		t.Errorf("saw %q", seen)
	}
}
