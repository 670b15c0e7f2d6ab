package shell

import (
	"slices"
	"strings"
)

// Some things are true of a program only where its text says a word, such as the name of a library. Each call asks for the same words again, so
// the text is searched once for each.

// searchBytes is how many bytes of a text are searched for one unit.
const searchBytes = 256

// says reports that the text of the program holds one of some words. A program within a string has no text of its own.
func (p *interp) says(words []string) bool { return slices.ContainsFunc(words, p.holdsWord) }

func (p *interp) holdsWord(word string) bool {
	if is, asked := p.said[word]; asked {
		return is
	}
	if p.said == nil {
		p.said = map[string]bool{}
	}
	p.e.work.Take(1 + len(p.text)/searchBytes)
	is := strings.Contains(p.text, word)
	p.said[word] = is
	return is
}

// commandRow is a call that stands for a command.
type commandRow struct {
	call  string // the end of the call's name, "." in front
	any   bool   // … with any one name behind it
	words []string
}

// commandRows are those of the program's language whose library it names.
func (p *interp) commandRows() []commandRow {
	if p.rowsKnown {
		return p.rows
	}
	p.rowsKnown = true
	for _, row := range p.in.Commands {
		library, row, _ := strings.Cut(row, ": ")
		if words := strings.Fields(row); len(words) > 1 && p.holdsWord(library) {
			call, any := strings.CutSuffix(words[0], "*")
			p.rows = append(p.rows, commandRow{call, any, words[1:]})
		}
	}
	return p.rows
}
