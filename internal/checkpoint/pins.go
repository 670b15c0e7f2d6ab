package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// ReflogPins stands, among CreateOptions.PinRefs, for all commits that reflogs hold: what `git reflog expire` lets go. They stay
// reachable; the logs themselves do not come back.
const ReflogPins = "reflog"

// WorktreePins stands, among CreateOptions.PinRefs, for the commits on which the HEADs of linked work trees stand without a branch: they
// stay reachable; the work trees themselves do not come back.
const WorktreePins = "worktrees"

// UnderwayPin stands, among CreateOptions.PinRefs, for an operation under way. What git keeps of it is in every checkpoint; where it
// could not be kept, the pin makes that a loss.
const UnderwayPin = "operation"

// maxPins bounds the stash entries and branches that one checkpoint keeps: all are named in its message and are parents of one
// commit. What is beyond is named as lost.
const maxPins = 500

// maxStashLog bounds the reflog of the stash; an entry takes some two hundred bytes.
const maxStashLog = 16 << 20

// standsForSeveral gives what is pinned for a name that is not one branch, tag or note.
func standsForSeveral(r *repo.Repo, ref string) (out []Pin, special bool, err error) {
	switch ref {
	case "refs/stash", "stash":
		out, err = stash(r)
		// Without its log the stash is a reference like others: nobody lists it, and something may yet be in it.
		if top, bad := r.Resolve("refs/stash"); bad == nil && !slices.ContainsFunc(out, func(p Pin) bool { return p.Hash == top }) {
			out = append(out, Pin{"stash@{0}", top})
		}
	case ReflogPins:
		out, err = reflogs(r)
	case WorktreePins:
		for _, t := range r.Linked() {
			if t.Head.Detached {
				out = append(out, Pin{"worktrees/" + t.Name + "@{0}", t.Head.Hash})
			}
		}
	case UnderwayPin:
	case "HEAD":
		h, bad := r.Head()
		// Before the first commit there is nothing to keep.
		if err = bad; err == nil && !h.Unborn {
			out = append(out, Pin{ref, h.Hash})
		}
	default:
		return nil, false, nil
	}
	return out, true, err
}

// pins resolves references to what they are now. One that does not exist is not pinned: the command will say so itself. over is
// what did not fit.
func pins(r *repo.Repo, refs []string) (out []Pin, over []Skip, err error) {
	for _, ref := range refs {
		if list, special, err := standsForSeveral(r, ref); err != nil {
			return nil, nil, err
		} else if special {
			out = append(out, list...)
			continue
		}
		// Commands name branches in short: git branch -D topic.
		name := ref
		if !strings.HasPrefix(name, "refs/") {
			name = "refs/heads/" + ref
		}
		// References of a search or a rebase come back with what is under way, in this work tree alone.
		if _, state := repo.State(name); state {
			continue
		}
		h, err := r.Resolve(name)
		if errors.Is(err, repo.ErrNoRef) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		out = append(out, Pin{name, h})
	}
	if more := len(out) - maxPins; more > 0 {
		// No file of the work tree can have this path, so that nothing else is taken for left out.
		over = []Skip{{Path: ".git/" + out[maxPins].Ref, Why: fmt.Sprintf("%d %s over the limit of %d", more, kindOf(out[maxPins:]), maxPins)}}
		out = out[:maxPins]
	}
	return out, over, nil
}

// Restorable reports references or settings that a restore brings back. Of what stands in other work trees and in logs it keeps the commits
// alone.
func (c *Checkpoint) Restorable() bool {
	return len(c.Settings) > 0 || slices.ContainsFunc(c.Pins, func(p Pin) bool { return strings.HasPrefix(p.Ref, "stash@{") || !strings.Contains(p.Ref, "@{") })
}

// kindOf is what references are called, where all are of one kind.
func kindOf(list []Pin) string {
	for _, kind := range [...]struct{ below, name string }{{"refs/heads/", "branches"}, {"refs/tags/", "tags"}, {"refs/remotes/", "branches of remotes"}, {"stash@{", "stash entries"}} {
		if !slices.ContainsFunc(list, func(p Pin) bool { return !strings.HasPrefix(p.Ref, kind.below) }) {
			return kind.name
		}
	}
	return "references"
}

// stash lists the stash, newest first, from its reflog: the older entries stand nowhere else.
func stash(r *repo.Repo) (out []Pin, err error) {
	b, err := reflog(r.CommonDir, "refs/stash")
	// The last line is stash@{0}: the numbers count backwards from the end.
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		f := strings.SplitN(lines[i], " ", 3)
		if len(f) < 3 {
			continue
		}
		if h, ok := repo.ParseHash(f[1]); ok {
			out = append(out, Pin{"stash@{" + strconv.Itoa(len(lines)-1-i) + "}", h})
		}
	}
	return out, err
}

// reflog reads the log of a reference. Without one there is nothing in it; one that cannot be read may hold what nothing else does.
func reflog(gitDir, ref string) ([]byte, error) {
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(gitDir, "logs", filepath.FromSlash(ref)), disk.NoFollow, maxStashLog)
	if err != nil && (disk.Gone(err) || errors.Is(err, disk.ErrNotRegular)) {
		err = nil
	}
	return b, err
}

// reflogs lists what the reflogs of HEAD and of the branches alone may hold, newest first: where a commit was made, the one before
// it is its parent and needs no pin.
func reflogs(r *repo.Repo) (out []Pin, err error) {
	// HEAD's log first: it remembers most, and the number of pins is bounded.
	logs := []string{"HEAD"}
	refs, err := r.Refs("refs/heads/")
	for _, ref := range refs {
		if _, is := ours(ref.Name); !is {
			logs = append(logs, ref.Name)
		}
	}
	held := map[repo.Hash]bool{}
	for _, name := range logs {
		dir := r.CommonDir
		if name == "HEAD" {
			dir = r.GitDir
		}
		b, unread := reflog(dir, name)
		err = errors.Join(err, unread)
		lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
		for i, line := range slices.Backward(lines) {
			f := strings.SplitN(line, " ", 3)
			if len(f) < 3 {
				continue
			}
			before, _ := repo.ParseHash(f[0])
			after, ok := repo.ParseHash(f[1])
			if ok && !after.IsZero() && !held[after] && len(out) < maxPins {
				out = append(out, Pin{name + "@{" + strconv.Itoa(len(lines)-1-i) + "}", after})
			}
			held[after] = true
			if _, why, _ := strings.Cut(line, "\t"); strings.HasPrefix(why, "commit: ") || strings.HasPrefix(why, "commit (merge): ") {
				held[before] = true
			}
		}
	}
	return out, err
}

// symbolic finds the pins that stand for another reference, as refs/remotes/origin/HEAD does.
func symbolic(r *repo.Repo, pins []Pin) (out map[string]string) {
	for _, p := range pins {
		if to := r.Symbolic(p.Ref); p.Ref != "HEAD" && standsFor(p.Ref, to) {
			if out == nil {
				out = map[string]string{}
			}
			out[p.Ref] = to
		}
	}
	return out
}

// standsFor says whether a restore may make ref a symbolic reference to another one. Only the HEAD of a remote may be one, to a branch of the
// same remote: a stranger may have made the commit that asks for it, and a person who later writes to ref would change the other reference unawares.
func standsFor(ref, to string) bool {
	dir, ok := strings.CutSuffix(ref, "/HEAD")
	return ok && strings.HasPrefix(ref, "refs/remotes/") && strings.HasPrefix(to, dir+"/") && to != ref
}

// pin prepares the references that keep the pins. All commits become parents of one commit, so that a repository with hundreds of
// branches gets one reference more and not hundreds; tag objects cannot be parents and get one each.
func (s *snapshot) pin(c *Checkpoint) error {
	var tips []repo.Hash
	// HEAD's commit is a parent of the checkpoint, and mostly the only pin: one object and one reference less to wait for.
	seen := map[repo.Hash]bool{s.head.Hash: true}
	for _, p := range c.Pins {
		// Several branches on one commit are kept by one parent.
		if seen[p.Hash] {
			continue
		}
		seen[p.Hash] = true
		k, _, err := s.r.Object(p.Hash)
		switch {
		case err != nil:
			continue // broken or not fetched: there is nothing to keep
		case k == repo.KindCommit:
			tips = append(tips, p.Hash)
		default:
			s.keep = append(s.keep, Pin{fmt.Sprintf("object-%d", len(s.keep)), p.Hash})
		}
	}
	if len(tips) == 0 {
		return nil
	}
	h, err := s.commitObject(repo.HashObject(s.r.HashSize(), repo.KindTree, nil), tips, "tips before "+c.Operation+"\n")
	if err == nil {
		_, err = s.w.Add(repo.KindTree, nil)
	}
	s.keep = append(s.keep, Pin{"tips", h})
	return err
}
