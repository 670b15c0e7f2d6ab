package doctor

import "github.com/modu-ai/moai/internal/term"

// rules checks the user's and the project's own rules and configuration: what
// is wrong there is skipped, and that should not go unnoticed.
func rules(e *Env) Result {
	r := Result{Detail: "rules and configuration are valid"}
	var problems []string
	if e.RuleProblems != nil {
		problems = e.RuleProblems()
	}
	for _, p := range problems {
		r.Items = append(r.Items, Item{Name: "rules", Status: Fail, Detail: p})
		r.Fix = "moai rules check"
	}
	// A rule that does not load protects nothing; a setting that does not is its default.
	for _, p := range e.ConfigProblems {
		r.Items = append(r.Items, Item{Name: "configuration", Status: Warn, Detail: p})
		if r.Fix == "" {
			r.Fix = "moai config list"
		}
	}
	if e.Languages != nil {
		if why := e.Languages(); why != "" {
			r.Items = append(r.Items, Item{Name: "languages", Status: Warn, Detail: why})
			if r.Fix == "" {
				r.Fix = "moai detect"
			}
		}
	}
	if r = sum(r); r.Status != OK {
		r.Detail = term.Count(len(r.Items), "problem") + "; what is wrong does not count, or not as it says"
	}
	return r
}
