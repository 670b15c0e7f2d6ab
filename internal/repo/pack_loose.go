package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Loose lists the objects that lie in files of their own here. Few says that a glance makes it less than about so many, and then none are listed:
// one folder of 256 is counted, as git gc does.
func (r *Repo) Loose(few int) map[Hash]bool {
	objects := r.odb().dirs[0]
	if some, _ := os.ReadDir(filepath.Join(objects, "17")); len(some) < few/256 {
		return nil
	}
	dirs, err := os.ReadDir(objects)
	if err != nil {
		return nil
	}
	out := map[Hash]bool{}
	for _, d := range dirs {
		if len(d.Name()) != 2 || !d.IsDir() {
			continue
		}
		names, _ := os.ReadDir(filepath.Join(objects, d.Name()))
		for _, n := range names {
			if h, ok := ParseHash(d.Name() + n.Name()); ok {
				out[h] = true
			}
		}
	}
	return out
}

// PackLoose moves objects from files of their own into one pack, in that order, and says how many. Those that cannot be read, or hold something
// else than their names say, stay as they are. A process that is killed leaves them twice at most.
func (r *Repo) PackLoose(ctx context.Context, list []Hash) (n int, err error) {
	s := r.odb()
	p, err := newPackWriter(s, 0, true)
	if err != nil {
		return 0, err
	}
	var moved []Hash
	var part []*newObject
	size := 0
	flush := func() error {
		err := p.append(part)
		part, size = nil, 0
		return err
	}
	for _, h := range list {
		if err = ctx.Err(); err != nil {
			p.abort()
			return 0, err
		}
		kind, raw, err := s.readLoose(loosePath(s.dirs[0], h))
		if err != nil || HashObject(s.hs, kind, raw) != h {
			continue
		}
		part = append(part, &newObject{kind: kind, hash: h, raw: raw, size: len(raw)})
		moved = append(moved, h)
		if size += len(raw); size > windowBytes {
			if err := flush(); err != nil {
				p.abort()
				return 0, err
			}
		}
	}
	if err = flush(); err != nil || len(moved) == 0 {
		p.abort()
		return 0, err
	}
	if err = p.close(nil); err != nil {
		return 0, err
	}
	s.packList(true)
	for _, h := range moved {
		_ = os.Remove(loosePath(s.dirs[0], h))
	}
	return len(moved), nil
}

// Collect takes away what nothing refers to in the repository of a folder outside Git: Git's own gc never comes there. What is in use is in keep; it
// goes into one pack. Files that were touched since young stay: somebody may be about to refer to what is in them.
func (r *Repo) Collect(ctx context.Context, keep []Hash, young time.Time) (freed int64, err error) {
	if !r.Shadow {
		return 0, nil
	}
	s := r.odb()
	dir := filepath.Join(s.dirs[0], "pack")
	var old []string
	names, _ := os.ReadDir(dir)
	for _, n := range names {
		if fi, err := n.Info(); err == nil && fi.ModTime().Before(young) && filepath.Ext(n.Name()) == ".pack" {
			old = append(old, filepath.Join(dir, n.Name()))
		}
	}
	loose := r.Loose(0)
	p, err := newPackWriter(s, 0, true)
	if err != nil {
		return 0, err
	}
	kept := make(map[Hash]bool, len(keep))
	for _, h := range keep {
		if err = ctx.Err(); err != nil {
			p.abort()
			return 0, err
		}
		kind, raw, err := s.read(h)
		if err != nil { // nothing that is in use may go by mistake
			p.abort()
			return 0, err
		}
		if err := p.append([]*newObject{{kind: kind, hash: h, raw: raw, size: len(raw)}}); err != nil {
			p.abort()
			return 0, err
		}
		kept[h] = true
	}
	if err = p.close(nil); err != nil {
		return 0, err
	}
	remove := func(path string) {
		if fi, err := os.Lstat(path); err == nil && fi.ModTime().Before(young) && os.Remove(path) == nil {
			freed += fi.Size()
		}
	}
	for _, path := range old {
		if path == p.final {
			continue
		}
		if fi, err := os.Lstat(path); err == nil && fi.ModTime().Before(young) {
			_ = os.Remove(strings.TrimSuffix(path, ".pack") + ".idx") // first: what is listed must be there
			remove(path)
		}
	}
	for h := range loose {
		remove(loosePath(s.dirs[0], h))
	}
	s.packList(true)
	return freed, nil
}
