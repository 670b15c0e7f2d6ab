package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// maxPins bounds the stash entries and branches that one checkpoint keeps.
const maxPins = 500

// pins resolves references to what they are now. One that does not exist is not pinned: the command will say so itself.
func pins(r *repo.Repo, refs []string) ([]Pin, error) {
	var out []Pin
	for _, ref := range refs {
		if ref == "refs/stash" || ref == "stash" {
			out = append(out, stash(r)...)
			continue
		}
		name := ref
		if !strings.HasPrefix(name, "refs/") {
			name = "refs/heads/" + ref
		}
		h, err := r.Resolve(name)
		if errors.Is(err, repo.ErrNoRef) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Pin{name, h})
	}
	if len(out) > maxPins {
		out = out[:maxPins]
	}
	return out, nil
}

// stash lists the stash, newest first, from its reflog: the older entries stand nowhere else.
func stash(r *repo.Repo) []Pin {
	b, err := os.ReadFile(filepath.Join(r.CommonDir, "logs", "refs", "stash"))
	if err != nil {
		if h, err := r.Resolve("refs/stash"); err == nil {
			return []Pin{{"stash@{0}", h}}
		}
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	var out []Pin
	for i := len(lines) - 1; i >= 0; i-- {
		f := strings.SplitN(lines[i], " ", 3)
		if len(f) < 3 {
			continue
		}
		if h, ok := repo.ParseHash(f[1]); ok {
			out = append(out, Pin{"stash@{" + strconv.Itoa(len(lines)-1-i) + "}", h})
		}
	}
	return out
}

// pinName is the reference that keeps a pin: refs/moai/pins/before-…/heads/topic, …/stash/0.
func pinName(c *Checkpoint, p Pin) string {
	name := strings.TrimPrefix(p.Ref, "refs/")
	if n, ok := strings.CutPrefix(name, "stash@{"); ok {
		name = "stash/" + strings.TrimSuffix(n, "}")
	}
	return pinRefs + c.Short() + "/" + name
}
