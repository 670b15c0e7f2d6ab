package handle

import (
	"slices"
	"testing"

	"github.com/modu-ai/moai/generated/events"
)

// Every handler that an event names is there, and only the record answers all of them: one that no event names would, too.
func TestHandlersOfEvents(t *testing.T) {
	var named []string
	for i := range events.Events {
		named = append(named, events.Events[i].Handlers...)
	}
	var all []string
	for _, one := range (&Handlers{}).all() {
		all = append(all, one.Name)
	}
	for _, name := range named {
		if !slices.Contains(all, name) {
			t.Errorf("an event names %q, which is no handler", name)
		}
	}
	if all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(named, name) }); !slices.Equal(all, []string{"record"}) {
		t.Errorf("no event names %q, want the record alone", all)
	}
}
