package handle

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// An exception makes the guard stop less, and not only people can write a file. So each
// is told to the user once when it has appeared, and once when it lets something through.

// told is what the user was told of one exception.
type told struct {
	At   time.Time `json:"at"`
	Seen bool      `json:"seen,omitempty"` // that it is there
	Used bool      `json:"used,omitempty"` // that something passed by it
	Open bool      `json:"open,omitempty"` // that it waits for a confirmation
}

const (
	// keepTold bounds the file of what was told; what falls out may be told again.
	keepTold = 1000
	// tellAtOnce is how many exceptions one message names; the others are counted.
	tellAtOnce = 5
)

// news is something to tell of an exception, unless its mark says that it was told.
type news struct {
	allowed *rule.Allowed
	text    string
	mark    func(t *told) *bool
}

func seen(t *told) *bool { return &t.Seen }
func used(t *told) *bool { return &t.Used }
func open(t *told) *bool { return &t.Open }

// usedExceptions are lines about the exceptions that a verdict rests on, and about those
// that it would rest on if a person had confirmed them.
func (h *Handlers) usedExceptions(p policy.Places, v *risk.Verdict) []string {
	var list []news
	seals := p.Seals()
	for i := range v.Hits {
		if v.Hits[i].Allowed != nil && v.Action >= risk.Ask {
			continue // another rule stops the line, so nothing is let through
		}
		switch hit := &v.Hits[i]; {
		case hit.Allowed != nil:
			e := hit.Allowed
			s, ok := seals(e)
			back := "moai risk allow remove " + argv.Quote(e.Rule)
			if s.By == policy.ByTrust { // it came with its file, and goes with it
				back = "moai rules distrust " + term.Text(argv.Quote(e.File))
			}
			list = append(list, news{e, fmt.Sprintf("let through by an exception: %s; %s; take it back: %s",
				exceptionText(e), term.Text(policy.Came(e, s, ok)), back), used})
		case hit.Unsealed != nil:
			list = append(list, h.unconfirmed(hit.Unsealed))
		}
	}
	return h.tell(list)
}

// newExceptions are lines about exceptions that count in a project, or would after a
// confirmation, and that the user was not told of yet.
func (h *Handlers) newExceptions(rules *risk.Set, p policy.Places) []string {
	var list []news
	var seals func(*rule.Allowed) (policy.Seal, bool)
	var spent func(*rule.Allowed) bool
	for set := rules; set != nil; set = set.More {
		for i := range set.Allows {
			e := &set.Allows[i]
			if seals == nil {
				seals, spent = p.Seals(), p.Spent()
			}
			if e.Project != "" && filepath.Clean(e.Project) != filepath.Clean(p.Root) || e.Over(h.now()) || e.Once && spent(e) {
				continue // it lets nothing through here
			}
			s, ok := seals(e)
			if !ok {
				list = append(list, h.unconfirmed(e))
				continue
			}
			list = append(list, news{e, fmt.Sprintf("new exception: %s; %s", exceptionText(e), term.Text(policy.Came(e, s, ok))), seen})
		}
	}
	return h.tell(list)
}

func (h *Handlers) unconfirmed(e *rule.Allowed) news {
	return news{e, fmt.Sprintf("exception that does not count: %s; %s; if you want it: moai risk allow confirm", exceptionText(e), term.Text(policy.Came(e, policy.Seal{}, false))), open}
}

// exceptionText is what an exception says, within a line.
func exceptionText(e *rule.Allowed) string { return term.Clip(term.Text(policy.AllowedText(e)), 300) }

// tell returns the lines that were not told yet and notes them. Where nothing can be
// noted it is told again: better twice than never.
func (h *Handlers) tell(list []news) []string {
	if len(list) == 0 {
		return nil
	}
	path := filepath.Join(h.StateDir, "exceptions-told.json")
	known := map[string]told{}
	state.Read(path, 0, &known)
	fresh := untold(list, known, nil)
	if len(fresh) == 0 {
		return nil
	}
	if !h.DryRun {
		err := state.Update(path, 0, func(known *map[string]told) bool {
			if *known == nil {
				*known = map[string]told{}
			}
			fresh = untold(list, *known, func(id string, t told) { t.At = h.now().UTC(); (*known)[id] = t })
			forget(*known)
			return len(fresh) > 0
		})
		if err != nil {
			h.Log.Warn("not noted which exceptions were told", "err", err)
		}
	}
	if more := len(fresh) - tellAtOnce; more > 0 {
		fresh = append(fresh[:tellAtOnce], fmt.Sprintf("and %s more: moai risk allow list", term.Count(more, "exception")))
	}
	return fresh
}

// untold picks the lines whose mark is not set, sets it, and hands on what is known then.
func untold(list []news, known map[string]told, note func(id string, t told)) (lines []string) {
	var done []string
	for i := range list {
		id := policy.Identity(list[i].allowed)
		t := known[id]
		mark := list[i].mark(&t)
		if *mark || slices.Contains(done, id) {
			continue
		}
		*mark = true
		t.Seen = t.Seen || t.Used
		done = append(done, id)
		lines = append(lines, list[i].text)
		if note != nil {
			note(id, t)
		}
	}
	return lines
}

// forget drops the oldest beyond the bound.
func forget(known map[string]told) {
	for len(known) > keepTold {
		oldest := ""
		for id, t := range known {
			if oldest == "" || t.At.Before(known[oldest].At) {
				oldest = id
			}
		}
		delete(known, oldest)
	}
}

// addSystem adds lines to what the user is shown.
func addSystem(system string, lines []string) string {
	for _, l := range lines {
		system = strings.TrimPrefix(system+"\nmoai: "+l, "\n")
	}
	return system
}
