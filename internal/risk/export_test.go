package risk

// Builtin loads the project's own rules, as gen does.
var Builtin = builtin

// ProjectWork is how many units of work a project's rules take on a call.
func ProjectWork(set *Set, in *Input) int {
	c := checker{named: predicates[:], set: set, in: in}
	c.line()
	return c.project()
}
