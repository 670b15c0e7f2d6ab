package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// terminals is what the line has typed into a terminal so far without ending it, and what is in tmux's buffer; without parts where
// that is not known.
type terminals struct{ typed, buffer []Word }

// tmux runs the operands of new-session and its kind, and what send-keys types.
func (e *engine) tmux(x *simple, c *ctx) output {
	type script struct {
		by    string
		lines []Word
	}
	var run []script
	at, _, _ := (&wrapper{Value: "cfLST"}).scan(x.args, 1)
	for words := x.args[min(at, len(x.args)):]; len(words) > 0 && e.tick(c); {
		n := len(words)
		if i := slices.IndexFunc(words, func(w Word) bool { return w.Kind == Literal && strings.HasSuffix(w.Text, ";") }); i >= 0 {
			n = i
			if len(words[i].Text) > 1 {
				n++
			}
		}
		if n > 0 {
			run = append(run, script{"tmux " + words[0].Text, e.tmuxCommand(words[:n], x, c)})
		}
		words = words[max(n, 1):]
		if len(words) > 0 && words[0].Is(";") {
			words = words[1:]
		}
	}
	out := e.plainRun("tmux", x, c)
	for _, r := range run {
		for _, w := range r.lines {
			e.script(w, c.step(r.by, x.args[0].Span))
		}
	}
	return out
}

// tmuxCommand returns the lines that one command of tmux has a shell or tmux run. What of them is not on the line becomes the code of the call.
func (e *engine) tmuxCommand(words []Word, x *simple, c *ctx) []Word {
	row := e.tmuxRow(words[0].Text)
	if row == nil {
		return nil
	}
	at, _, _ := (&wrapper{Value: row.Value}).scan(words, 1)
	_, given := sorted(words[1:at], argv.List(row.Value))
	words = words[at:]
	unseen := func() { x.code = &Code{Lang: LangSh, From: FromArg, Text: line(x.args[:1]), Unread: true} }
	if row.Unseen != "" && given.has(argv.List(row.Unseen)) {
		unseen()
		return nil
	}
	if row.Pastes {
		if e.terminal.buffer == nil {
			unseen()
		}
		return nil
	}
	if len(words) == 0 {
		return nil
	}
	switch {
	case row.Nested:
		run := slices.Clone(words) // each is a command line, or commands of its own
		for _, w := range words {
			run = append(run, join([]Word{lit("tmux", w.Span), w}, " ", w.Span))
		}
		return run
	case row.Reads, row.Commands:
		return e.tmuxFile(row, words[0], x, c, unseen)
	case row.Holds:
		if !given.has("a") {
			e.terminal.buffer = nil
		}
		e.terminal.buffer = append(e.terminal.buffer, words[0])
		text := keys(join(e.terminal.buffer, "", words[0].Span))
		if x.code = typedCode(text); x.code != nil {
			e.terminal.buffer = nil
		}
		return []Word{text}
	case row.Types && !given.has("X"):
		text, ended := typedText(row.Keys, words, given.has("l"))
		// What an earlier call began goes on here: each is judged alone and together with it.
		whole := append(e.terminal.typed, text)
		if e.terminal.typed = whole; ended {
			e.terminal.typed = nil
		}
		if x.code == nil {
			x.code = typedCode(text)
		}
		if len(whole) > 1 {
			return []Word{text, keys(join(whole, "", text.Span))}
		}
		return []Word{text}
	case row.Types:
		return nil
	}
	if text := line(words); x.code == nil {
		x.code = typedCode(text)
	}
	return []Word{line(words)}
}

// tmuxRow finds a command of tmux's, which takes the beginning of a name for it too.
func (e *engine) tmuxRow(name string) *rule.Tmux {
	const short = 4 // fewer letters begin the names of others
	begins := func(s string) bool { return len(name) >= short && strings.HasPrefix(s, name) }
	i := slices.IndexFunc(e.tables.Tmux, func(t rule.Tmux) bool { return t.Names.Has(name) })
	if i < 0 {
		i = slices.IndexFunc(e.tables.Tmux, func(t rule.Tmux) bool { return slices.ContainsFunc(t.Names, begins) })
	}
	if i < 0 {
		return nil
	}
	return &e.tables.Tmux[i]
}

// tmuxFile follows a file that is put in the buffer, or whose lines are commands of tmux's.
func (e *engine) tmuxFile(row *rule.Tmux, file Word, x *simple, c *ctx, unseen func()) []Word {
	text, ok := Word{}, false
	if in := c.reads(x); file.Is("-") && in != nil {
		text, ok = in.Text, in.Text.Kind == Literal
	} else if !file.Is("-") {
		text, ok = e.dataOf(&file, c)
	}
	if row.Reads {
		if e.terminal.buffer = nil; ok {
			e.terminal.buffer = []Word{text}
		}
		return []Word{keys(text)}
	}
	if !ok {
		if !slices.Contains(row.Own, file.Text[strings.LastIndexByte(file.Text, '/')+1:]) {
			unseen()
		}
		return nil
	}
	var run []Word
	for s := range strings.Lines(text.Text) {
		run = append(run, lit("tmux "+s, text.Span))
	}
	return run
}

// typedText is what the operands of send-keys type, which stands together without a blank, and whether a key ends the line.
func typedText(names []string, words []Word, plain bool) (text Word, ended bool) {
	list := make([]Word, 0, len(words))
	for _, w := range words {
		i := slices.IndexFunc(names, func(row string) bool { key, _, _ := strings.Cut(row, " "); return w.Is(key) })
		if i < 0 || plain {
			list, ended = append(list, w), false
			continue
		}
		_, as, _ := strings.Cut(names[i], " ")
		if n := len(list) - 1; as == "\b" { // it takes a letter back
			if n >= 0 && list[n].Kind == Literal && list[n].Text != "" {
				list[n] = lit(list[n].Text[:len(list[n].Text)-1], list[n].Span)
			}
			continue
		}
		list, ended = append(list, lit(as, w.Span)), as == "\n"
	}
	return keys(join(list, "", line(words).Span)), ended
}
