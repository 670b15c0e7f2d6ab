package repo

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// A SmallPack is a pack that may be one of many.
type SmallPack struct {
	Path    string
	Objects []Hash
}

// SmallPacks lists the packs here of up to so many bytes, without those that are to be kept. Where a glance says that there are no more than few, none are listed.
func (r *Repo) SmallPacks(few int, most int64) (out []SmallPack) {
	s := r.odb()
	dir := filepath.Join(s.dirs[0], "pack")
	names, _ := os.ReadDir(dir)
	packs := 0
	for _, n := range names {
		if filepath.Ext(n.Name()) == ".pack" {
			packs++
		}
	}
	if packs <= few {
		return nil
	}
	for _, p := range s.packList(true) {
		fi, err := os.Lstat(p.path)
		if err != nil || fi.Size() > most || filepath.Dir(p.path) != dir || fileExists(strings.TrimSuffix(p.path, ".pack")+".keep") {
			continue
		}
		one := SmallPack{Path: p.path}
		names := p.names()
		for i := range int(p.n) {
			one.Objects = append(one.Objects, HashOf(names[i*p.hs:(i+1)*p.hs]))
		}
		runtime.KeepAlive(p)
		out = append(out, one)
	}
	return out
}

// Repack moves objects into one pack, in that order, from files of their own and from packs in which nothing else is. Nothing goes before the new pack is
// on disk; a process that is killed leaves objects twice at most.
func (r *Repo) Repack(ctx context.Context, list []Hash, from []SmallPack) (n int, err error) {
	s := r.odb()
	p, err := newPackWriter(s, 0, true)
	if err != nil {
		return 0, err
	}
	kept, err := s.copyInto(ctx, p, list)
	if err != nil || len(kept) == 0 {
		p.abort()
		return 0, err
	}
	if err = p.close(nil); err != nil {
		return 0, err
	}
	for _, one := range from {
		if one.Path == p.final || slices.ContainsFunc(one.Objects, func(h Hash) bool { return !kept[h] }) {
			continue
		}
		_ = os.Remove(strings.TrimSuffix(one.Path, ".pack") + ".idx") // first: what is listed must be there
		_ = os.Remove(one.Path)
		_ = os.Remove(strings.TrimSuffix(one.Path, ".pack") + ".rev")
	}
	s.packList(true)
	for h := range kept {
		_ = os.Remove(loosePath(s.dirs[0], h))
	}
	return len(kept), nil
}

// copyInto appends objects to a pack, and says which these were: all of them, but those that cannot be read or hold something else than their names say.
func (s *objectStore) copyInto(ctx context.Context, p *packWriter, list []Hash) (map[Hash]bool, error) {
	kept := make(map[Hash]bool, len(list))
	var part []*newObject
	size := 0
	flush := func() error {
		err := p.append(part)
		part, size = nil, 0
		return err
	}
	for _, h := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind, raw, err := s.read(h)
		if err != nil || HashObject(s.hs, kind, raw) != h {
			continue
		}
		part = append(part, &newObject{kind: kind, hash: h, raw: raw, size: len(raw)})
		kept[h] = true
		if size += len(raw); size > windowBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return kept, flush()
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
	kept, err := s.copyInto(ctx, p, keep)
	if err == nil && len(kept) < len(keep) { // nothing that is in use may go by mistake
		err = ErrNoObject
	}
	if err != nil {
		p.abort()
		return 0, err
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
