package secret

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

// TestWordsAreFound compares one pass over a text with a search for one word after the other, on texts that are made of the
// words, of parts of them, and of what looks like them to the filter.
func TestWordsAreFound(t *testing.T) {
	rules := *builtin(t)
	rules.Formats = append(slices.Clone(rules.Formats), rule.Token{Word: "sk"}, rule.Token{Word: "a_b"}, rule.Token{Word: "키"})
	table := NewIndex(&rules)
	var words []*Word
	for _, lists := range [...][][]Word{table.Head[:], table.Short[:]} {
		for _, list := range lists {
			for i := range list {
				words = append(words, &list[i])
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for b.Len() < 200 {
			w := words[random.IntN(len(words))].Text
			switch random.IntN(6) {
			case 0:
				w = strings.ToUpper(w)
			case 1:
				w = w[:random.IntN(len(w)+1)]
			case 2:
				w = strings.ReplaceAll(w, "_", "\x7f") // the same but for the bit of the case
			case 3:
				w = " 토큰 İ\n"
			}
			b.WriteString(w)
		}
		text := b.String() + "."
		type hit struct {
			word Word
			at   int
		}
		got, want := map[hit]bool{}, map[hit]bool{}
		table.each(text, func(w *Word, at int) bool { got[hit{*w, at}] = true; return true })
		low := []byte(text) // not strings.ToLower, which may change the length
		for i, c := range low {
			if 'A' <= c && c <= 'Z' {
				low[i] = c + 'a' - 'A'
			}
		}
		for _, word := range words {
			for at := range low {
				if bytes.HasPrefix(low[at:], []byte(word.Text)) && at+2 < len(low) {
					want[hit{*word, at}] = true
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("scan(%q) (-want +got):\n%s", text, diff)
		}
	}
}
