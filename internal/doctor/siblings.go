package doctor

import "github.com/modu-ai/moai/internal/term"

// siblings names the other work trees and clones of the project in which nothing calls moai. A registration in one folder
// says nothing about the next, and nobody notices a guard that is not there.
func siblings(e *Env) Result {
	r := Result{Detail: "no other work tree or known clone of the project is without moai"}
	if e.Bare == nil {
		return r
	}
	for _, dir := range e.Bare() {
		r.Items = append(r.Items, Item{Name: dir, Status: Warn, Detail: "nothing calls moai there"})
	}
	if len(r.Items) > 0 {
		r = sum(r)
		r.Detail = term.Count(len(r.Items), "other folder") + " of this project without moai"
		r.Fix = "moai init --user"
	}
	return r
}
