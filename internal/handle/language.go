package handle

import (
	"context"
	"path/filepath"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/term"
)

// lookLanguage fills in what the project is, and what a model should know of it: what moai detect --context prints.
func (h *Handlers) lookLanguage(ctx context.Context, dir string, p *project) {
	if h.Tables.Languages == nil {
		return
	}
	report, err := lang.Detect(ctx, h.Tables.Languages(), dir, lang.Options{Cache: h.cacheDir(), Projects: true})
	// what cannot be found out has a name of its own, not a missing line.
	if err != nil {
		p.language = unknownLanguage
		return
	}
	p.language = term.Text(report.Title()) // its version is a text of the repository
	p.known = report.Context(h.Tables.Languages())
	if report.Primary != nil {
		p.languageID = report.Primary.ID
	}
}

// cacheDir is where engines may keep what they can find out again; "" in a dry run.
func (h *Handlers) cacheDir() string {
	if h.DryRun {
		return ""
	}
	return filepath.Join(h.StateDir, "cache")
}
