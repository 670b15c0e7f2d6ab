package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Rows of words are for programs whose arguments follow no common form: rules say in
// words which arguments are risky, and in not_words which are not. A risky row may stand
// anywhere. One that excuses a call may not: "list" says what "op item list" does, and
// is no more than a name in "op item delete list".

// says finds the row that ends first: its words stand in that order, with anything between
// them. Options count as words here. from is where the last of its words is that is no
// option and not any word, until where it ends. Arguments from number hidden up to bound are taken
// for absent, and so are rows that begin with any word, where something is hidden.
func (k *call) says(rows rule.Texts, hidden, bound int) (from, until int, ok bool) {
	for row := range rows.All() {
		if hidden > 0 && row[0] == '*' {
			continue
		}
		at, verb := 1, 0
		for rest := row; rest != ""; {
			var word string
			word, rest, _ = strings.Cut(rest, " ")
			for at < len(k.cmd.Args) && (at >= hidden && at < bound && hidden > 0 || !wordIs(word, k.cmd.Args[at].Text)) {
				at++
			}
			if at++; at > len(k.cmd.Args) {
				break
			}
			if word != "*" && word[0] != '-' || rest == "" && verb == 0 {
				verb = at - 1
			}
			if rest == "" && (!ok || at-1 < until) {
				from, until, ok = verb, at-1, true
			}
		}
	}
	return from, until, ok
}

// excepted reports that a row of not_words excuses the call. from and until are where the
// risky row stands, 0 if the rule has none. The words of an excusing row stand side by side.
// One of options has to be in front of "--". One of plain words has to say what the call
// does: it is the first operand, or stands no later than the risky verb, and not behind an
// option, whose value it might be.
func (k *call) excepted(w *rule.When, from, until int) bool {
	args := k.cmd.Args
	ended := len(args) // where the options end
	for i := 1; i < len(args); i++ {
		if args[i].Is("--") {
			ended = i
			break
		}
	}
	for row := range w.NotWords.All() {
		option := row[0] == '-' || row[0] == '/' && slashed(w.Words)
		for at := 1; at < len(args); at++ {
			n := k.standsAt(row, at)
			switch {
			case n == 0:
			case option:
				if at < ended {
					return true
				}
			case k.isValue(at):
			case at > from && (len(k.operands) == 0 || at != k.operands[0]):
			default:
				// Where the word is itself what looked risky, as publishToMavenLocal does,
				// something else may be so as well.
				if at+n <= until || at > until {
					return true
				}
				if _, _, more := k.says(w.Words, until, at+n); !more {
					return true
				}
			}
		}
	}
	return false
}

// slashed reports rows of a program whose options begin with a slash.
func slashed(rows rule.Texts) bool {
	return rows.Meets(func(row string) bool { return row[0] == '/' })
}

// isValue reports that an argument is, or may be, the value of the option in front of it.
func (k *call) isValue(at int) bool {
	if at == 1 || !strings.HasPrefix(k.cmd.Args[at-1].Text, "-") {
		return false
	}
	// Of a program with a table of its values, what was read as an operand is one.
	return k.prog == nil || len(k.prog.Values)+len(k.prog.Global) == 0 || !slices.Contains(k.operands, at)
}

// standsAt compares the arguments from number at on with the words of a row, and returns
// how many words that were; 0 where one differs.
func (k *call) standsAt(row string, at int) (n int) {
	for rest := row; rest != ""; n++ {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if at+n >= len(k.cmd.Args) {
			return 0
		}
		if w := &k.cmd.Args[at+n]; w.Kind != shell.Literal || !wordIs(word, w.Text) {
			return 0
		}
	}
	return n
}

// without reports that one of a rule's options is given with which it does not hold. A
// value excuses what it is the value of: where the rule asks for that option itself, it
// was taken into account there, and else each of its values has to be an excuse.
func (k *call) without(w *rule.When) bool {
	if !k.givenOf(w.Without) {
		return false // as most calls
	}
	for alt := range w.Without.All() {
		name, _, valued := strings.Cut(alt, "=")
		if !valued {
			continue
		}
		if asked(w.Flags, name) {
			continue
		}
		if k.given([]string{alt}) && !k.givenBut(slices.Values([]string{name}), w.Without) {
			return true
		}
	}
	// Plain ones together: a later --no-… takes any of them back.
	var plain []string
	for alt := range w.Without.All() {
		if !strings.Contains(alt, "=") {
			plain = append(plain, alt)
		}
	}
	return len(plain) > 0 && k.given(plain)
}

// asked reports whether a rule's flags name an option.
func asked(flags []rule.Texts, name string) bool {
	for _, group := range flags {
		for alt := range group.All() {
			if one, _, _ := strings.Cut(alt, "="); one == name {
				return true
			}
		}
	}
	return false
}

// excuses reports that one of a rule's values in without is that of this option.
func (k *call) excuses(without rule.Texts, o *option) bool {
	for alt := range without.All() {
		if name, want, valued := strings.Cut(alt, "="); valued && o.has && k.same(o.name, name) && globFold(want, o.value) {
			return true
		}
	}
	return false
}
