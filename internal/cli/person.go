package cli

// person refuses what only a person may do where an agent runs moai. The guard denies these
// verbs to agents before they run; this is for a copy or a link of moai under another name, and
// for a script, in which the guard does not see them.
func (e *env) person(may string) error {
	if !e.byAgent() {
		return nil
	}
	return hint(nof("an agent runs this, and only a person may %s", may), "run it in a terminal of your own")
}
