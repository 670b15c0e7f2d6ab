package shell

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/work"
	"mvdan.cc/sh/v3/syntax"
)

const (
	defaultDepth    = 64
	defaultBytes    = 128 << 10
	defaultCommands = 4096
)

// engine follows one line.
type engine struct {
	opt      Options
	tables   *rule.Shells
	res      Result
	line     string
	parser   *syntax.Parser
	work     *work.Account // what the line may cost; who goes on after a charge asks tick first, which says no once it is over
	stopped  bool
	holes    []Part      // unknown parts of the scripts being parsed, see script.go
	picks    []pick      // variables with alternatives met by the words being expanded
	dedupe   int         // emit nothing twice from this index on; -1: off
	expanded int         // words made by brace expansion and loops
	refused  int         // texts that the grammar of Bash does not take
	traps    []trapped   // what runs when the shell ends
	broke    bool        // a loop may have been left early
	returned bool        // and a function, or a file that is sourced
	locals   *[]variable // what local variables hid, nil outside functions
	look     looker      // see look.go
	terminal terminals   // see tmux.go
}

// Parse returns the simple commands that line would run, in source order,
// commands of a substitution before the command that uses them. It never
// fails: see [Result.Incomplete].
func Parse(line string, opt Options) (res *Result) {
	e := newEngine(line, opt)
	res = &e.res
	// A bug must not switch the guard off: what was seen before it counts.
	defer func() {
		if p := recover(); p != nil {
			e.doubt(Failed, fmt.Sprint(p), Span{0, len(line)})
			e.link()
			e.looks()
		}
	}()
	e.parseLine()
	return res
}

// newEngine prepares the analysis of a line.
func newEngine(line string, opt Options) *engine {
	e := &engine{opt: opt, tables: opt.Tables, line: line, dedupe: -1}
	if e.tables == nil {
		e.tables = &rule.Shells{}
	}
	limit(&e.opt.Limits)
	e.work = work.New(e.opt.Limits.Work)
	if e.opt.Limits.Work < 0 {
		e.work = work.New(math.MaxInt)
	}
	return e
}

// parseLine follows the line in its dialect and fills the result.
func (e *engine) parseLine() {
	line := e.line
	data := 0
	if n := e.opt.Limits.Bytes; len(line) > n && len(line) <= maxData*n {
		data = plainData(line)
	}
	if data > 0 && e.opt.Limits.Work > 0 {
		e.work = work.New(e.opt.Limits.Work + data/dataBytes) // it is copied, and that is all
	}
	if n := e.opt.Limits.Bytes; len(line)-data > n {
		e.doubt(TooLong, "", Span{n, len(line)})
		line = line[:n]
	}
	st := &state{dirs: []Word{e.dir()}, work: e.work}
	e.res.Commands = make([]Command, 0, 4)
	c := ctx{st: st, dialect: e.opt.Dialect}
	src := &source{exact: true, span: Span{0, len(line)}, text: line}
	switch e.opt.Dialect {
	case PowerShell:
		e.powershell(line, src, &c)
	case Cmd:
		e.cmd(line, src, &c)
	default:
		e.bash(line, src, &c)
	}
	e.link()
	e.looks()
	if e.work.Over() && !e.stopped { // by what nobody asked about after it
		e.doubt(TooMuch, "", src.whole())
	}
	e.res.work = e.work.Used()
}

// maxData is how many times the limit a line may be long whose bulk is data.
const (
	maxData   = 4
	dataBytes = 8  // of such data that may cost one unit more
	maxUnread = 16 // here-documents that are looked at
)

// plainData is how much of a line stands in here-documents in which nothing is expanded: a file of some hundred KB is
// written so. Behind a quote, a comment or a bracket nobody can tell by a look what is one, so that none counts there.
func plainData(line string) (n int) {
	for range maxUnread {
		before, after, ok := strings.Cut(line, "<<")
		if !ok || strings.ContainsAny(before, "'\"`#(\\") {
			break
		}
		line = after
		head, body, more := strings.Cut(after, "\n")
		end := strings.TrimLeft(strings.TrimPrefix(head, "-"), " ")
		quoted := end != "" && (end[0] == '\'' || end[0] == '"')
		if quoted {
			end, _, quoted = strings.Cut(end[1:], end[:1])
		} else if k := strings.IndexAny(end, " \t;|&<>"); k >= 0 {
			end = end[:k]
		}
		if !more || end == "" || len(end) > longestName || strings.ContainsAny(end, "'\"`$(\\") {
			break
		}
		rest, found := body, false
		for rest != "" && !found {
			var row string
			row, rest, _ = strings.Cut(rest, "\n")
			found = strings.TrimLeft(row, "\t") == end
		}
		if !found || !quoted && strings.ContainsAny(body[:len(body)-len(rest)], "$`\\") {
			break
		}
		n += len(body) - len(rest)
		line = rest
	}
	return n
}

// limit puts the defaults in the place of zero.
func limit(l *Limits) {
	if l.Depth == 0 {
		l.Depth = defaultDepth
	}
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Commands == 0 {
		l.Commands = defaultCommands
	}
	if l.Work == 0 {
		l.Work = work.Line
	}
}

// dir returns the directory in which the line starts.
func (e *engine) dir() Word {
	if e.opt.Dir == "" {
		return unknown("$PWD", Span{})
	}
	return lit(e.opt.Dir, Span{})
}

// link fills PipeTo from PipeFrom.
func (e *engine) link() {
	for i := range e.res.Commands {
		for _, from := range e.res.Commands[i].PipeFrom {
			c := &e.res.Commands[from]
			c.PipeTo = append(c.PipeTo, i)
		}
	}
}

// doubt notes why the result is not complete, once for each reason and place.
func (e *engine) doubt(r Reason, text string, span Span) {
	for _, d := range e.res.Incomplete {
		if d.Reason == r && (d.Span == span || r >= TooDeep) {
			return
		}
	}
	e.res.Incomplete = append(e.res.Incomplete, Doubt{r, text, span})
}

// source says where the text of a script stands in the line.
type source struct {
	base  int  // offset of the text in the line, if exact
	exact bool // byte for byte
	span  Span // where the text as a whole stands
	text  string
}

// whole returns where the text as a whole stands.
func (s *source) whole() Span { return s.span }

// at returns where a part of the text stands. Positions beyond the text, which
// nodes of a text that was completed have, are cut off.
func (s *source) at(start, end int) Span {
	if !s.exact {
		return s.span
	}
	return Span{
		min(max(s.base+start, s.span[0]), s.span[1]),
		min(max(s.base+end, s.span[0]), s.span[1]),
	}
}

// node returns where a node stands.
func (s *source) node(n syntax.Node) Span {
	if !s.exact {
		return s.span
	}
	return s.at(int(n.Pos().Offset()), int(n.End().Offset()))
}

// written returns how a node is spelled.
func (s *source) written(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(s.text) || from >= to {
		return "?"
	}
	return s.text[from:to]
}

// bash parses text and follows its statements.
func (e *engine) bash(text string, src *source, c *ctx) output {
	c.src = src
	whole := len(text)
	if cut := nesting(text, &e.tables.Sh); cut < len(text) {
		e.doubt(TooDeep, "", src.at(cut, len(text)))
		text = text[:cut]
	}
	if text = e.afford(text, src, c); text == "" {
		return output{}
	}
	text = e.plainNames(text)
	f, err := e.parse(text, syntax.LangBash)
	open := 0
	if err != nil {
		e.refused++
		f, open, err = e.reparse(f, err, text, src, len(text) < whole)
	}
	if err == nil {
		traps := len(e.traps)
		out := e.stmts(f.Stmts, c)
		e.ends(traps)
		if open > 0 && open < len(text) { // it may begin with the line break that is not there
			e.crude(text[open:], open, c) // where the heredoc should have ended is not known
		}
		return out
	}
	var pe syntax.ParseError
	what, at := err.Error(), 0
	if errors.As(err, &pe) {
		what, at = pe.Text, int(pe.Pos.Offset())
	}
	e.doubt(Syntax, what, src.at(min(at, len(text)), len(text)))
	done := 0
	if f != nil && len(f.Stmts) > 0 {
		e.stmts(f.Stmts, c)
		done = int(f.Stmts[len(f.Stmts)-1].End().Offset())
	}
	if done < len(text) {
		e.crude(text[done:], done, c)
	}
	return output{}
}

// parse runs the parser, which is made at first use and kept for nested scripts.
func (e *engine) parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	if e.parser == nil {
		e.parser = syntax.NewParser()
	}
	syntax.Variant(lang)(e.parser)
	return readShell(text, e.parser, func(text string) bool { return e.work.Take(parseCost(text)) })
}

// reparse tries what other shells accept: a heredoc that ends with the text,
// and the syntax of zsh, which agents run where it is the user's shell. It
// returns where the body of a heredoc without an end begins, 0 if none does. What was cut
// off in the middle parses in no shell, so that zsh is not asked about it.
func (e *engine) reparse(f *syntax.File, err error, text string, src *source, cut bool) (*syntax.File, int, error) {
	// Heredocs that end with the text. Each is one more parse of all of it: 43,000 of
	// them in 128 KiB, with 340 parses, took 1.4 s.
	const most = 8
	again := func(text string) bool { return e.spend(parseCost(text), &ctx{src: src}) }
	for range most {
		stop, ok := openHeredoc(err)
		if !ok || stop == "" || stop[0] < utf8.RuneSelf {
			break
		}
		plain := plainStop(text, stop)
		if plain == text || !again(plain) {
			break
		}
		text = plain
		if f, err = e.parse(text, syntax.LangBash); err == nil {
			return f, 0, nil
		}
	}
	for closed, last, n := text, err, 0; n < most; n++ {
		stop, ok := openHeredoc(last)
		if !ok || !again(closed) {
			break
		}
		closed += "\n" + stop + "\n"
		g, err := e.parse(closed, syntax.LangBash)
		if err == nil {
			src.text = closed
			open := max(0, strings.LastIndex(text, "<<"))
			return g, open + strings.IndexByte(text[open:]+"\n", '\n') + 1, nil
		}
		last = err
	}
	if cut || !again(text) {
		return f, 0, err
	}
	if g, err := e.parse(text, syntax.LangZsh); err == nil {
		return g, 0, nil
	}
	return f, 0, err
}

// openHeredoc returns the end word of the heredoc that the parser misses.
func openHeredoc(err error) (stop string, ok bool) {
	var pe syntax.ParseError
	if !errors.As(err, &pe) {
		return "", false
	}
	word, ok := strings.CutPrefix(pe.Text, "unclosed here-document ")
	if !ok {
		return "", false
	}
	stop, uerr := strconv.Unquote(word)
	return stop, uerr == nil
}

// nesting returns the offset at which text is nested so deeply that parsing it
// would need an unreasonable stack, or its length. It counts brackets and
// keywords without regard to quotes; only very odd text reaches the bound.
func nesting(text string, words *rule.Sh) int {
	const safe, deep = 2 << 10, 512
	if len(text) <= safe {
		return len(text)
	}
	// Apart, since "case x in a)" opens one and closes the other.
	brackets, keywords, word := 0, 0, -1
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '(' || b == '{' || b == '[':
			brackets++
		case b == ')' || b == '}' || b == ']':
			brackets = max(0, brackets-1)
		case b >= 'a' && b <= 'z':
			word = i
			for i+1 < len(text) && text[i+1] >= 'a' && text[i+1] <= 'z' {
				i++
			}
			continue
		case word >= 0:
			switch w := text[word:i]; {
			case words.Opens.Has(w):
				keywords++
			case words.Closes.Has(w):
				keywords = max(0, keywords-1)
			}
		}
		word = -1
		if brackets > deep || keywords > deep {
			return i
		}
	}
	return len(text)
}
