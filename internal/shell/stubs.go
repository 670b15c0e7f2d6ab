package shell

func (e *engine) powershell(text string, src *source, c *ctx) output { return output{} }
func (e *engine) cmd(text string, src *source, c *ctx) output        { return output{} }
