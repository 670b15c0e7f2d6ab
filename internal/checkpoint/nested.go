package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// An Inner is the checkpoint of a repository inside the work tree. It lives in that repository; the checkpoint around it holds only
// the commit that the repository stands on.
type Inner struct {
	Path   string `json:"path"`
	Name   string `json:"name"`             // of the checkpoint in there
	Staged bool   `json:"staged,omitempty"` // its index holds what its HEAD does not
}

// A Fill says whether a submodule has to be filled before something is brought back in it: its folder is empty or gone, and its history still
// is in the repository around it.
type Fill int

// What is known of that.
const (
	Filled  Fill = iota
	Perhaps      // it may be empty by then: the line asks for its .git
	Empty
	Replaced // another repository may be there by then, which gets another name first
)

// Back is the line that brings it back, for a shell in a folder from which the repository is at dir. What fills a submodule puts HEAD on a commit,
// as what updates it does (moved): --refs puts it back on its branch.
func (in Inner) Back(dir string, fill Fill, moved bool) string {
	name := argv.Quote(filepath.ToSlash(dir))
	before := ""
	switch fill {
	case Empty:
		before = "git submodule update --init " + name + " && "
	case Perhaps:
		before = "(test -e " + name + "/.git || git submodule update --init " + name + ") && "
	case Replaced:
		before = PutAside(name, argv.Quote(filepath.ToSlash(dir)+Aside)) + "git submodule update --init " + name + " && "
	}
	return before + Way{ID: strings.TrimPrefix(in.Name, "checkpoint/"), Refs: fill != Filled || moved, Index: in.Staged}.In(dir)
}

// Aside is what stands behind the name of a folder that is put aside.
const Aside = ".replaced"

// PutAside gives a folder another name that has become a repository of its own where a submodule was. Both are words of a shell.
func PutAside(name, to string) string {
	return "(test ! -d " + name + "/.git || mv " + name + " " + to + ") && "
}

// maxInside is how deep repositories inside repositories are followed.
const maxInside = 3

// nestedRepo keeps a submodule or a repository inside as the commit it stands on. Its own changes get a checkpoint of their own.
func (s *snapshot) nestedRepo(it *item, path string) {
	tracked := it.pos >= 0 && s.ix.At(it.pos).Mode == repo.ModeGitlink
	sub, err := openInside(path)
	if err != nil && it.pos >= 0 && !tracked {
		it.fi = nil // a directory has taken the file's place; what it holds is listed for itself
		return
	}
	if err != nil {
		// A submodule that is not checked out stays what the index says.
		_, dot := os.Lstat(filepath.Join(path, ".git"))
		switch {
		case !tracked || err != repo.ErrNone || !disk.Absent(dot):
			it.skip = "a nested repository that cannot be read"
		case !isEmpty(path): // Git lists nothing below it, and a tree has one thing at a path
			it.path, it.unlisted, it.skip = it.path+"/", true, "files in the folder of a submodule that is not checked out"
		default:
			it.leave = true
		}
		return
	}
	it.nested, it.sub = true, sub
	head, err := sub.Head()
	if err != nil || head.Unborn {
		it.skip = "a nested repository without a commit"
		return
	}
	it.side = Side{repo.ModeGitlink, head.Hash}
}

// openInside opens the repository whose work tree is the very folder. repo.ErrNone says that it is a plain folder.
func openInside(path string) (*repo.Repo, error) {
	sub, err := repo.Open(path)
	if err == nil && filepath.Clean(sub.WorkTree) != filepath.Clean(path) {
		return nil, repo.ErrNone
	}
	return sub, err
}

// errChanged says that a repository which was only glanced at has changes.
var errChanged = errors.New("has changes")

// hidden adds the repositories inside that Git does not list.
func (s *snapshot) hidden() {
	for _, p := range s.opts.Hidden {
		sub, err := openInside(s.r.Path(p))
		if err != nil || s.subs[p] != nil {
			continue
		}
		if s.subs == nil {
			s.subs = map[string]*repo.Repo{}
		}
		s.subs[p] = sub
		s.repos = append(s.repos, p)
	}
}

// inside takes checkpoints in the repositories below that have changes, before the one around them is made, which names them. Half
// of the time is the outer one's own. What could not be saved is named as left out.
func (s *snapshot) inside(ctx context.Context) {
	until := halfway(ctx, time.Now())
	for _, p := range s.repos {
		if !until.IsZero() && time.Now().After(until) {
			s.skipped = append(s.skipped, Skip{Path: p + "/", Why: "a repository of its own, and no time left to look for changes in it"})
			continue
		}
		in, err := s.insideOne(ctx, p)
		switch {
		case err != nil:
			s.skipped = append(s.skipped, Skip{Path: p + "/", Why: "a repository of its own, whose changes were not saved: " + why(err)})
		case in.Name != "":
			s.inner = append(s.inner, in)
			if s.opts.Made != nil {
				s.opts.Made(in)
			}
		}
	}
}

// insideOne saves one repository; without a name when it has no changes.
func (s *snapshot) insideOne(ctx context.Context, p string) (Inner, error) {
	sub := s.subs[p]
	// A .git file can point anywhere, and somebody else's repository is no place for what is saved here.
	if !below(sub.GitDir, s.r.WorkTree) && !below(sub.GitDir, s.r.CommonDir) {
		return Inner{}, errors.New("its .git is elsewhere, in " + sub.GitDir)
	}
	o := *s.opts
	o.PinRefs, o.Ignored, o.Also, o.InDanger, o.Made, o.Hidden, o.Look, o.NoLog = nil, nil, nil, nil, nil, nil, nil, true // a log would be a file that its status shows
	o.depth++
	at, tracked := s.ix.Find(p)
	submodule := s.opts.Submodules != nil && tracked && s.ix.At(at).Mode == repo.ModeGitlink
	moves := submodule && s.opts.Submodules(p)
	if submodule { // what fills it again leaves its branch
		if h, err := sub.Head(); err == nil && h.Branch != "" {
			o.PinRefs = []string{"refs/heads/" + h.Branch}
		}
	}
	if judge := s.opts.Sensitive; judge != nil {
		o.Sensitive = func(path string, content []byte) bool { return judge(p+"/"+path, content) }
	}
	limit := s.opts.Limits.Nested
	// Past the limit content would be read for nothing.
	o.glance = limit > 0 && len(s.inner) >= limit
	w := sub.NewWriter(repo.WriteOptions{NoSync: o.NoSync})
	defer w.Abort()
	in, err := take(ctx, sub, w, &o)
	if err == errChanged {
		return Inner{}, fmt.Errorf("over the limit of %d repositories", limit)
	}
	if err != nil {
		return Inner{}, err
	}
	for _, left := range in.skipped { // a repository that could not be looked at whole is not clean for that
		s.skipped = append(s.skipped, Skip{Path: p + "/" + left.Path, Why: left.Why})
	}
	// What HEAD alone brings back needs no checkpoint, and most repositories inside are clean.
	if in.clean() && !moves && (s.opts.Searched == nil || !s.opts.Searched(p)) {
		return Inner{}, nil
	}
	if o.glance {
		if in.clean() {
			return Inner{}, fmt.Errorf("over the limit of %d repositories, it stood on %s", limit, cmp.Or(in.head.Branch, in.head.Hash.String()[:10]))
		}
		return Inner{}, fmt.Errorf("over the limit of %d repositories", limit)
	}
	if o.depth < maxInside {
		in.inside(ctx)
	}
	c, err := in.commit(ctx)
	if err != nil {
		return Inner{}, err
	}
	return Inner{p, c.Name, c.Staged}, nil
}

// below says whether a path is a folder or inside it, by name.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// clean says whether HEAD alone would bring everything back.
func (s *snapshot) clean() bool {
	if s.head.Unborn {
		return s.ix.Len() == 0 && s.stats.Files() == 0
	}
	return s.tree == s.headTree && s.index == s.headTree && len(s.stages) == 0 && len(s.intent) == 0
}

// Submodule says whether what was staged then names a path as a submodule, and the repository still has the folder with the histories of
// such: what is no longer in the index can come back.
func (c *Checkpoint) Submodule(r *repo.Repo, path string) bool {
	if c.Index.IsZero() {
		return false
	}
	was, err := lookup(r.Tree, c.Index, path)
	if err != nil || was.Mode != repo.ModeGitlink {
		return false
	}
	_, err = os.Stat(filepath.Join(r.CommonDir, "modules"))
	return err == nil
}
