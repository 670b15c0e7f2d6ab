package handle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/risk"
)

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
		if rules == nil {
			return false
		}
		if rules.Withheld(path) || rules.Holds(path) { // a name can hold a key, too
			return true
		}
		holds := func(content []byte) bool {
			if path == "" { // the message of a commit is prose
				return rules.Holds(string(content))
			}
			return rules.HoldsIn(path, string(content))
		}
		if content != nil {
			return !fits(int64(len(content))) || holds(content)
		}
		name := filepath.Join(workTree, filepath.FromSlash(path))
		info, err := os.Lstat(name)
		switch {
		case err != nil:
			return false
		case info.Mode()&os.ModeSymlink != 0: // its content is the path that it leads to
			target, err := os.Readlink(name)
			return err != nil || rules.Holds(target)
		case !info.Mode().IsRegular() || !fits(info.Size()): // what is read stands between the command and its start
			return true
		}
		data, err := os.ReadFile(name)
		return err != nil || holds(data)
	}
}

// mask hides secrets in text that is kept, by the built-in table and the formats that the user added, and puts it on one line.
func (h *Handlers) mask(s string) string {
	return strings.Join(strings.Fields(h.rules().Mask(s)), " ")
}

// maskPart is mask for a part of a call, by what is secret in all of it.
func (h *Handlers) maskPart(in *risk.Input) func(string) string {
	mask := h.rules().MaskPart(command(in))
	return func(part string) string { return strings.Join(strings.Fields(mask(part)), " ") }
}

// rules are the tables with what the guard has loaded for this call, the built-in ones for other events.
func (h *Handlers) rules() *risk.Set {
	if set := h.loaded.Load(); set != nil {
		return set
	}
	return h.Tables.Risks
}
