package doctor

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// environment says whether the guard is at its standard, what of the surroundings does not
// count, and which settings files of the project set variables that moai, or what finds
// moai, reads: those of a cloned repository are a stranger's.
func environment(e *Env) Result {
	r := Result{Detail: "the guard is at its standard, and no setting of the project reaches for it"}
	for _, l := range e.Loosened {
		r.Items = append(r.Items, Item{Name: "guard", Status: Warn, Detail: l + ", which protects less than the standard"})
		r.Fix = e.mend()
	}
	for _, d := range e.Doubts {
		r.Items = append(r.Items, Item{Name: "not believed", Status: Warn, Detail: d})
	}
	for _, f := range e.Files {
		if f.File == nil || f.Scope == settings.User {
			continue
		}
		for _, name := range variables(f.File.Data) {
			if why := e.reads(name); why != "" {
				r.Items = append(r.Items, Item{Name: "settings", Status: Warn, Detail: f.Path + " sets " + name + ": " + why})
			}
		}
	}
	if r = sum(r); r.Status != OK {
		r.Detail = term.Count(len(r.Items), "thing") + " to know about the surroundings of the guard"
	}
	return r
}

func (e *Env) reads(name string) string {
	if e.Reads == nil {
		return ""
	}
	return e.Reads(name)
}

// variables are the names in the env block of a settings file, in order.
func variables(data []byte) []string {
	var doc struct {
		Env map[string]json.RawMessage `json:"env"`
	}
	if json.Unmarshal(data, &doc) != nil {
		return nil // said by the check of settings
	}
	var names []string
	for name := range doc.Env {
		names = append(names, strings.ToUpper(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
