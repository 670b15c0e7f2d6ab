package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// langRun stands in a row of brings for a value that is a command line of its own.
const langRun = "run"

// setAs returns the values that a file of settings gives a key, whatever its language: what stands behind the key on a line and, where
// that is nothing or a bracket, the items of the list below.
func setAs(text *Word, key string) (list []Word) {
	if text.Kind != Literal {
		return nil
	}
	at, below := 0, false
	for line := range strings.SplitAfterSeq(text.Text, "\n") {
		from := at
		at += len(line)
		body := strings.TrimLeft(line, " \t\"'{,")
		rest, ok := strings.CutPrefix(body, key)
		head, tail, dotted := strings.Cut(body, "."+key)
		if head, _, _ = strings.Cut(head, "("); dotted && !strings.Contains(head, "=") {
			rest, ok = tail, true // target.x.runner = …, target.'cfg(unix)'.runner = …
		}
		item := strings.TrimLeft(line, " \t")
		switch {
		case ok && rest != "" && strings.ContainsRune("=:\"' \t\r\n", rune(rest[0])):
			body = strings.TrimLeft(rest, "=:\"' \t[")
		case below && (strings.HasPrefix(item, "- ") || strings.ContainsAny(line[:min(1, len(line))], " \t") && item != line):
			body = strings.TrimLeft(item, "-\"' \t[")
		default:
			below = below && strings.TrimSpace(line) == ""
			continue
		}
		value := strings.TrimRight(body, "\r\n\t ,]")
		if end := strings.IndexAny(value, "\"'"); end >= 0 {
			value = value[:end]
		}
		below = value == "" || below && !ok
		if value == "" || len(list) == maxLooks {
			continue
		}
		start := from + len(line) - len(body)
		w := Word{Kind: Literal, Text: value, Span: text.Span}
		if text.Span[1]-text.Span[0] == len(text.Text) {
			w.Span = Span{text.Span[0] + start, text.Span[0] + start + len(value)}
		}
		list = append(list, w)
	}
	return list
}

// setRuns follows what a setting of a file has a program run: "FILE#KEY", and what stands around the value, as in "FILE#KEY={}/env.py". In place of the file
// stands an option whose values are such files, or settings: "--config=#KEY".
func (e *engine) setRuns(file, lang string, x *simple, c *ctx) {
	name, key, _ := strings.Cut(file, "#")
	key, around, shaped := strings.Cut(key, "=")
	option, valued := strings.CutSuffix(name, "=")
	if !valued {
		w := lit(name, x.args[0].Span)
		if text, n, ok := e.textOf(&w, "", c); ok {
			e.setIn(&text, key, around, shaped, lang, x, n)
		}
		return
	}
	for _, w := range optionValues(x.args[1:], argv.List(strings.Replace(option, "--", " ", 1)), "") {
		if strings.Contains(w.Prefix(), "=") {
			e.setIn(w, key, around, shaped, lang, x, c)
		} else if text, n, ok := e.textOf(w, "", c); ok {
			e.setIn(&text, key, around, shaped, lang, x, n)
		}
	}
}

// setIn follows the values that a text gives a key.
func (e *engine) setIn(text *Word, key, around string, shaped bool, lang string, x *simple, n *ctx) {
	for _, v := range setAs(text, key) {
		if lang == langRun {
			e.script(v, n)
			continue
		}
		for word := range strings.FieldsSeq(v.Text) { // -r ./x, "a.js b.js"
			one := v
			if one.Text = word; shaped {
				one.Text = strings.Replace(around, "{}", word, 1)
			}
			if !strings.HasPrefix(word, "-") {
				e.runsModule(e.languageOf(lang), &one, &simple{args: []Word{lit(lang, x.span)}, span: x.span}, n)
			}
		}
	}
}
