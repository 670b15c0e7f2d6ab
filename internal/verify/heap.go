package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// A work tree can have more changes than a picture keeps: data that .gitignore does not name, or thousands of files that a program wrote. Their number must not let
// work pass without a check. A picture of such a tree keeps the changes of tracked files first, then the untracked files that were written since the session began.
// For all others it keeps one sum: a new sum shows that some of them changed, but not which.

// Bounds of such a picture.
const (
	maxTracked = 5000
	maxLooked  = repo.MaxListed // untracked files that are looked at
)

// heap puts a status into a picture that shows more than it keeps: of untracked files it keeps the ones that were changed last.
func (p *Picture) heap(r *repo.Repo, st *repo.Status, since time.Time) {
	type recent struct {
		path string
		at   int64
	}
	var rest sum
	var news []recent
	tracked, listed := 0, 0
	for i := range st.Changes {
		c := &st.Changes[i]
		if strings.HasSuffix(c.Path, "/") {
			continue
		}
		if !utf8.ValidString(c.Path) {
			rest.add(c.Path, stamp(r.Path(c.Path), false))
			continue
		}
		if c.X != '?' {
			if tracked++; tracked <= maxTracked {
				p.Files[c.Path] = stamp(r.Path(c.Path), false)
			} else {
				rest.add(c.Path, stamp(r.Path(c.Path), false))
			}
			continue
		}
		listed++
		now, _ := disk.At(r.Path(c.Path))
		if at := max(now.ModifiedNano(), now.ChangedNano()); since.IsZero() || at >= since.Add(-coarse).UnixNano() {
			news = append(news, recent{c.Path, at})
		}
	}
	slices.SortStableFunc(news, func(a, b recent) int { return cmp.Compare(b.at, a.at) })
	for i, one := range news {
		if at := stamp(r.Path(one.path), false); i < maxChanges {
			p.Files[one.path] = at
		} else {
			rest.add(one.path, at)
		}
	}
	if st.Untracked > listed { // these were not read, so they count as changed each time
		rest.add("", Stamp{Look: p.At.String()})
	}
	p.Rest = uint64(rest)
}

// sum is one of files in any order; adding one twice takes it away.
type sum uint64

func (s *sum) add(path string, at Stamp) {
	one := sha256.Sum256([]byte(path + "\x00" + at.Look))
	*s ^= sum(binary.LittleEndian.Uint64(one[:]))
}

// whole is the status of a tree that shows more than a picture keeps.
func whole(ctx context.Context, r *repo.Repo, dirCache string, ix *repo.Index) (*repo.Status, error) {
	return r.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedAll, NoRenames: true, NoSubmodules: true, Limit: maxLooked, DirCache: dirCache, Index: ix})
}

// Untold names what a command changed of which no picture says which files they are, "" where all is told; turn tells those apart of which not even a sum is known.
func (p *Picture) Untold(before *Picture, turn int) (name string, is bool) {
	switch {
	case p.Tree != before.Tree:
		return "", false
	case p.Partial || before.Partial || p.Beyond:
		return fmt.Sprintf("turn %d", turn), true
	case p.Rest == before.Rest:
		return "", false
	}
	// What newer files have pushed out of the picture is no change.
	rest := sum(before.Rest)
	for path, was := range before.Files {
		if _, kept := p.Files[path]; !kept && exists(filepath.Join(p.Tree, filepath.FromSlash(path))) {
			rest.add(path, was)
		}
	}
	switch {
	case p.Rest == uint64(rest):
		return "", false
	case p.Rest == 0:
		return "", true
	}
	return strconv.FormatUint(p.Rest, 16), true
}

// UntoldHelp is what to do about such folders.
const UntoldHelp = "Of untold files nobody can tell which they are: have somebody look at what `git status` lists there, and name what is data in .gitignore."

// Untold reports a folder with such files among those that wait.
func Untold(pending []Pending) bool {
	return slices.ContainsFunc(pending, func(p Pending) bool { return p.File.Untold })
}

// untold is how people know such a folder.
func (f *File) untold() string {
	return "untold files of " + filepath.Base(f.Path) + " (too many to compare, or with names that are no UTF-8)"
}
