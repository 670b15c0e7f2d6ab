package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Members can be named by text: fs["unlink" + "Sync"](x) is fs.unlinkSync(x), and
// const {unlinkSync: u} = fs makes u its name. Both are written anew before the program is
// read, so that nothing behind knows about them.

// computed writes members in brackets as members behind a dot, where a call follows.
func (p *interp) computed() {
	if !slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == tokMark && t.text == "[" }) {
		return
	}
	out, plain := p.toks[:0:0], -1
	for i := 0; i < len(p.toks); i++ {
		if plain < 0 && i >= p.plain {
			plain = len(out)
		}
		if p.mark(i, "[") && p.hasMembers(len(out), out) {
			if member, end := p.sum(i + 1); member != "" && p.mark(end, "]") && p.mark(end+1, "(") {
				out = p.withoutTable(out)
				out = append(out, token{kind: tokMark, text: ".", start: p.at(i).start}, token{kind: tokName, text: member, start: p.at(i).start})
				i = end
				continue
			}
		}
		out = append(out, p.toks[i])
	}
	p.e.work.Take(len(p.toks) / 8)
	if p.toks = out; plain >= 0 {
		p.plain = plain
	} else {
		p.plain = len(out)
	}
}

// hasMembers reports whether what ends at n in toks is a value whose members may be named
// in brackets behind it.
func (p *interp) hasMembers(n int, toks []token) bool {
	if n == 0 {
		return false
	}
	t := &toks[n-1]
	if p.in.Computed == rule.AnyValue {
		return t.kind == tokName && !p.e.tables.Code.Before.Has(t.text) || t.kind == tokMark && (t.text == ")" || t.text == "]")
	}
	return t.kind == tokName && t.text == p.in.Computed || n > 3 && t.text == ")" && toks[n-4].text == p.in.Table
}

// withoutTable takes off what stands for the table of members alone: os.__dict__ and vars(os) are os.
func (p *interp) withoutTable(toks []token) []token {
	n := len(toks)
	switch {
	case n > 2 && toks[n-1].text == p.in.Computed && toks[n-2].text == ".":
		return toks[:n-2]
	case n > 3 && p.in.Table != "" && toks[n-1].text == ")" && toks[n-4].text == p.in.Table:
		return append(toks[:n-4], toks[n-2])
	}
	return toks
}

// sum returns the text of literals that are joined from i on, where that is a name, and the
// index behind them.
func (p *interp) sum(i int) (string, int) {
	var b strings.Builder
	for {
		t := p.at(i)
		if t.kind != tokText || b.Len() > maxLoop {
			return "", i
		}
		for k := range max(1, len(t.word.Parts)) {
			text, ok := t.word.Text, t.word.Kind == Literal
			if len(t.word.Parts) > 0 {
				text, ok = t.word.Parts[k].Text, !t.word.Parts[k].Unknown
				if inner, quoted := strings.CutPrefix(text, "${"); !ok && quoted { // `rm${"Sync"}`
					inner = strings.TrimSuffix(inner, "}")
					if n := len(inner); n > 1 && strings.IndexByte("'\"`", inner[0]) >= 0 && inner[n-1] == inner[0] {
						text, ok = inner[1:n-1], true
					}
				}
			}
			if !ok {
				return "", i
			}
			b.WriteString(text)
		}
		if !p.mark(i+1, "+") {
			w := lit(b.String(), p.span)
			if !identifier(&w) {
				return "", i
			}
			return w.Text, i + 1
		}
		i += 2
	}
}

// identifier reports whether a word is known, and may be the name of a member.
func identifier(w *Word) bool {
	if w.Kind != Literal || w.Text == "" || !nameStart(w.Text[0]) {
		return false
	}
	for i := range len(w.Text) {
		if !nameByte(w.Text[i]) {
			return false
		}
	}
	return true
}

// unpacked notes the names that a program gives to members which matter, as it takes them out of a module:
// const {unlinkSync: u} = require("fs"), .then(({rm: r}) => r("x")).
func (p *interp) unpacked() {
	for i := range p.toks {
		as := p.at(i).kind == tokName && p.at(i).text == "as" // import {rm as r} from "fs"
		if !as && !p.mark(i, ":") || p.at(i-1).kind != tokName || p.at(i+1).kind != tokName || !p.mark(i-2, "{") && !p.mark(i-2, ",") {
			continue
		}
		end := i + 2
		for end < min(len(p.toks), i+maxLoop) && !p.mark(end, "}") && !p.mark(end, "{") && !p.mark(end, "(") {
			end++
		}
		p.e.work.Take((end - i) / 4)
		if !p.mark(end, "}") || as != (p.at(end+1).text == "from") || !as && !p.mark(end+1, "=") && (!p.mark(end+1, ")") || !p.mark(end+2, "=>")) {
			continue // an object, or a block
		}
		if does, onPath := p.e.effectOf(p.in, p.at(i-1).text, false); does != 0 && !onPath {
			p.alts = append(p.alts, rename{p.at(i + 1).text, p.at(i - 1).text})
		}
	}
}
