package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// stateHeads are the files in which Git keeps what is being merged, picked or reverted. An abort or a hard reset deletes them, and
// a commit after that would not be a merge any more, though files and index were back.
var stateHeads = [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"}

// stateTexts go with them: the message that git has prepared, and options of the merge.
var stateTexts = [...]string{"MERGE_MSG", "MERGE_MODE"}

const (
	// maxHeads bounds the commits of one merge.
	maxHeads = 64
	// maxState bounds a prepared message: a squashed merge of a long history is not copied into every checkpoint.
	maxState = 64 << 10
)

// underWay lists what is being merged, picked or reverted.
func underWay(r *repo.Repo) (out []Pin) {
	for _, name := range stateHeads {
		b, err := readPlain(filepath.Join(r.GitDir, name), maxState)
		if err != nil {
			continue
		}
		for _, line := range strings.Fields(string(b)) {
			if h, ok := repo.ParseHash(line); ok && len(out) < maxHeads {
				out = append(out, Pin{name, h})
			}
		}
	}
	return out
}

// stateText reads what goes with the heads. Without any, such a file is left from something that has ended.
func stateText(r *repo.Repo, pins []Pin) map[string]string {
	if !slices.ContainsFunc(pins, isState) {
		return nil
	}
	out := map[string]string{}
	for _, name := range stateTexts {
		if b, err := readPlain(filepath.Join(r.GitDir, name), maxState); err == nil {
			out[name] = string(b)
		}
	}
	return out
}

func isState(p Pin) bool { return slices.Contains(stateHeads[:], p.Ref) }

// begun plans how what was under way goes on, or what is under way now ends: both only where HEAD stands, or comes back to, where
// it stood, and with all files.
func (p *Plan) begun(r *repo.Repo, head *repo.Head) {
	var was []Pin
	for _, pin := range p.Checkpoint.Pins {
		if isState(pin) {
			was = append(was, pin)
		}
	}
	now := underWay(r)
	// HEAD's own move is planned by now, or that of its branch.
	back := head.Hash == p.Checkpoint.Head
	for _, m := range p.Refs {
		if m.Ref == "HEAD" || m.Ref == "refs/heads/"+head.Branch {
			back = m.To == p.Checkpoint.Head
		}
	}
	blocked := slices.ContainsFunc(p.refBlocked, func(k Skip) bool { return k.Path == "HEAD" })
	if slices.Equal(was, now) || !back || blocked || len(p.Paths) > 0 {
		return
	}
	// Git alone knows how a series or a rebase ends, and where what an autostash has put aside belongs.
	end := abort(head.Operation)
	for _, name := range [...]string{"sequencer", "MERGE_AUTOSTASH", "rebase-merge", "rebase-apply"} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, name)); err == nil && end != "" {
			p.refBlocked = append(p.refBlocked, Skip{Path: "HEAD", Why: "a " + head.Operation + " is under way; `" + end + "` ends it, then restore again"})
			return
		}
	}
	var moves []RefMove
	for _, pin := range now {
		moves = append(moves, RefMove{Ref: pin.Ref, From: pin.Hash})
		p.brought(r, pin)
	}
	for _, pin := range was {
		moves = append(moves, RefMove{Ref: pin.Ref, To: pin.Hash})
	}
	p.Refs = append(moves, p.Refs...)
}

// brought notes the tree from which a command that ends has put files into the working tree: they go with it, as an abort takes
// them along.
func (p *Plan) brought(r *repo.Repo, pin Pin) {
	c, err := r.Commit(pin.Hash)
	// What a revert brings back is what the commit had deleted.
	if err == nil && pin.Ref == "REVERT_HEAD" && len(c.Parents) > 0 {
		c, err = r.Commit(c.Parents[0])
	}
	if err == nil {
		p.left = append(p.left, c.Tree)
	}
}

// begin makes what is under way what it was: the old heads and their texts go, the checkpoint's come.
func (w *restorer) begin(c *Checkpoint, moves []RefMove) error {
	if len(moves) == 0 {
		return nil
	}
	var errs []error
	heads := map[string][]repo.Hash{}
	for _, m := range moves {
		if !m.To.IsZero() {
			heads[m.Ref] = append(heads[m.Ref], m.To)
		}
	}
	for _, name := range stateHeads {
		if heads[name] == nil {
			errs = append(errs, w.r.RemoveState(name))
		}
	}
	for _, name := range stateTexts {
		if text, ok := c.State[name]; ok && len(heads) > 0 {
			errs = append(errs, w.r.WriteState(name, text))
		} else {
			errs = append(errs, w.r.RemoveState(name))
		}
	}
	// Of a conflict that is no longer there: what git knows of its resolution, and the tree that it merged into the files.
	for _, name := range [...]string{"MERGE_RR", "AUTO_MERGE"} {
		errs = append(errs, w.r.RemoveState(name))
	}
	// The heads come last: with them git sees a merge.
	for _, name := range stateHeads {
		if heads[name] != nil {
			var b strings.Builder
			for _, h := range heads[name] {
				b.WriteString(h.String() + "\n")
			}
			errs = append(errs, w.r.WriteState(name, b.String()))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	w.res.Refs = append(w.res.Refs, moves...)
	return nil
}
