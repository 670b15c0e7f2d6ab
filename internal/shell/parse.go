package shell

// Parse returns the simple commands that line would run, in source order.
func Parse(line string, opt Options) *Result {
	return &Result{}
}
