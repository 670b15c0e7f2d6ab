package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// announced notes a path of git add -N.
func (s *snapshot) announced(path string, mode uint32) {
	s.intent = append(s.intent, path)
	if mode != repo.ModeFile {
		s.intentModes = append(s.intentModes, strconv.FormatUint(uint64(mode), 8)+" "+path)
	}
}

// scan lists what may differ from the index. An answer that the deadline cut short is an error: what it leaves out would look
// unchanged in the snapshot.
func (s *snapshot) scan(ctx context.Context) ([]item, error) {
	workers := 0 // as many as are of use
	if s.opts.depth > 0 && s.ix.Len() < manyInside {
		workers = 1
	}
	look := s.opts.Look
	if look == nil {
		var err error
		if look, err = s.r.Look(ctx, repo.StatusOptions{NoStaged: true, Index: s.ix, DirCache: s.dirCache(), Workers: workers}); err != nil {
			return nil, err
		}
	}
	st := look.Status
	// A part of the changes would make a snapshot in which the rest looks untouched.
	if st.Partial {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("the working tree could not be read in time: %w", err)
		}
		return nil, errors.New("the working tree could not be read in time")
	}
	s.usual = fs.FileMode(st.Permissions.Usual)
	s.modes = map[string]fs.FileMode{}
	s.raised = st.Permissions.Raised
	for _, odd := range st.Permissions.Odd {
		s.modes[odd.Path] = fs.FileMode(odd.Perm)
	}
	s.settleFolders(st.Folders)
	s.readMarks()
	items := make([]item, 0, len(st.Changes)+len(s.opts.Also))
	listed := 0
	for _, c := range st.Changes {
		it := item{path: c.Path, pos: c.Entry}
		if c.X == '?' {
			listed++
			it.pos = -1
		}
		_, temporary := restoredBy(path.Base(c.Path))
		switch {
		case c.Path == LogName:
			continue // ours: it changes with every checkpoint
		case c.Y == ' ' && !c.Conflict():
			continue // staged, and the same on disk: the index has it
		case c.X == '?' && temporary:
			s.stale = append(s.stale, c.Path) // of a restore that was killed
			continue
		case c.X == '?':
		// See Index.Sparse: the status has listed what is below folded folders, too.
		case s.ix.Sparse:
			// Positions are those of the expanded index.
			it.pos = -1
			if i, ok := s.ix.Find(c.Path); ok {
				it.pos = i
			}
		}
		if it.pos >= 0 && s.ix.At(it.pos).Flags&repo.IntentToAdd != 0 && len(s.intent) < maxNamed {
			s.announced(it.path, s.ix.At(it.pos).Mode) // such an entry is always listed, as added or as deleted
		}
		if c.Conflict() {
			s.stages = append(s.stages, c.Path)
		}
		items = append(items, it)
	}
	slices.Sort(s.intent)
	slices.Sort(s.intentModes)
	s.intent, s.intentModes = slices.Compact(s.intent), slices.Compact(s.intentModes)
	// Git ignores them, so no status names them.
	for _, p := range s.opts.Also {
		items = append(items, item{path: p, pos: -1})
	}
	s.notListed(st, listed)
	return append(items, s.unlooked(items)...), nil
}

// notListed says what the status has seen and a snapshot does not hold.
func (s *snapshot) notListed(st *repo.Status, listed int) {
	// Counted but not held in memory: the message says how many.
	if more := st.Untracked - listed; more > 0 && listed >= repo.MaxListed {
		s.skipped = append(s.skipped, Skip{Path: "/", Why: fmt.Sprintf("%d more untracked files", more)})
	}
	if st.Unjudged {
		s.skipped = append(s.skipped, Skip{Path: "/", Why: "untracked files, since " + repo.TooManyPatterns})
	}
	for _, p := range st.Unreadable {
		at, tracked := s.ix.Find(p) // a folder ends in a slash, and what is in it follows
		tracked = tracked || strings.HasSuffix(p, "/") && at < s.ix.Len() && strings.HasPrefix(s.ix.At(at).Path, p)
		s.skipped = append(s.skipped, Skip{Path: p, Why: "not readable", Tracked: tracked})
	}
	for _, p := range st.Special {
		fi, err := os.Lstat(s.r.Path(p))
		if err != nil && !disk.Gone(err) {
			s.skipped = append(s.skipped, Skip{Path: p, Why: why(err), Broken: broken(err)})
		}
		if err == nil {
			k := Skip{Path: p, Why: special(fi.Mode()), safe: true} // nothing is in it
			if path.Base(p) == ".git" {
				k.Why = "a .git that is no repository"
			}
			s.skipped = append(s.skipped, k)
		}
	}
}

// manyFiles is the size of an index from which on remembering directories saves more than it costs.
const manyFiles = 4000

// manyInside is the size of the index of a repository inside from which on its walk gets more than one thread.
const manyInside = 1000

// dirCache is the file in which the walk remembers directories that hold tracked files alone: the next checkpoint need not list
// them.
func (s *snapshot) dirCache() string {
	if s.ix.Len() < s.opts.remember {
		return ""
	}
	return s.r.DirCacheIn(s.opts.StateDir)
}

// unlooked lists what git calls unchanged and what may yet differ: files that it converts (line ends, filters, LFS), files that it
// was told not to look at, and submodules, whose commit alone was compared.
func (s *snapshot) unlooked(items []item) []item {
	var attrs []string
	listed := make(map[int]bool, len(items))
	for _, it := range items {
		listed[it.pos] = true
		if path.Base(it.path) == ".gitattributes" {
			attrs = append(attrs, it.path)
		}
	}
	convert := s.r.Converter(s.ix, attrs)
	sparse := s.r.Config().Bool("core.sparsecheckout", false)
	var sizes *repo.LooseSizes
	look := func(list []item, i int) []item {
		en := s.ix.At(i)
		switch file := en.Mode == repo.ModeFile || en.Mode == repo.ModeExec; {
		case listed[i] || en.Stage != 0:
		case en.Mode == repo.ModeGitlink:
			return append(list, item{path: en.Path, pos: i, raw: true})
		case !file && en.Mode != repo.ModeLink, en.Flags&repo.IntentToAdd != 0, en.Flags&repo.SkipWorktree != 0 && sparse:
		case en.Flags&(repo.AssumeValid|repo.SkipWorktree) != 0, file && convert != nil && differs(convert(en.Path), en, sizes):
			return append(list, item{path: en.Path, pos: i, raw: true})
		}
		return list
	}
	if convert == nil {
		var list []item
		for _, i := range s.ix.Trusted() {
			list = look(list, i)
		}
		return list
	}
	sizes = s.r.LooseSizes(s.opts.StateDir)
	defer sizes.Save()
	const chunk = 512
	parts := make([][]item, (s.ix.Len()+chunk-1)/chunk)
	s.fault = repo.Parallel(len(parts), func(n int) {
		for i := n * chunk; i < min((n+1)*chunk, s.ix.Len()); i++ {
			parts[n] = look(parts[n], i)
		}
	})
	return slices.Concat(parts...)
}

// differs says whether a converted file has to be read to know its bytes. The index records the size on disk: where the blob has
// the same and the conversion can only shrink, nothing was converted.
func differs(c repo.Conversion, en repo.Entry, sizes *repo.LooseSizes) bool {
	switch c {
	case repo.NotConverted:
		return false
	case repo.Shrinks:
		size, err := sizes.Of(en.Hash)
		return err != nil || size>>32 != 0 || uint32(size) != en.Size
	}
	return true
}
