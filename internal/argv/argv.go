// Package argv is about the arguments of programs. It reads options as the programs' own
// parsers do, by a table of which of them take a value; and it writes words so that a shell
// takes a line apart into the same again.
package argv

import "strings"

// Args are the arguments of a program, of which some may be known in part only.
type Args interface {
	Len() int
	// Known returns argument i as far as it is known from its beginning, and whether that is all of it.
	Known(i int) (text string, whole bool)
}

// Words are arguments that are known as a whole.
type Words []string

// Len is how many there are.
func (w Words) Len() int { return len(w) }

// Known is argument i.
func (w Words) Known(i int) (text string, whole bool) { return w[i], true }

// Take is what an option takes from the arguments.
type Take uint8

// What options take.
const (
	None  Take = iota // no value
	One               // the rest of its word, or the next word
	Loose             // as One, but no next word that is an option: tar --checkpoint
	Rest              // the rest of its word alone, if there is any: sed -i, --color
	Two               // the next two words: bwrap --bind
)

// Item is one option, one operand, or the mark between them.
type Item struct {
	Name  string // of an option with its dashes, "-x", "+x" or "--long", "-" if it is not known; Mark; "" of an operand
	Arg   int    // the argument in which it stands
	Value int    // the argument in which its value stands, -1 if it has none
	Cut   int    // how many bytes of that argument precede the value
}

// Mark is the name of the argument that ends the options.
const Mark = "--"

// Reader reads arguments one by one. Letters come in clusters, and one that is given again in the
// same cluster says no more than once, so that a long word is no work.
type Reader struct {
	Args Args
	At   int // the next argument
	// Takes says what an option takes, named as in an Item; rest is what follows a letter in its word.
	Takes func(name, rest string) Take
	// Word tells whether a word behind one dash is an option as a whole, as gdb's -ex is; nil: it
	// is always a cluster.
	Word func(name string) bool
	// Plus tells that words behind "+" are clusters, too, as those of shells are.
	Plus bool
	// Ended tells that the mark was there, or that the program has no options. Where a program does
	// not take the mark for its end, the caller takes it back.
	Ended bool

	cluster string
	whole   bool // all of the cluster is known
	letter  int  // the next one of it, 0: there is none
	seen    [256]bool
}

// Next returns what comes next; ok is false at the end.
func (r *Reader) Next() (it Item, ok bool) {
	for r.letter > 0 {
		if it, ok = r.next(); ok {
			return it, true
		}
	}
	if r.At >= r.Args.Len() {
		return it, false
	}
	text, whole := r.Args.Known(r.At)
	it = Item{Arg: r.At, Value: -1}
	r.At++
	switch {
	case r.Ended || len(text) < 2 || text[0] != '-' && (!r.Plus || text[0] != '+'):
	case text == Mark && whole:
		it.Name, r.Ended = Mark, true
	case text[0] == '-' && (text[1] == '-' || r.Word != nil && r.Word(text)):
		name, _, has := strings.Cut(text, "=")
		if it.Name = name; name == Mark {
			it.Name = "-"
		}
		if has {
			it.Value, it.Cut = it.Arg, len(name)+1
		} else {
			r.take(&it, r.Takes(name, ""))
		}
	default:
		r.cluster, r.whole, r.letter = text, whole, 1
		clear(r.seen[:])
		return r.Next()
	}
	return it, true
}

// next returns the next letter of a cluster, if it is none that was there before.
func (r *Reader) next() (it Item, ok bool) {
	j, text := r.letter, r.cluster
	if r.letter++; r.letter == len(text) {
		r.letter = 0
	}
	if r.seen[text[j]] {
		return it, false
	}
	r.seen[text[j]] = true
	it = Item{Arg: r.At - 1, Value: -1}
	switch {
	case text[j] == '-': // no program has such a letter, and this is no mark
		it.Name = "-"
	case j == 1:
		it.Name = text[:2]
	default:
		it.Name = text[:1] + text[j:j+1]
	}
	switch take := r.Takes(it.Name, text[j+1:]); {
	case take == None:
	case r.letter > 0 || !r.whole:
		r.letter = 0
		it.Value, it.Cut = it.Arg, j+1
	default:
		r.take(&it, take)
	}
	return it, true
}

// take gives an option its value from the words behind it.
func (r *Reader) take(it *Item, take Take) {
	if take == None || take == Rest || r.At >= r.Args.Len() {
		return
	}
	if text, _ := r.Args.Known(r.At); take == Loose && len(text) > len(Mark) && strings.HasPrefix(text, Mark) {
		return
	}
	it.Value = r.At
	if r.At++; take == Two {
		r.At = min(r.At+1, r.Args.Len())
	}
}

// Options reads the options in front of the first operand, and returns where that stands.
func (r *Reader) Options(each func(Item) bool) int {
	for {
		it, ok := r.Next()
		switch {
		case !ok, it.Name == Mark:
			return r.At
		case it.Name == "":
			return it.Arg
		case !each(it):
			return r.At
		}
	}
}

// List holds options: short ones as letters in its first field, long ones behind it: "ug user group".
type List string

// Has looks an option up, with or without its dashes. Long ones may be abbreviated, as
// getopt_long accepts it.
func (l List) Has(name string) bool {
	name = strings.TrimLeft(name, "-")
	short, long, _ := strings.Cut(string(l), " ")
	switch {
	case name == "":
		return false
	case len(name) == 1:
		return strings.Contains(short, name)
	}
	for word := range strings.FieldsSeq(long) {
		if strings.HasPrefix(word, name) && (len(word) == len(name) || len(name) > 2) {
			return true
		}
	}
	return false
}

// Exactly looks a whole word up among all fields.
func (l List) Exactly(word string) bool {
	for w := range strings.FieldsSeq(string(l)) {
		if w == word {
			return true
		}
	}
	return false
}

// Takes is the table of options that take one value each.
func (l List) Takes(name, _ string) Take {
	if l.Has(name) {
		return One
	}
	return None
}
