package rule

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Agents are who looks at finished work, what needs a look, and how an answer is read.
type Agents struct {
	Verifiers []Verifier // by id
	Kinds     []FileKind // in the order in which they are asked
	Own       []string   // patterns of paths that are nobody's work
	OwnTrees  []string   // and of folders, where each is a work tree of Git's
	Ours      []string   // names of files and folders that are written here, though they say others' code, lower case
	Calls     []string   // tools that start a sub-agent
	Shows     Shows
	Verdict   Verdict
	Words     VerdictWords
	Client    []string // how messages begin that are no agent's answer
	Unmarked  []string // words that take the end of a loop in their sentence back
}

// Verifier is a sub-agent whose work counts as verification.
type Verifier struct {
	ID       string   // its name in the source, such as heimdall
	Text     string   `toml:"description"` // what it is asked for
	Verifies []string // code, plan
	Types    []string // further values of subagent_type that mean it, lower case
	Source   string
	Tools    []string // of the definition that moai writes
	Prompt   string
}

// FileKind is a kind of changed files.
type FileKind struct {
	Name          string
	Needs         string   // code, plan, or "" where nobody has to look
	Paths         []string // patterns, lower case
	Tools         []string // what these make is of this kind
	Languages     []string // kinds of languages
	Scripts       bool     // and what says in its first line which program runs it, in whatever language
	Executables   bool     // and text that may be run by its mode
	Hooks         []string // and what fits these patterns, lower case
	Documentation bool     // and all that lies where documentation does
}

// Shows says what a call puts before whoever makes it.
type Shows struct {
	Tools     []string // read what one of the arguments names, or all there is
	Arguments []string
	Lines     []string // arguments with the number of the first line
	Parts     []string // arguments with how many lines are read
	Enough    int      // of so many lines with a letter in them, or all that a file has, it counts as shown
	Answers   []string // what an answer to a command line holds its output in; one without any cannot be judged
	Later     []string // an answer with one of these comes before the output does
	Exits     []string // how lines begin by which the client tells that a command failed
	Nothing   []string // tools that show no file
	Prompt    []string // a prompt with one of these holds what is in the files that it names
}

// Verdict says how a line says what an agent found.
type Verdict struct {
	Line   []string // how it begins
	Passed []string
	Found  []string
	Unable []string
}

// VerdictWords are looked for where no line says it.
type VerdictWords struct {
	Found  []string
	Unable []string
	Except []string // take back the words of their sentence
}

// Is says whether a subagent_type means this agent. A plugin's prefix (team:heimdall) and letter case do not matter.
func (a *Verifier) Is(subagentType string) bool {
	name := strings.ToLower(subagentType)
	// Whoever packs the agents into a plugin gets its name in front of theirs.
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return name == a.ID || slices.Contains(a.Types, name)
}

// agentsFile is one file of the family.
type agentsFile struct {
	Agent   []Verifier
	Kind    []FileKind
	Own     struct{ Paths, Trees []string }
	Ours    struct{ Names []string }
	Calls   struct{ Tools []string }
	Shows   Shows
	Verdict Verdict
	Words   VerdictWords
	Client  struct{ Begins []string }
	Marker  struct{ Except []string }
}

// LoadAgents reads rules/agents.
func LoadAgents(fsys fs.FS) (*Agents, error) {
	var r report
	all := &Agents{}
	owner := map[string]string{} // subagent_type → id
	each := func(raw *agentsFile) {
		rows(&r, "agent", raw.Agent, func(a *Verifier) {
			r.verifier(a, owner)
			all.Verifiers = append(all.Verifiers, *a)
		})
		rows(&r, "kind", raw.Kind, func(k *FileKind) {
			r.fileKind(k)
			all.Kinds = append(all.Kinds, *k)
		})
		r.id = ""
		r.patterns(raw.Own.Paths)
		r.patterns(raw.Own.Trees)
		r.lower(raw.Ours.Names)
		all.Own = append(all.Own, raw.Own.Paths...)
		all.OwnTrees = append(all.OwnTrees, raw.Own.Trees...)
		all.Ours = append(all.Ours, raw.Ours.Names...)
		all.Calls = append(all.Calls, raw.Calls.Tools...)
		all.Client = append(all.Client, raw.Client.Begins...)
		all.Unmarked = append(all.Unmarked, raw.Marker.Except...)
		r.lower(raw.Marker.Except)
		if len(raw.Shows.Tools) > 0 {
			all.Shows = raw.Shows
		}
		if len(raw.Verdict.Line) > 0 {
			all.Verdict, all.Words = raw.Verdict, raw.Words
			for _, list := range [][]string{raw.Verdict.Line, raw.Verdict.Passed, raw.Verdict.Found, raw.Verdict.Unable, raw.Words.Found, raw.Words.Unable, raw.Words.Except} {
				r.lower(list)
			}
		}
	}
	if err := load(&r, fsys, "agents", each); err != nil {
		return nil, err
	}
	slices.SortFunc(all.Verifiers, func(a, b Verifier) int { return strings.Compare(a.ID, b.ID) })
	return all, r.err()
}

func (r *report) verifier(a *Verifier, owner map[string]string) {
	if r.id = a.ID; a.ID == "" || a.Text == "" || a.Source == "" || len(a.Verifies) == 0 {
		r.problem("an agent needs id, description, source and verifies")
	}
	for _, v := range a.Verifies {
		r.need(v)
	}
	// Compared in lower case (Is), so one with capitals would never be met.
	r.lower(append([]string{a.ID}, a.Types...))
	for _, t := range append([]string{a.ID}, a.Types...) {
		// A subagent_type verifies for one agent, or nobody could say who verified.
		if owner[t] != "" {
			r.problem("%q already means %s", t, owner[t])
		}
		owner[t] = a.ID
	}
	if (a.Prompt == "") != (len(a.Tools) == 0) {
		r.problem("a definition needs tools and a prompt")
	}
}

// need holds what can be verified to a closed list: code, and the plan before it.
func (r *report) need(v string) {
	if v != "code" && v != "plan" {
		r.problem("verifies: %q, want code or plan", v)
	}
}

func (r *report) fileKind(k *FileKind) {
	if r.id = k.Name; k.Name == "" || len(k.Paths)+len(k.Tools)+len(k.Languages) == 0 {
		r.problem("a kind needs a name, and paths, tools or languages")
	}
	if k.Needs != "" {
		r.need(k.Needs)
	}
	r.patterns(k.Paths)
	r.patterns(k.Hooks)
	for _, l := range k.Languages {
		if !slices.Contains(strings.Fields(languageKinds), l) {
			r.problem("%q is no kind of languages", l)
		}
	}
}

// languageKinds are those of Language.Kind.
const languageKinds = "programming markup data prose"

func (r *report) patterns(list []string) {
	r.lower(list)
	for _, p := range list {
		if !doublestar.ValidatePattern(p) {
			r.problem("%q is no pattern", p)
		}
	}
}

// lower refuses what is compared in lower case and would never be met.
func (r *report) lower(list []string) {
	for _, t := range list {
		if t != strings.ToLower(t) {
			r.problem("%q must be lower case", t)
		}
	}
}
