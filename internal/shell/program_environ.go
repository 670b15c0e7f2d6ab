package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Variables of the environment, as a program reads them.

// inherits evaluates a variable of the environment whose name begins at next: os.environ.get("X", "default"), process.env.X.
func (p *interp) inherits(name string, next, end int) (v known, ok bool) {
	f, key, other := &p.e.tables.Functions, "", 0
	t := p.at(next + 1)
	switch j := strings.LastIndexByte(name, '.'); {
	case f.Environment.Has(name) && p.mark(next, "(") && p.closes(next) == end-1 && t.kind == tokText:
		if key = t.word.Text; p.mark(next+2, ",") {
			other = next + 3
		}
	case f.Environment.Has(name) && p.mark(next, "[") && next+3 == end && t.kind == tokText:
		key = t.word.Text
	case j > 0 && f.Environment.Has(name[:j]) && next == end:
		key = name[j+1:]
	default:
		return v, false
	}
	v = p.environment(key)
	if v.kind == isNone && other > 0 {
		if v = p.known(other, end-1); v.kind != isOpen {
			v.weak = true
		}
	}
	if v.kind == isNone && p.in.Blocks == rule.BlocksBrace {
		v = known{kind: isText, weak: true} // Go has "" for none
	}
	return v, true
}

// environment is a variable of the environment that the program does not set itself. What nothing sets here is none, as far as that is seen.
func (p *interp) environment(key string) known {
	if p.assigns(key) {
		return known{}
	}
	fills := p.fills()
	if p.c.remote || fills && p.says(p.e.tables.Code.Overrides) {
		return known{}
	}
	if slices.Contains(p.c.st.late, key) {
		return known{}
	}
	if v := p.c.st.find(key); v != nil {
		if v.exported && !v.unset && v.sure() && len(v.alts) == 1 && len(v.alts[0].list) == 1 {
			if w := &v.alts[0].list[0]; w.Kind == Literal && !w.Many {
				return known{kind: isText, text: w.Text}
			}
		}
		return known{}
	}
	if fills || p.e.opt.Env == nil || len(p.c.via) != 1 {
		return known{}
	}
	if s, ok := p.e.opt.Env(key); ok {
		return known{kind: isText, text: s}
	}
	return known{kind: isNone, weak: true}
}

// assigns reports that the program names a variable of the environment where it does not read it.
func (p *interp) assigns(key string) bool {
	for k := range p.toks {
		t := &p.toks[k]
		if t.kind == tokText && t.word.Text == key && !p.looksUp(k) || t.kind == tokName && t.text == key && p.mark(k-1, ".") && p.mark(k+1, "=") {
			return true
		}
	}
	return false
}

// fills reports a library that sets variables of the environment.
func (p *interp) fills() bool {
	return p.says(p.e.tables.Code.Fills)
}

// setsVariable reports a variable of the environment that may have a value which is not seen here.
func (p *interp) setsVariable(key string) bool {
	return p.c.remote || !p.e.spend(1+len(p.toks)/16, p.c) || p.assigns(key) || p.fills()
}

// looksUp reports that the name of a variable at k stands where one is read.
func (p *interp) looksUp(k int) bool {
	if !p.mark(k-1, "(") && !p.mark(k-1, "[") && !p.mark(k-1, "{") || (p.mark(k+1, "]") || p.mark(k+1, "}")) && p.mark(k+2, "=") {
		return false
	}
	from := k - 2
	for p.at(from).kind == tokName && p.mark(from-1, ".") && p.at(from-2).kind == tokName {
		from -= 2
	}
	name, _ := p.chain(from)
	return p.e.tables.Functions.Environment.Has(p.full(strings.TrimPrefix(name, "$")))
}
