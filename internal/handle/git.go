package handle

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
)

// maxPins bounds how many references are looked at for one checkpoint: more than it keeps, so that it can name what is over.
const maxPins = 1000

// pins lists the references that a command may make unreachable or move. A snapshot holds
// files and HEAD; other branches, tags and stash entries live on only if
// something points at them. Every part of a line counts: the one that gives the
// snapshot its name need not be the one that moves a branch.
func pins(r *repo.Repo, v *risk.Verdict) []string {
	var out []string
	seen := map[string]bool{}
	for _, op := range operations(v) {
		for _, name := range pinsOf(r, v, op) {
			if len(out) < maxPins && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// operations are those of all parts of a line.
func operations(v *risk.Verdict) []string {
	list := []string{v.Operation}
	for i := range v.Hits {
		if hit := &v.Hits[i]; hit.Action != risk.Allow && !slices.Contains(list, hit.Rule.Operation) {
			list = append(list, hit.Rule.Operation)
		}
	}
	return list
}

// Branches reports whether a checkpoint before an operation is to be a branch as well.
func Branches(c *config.Config, rules *risk.Set, operation string) bool {
	return branched(c, rules, []string{operation})
}

func branched(c *config.Config, rules *risk.Set, operations []string) bool {
	switch c.String("checkpoint.branch") {
	case "all":
		return true
	case "risky":
		return slices.ContainsFunc(operations, rules.Branches)
	}
	return false
}

// program is the program of the call that is saved before, if the rules know one by that name: anything else on a line may be
// a word of a secret.
func program(v *risk.Verdict, rules *risk.Set) string {
	for i := range v.Hits {
		name, _, _ := strings.Cut(v.Hits[i].Text, " ")
		for set := rules; set != nil; set = set.More {
			if v.Hits[i].Action == risk.Checkpoint && name != "" && set.Program != nil && set.Program(name) >= 0 {
				return name
			}
		}
	}
	return ""
}

// pinsOf is pins for one operation.
func pinsOf(r *repo.Repo, v *risk.Verdict, operation string) []string {
	var names, prefixes []string
	switch operation {
	case "branch-delete":
		prefixes = []string{"refs/heads/"}
		for i := range v.Hits {
			about := branchWords(v.Hits[i].Text)
			if about.remote && len(prefixes) == 1 {
				prefixes = append(prefixes, "refs/remotes/")
			}
			for _, name := range about.names[:min(len(about.names), maxPins)] { // these are kept before all others
				if _, err := r.Resolve("refs/heads/" + name); err == nil {
					names = append(names, "refs/heads/"+name)
				}
			}
		}
	case "branch-force", "worktree":
		prefixes = []string{"refs/heads/"}
	case "branch-rename", "update-ref", "rebase", "reset", "reset-hard", "amend", "pull":
		names, prefixes = []string{"HEAD"}, []string{"refs/heads/"}
	// Nothing gets lost, but the files alone would come back without the commit that they are of.
	case "merge", "cherry-pick":
		names = []string{"HEAD"}
		if h, err := r.Head(); err == nil && h.Branch != "" && !h.Unborn {
			names = append(names, "refs/heads/"+h.Branch)
		}
		return names
	case "checkout", "switch":
		if !slices.ContainsFunc(v.Hits, switches) {
			return nil
		}
		return []string{"HEAD"}
	case "tag":
		prefixes = []string{"refs/tags/"}
	case "stash":
		return []string{"refs/stash"}
	case "reflog", "gc":
		return []string{checkpoint.ReflogPins}
	default:
		return nil
	}
	names = append(names, "refs/stash")
	for _, prefix := range prefixes {
		refs, err := r.Refs(prefix)
		if err != nil {
			continue // the snapshot itself does not depend on them
		}
		for _, ref := range refs {
			if !strings.HasPrefix(ref.Name, "refs/heads/checkpoint/") && len(names) < maxPins {
				names = append(names, ref.Name)
			}
		}
	}
	return names
}

// switches reports whether a forced checkout may go to another branch.
func switches(hit risk.Hit) bool {
	words := strings.Fields(hit.Text)
	return slices.Contains(words, "switch") || slices.Contains(words, "checkout") && (slices.Contains(words, "-f") || slices.Contains(words, "--force"))
}

// branches is what a `git branch` is about, as far as its words tell.
type branches struct {
	names  []string
	remote bool // of remotes, as they were fetched
	plain  bool // the words mean what they say, in the folder that the call is made in
}

// branchWords reads the words of a `git branch -D`.
func branchWords(text string) (b branches) {
	words := strings.Fields(text)
	if len(words) < 2 || words[0] != "git" || words[1] != "branch" || strings.ContainsAny(text, "$`'\"\\*?[{~<>|&;") {
		return b
	}
	b.plain = true
	for _, w := range words[2:] {
		switch {
		case w == "--remotes", strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "r"):
			b.remote = true
		case !strings.HasPrefix(w, "-"):
			b.names = append(b.names, w)
		}
	}
	return b
}

// deletesNothing reports whether a call does nothing but delete branches that are not there: Git refuses that, and a snapshot
// before it would say that something had been in danger.
func deletesNothing(dir string, v *risk.Verdict) bool {
	for i := range v.Hits {
		b := branchWords(v.Hits[i].Text)
		if v.Hits[i].Rule.Operation != "branch-delete" || len(v.Hits[i].Via) > 0 || !b.plain || len(b.names) == 0 || len(b.names) > maxPins {
			return false
		}
		r, err := repo.Open(dir)
		if err != nil {
			return false
		}
		prefix := "refs/heads/"
		if b.remote {
			prefix = "refs/remotes/"
		}
		for _, name := range b.names {
			if _, err := r.Resolve(prefix + name); !errors.Is(err, repo.ErrNoRef) {
				return false
			}
		}
	}
	return len(v.Hits) > 0
}

// Bounds of what Sensitive reads, in bytes: a file, and all files of one snapshot.
const (
	sensitiveFile  = 1 << 20
	sensitiveTotal = 4 << 20
)

// Sensitive answers which changed or untracked files of a work tree must not get into a branch
// that could be pushed: those with a name that credentials have, those that may hold a secret,
// and those that nobody looked into, since they do not fit the bounds: the hidden reference has them all.
// Content that is not at hand is read; goroutines may ask at the same time.
func Sensitive(rules *risk.Set, workTree string) func(path string, content []byte) bool {
	var left atomic.Int64
	left.Store(sensitiveTotal)
	fits := func(size int64) bool { return size <= sensitiveFile && left.Add(-size) >= 0 }
	return func(path string, content []byte) bool {
		if rules == nil || rules.Sensitive(path) {
			return rules != nil
		}
		if content != nil {
			return !fits(int64(len(content))) || rules.Holds(string(content))
		}
		name := filepath.Join(workTree, filepath.FromSlash(path))
		info, err := os.Lstat(name)
		switch {
		case err != nil || info.Mode()&os.ModeSymlink != 0:
			return false
		case !info.Mode().IsRegular() || !fits(info.Size()): // what is read stands between the command and its start
			return true
		}
		data, err := os.ReadFile(name)
		return err != nil || rules.Holds(string(data))
	}
}

func asDeclined(err error) (*repo.Declined, bool) {
	var d *repo.Declined
	ok := errors.As(err, &d)
	return d, ok
}

// mask hides secrets in text that is kept, by the built-in table and the formats that the user added, and puts it on one line.
func (h *Handlers) mask(s string) string {
	return strings.Join(strings.Fields(h.rules().Mask(s)), " ")
}

// maskPart is mask for a part of a call, by what is secret in all of it.
func (h *Handlers) maskPart(in *risk.Input) func(string) string {
	return func(part string) string {
		return strings.Join(strings.Fields(h.rules().MaskPart(part, command(in))), " ")
	}
}

// rules are the tables with what the guard has loaded for this call, the built-in ones for other events.
func (h *Handlers) rules() *risk.Set {
	if set := h.loaded.Load(); set != nil {
		return set
	}
	return h.Tables.Risks
}
