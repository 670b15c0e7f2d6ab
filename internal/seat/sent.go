package seat

import (
	"os"
	"slices"
)

// Sent is how this process comes from a client.
type Sent int

// The ways. Where the system does not tell with what processes were started, as on Windows, it is Untold.
const (
	Untold Sent = iota
	Hooked      // the client started it, or the shell around it, as it starts hooks
	Ran         // the client started what led here otherwise: an agent's command line
	Loose       // no client is above
)

// Sent looks at what a client started that led to this process: hooks get variables that an agent's command line has not. Those that
// the client itself was started with tell nothing, since all that it starts has them. id is the client's process where that is known, 0 else.
func (f *Finder) Sent(id int) Sent {
	above := f.upward()
	at := -1
	for i := 0; id > 0 && above.id(i) > 0; i++ {
		if above.id(i) == id {
			at = i
			break
		}
	}
	if at < 0 {
		at, _ = f.client()
	}
	if at < 0 {
		return Loose
	}
	first := os.Getpid()
	if at > 0 {
		first = above.id(at - 1)
	}
	return sent(environ(above.id(at)), environ(first), f.hooks())
}

func sent(client, first, hooks []string) Sent {
	switch {
	case client == nil || first == nil || len(hooks) == 0 || has(client, hooks):
		return Untold
	case has(first, hooks):
		return Hooked
	}
	return Ran
}

func (f *Finder) hooks() (variables []string) {
	for i := range f.Clients {
		variables = slices.Concat(variables, f.Clients[i].Hooks)
	}
	return variables
}
