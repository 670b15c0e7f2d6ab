package doctor

import "strings"

// formatter says which formatters the project configures that are not installed: files are then left as they are, without a word.
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
	if r = sum(r); r.Status != OK {
		r.Detail = "not installed: " + strings.Join(missing, ", ")
	}
	return r
}
