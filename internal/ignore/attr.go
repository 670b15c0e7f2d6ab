package ignore

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/work"
)

// Value is the state of one attribute for one path: Unspecified, Set, Unset, or the
// string it was given.
type Value string

// The three values that are no strings. Their spelling cannot occur as a string value.
const (
	Unspecified Value = "\x00unspecified"
	Set         Value = "\x00set"
	Unset       Value = "\x00unset"
)

// IsString says whether the attribute was given a string, as in eol=lf.
func (v Value) IsString() bool { return v != "" && v[0] != 0 }

// maxAttrLine is git's limit: longer lines of an attributes file are skipped.
const maxAttrLine = 2048

// Attributes decides the attributes of paths. It is safe for concurrent use.
type Attributes struct {
	o     AttributeOptions
	lower func() []attrFile
	upper func() []attrFile

	mu    sync.Mutex
	files map[string]*attrFile
}

// AttributeOptions describe where attributes come from.
type AttributeOptions struct {
	// Read returns the .gitattributes file of one directory ("" or "a/b/"), or nil.
	Read func(dir string) []byte
	// Lower are the files that rank below those of the tree, the weakest first: system,
	// then core.attributesFile.
	Lower func() [][]byte
	// Upper ranks above the tree: .git/info/attributes.
	Upper func() []byte
	Fold  bool // core.ignoreCase
	// Stop and Work are those of Options.
	Stop *atomic.Bool
	Work *work.Account
}

// NewAttributes returns a reader that has read nothing yet.
func NewAttributes(o AttributeOptions) *Attributes {
	if o.Stop == nil {
		o.Stop = new(atomic.Bool)
	}
	a := &Attributes{o: o, files: map[string]*attrFile{}}
	a.lower = sync.OnceValue(func() []attrFile {
		out := []attrFile{*parseAttributes([]byte(builtin), "", true)}
		if o.Lower != nil {
			for _, data := range o.Lower() {
				out = append(out, *parseAttributes(data, "", true))
			}
		}
		return out
	})
	a.upper = sync.OnceValue(func() []attrFile {
		if o.Upper == nil {
			return nil
		}
		return []attrFile{*parseAttributes(o.Upper(), "", true)}
	})
	return a
}

// builtin is what git knows before it has read anything.
const builtin = "[attr]binary -diff -merge -text\n"

// Lookup returns the values of the named attributes for the file path, in the order of
// names. Rules speak about files here; a directory has no attributes of its own.
func (a *Attributes) Lookup(path string, names ...string) []Value {
	q := query{path: path, base: path[strings.LastIndexByte(path, '/')+1:], fold: a.o.Fold, got: map[string]Value{}, macros: map[string][]assignment{}}
	chain := a.chain(path)
	// Macros are known before rules are applied; the strongest definition counts.
	for _, f := range chain {
		for i := range f.macros {
			m := &f.macros[i]
			q.macros[m.name] = m.attrs
		}
	}
	// From the strongest file down: what is decided stays so.
	for i := len(chain) - 1; i >= 0 && a.apply(&q, chain[i]); i-- {
	}
	out := make([]Value, len(names))
	for i, n := range names {
		out[i] = Unspecified
		if v, ok := q.got[n]; ok {
			out[i] = v
		}
	}
	return out
}

// chain lists the files that can speak about path, the weakest first.
func (a *Attributes) chain(path string) []*attrFile {
	var out []*attrFile
	for i := range a.lower() {
		out = append(out, &a.lower()[i])
	}
	out = append(out, a.file(""))
	for i := range len(path) {
		if path[i] == '/' {
			out = append(out, a.file(path[:i+1]))
		}
	}
	for i := range a.upper() {
		out = append(out, &a.upper()[i])
	}
	return out
}

func (a *Attributes) file(dir string) *attrFile {
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.files[dir]
	if f == nil {
		f = &attrFile{}
		if a.o.Read != nil && a.o.Work.Take(work.Path(dir)) {
			// Only the file at the root of the tree may define macros.
			if data := a.o.Read(dir); a.spend(len(data) / parseBytes * stepsPerUnit) {
				f = parseAttributes(data, dir, dir == "")
			}
		}
		a.files[strings.Clone(dir)] = f
	}
	return f
}

type attrFile struct {
	dir    string
	rules  []attrRule
	macros []macro
	chains *chains

	said  string // the assignments of the last line, which many lines have alike
	attrs []assignment
}

type attrRule struct {
	pattern pattern
	attrs   []assignment
}

type macro struct {
	name  string
	attrs []assignment
}

type assignment struct {
	name  string
	value Value
}

// query fills in values from the strongest rule to the weakest; the first one that
// speaks about an attribute decides it.
type query struct {
	path, base string
	fold       bool
	got        map[string]Value
	macros     map[string][]assignment
}

// apply asks the rules of one file; false ends the search.
func (a *Attributes) apply(q *query, f *attrFile) bool {
	rel := q.path[len(f.dir):]
	steps := 0 // since the last look at what is left
	s := f.chains.search(len(f.rules), rel, q.base)
	for i := s.next(); i > 0; i = s.next() {
		r := &f.rules[i-1]
		if r.pattern.dirOnly {
			continue
		}
		ok, n := r.pattern.match(rel, q.base, q.fold)
		if ok {
			q.assign(r.attrs, 0)
		}
		if steps += 1 + n; steps >= manySteps {
			if !a.spend(steps) {
				return false
			}
			steps = 0
		}
	}
	return a.o.Work == nil || a.spend(steps)
}

// spend charges steps and reports whether a search may go on.
func (a *Attributes) spend(steps int) bool {
	if !a.o.Work.Take(1 + steps/stepsPerUnit) {
		a.o.Stop.Store(true)
	}
	return !a.o.Stop.Load()
}

func (q *query) assign(attrs []assignment, depth int) {
	for i := len(attrs) - 1; i >= 0; i-- {
		as := attrs[i]
		if _, ok := q.got[as.name]; ok {
			continue
		}
		q.got[as.name] = as.value
		// A macro that is set stands for its list; each name is decided once, so a macro
		// that names itself ends here. The depth is a belt to that.
		if as.value == Set && depth < 64 {
			q.assign(q.macros[as.name], depth+1)
		}
	}
}

func parseAttributes(data []byte, dir string, macros bool) *attrFile {
	f := &attrFile{dir: strings.Clone(dir)}
	if len(data) > MaxFile {
		return f
	}
	s := strings.TrimPrefix(string(data), "\xef\xbb\xbf")
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		if i := strings.IndexByte(line, 0); i >= 0 {
			line = line[:i]
		}
		if len(line) < maxAttrLine {
			f.line(line, macros)
		}
	}
	f.chains = chained(len(f.rules), func(i int) *pattern { return &f.rules[i].pattern })
	return f
}

const attrBlank = " \t\r\n"

func (f *attrFile) line(s string, macros bool) {
	s = strings.TrimLeft(s, attrBlank)
	if s == "" || s[0] == '#' {
		return
	}
	var name, rest string
	quoted := false
	if s[0] == '"' {
		name, rest, quoted = unquote(s)
	}
	if !quoted {
		i := strings.IndexAny(s, attrBlank)
		if i < 0 {
			i = len(s)
		}
		name, rest = s[:i], s[i:]
	}
	if rest != f.said || f.attrs == nil {
		f.said, f.attrs = rest, nil
		attrs, ok := parseAssignments(rest)
		if !ok {
			return
		}
		f.attrs = attrs
	}
	attrs := f.attrs
	if m, is := strings.CutPrefix(name, "[attr]"); is && m != "" {
		if macros && validAttr(m) {
			f.macros = append(f.macros, macro{m, attrs})
		}
		return
	}
	// Negative patterns are forbidden here, and git drops the line.
	if p, ok := parsePattern(name); ok && !p.negate {
		f.rules = append(f.rules, attrRule{p, attrs})
	}
}

// parseAssignments reads "a -b !c d=e". One invalid name makes git drop the line.
func parseAssignments(s string) ([]assignment, bool) {
	var out []assignment
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(attrBlank, r) }) {
		a := assignment{value: Set}
		switch w[0] {
		case '-':
			a.name, a.value = w[1:], Unset
		case '!':
			a.name, a.value = w[1:], Unspecified
		default:
			name, v, has := strings.Cut(w, "=")
			a.name = name
			if has {
				a.value = Value(v)
			}
		}
		if !validAttr(a.name) {
			return nil, false
		}
		out = append(out, a)
	}
	return out, true
}

func validAttr(s string) bool {
	if s == "" || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c != '-' && c != '.' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// unquote reads a C-style string at the start of s; ok is false when it is none, and git
// then takes the quote as an ordinary character.
func unquote(s string) (out, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			i++
			if i >= len(s) {
				return "", "", false
			}
			if e := strings.IndexByte(`abfnrtv\"`, s[i]); e >= 0 {
				b.WriteByte("\a\b\f\n\r\t\v\\\""[e])
				continue
			}
			if i+3 > len(s) {
				return "", "", false
			}
			n, err := strconv.ParseUint(s[i:i+3], 8, 8)
			if err != nil {
				return "", "", false
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}
