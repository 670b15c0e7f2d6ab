package policy

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Key names an exception in the list of spent ones.
func Key(e *rule.Allowed) string {
	return hashOf([]byte(strings.Join([]string{e.File, e.Rule, e.Path, e.Argument, e.Session, e.Project, e.Reason, e.Given}, "\x00")))
}

// spentFile is the list of spent exceptions in a folder for state.
const spentFile = "exceptions-spent.json"

// Spent answers Input.Used from the list of exceptions that were used up. It
// spends nothing: that is [Places.Spend].
func (p Places) Spent() func(*rule.Allowed) bool {
	var list map[string]bool
	return func(e *rule.Allowed) bool {
		if list == nil {
			list = map[string]bool{}
			state.Read(p.spent(), 0, &list) // unreadable: nothing is spent yet
			for _, dir := range p.AlsoSpent {
				var more map[string]bool
				state.Read(filepath.Join(dir, spentFile), 0, &more)
				maps.Copy(list, more)
			}
		}
		return list[Key(e)]
	}
}

// Spend takes the "once" exceptions that let something through, all or none, and
// must be called before the verdict is acted on: when another call took one of
// them meanwhile, or the list cannot be written, v becomes the verdict without
// it. A call that is asked about or denied all the same spends nothing.
func (p Places) Spend(v *risk.Verdict) error {
	for once := v.Once(); len(once) > 0 && v.Action < risk.Ask; once = v.Once() {
		var taken bool
		err := errNoState
		if p.State != "" {
			err = state.Update(p.spent(), 0, func(list *map[string]bool) bool {
				if *list == nil {
					*list = map[string]bool{}
				}
				for _, e := range once {
					taken = taken || (*list)[Key(e)]
				}
				if taken {
					return false
				}
				for _, e := range once {
					(*list)[Key(e)] = true
				}
				return true
			})
		}
		if err != nil {
			*v = v.Anew(func(*rule.Allowed) bool { return true })
			return err
		}
		if !taken {
			return nil
		}
		*v = v.Anew(p.Spent())
	}
	return nil
}

var errNoState = errors.New("no folder to note a used exception in")
