package receipt

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/lint"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// Kind is what was run.
type Kind string

// The kinds.
const (
	Test      Kind = "test"
	Build     Kind = "build"
	Lint      Kind = "lint"
	Typecheck Kind = "typecheck"
)

// Outcome is what a run came to.
type Outcome string

// The outcomes. Only a violation says something against the files.
const (
	Clean     Outcome = "clean"
	Violation Outcome = "violation"
	Failure   Outcome = "infrastructure error" // it could not run, or was ended
)

// Receipt is one run.
type Receipt struct {
	Kind    Kind      `json:"kind"`
	Tree    string    `json:"tree"` // what the files held, see Files
	Command string    `json:"command"`
	At      time.Time `json:"at"`
	TookMS  int64     `json:"took_ms"`
	Exit    int       `json:"exit_code"`
	Outcome Outcome   `json:"outcome"`
	NoTests bool      `json:"no_tests,omitempty"` // it ended well, and ran no test
	Part    bool      `json:"part,omitempty"`     // it ran some of the tests only
	Beside  string    `json:"beside,omitempty"`   // the project's own command; whether it runs more than this one is not known
	Tail    string    `json:"tail,omitempty"`     // the end of what it printed, without secrets
	Failing []string  `json:"failing,omitempty"`  // the first lines that say what failed, without secrets
	Session string    `json:"session_id,omitempty"`
	// Found is what linters and type checks say of lines.
	Found []lint.Finding `json:"found,omitempty"`
}

// Green reports that it says of the files as a whole that they are fine.
func (r *Receipt) Green() bool { return r != nil && r.Outcome == Clean && !r.Part && !r.NoTests }

// Red reports that it says something against them.
func (r *Receipt) Red() bool { return r != nil && r.Outcome == Violation }

// Exit codes with which shells say that a program is missing or cannot be started, and above which a signal has ended it.
const (
	cannotStart = 126
	NoProgram   = 127 // nothing was run
	bySignal    = 128
	cmdNoProg   = 9009 // cmd.exe
)

// NeverRan reports an exit code that says that nothing was run.
func NeverRan(exit int) bool { return exit == cannotStart || exit == NoProgram || exit == cmdNoProg }

// OutcomeOf is what an exit code comes to. A run that failed before anything ran says nothing against the files.
func OutcomeOf(exit int, nothingRan bool) Outcome {
	switch {
	case exit == 0:
		return Clean
	case NeverRan(exit), exit > bySignal && exit < 256, exit < 0, nothingRan:
		return Failure
	}
	return Violation
}

// yields reports that another run takes the place of a receipt of the same files. What says less does not take the place of what says more: not one
// that could not run, and not some of the tests that pass in that of all, or of others that failed.
func (r *Receipt) yields(to *Receipt) bool {
	switch {
	case to.Outcome == Failure:
		return r.Outcome == Failure
	case to.Outcome == Clean && (to.Part || to.NoTests):
		return r.Outcome == Failure || r.Part && (r.Outcome == Clean || r.Command == to.Command) || r.NoTests
	}
	return true
}

// maxLine bounds what is looked at of one line of output.
const maxLine = 4 << 10

// Output reads what a run prints, as it comes: whether tests ran, what failed, and its end.
type Output struct {
	words     *rule.TestWords
	line      []byte
	tail      []byte
	none, ran bool
	broken    bool
	apart     bool     // a part could not be set up
	failed    bool     // a line says that something else failed
	lacks     []string // names of modules
	misnamed  []string // what is not there of what was asked for
	failing   []string
}

// NewOutput reads by the words of the rules.
func NewOutput(words *rule.TestWords) *Output { return &Output{words: words} }

// tailBytes is how much of the end is kept.
const tailBytes = 8 << 10

// Write takes in a piece. It never fails.
func (o *Output) Write(b []byte) (int, error) {
	o.tail = append(o.tail, b...)
	if over := len(o.tail) - 2*tailBytes; over > 0 {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-tailBytes:]...)
	}
	for _, c := range b {
		if c == '\n' {
			o.ends()
		} else if len(o.line) < maxLine {
			o.line = append(o.line, c)
		}
	}
	return len(b), nil
}

func (o *Output) ends() {
	o.line = said(o.line, o.words.Within)
	if name := named(o.line, o.words.Misnamed); name != "" && len(o.misnamed) < mostLacks {
		o.misnamed = append(o.misnamed, name)
	}
	text := strings.TrimSpace(term.Plain(string(o.line)))
	says := func(list []string) bool {
		return slices.ContainsFunc(list, func(form string) bool { return holds(text, form) })
	}
	apart := says(o.words.Apart)
	o.fails(text, apart)
	switch {
	case text == "":
	case apart:
		o.apart, o.none = true, o.none || !o.ran && says(o.words.None)
	case o.ran: // what is printed then may be the tests' own: it is asked for where a part could not be set up
		o.broken = o.broken || says(o.words.Broken)
	case says(o.words.None):
		o.none = true
	case says(o.words.Broken):
		o.broken = true
	case o.names():
	case says(o.words.Ran):
		o.ran = true
	}
	o.line = o.line[:0]
}

// said is the line that one of JSON holds in one of some fields, as go test -json prints them; any other is as it is.
func said(line []byte, fields []string) []byte {
	if !bytes.HasPrefix(line, []byte("{")) {
		return line
	}
	var all map[string]any
	if json.Unmarshal(line, &all) != nil {
		return line
	}
	for _, name := range fields {
		if text, ok := all[name].(string); ok {
			return []byte(strings.TrimRight(text, "\r\n"))
		}
	}
	return line
}

// mostLacks is how many names of modules are looked at.
const mostLacks = 20

// names takes in the module that a line says is missing.
func (o *Output) names() bool {
	name := named(o.line, o.words.Lacks)
	if name != "" && len(o.lacks) < mostLacks {
		o.lacks = append(o.lacks, name)
	}
	return name != ""
}

// named is what stands for {} where a line holds one of some forms, "" where it holds none.
func named(line []byte, forms []string) string {
	for _, p := range forms {
		before, after, _ := strings.Cut(p, "{}")
		_, rest, says := strings.Cut(string(line), before)
		if !says {
			continue
		}
		name, _, closed := strings.Cut(rest, after)
		if after == "" {
			name, closed = strings.TrimSpace(rest), true
		}
		if closed {
			return name
		}
	}
	return ""
}

// Misnamed reports that what was printed says that something is not there that a word of the command line named: that is no answer about the files.
func (o *Output) Misnamed(words []string) bool {
	o.ends()
	return slices.ContainsFunc(o.misnamed, func(name string) bool {
		name = filepath.ToSlash(name)
		return slices.ContainsFunc(words, func(w string) bool {
			w = strings.TrimPrefix(filepath.ToSlash(w), "./")
			return w != "" && (name == w || strings.HasSuffix(name, "/"+w))
		})
	})
}

// CouldNotBegin reports that what was printed says that nothing could be run: a task, a program or a module is missing that the project at root does not
// have itself. So it is where parts could not be set up for that, and the others passed.
func (o *Output) CouldNotBegin(root string) bool {
	o.ends()
	own := func(name string) bool { return o.ownModule(root, name) }
	others := slices.ContainsFunc(o.lacks, func(name string) bool { return !own(name) })
	if o.apart && !o.failed && (o.broken || others && !slices.ContainsFunc(o.lacks, own)) {
		return true
	}
	return !o.ran && (o.broken || others)
}

// Broken reports that the program that was run says of itself that it cannot begin.
func (o *Output) Broken() bool {
	o.ends()
	return o.broken && len(o.lacks) == 0
}

// ownModule reports a module of the project's own: a file that is written as a path in it, or by the first part of its name. A mistake in that name is one in
// the files.
func (o *Output) ownModule(root, name string) bool {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(root, name)
		return err == nil && filepath.IsLocal(rel) && !strings.Contains(filepath.ToSlash(rel), "node_modules/")
	}
	if strings.HasPrefix(name, ".") {
		return true
	}
	first := name[:len(name)-len(strings.TrimLeftFunc(name, func(r rune) bool { return !strings.ContainsRune("./:", r) }))]
	there := func(path string) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		return err == nil
	}
	return first != "" && slices.ContainsFunc(o.words.Modules, func(form string) bool { return there(strings.Replace(form, "{}", first, 1)) })
}

// Ran reports that what was printed says that tests ran.
func (o *Output) Ran() bool {
	o.ends()
	return o.ran
}

// NoTests reports that what was printed says that no test ran.
func (o *Output) NoTests() bool {
	o.ends()
	return o.none && !o.ran
}

// Tail is the end of what was printed, in whole lines without colours.
func (o *Output) Tail() string {
	t := o.tail
	if len(t) > tailBytes {
		t = t[len(t)-tailBytes:]
		if i := slices.Index(t, '\n'); i >= 0 {
			t = t[i+1:]
		}
	}
	return term.Plain(string(t))
}

// Picks reports that a run of a project's tests, whose words are known, may have run some of them only: it has another word, or an option
// that is not known to run all. Without a command that the project is known to have, nobody can tell, and it is taken for a whole one
// where it has no option of those that pick some.
func Picks(words *rule.TestWords, whole, run []string) bool {
	rest := run
	for _, w := range whole {
		i := slices.Index(rest, w)
		if name, _, _ := strings.Cut(w, "="); i < 0 && wide(words, whole, name) {
			continue
		}
		if i < 0 {
			return true // another command, or a narrower one
		}
		rest = slices.Concat(rest[:i], rest[i+1:])
	}
	for _, w := range rest {
		name, _, _ := strings.Cut(w, "=")
		if len(whole) > 0 && !wide(words, run, name) || slices.Contains(words.Narrow, name) {
			return true
		}
	}
	return false
}

// Narrows reports an option that picks some of the tests.
func Narrows(words *rule.TestWords, run []string) bool {
	return slices.ContainsFunc(run, func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return slices.Contains(words.Narrow, name)
	})
}

// wide reports an option of a command with which it still runs all of its tests.
func wide(words *rule.TestWords, run []string, option string) bool {
	return slices.ContainsFunc(words.Wide, func(w rule.Wide) bool {
		return slices.Contains(w.Options, option) && slices.ContainsFunc(run, func(word string) bool { return slices.Contains(w.Programs, filepath.Base(word)) })
	})
}

// Steered reports that a line sets a variable that may skip tests, or hide that they fail.
func Steered(words *rule.TestWords, line string) bool {
	sets := func(name string) bool { return strings.Contains(line, name+"=") }
	return slices.ContainsFunc(words.Steered, sets) || slices.ContainsFunc(words.Search, sets)
}

// MostText is how much of what linters and type checks print is read for findings.
const MostText = 4 << 20

// Findings reads what one printed that ran in dir, without secrets.
func Findings(text, root, dir string, mask func(string) string) []lint.Finding {
	list := lint.Read(text, root, dir)
	for i := range list {
		list[i].Text = mask(list[i].Text)
	}
	return list
}
