package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/generated/quality"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/format"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// Bounds of what formatters are tried on.
const (
	mostLooked = 2000 // files, to find some for each
	mostTried  = 2    // that one formatter is given
	mostGiven  = 64 << 10
)

// configured are the formatters that a project configures: those that are there, and those that are not.
func (e *env) configured(project string) (found, missing []string) {
	for _, c := range format.Configured(&quality.Table, disk.Real(project)) {
		if c.Missing(e.getenv) {
			missing = append(missing, c.ID)
		} else {
			found = append(found, c.ID)
		}
	}
	return found, missing
}

// refuses says why a formatter that is there takes none of the files that it was tried on, committed ones. What it makes of them is thrown away.
func (e *env) refuses(project string) map[string]string {
	root := disk.Real(project)
	r, err := repo.Open(root)
	if err != nil || r.Bare() {
		return nil
	}
	ix, err := r.Index()
	if err != nil {
		return nil
	}
	defer ix.Close()
	why, tried := map[string]string{}, map[string]int{}
	for i := range min(ix.Len(), mostLooked) {
		path := filepath.Join(disk.Real(r.WorkTree), filepath.FromSlash(ix.At(i).Path))
		if rel, err := filepath.Rel(root, path); err != nil || !filepath.IsLocal(rel) || risktable.Set().Sensitive(path) {
			continue
		}
		c := format.Choose(&quality.Table, root, path, format.Edited)
		if c == nil || c.Builtin != "" || tried[c.ID] == mostTried || c.Missing(e.getenv) {
			continue
		}
		text, _, err := disk.ReadFile(path, mostGiven)
		if err != nil || len(text) == 0 {
			continue
		}
		_, err = c.Run(context.Background(), path, text, nil, e.getenv)
		if tried[c.ID]++; err == nil {
			tried[c.ID] = mostTried
			delete(why, c.ID)
			continue
		}
		said := strings.TrimPrefix(err.Error(), format.ErrRefused.Error()+": ")
		if errors.Is(err, format.ErrRefused) || format.Faulty(err) {
			why[c.ID] = risktable.Set().Mask(term.Clip(term.OneLine(said, 200), 200))
		}
	}
	return why
}
