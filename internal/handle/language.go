package handle

import (
	"context"
	"path/filepath"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/term"
)

// lookLanguage fills in what the project is written in. A language takes its
// place in the facts for the model from a share of 5 % on (detection.md: below
// that it is mostly build scripts).
func (h *Handlers) lookLanguage(ctx context.Context, dir string, p *project) {
	if h.Tables.Languages == nil {
		return
	}
	report, err := lang.Detect(ctx, h.Tables.Languages(), dir, lang.Options{Cache: h.cacheDir()})
	// what cannot be found out has a name of its own, not a missing line.
	if err != nil || report.Primary == nil {
		p.language = unknownLanguage
		return
	}
	p.languageID = report.Primary.ID
	p.language = term.Text(report.Primary.Title()) // its version is a text of the repository
	for _, l := range report.Languages {
		if l.ID != report.Primary.ID && l.Kind == "programming" && l.Share >= 0.05 && len(p.others) < 4 {
			p.others = append(p.others, l.Name)
		}
	}
	if t := report.Tools.Test; t != nil {
		p.test = t.Command
	}
}

// cacheDir is where engines may keep what they can find out again; "" in a dry run.
func (h *Handlers) cacheDir() string {
	if h.DryRun {
		return ""
	}
	return filepath.Join(h.StateDir, "cache")
}
