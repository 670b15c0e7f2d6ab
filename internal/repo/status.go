package repo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/work"
)

// Untracked says how untracked files are listed.
type Untracked uint8

// The values of status.showUntrackedFiles.
const (
	UntrackedNormal Untracked = iota // directories without tracked files as one line
	UntrackedNo                      // not at all
	UntrackedAll                     // every file
)

// StatusOptions say what Status looks for. The zero value answers as `git status
// --porcelain --untracked-files=normal`.
type StatusOptions struct {
	Untracked Untracked
	// UseConfig takes Untracked from status.showUntrackedFiles, as git does.
	UseConfig bool
	// NoRenames shows a renamed file as deleted and added. Otherwise status.renames and
	// diff.renames decide, and renames are found by default.
	NoRenames bool
	// NoStaged leaves out the comparison of the index with HEAD.
	NoStaged bool
	// NoSubmodules does not look inside submodules; their recorded commit is compared.
	NoSubmodules bool
	// Limit bounds the untracked paths in Changes; more are only counted. 0 is no limit.
	Limit int
	// Most ends the status, as partial, once it has found more changes than that: for those who have no use for so many. 0 is no end.
	Most int
	// Workers bounds the goroutines of the walk; 0 lets the size of the index decide.
	Workers int
	// DirCache is the file of the directory cache, or "" for none (see dircache.go). It
	// pays off where status is asked again and again, and may be deleted at any time.
	DirCache string
	// Wary looks into files that settings let Git take for unchanged without a look (core.trustctime, core.checkStat), some
	// thousands at most, and lists files that git passes over since the index has their names in other letters (core.ignoreCase).
	Wary bool
	// Permissions asks for Status.Permissions.
	Permissions bool
	// Folders asks for Status.Folders; with UntrackedAll alone it sees all.
	Folders bool
	// Below leaves out folders that neither lead to it nor lie in it: "src/lib/". Where names ignore case it is not obeyed.
	Below string
	// NoLists leaves out info/exclude and the user's own list: what they alone hide is untracked. It goes with no DirCache.
	NoLists bool
	// Index is used instead of reading the index again, when it is not nil.
	Index *Index
	// Work is charged for what is looked at; once it is over, the status is partial.
	Work *work.Account

	nesting int // how many submodules deep this is
}

// Change is one line of a status: X is the state of the index against HEAD, Y that of the
// work tree against the index, in the letters of `git status --porcelain=v1`:
// ' ' M T A D R U ?.
type Change struct {
	X, Y byte
	// Path is relative to the work tree. An untracked directory ends in "/"; with
	// UntrackedAll only a nested repository does.
	Path string
	Orig string // where a renamed file came from, else ""
	// Entry is the position in the index of the entry that the change is about, or -1.
	Entry int
}

// Conflict says whether a merge has left the path unmerged.
func (c *Change) Conflict() bool {
	return c.X == 'U' || c.Y == 'U' || c.X == c.Y && (c.X == 'A' || c.X == 'D')
}

// Status is what differs between HEAD, index and work tree.
type Status struct {
	// Changes in git's order: tracked paths by name, then untracked ones.
	Changes []Change
	// Counts of lines. One path can be both staged and unstaged.
	Staged, Unstaged, Untracked, Conflicts int
	// Partial says that the deadline or the caller ended the work: what is listed is true,
	// but there may be more.
	Partial bool
	// Approximate are changed paths whose content could not be compared exactly, since
	// that needs a filter program or a re-encoding. They may be unchanged.
	Approximate []string
	// Permissions are what Git has no place for, of the regular files that the index names.
	Permissions Permissions
	// Folders are the modes of folders, and the empty ones.
	Folders Folders
	// Unreadable are directories and files that this user may not read.
	Unreadable []string
	// Special are untracked FIFOs, sockets and devices that no rule ignores, and what is called .git and makes no repository, which
	// git passes over; with UntrackedAll alone.
	Special []string
	// Unjudged says that Git may ignore less than what counts as ignored here: there are too many patterns for so many names.
	Unjudged bool
	// Notes say in one line each what is not part of the answer, and why.
	Notes []string
}

// TooManyPatterns is why a status is Unjudged.
const TooManyPatterns = "there are too many patterns in .gitignore for so many files"

// Clean says that nothing was found and that everything was looked at.
func (s *Status) Clean() bool {
	return !s.Partial && len(s.Notes) == 0 && s.Staged+s.Unstaged+s.Untracked+s.Conflicts == 0
}

// Status compares HEAD, index and work tree as `git status` does, without writing
// anything. When ctx ends first, the answer so far is returned with Partial set. It is
// an error only when nothing can be said: no work tree, or an index that cannot be read.
func (r *Repo) Status(ctx context.Context, o StatusOptions) (*Status, error) {
	if r.Bare() {
		return nil, declined(r.GitDir, "it has no work tree")
	}
	ix := o.Index
	if ix == nil {
		var err error
		if ix, err = r.Index(); err != nil {
			return nil, err
		}
	}
	if o.UseConfig {
		o.Untracked = r.showUntracked(o.Untracked)
	}
	st := &Status{}
	if ix.Sparse {
		full, err := r.expandSparse(ix)
		if err != nil {
			st.Notes = append(st.Notes, "sparse directories that are checked out anyway are not compared: "+err.Error())
		} else {
			ix = full
		}
	}
	s, err := r.newScan(ctx, ix, o)
	if err != nil {
		return nil, err
	}
	defer s.root.Close()
	// A timer or a cancelled caller only sets a flag, which the walk reads at every directory.
	release := context.AfterFunc(ctx, func() { s.stop.Store(true) })
	defer release()
	if ctx.Err() != nil {
		s.stop.Store(true)
	}

	var staged []pair
	var stagedErr, fault error
	s.run(func() {
		if !o.NoStaged {
			fault = work.Guard(func() { staged, stagedErr = r.staged(ix, &s.stop, s.listed) })
		}
	})
	if fault = cmp.Or(fault, s.fault); fault != nil {
		return nil, fmt.Errorf("compare files: %w", fault)
	}

	st.Partial = s.stop.Load()
	if st.Unjudged = s.ignore.Over(); st.Unjudged {
		st.Notes = append(st.Notes, "not all untracked files are listed: "+TooManyPatterns)
	}
	if stagedErr != nil && !st.Partial {
		note := "staged changes are not known: " + stagedErr.Error()
		if dir := r.missingAlternate(); dir != "" {
			note += "; objects are borrowed from " + dir + ", which is missing"
		}
		st.Notes = append(st.Notes, note)
	}
	limits := r.renameLimits(o)
	staged = r.detectRenames(staged, limits, &s.stop)
	// Git also finds renames between deleted files and files that are intended to be added.
	unstaged := r.detectRenames(s.changed, limits, &s.stop)
	st.assemble(ix, staged, unstaged, s)
	return st, nil
}

// showUntracked is the user's own setting, in all its spellings.
func (r *Repo) showUntracked(def Untracked) Untracked {
	v := strings.ToLower(r.Config().String("status.showuntrackedfiles"))
	shown, ok := ParseBool(v)
	switch {
	case v == "":
		return def
	case v == "all":
		return UntrackedAll
	case v == "normal", ok && shown:
		return UntrackedNormal
	case ok:
		return UntrackedNo
	}
	return def
}

// assemble merges the two sides by path, replaces unmerged paths by their letters, sorts
// and counts.
func (st *Status) assemble(ix *Index, staged, unstaged []pair, s *scan) {
	changes := make([]Change, 0, len(staged)+len(unstaged)+len(s.untracked))
	for _, p := range staged {
		changes = append(changes, Change{X: p.status, Y: ' ', Path: p.path, Orig: p.orig, Entry: p.entry})
	}
	for _, p := range unstaged {
		changes = append(changes, Change{X: ' ', Y: p.status, Path: p.path, Orig: p.orig, Entry: p.entry})
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	out := changes[:0]
	for _, c := range changes {
		if n := len(out); n > 0 && out[n-1].Path == c.Path {
			last := &out[n-1]
			if c.Y != ' ' {
				last.Y, last.Entry = c.Y, c.Entry
			}
			if last.Orig == "" {
				last.Orig = c.Orig
			}
			continue
		}
		out = append(out, c)
	}
	if len(ix.entries) > 0 && ix.Unmerged() {
		out = withConflicts(out, ix)
	}
	for i := range out {
		c := &out[i]
		if c.Conflict() {
			st.Conflicts++
			continue
		}
		if c.X != ' ' {
			st.Staged++
		}
		if c.Y != ' ' {
			st.Unstaged++
		}
	}
	slices.Sort(s.untracked)
	for _, p := range s.untracked {
		out = append(out, Change{X: '?', Y: '?', Path: p, Entry: -1})
	}
	st.Changes = out
	st.Untracked = int(s.found.Load())
	st.Permissions = s.permissions
	if s.o.Folders {
		st.Folders = s.allFolders()
	}
	slices.Sort(s.special)
	st.Special = s.special
	slices.Sort(s.approximate)
	st.Approximate = s.approximate
	slices.Sort(s.unreadable)
	st.Unreadable = append(st.Unreadable, s.unreadable...)
}

// withConflicts puts the letters of unmerged paths in place of whatever else was found
// about them. The mask has a bit for each stage that exists.
func withConflicts(changes []Change, ix *Index) []Change {
	conflict := map[string]bool{}
	var more []Change
	for i := 0; i < len(ix.entries); {
		e := &ix.entries[i]
		if e.stage() == 0 {
			i++
			continue
		}
		mask, at := 0, i
		for ; i < len(ix.entries) && ix.entries[i].name == e.name; i++ {
			if s := ix.entries[i].stage(); s > 0 {
				mask |= 1 << (s - 1)
			}
		}
		xy := [...]string{1: "DD", 2: "AU", 3: "UD", 4: "UA", 5: "DU", 6: "AA", 7: "UU"}[mask]
		conflict[e.name] = true
		more = append(more, Change{X: xy[0], Y: xy[1], Path: e.name, Entry: at})
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool { return conflict[c.Path] })
	changes = append(changes, more...)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}
