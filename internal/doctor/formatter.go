package doctor

import (
	"maps"
	"slices"
	"strings"
)

// formatter says which formatters the project configures that are not installed, and which take no file of it: files are then left as they are.
func formatter(e *Env) Result {
	if e.Formatters == nil {
		return Result{Detail: "files are not formatted after an edit (moai config set quality.format auto)"}
	}
	found, missing := e.Formatters()
	r := Result{Detail: "this project configures none"}
	if len(found) > 0 {
		r.Detail = "found: " + strings.Join(found, ", ")
	}
	for _, name := range missing {
		r.Items = append(r.Items, Item{Name: name, Status: Warn, Detail: "this project configures it, and its program is neither in the project nor on PATH"})
	}
	var faults []string
	if len(missing) > 0 {
		faults = append(faults, "not installed: "+strings.Join(missing, ", "))
	}
	refuses := e.Refuses()
	if names := slices.Sorted(maps.Keys(refuses)); len(names) > 0 {
		faults = append(faults, "takes no file: "+strings.Join(names, ", "))
		for _, name := range names {
			r.Items = append(r.Items, Item{Name: name, Status: Warn, Detail: refuses[name]})
		}
	}
	if r = sum(r); r.Status != OK {
		r.Detail = strings.Join(faults, "; ")
	}
	return r
}
