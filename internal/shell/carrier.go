package shell

// carrier handles programs that run what their arguments or their input say,
// and emits everything else.
func (e *engine) carrier(name string, x *simple, c *ctx) output {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "rbash", "yash":
		return e.shell(name, x, c)
	}
	return e.plainRun(name, x, c)
}
