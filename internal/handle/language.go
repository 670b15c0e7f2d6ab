package handle

import (
	"context"
	"path/filepath"

	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
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
	p.known = report.Context(h.Tables.Languages(), func(below, command string) bool {
		in := ground.Place(filepath.Join(dir, filepath.FromSlash(below)), h.Home, h.Config.String("guard.mode"), h.places(dir), h.now())
		return h.Tables.Risks != nil && Asks(h.rules(), &in, command)
	})
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

// Asks reports that a command, where it is called, would be asked about, as a call of a model's.
func Asks(rules *risk.Set, in *risk.Input, command string) bool {
	in.Tool, in.Command = "Bash", command
	ground.New(in.Root, work.New(work.Disk)).Answer(in)
	v := rules.Check(in)
	return v.Action >= risk.Ask
}
