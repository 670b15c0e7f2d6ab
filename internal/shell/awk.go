package shell

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// awk runs commands by system() and pipes. Its language is read just far enough to tell these
// from patterns and text.

// awk follows system("…"), print | "…" and "…" | getline.
func (e *engine) awk(name string, x *simple, c *ctx) output {
	text, unread, _ := e.editorText(&e.tables.Awk, x, c)
	if unread != nil {
		x.code = &Code{Lang: "awk", From: FromFile, Text: *unread, File: *unread}
	}
	if unread != nil || text == nil {
		return e.plainRun(name, x, c)
	}
	x.code = &Code{Lang: "awk", From: FromArg, Text: *text, Seen: text.Kind == Literal}
	at := e.emit(c, x)
	n := c.step("awk", x.args[0].Span)
	var lines *Word
	// ls | awk '{system("rm " $1)}': the fields are names in that listing, and their folder is known.
	if in := c.reads(x); in != nil && isListing(&in.Text) {
		lines = &in.Text
	}
	n.in = nil
	if n.depth++; n.depth <= e.opt.Limits.Depth && !(text.Kind == Unknown && len(text.Parts) == 1) {
		e.awkText(*text, lines, x, n)
	}
	return e.finish(name, x, c, at)
}

// awkText looks for the three ways in which awk runs a command. lines is a list of
// names that it reads, nil if there is none; call is awk itself.
func (e *engine) awkText(w Word, lines *Word, call *simple, c *ctx) {
	text := w.Text
	if w.Kind != Literal {
		text = e.dig(&w)
	}
	l := &lexer{e: e, lang: "awk", text: plainPatterns(text), span: w.Span}
	toks := l.run()
	at := func(i int) token {
		if i < 0 || i >= len(toks) {
			return token{kind: tokLine}
		}
		return toks[i]
	}
	run := func(from, to int) {
		var words []Word
		for i := from; i < min(to, from+maxLoop) && e.tick(c); i++ {
			switch t := toks[i]; t.kind {
			case tokText:
				words = append(words, t.word)
			// Anything that is not a literal takes part as an unknown piece: "rm " $1 is still an rm.
			case tokName, tokMark:
				if t.text == "(" || t.text == ")" {
					continue
				}
				if lines != nil && len(t.text) == 2 && t.text[0] == '$' && digit(t.text[1]) < 10 {
					words = append(words, *lines)
					continue
				}
				if key, ok := environKey(toks, i); ok {
					words = append(words, e.environ(key, w.Span, c))
					i += 3
					continue
				}
				words = append(words, unknown(t.text, w.Span))
			}
		}
		if len(words) == 0 {
			return
		}
		cmd := join(words, "", w.Span)
		e.scriptOrShell(cmd, w.Span, c)
	}
	var names awkNames
	for i := range toks {
		if !e.tick(c) {
			return
		}
		switch t := toks[i]; {
		case t.kind == tokName && t.text == "system" && at(i+1).text == "(":
			depth, k := 0, i+1
			for ; k < min(len(toks), i+maxLoop); k++ {
				if toks[k].text == "(" && toks[k].kind == tokMark {
					depth++
				} else if toks[k].text == ")" && toks[k].kind == tokMark {
					if depth--; depth == 0 {
						break
					}
				}
			}
			run(i+2, min(k, len(toks)))
		case t.kind == tokMark && t.text == "|":
			// "cmd" | getline reads what a command prints; the other way round the pipe feeds one.
			if at(i+1).text == "getline" || at(i+1).text == "&" && at(i+2).text == "getline" {
				from := i - 1
				for from > max(0, i-maxLoop) && toks[from-1].kind == tokText {
					from--
				}
				run(max(from, 0), i)
				continue
			}
			next := i + 1
			if at(next).text == "&" {
				next++
			}
			end := next
			for end < min(len(toks), i+maxLoop) && toks[end].kind != tokLine && toks[end].text != "}" && toks[end].text != ")" {
				end++
			}
			run(next, end)
			if at(next).kind == tokText && e.tables.Program(path.Base(at(next).word.Text)).Grammar == rule.GrammarShell {
				// What is printed is the script: print "rm x" | "sh".
				from := i
				for from > max(0, i-maxLoop) && at(from-1).text != "print" && at(from-1).kind != tokLine && at(from-1).text != "{" {
					from--
				}
				run(from, i)
			}
		case t.kind == tokMark && t.text == ">" && at(i+1).text != ">" && at(i+1).text != "=" && printing(toks, i):
			// awk truncates the file at its first print, as a shell would, and never says so.
			op := ">"
			if at(i-1).text == ">" {
				op = ">>"
			}
			if names.toks == nil {
				names = awkNames{e: e, c: c, toks: toks, call: call, lines: lines, span: w.Span}
			}
			for _, target := range names.value(i+1, 0) {
				e.emit(c, &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: target}}, span: w.Span})
			}
		}
	}
}

// plainPatterns writes letters over what stands in /patterns/, where a | or a > means neither a pipe nor a file. A slash begins a
// pattern only where nothing can be divided, and a pattern ends with its line, so that no code is taken for one.
func plainPatterns(text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	out := []byte(text)
	before := byte('\n') // the last byte that is no blank
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			before = '"'
		case ch == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case ch == '/' && strings.IndexByte("\n{};(,!~&|", before) >= 0:
			end := i + 1
			for end < len(text) && text[end] != '/' && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) || text[end] != '/' {
				return string(out)
			}
			for j := i + 1; j < end; j++ {
				out[j] = 'x'
			}
			i, before = end, '/'
		case ch != ' ' && ch != '\t' && ch != '\r':
			before = ch
		}
	}
	return string(out)
}

// scriptOrShell follows a command line. One of which nothing is known is what sh -c "$X" is, and
// is judged by the same rules.
func (e *engine) scriptOrShell(w Word, span Span, c *ctx) output {
	if w.Kind != Unknown {
		return e.script(w, c)
	}
	e.emit(c, &simple{args: []Word{lit("sh", span), lit("-c", span), w}, span: span, code: &Code{Lang: LangSh, From: FromArg, Text: w}})
	return output{}
}

// printing reports whether the token at i follows print in its statement, so
// that > is a redirection and not a comparison.
func printing(toks []token, i int) bool {
	open := 0
	for n := 0; n < maxLoop; n++ {
		if i--; i < 0 || toks[i].kind == tokLine {
			break
		}
		switch t := &toks[i]; {
		case t.text == "{" || t.text == "}":
			return false
		case t.kind == tokMark && t.text == ")":
			open++
		case t.kind == tokMark && t.text == "(":
			if open--; open < 0 {
				return false // within brackets it compares: print (a > b)
			}
		case t.kind == tokName && (t.text == "print" || t.text == "printf"):
			return true
		}
	}
	return false
}

// awkNames finds the files that a program of awk prints to.
type awkNames struct {
	e     *engine
	c     *ctx
	toks  []token
	call  *simple // awk itself
	lines *Word   // what it reads, where that is a list of names
	span  Span
}

// environKey is the variable of the environment that the tokens at i name: ENVIRON["HOME"].
func environKey(toks []token, i int) (key string, ok bool) {
	if i+3 < len(toks) && toks[i].text == "ENVIRON" && toks[i+1].text == "[" && toks[i+2].kind == tokText && toks[i+3].text == "]" {
		return toks[i+2].word.Text, true
	}
	return "", false
}

// maxSet is how many variables may stand for each other in the name of a file.
const maxSet = 4

// value is what the text that begins at a token may be: pieces beside each other are one text. deep counts the variables that led here.
func (a *awkNames) value(i, deep int) []Word {
	values := []Word{{Span: a.span}}
	open := 0
	for n := 0; n < maxLoop && i < len(a.toks) && a.e.work.Take(costToken); n, i = n+1, i+1 {
		t := &a.toks[i]
		piece := []Word{t.word}
		switch {
		case t.kind == tokLine, t.kind == tokMark && strings.Contains("{}|,?:", t.text):
			return values
		case t.kind == tokMark && t.text == "(":
			open++
			continue
		case t.kind == tokMark && t.text == ")":
			if open--; open < 0 {
				return values
			}
			continue
		case t.kind == tokText:
		case t.kind == tokName && t.text == "FILENAME":
			piece = a.files()
		case t.kind == tokName && a.lines != nil && len(t.text) == 2 && t.text[0] == '$' && digit(t.text[1]) < 10:
			piece = []Word{*a.lines}
		case t.kind == tokName && t.text == "ENVIRON":
			piece = []Word{unknown(t.text, a.span)}
			if key, ok := environKey(a.toks, i); ok {
				piece[0] = a.e.environ(key, a.span, a.c)
				i += 3
			}
		case t.kind == tokName && deep < maxSet:
			if piece = a.variable(t.text, deep); len(piece) == 0 {
				piece = []Word{unknown(t.text, a.span)}
			}
		default: // a number, a function, a member
			piece = []Word{unknown(t.text, a.span)}
		}
		values = a.beside(values, piece)
	}
	return values
}

// beside joins each of the texts so far with each that may follow.
func (a *awkNames) beside(values, pieces []Word) (all []Word) {
	for i := range values {
		for k := range pieces {
			if len(all) < maxAlts && a.e.work.Take(1) {
				all = append(all, join([]Word{values[i], pieces[k]}, "", a.span))
			}
		}
	}
	return all
}

// files are those that awk reads, of which options and the program itself are none.
func (a *awkNames) files() (list []Word) {
	for k := 1; k < min(len(a.call.args), maxLoop); k++ {
		if file := a.call.args[k]; file.Span != a.span && !strings.HasPrefix(file.Prefix(), "-") {
			list = append(list, file)
		}
	}
	return list
}

// variable is what a variable may hold: what the program gives it, and what an option or an operand does.
func (a *awkNames) variable(name string, deep int) (list []Word) {
	for k := 1; k < min(len(a.call.args), maxLoop); k++ {
		w := &a.call.args[k]
		if text, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(w.Text, "--assign="), "-v"), name+"="); ok && w.Kind == Literal {
			list = append(list, lit(text, w.Span))
		}
	}
	for i := 0; i+2 < len(a.toks) && a.e.work.Take(1); i++ {
		if t := &a.toks[i]; t.kind == tokName && t.text == name && a.toks[i+1].text == "=" && a.toks[i+1].kind == tokMark && a.toks[i+2].text != "=" {
			list = append(list, a.value(i+2, deep+1)...)
		}
	}
	return list[:min(len(list), maxAlts)]
}
