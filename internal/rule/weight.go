package rule

// Weight is how many bytes of text a rule compares with.
func (w *When) Weight() (n int) {
	for _, list := range [...]Texts{w.Sub, w.NotSub, w.Without, w.Operands, w.NotOperands, w.Words, w.NotWords} {
		n += len(list)
	}
	for _, list := range [...][]string{w.Fed, w.NotFed, w.PipeTo, w.Env, w.Says} {
		for _, s := range list {
			n += len(s) + 1
		}
	}
	for _, group := range w.Flags {
		n += len(group)
	}
	for i := range w.Args {
		for _, s := range w.Args[i].Globs {
			n += len(s) + 1
		}
	}
	return n
}
