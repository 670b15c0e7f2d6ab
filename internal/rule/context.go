package rule

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
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
	ID    string `toml:"id"`
	Since string `toml:"since"`
	Kind  string `toml:"kind"`
	Why   string `toml:"why"`

	Commands []string `toml:"commands"` // slash commands as typed: "/alfred:1-plan"
	Agents   []string `toml:"agents"`   // names of mentioned sub-agents; "*" is any that no other rule names
	Words    []string `toml:"words"`    // whole words, lower case
	Programs []string `toml:"programs"` // first words of a command line that is run: "go test"
	Everyday []string `toml:"everyday"` // mode: words that count only when the user's setting says so
	Forms    []string `toml:"forms"`    // mode: explicit forms, "search mode"; lower case, single blanks

	// Documents are paths below the project's root, in order; a directory ends in "/", {agent} stands for
	// the mentioned agent.
	Documents []string `toml:"documents"`
	Files     []string `toml:"files"` // instructions: paths or globs below the root
	Text      string   `toml:"text"`  // mode: what the model is told

	// Reference lists, lower case. Before and After stand next to the word and make it a subject; Questions
	// open a sentence or, in languages that ask at the end, stand anywhere in it; Requests are questions
	// that ask for work. Activate lists stand next to the word when it is meant; what is listed in Alone means it
	// only as all that follows ("ulw again", not "ulw again broke").
	Before         []string `toml:"before"`
	After          []string `toml:"after"`
	Questions      []string `toml:"questions"`
	Requests       []string `toml:"requests"`
	ActivateBefore []string `toml:"activate_before"`
	ActivateAfter  []string `toml:"activate_after"`
	Alone          []string `toml:"alone"`
	// What else tells an order, lower case: Mode is the word "mode", Particles are endings that other words begin with as well. Behind
	// Polite an order still opens its sentence; Subjects begin sentences that tell something, but for those with Wishes. Typed begin
	// command lines; Values and Complaints stand behind a name and a colon in settings and in what programs print.
	Mode       []string `toml:"mode"`
	Particles  []string `toml:"particles"`
	Polite     []string `toml:"polite"`
	Subjects   []string `toml:"subjects"`
	Wishes     []string `toml:"wishes"`
	Typed      []string `toml:"typed"`
	Values     []string `toml:"values"`
	Complaints []string `toml:"complaints"`

	// Pasted lines, by their first word: Singles are pasted themselves, behind Blocks is all up to a blank line. Levels are
	// the words by which logs grade lines, in capitals.
	Singles []string     `toml:"singles"`
	Blocks  []string     `toml:"blocks"`
	Levels  []string     `toml:"levels"`
	Starts  []PastedLine `toml:"start"`

	// Examples are prompts; for instructions paths; "$ go test" is a command line. Those of a reference rule
	// are prompts that name a mode's word: hits must not switch it on, misses must.
	Hits           []string `toml:"hits"`
	Misses         []string `toml:"misses"`
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
	files, err := Files(fsys, "contexts")
	if err != nil {
		return nil, err
	}
	var list []Context
	var problems []*Problem
	for _, file := range files {
		var doc struct {
			Rules []Context `toml:"rule"`
		}
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if err := Decode(file, data, &doc); err != nil {
			problems = append(problems, unjoin(file, err)...)
			continue
		}
		lines := Headers(data, "rule")
		if len(doc.Rules) == 0 {
			problems = append(problems, &Problem{File: file, Text: "no [[rule]] here"})
		}
		for i := range doc.Rules {
			r := &doc.Rules[i]
			r.File = file
			if i < len(lines) {
				r.Line = lines[i]
			}
			for _, text := range r.faults() {
				problems = append(problems, &Problem{File: file, Line: r.Line, ID: r.ID, Text: text})
			}
			// Across files too: an id is what messages name a rule by.
			for j := range list {
				if list[j].ID == r.ID {
					problems = append(problems, &Problem{File: file, Line: r.Line, ID: r.ID, Text: fmt.Sprintf("duplicate id; first at %s:%d", list[j].File, list[j].Line)})
				}
			}
			list = append(list, *r)
		}
	}
	if len(problems) > 0 {
		return nil, Join(problems)
	}
	return list, nil
}

// faults says what is wrong with a rule on its own.
func (r *Context) faults() []string {
	var f faults
	f.kind(r)
	prefix := strings.TrimSuffix(path.Base(r.File), ".toml") + "."
	if !strings.HasPrefix(r.ID, prefix) || !validID(r.ID) {
		f.add("id must be %s followed by lower-case words joined by hyphens", prefix)
	}
	if r.Why == "" {
		f.add("why is missing")
	}
	if r.Since == "" {
		f.add("since is missing")
	}
	f.texts(r)
	// One example could be the only case that works; near misses keep a rule from growing over its neighbours.
	if len(r.Hits) < 2 {
		f.add("needs two hits at least")
	}
	if len(r.Misses) < 2 {
		f.add("needs two near misses at least")
	}
	return f
}

// faults gathers what is wrong with one rule.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// kind checks that a rule has what its kind needs and nothing that belongs to another: such a list would do nothing, and its author
// would wonder why.
func (f *faults) kind(r *Context) {
	triggers := len(r.Commands) + len(r.Agents) + len(r.Words) + len(r.Programs)
	switch r.Kind {
	case ContextDocuments:
		if triggers == 0 {
			f.add("needs commands, agents, words or programs")
		}
		if len(r.Documents) == 0 {
			f.add("documents is missing")
		}
	// Everyday words alone would make a mode that the default setting never gives.
	case ContextMode:
		if len(r.Words)+len(r.Forms) == 0 {
			f.add("needs words or forms")
		}
		if r.Text == "" {
			f.add("text is missing")
		}
		// Everyday words stand in many prompts that mean no mode, so both ways have to be shown.
		if len(r.Everyday) > 0 && (len(r.EverydayHits) < 2 || len(r.EverydayMisses) < 2) {
			f.add("everyday words need two everyday_hits and two everyday_misses")
		}
	case ContextInstructions:
		if len(r.Files) == 0 {
			f.add("files is missing")
		}
	case ContextReference:
		if len(r.Before)+len(r.After)+len(r.Questions) == 0 {
			f.add("needs before, after or questions")
		}
	case ContextPasted:
		words := slices.Concat(r.Singles, r.Blocks, r.Levels)
		for _, s := range r.Starts {
			words = append(append(words, s.Word), s.Then...)
		}
		if len(words) == 0 || slices.Contains(words, "") {
			f.add("needs singles, blocks, levels or start, and no empty word")
		}
	default:
		f.add("kind is %q; expected documents, mode, instructions, reference or pasted", r.Kind)
		return
	}
	for _, list := range []struct {
		name string
		n    int
		of   string
	}{
		{"documents", len(r.Documents), ContextDocuments},
		{"commands", len(r.Commands), ContextDocuments},
		{"agents", len(r.Agents), ContextDocuments},
		{"programs", len(r.Programs), ContextDocuments},
		{"files", len(r.Files), ContextInstructions},
		{"text", len(r.Text), ContextMode},
		{"forms", len(r.Forms), ContextMode},
		{"everyday", len(r.Everyday), ContextMode},
		{"before", len(r.Before), ContextReference},
		{"after", len(r.After), ContextReference},
		{"questions", len(r.Questions), ContextReference},
		{"requests", len(r.Requests), ContextReference},
		{"activate_before", len(r.ActivateBefore), ContextReference},
		{"activate_after", len(r.ActivateAfter), ContextReference},
		{"alone", len(r.Alone), ContextReference},
		{"mode", len(r.Mode), ContextReference},
		{"particles", len(r.Particles), ContextReference},
		{"polite", len(r.Polite), ContextReference},
		{"subjects", len(r.Subjects), ContextReference},
		{"wishes", len(r.Wishes), ContextReference},
		{"typed", len(r.Typed), ContextReference},
		{"values", len(r.Values), ContextReference},
		{"complaints", len(r.Complaints), ContextReference},
		{"singles", len(r.Singles), ContextPasted},
		{"blocks", len(r.Blocks), ContextPasted},
		{"levels", len(r.Levels), ContextPasted},
		{"start", len(r.Starts), ContextPasted},
	} {
		if list.n > 0 && list.of != r.Kind {
			f.add("%s belongs to rules of kind %s", list.name, list.of)
		}
	}
}

// texts spells out the braces in paths, and checks the form of paths, commands and words: those in another form would match nothing,
// or lead out of the project.
func (f *faults) texts(r *Context) {
	var files []string
	for _, p := range r.Files {
		list := braces(p)
		if list == nil || len(p) > maxPattern {
			f.add("path %.40q stands for more than %d; write another", p, maxBraces)
		}
		files = append(files, list...)
	}
	r.Files = files
	for _, p := range append(append([]string(nil), r.Documents...), r.Files...) {
		if !localPath(p) {
			f.add("path %q does not stay below the project's root", p)
		}
		// Twice in the context it would only cost tokens (C9).
		if path.Base(p) == "CLAUDE.md" {
			f.add("path %q is loaded by the client itself", p)
		}
	}
	for _, c := range r.Commands {
		// Typed in a prompt, a second slash makes it a path.
		if len(c) < 2 || c[0] != '/' || strings.ContainsAny(c[1:], "/\\") {
			f.add("command %q must be / and a name", c)
		}
	}
	for _, list := range [][]string{r.Words, r.Everyday, r.Forms, r.Before, r.After, r.Questions, r.Requests, r.ActivateBefore, r.ActivateAfter, r.Alone, r.Mode, r.Particles, r.Polite, r.Subjects, r.Wishes, r.Typed, r.Values, r.Complaints} {
		for _, w := range list {
			if w == "" || w != strings.ToLower(w) || strings.TrimSpace(w) != w || strings.Contains(w, "  ") {
				f.add("%q must be lower case without blanks around", w)
			}
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
