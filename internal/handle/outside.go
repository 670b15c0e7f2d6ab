package handle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/walk"
)

// A folder in no repository gets its snapshots from one that moai keeps for it in its state folder.

// Limits are those of snapshots in a repository: what the settings say is about folders outside Git.
func Limits(c *config.Config, r *repo.Repo) checkpoint.Limits {
	if !r.Shadow {
		return checkpoint.Limits{}
	}
	return checkpoint.Limits{Files: c.Int("checkpoint.folder_files"), Bytes: int64(c.Int("checkpoint.folder_mb")) << 20}
}

// outside is the repository that moai keeps for a folder in none; nil where there is none. With begin it is made.
func (h *Handlers) outside(ctx context.Context, dir string, begin bool) (*repo.Repo, error) {
	if h.Config.Int("checkpoint.folder_files") == 0 || h.StateDir == "" {
		return nil, repo.ErrNone
	}
	r, err := checkpoint.FindShadow(h.StateDir, dir)
	if err == nil || !begin || h.DryRun || h.Tables.Risks == nil {
		return r, err
	}
	if err := h.tooLarge(ctx, dir); err != nil {
		return nil, err
	}
	return h.beginOutside(dir)
}

// beginOutside makes the repository of a folder, with what stays out of it: what builds make again, and credentials, which have the vault.
func (h *Handlers) beginOutside(dir string) (*repo.Repo, error) {
	rules := h.Tables.Risks
	exclude := slices.Concat(rules.Excludes(rule.Build, risk.Peoples), rules.Excludes(rule.Secret|rule.SecretDir|rule.Key, 0))
	return checkpoint.MakeShadow(h.StateDir, dir, exclude, h.nobodys())
}

// tooLarge says that a folder has more files than its snapshots may hold, before the first one.
func (h *Handlers) tooLarge(ctx context.Context, dir string) error {
	most := h.Config.Int("checkpoint.folder_files")
	stats, err := walk.Files(ctx, dir, walk.Options{Skip: h.Tables.Risks.Rebuilt, Files: most + 1}, func(walk.File) {})
	if err == nil && stats.Files > most {
		return checkpoint.TooMany(most)
	}
	return err
}

// heldOutside reports that a snapshot of a folder outside Git holds all that a call would destroy there.
func (h *Handlers) heldOutside(r *repo.Repo, c *checkpoint.Checkpoint, in *risk.Input, v *risk.Verdict) bool {
	rules := h.Tables.Risks
	free := func(p string) bool { return rules.Remade(p) && !rules.Sensitive(p) }
	held := func(path string) bool {
		rel, err := filepath.Rel(r.WorkTree, ground.Follow(filepath.Dir(path)))
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		return c.Covers(r, filepath.ToSlash(filepath.Join(rel, filepath.Base(path))), free)
	}
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow {
			continue
		}
		if len(hit.Targets) == 0 { // about how a tool edits: it changes the file that it is given
			file := toolFile(in)
			if file != "" && !filepath.IsAbs(file) {
				file = filepath.Join(in.Dir, file)
			}
			if file == "" || !held(file) {
				return false
			}
		}
		for _, t := range hit.Targets {
			name := t.Path
			if at := strings.IndexAny(t.Pattern, "*?["); at >= 0 {
				if found, plain := matching(t.Pattern); plain {
					if slices.ContainsFunc(found, func(p string) bool { return !held(p) }) {
						return false
					}
					continue
				}
				name = filepath.Dir(t.Pattern[:at] + "x")
			}
			if !filepath.IsAbs(name) || t.Class&rule.Unknown != 0 || !held(name) || t.Through != "" && filepath.IsAbs(t.Through) && !held(t.Through) {
				return false
			}
		}
	}
	return len(v.Hits) > 0
}

// matching are the entries of a folder that a pattern picks; plain is false where the folder itself is not known, or cannot be listed.
func matching(pattern string) (found []string, plain bool) {
	dir, base := filepath.Split(pattern)
	if !filepath.IsAbs(dir) || strings.ContainsAny(filepath.ToSlash(dir), `*?[{\`) || strings.ContainsAny(base, `{\`) {
		return nil, false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, false
	}
	for _, e := range entries { // what begins with a dot, too: shells differ
		ok, err := filepath.Match(base, e.Name())
		if err != nil {
			return nil, false
		}
		if ok {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	return found, true
}

// inPart is the error of a snapshot that was taken but may not hold all that is in danger. A verdict treats it as if there were none.
type inPart struct{ name string }

func (e *inPart) Error() string {
	return "the snapshot of this folder, " + e.name + ", is not known to hold all of it"
}

func (e *inPart) Unwrap() error { return repo.ErrNone }

// saveOutside takes a snapshot of a folder in no repository before a call; repo.ErrNone where it does not hold what is in danger. Where there is one
// that cannot be opened, that is why there is none.
func (h *Handlers) saveOutside(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict, dir string, why error) (shot, error) {
	if !errors.Is(why, repo.ErrNone) {
		return shot{}, why
	}
	r, err := h.outside(ctx, dir, false)
	if errors.Is(err, repo.ErrNone) {
		if place := ground.Follow(root(e)); place == dir || strings.HasPrefix(dir, place+string(filepath.Separator)) {
			r, err = h.outside(ctx, place, true)
		}
	}
	if err != nil {
		return shot{}, repo.ErrNone
	}
	var secrets []string
	for _, p := range within(r, v.Targets) {
		if h.Tables.Risks.Sensitive(p) {
			secrets = append(secrets, p)
		}
	}
	cp, err := checkpoint.Create(ctx, r, checkpoint.CreateOptions{
		Operation: operation(v), Command: command(in), Session: e.SessionID, Program: program(v, h.rules()), Mask: h.rules().Mask, Limits: Limits(h.Config, r),
		Ignored: secrets, VaultDir: filepath.Join(h.StateDir, "vault"), StateDir: h.StateDir, Now: h.now(), Keep: Retention(h.Config),
	})
	if err != nil {
		return shot{}, repo.ErrNone
	}
	if !h.heldOutside(r, cp, in, v) {
		return shot{}, &inPart{cp.Short()}
	}
	taken := shot{Checkpoint: cp, root: r.WorkTree, stands: stands(in, r)}
	if taken.stands == "" { // "cd p && rm x" from above p, where no snapshot is found
		taken.away = r.WorkTree
	}
	return taken, nil
}

// undoOutside says for the card whether moai undo works in a folder in no repository.
func (h *Handlers) undoOutside(ctx context.Context, dir string) string {
	const not = "not here: "
	switch {
	case !h.keepsTurns():
		return not + "checkpoint.turns is off"
	case h.Config.Int("checkpoint.folder_files") == 0:
		return not + "checkpoint.folder_files is 0"
	}
	dir = ground.Follow(dir)
	why := undo.Why(h.StateDir, dir)
	_, err := checkpoint.FindShadow(h.StateDir, dir)
	switch {
	case err == nil && why != "":
		return undoStands(why)
	case err != nil && why == "" && h.Tables.Risks != nil:
		if err = checkpoint.MayShadow(h.StateDir, dir, h.nobodys()); err == nil {
			err = h.tooLarge(ctx, dir)
		}
		if err != nil {
			why = h.whyNone(err)
		}
	}
	if why != "" {
		return not + why
	}
	return "moai undo, though this folder is in no Git repository"
}

// undoStands says for the card why moai undo is not for all that the last turn did; "" where it is.
func undoStands(why string) string {
	if why == "" {
		return ""
	}
	return "moai undo, though not for all of the last turn here: " + why
}

// nobodys are folders that are no project, with all above them.
func (h *Handlers) nobodys() []string { return []string{h.Home} }
