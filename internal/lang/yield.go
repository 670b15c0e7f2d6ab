package lang

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// yields reports a runner that is only the second way to build the project: its tests are those of another build system, of which the
// runner's file says nothing, and the services that test the project call that one first.
func (f *folder) yields(r *rule.Runner, t *Tools) bool {
	if t.Test == nil || len(r.Yields) == 0 {
		return false
	}
	name, _, _ := strings.Cut(t.Test.Command, " ")
	if !slices.Contains(r.Yields, name) {
		return false
	}
	for _, file := range r.Files {
		if f.exists(file) && holdsText(f.data(file), name) {
			return false
		}
	}
	runner, _, _ := strings.Cut(r.Command, " ")
	for i := range f.t.Work.Services {
		s := &f.t.Work.Services[i]
		for _, pattern := range s.Files {
			for _, file := range f.find(pattern) {
				for _, one := range steps(s, f.data(file)) {
					switch program, _, _ := strings.Cut(one.command, " "); program {
					case name:
						return true
					case runner:
						return false
					}
				}
			}
		}
	}
	return false
}
