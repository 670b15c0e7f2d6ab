package jit

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func lines(t *testing.T, name string) []string {
	t.Helper()
	data := kit.Read(t, name)
	var out []string
	for line := range strings.Lines(data) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	return out
}

// No ordinary prompt switches a mode on.
func TestPrecision(t *testing.T) {
	table := contexts(t)
	all := lines(t, "testdata/ordinary.txt")
	if len(all) < 500 {
		t.Fatalf("%d ordinary prompts, want 500 at least", len(all))
	}
	for _, prompt := range all {
		for _, m := range Parse(table, prompt).Modes("rare") {
			t.Errorf("%q switches %s on", prompt, m.Name)
		}
		if strings.Contains(prompt, "```") {
			continue
		}
		// The same words in the places where words are not the user's own.
		for _, quoted := range []string{"```\n" + prompt + "\n```", "> " + strings.ReplaceAll(prompt, "\n", "\n> "), "<x>\n" + prompt + "\n</x>"} {
			for _, m := range Parse(table, quoted).Modes("rare") {
				t.Errorf("%q switches %s on", quoted, m.Name)
			}
		}
	}
}

// Every intended form is recognised, also between other paragraphs.
func TestRecall(t *testing.T) {
	table := contexts(t)
	for _, line := range lines(t, "testdata/intended.txt") {
		want, prompt, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no tab in %q", line)
		}
		got := Parse(table, prompt).Modes("")
		if len(got) != 1 || got[0].Name != want {
			t.Errorf("Modes(%q) = %v, want %s", prompt, got, want)
		}
		if off := Parse(table, prompt).Modes("off"); off != nil {
			t.Errorf("Modes(%q, off) = %v, want none", prompt, off)
		}
		for _, quoted := range []string{"```\n" + prompt + "\n```", "> " + strings.ReplaceAll(prompt, "\n", "\n> ")} {
			if strings.Contains(prompt, "```") {
				continue
			}
			for _, m := range Parse(table, quoted).Modes("rare") {
				t.Errorf("%q switches %s on", quoted, m.Name)
			}
		}
	}
}
