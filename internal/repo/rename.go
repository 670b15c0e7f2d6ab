package repo

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/disk"
)

// Renames are found by git's own steps, so that the number of lines agrees: first files
// with the same content, then files whose unique base name is the same and whose content
// is similar, then every remaining pair by similarity.

// renameLimits are what configuration says about the search.
type renameLimits struct {
	off    bool
	copies bool
	limit  int // side of the largest matrix of pairs; more pairs are not compared
}

const (
	maxScore     = 60000
	minScore     = maxScore / 2                     // 50 %, git's default
	minNameScore = minScore + (maxScore-minScore)/2 // for files of the same base name
	perTarget    = 4                                // candidates kept for each new file
	defaultLimit = 1000                             // diff.renameLimit
	maxLimit     = 1 << 13                          // where git has none
	maxRename    = 32 << 20                         // bytes; larger files are only matched exactly
)

func (r *Repo) renameLimits(o StatusOptions) renameLimits {
	c := r.Config()
	l := renameLimits{off: o.NoRenames, limit: defaultLimit}
	for _, key := range [...]string{"diff.renames", "status.renames"} {
		v, ok := c.Lookup(key)
		switch {
		case !ok:
			continue
		// status.renames comes second and wins over diff.renames, as in git-status.
		case strings.EqualFold(v, "copies"), strings.EqualFold(v, "copy"):
			l.copies, l.off = true, o.NoRenames
		default:
			l.copies, l.off = false, o.NoRenames || !c.Bool(key, true)
		}
	}
	l.limit = c.Int("status.renamelimit", c.Int("diff.renamelimit", l.limit))
	if l.limit <= 0 || l.limit > maxLimit {
		l.limit = maxLimit
	}
	return l
}

// renames is one search. Sources and targets are positions in pairs, in order by path.
type renames struct {
	r       *Repo
	pairs   []pair
	sources []int
	targets []int
	used    map[int]int // source → how many targets it has
	found   map[int]int // target → source
	copies  bool
	stop    *atomic.Bool
	content map[int]*spans
}

// detectRenames replaces a deleted and an added path by one renamed path where their
// contents say so. pairs come back in order by path.
func (r *Repo) detectRenames(pairs []pair, l renameLimits, stop *atomic.Bool) []pair {
	slices.SortStableFunc(pairs, func(a, b pair) int { return strings.Compare(a.path, b.path) })
	if l.off {
		return pairs
	}
	f := renames{r: r, pairs: pairs, copies: l.copies, stop: stop, used: map[int]int{}, found: map[int]int{}, content: map[int]*spans{}}
	for i := range pairs {
		switch p := &pairs[i]; {
		case p.status == 'A':
			f.targets = append(f.targets, i)
		case p.status == 'D':
			f.sources = append(f.sources, i)
		case l.copies && !p.oldHash.IsZero():
			f.sources = append(f.sources, i)
			f.used[i]++
		}
	}
	if len(f.targets) == 0 || len(f.sources) == 0 {
		return pairs
	}
	f.exact()
	// Git, too, leaves this step out when it looks for copies: a source may then have several targets.
	if !l.copies {
		f.sameNames()
	}
	f.similar(l.limit)
	return f.result()
}

// open lists the sources and targets that are still to be matched.
func (f *renames) open() (sources, targets []int) {
	for _, s := range f.sources {
		if f.used[s] == 0 || f.copies {
			sources = append(sources, s)
		}
	}
	for _, t := range f.targets {
		if _, ok := f.found[t]; !ok {
			targets = append(targets, t)
		}
	}
	return sources, targets
}

func (f *renames) match(target, source int) {
	f.found[target] = source
	f.used[source]++
}

// exact matches equal contents; a source that is unused and has the same base name wins.
func (f *renames) exact() {
	byHash := map[Hash][]int{}
	for _, s := range f.sources {
		byHash[f.pairs[s].oldHash] = append(byHash[f.pairs[s].oldHash], s)
	}
	for _, t := range f.targets {
		p := &f.pairs[t]
		// A file of `git add -N` has no name of its content yet.
		if p.work {
			f.hashWork(p)
		}
		best, bestScore := -1, -1
		list := byHash[p.newHash]
		// Thousands of empty files must not be compared with thousands of others; git stops at the same number.
		for _, s := range list[:min(len(list), 100)] {
			q := &f.pairs[s]
			if (p.newMode&modeType != modeRegular || q.oldMode&modeType != modeRegular) && p.newMode != q.oldMode {
				continue
			}
			if f.used[s] > 0 && !f.copies {
				continue
			}
			score := 0
			if f.used[s] == 0 {
				score++
			}
			if baseName(q.path) == baseName(p.path) {
				score++
			}
			if score > bestScore {
				best, bestScore = s, score
			}
		}
		if best >= 0 {
			f.match(t, best)
		}
	}
}

// hashWork names the content of a file that is only intended to be added.
func (f *renames) hashWork(p *pair) {
	if b, ok := f.workContent(p); ok {
		p.newHash = hashBlob(b, f.r.hashSize)
	}
}

func (f *renames) workContent(p *pair) ([]byte, bool) {
	path := f.r.Path(p.path)
	if p.newMode == ModeLink {
		t, err := os.Readlink(path)
		return []byte(linkTarget(t)), err == nil
	}
	if p.newMode&modeType != modeRegular {
		return nil, false
	}
	b, _, err := disk.ReadFile(path, maxRename)
	return b, err == nil
}

// sameNames matches files whose base name occurs once among the open sources and once
// among the open targets, if they are similar enough.
func (f *renames) sameNames() {
	sources, targets := f.open()
	unique := func(list []int) map[string]int {
		m := map[string]int{}
		for _, i := range list {
			b := baseName(f.pairs[i].path)
			if _, dup := m[b]; dup {
				m[b] = -1
			} else {
				m[b] = i
			}
		}
		return m
	}
	from, to := unique(sources), unique(targets)
	for _, s := range sources {
		b := baseName(f.pairs[s].path)
		t, ok := to[b]
		if !ok || t < 0 || from[b] < 0 || f.stop.Load() {
			continue
		}
		if f.similarity(s, t, minNameScore) >= minNameScore {
			f.match(t, s)
		}
	}
}

type candidate struct {
	source, target int
	score          int
	sameName       int
}

// better orders candidates from the best to the worst.
func better(a, b candidate) int {
	return cmp.Or(b.score-a.score, b.sameName-a.sameName)
}

// similar compares every open pair and takes the best ones first.
func (f *renames) similar(limit int) {
	sources, targets := f.open()
	// The limit is the side of a square, as git means it (too_many_rename_candidates); beyond it nothing more is compared.
	if len(sources) == 0 || len(targets) == 0 || len(sources)*len(targets) > limit*limit {
		return
	}
	var all []candidate
	for _, t := range targets {
		// As many as git keeps: the first ones found stay unless a better one comes.
		var kept []candidate
		for _, s := range sources {
			if f.stop.Load() {
				return
			}
			c := candidate{source: s, target: t, score: f.similarity(s, t, minScore)}
			if baseName(f.pairs[s].path) == baseName(f.pairs[t].path) {
				c.sameName = 1
			}
			if len(kept) < perTarget {
				kept = append(kept, c)
				continue
			}
			worst := 0
			for i := 1; i < len(kept); i++ {
				if better(kept[i], kept[worst]) > 0 {
					worst = i
				}
			}
			if better(kept[worst], c) > 0 {
				kept[worst] = c
			}
		}
		all = append(all, kept...)
	}
	slices.SortStableFunc(all, better)
	// Every source once first; only then, and only for copies, those that are used already.
	for _, again := range [...]bool{false, true} {
		if again && !f.copies {
			break
		}
		for _, c := range all {
			if c.score < minScore {
				break
			}
			if _, done := f.found[c.target]; !done && (again || f.used[c.source] == 0) {
				f.match(c.target, c.source)
			}
		}
	}
}

// result builds the list with renames in place.
func (f *renames) result() []pair {
	if len(f.found) == 0 {
		return f.pairs
	}
	left := map[int]int{}
	for s, n := range f.used {
		left[s] = n
	}
	var out []pair
	for i, p := range f.pairs {
		if s, ok := f.found[i]; ok {
			// All targets of a source but the last are copies, and the last too if the
			// source is still there.
			p.status = 'R'
			if left[s]--; left[s] > 0 {
				p.status = 'C'
			}
			p.orig = f.pairs[s].path
		} else if p.status == 'D' && f.used[i] > 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
