package lang

import (
	"encoding/binary"
	"hash/fnv"
	"sort"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Table is all that is known of languages. Lookups are functions, so that the
// generated table can answer with a switch: it costs nothing at start-up.
type Table struct {
	Languages []rule.Language // sorted by id, but for the last own ones
	Claims    [][]Claim       // those on one extension or file name, in the order in which they are asked
	DirGlobs  []DirRule       // rules for folders whose name is a pattern
	Heads     []rule.GeneratedHead
	Minified  []string
	Comment   rule.Comment // of a file that no language takes
	Needs     []Needs
	Projects  rule.LanguageProjects
	Work      rule.LanguageTasks
	Systems   rule.Ecosystems
	Facts     []rule.Fact
	Scripts   []string // beginnings of the names of folders whose plain scripts are vendored

	Extension   func(ext string) Ref  // ext with its dot, in lower case
	Filename    func(name string) Ref // exact file name
	Interpreter func(name string) Ref
	Name        func(name string) NameRule // exact file name
	Stem        func(stem string) NameRule // file name up to its first dot, for README.*
	Manifest    func(name string) bool     // exact file name roots a project

	Dirs     []DirRule  // sorted by name
	Globs    []NameGlob // sorted by extension
	Specials []Special  // sorted by extension
	Stems    []string   // first four bytes of all stems: no other name is looked up

	// Sums has one number for each rule file: they change with the rules, so that no cached answer outlives them.
	Sums []uint64

	// What With adds; behind the fields that are generated.
	more bool // a user adds something
	own  int  // languages of his own, sorted by id among themselves
}

// Special is the name of a file that means something by itself, or the end of such names: "*.html.erb".
type Special struct{ Ext, Name string }

// rows are those of a sorted table that have one key.
func rows[T any](table []T, key string, of func(*T) string) []T {
	from := sort.Search(len(table), func(i int) bool { return of(&table[i]) >= key })
	to := from
	for to < len(table) && of(&table[to]) == key {
		to++
	}
	return table[from:to]
}

// dir are the rules for a folder of that name.
func (t *Table) dir(name string) []DirRule {
	return rows(t.Dirs, name, func(r *DirRule) string { return r.Name })
}

// globs are the patterns for files with an extension.
func (t *Table) globs(ext string) []NameGlob {
	return rows(t.Globs, ext, func(g *NameGlob) string { return g.Ext })
}

// special are the names with an extension that mean something by themselves.
func (t *Table) special(ext string) []Special {
	return rows(t.Specials, ext, func(s *Special) string { return s.Ext })
}

// Added tells what a user adds from what else it was or could be; "" for a table of built-in languages alone.
func (t *Table) Added() string {
	if !t.more {
		return ""
	}
	return "+" + t.stamp()
}

// stamp tells these rules from others.
func (t *Table) stamp() string {
	h := fnv.New64a()
	var b [8]byte
	for _, sum := range t.Sums {
		binary.LittleEndian.PutUint64(b[:], sum)
		_, _ = h.Write(b[:]) // it never fails
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// Ref is what a name alone says about a file.
type Ref struct {
	Lang   int16 // position in Table.Languages plus one; 0 for none
	Claims int16 // position of the claims on it in Table.Claims plus one; 0 for none
	Flags  RefFlags
}

// RefFlags tell the scan what else a name may mean, so that most files need one
// lookup only.
type RefFlags uint8

// Flags of a Ref for an extension.
const (
	Compound    RefFlags = 1 << iota // a longer extension ends in this one: .html.erb
	ManifestExt                      // some file with this extension roots a project: .toml
	ManifestAny                      // every file with it does: .csproj
	WholeName                        // some file name with it means something by itself: tsconfig.json
)

// Claim is one language's conditions on the start of a file (see rule.Claim).
type Claim struct {
	Lang  int16 // position in Table.Languages plus one
	Fold  bool
	In    []string
	Line  []string
	Text  []string
	Word  []string
	Start []string
	With  []string
	Not   []string
}

// Needs says how a manifest lists what a project needs (see rule.Needs); those of a name come before those of patterns.
type Needs struct {
	File, Form string
	Words      []string
}

// PathKind says why a file does not count, or that it does.
type PathKind uint8

// Kinds of paths. The higher of two wins when folder and name disagree.
const (
	Own PathKind = iota
	Documentation
	Generated
	Vendored
	Ignored // build output and dependencies: a walk does not enter, tracked files count
)

// String is the word that reports use: "vendored" and so on; "" for Own.
func (k PathKind) String() string {
	switch k {
	case Documentation:
		return "documentation"
	case Generated:
		return "generated"
	case Vendored:
		return "vendored"
	case Ignored:
		return "ignored"
	}
	return ""
}

// DirRule gives the files below a folder a kind.
type DirRule struct {
	Name   string // exact, or a pattern's literal end in Table.DirGlobs
	Glob   string // what comes before that end
	Parent string // the folder above must be called so; "" for any
	Root   bool   // only at the root
	Kind   PathKind
}

// NameRule gives a file of one name a kind.
type NameRule struct {
	Root bool
	Kind PathKind
}

// NameGlob gives files that match a pattern a kind.
type NameGlob struct {
	Ext        string // the extension of the pattern
	Head, Tail string // the literal ends of the pattern: nearly every name fails here
	Pattern    string // what lies between them
	Kind       PathKind
}

// claims are those on a name, in their order.
func (t *Table) claims(ref Ref) []Claim {
	if ref.Claims == 0 {
		return nil
	}
	return t.Claims[ref.Claims-1]
}

// Language is the language with that position plus one, as in Ref.Lang.
func (t *Table) Language(ref int16) *rule.Language { return &t.Languages[ref-1] }

// Find returns the language that a person means: an id, a name or an alias in
// any case. The second result is false when nobody is called so.
func (t *Table) Find(name string) (*rule.Language, bool) {
	i := t.find(name)
	if i == 0 {
		return nil, false
	}
	return t.Language(i), true
}

// find asks ids and names of all before the aliases of any: "c" is C, whoever else
// is also called so. A person asks once, so nothing is indexed.
func (t *Table) find(name string) int16 {
	name = strings.TrimSpace(name)
	if name == "" {
		return 0
	}
	for i := range t.Languages {
		l := &t.Languages[i]
		if strings.EqualFold(l.ID, name) || strings.EqualFold(l.Name, name) {
			return int16(i + 1)
		}
	}
	for i := range t.Languages {
		for _, a := range t.Languages[i].Aliases {
			if strings.EqualFold(a, name) || strings.EqualFold(strings.ReplaceAll(a, " ", "-"), name) {
				return int16(i + 1)
			}
		}
	}
	return 0
}

// Syntax is how a file is commented and quoted, as far as its name tells: as in the language that it means, else in that with the
// last claim on it, else as most languages are.
func (t *Table) Syntax(name string) (s rule.Syntax) {
	ref, _ := t.byName(name[strings.LastIndexByte(name, '/')+1:])
	switch {
	case ref.Lang != 0:
		l := t.Language(ref.Lang)
		return rule.Syntax{Comment: l.Comment, Quotes: l.Quotes, Prose: l.Kind == "prose"}
	case ref.Claims == 0:
		return rule.Syntax{Comment: t.Comment}
	}
	for _, c := range t.claims(ref) {
		l := t.Language(c.Lang)
		s.Comment = l.Comment
		s.Bare += l.Quotes.Bare // a string that was none would hide what follows
	}
	return s
}

// counted is the language whose share a file of ref goes to.
func (t *Table) counted(ref int16) int16 {
	if g := t.Language(ref).Group; g != "" {
		return t.byID(g)
	}
	return ref
}

// byID finds a language by binary search; 0 when there is none.
func (t *Table) byID(id string) int16 {
	first := len(t.Languages) - t.own
	for i := first; i < len(t.Languages); i++ {
		if t.Languages[i].ID == id {
			return int16(i + 1)
		}
	}
	lo, hi := 0, first
	for lo < hi {
		mid := (lo + hi) / 2
		if t.Languages[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < first && t.Languages[lo].ID == id {
		return int16(lo + 1)
	}
	return 0
}
