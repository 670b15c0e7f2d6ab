package seat

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Beginning tells with which variables the client of this process began, before it read any settings.
type Beginning struct {
	finder Finder
	client int      // how far up it is, -1 where it was not found
	vars   []string // nil where the system does not tell
}

// Beginning looks for the client once.
func (f Finder) Beginning(s Sight) *Beginning {
	b := &Beginning{finder: f}
	switch b.finder.up = (&upward{}); { // the zero Sight sees nobody
	case s.above != nil:
		b.finder.up = s.above()
	case s.Look != nil:
		b.finder.up.list = s.Look().Above
	}
	if b.client, _ = b.finder.client(); b.client >= 0 {
		b.vars = b.finder.up.began(b.client)
	}
	return b
}

// Value is the value that a variable had then, and whether that is known. It is not where the system does not tell, or where the client
// was started by another agent, whose variables are no person's word. All that is above the client is looked at for that, so it is asked
// where it matters.
func (b *Beginning) Value(variable string) (value string, known func() bool) {
	for _, kv := range b.vars {
		if name, v, ok := strings.Cut(kv, "="); ok && name == variable {
			value = v
			break
		}
	}
	return value, func() bool { return b.vars != nil && !b.led() }
}

// led reports that another agent started the client. One that is gone has left its variables.
func (b *Beginning) led() bool {
	above := b.finder.up
	for i := b.client; above.at(i) != nil; i++ {
		vars := b.vars
		if i > b.client {
			vars = above.began(i)
		}
		if slices.ContainsFunc(b.finder.Clients, func(c rule.Client) bool {
			return has(vars, c.Variables) || i > b.client && above.is(i, c.Processes, b.finder.Hosts)
		}) {
			return true
		}
	}
	return false
}
