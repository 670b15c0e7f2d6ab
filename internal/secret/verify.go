package secret

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Verify runs every example of a table. Formats are tried alone, so that none hides behind another, and those with a prefix with
// made-up keys of their own.
func Verify(s *rule.Secrets) (problems []*rule.Problem) {
	all := New(s)
	alone := map[string]*Table{}
	for i := range s.Formats {
		f := &s.Formats[i]
		alone[f.ID] = New(&rule.Secrets{Formats: s.Formats[i : i+1], Known: s.Known, Hosts: s.Hosts, Passwords: s.Passwords})
		if n := found(alone[f.ID], f); n < rounds-2 {
			problems = append(problems, &rule.Problem{File: "rules/secrets/formats.toml", ID: f.ID, Text: fmt.Sprintf("%d of %d made-up keys are found: its numbers do not fit each other", n, rounds)})
		}
	}
	for _, e := range s.Examples {
		if e.Name {
			// Some of the names are in families of the guard, which are tried with the rest.
			if got := all.Copied(e.Text, nil); got != e.Hit {
				problems = append(problems, &rule.Problem{File: e.File, ID: e.ID, Text: fmt.Sprintf("%q is kept back for its name: %t", e.Text, got)})
			}
			continue
		}
		t := all
		if e.Format {
			t = alone[e.ID]
		}
		if text := try(all, t, &e); text != "" {
			problems = append(problems, &rule.Problem{File: e.File, Line: e.Line, ID: e.ID, Text: text})
		}
	}
	return problems
}

// rounds is how many keys of a format are made up.
const rounds = 20

// found counts made-up keys that are found, or at least masked where the format is for that alone. By chance one may hold a word
// of the examples or repeat itself.
func found(t *Table, f *rule.Token) (n int) {
	if len(f.Prefixes) == 0 || f.Dots != "" || f.Back > 0 || len(f.Near) > 0 {
		return rounds // their examples say what they look like
	}
	seed := uint64(1)
	for range rounds {
		body := madeUp(f.Chars, max(f.Min, f.Mask), &seed)
		if f.Max > 0 {
			body = madeUp(f.Chars, f.Min, &seed)
		}
		if f.Chars == "login" || f.Chars == "dsn" || !shaped(f, body) {
			return rounds // no letters alone make one
		}
		text := "value: \"" + f.Prefixes[0] + body + "\""
		if (f.Max == 0 || len(t.Find(text)) > 0) && !strings.Contains(t.Mask(text), body) {
			n++
		}
	}
	return n
}

// secretWord stands for a secret in the examples of names and programs.
const secretWord = "HIDDEN"

// try runs one example, and says what is wrong with it.
func try(all, t *Table, e *rule.SecretExample) string {
	text, parts := e.Text, []string{"hunter2Xq7"}
	if e.Format {
		text, parts = Expand(e.Text)
	} else {
		text = strings.ReplaceAll(text, secretWord, parts[0])
	}
	if !e.Hit {
		if e.Format && t.Secrets.Formats[0].Max > 0 {
			if len(t.Find(text)) > 0 {
				return fmt.Sprintf("miss %q is found", e.Text)
			}
			return ""
		}
		if masked := t.Mask(text); masked != text {
			return fmt.Sprintf("miss %q is masked: %q", e.Text, masked)
		}
		return ""
	}
	if text == e.Text && !e.Format {
		return fmt.Sprintf("hit %q holds no %s", e.Text, secretWord)
	}
	if e.Format && t.Secrets.Formats[0].Max > 0 && len(t.Find(text)) == 0 {
		return fmt.Sprintf("hit %q is not found", e.Text)
	}
	for _, one := range []*Table{t, all} {
		masked := one.Mask(text)
		for _, part := range parts {
			if len(part) > 3 && strings.Contains(masked, part) {
				return fmt.Sprintf("hit %q is masked as %q", e.Text, masked)
			}
		}
	}
	return ""
}

// Expand makes up what an example leaves open: {20} are letters and digits, {hex:20} characters of that set. The same text gives
// the same characters.
func Expand(text string) (full string, parts []string) {
	var b strings.Builder
	seed := uint64(len(text))
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String(), parts
		}
		inside, after, ok := strings.Cut(rest, "}")
		chars, number, two := strings.Cut(inside, ":")
		if !two {
			chars, number = "base62", inside
		}
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n <= 0 {
			b.WriteByte('{')
			text = rest
			continue
		}
		part := madeUp(chars, n, &seed)
		b.WriteString(part)
		parts = append(parts, part)
		text = after
	}
}

// madeUp gives n characters of a set: not random, but without a pattern.
func madeUp(chars string, n int, seed *uint64) string {
	const digits, upper, lower = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	set := digits + upper + lower
	switch chars {
	case "hex", "hexdash":
		set = digits + "abcdef"
	case "upper":
		set = digits + upper
	case "digits":
		set = digits
	case "basic":
		return base64.StdEncoding.EncodeToString([]byte("bob:" + madeUp("base62", max(n*3/4-4, 4), seed)))
	}
	var b strings.Builder
	for range n {
		*seed = *seed*6364136223846793005 + 1442695040888963407
		b.WriteByte(set[*seed>>33%uint64(len(set))])
	}
	return b.String()
}
