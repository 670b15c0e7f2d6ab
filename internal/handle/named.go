package handle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
)

// maxWayNames is how many paths a printed way back names: more make a line that nobody reads.
const maxWayNames = 8

// plainOptions are letters of options without a value, of the programs that say by words what goes.
const plainOptions = "-fFrRdxXqv"

// wayNames lists the paths, relative to the work tree, that a line takes away and nothing else: one call that names each as it is. A way back that
// names them brings back those alone, also when somebody follows it days later. It is empty where a part of the call is not told by that.
func (h *Handlers) wayNames(r *repo.Repo, cp *shot, in *risk.Input, v *risk.Verdict) []string {
	if len(cp.gone)+len(cp.emptied)+len(cp.shifted)+len(cp.Inside)+len(v.Touched)+len(v.Moved) > 0 || cp.anew != "" || cp.refs || cp.drops {
		return nil
	}
	text := strings.TrimSpace(command(in))
	if strings.ContainsAny(text, "$`'\"\\*?[{~<>|&;()!#\n:") || slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Allow && (hit.Text != text || len(hit.Via) > 0)
	}) {
		return nil
	}
	words, indexStays := h.rules().NamesWhatGoes(strings.Fields(text))
	if len(words) == 0 || len(words) > maxWayNames || cp.index && !indexStays {
		return nil
	}
	var names []string
	dir := ground.Follow(orText(in.Dir, in.Root))
	for i, word := range words {
		if word == "--" && i == 0 {
			continue
		}
		if strings.HasPrefix(word, "-") {
			if strings.Trim(word, plainOptions) != "" {
				return nil
			}
			continue
		}
		full := word
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, word)
		}
		rel, err := filepath.Rel(r.WorkTree, full)
		if _, bad := os.Lstat(full); err != nil || bad != nil || !filepath.IsLocal(rel) || rel == "." || !heldAt(r, cp, filepath.ToSlash(rel)) {
			return nil
		}
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

// heldAt reports that a snapshot brings back something at or below a path.
func heldAt(r *repo.Repo, cp *shot, p string) bool {
	return checkpoint.Has(r, cp.Checkpoint, p) || newFolders(slices.Concat(cp.Vaulted, cp.Folders.Empty)).anyIn(p)
}

// asNamed are paths of the work tree as they are named where the user stands.
func (cp *shot) asNamed(paths []string) []string {
	words := make([]string, len(paths))
	for i, p := range paths {
		words[i] = cp.from(p)
	}
	return words
}
