package shell

import (
	"slices"

	"github.com/modu-ai/moai/internal/argv"
)

// words are arguments as package argv reads them.
type words []Word

// Len is part of [argv.Args].
func (w words) Len() int { return len(w) }

// Known is part of [argv.Args].
func (w words) Known(i int) (string, bool) { return w[i].Prefix(), w[i].Kind == Literal }

// value returns the value of an option, nil if it has none.
func (w words) value(it argv.Item) *Word {
	if it.Value < 0 {
		return nil
	}
	if it.Cut == 0 {
		return &w[it.Value]
	}
	return cutWord(&w[it.Value], it.Cut)
}

// optionValues returns the values of the options of a list; those in valued take one, too.
func optionValues(args []Word, list, valued argv.List) (values []*Word) {
	r := argv.Reader{Args: words(args), Takes: func(name, rest string) argv.Take { return max(list.Takes(name, rest), valued.Takes(name, rest)) }}
	for it, ok := r.Next(); ok && it.Name != argv.Mark; it, ok = r.Next() {
		if it.Value >= 0 && list.Has(it.Name) {
			values = append(values, words(args).value(it))
		}
	}
	return values
}

// optionValue returns the first of them, nil if there is none.
func optionValue(args []Word, list argv.List) *Word {
	if values := optionValues(args, list, ""); len(values) > 0 {
		return values[0]
	}
	return nil
}

// options are the names of options that are given.
type options []string

// has reports whether one of a list is among them.
func (o options) has(list argv.List) bool { return slices.ContainsFunc(o, list.Has) }

// sorted separates operands from options, of which those of a list take a value.
func sorted(args []Word, valued argv.List) (operands []Word, given options) {
	r := argv.Reader{Args: words(args), Takes: valued.Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		if it.Name == "" {
			operands = append(operands, args[it.Arg])
		} else {
			given = append(given, it.Name)
		}
	}
	return operands, given
}

// hasArg reports whether one of the arguments is one of names.
func hasArg(args []Word, names ...string) bool {
	for i := range args {
		for _, n := range names {
			if args[i].Is(n) {
				return true
			}
		}
	}
	return false
}
