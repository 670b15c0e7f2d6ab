package risk

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// What a tool is given to run: command lines among its arguments, and text in languages
// of which programs are known. Both are judged as if they stood on a line.

// givenLine is a line that a tool's call is judged as.
type givenLine struct {
	line    string
	text    string // what the tool was given, where the line was made of it; "" where it was the line
	instead string // what to do instead in such a tool
}

// linesIn are all lines that a tool's call is judged as, those that it holds first.
func linesIn(t *rule.ClientTool, args any) (lines []givenLine) {
	for _, line := range commandsIn(t, args) {
		lines = append(lines, givenLine{line: line})
	}
	return append(lines, programsIn(t, args)...)
}

// commandsIn are the command lines among a tool's arguments. Some tools take the
// words of one apart, in a list or as "command" and "args".
func commandsIn(t *rule.ClientTool, args any) (lines []string) {
	if len(t.Programs) > 0 {
		lines = besides(t, args, lines)
	}
	for _, name := range t.Lines {
		eachText(argument(args, name), func(line string) { lines = append(lines, line) })
	}
	for _, name := range t.Commands {
		switch v := argument(args, name).(type) {
		case string:
			if v != "" {
				lines = append(lines, v)
			}
		case []any:
			switch words := wordsOf(v); {
			case len(words) > 0 && strings.ContainsAny(words[0], " \t\n"):
				lines = append(lines, words...) // no program has a blank in its name: these are lines
			case len(words) > 0:
				lines = append(lines, homed(words))
			}
		}
	}
	if t.Prefix != "" {
		for i, line := range lines {
			if line != t.Prefix && !strings.HasPrefix(line, t.Prefix+" ") {
				lines[i] = t.Prefix + " " + line
			}
		}
	}
	return lines
}

// besides are the lines of a program and the words behind it, which many servers take apart: {"command": "rm", "args": ["-rf",
// "x"]}, in the call itself or in an object or list within it.
func besides(t *rule.ClientTool, v any, lines []string) []string {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			lines = besides(t, one, lines)
		}
	case map[string]any:
		for _, name := range t.Programs {
			program, _ := argument(v, name).(string)
			if program == "" {
				continue
			}
			for _, name := range t.Words {
				switch words := argument(v, name).(type) {
				case string:
					lines = append(lines, program+" "+words)
				case []any:
					switch more := wordsOf(words); {
					case len(more) == 0:
					case strings.ContainsAny(program, " \t\n"):
						lines = append(lines, program+" "+homed(more))
					default:
						lines = append(lines, homed(append([]string{program}, more...)))
					}
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			lines = besides(t, v[name], lines)
		}
	}
	return lines
}

// homed is lineOf with the home left as it is written: most servers hand their words to a shell, or know the home themselves.
func homed(words []string) string {
	line := lineOf(words)
	if !strings.Contains(line, "'~") && !strings.Contains(line, "'$") {
		return line
	}
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = argv.Quote(w)
		for _, home := range [...]string{"~", "$HOME", "${HOME}"} {
			if rest, ok := strings.CutPrefix(w, home); ok && (rest == "" || rest[0] == '/') {
				if parts[i] = home; rest != "" {
					parts[i] += argv.Quote(rest)
				}
			}
		}
	}
	return strings.Join(parts, " ")
}

// programsIn are command lines that do what a tool does with text in a language of its
// own: {"sql": "DROP TABLE t"} is psql -c 'DROP TABLE t'. So one rule is enough. A person reads what the tool was given.
func programsIn(t *rule.ClientTool, args any) (lines []givenLine) {
	if len(t.Runs) == 0 {
		return nil
	}
	language := ""
	for _, name := range t.Language {
		if s, ok := argument(args, name).(string); ok && s != "" {
			language = s
		}
	}
	for i := range t.Runs {
		r := &t.Runs[i]
		if len(r.Language) > 0 && !slices.ContainsFunc(r.Language, func(g string) bool { return globFold(g, language) }) {
			continue
		}
		if len(r.When) > 0 {
			if _, ok := argsHold(r.When, args); !ok {
				continue
			}
		}
		if len(r.On) == 0 {
			lines = append(lines, givenLine{line: r.Program, instead: r.Instead})
		}
		for _, name := range r.On {
			eachText(argument(args, name), func(text string) {
				first, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n("), " ")
				if text != "" && (len(r.Begins) == 0 || slices.ContainsFunc(r.Begins, func(word string) bool { return strings.EqualFold(word, strings.TrimSpace(first)) })) {
					lines = append(lines, givenLine{r.Program + " " + argv.Quote(text), text, r.Instead})
				}
			})
		}
	}
	return lines
}

func wordsOf(v any) (words []string) {
	list, _ := v.([]any)
	for _, one := range list {
		word, ok := one.(string)
		if !ok {
			// A number or an object among them: this is no list of words.
			return nil
		}
		words = append(words, word)
	}
	return words
}

// dirIn is the folder in which a tool is asked to run a command; "" is the session's.
func dirIn(t *rule.ClientTool, args any) (dir string) {
	for _, name := range t.Dirs {
		if s, ok := argument(args, name).(string); ok && s != "" {
			dir = s
		}
	}
	return dir
}

// given judges a command line that is handed to a tool as one argument, and returns
// the units of work that it took to read.
func (c *checker) given(g givenLine, dir string) (work int) {
	inner := *c.in
	inner.Tool, inner.Command, inner.Args, inner.Values = "", g.line, nil, nil
	if dir != "" {
		if abs, ok := c.absolute(nil, dir); ok {
			inner.Dir = abs
		}
	}
	sub := checker{set: c.set, named: c.named, in: &inner, budget: c.budget}
	sub.line()
	sub.settle()
	sub.own = len(sub.hits)
	sub.project()
	for i := range sub.hits {
		h := sub.hits[i]
		h.Span = [2]int{} // a place in the argument is none in the call
		h.Text, h.Advice = cmp.Or(g.text, h.Text), cmp.Or(g.instead, h.Advice)
		c.hits = append(c.hits, h)
	}
	c.doubts = append(c.doubts, sub.doubts...)
	c.cutOff, c.failed = c.cutOff || sub.cutOff, cmp.Or(c.failed, sub.failed)
	c.changes = c.changes || sub.unlooked()
	return sub.res.Work()
}
