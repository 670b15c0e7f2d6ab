package cli

import (
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// sinceLimit is how many commits are looked at for what was made since a checkpoint, and sinceShown how many of them are named.
const (
	sinceLimit = 1000
	sinceShown = 3
)

// since tells which commits were made after a checkpoint, and what its restore means for them: a line that is followed a day
// later brings back that day, too.
func (e *env) since(r *repo.Repo, p *checkpoint.Plan) {
	for _, m := range p.Refs {
		if branch, ok := strings.CutPrefix(m.Ref, "refs/heads/"); ok && !m.From.IsZero() && !m.To.IsZero() {
			if text := made(r, m.From, m.To); text != "" {
				fmt.Fprintf(e.err, "moai: no longer on %s: %s\n", term.Name(branch), text)
			}
		}
	}
	switch c := p.Checkpoint; {
	case p.Options.Missing:
		e.reused(r, c)
	case !p.Empty() && len(p.Refs)+len(p.Paths) == 0 && p.TakenOn == "" && !c.Head.IsZero():
		head, err := r.Head()
		if err != nil {
			return
		}
		text := made(r, head.Hash, c.Head)
		if text == "" {
			return
		}
		fmt.Fprintf(e.err, "moai: %s made since: what comes back is of before\nmoai: hint: %s PATH… brings back these files alone\n", text, checkpoint.Way{ID: c.Short()})
		if p.Index {
			fmt.Fprintln(e.err, "moai: hint: git reset -q leaves what is staged as it is committed; else the next commit takes those back")
		}
	}
}

// reused tells of branches that a checkpoint keeps and whose names somebody has used again for something else.
func (e *env) reused(r *repo.Repo, c *checkpoint.Checkpoint) {
	for _, pin := range c.Pins {
		name, ok := strings.CutPrefix(pin.Ref, "refs/heads/")
		if !ok || pin.Hash.IsZero() {
			continue
		}
		now, err := r.Resolve(pin.Ref)
		if err != nil || made(r, pin.Hash, now) == "" {
			continue
		}
		fmt.Fprintf(e.err, "moai: %s is there again, at %s; it was at %s\nmoai: hint: git branch %s %s\n", term.Name(name), short(now), short(pin.Hash), term.Text(argv.Quote(name+"-before")), short(pin.Hash))
	}
}

// made names the commits that lead to one commit and not to another; "" for none.
func made(r *repo.Repo, to, from repo.Hash) string {
	list, more, err := r.Unreached(to, []repo.Hash{from}, sinceLimit)
	if err != nil || len(list) == 0 {
		return ""
	}
	count := term.Count(len(list), "commit")
	if more {
		count = "more than " + count
	}
	var named []string
	for _, h := range list[:min(len(list), sinceShown)] {
		named = append(named, short(h))
	}
	if len(list) > sinceShown || more {
		named = append(named, "…")
	}
	return count + " (" + strings.Join(named, " ") + ")"
}

func short(h repo.Hash) string { return h.String()[:7] }
