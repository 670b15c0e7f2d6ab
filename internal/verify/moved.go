package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// maxMoved is how many files that are gone are looked for under other names.
const maxMoved = 100

// Moved says where files of the picture before, absolute, are now that they are gone from their places: old name → new one, for those
// whose content is the same to the byte. That is asked of what Git knows by hashes, so that a file that was changed on its way has not moved.
func (p *Picture) Moved(r *repo.Repo, before *Picture, gone []string) map[string]string {
	if p.Tree != before.Tree || p.Partial || before.Partial || len(gone) == 0 || len(gone) > maxMoved {
		return nil
	}
	seen := folders{}
	var here []string // paths at which there was nothing
	for path := range p.Files {
		if _, there := before.Files[path]; there || !exists(r.Path(path)) {
			continue
		}
		if _, was := seen.blob(r, before.Head, path); !was { // what takes the place of another file changes that
			here = append(here, path)
		}
	}
	slices.Sort(here)
	moves := map[string]string{}
	lost := map[string]content{}
	for _, full := range gone {
		old, err := filepath.Rel(p.Tree, full)
		if old = filepath.ToSlash(old); err != nil || !filepath.IsLocal(old) || exists(full) {
			continue
		}
		c := content{before.Files[old], repo.Hash{}}
		if c.Look == "" {
			blob, known := seen.blob(r, before.Head, old)
			if !known {
				continue
			}
			c.blob = blob
		}
		i := slices.IndexFunc(here, func(path string) bool { return c.in(r, r.Path(path)) })
		if i < 0 {
			lost[full] = c
			continue
		}
		moves[full] = r.Path(here[i])
		here = slices.Delete(here, i, i+1)
	}
	if len(lost) > 0 && p.Head != before.Head && made(r, p.Head, before.Head, before.At.Truncate(time.Second)) {
		committed(r, before, lost, moves)
	}
	return moves
}

// Places are the paths by which files of a picture are known: where a link has come in the place of a folder, one that is there by it is the one that it
// leads to, if that is in the work tree and Git does not ignore it; else it is gone, whatever the link leads to.
func (p *Picture) Places(r *repo.Repo, files []string) []string {
	tree := disk.Real(p.Tree)
	for i, path := range files {
		rel, inside := Shown([]string{p.Tree}, path)
		if !inside {
			continue
		}
		files[i] = filepath.Join(tree, filepath.FromSlash(rel))
		real := filepath.Join(disk.Real(filepath.Dir(path)), filepath.Base(path))
		if real == files[i] || !exists(real) {
			continue
		}
		if to, inside := Shown([]string{tree}, real); inside && !r.Ignore().Match(to, false) {
			files[i] = real
		}
	}
	return files
}

// OtherMode reports a file, absolute, of which a command changed the mode alone: the picture before does not show it, and it holds what HEAD did then. That is
// asked only of files whose time did not change: a new mode leaves it.
func (p *Picture) OtherMode(r *repo.Repo, before *Picture, full string) bool {
	rel, err := filepath.Rel(p.Tree, full)
	if err != nil || p.Tree != before.Tree {
		return false
	}
	rel = filepath.ToSlash(rel)
	info, err := os.Lstat(full)
	if _, shown := before.Files[rel]; shown || err != nil || !info.ModTime().Before(before.At) || byLink(full) {
		return false
	}
	blob, known := folders{}.blob(r, before.Head, rel)
	return known && (&content{blob: blob}).in(r, full)
}

// content is what a file held that is gone: how it looked where it differed from Git's, else Git's name of it.
type content struct {
	Stamp
	blob repo.Hash
}

// in reports that a file holds it. What Git converts on its way counts as changed.
func (c *content) in(r *repo.Repo, path string) bool {
	if c.Look != "" {
		return c.Sum != "" && Sum(path) == c.Sum
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return false
	}
	data, err := os.ReadFile(path)
	return err == nil && repo.HashObject(r.HashSize(), repo.KindBlob, data) == c.blob
}

// committed adds the moves that were committed at once, which no picture shows. A file takes its time along, so that one that Git had
// not seen as it was is found by that and its size, and then read.
func committed(r *repo.Repo, before *Picture, lost map[string]content, moves map[string]string) {
	ix, err := r.Index()
	if err != nil {
		return
	}
	defer ix.Close()
	for e := range ix.Entries() {
		look := ""
		for from, c := range lost {
			if c.Look == "" && e.Hash != c.blob {
				continue
			}
			if c.Look != "" {
				if look == "" {
					look = fmt.Sprintf("%d:%d:", e.Size, e.Mtime.UnixNano())
				}
				if !strings.HasPrefix(c.Look, look) || !c.in(r, r.Path(e.Path)) {
					continue
				}
			}
			if _, was := (folders{}).blob(r, before.Head, e.Path); was {
				continue
			}
			moves[from] = r.Path(e.Path)
			delete(lost, from)
			break
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// byLink reports a path that leads through a link, so that Git knows no such file.
func byLink(path string) bool {
	dir := filepath.Dir(path)
	return disk.Real(dir) != dir
}
