package handle

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/walk"
)

// behindOf is what the scripts that a call runs take of what Git ignores, by the verdict on it.
func (h *Handlers) behindOf(e *hook.Event) []risk.Target {
	if p := h.pending.Load(); p != nil && p.event == e {
		return p.verdict.Behind
	}
	return nil
}

// behind is what scripts take of what Git ignores: the files that are to be copied, and what of it no copy can be made of.
type behind struct {
	files []string
	left  []checkpoint.Skip
	sure  func(string) bool // it goes, and does not only may; nil where all do
}

// filesBehind are the files among it that are there, relative to the work tree: of a folder those in it, but for what a build makes again. Whoever
// names `rm -rf local` on the line is told of a snapshot; of a script that does so nothing is said, and an undo is to have them all the same.
// Beyond the bounds nothing is copied, nor is a repository's history.
func (h *Handlers) filesBehind(ctx context.Context, r *repo.Repo, list []risk.Target) (b behind) {
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	remade := h.remade(r)
	var mu sync.Mutex
	more, kept := 0, false
	add := func(p string) {
		switch {
		case remade(p) && !kept:
		case len(b.files) == checkpoint.VaultFiles:
			more++
		default:
			b.files = append(b.files, p)
		}
	}
	ignored := ground.New(r.WorkTree, nil).Ignored // under the lock: it is for one at a time
	follow := remembered(ground.Follow)
	for i := range list {
		t := &list[i]
		kept = t.Kept()
		at, picks := t.Path, func(string) bool { return true }
		if n := strings.IndexAny(t.Pattern, "*?["); n >= 0 {
			at, picks = filepath.Dir(t.Pattern[:n]+"x"), t.Picks
		}
		// What a link leads to goes, and by the name that it has there it is copied.
		if real := linkFollowed(filepath.FromSlash(at), t.Pattern != "", follow); real != at {
			as, by := at, picks
			picks, at = func(p string) bool { return by(as + strings.TrimPrefix(p, filepath.ToSlash(at))) }, real
		}
		p, err := checkpoint.Relative(r, "", filepath.FromSlash(at))
		if t.Found() { // somewhere in the project, or in a folder
			switch {
			case t.Pattern != "" && p == ".":
				p, err = "", nil
			case t.Pattern != "":
			default:
				if p, err = checkpoint.Relative(r, "", filepath.FromSlash(t.Path)); err != nil || p == "." || t.Sure() || !filepath.IsAbs(t.Path) {
					p, err = "", nil
				}
			}
			picks = func(p string) bool { return t.Picks(p) && ignored(p) }
		}
		if err != nil || p == "" && !t.Found() || p == "." {
			continue
		}
		info, err := os.Lstat(r.Path(p))
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			add(p)
		case info.IsDir():
			options := walk.Options{Below: p, Skip: h.Tables.Risks.Rebuilt, Links: true, Files: doomedFiles, Git: func(dir string) {
				mu.Lock()
				defer mu.Unlock()
				if (t.Sure() || t.Whole()) && picks(filepath.ToSlash(r.Path(strings.TrimSuffix(dir, "/")))) {
					b.left = append(b.left, checkpoint.Skip{Path: dir, Why: "a repository of its own"})
				}
			}}
			stats, err := walk.Files(ctx, r.WorkTree, options, func(f walk.File) {
				mu.Lock()
				defer mu.Unlock()
				if picks(filepath.ToSlash(r.Path(f.Path))) {
					add(f.Path)
				}
			})
			if err != nil || stats.Cut {
				b.left = append(b.left, checkpoint.Skip{Path: p + "/", Why: "too much to look at"})
			}
		}
	}
	if more > 0 {
		b.left = append(b.left, checkpoint.Skip{Path: fmt.Sprintf("%d files", more), Why: fmt.Sprintf("over the limit of %d", checkpoint.VaultFiles)})
	}
	return b
}

// linkFollowed is a path with the links of its folder followed, and with whole its own as well.
func linkFollowed(abs string, whole bool, follow func(string) string) string {
	if !filepath.IsAbs(abs) {
		return abs
	}
	if whole {
		return follow(abs)
	}
	return filepath.Join(follow(filepath.Dir(abs)), filepath.Base(abs))
}

// alongBehind is what Git ignores and goes along with what scripts take that Git does not ignore, such as a folder: what is known is besides.
func (h *Handlers) alongBehind(ctx context.Context, e *hook.Event, r *repo.Repo, known *behind) (b behind) {
	in, v := h.scripts(e, false)
	if v == nil {
		return b
	}
	files, repos, sure, _ := h.doomed(ctx, r, in, v)
	b.sure = sure
	remade := h.remade(r)
	for _, p := range repos {
		same := func(k checkpoint.Skip) bool { return strings.TrimSuffix(k.Path, "/") == p }
		if r.Ignore().Match(p, true) && !remade(p) && !slices.ContainsFunc(known.left, same) {
			b.left = append(b.left, checkpoint.Skip{Path: p, Why: "a repository of its own"})
		}
	}
	b.files = files[:min(len(files), checkpoint.VaultFiles)] // credentials and small ones first
	more := files[len(b.files):]
	facts := ground.New(r.WorkTree, nil)
	if slices.ContainsFunc(more[:min(len(more), ignoredLooks)], func(p string) bool { return sure(p) && !facts.Compiled(r.Path(p)) }) {
		b.left = append(b.left, checkpoint.Skip{Path: fmt.Sprintf("%d files", len(more)), Why: fmt.Sprintf("over the limit of %d", checkpoint.VaultFiles)})
	}
	return b
}

// uncopied answers a call whose scripts take what the step before it has no copy of, as the same words on the line would be.
// Programs are made again by what made them.
func (h *Handlers) uncopied(e *hook.Event, r *repo.Repo, b *behind, st *checkpoint.Step, err error) (a hook.Answer) {
	p := h.pending.Load()
	if p == nil || p.event != e || p.in == nil || p.verdict.Uncopied == nil || len(b.files)+len(b.left) == 0 {
		return a
	}
	v := withoutGit(p.verdict.Uncopied, "keep a copy somewhere else first")
	if err != nil {
		a = h.irrevocable(p.in, v, "moai could not copy first what it takes of what Git ignores ("+cause(err)+"), so this cannot be undone.")
	} else if left := append(h.missing(r, b.files, st), b.left...); len(left) > 0 {
		a = h.irrevocable(p.in, v, "The copy taken first does not hold "+skipped(left)+", so moai could not bring it back.")
	}
	if a.Decision != hook.None {
		h.noteVerdict(e, p.in, v, a.Decision, true)
	}
	return a
}

// missing are those of the files that the vault of a step has no copy of, with the reason.
func (h *Handlers) missing(r *repo.Repo, files []string, st *checkpoint.Step) (left []checkpoint.Skip) {
	copies := checkpoint.CopiesOf(r, filepath.Join(h.StateDir, "vault"), st.Vault)
	var why map[string]string
	facts := ground.New(r.WorkTree, nil)
	for _, p := range files {
		if copies[p] != "" || facts.Compiled(r.Path(p)) {
			continue
		}
		if why == nil {
			why = map[string]string{}
			if cp, err := checkpoint.SnapshotAt(r, st.Vault); err == nil {
				for _, s := range cp.Skipped {
					why[s.Path] = s.Why
				}
			}
		}
		left = append(left, checkpoint.Skip{Path: p, Why: cmp.Or(why[p], "over the vault's limits")})
	}
	return left
}
