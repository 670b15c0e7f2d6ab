package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// Kind says how much of a word is known.
type Kind uint8

// The kinds. The zero value is a fully known word.
const (
	Literal Kind = iota // all known
	Partial             // known text around unknown parts
	Unknown             // nothing is known
)

// Word is one argument after expansion.
type Word struct {
	// Text is the value. Unknown parts stand in it as they were written
	// ("$X/foo"), so that they are never mistaken for nothing.
	Text string
	Kind Kind
	// Parts are the pieces of a word that is not literal, in order.
	Parts []Part
	Glob  bool // an unquoted * ? [ is in it: it stands for files
	// Tilde tells that Text begins with an unquoted ~ or ~user that was not
	// replaced: the home directory is not known.
	Tilde  bool
	Quoted bool // some of it was quoted
	// Many tells that it may stand for none or several arguments: unquoted
	// unknown text, "$@", operands that xargs would append.
	Many bool
	// Fed tells that the word is nothing but an item that xargs or parallel
	// has read: what the input says is what stands here.
	Fed bool
	// Unsure tells that another text may stand here, for all that is known of the
	// variables in it: no test is decided by it.
	Unsure bool
	Span   Span
}

// Part is a piece of a word.
type Part struct {
	Text    string // the value, or how the unknown part is written
	Unknown bool
	Listed  bool  // names of a list: of the folder in front of it, or what xargs reads
	Read    bool  // what read or mapfile gets from its input
	Fresh   bool  // a name that nothing had before, made by mktemp and its like
	From    []int // commands whose output the part is
}

// Known reports whether all of the word is known and its text.
func (w *Word) Known() (string, bool) { return w.Text, w.Kind == Literal }

// Is reports whether the word is exactly text.
func (w *Word) Is(text string) bool { return w.Kind == Literal && w.Text == text }

// Prefix returns the known text before the first unknown part.
func (w *Word) Prefix() string {
	if w.Kind == Literal {
		return w.Text
	}
	if len(w.Parts) > 0 && !w.Parts[0].Unknown {
		return w.Parts[0].Text
	}
	return ""
}

// Suffix returns the known text after the last unknown part.
func (w *Word) Suffix() string {
	if w.Kind == Literal {
		return w.Text
	}
	if n := len(w.Parts); n > 0 && !w.Parts[n-1].Unknown {
		return w.Parts[n-1].Text
	}
	return ""
}

// Listed reports whether the word is a name that a listing prints, and nothing
// made of one: what "$f" is in "for f in $(ls src)", and "$f.old" is not.
func (w *Word) Listed() bool {
	n := len(w.Parts)
	if n > 1 && !w.Parts[n-1].Unknown && (w.Parts[n-1].Text == "" || w.Parts[n-1].Text[0] == '/') {
		n-- // find -name core: the end of the name is known
	}
	return n > 0 && w.Parts[n-1].Listed
}

// Fresh reports whether the word is a file or folder that the line itself has made
// under a new name, or something in it: nothing that was there before.
func (w *Word) Fresh() bool {
	at := 0
	if len(w.Parts) > 1 && !w.Parts[0].Unknown {
		at = 1
	}
	return len(w.Parts) > at && w.Parts[at].Fresh
}

// From returns the commands whose output is part of the word.
func (w *Word) From() []int {
	var from []int
	for i := range w.Parts {
		from = append(from, w.Parts[i].From...)
	}
	return from
}

// lit returns a literal word.
func lit(text string, span Span) Word { return Word{Text: text, Span: span} }

// unknown returns a word of which nothing is known but how it is written.
func unknown(text string, span Span, from ...int) Word {
	text = term.Clip(text, mostShown)
	return Word{
		Text: text, Kind: Unknown, Span: span,
		Parts: []Part{{Text: text, Unknown: true, From: from}},
	}
}

// mostShown is how much is kept, in letters, of how something unknown is written.
const mostShown = 120

// join returns the words as one text with sep between them.
func join(words []Word, sep string, span Span) Word {
	var b wordBuilder
	for i := range words {
		if i > 0 {
			b.text(sep)
		}
		b.word(&words[i])
	}
	w := b.done(span)
	return w
}

// wordBuilder concatenates known and unknown text. Its zero value is ready.
type wordBuilder struct {
	known strings.Builder // the run of known text so far, if parts is nil all
	parts []Part
	one   string // the only text so far: saves the copy for plain words
	w     Word   // flags gathered
}

// text appends known text. The first piece is kept as it is: most words have only
// one, and are then made without a copy.
func (b *wordBuilder) text(s string) {
	if s == "" {
		return
	}
	b.w.Fed = false
	if b.one == "" && b.known.Len() == 0 {
		b.one = s
		return
	}
	b.flushOne()
	b.known.WriteString(s)
}

// flushOne gives up the copy-free piece when a second comes.
func (b *wordBuilder) flushOne() {
	if b.one != "" {
		b.known.WriteString(b.one)
		b.one = ""
	}
}

// run takes the known text gathered since the last unknown part.
func (b *wordBuilder) run() string {
	if b.one != "" {
		s := b.one
		b.one = ""
		return s
	}
	s := b.known.String()
	b.known.Reset()
	return s
}

// unknown appends a part that is not known. How it is written is only for
// people: long text is cut, since it may be copied at every level of nesting.
func (b *wordBuilder) unknown(text string, from []int) {
	b.part(Part{Text: term.Clip(text, mostShown), Unknown: true, From: from})
}

// part appends a part that is not known as it is.
func (b *wordBuilder) part(p Part) {
	b.w.Fed = false
	if s := b.run(); s != "" {
		b.parts = append(b.parts, Part{Text: s})
	}
	b.parts = append(b.parts, p)
}

// named appends the name alone of what a listing printed, behind a folder: after "ls x" it is x/$f that is in x.
func (b *wordBuilder) named(w *Word) bool {
	n := len(w.Parts)
	if n == 0 || n > 2 || !w.Parts[n-1].Listed || !strings.HasSuffix(b.one, "/") && !strings.HasSuffix(b.known.String(), "/") {
		return false
	}
	b.w.Many = b.w.Many || w.Many
	b.part(w.Parts[n-1])
	return true
}

// word appends another word's value and flags.
func (b *wordBuilder) word(w *Word) {
	if !b.named(w) {
		b.whole(w)
	}
}

// whole appends all of a word, also where it is the name of a listing.
func (b *wordBuilder) whole(w *Word) {
	b.w.Glob = b.w.Glob || w.Glob
	b.w.Quoted = b.w.Quoted || w.Quoted
	b.w.Many = b.w.Many || w.Many
	b.w.Unsure = b.w.Unsure || w.Unsure
	if w.Tilde && b.empty() {
		b.w.Tilde = true
	}
	alone := w.Fed && b.empty()
	if w.Kind == Literal {
		b.text(w.Text)
	}
	for _, p := range w.Parts {
		if p.Unknown {
			b.part(p)
		} else {
			b.text(p.Text)
		}
	}
	b.w.Fed = alone
}

// empty reports whether nothing was appended yet.
func (b *wordBuilder) empty() bool {
	return b.one == "" && b.known.Len() == 0 && len(b.parts) == 0
}

// done returns the word. The builder must not be used afterwards.
func (b *wordBuilder) done(span Span) Word {
	w := b.w
	w.Span = span
	last := b.run()
	if len(b.parts) == 0 {
		w.Text = last
		if len(last) > maxText {
			return shorter(&w)
		}
		return w
	}
	if last != "" {
		b.parts = append(b.parts, Part{Text: last})
	}
	w.Parts = b.parts
	w.Kind = Unknown
	var text strings.Builder
	for i := range b.parts {
		text.WriteString(b.parts[i].Text)
		if !b.parts[i].Unknown {
			w.Kind = Partial
		}
	}
	w.Text = text.String()
	if len(w.Text) > maxText || len(w.Parts) > maxParts {
		return shorter(&w)
	}
	return w
}
