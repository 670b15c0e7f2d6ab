package shell

import (
	"slices"
	"strings"
)

// A program often takes only some of the names of a listing: files[:-2], files.sort.drop(2), max(files). Which of them only its run tells, so
// that each stands for all.

// found reports names that a listing or a pattern gives, or one of those.
func (a *arg) found() bool {
	if a.many {
		return anyFound(a.list)
	}
	return a.word.Glob || a.word.Listed()
}

// anyFound reports such a name in a list.
func anyFound(list []Word) bool {
	return slices.ContainsFunc(list, func(w Word) bool { return w.Glob || w.Listed() })
}

// part goes past brackets at i that take a part of a listing.
func (p *interp) part(a *arg, i int) int {
	for p.mark(i, "[") && (a.rows != nil || a.isList() && !a.found()) {
		key, end := p.args(i+1, "]")
		if len(key) != 1 || end <= i {
			return i
		}
		*a, i = p.pick(*a, &key[0]), end
	}
	for p.mark(i, "[") && a.found() {
		end := i + 1
		for p.mark(end, ",") || end == i+1 { // [2, 5]
			end = p.skip(end + 1)
		}
		if !p.mark(end, "]") {
			return i
		}
		p.e.work.Take((end - i) / 4)
		i = end + 1
	}
	return i
}

// picked evaluates a method without brackets, or with a block, that picks some of the names: files.sort, files.sort_by { … }.
func (p *interp) picked(name string, a *arg, next int) (end int, ok bool) {
	if !p.e.tables.Methods.Picks.Has(name) || !a.many && !a.found() {
		return next, false
	}
	if p.mark(next, "{") {
		if end = p.skip(next + 1); p.mark(end, "}") {
			return end + 1, true
		}
	}
	return next, true
}

// mapped evaluates what a block makes of each item: { |n| "a/#{n}" }.
func (p *interp) mapped(open int) (arg, int) {
	k := open + 1
	for p.mark(open+1, "|") {
		if k++; p.mark(k, "|") || k > open+8 {
			k++
			break
		}
	}
	a, _ := p.expr(k)
	return p.names(a.items()...), p.skip(open+1) + 1
}

// sorted evaluates a variable with such methods behind it: files.sort.reverse, files.sort.drop(2).
func (p *interp) sorted(name string, next, i int) (a arg, end int, ok bool) {
	head, methods, _ := strings.Cut(name, ".")
	if a, ok = p.lookup(head); !ok {
		a, ok = p.looped(head, i)
	}
	for ok && methods != "" {
		method, rest, more := strings.Cut(methods, ".")
		if !more && p.mark(next, "(") {
			a, end = p.apply(method, a, next)
			return a, end, true
		}
		if !more && p.mark(next, "{") && a.many && p.e.tables.Methods.Maps.Has(method) {
			a, end = p.mapped(next)
			return a, end, true
		}
		if more {
			_, ok = p.picked(method, &a, len(p.toks))
		} else {
			end, ok = p.picked(method, &a, next)
		}
		methods = rest
	}
	return a, end, ok
}
