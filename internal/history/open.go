package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// errForeign is a project whose .git leads to a repository that does not know of it: what is in that is not the project's.
var errForeign = errors.New("its .git leads to another repository, which does not know of this folder")

// errHashes is a repository whose objects have names of SHA-256.
var errHashes = errors.New("its objects have names of SHA-256, which go-git cannot read")

// find opens the repository of a project with package repo. It gives an error for a folder without one, a bare one, and one whose .git leads to
// another repository.
func find(root string) (*repo.Repo, error) {
	r, err := repo.Open(root)
	if err == nil && r.Bare() {
		err = repo.ErrNone
	}
	if err == nil && !belongs(r) {
		err = errForeign
	}
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	return r, nil
}

// belongs reports that the Git folder of a work tree is its own: it lies in it, or names it, as those of linked work trees and submodules do.
func belongs(r *repo.Repo) bool {
	for _, part := range []string{"objects", "refs"} {
		if fi, err := os.Lstat(filepath.Join(r.CommonDir, part)); err != nil || !fi.IsDir() {
			return false
		}
	}
	dot := filepath.Join(r.WorkTree, ".git")
	fi, err := os.Lstat(dot)
	switch {
	case err != nil || fi.Mode()&fs.ModeSymlink != 0:
		return false
	case fi.IsDir():
		return r.GitDir == dot && r.CommonDir == dot
	case r.CommonDir != r.GitDir: // a linked work tree
		text, _, err := disk.ReadFile(filepath.Join(r.GitDir, "gitdir"), 8<<10)
		back := filepath.FromSlash(strings.TrimRight(string(text), "\r\n"))
		if !filepath.IsAbs(back) {
			back = filepath.Join(r.GitDir, back)
		}
		return err == nil && filepath.Dir(r.GitDir) == filepath.Join(r.CommonDir, "worktrees") && sameFile(back, dot)
	}
	back, said := r.Config().Lookup("core.worktree") // a submodule
	if !filepath.IsAbs(back) {
		back = filepath.Join(r.GitDir, filepath.FromSlash(back))
	}
	return said && sameFile(back, r.WorkTree)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// open gives go-git a repository that was found. Nothing but regular files is opened, and no object that is larger than one answer shows.
func open(root string) (*git.Repository, error) {
	r, err := find(root)
	if err != nil {
		return nil, err
	}
	if r.HashSize() != len(plumbing.ZeroHash) {
		return nil, errHashes
	}
	own, common := regular{osfs.New(r.GitDir)}, regular{osfs.New(r.CommonDir)}
	files := filesystem.NewStorage(dotgit.NewRepositoryFilesystem(own, common), cache.NewObjectLRUDefault())
	ends, err := files.Shallow()
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	g, err := git.Open(bounded{files, ends}, nil)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	return g, nil
}

// regular is a file system whose pipes and devices are not opened: to open one may never end.
type regular struct{ billy.Filesystem }

func (f regular) Open(name string) (billy.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

func (f regular) OpenFile(name string, flag int, perm fs.FileMode) (billy.File, error) {
	if fi, err := f.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: disk.ErrNotRegular}
	}
	return f.Filesystem.OpenFile(name, flag, perm)
}

func (f regular) Chroot(path string) (billy.Filesystem, error) {
	below, err := f.Filesystem.Chroot(path)
	return regular{below}, err
}

// bounded are objects no larger than maxObject: their length is known before they are unpacked. Where a shallow clone ends, commits have no parents.
type bounded struct {
	storage.Storer
	ends []plumbing.Hash
}

func (b bounded) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	switch size, err := b.EncodedObjectSize(h); {
	case err != nil:
		return nil, err
	case size > maxObject:
		return nil, errLarge
	}
	o, err := b.Storer.EncodedObject(kind, h)
	if err != nil || o.Type() != plumbing.CommitObject || !slices.Contains(b.ends, h) {
		return o, err
	}
	return orphan(o)
}

// orphaned is a commit that has its name still, though its parents are taken out.
type orphaned struct {
	plumbing.MemoryObject
	name plumbing.Hash
}

func (o *orphaned) Hash() plumbing.Hash { return o.name }

func orphan(of plumbing.EncodedObject) (plumbing.EncodedObject, error) {
	in, err := of.Reader()
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was read whole, or the error is told
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	o := &orphaned{name: of.Hash()}
	o.SetType(plumbing.CommitObject)
	header := true
	for line := range strings.Lines(string(text)) {
		header = header && line != "\n"
		if header && strings.HasPrefix(line, "parent ") {
			continue
		}
		if _, err := o.Write([]byte(line)); err != nil {
			return nil, err
		}
	}
	return o, nil
}
