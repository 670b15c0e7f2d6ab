package handle

import (
	"context"
	"strings"

	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// What of a hook's surroundings cannot be believed, since whoever wrote the repository
// can have set the variables: judged for all that it can mean, and said to the user.

// judge checks a call for every home and project that may be meant. Mostly there is one.
func (h *Handlers) judge(rules *risk.Set, in *risk.Input) risk.Verdict {
	v := rules.Check(in)
	other := func(home, root string) {
		one := *in
		one.Home = home
		if root != in.Root {
			one.Root = root
			if !in.Unseen {
				ground.New(root, in.Looks).Answer(&one)
			}
		}
		v = risk.Either(v, rules.Check(&one))
	}
	for _, home := range h.Homes {
		other(home, in.Root)
	}
	for _, root := range h.Roots {
		other(in.Home, root)
	}
	return v
}

// standing says, when a session begins, why the guard is not at its standard, and what was
// not believed.
func (h *Handlers) standing() []string {
	list := h.Doubts
	if loose := h.Config.Loosened(); len(loose) > 0 {
		list = append(list[:len(list):len(list)], "the guard protects less than its standard: "+term.Text(strings.Join(loose, ", ")))
	}
	return list
}

// surroundings tells the user once a session what of them does not count: a settings file
// can change them in the middle of one.
func (h *Handlers) surroundings(_ context.Context, e *hook.Event) (hook.Answer, error) {
	text := h.doubts()
	if h.recallSession(e.SessionID).Doubts == text {
		return hook.Answer{}, nil
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		m.Doubts = text
		return true
	})
	return hook.Answer{System: text}, nil
}

// doubts is all of them as one text.
func (h *Handlers) doubts() string {
	if len(h.Doubts) == 0 {
		return ""
	}
	return "moai: warning: " + strings.Join(h.Doubts, "\nmoai: warning: ")
}
