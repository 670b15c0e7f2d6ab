package handle

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
)

// protect takes the snapshot that a verdict calls for. The verdict stands before
// this starts; what happens to the call when no snapshot can be taken in time is
// the setting guard.no_checkpoint.
func (h *Handlers) protect(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict) hook.Answer {
	asking := v.Action == risk.Ask
	// A question that the user answers with yes runs at once: what it would
	// destroy inside the project is saved before it is asked.
	if v.Action != risk.Checkpoint && !(asking && len(v.Targets) > 0) || h.DryRun {
		return hook.Answer{}
	}
	cp, err := h.snapshot(ctx, e, in, v)
	if err != nil {
		if asking { // a person decides anyway, and now knows that there is no way back
			return hook.Answer{System: "moai: no snapshot was taken before this: " + cause(err)}
		}
		return h.unprotected(v, err)
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if n := len(m.Checkpoints); n > 0 && m.Checkpoints[n-1] == cp.Name {
			return false
		}
		m.Checkpoints = append(m.Checkpoints, cp.Name)
		return true
	})
	if !cp.Reused {
		h.note(e, "checkpoint_created", "", "checkpoint "+cp.Name, map[string]any{
			"branch": cp.Name, "operation": cp.Operation, "commit": cp.Commit.String(), "files": cp.Stats.Files(),
		})
	}
	a := hook.Answer{Data: map[string]any{"checkpoint": cp.Name}}
	a.System = saved(cp, v)
	if e.Dialect == hook.Alfred || e.Dialect == hook.Moai03 {
		// The words of the source (alfred's handler), for clients that show message.
		a.Message = "🛡️ Checkpoint created: " + cp.Name + "\n   Operation: " + cp.Operation
	}
	return a
}

// snapshot opens the repository that holds what is in danger and saves it.
func (h *Handlers) snapshot(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict) (*checkpoint.Checkpoint, error) {
	r, err := repo.Open(placeOf(in, v))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, h.Config.Duration("checkpoint.timeout"))
	defer cancel()
	type result struct {
		cp  *checkpoint.Checkpoint
		err error
	}
	// Beside this goroutine: a disk that hangs must not hold the answer up.
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- result{nil, fmt.Errorf("panic: %v", p)}
			}
		}()
		cp, err := checkpoint.Create(ctx, r, checkpoint.CreateOptions{
			Operation: operation(v), Command: command(in), Session: e.SessionID,
			Branch: h.Config.Bool("checkpoint.branch"), Sensitive: h.sensitive,
			Ignored: within(r, v.Vault), VaultDir: filepath.Join(h.StateDir, "vault"), Now: h.now(),
			PinRefs: pins(r, v), Keep: h.Config.Int("checkpoint.keep"),
		})
		done <- result{cp, err}
	}()
	select {
	case got := <-done:
		return got.cp, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// operation names the checkpoint: the rule's own word, else the hazard of its id.
func operation(v *risk.Verdict) string {
	if v.Operation != "" {
		return v.Operation
	}
	_, hazard, _ := strings.Cut(v.Hits[0].Rule.ID, ".")
	return hazard
}

// placeOf is the directory whose repository is to be saved: that of the first
// path in danger, else where the command runs.
func placeOf(in *risk.Input, v *risk.Verdict) string {
	for _, t := range v.Targets {
		if filepath.IsAbs(t) {
			if info, err := lstat(t); err == nil && info.IsDir() {
				return t
			}
			return existing(filepath.Dir(t))
		}
	}
	if in.Dir != "" {
		return in.Dir
	}
	return in.Root
}

// existing is the nearest folder upwards that is there.
func existing(dir string) string {
	for {
		if info, err := lstat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// within makes absolute paths relative to the work tree; others are not ours to copy.
func within(r *repo.Repo, paths []string) []string {
	var list []string
	for _, p := range paths {
		if rel, err := filepath.Rel(r.WorkTree, p); err == nil && filepath.IsLocal(rel) {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// command is what a checkpoint's message names: the command line, or the tool
// and the file that it writes.
func command(in *risk.Input) string {
	if in.Command != "" {
		return in.Command
	}
	args := hook.Value(in.Args)
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if p := args.Get(key).Text(); p != "" {
			return in.Tool + " " + p
		}
	}
	return in.Tool
}

// unprotected decides about a call that needs a snapshot when there is none.
func (h *Handlers) unprotected(v *risk.Verdict, err error) hook.Answer {
	text := v.Reason() + "\nmoai could not take a snapshot first (" + cause(err) + "), so this cannot be undone."
	switch h.Config.String("guard.no_checkpoint") {
	case "deny":
		return hook.Answer{Decision: hook.Deny, Reason: text, Suggestions: instead(v)}
	case "allow":
		return hook.Answer{System: text}
	}
	return hook.Answer{Decision: hook.Ask, Reason: text, Suggestions: instead(v)}
}

// cause says in a few words why there is no snapshot.
func cause(err error) string {
	switch {
	case errors.Is(err, repo.ErrNone):
		return "this folder is in no Git repository"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took longer than checkpoint.timeout"
	}
	if reason := refusal(err); reason != "" {
		return reason
	}
	return err.Error()
}

// saved tells the user what was saved, why, what is not in it, and the way back.
func saved(cp *checkpoint.Checkpoint, v *risk.Verdict) string {
	var b strings.Builder
	word := "snapshot"
	if cp.Reused {
		word = "snapshot (unchanged since)"
	}
	fmt.Fprintf(&b, "moai: %s %s (%s) before: %s", word, cp.Name, cp.Stats, v.Reason())
	if n := len(cp.Skipped); n > 0 {
		fmt.Fprintf(&b, "\n  not in it: %s", skipped(cp.Skipped))
	}
	for _, w := range cp.Warnings {
		fmt.Fprintf(&b, "\n  %s", w)
	}
	if n := len(cp.Vaulted); n > 0 {
		fmt.Fprintf(&b, "\n  ignored files copied to the vault: %s", strings.Join(cp.Vaulted[:min(n, 5)], ", "))
	}
	fmt.Fprintf(&b, "\n  bring it back: moai checkpoint restore %s", cp.Short())
	return b.String()
}

func skipped(list []checkpoint.Skip) string {
	var names []string
	for i, s := range list {
		if i == 3 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(list)-i)
		}
		names = append(names, s.Path+" ("+s.Why+")")
	}
	return strings.Join(names, ", ")
}
