package lang

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// reader is where files come from: a folder on disk, or a tree of objects. Head and File are asked by several goroutines.
type reader interface {
	Dir() string
	Head(path string, buf []byte) int
	File(path string, limit int64) ([]byte, disk.Stat, error)
	Size(path string) (int64, bool)
	Close()
}

// tree reads what a commit holds, as if it were checked out. Links lead on inside of it, as they would in a checkout.
type tree struct {
	repo *repo.Repo
	dir  string // of the folder that it would be checked out in
	root repo.Hash

	mu    *sync.Mutex
	trees map[repo.Hash][]repo.TreeEntry
	sizes map[repo.Hash]int64 // a commit may have one content in many places, and is gone through twice
}

const (
	maxLinks  = 8         // that are followed on the way to a file
	maxBlob   = 64 << 20  // content that is looked into
	maxTarget = 4 << 10   // bytes of a link's target
	maxTrees  = 1_000_000 // folders of one commit
	maxLevels = 512       // of folders below each other
)

var errTree = errors.New("the tree of the commit is too large or too deep")

func (t *tree) Dir() string { return t.dir }
func (t *tree) Close()      {}

// entries are the names in a folder. What no file system takes is left out.
func (t *tree) entries(h repo.Hash) ([]repo.TreeEntry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list, ok := t.trees[h]; ok {
		return list, nil
	}
	list, err := t.repo.Tree(h)
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for _, e := range list {
		if e.Name != "." && e.Name != ".." && e.Name != ".git" && !strings.Contains(e.Name, "/") {
			kept = append(kept, e)
		}
	}
	t.trees[h] = kept
	return kept, nil
}

// find is the entry at a path, links followed where asked.
func (t *tree) find(name string, follow bool) (e repo.TreeEntry, ok bool) {
	for range maxLinks {
		e = repo.TreeEntry{Mode: repo.ModeDir, Hash: t.root}
		done, rest, at := true, name, ""
		for rest != "" {
			var part string
			part, rest, _ = strings.Cut(rest, "/")
			if part == "" || part == "." {
				continue
			}
			if e.Mode != repo.ModeDir {
				return e, false
			}
			list, err := t.entries(e.Hash)
			if err != nil {
				return e, false
			}
			found := false
			for i := range list {
				if found = list[i].Name == part; found {
					e = list[i]
					break
				}
			}
			if !found {
				return e, false
			}
			if e.Mode == repo.ModeLink && (rest != "" || follow) {
				target, err := t.blob(e.Hash, maxTarget)
				if err != nil || strings.HasPrefix(string(target), "/") {
					return e, false
				}
				next := path.Join(at, string(target), rest)
				if next == ".." || strings.HasPrefix(next, "../") {
					return e, false
				}
				name, done = next, false
				break
			}
			at = path.Join(at, part)
		}
		if done {
			return e, true
		}
	}
	return e, false
}

// blob is the start of a content.
func (t *tree) blob(h repo.Hash, limit int64) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if size, err := t.repo.BlobSize(h); err != nil || size > maxBlob {
		return nil, errors.Join(err, repo.ErrObjectTooBig)
	}
	in, size, err := t.repo.OpenBlob(h)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data := make([]byte, min(size, limit))
	n, err := io.ReadFull(in, data)
	if err != nil && n < len(data) {
		return nil, err
	}
	return data[:n], nil
}

func regular(mode uint32) bool { return mode&modeType == modeRegular }

func (t *tree) Head(name string, buf []byte) int {
	e, ok := t.find(name, true)
	if !ok || !regular(e.Mode) {
		return 0
	}
	data, err := t.blob(e.Hash, int64(len(buf)))
	if err != nil {
		return 0
	}
	return copy(buf, data)
}

func (t *tree) File(name string, limit int64) ([]byte, disk.Stat, error) {
	e, ok := t.find(name, true)
	if !ok || !regular(e.Mode) {
		return nil, disk.Stat{}, fs.ErrNotExist
	}
	data, err := t.blob(e.Hash, limit)
	return data, disk.Stat{}, err
}

func (t *tree) Size(name string) (int64, bool) {
	e, ok := t.find(name, false)
	if !ok || !regular(e.Mode) {
		return 0, false
	}
	size, err := t.size(e.Hash)
	return size, err == nil
}

func (t *tree) size(h repo.Hash) (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.sizes[h]; ok {
		return n, nil
	}
	n, err := t.repo.BlobSize(h)
	if err == nil {
		t.sizes[h] = n
	}
	return n, err
}

// list gives a folder's names with their types.
func (t *tree) list(at string, visit func(name string, mode fs.FileMode) bool) {
	e, ok := t.find(at, true)
	if !ok || e.Mode != repo.ModeDir {
		return
	}
	list, err := t.entries(e.Hash)
	if err != nil {
		return
	}
	for _, e := range list {
		if !visit(e.Name, modeOf(e.Mode)) {
			return
		}
	}
}

// modeOf is the type of an entry once it is checked out: of a submodule that is an empty folder.
func modeOf(mode uint32) fs.FileMode {
	switch {
	case mode == repo.ModeDir, mode == repo.ModeGitlink:
		return fs.ModeDir
	case mode == repo.ModeLink:
		return fs.ModeSymlink
	case regular(mode):
		return 0
	}
	return fs.ModeIrregular
}

// past is a commit as it would lie in a folder.
type past struct {
	commit repo.Hash
	below  *tree  // the folder itself
	whole  *tree  // the repository around it
	prefix string // "" or "a/b/": where the folder lies in it
}

// openRevision finds a commit, and the folder in it. It fails outside Git, for words that name no commit, and where the folder is not in it.
func openRevision(dir, words string) (*past, error) {
	r, err := repo.Open(dir)
	if err != nil {
		return nil, err
	}
	p := &past{}
	if !r.Bare() {
		if p.prefix, err = (&detection{dir: dir}).prefix(r); err != nil {
			return nil, err
		}
	}
	commit, c, err := r.Revision(words)
	if err != nil {
		return nil, err
	}
	p.commit = commit
	p.whole = &tree{mu: &sync.Mutex{}, repo: r, dir: r.WorkTree, root: c.Tree, trees: map[repo.Hash][]repo.TreeEntry{}, sizes: map[repo.Hash]int64{}}
	e, ok := p.whole.find(strings.TrimSuffix(p.prefix, "/"), false)
	if !ok || e.Mode != repo.ModeDir {
		return nil, fmt.Errorf("%w in %s: %s", errNoFolder, words, strings.TrimSuffix(p.prefix, "/"))
	}
	if _, err := p.whole.entries(e.Hash); err != nil {
		return nil, err
	}
	p.below = &tree{mu: p.whole.mu, repo: r, dir: dir, root: e.Hash, trees: p.whole.trees, sizes: p.whole.sizes}
	return p, nil
}

var errNoFolder = errors.New("there is no such folder")

// revision brings the files of a commit to the scan.
func (d *detection) revision(ctx context.Context, p *past) error {
	if p.prefix != "" {
		d.encloseIn(p.whole, p.prefix)
	}
	d.attributesOf([]string{".gitattributes"})
	stream := func(visit func(*tracked) bool) (input, bool, error) { return input{}, false, p.below.each(visit) }
	d.foresee(ctx, "", stream)
	if _, err := d.entries(ctx, "", stream); err != nil {
		return err
	}
	d.source = "revision " + p.below.repo.Short(p.commit)
	return nil
}

// each visits every file in the order of an index, whose trees have it too.
func (t *tree) each(visit func(*tracked) bool) error {
	folders, files := 0, 0
	var down func(h repo.Hash, at string, level int) (bool, error)
	down = func(h repo.Hash, at string, level int) (bool, error) {
		if folders++; level > maxLevels || folders > maxTrees {
			return false, errTree
		}
		list, err := t.entries(h)
		if err != nil {
			return false, err
		}
		for _, e := range list {
			name := at + e.Name
			if e.Mode == repo.ModeDir {
				if on, err := down(e.Hash, name+"/", level+1); err != nil || !on {
					return on, err
				}
				continue
			}
			in := tracked{path: name, mode: e.Mode}
			if regular(e.Mode) || e.Mode == repo.ModeLink {
				if files++; files > maxWalk {
					return false, errTree
				}
				size, err := t.size(e.Hash)
				if err != nil { // a partial clone has not all, and what is left would be another project
					return false, err
				}
				if e.Mode != repo.ModeLink {
					in.size = uint32(min(size, 1<<32-1))
				}
			}
			if !visit(&in) {
				return false, nil
			}
		}
		return true, nil
	}
	_, err := down(t.root, "", 0)
	return err
}
