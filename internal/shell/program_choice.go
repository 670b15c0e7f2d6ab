package shell

import "slices"

// A value of a program may be one of several: the variable of a loop over a list, and what is made of it. Each of them is followed, so that what
// is made of two such values is made of each pair. Where these become too many, the last one is any name in the folder in front of it.

// oneOf is whichever of some words.
func oneOf(list []Word, span Span) arg {
	if len(list) == 1 {
		return arg{word: list[0]}
	}
	return arg{list: list, many: true, one: true, word: join(list, " ", span)}
}

// names is a list of words.
func (p *interp) names(list ...Word) arg {
	a := arg{list: list, many: true}
	if len(list) == 1 {
		a.word = list[0] // with what tells that it is a pattern
	} else {
		a.word = join(list, " ", p.span)
	}
	return a
}

// isList tells a list from one of several.
func (a *arg) isList() bool { return a.many && !a.one }

// whichever is one of a list.
func whichever(a arg) arg {
	a.one = a.many
	return a
}

// items are the words that a value stands for.
func (a *arg) items() []Word {
	if a.many {
		return a.list
	}
	return []Word{a.word}
}

// lifted makes something of values, for each of those that are one of several.
func (p *interp) lifted(args []arg, of func(args []arg) arg) arg {
	total, k := 1, -1
	for i := range args {
		if n := max(len(args[i].list), len(args[i].rows)); args[i].one && args[i].many {
			if k < 0 {
				args, k = slices.Clone(args), i
			}
			if total*n > maxLoop {
				args[i] = arg{word: p.bare(), name: args[i].name}
				continue
			}
			total *= n
		}
	}
	if k >= 0 && !args[k].one {
		k = slices.IndexFunc(args, func(a arg) bool { return a.one && a.many })
	}
	if k < 0 {
		return of(args)
	}
	several := args[k]
	out := arg{many: true, one: true}
	for _, one := range several.each() {
		if !p.e.spend(costCall, p.c) {
			break
		}
		one.name, one.raw = several.name, several.raw
		args[k] = one
		a := p.lifted(args, of)
		out.one = out.one && (a.one || !a.many)
		for _, w := range a.items() {
			if !slices.ContainsFunc(out.list, func(o Word) bool { return o.Text == w.Text }) { // what two loops over the same give
				out.list = append(out.list, w)
			}
		}
		if len(out.list) > maxLoop {
			break
		}
	}
	if len(out.list) > maxLoop {
		out.list = append(slices.Clip(out.list[:maxLoop]), p.bare())
	}
	out.word = join(out.list, " ", p.span)
	return out
}

// rounds calls something for each round of a loop: values of the same loop go together.
func rounds(args []arg, do func(args []arg)) {
	n := 0
	for i := range args {
		if args[i].one && args[i].many {
			n = max(n, len(args[i].each()))
		}
	}
	if n == 0 {
		do(args)
		return
	}
	for r := range n {
		round := slices.Clone(args)
		for i := range round {
			if a := &round[i]; a.one && a.many {
				each := a.each()
				name := a.name
				round[i] = each[r%len(each)]
				round[i].name = name
			}
		}
		do(round)
	}
}
