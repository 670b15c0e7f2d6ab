package shell

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// powershell and cmd are called from any shell, with their script as the rest of the
// arguments. -EncodedCommand is base64 of UTF-16, and is read like any other.

// winEnv returns an environment variable of Windows.
func (e *engine) winEnv(name, written string, c *ctx) Word {
	name = strings.ToUpper(name)
	if e.tables.Windows.Home.Has(name) {
		return e.home(c)
	}
	if e.opt.Env != nil {
		if s, ok := e.opt.Env(name); ok {
			return lit(s, Span{})
		}
	}
	if e.tables.Windows.Temporary.Has(name) { // PowerShell sets it where the system does not
		return Word{Text: "/tmp"}
	}
	for _, known := range e.tables.Windows.Known {
		if known[0] == name {
			return lit(known[1], Span{})
		}
	}
	return unknown(written, Span{})
}

// windowsShell follows powershell -Command and cmd /c, called from any shell.
func (e *engine) windowsShell(name string, x *simple, c *ctx) output {
	args := x.args
	if name == "cmd" {
		for i := 1; i < len(args); i++ {
			s := strings.ToLower(strings.TrimLeft(args[i].Prefix(), "/"))
			if args[i].Prefix() == "" || args[i].Prefix()[0] != '/' {
				break
			}
			// /k keeps the window open afterwards and /r is /c of old; each runs all that follows, unquoted.
			if s == "c" || s == "k" || s == "r" {
				if i+1 >= len(args) {
					break
				}
				words := args[i+1:]
				return e.windowsText(Cmd, name, x, join(words, " ", Span{words[0].Span[0], words[len(words)-1].Span[1]}), c)
			}
		}
		return e.plainRun(name, x, c)
	}
	in := c.reads(x)
	for i := 1; i < len(args); i++ {
		s := strings.ToLower(args[i].Prefix())
		if s == "" || s[0] != '-' && s[0] != '/' {
			// pwsh takes a first operand for a file (about_Pwsh), powershell.exe for a command.
			if name == "pwsh" && args[i].Kind == Literal && strings.HasSuffix(s, ".ps1") {
				return e.windowsFile(name, x, &args[i], c)
			}
			return e.windowsText(PowerShell, name, x, join(args[i:], " ", Span{args[i].Span[0], args[len(args)-1].Span[1]}), c)
		}
		s = strings.TrimLeft(s, "-/")
		switch {
		case s == "":
			continue
		// Parameters may be cut anywhere; -e and -ec are documented short forms of this one alone.
		case s == "ec" || s == "e" || len(s) > 1 && strings.HasPrefix("encodedcommand", s):
			if i+1 < len(args) {
				return e.windowsText(PowerShell, name, x, encoded(&args[i+1]), c)
			}
		case strings.HasPrefix("command", s) || s == "commandwithargs" || s == "cwa":
			if i+1 < len(args) && args[i+1].Is("-") && in != nil {
				return e.windowsText(PowerShell, name, x, in.Text, c)
			}
			if i+1 < len(args) {
				words := args[i+1:]
				return e.windowsText(PowerShell, name, x, join(words, " ", Span{words[0].Span[0], words[len(words)-1].Span[1]}), c)
			}
		case strings.HasPrefix("file", s):
			if i+1 < len(args) && !args[i+1].Is("-") {
				return e.windowsFile(name, x, &args[i+1], c)
			}
		// Told and done. In powershell.exe -Version takes a value and a command may follow.
		case strings.HasPrefix("version", s) && name == "pwsh", s == "help", s == "?", s == "h":
			return e.plainRun(name, x, c)
		case e.tables.PowerShell.Short.Has(s), e.tables.PowerShell.Options.Begun(s):
			i++
		}
	}
	if in != nil {
		return e.windowsText(PowerShell, name, x, in.Text, c)
	}
	return e.plainRun(name, x, c)
}

// windowsFile follows a script of PowerShell that is named.
func (e *engine) windowsFile(name string, x *simple, file *Word, c *ctx) output {
	text, n, ok := e.textOf(file, "", c)
	if !ok {
		x.code = &Code{Lang: LangPowerShell, From: FromFile, Text: *file, File: *file}
		return e.plainRun(name, x, c)
	}
	x.code = &Code{Lang: LangPowerShell, From: FromFile, Text: text, File: *file, Seen: text.Kind == Literal}
	return e.windowsText(PowerShell, name, x, text, n)
}

// encoded decodes -EncodedCommand: UTF-16 in base64.
func encoded(w *Word) Word {
	if w.Kind != Literal {
		return *w
	}
	b, err := base64.StdEncoding.DecodeString(w.Text)
	if err != nil {
		return unknown(w.Text, w.Span)
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
	}
	return lit(string(utf16.Decode(units)), w.Span)
}

// windowsText emits a shell and follows the text that it runs.
func (e *engine) windowsText(d Dialect, name string, x *simple, text Word, c *ctx) output {
	lang := LangPowerShell
	if d == Cmd {
		lang = "cmd"
	}
	if x.code == nil {
		x.code = &Code{Lang: lang, From: FromArg, Text: text, Seen: text.Kind == Literal}
	}
	x.code.Unread = e.unread(name, strings.ToLower(text.Text), false)
	i := e.emit(c, x)
	n := c.step(name, x.args[0].Span)
	n.depth++
	if n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", x.span)
		return output{}
	}
	if text.Kind == Unknown && len(text.Parts) == 1 {
		return output{from: []int{i}}
	}
	s := text.Text
	src := e.sourceOf(&text, s)
	// A process of its own: its cd and its variables end with it.
	n.st = c.st.clone()
	var out output
	if d == Cmd {
		out = e.cmd(s, src, n)
	} else {
		out = e.powershell(s, src, n)
	}
	// What the script prints comes out of the shell that runs it, for "powershell … | sh".
	if !slices.Contains(out.from, i) {
		out.from = append(out.from, i)
	}
	return out
}
