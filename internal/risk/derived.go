package risk

import (
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// derived adds effects on files that no argument names as they are, but that follow from
// one:
//
//	"1..-.gz"       operands from the first without that end, where they have it
//	"1..+.gz"       the same with it
//	"2*", "-f*"     all that begins as the operand, or as the value of the option
//	"2* else ./x*"  the same, and where it is not given, names in the working directory
//	"1 else ."      the operand, and where it is not given, the working directory
//	"says .output"  what follows that word in the text of the program's own language
//	"says COPY * TO" the text in quotes that follows these words of one statement of it
func (k *call) derived(kind rule.Kind, on string, ops []int) {
	if word, ok := strings.CutPrefix(on, "says "); ok {
		if strings.Contains(word, " ") {
			k.quotedFile(kind, word)
		} else {
			k.saidFile(kind, word)
		}
		return
	}
	on, instead, otherwise := strings.Cut(on, " else ")
	if otherwise && !strings.HasSuffix(on, "*") {
		before := len(k.effects)
		if n, err := strconv.Atoi(on); err == nil && n >= 1 && n <= len(ops) {
			k.add(kind, &k.cmd.Args[ops[n-1]], k.cmd.Args[ops[n-1]].Text)
		}
		if len(k.effects) == before {
			k.add(kind, &k.cmd.Dir, instead)
		}
		return
	}
	if begin, ok := strings.CutSuffix(on, "*"); ok {
		before := len(k.effects)
		for i := range k.options {
			if o := &k.options[i]; begin[0] == '-' && o.has && k.same(o.name, begin) {
				k.addPattern(kind, &k.cmd.Args[o.word], o.value+"*")
			}
		}
		if n, err := strconv.Atoi(begin); err == nil && n >= 1 && n <= len(ops) {
			w := &k.cmd.Args[ops[n-1]]
			k.addPattern(kind, w, w.Text+"*")
		}
		if len(k.effects) == before && instead != "" {
			k.addPattern(kind, &k.cmd.Dir, instead)
		}
		return
	}
	from, end, _ := strings.Cut(on, "..")
	n, _ := strconv.Atoi(from)
	for i := max(n-1, 0); i < len(ops); i++ {
		w := &k.cmd.Args[ops[i]]
		switch text, ended := strings.CutSuffix(w.Text, end[1:]); {
		case end[0] == '-' && ended:
			k.add(kind, w, text)
		case end[0] == '+' && !ended && !w.Glob:
			k.add(kind, w, text+end[1:])
		}
	}
}

// addPattern adds an effect on every file that text fits.
func (k *call) addPattern(kind rule.Kind, w *shell.Word, text string) {
	before := len(k.effects)
	k.add(kind, w, text)
	for i := before; i < len(k.effects); i++ {
		k.effects[i].glob = strings.ContainsAny(text, "*?[")
	}
}

// saidFile adds the files that lines of the program's own language name behind a word, as
// ".output x.csv" does in sqlite3.
func (k *call) saidFile(kind rule.Kind, word string) {
	k.texts(func(text string) bool {
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 2 || fields[0] != word {
				continue
			}
			// Arguments of one line become one text: which of its first words is the file is not told.
			for _, name := range fields[1:min(len(fields), 4)] {
				if name = strings.Trim(name, `'"`); name != "" && !strings.ContainsAny(name, "$`|;") {
					k.effects = append(k.effects, effect{kind: kind, word: &k.cmd.Dir, text: name, known: true})
					k.kinds |= kind
				}
			}
		}
		return false
	})
}

// quotedFile adds the files that statements name in quotes behind the words of a phrase, in which "*" stands
// for any: writefile('x'), COPY t TO 'x'.
func (k *call) quotedFile(kind rule.Kind, phrase string) {
	head, tail, ok := strings.Cut(phrase, " * ")
	if !ok {
		head, tail = "", phrase
	}
	k.texts(func(text string) bool {
		begin := 0
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case ';':
				begin = i + 1
			case '\'':
				end := strings.IndexByte(text[i+1:], '\'')
				if end < 0 {
					return false
				}
				if before := text[max(begin, i-maxPhrase):i]; endsWith(before, tail) && strings.Contains(strings.ToUpper(before), head) {
					k.effects = append(k.effects, effect{kind: kind, word: &k.cmd.Dir, text: text[i+1 : i+1+end], known: true})
					k.kinds |= kind
				}
				i += end + 1
			}
		}
		return false
	})
}

// maxPhrase is how far before a name in quotes the words are looked for that say what happens to the file.
const maxPhrase = 512

// endsWith reports whether a text ends in the words of a phrase, with any blanks between them or none
// where they are marks.
func endsWith(text, phrase string) bool {
	words := strings.Fields(phrase)
	for i := len(words) - 1; i >= 0; i-- {
		text = strings.TrimRight(text, " \t\n\r")
		n := len(text) - len(words[i])
		if n < 0 || !strings.EqualFold(text[n:], words[i]) {
			return false
		}
		text = text[:n]
	}
	return true
}
