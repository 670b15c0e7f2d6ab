package cli

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// sinceGit leads to what turns that began in no repository did in the one that was made then: their commands, which are taken back one by one.
// "" where they did nothing there.
func (e *env) sinceGit(r *repo.Repo, turns []undo.Turn) string {
	var paths []string
	for i := range turns {
		for k := range turns[i].Commands {
			c := &turns[i].Commands[k]
			if c.Undone {
				continue
			}
			list, err := c.Changed(r)
			if err != nil {
				continue
			}
			paths = append(paths, list...)
		}
	}
	if len(paths) == 0 {
		return ""
	}
	slices.Sort(paths)
	for i, p := range paths {
		paths[i] = term.Name(p)
	}
	return "moai undo --command takes back what was done since git init, its last command first: " + someOf(slices.Compact(paths), shownUndone)
}

// behindGit is the same, asked from the time before git init.
func (e *env) behindGit() string {
	if !e.pre {
		return ""
	}
	r, err := repo.Open(e.dir)
	if err != nil {
		return ""
	}
	line, err := undo.Read(r, e.stateDir())
	if err != nil {
		return ""
	}
	return e.sinceGit(r, slices.DeleteFunc(slices.Clone(line.Turns), func(t undo.Turn) bool { return t.Undone || !t.From.IsZero() }))
}

// beforeGitToo leads to what a turn did before git init; "" where it did nothing then.
func (e *env) beforeGitToo(r *repo.Repo, one *undo.Turn) string {
	there := e.wasOutside(r, "moai undo")
	if there == "" {
		return ""
	}
	old, err := checkpoint.FindShadow(e.stateDir(), r.WorkTree)
	if err != nil {
		return ""
	}
	line, err := undo.Read(old, e.stateDir())
	if err != nil || !slices.ContainsFunc(line.Turns, func(t undo.Turn) bool { return !t.Undone && strings.HasPrefix(t.Key+"#", one.Key+"#") }) {
		return ""
	}
	return there
}
