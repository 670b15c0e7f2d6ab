package checkpoint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// stepPins are the references that a turn may move: branches, but for those of checkpoints, and stash entries.
func stepPins(r *repo.Repo) ([]Pin, error) {
	refs, err := r.Refs("refs/heads/")
	if err != nil {
		return nil, err
	}
	list, err := stash(r)
	if err != nil {
		return nil, err // entries that are not seen would be taken for dropped
	}
	out := make([]Pin, 0, len(refs))
	for _, ref := range refs {
		if _, is := ours(ref.Name); !is {
			out = append(out, Pin{ref.Name, ref.Hash})
		}
	}
	out = out[:min(len(out), maxPins)]
	return append(out, list[:min(len(list), maxPins)]...), nil
}

// refsFile is the name of the file that says where references stood, in the tree of a commit that has them as its parents.
const refsFile = "references"

// keepRefs adds the commit that says where references stand. Nothing in it tells when it was made, so that snapshots share it.
func (s *snapshot) keepRefs(pins []Pin, known *Checkpoint) (repo.Hash, error) {
	var none repo.Hash
	if len(pins) == 0 {
		return none, nil
	}
	if known != nil && slices.Equal(known.Pins, pins) {
		return known.refs, nil
	}
	have := map[repo.Hash]bool{}
	if known != nil {
		for _, p := range known.Pins {
			have[p.Hash] = true // looked at before
		}
	}
	var text strings.Builder
	var tips []repo.Hash
	for _, p := range pins {
		fmt.Fprintf(&text, "%s %s\n", p.Hash, p.Ref)
		if slices.Contains(tips, p.Hash) {
			continue
		}
		if !have[p.Hash] {
			if k, _, err := s.r.Object(p.Hash); err != nil || k != repo.KindCommit {
				continue // broken, or not fetched: there is nothing to keep
			}
		}
		tips = append(tips, p.Hash)
	}
	h, err := s.w.Add(repo.KindBlob, []byte(text.String()))
	if err != nil {
		return none, err
	}
	tree, err := s.w.Add(repo.KindTree, repo.AppendTree(s.r.HashSize(), nil, []repo.TreeEntry{{Mode: repo.ModeFile, Name: refsFile, Hash: h}}))
	if err != nil {
		return none, err
	}
	whole := s.opts.Now
	s.opts.Now = time.Unix(0, 0).UTC()
	h, err = s.commitObject(tree, tips, "references\n")
	s.opts.Now = whole
	return h, err
}

// readReferences says where references stood.
func (c *Checkpoint) readReferences(r *repo.Repo) error {
	if c.refs.IsZero() {
		return nil
	}
	k, err := r.Commit(c.refs)
	if err != nil {
		return err
	}
	file, err := lookup(r.Tree, k.Tree, refsFile)
	if err != nil {
		return err
	}
	_, text, err := r.Object(file.Hash)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		hex, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if h, ok := repo.ParseHash(hex); ok {
			c.Pins = append(c.Pins, Pin{ref, h})
		}
	}
	return nil
}
