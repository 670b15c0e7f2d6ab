// Package ignore decides which paths Git would leave out (.gitignore) and which
// attributes it gives them (.gitattributes), exactly as Git reads those files.
//
// It is not a file walk and does no input or output of its own: the caller hands
// in a function that reads the rule file of one directory, so the same code serves
// a repository, an index, and a plain folder that is no repository at all.
//
// Invariant: a rule file is asked for at most once per directory, and only when
// something in that directory, or below it, has to be decided. Matching is bounded
// in time for any pattern (see Wildmatch).
package ignore

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/work"
)

// Options describe where a Matcher finds its rules.
type Options struct {
	// Read returns the content of the rule file of one directory, or nil when there
	// is none. dir is "" for the root, otherwise slash-separated with a trailing
	// slash ("a/b/"). It may be called from several goroutines, once per directory.
	// Git does not follow a .gitignore that is a symbolic link; neither should Read.
	Read func(dir string) []byte
	// Lower are rule files that rank below those of the tree, the weakest first: Git
	// has core.excludesFile and then .git/info/exclude. Called once, at first use.
	Lower func() [][]byte
	// Fold ignores ASCII case, as core.ignoreCase does.
	Fold bool
	// Stop, when it becomes true, ends long searches; answers are then arbitrary. A hostile
	// rule file can hold so many patterns that one name takes seconds.
	Stop *atomic.Bool
	// Work is charged for what is read and compared; nil is without end. Once it is over,
	// Stop becomes true.
	Work *work.Account
	// Most bounds the steps in which long or intricate lists are compared with names, beyond those that each name adds (perName); 0 is no
	// bound. Past it every name counts as ignored, and Over says so: who leaves out what is ignored leaves these out, too.
	Most int64
}

// Matcher answers for one tree. It is safe for concurrent use.
type Matcher struct {
	read  func(dir string) []byte
	fold  bool
	stop  *atomic.Bool
	work  *work.Account
	lower func() []*Patterns
	root  Dir

	most int64
	took atomic.Int64 // of these, in lists that count
}

// New returns a matcher that has read nothing yet.
func New(o Options) *Matcher {
	m := &Matcher{read: o.Read, fold: o.Fold, stop: o.Stop, work: o.Work, most: o.Most}
	if m.stop == nil {
		m.stop = new(atomic.Bool)
	}
	m.lower = sync.OnceValue(func() []*Patterns {
		var out []*Patterns
		if o.Lower != nil {
			for _, data := range o.Lower() {
				if m.spend(len(data) / parseBytes * stepsPerUnit) {
					out = append(out, Parse(data))
				}
			}
		}
		return out
	})
	m.root.m = m
	return m
}

const (
	// manySteps of a search are taken between two looks at whether it may go on.
	manySteps = 1 << 12
	// stepsPerUnit is how many steps of a match take as long as a unit of work.
	stepsPerUnit = 8
	// parseBytes of a rule file are taken apart in a unit of work.
	parseBytes = 16
)

// spend charges steps and reports whether a search may go on.
func (m *Matcher) spend(steps int) bool {
	if !m.work.Take(1 + steps/stepsPerUnit) {
		m.stop.Store(true)
	}
	return !m.stop.Load()
}

const (
	// fewCompared is how many steps one name may take in one list without being charged for: more of them come of more names alone.
	fewCompared = 1 << 7
	// perName steps are added to the bound by each name that takes more: a list of some hundred patterns is no attack, however many names there are.
	perName = 1 << 8
)

// pay charges the steps of one name in one list, and reports whether they were within the bound.
func (m *Matcher) pay(steps int) bool {
	return m.most == 0 || steps < fewCompared || m.took.Add(int64(steps-perName)) <= m.most
}

// Over reports that names were not compared with all patterns.
func (m *Matcher) Over() bool { return m.most > 0 && m.took.Load() > m.most }

// Root is the top of the tree.
func (m *Matcher) Root() *Dir { return &m.root }

// Dir returns the directory rel ("" is the root, slashes between names, a
// trailing one is allowed). Walks that go down step by step use Dir.Child.
func (m *Matcher) Dir(rel string) *Dir {
	d := m.Root()
	if rel = strings.Trim(rel, "/"); rel == "" {
		return d
	}
	rel += "/" // their paths are parts of this one
	for at := 0; at < len(rel); {
		n := strings.IndexByte(rel[at:], '/')
		c := new(Dir)
		d.Init(c, rel[:at+n+1], rel[at:at+n])
		d, at = c, at+n+1
	}
	return d
}

// Match says whether the path rel is ignored: it, or a directory above it, is
// excluded by the last pattern that speaks about it.
func (m *Matcher) Match(rel string, isDir bool) bool {
	rel = strings.Trim(rel, "/")
	if rel == "" {
		return false
	}
	i := strings.LastIndexByte(rel, '/')
	d := m.Dir(rel[:i+1])
	return d.Ignored() || d.Match(rel[i+1:], isDir)
}

// Dir is one directory on the way down. Creating one costs an allocation and reads
// nothing; its rule file is read when a name in it, or below it, must be decided.
type Dir struct {
	m    *Matcher
	up   *Dir
	path string // "" or "a/b/"
	name string

	rules sync.Once
	bare  bool // known to have no rule file
	pats  *Patterns
	near  *Dir // the nearest folder that has rules, this one or one above it

	judged  sync.Once
	ignored bool
}

// Child is the subdirectory called name.
func (d *Dir) Child(name string) *Dir {
	return &Dir{m: d.m, up: d, path: d.path + name + "/", name: name}
}

// Init makes c the subdirectory of d with the full path path ("a/b/"), without
// allocating: for walks that keep their directories in slabs. c must be fresh.
func (d *Dir) Init(c *Dir, path, name string) {
	c.m, c.up, c.path, c.name = d.m, d, path, name
}

// Path is "" for the root, otherwise it ends in a slash.
func (d *Dir) Path() string { return d.path }

// NoFile tells the matcher that the caller has listed d and saw no rule file
// there, which saves the attempt to read it. It comes before d is asked anything.
func (d *Dir) NoFile() { d.bare = true }

// Ignored says whether d itself or a directory above it is excluded. Nothing below
// such a directory can be brought back by a pattern.
func (d *Dir) Ignored() bool {
	d.judged.Do(func() {
		d.ignored = d.up != nil && (d.up.Ignored() || d.up.Match(d.name, true))
	})
	return d.ignored
}

// Match says whether the entry called name in d is excluded, d itself not being
// Ignored (which the caller has checked when it came down).
func (d *Dir) Match(name string, isDir bool) bool {
	v, _ := d.Find(name, isDir)
	return v == Exclude
}

// Find is Match with the pattern that decided, for explanations.
func (d *Dir) Find(name string, isDir bool) (Verdict, string) {
	x, lower := d.ruling(), d.m.lower()
	if x == nil && len(lower) == 0 {
		return Undecided, ""
	}
	full := name
	if d.path != "" {
		full = d.path + name
	}
	for ; x != nil; x = x.up.ruling() {
		if v, p := x.pats.find(full[len(x.path):], name, isDir, d.m); v != Undecided {
			return v, p
		}
	}
	for i := len(lower) - 1; i >= 0; i-- {
		if v, p := lower[i].find(full, name, isDir, d.m); v != Undecided {
			return v, p
		}
	}
	return Undecided, ""
}

// ruling is the nearest folder that has rules, this one or one above it, nil where none has: a path may have thousands of parts, each
// of which asks all above it.
func (d *Dir) ruling() *Dir {
	if d == nil {
		return nil
	}
	d.rules.Do(func() {
		if d.pats = d.read(); d.pats != nil {
			d.near = d
		} else {
			d.near = d.up.ruling()
		}
	})
	return d.near
}

// read takes the rule file of this folder apart; nil if there is none, or nothing in it.
func (d *Dir) read() *Patterns {
	if d.bare || d.m.read == nil || !d.m.work.Take(work.Path(d.path)) {
		return nil
	}
	if data := d.m.read(d.path); len(data) > 0 && d.m.spend(len(data)/parseBytes*stepsPerUnit) {
		return Parse(data)
	}
	return nil
}
