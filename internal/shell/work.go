package shell

import "strings"

// What a line may cost is counted in package work, so that the same line has the same
// result on a busy machine as on an idle one, and the bound itself can be tested. Each place
// that grows with its input charges what it is about to do, so that one unit is never much
// more than it should be. BenchmarkHostile finds places that charge too little: alone on a
// machine, none of the lines that were made to take long may take more than 2 ms.

// What things cost, in units or in units per so many bytes.
const (
	copyBytes  = 16 // bytes of text that are copied, allocation included
	costStmt   = 4  // a node for a statement is parsed, and left again
	costEmit   = 8  // a command of 300 bytes is appended to the result
	costState  = 4  // a copy of the state, without its variables
	costScript = 24 // the parser starts on a text
	costToken  = 2  // a token of an interpreter's program
	costBrace  = 5  // a brace with two words in it is split off
	costCall   = 2  // a name is looked up among the library calls of a language
	costPart   = 3  // a part of a word, and where it comes from
	costWord   = 2  // a word of 150 bytes, where no parser was paid for it
	costPipe   = 6  // the text between two commands, and what it is from
	costEach   = 3  // an operator of a parameter is applied to one value
	eachBytes  = 4  // bytes of a value that it goes through for one unit
	copyWords  = 2  // words or aliases that are copied for one unit
	copyArgs   = 4  // arguments of a command that are read again by whoever judges it
)

const (
	// maxText bounds the value of one word in bytes, as long as a line may be. Only
	// a line that doubles its variables makes longer ones; what they hold is then
	// unknown, and the rest of the line is still followed.
	maxText = 128 << 10
	// maxParts bounds the unknown parts of one word in the same way.
	maxParts = 256
)

// has charges n units where no context is at hand, and reports whether there was budget.
// Too large a step is not done, and so ends the budget without a debt.
func (e *engine) has(n int) bool {
	return e.work.Take(min(n, max(0, e.work.Left()+1)))
}

// tick counts a step of work and reports whether there is budget for more.
func (e *engine) tick(c *ctx) bool { return e.spend(1, c) }

// spend charges n units and reports whether there is budget for more.
func (e *engine) spend(n int, c *ctx) bool {
	if e.stopped {
		return false
	}
	if !e.work.Take(n) {
		e.doubt(TooMuch, "", c.src.whole())
		e.stopped = true
	}
	if len(e.res.Commands) >= e.opt.Limits.Commands {
		e.doubt(TooMany, "", c.src.whole())
		e.stopped = true
	}
	return !e.stopped
}

// Work returns how many units were used up, for those who share a bound among
// several lines.
func (r *Result) Work() int { return r.work }

// add appends output to what a part of the line has written, and charges the copy:
// a loop that prints copies what it has printed so far in each round.
func (e *engine) add(o *output, p output) {
	e.work.Take((len(o.text.Text)+len(p.text.Text))/copyBytes + len(o.text.Parts) + len(p.text.Parts) + (len(o.from)+len(p.from))/4)
	o.add(p)
}

// shorter returns what is left of a word beyond its bounds: how it begins, and the
// first of the commands that it comes from.
func shorter(w *Word) Word {
	from := w.From()
	s := unknown("…", w.Span, from[:min(len(from), maxParts)]...)
	if head := w.Prefix(); head != "" {
		head = strings.ToValidUTF8(head[:min(len(head), 1<<10)], "")
		s.Kind = Partial
		s.Parts = append([]Part{{Text: head}}, s.Parts...)
		s.Text = head + s.Text
	}
	s.Glob, s.Tilde, s.Quoted, s.Many = w.Glob, w.Tilde, w.Quoted, w.Many
	return s
}
