package lang

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Compiled is a table with its lookups as maps: what the generator turns into
// switches, and what tests use in their place.
type Compiled struct {
	Languages    []rule.Language
	Claims       [][]Claim
	ClaimedBy    []string // the extension or name of each row of Claims
	DirGlobs     []DirRule
	Heads        []rule.GeneratedHead
	Minified     []string
	Comment      rule.Comment
	Needs        []Needs
	Projects     rule.LanguageProjects
	Work         rule.LanguageTasks
	Systems      rule.Ecosystems
	Facts        []rule.Fact
	Scripts      []string
	Extensions   map[string]Ref
	Filenames    map[string]Ref
	Interpreters map[string]Ref
	Names, Stems map[string]NameRule
	Manifests    map[string]bool
	Dirs         []DirRule
	Globs        []NameGlob
	Specials     []Special
	Sums         []uint64
}

// Compile orders the rules for look-up. Languages must be sorted by id, as
// rule.LoadLanguages returns them; their examples, and what the look-ups know of them, are left out of the result.
func Compile(languages []rule.Language, paths *rule.LanguagePaths) (*Compiled, error) {
	c := &Compiled{
		Extensions: map[string]Ref{}, Filenames: map[string]Ref{}, Interpreters: map[string]Ref{},
		Names: map[string]NameRule{}, Stems: map[string]NameRule{}, Manifests: map[string]bool{},
	}
	c.Languages = slices.Clone(languages)
	c.Heads, c.Minified, c.Scripts = paths.Heads, paths.Minified, paths.Scripts
	c.Comment, c.Projects, c.Work, c.Systems = paths.Comment, paths.Projects, paths.Work, paths.Systems
	c.Facts = paths.Facts.List
	for i := range c.Languages {
		l := &c.Languages[i]
		for _, e := range l.Extensions {
			c.Extensions[e] = Ref{Lang: int16(i + 1)}
		}
		for _, f := range l.Filenames {
			c.Filenames[f] = Ref{Lang: int16(i + 1)}
		}
		for _, n := range l.Interpreters {
			c.Interpreters[n] = Ref{Lang: int16(i + 1)}
		}
		for _, n := range l.Needs {
			for _, f := range n.Files {
				c.Needs = append(c.Needs, Needs{f, n.Form, n.Words})
			}
		}
	}
	pattern := func(n Needs) int { return strings.Count(n.File, "*") }
	slices.SortStableFunc(c.Needs, func(a, b Needs) int {
		return cmp.Or(pattern(a)-pattern(b), strings.Compare(a.File, b.File))
	})
	c.claims()
	c.manifests()
	c.compound()
	for _, list := range []struct {
		kind     PathKind
		patterns []string
	}{{Ignored, paths.Ignored}, {Vendored, paths.Vendored}, {Generated, paths.Generated}, {Documentation, paths.Documentation}} {
		for _, p := range list.patterns {
			for _, alt := range alternatives(p) {
				if err := c.path(alt, list.kind); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortStableFunc(c.Dirs, func(a, b DirRule) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(c.Globs, func(a, b NameGlob) int { return strings.Compare(a.Ext, b.Ext) })
	c.named()
	c.specials()
	// The sums cover every rule, examples included: rather a cache that is dropped
	// in vain than one that outlives its rules.
	c.Sums = append(c.Sums, sumOf(paths))
	for i := range languages {
		c.Sums = append(c.Sums, sumOf(&languages[i]))
	}
	for i := range c.Languages {
		// The scan works on the look-ups, and examples are for tests.
		l := &c.Languages[i]
		l.Extensions, l.Filenames, l.Interpreters, l.Claims, l.Needs, l.Examples, l.Near = nil, nil, nil, nil, nil, nil, nil
	}
	return c, nil
}

// sumOf is a number that changes with what a rule file says.
func sumOf(file any) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", file))
	return binary.LittleEndian.Uint64(sum[:])
}

// claims lays the claims on each extension or name side by side, in order.
func (c *Compiled) claims() {
	type ordered struct {
		order int
		claim Claim
	}
	by := map[string][]ordered{}
	for i := range c.Languages {
		for _, k := range c.Languages[i].Claims {
			for _, on := range k.On {
				by[on] = append(by[on], ordered{k.Order, Claim{
					Lang: int16(i + 1), Fold: k.Fold, In: k.In, Line: k.Line, Text: k.Text, Word: k.Word, Start: k.Start, With: k.With, Not: k.Not,
				}})
			}
		}
	}
	for _, on := range slices.Sorted(maps.Keys(by)) {
		list := by[on]
		slices.SortStableFunc(list, func(a, b ordered) int { return cmp.Compare(a.order, b.order) })
		to := c.Filenames
		if strings.HasPrefix(on, ".") && on == strings.ToLower(on) {
			to = c.Extensions
		}
		row := make([]Claim, len(list))
		for i, o := range list {
			row[i] = o.claim
		}
		c.Claims, c.ClaimedBy = append(c.Claims, row), append(c.ClaimedBy, on)
		ref := to[on]
		ref.Claims = int16(len(c.Claims))
		to[on] = ref
	}
}

// manifests notes which names root a project. Hints (weight 1) do not: a
// Makefile in every folder is not a project in every folder.
func (c *Compiled) manifests() {
	flag := func(ext string, f RefFlags) {
		ref := c.Extensions[ext]
		ref.Flags |= f
		c.Extensions[ext] = ref
	}
	for i := range c.Systems.List {
		for _, name := range c.Systems.List[i].Roots {
			c.Manifests[name] = true
			if ext := strings.ToLower(extension(name)); ext != "" {
				flag(ext, ManifestExt)
			}
		}
	}
	for i := range c.Languages {
		for _, m := range c.Languages[i].Manifests {
			if m.Weight < 2 || strings.Contains(m.File, "/") {
				continue
			}
			ext := strings.ToLower(extension(m.File))
			switch {
			case m.File == "*"+ext && len(m.When) == 0:
				flag(ext, ManifestAny)
			case !isPattern(m.File):
				c.Manifests[m.File] = true
				if ext != "" {
					flag(ext, ManifestExt)
				}
			}
		}
	}
}

// named flags the extensions of names that are looked up as a whole, so that the
// scan can leave the rest alone.
func (c *Compiled) named() {
	flag := func(name string) {
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			ext := strings.ToLower(name[i:])
			ref := c.Extensions[ext]
			ref.Flags |= WholeName
			c.Extensions[ext] = ref
		}
	}
	for name := range c.Filenames {
		flag(name)
	}
	for name := range c.Names {
		flag(name)
	}
}

// compound flags ".erb" when ".html.erb" exists.
func (c *Compiled) compound() {
	for e := range c.Extensions {
		if last := extension(e[1:]); last != "" {
			ref := c.Extensions[last]
			ref.Flags |= Compound
			c.Extensions[last] = ref
		}
	}
}

// specials lists by extension all that is special about names with it.
func (c *Compiled) specials() {
	add := func(name, entry string) {
		if ext := strings.ToLower(extension(name)); ext != "" {
			c.Specials = append(c.Specials, Special{ext, entry})
		}
	}
	for name := range c.Filenames {
		add(name, name)
	}
	for name := range c.Names {
		add(name, name)
	}
	for name := range c.Manifests {
		add(name, name)
	}
	for e := range c.Extensions {
		add(e[1:], "*"+e)
	}
	slices.SortFunc(c.Specials, func(a, b Special) int { return cmp.Or(strings.Compare(a.Ext, b.Ext), strings.Compare(a.Name, b.Name)) })
	c.Specials = slices.Compact(c.Specials)
}

// path files one pattern of the path lists.
func (c *Compiled) path(p string, kind PathKind) error {
	p, root := strings.CutPrefix(p, "/")
	if dir, ok := strings.CutSuffix(p, "/"); ok {
		r := DirRule{Name: dir, Root: root, Kind: kind}
		if up, name, two := strings.Cut(dir, "/"); two {
			r.Parent, r.Name = up, name
		}
		if strings.ContainsAny(r.Name, "*~#") {
			r.Glob, r.Name = cutTail(r.Name)
			c.DirGlobs = append(c.DirGlobs, r)
		} else {
			c.Dirs = append(c.Dirs, r)
		}
		return nil
	}
	if stem, ok := strings.CutSuffix(p, ".*"); ok && !strings.ContainsAny(stem, "*~#./") {
		if len(stem) < stemBytes {
			return &rule.Problem{File: "rules/languages/_paths.toml", Text: fmt.Sprintf("path pattern %q must have at least %d letters before its dot", p, stemBytes)}
		}
		c.Stems[stem] = NameRule{Root: root, Kind: kind}
		return nil
	}
	if !strings.ContainsAny(p, "*#") && (!strings.Contains(p, "~") || p == "lt~obsolete.m4") {
		c.Names[p] = NameRule{Root: root, Kind: kind}
		return nil
	}
	ext := extension(p)
	if ext == "" || strings.ContainsAny(ext, "*~#/") || root {
		return &rule.Problem{File: "rules/languages/_paths.toml", Text: fmt.Sprintf("path pattern %q must end in a plain extension", p)}
	}
	front, tail := cutTail(p)
	head := front[:strings.IndexAny(front, "*~#")]
	c.Globs = append(c.Globs, NameGlob{Ext: ext, Head: head, Tail: tail, Pattern: front[len(head):], Kind: kind})
	return nil
}

// cutTail splits a pattern behind its last wildcard.
func cutTail(p string) (front, tail string) {
	i := strings.LastIndexAny(p, "*~#") + 1
	return p[:i], p[i:]
}

// Table answers from the maps.
func (c *Compiled) Table() *Table {
	return &Table{
		Languages: c.Languages, Claims: c.Claims, DirGlobs: c.DirGlobs, Heads: c.Heads, Minified: c.Minified, Comment: c.Comment, Needs: c.Needs, Projects: c.Projects, Work: c.Work, Systems: c.Systems, Facts: c.Facts, Scripts: c.Scripts,
		Dirs: c.Dirs, Globs: c.Globs, Specials: c.Specials, Stems: c.StemStarts(), Sums: c.Sums,
		Extension:   func(ext string) Ref { return c.Extensions[ext] },
		Filename:    func(name string) Ref { return c.Filenames[name] },
		Interpreter: func(name string) Ref { return c.Interpreters[name] },
		Name:        func(name string) NameRule { return c.Names[name] },
		Stem:        func(stem string) NameRule { return c.Stems[stem] },
		Manifest:    func(name string) bool { return c.Manifests[name] },
	}
}

// StemStarts are the first bytes of all stems, each once, in order.
func (c *Compiled) StemStarts() []string {
	var starts []string
	for stem := range c.Stems {
		starts = append(starts, stem[:stemBytes])
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// alternatives expands {a,b} groups; they do not nest.
func alternatives(p string) []string {
	open := strings.IndexByte(p, '{')
	if open < 0 {
		return []string{p}
	}
	end := strings.IndexByte(p[open:], '}')
	if end < 0 {
		return []string{p}
	}
	var out []string
	for _, tail := range alternatives(p[open+end+1:]) {
		for alt := range strings.SplitSeq(p[open+1:open+end], ",") {
			out = append(out, p[:open]+alt+tail)
		}
	}
	slices.Sort(out)
	return out
}

// extension is the name from its last dot on; "" when there is none or the name
// begins with it.
func extension(name string) string {
	// ".bashrc" is a name, and "a." has none.
	if i := strings.LastIndexByte(name, '.'); i > 0 && i < len(name)-1 {
		return name[i:]
	}
	return ""
}
