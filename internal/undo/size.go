package undo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/repo"
)

// Size is how much a turn changed.
type Size struct {
	Files   int `json:"files"`
	Added   int `json:"added"` // lines
	Removed int `json:"removed"`
}

// maxSized bounds the files that one list looks into, and maxText the bytes of each.
const (
	maxSized = 2000
	maxText  = 1 << 20
)

// Sizes tells of turns how much their sessions changed in them; nil where that is not known, and from where on it would be too much to look at.
func (t *Timeline) Sizes(r *repo.Repo, turns []Turn, edits []Edit) ([]*Size, error) {
	v, list, looks := look(r), make([]*Size, len(turns)), 0
	for i := range turns {
		one := &turns[i]
		to := one.To
		if to.IsZero() {
			to = t.Newest
		}
		if one.From.IsZero() || to.IsZero() {
			continue
		}
		c, err := v.change(one.From, to)
		if err != nil {
			return nil, err
		}
		if looks += len(c.Paths); looks > maxSized {
			break
		}
		whose, _, _, err := v.whose(one, one.own(), edits, t.beside(r, one))
		if err != nil {
			return nil, err
		}
		size := &Size{}
		for _, p := range c.Paths {
			if who, _ := whose(p); who == Nobody || who == Unheard || who == Stranger {
				continue
			}
			added, removed, err := v.lines(c, p)
			if err != nil {
				return nil, err
			}
			size.Files, size.Added, size.Removed = size.Files+1, size.Added+added, size.Removed+removed
		}
		list[i] = size
	}
	return list, nil
}

// Touched is the newest of turns in which its session changed a path, or something in that folder; -1 for none.
func (t *Timeline) Touched(r *repo.Repo, turns []Turn, edits []Edit, path string) (int, error) {
	v := look(r)
	for i := range turns {
		one := &turns[i]
		to := cmp.Or(one.To, t.Newest)
		if one.From.IsZero() || to.IsZero() {
			continue
		}
		c, err := v.change(one.From, to)
		if err != nil {
			return -1, err
		}
		in := func(p string) bool { return p == path || strings.HasPrefix(p, path+"/") }
		if !slices.ContainsFunc(c.Paths, in) {
			continue
		}
		whose, _, _, err := v.whose(one, one.own(), edits, t.beside(r, one))
		if err != nil {
			return -1, err
		}
		if slices.ContainsFunc(c.Paths, func(p string) bool {
			who, _ := whose(p)
			return in(p) && who != Nobody && who != Unheard && who != Stranger
		}) {
			return i, nil
		}
	}
	return -1, nil
}

// lines counts those that a change added to a file of text, and took out.
func (v *views) lines(c *Change, path string) (added, removed int, err error) {
	var texts [2][]byte
	for i, s := range [...]checkpoint.Side{c.was[path], c.left[path]} {
		if s.Mode != repo.ModeFile && s.Mode != repo.ModeExec {
			continue
		}
		n, err := v.r.BlobSize(s.Hash)
		if err != nil {
			return 0, 0, err
		}
		if n > maxText {
			return 0, 0, nil
		}
		_, text, err := v.r.Object(s.Hash)
		if err != nil {
			return 0, 0, err
		}
		if slices.Contains(text, 0) {
			return 0, 0, nil
		}
		texts[i] = slices.Clone(text)
	}
	added, removed = diff.Count(texts[0], texts[1])
	return added, removed, nil
}
