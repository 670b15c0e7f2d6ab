package jit

import (
	"strings"
	"testing"
	"time"
)

// FuzzParse: no prompt upsets the parser, found words lie inside it, and nothing counts inside a code block,
// a quoted line or an element.
func FuzzParse(f *testing.F) {
	table := contexts(f)
	for _, s := range []string{
		"ulw fix", "`ulw` \"ulw\" 'ulw'", "<a>ulw</a> ulw", "```\nulw", "https://x/ulw ulw", "/alfred:1-plan x", "@agent-tag-agent", "@\"x (agent)\"",
		"울트라워크로 해줘", "ウルトラワークで", "mode: search", "[search-mode]", "테스트", "“ulw", "\xff ulw\xe3", "<a ", "<!--", "「ulw」", ": ulw", "# ulw", "a\n- ulw: x", "[ulw]\na = b", "ulw #1, A-002 and",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		p := Parse(table, prompt)
		for _, h := range p.hits {
			if h.at < 0 || h.end > len(p.text) || h.at >= h.end {
				t.Fatalf("hit %d:%d of %d bytes", h.at, h.end, len(p.text))
			}
		}
		p.Modes("all")
		if strings.ContainsAny(prompt, "`~<>") {
			return
		}
		for _, hidden := range []string{"```\n" + prompt + "\n```", "> " + strings.ReplaceAll(prompt, "\n", "\n> ")} {
			q := Parse(table, hidden)
			if m := q.Modes("all"); len(m) > 0 {
				t.Fatalf("%q switches %s on", hidden, m[0].Name)
			}
			if len(q.hits) > 0 {
				t.Fatalf("%q calls %+v", hidden, q.hits)
			}
		}
	})
}

// A prompt made to be slow is not. A megabyte takes some 20 ms; a search repeated from each of its places
// would take minutes, so the bound holds on a busy machine too.
func TestParseBounded(t *testing.T) {
	table := contexts(t)
	for _, unit := range []string{
		"ulw ", "`", "` ``", "<a>", "<a ", "\"", "“", "'a ", "://", "@agent-x ", "@\"", "「", "<!--", "test ", "ulw, ", "\n", "$ x\n", "\u1100",
		"'ulw ", "\"ulw ", "“ulw ", "「ulw ", "<b ulw ", "<!--ulw ", "- ulw\n", "+a\n-ulw\n", "mode: ", "https://ulw ", "/alfred:1-plan ", "테스트 ", "ulw #1 and ",
	} {
		// The word at the end makes everything before it be looked at; a longer prompt would be cut before it.
		const end = " ulw"
		prompt := strings.Repeat(unit, (maxPrompt-len(end))/len(unit)) + end
		start := time.Now()
		p := Parse(table, prompt)
		p.Modes("all")
		p.Documents(t.TempDir(), nil, 0)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("a megabyte of %q took %v", unit, d)
		}
	}
}
