package verify

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// maxWhy is how much of a message is kept to explain what it was taken for.
const maxWhy = 200

// Said reads what a verifier's last message comes to, and the line that made it so.
func (t *Tables) Said(message string) (f Finding, why string) {
	text := strings.TrimSpace(message)
	if text == "" {
		return Unable, "it gave no answer"
	}
	if t.FromClient(text) {
		return Unable, term.Clip(firstLine(text), maxWhy)
	}
	lines := strings.Split(text, "\n")
	if f, i := t.decision(lines); f != "" {
		why = strings.TrimSpace(lines[i])
		if f == Found {
			why += foundIn(lines, i)
		}
		return f, term.Clip(why, maxWhy)
	}
	for _, line := range lines {
		for sentence := range strings.FieldsFuncSeq(line, endsSentence) {
			s := strings.ToLower(sentence)
			switch w := &t.Agents.Words; {
			case holds(s, w.Except):
			case holds(s, w.Unable):
				return Unable, term.Clip(strings.TrimSpace(line), maxWhy)
			case holds(s, w.Found):
				return Found, term.Clip(strings.TrimSpace(line), maxWhy)
			}
		}
	}
	return Passed, term.Clip(firstLine(text), maxWhy)
}

// foundIn is the first line that says what was found, with a blank before it: below the verdict, else above it and no heading. It is "" where the
// line of the verdict has words of its own before it.
func foundIn(lines []string, verdict int) string {
	for _, line := range lines[verdict+1:] {
		if line = strings.TrimSpace(line); line != "" {
			return " " + line
		}
	}
	if strings.ContainsFunc(plain(lines[verdict]), endsSentence) {
		return ""
	}
	for _, line := range lines[:verdict] {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasSuffix(strings.TrimRight(line, "*_"), ":") {
			return " " + line
		}
	}
	return ""
}

// decision is the last verdict of an answer, and its line: one of its own, or behind other sentences of the last one.
func (t *Tables) decision(lines []string) (f Finding, at int) {
	for i := len(lines) - 1; i >= 0; i-- {
		line := plain(lines[i])
		if f, _ := verdict(&t.Agents.Verdict, line); f != "" {
			return f, i
		}
		if i < len(lines)-1 {
			continue
		}
		for _, sentence := range slices.Backward(strings.FieldsFunc(line, endsSentence)) {
			if f, more := verdict(&t.Agents.Verdict, strings.TrimSpace(sentence)); f != "" && (more == "" || strings.HasPrefix(more, " (")) {
				return f, i
			}
		}
	}
	return "", 0
}

// Decides reports an answer with a verdict.
func (t *Tables) Decides(answer string) bool {
	f, _ := t.decision(strings.Split(strings.TrimSpace(answer), "\n"))
	return f != ""
}

// Rules reports a definition that asks for a verdict on a line of its own.
func (t *Tables) Rules(text string) bool {
	for line := range strings.Lines(text) {
		if f, _ := verdict(&t.Agents.Verdict, plain(line)); f != "" {
			return true
		}
	}
	return false
}

// plain is a line without what Markdown sets around words, in lower case.
func plain(line string) string {
	return strings.ToLower(strings.Trim(strings.NewReplacer("*", "", "`", "", "_", "").Replace(line), " \t\r#>-"))
}

func endsSentence(r rune) bool { return strings.ContainsRune(".!?;。", r) }

// verdict reads a line such as "verdict: pass", and what stands behind it there; f is "" for any other.
func verdict(v *rule.Verdict, line string) (f Finding, more string) {
	for _, name := range v.Line {
		rest, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " \t")
		word := strings.TrimLeft(rest, ":： =-–—")
		if word == rest { // "results of the tests" is a sentence
			continue
		}
		for _, one := range []struct {
			f     Finding
			words []string
		}{{Unable, v.Unable}, {Passed, v.Passed}, {Found, v.Found}} {
			if more, ok := behind(word, one.words); ok {
				return one.f, more
			}
		}
	}
	return "", ""
}

// behind is what follows one of the words with which a text begins, where it does not begin with a longer one.
func behind(text string, words []string) (more string, ok bool) {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(text, w); ok && (rest == "" || !isLetter(rest[0])) {
			return rest, true
		}
	}
	return "", false
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

func holds(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// FromClient reports a message that the client wrote in place of the model.
func (t *Tables) FromClient(message string) bool {
	text := strings.TrimSpace(message)
	return slices.ContainsFunc(t.Agents.Client, func(begins string) bool {
		return len(text) >= len(begins) && strings.EqualFold(text[:len(begins)], begins)
	})
}

// Asks reports a message that ends with a question: the session waits for the user.
func Asks(message string) bool {
	text := strings.TrimRight(message, " \t\r\n*_`)\"'”’")
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}
