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
	var here []string
	for _, one := range all {
		here = append(here, one.name)
	}
	for _, name := range named {
		if !slices.Contains(here, name) {
			t.Errorf("an event names %q, which is no handler", name)
		}
	}
	if here = slices.DeleteFunc(here, func(name string) bool { return slices.Contains(named, name) }); !slices.Equal(here, []string{everyEvent}) {
		t.Errorf("no event names %q, want the record alone", here)
	}
}
