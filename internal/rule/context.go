package rule

import (
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/toml"
)

// The kinds of [Context] rules.
const (
	ContextDocuments    = "documents"    // a command, an agent, a word or a program → documents to read
	ContextMode         = "mode"         // a word or an explicit form → a short text on how to work
	ContextInstructions = "instructions" // files of rules for agents, given once a session
	ContextReference    = "reference"    // words that make a prompt talk about a mode instead of asking for it
	ContextPasted       = "pasted"       // lines that a program wrote, in which no word counts
)

// Context is one rule of rules/contexts. Which of its lists count depends on its kind.
type Context struct {
	ID    string
	Since string
	Kind  string
	Why   string

	Commands []string `of:"documents"` // slash commands as typed: "/alfred:1-plan"
	Agents   []string `of:"documents"` // names of mentioned sub-agents; "*" is any that no other rule names
	Words    []string // whole words, lower case
	Programs []string `of:"documents"` // first words of a command line that is run: "go test"
	Everyday []string `of:"mode"`      // mode: words that count only when the user's setting says so
	Forms    []string `of:"mode"`      // mode: explicit forms, "search mode"; lower case, single blanks

	// Documents are paths below the project's root, in order; a directory ends in "/", {agent} stands for
	// the mentioned agent.
	Documents []string `of:"documents"`
	Files     []string `of:"instructions"` // instructions: paths or globs below the root
	Text      string   `of:"mode"`         // mode: what the model is told

	// Reference lists, lower case. Before and After stand next to the word and make it a subject; Questions
	// open a sentence or, in languages that ask at the end, stand anywhere in it; Requests are questions
	// that ask for work. Activate lists stand next to the word when it is meant; what is listed in Alone means it
	// only as all that follows ("ulw again", not "ulw again broke"). In languages that end a sentence with its verb, what ends
	// in one of Orders is an order, too. Things make it a subject like After, but where an order is about one of them that stands alone:
	// what "ulw BUG fix" asks for has nothing to do with the word.
	Before         []string `of:"reference"`
	After          []string `of:"reference"`
	Questions      []string `of:"reference"`
	Requests       []string `of:"reference"`
	ActivateBefore []string `toml:"activate_before" of:"reference"`
	ActivateAfter  []string `toml:"activate_after" of:"reference"`
	Alone          []string `of:"reference"`
	Orders         []string `of:"reference"`
	Things         []string `of:"reference"`
	// What else tells an order, lower case: Mode is the word "mode", Particles are endings that other words begin with as well. Behind
	// Polite an order still opens its sentence; Subjects begin sentences that tell something, but for those with Wishes. Typed begin
	// command lines; Values and Complaints stand behind a name and a colon in settings and in what programs print.
	Mode       []string `of:"reference"`
	Particles  []string `of:"reference"`
	Polite     []string `of:"reference"`
	Subjects   []string `of:"reference"`
	Wishes     []string `of:"reference"`
	Typed      []string `of:"reference"`
	Values     []string `of:"reference"`
	Complaints []string `of:"reference"`

	// Pasted lines, by their first word: Singles are pasted themselves, behind Blocks is all up to a blank line. Levels are
	// the words by which logs grade lines, in capitals.
	Singles []string     `of:"pasted"`
	Blocks  []string     `of:"pasted"`
	Levels  []string     `of:"pasted"`
	Starts  []PastedLine `toml:"start" of:"pasted"`

	// Examples are prompts; for instructions paths; "$ go test" is a command line. Those of a reference rule
	// are prompts that name a mode's word: hits must not switch it on, misses must.
	Hits           []string
	Misses         []string
	EverydayHits   []string `toml:"everyday_hits"`
	EverydayMisses []string `toml:"everyday_misses"`
	KnownMiss      []string `toml:"known_miss"`

	File string `toml:"-"`
	Line int    `toml:"-"`
}

// PastedLine is a first word that tells a pasted line only by what stands right behind it.
type PastedLine struct {
	Word  string   `toml:"word"`
	Then  []string `toml:"then"`
	Block bool     `toml:"block"` // all up to a blank line is pasted with it
}

// LoadContexts reads rules/contexts below fsys. Order matters: documents are given in the order of file
// names and of rules in them.
func LoadContexts(fsys fs.FS) ([]Context, error) {
	l := &contextLoader{}
	err := load(&l.report, fsys, "contexts", func(raw *struct{ Rule []Context }) {
		if len(raw.Rule) == 0 {
			l.problem("no [[rule]] here")
		}
		rows(&l.report, "rule", raw.Rule, l.rule)
	})
	if err == nil {
		err = l.err()
	}
	return l.list, err
}

type contextLoader struct {
	report
	list []Context
}

// rule adds one, and says what is wrong with it on its own.
func (l *contextLoader) rule(r *Context) {
	r.File, r.Line = l.file, l.line
	l.named(r.ID)
	l.kind(r)
	if r.Why == "" {
		l.problem("why is missing")
	}
	if r.Since == "" {
		l.problem("since is missing")
	}
	l.texts(r)
	// One example could be the only case that works; near misses keep a rule from growing over its neighbours.
	if len(r.Hits) < 2 {
		l.problem("needs two hits at least")
	}
	if len(r.Misses) < 2 {
		l.problem("needs two near misses at least")
	}
	// Across files too: an id is what messages name a rule by.
	for j := range l.list {
		if l.list[j].ID == r.ID {
			l.problem("duplicate id; first at %s:%d", l.list[j].File, l.list[j].Line)
		}
	}
	l.list = append(l.list, *r)
}

// kind checks that a rule has what its kind needs and nothing that belongs to another: such a list would do nothing, and its author
// would wonder why.
func (l *contextLoader) kind(r *Context) {
	triggers := len(r.Commands) + len(r.Agents) + len(r.Words) + len(r.Programs)
	switch r.Kind {
	case ContextDocuments:
		if triggers == 0 {
			l.problem("needs commands, agents, words or programs")
		}
		if len(r.Documents) == 0 {
			l.problem("documents is missing")
		}
	// Everyday words alone would make a mode that the default setting never gives.
	case ContextMode:
		if len(r.Words)+len(r.Forms) == 0 {
			l.problem("needs words or forms")
		}
		if r.Text == "" {
			l.problem("text is missing")
		}
		// Everyday words stand in many prompts that mean no mode, so both ways have to be shown.
		if len(r.Everyday) > 0 && (len(r.EverydayHits) < 2 || len(r.EverydayMisses) < 2) {
			l.problem("everyday words need two everyday_hits and two everyday_misses")
		}
	case ContextInstructions:
		if len(r.Files) == 0 {
			l.problem("files is missing")
		}
	case ContextReference:
		if len(r.Before)+len(r.After)+len(r.Questions) == 0 {
			l.problem("needs before, after or questions")
		}
	case ContextPasted:
		words := slices.Concat(r.Singles, r.Blocks, r.Levels)
		for _, s := range r.Starts {
			words = append(append(words, s.Word), s.Then...)
		}
		if len(words) == 0 || slices.Contains(words, "") {
			l.problem("needs singles, blocks, levels or start, and no empty word")
		}
	default:
		l.problem("kind is %q; expected documents, mode, instructions, reference or pasted", r.Kind)
		return
	}
	for f, v := range reflect.ValueOf(r).Elem().Fields() {
		if of := f.Tag.Get("of"); of != "" && of != r.Kind && !v.IsZero() {
			l.problem("%s belongs to rules of kind %s", toml.Key(f), of)
		}
	}
}

// texts spells out the braces in paths, and checks the form of paths, commands and words: those in another form would match nothing,
// or lead out of the project.
func (l *contextLoader) texts(r *Context) {
	var files []string
	for _, p := range r.Files {
		list := braces(p)
		if list == nil || len(p) > maxPattern {
			l.problem("path %.40q stands for more than %d; write another", p, maxBraces)
		}
		files = append(files, list...)
	}
	r.Files = files
	for _, p := range slices.Concat(r.Documents, r.Files) {
		if !localPath(p) {
			l.problem("path %q does not stay below the project's root", p)
		}
		// Twice in the context it would only cost tokens (C9).
		if path.Base(p) == "CLAUDE.md" {
			l.problem("path %q is loaded by the client itself", p)
		}
	}
	for _, c := range r.Commands {
		// Typed in a prompt, a second slash makes it a path.
		if len(c) < 2 || c[0] != '/' || strings.ContainsAny(c[1:], "/\\") {
			l.problem("command %q must be / and a name", c)
		}
	}
	words := slices.Concat(r.Words, r.Everyday, r.Forms)
	for f, v := range reflect.ValueOf(r).Elem().Fields() {
		if f.Tag.Get("of") == ContextReference {
			words = append(words, v.Interface().([]string)...)
		}
	}
	for _, w := range words {
		if w == "" || w != strings.ToLower(w) || strings.TrimSpace(w) != w || strings.Contains(w, "  ") {
			l.problem("%q must be lower case without blanks around", w)
		}
	}
}

// localPath reports whether a slash-separated path or glob stays below where it starts, on every system.
func localPath(p string) bool {
	p = strings.TrimSuffix(p, "/")
	if p == "" || strings.ContainsAny(p, `\:`) || path.IsAbs(p) || path.Clean(p) != p {
		return false
	}
	return p != ".." && !strings.HasPrefix(p, "../")
}
