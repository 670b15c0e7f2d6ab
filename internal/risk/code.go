package risk

import (
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Program text: what a shell or an interpreter is given to run, and whether anybody
// could have read it before.

// unknownCode reports that a shell runs text that is not on the line and not in
// a file that the line names; an interpreter too, when a list feeds it.
func (m *match) unknownCode() bool {
	code := m.call.cmd.Code
	if code != nil && (code.Fed || code.Unread) && !m.call.harmless(m.c.set) {
		return m.c.source == nil // a list decides what runs, or a grammar that is not read: in files both are everyday
	}
	// A script that nobody gave, as in "bash" alone, waits for a person.
	if code == nil || code.Seen || m.call.harmless(m.c.set) || code.Text.Text == "" && code.From == shell.FromArg {
		return false
	}
	if !code.Shell() && !fedByList(m.call) {
		return false
	}
	switch code.From {
	case shell.FromStdin:
		in := m.call.cmd.Stdin
		// Without input it waits for a person; a file's name can be read by all.
		return in != nil && (in.Op != "<" || in.File.Kind != shell.Literal) || len(m.call.cmd.PipeFrom) > 0
	case shell.FromFile:
		if m.c.surroundings(&code.Text) {
			return false // as "$TOOL" is run: who set the machine up names the file
		}
		return code.Text.Kind == shell.Unknown || code.Text.Kind == shell.Partial && fedByList(m.call)
	}
	// "prefix $X": the program is there to see, only an argument is not.
	return code.Text.Kind == shell.Unknown || code.Text.Kind == shell.Partial && code.Text.Parts[0].Unknown
}

// surroundings reports a word that is a variable and nothing else, of which the line says nothing: it has the value that it had before. One
// with a name that fits any file has none: source "$FILE".
func (c *checker) surroundings(w *shell.Word) bool {
	if len(w.Parts) != 1 || !w.Parts[0].Unknown || w.Parts[0].Listed || w.Parts[0].Read || len(w.Parts[0].From) > 0 {
		return false
	}
	name := strings.TrimPrefix(w.Text, "$")
	if strings.HasPrefix(name, "{") {
		name = strings.TrimSuffix(name[1:], "}")
	}
	if name == w.Text || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" || c.set.In("names-of-any-file", name) {
		return false
	}
	for i := range c.calls {
		cmd := c.calls[i].cmd
		if !c.spend(1 + len(cmd.Args) + len(cmd.Assigns)) {
			return false
		}
		for j := range cmd.Args {
			if strings.HasPrefix(cmd.Args[j].Text, name) {
				return false // "read NAME", "printf -v NAME", "declare NAME=…"
			}
		}
		for j := range cmd.Assigns {
			if cmd.Assigns[j].Name == name {
				return false
			}
		}
	}
	return true
}

// runsInput reports that what flows into a call is run, not only read: "| sh",
// "sh -c $(…)", "source <(…)", but not "| python -c 'known text'".
func (c *checker) runsInput(k *call) bool {
	code := k.cmd.Code
	if code == nil {
		return c.set.In("runs-operands", k.raw)
	}
	if code.From == shell.FromStdin || len(code.Text.From()) > 0 {
		// A line in a file that is put together with what another program prints is no program from there.
		return c.source == nil || code.From == shell.FromStdin || code.Text.Prefix() == ""
	}
	return code.From == shell.FromFile && (strings.HasPrefix(code.Text.Text, "/dev/stdin") || strings.HasPrefix(code.Text.Text, "/dev/fd/") || strings.HasPrefix(code.Text.Text, "/proc/self/fd/"))
}

// runsWritten reports that a call runs a file which a call before it wrote with
// the output of a program that is as asked.
func (c *checker) runsWritten(k *call, is func(*call) bool) bool {
	if k.cmd.Code != nil && k.cmd.Code.From == shell.FromFile && c.upstream(k, make([]bool, len(c.calls)), is) {
		return true // wget named the file by its address
	}
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&rule.Run == 0 {
			continue
		}
		// Compared by place: ./i.sh and i.sh are one file.
		target := c.locate(k, e).Path
		if c.wrote(k, func(p string) bool { return p == target }, is) {
			return true
		}
	}
	return false
}

// programText is what an interpreter runs, where the line shows it.
func (k *call) programText() string {
	code := k.cmd.Code
	if code == nil || code.Lang == shell.LangSh || code.From == shell.FromFile {
		return ""
	}
	return code.Text.Text
}

// codeConnectsShell looks for a socket and a shell in one short program. Each
// alone is everyday.
func (m *match) codeConnectsShell() bool {
	text := m.call.programText()
	return m.c.set.mentions("code-connects", text) && m.c.set.mentions("code-starts-shell", text)
}

// codeRunsFetched looks for text that comes from the network and a word that runs text,
// in one short program. Each alone is everyday.
func (m *match) codeRunsFetched() bool {
	text := m.call.programText()
	if !strings.Contains(text, "://") || strings.Contains(text, "://localhost") || strings.Contains(text, "://127.0.0.1") {
		return false
	}
	if m.c.set.mentions("code-runs-addresses", text) {
		return true
	}
	has := func(words ...string) bool {
		for _, s := range words {
			if strings.Contains(text, s) {
				return true
			}
		}
		return false
	}
	return has("urlopen", "urlretrieve", "requests.", "httpx.", "fetch(", "get(", "get \"", "getstore", "URI.open", "open-uri", "Net::HTTP", "file_get_contents", "curl_exec", "http.get", "https.get", "axios") &&
		has("exec(", "eval(", "eval ", "(eval)", "new Function", "system(", "require_string", "runInThisContext", "load(")
}

// codeRunsHidden looks for a word that runs text, with a decoder in what it is given:
// exec(b64decode(…)). To decode is everyday, and so is eval; nobody who means well has
// text decoded in order to run it.
func (m *match) codeRunsHidden() bool {
	const far = 256 // bytes of an argument that are looked at
	text := m.call.programText()
	for run := range m.c.set.words("code-runs-text") {
		for rest := text; ; {
			before, after, ok := strings.Cut(rest, run)
			if !ok {
				break
			}
			rest = after
			// "re.exec(s)" searches.
			if n := len(before); n > 0 && (before[n-1] == '.' || letter(before[n-1])) {
				continue
			}
			if m.c.set.mentions("code-decodes", argumentOf(after[:min(far, len(after))])) {
				return true
			}
		}
	}
	return false
}

// argumentOf cuts text at the bracket that closes the one before it, or at its line's end.
func argumentOf(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return text[:i]
			}
		case '\n', ';':
			return text[:i]
		}
	}
	return text
}

// codeNamesSecret looks for text in quotes that names a file with credentials,
// in a program that reads files at all.
func (m *match) codeNamesSecret() bool {
	text := m.call.programText()
	if text == "" {
		return false
	}
	if !m.c.set.mentions("code-reads", text) {
		return false
	}
	runs := m.c.set.mentions("code-runs", text) // text with blanks may be a command then
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b != '\'' && b != '"' && b != '`' {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != b {
			if text[end] == '\\' {
				end++ // a quote inside the text
			}
			end++
		}
		if end >= len(text) {
			return false
		}
		name, begin := text[i+1:end], i
		i = end
		if len(name) > 200 || !runs && strings.ContainsAny(name, " \t\n") {
			continue // a sentence
		}
		for word := range strings.FieldsSeq(name) {
			if len(word) >= 4 && m.c.names(word, false)&(rule.Secret|rule.Key|rule.SecretDir) != 0 && (word != name || !m.c.namesOnly(text[:begin])) {
				m.detail = word
				return true
			}
		}
	}
	return false
}

// namesOnly reports that what follows a text of a program is a name that is not read: of a file that is asked whether it is there, or that a copy
// is called.
func (c *checker) namesOnly(before string) bool {
	before = strings.TrimRight(before, " ")
	open := strings.LastIndexByte(before, '(')
	if open < 0 {
		return false
	}
	called := before[:open]
	called = called[strings.LastIndexFunc(called, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '?' })+1:]
	given := before[open+1:]
	return given == "" && c.set.In("code-asks-whether-there", called) || strings.Count(given, ",") == 1 && given[len(given)-1] == ',' && !strings.Contains(given, ")") && c.set.In("code-copies", called)
}

func (c *checker) downloads(k *call) bool { return c.set.In("downloads", k.name) }

func (c *checker) decodes(k *call) bool { return c.set.In("decodes", k.raw) }

// runsInstalled adds the file that a bare name stands for, where the line itself put
// one of that name into a folder of programs before.
func (k *call) runsInstalled(c *checker) {
	for i := range k.effects {
		if e := &k.effects[i]; e.kind == rule.Write && e.known && strings.Contains(e.text, "bin/") {
			c.installed = append(c.installed, e.text)
		}
	}
	if k.name == "" || k.prog != nil || !c.spend(len(c.installed)) {
		return
	}
	for _, file := range c.installed {
		if strings.HasSuffix(file, "bin/"+k.name) {
			k.kinds |= rule.Run
			k.effects = append(k.effects, effect{kind: rule.Run, word: &k.cmd.Args[0], text: file, known: true})
			return
		}
	}
}

// codeSendsEnvironment looks for all variables, not one by its name, in a short program
// that makes a request to another machine. In a longer one they mostly go to a program
// that it starts, which has them anyway.
func (m *match) codeSendsEnvironment() bool {
	const short = 1 << 10 // bytes
	text := m.call.programText()
	if len(text) > short || !strings.Contains(text, "http") || strings.Contains(text, "://localhost") || strings.Contains(text, "://127.") {
		return false
	}
	return m.c.set.mentions("code-requests", text) && m.c.allVariables(text)
}

// allVariables reports program text that names all variables at once, not one of them.
func (c *checker) allVariables(text string) bool {
	for all := range c.set.words("code-all-variables") {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, all)
			if !ok {
				break
			}
			if after == "" || !strings.ContainsRune(".[?\"'", rune(after[0])) || strings.HasPrefix(after, ".copy()") || strings.HasPrefix(after, ".items()") {
				return true
			}
			rest = after
		}
	}
	return false
}

// codePrintsEnvironment reports a one-line program that does what env does: node -p
// process.env. Longer ones have another purpose.
func (c *checker) codePrintsEnvironment(k *call) bool {
	const short = 200 // bytes
	text := k.programText()
	if text == "" || len(text) > short || !c.allVariables(text) {
		return false
	}
	return c.set.mentions("code-prints", text) || k.given([]string{"-p", "--print", "-pe"})
}

// codeDeletesByLibrary looks for a library and its call that deletes in one short program.
func (m *match) codeDeletesByLibrary() bool {
	text := m.call.programText()
	if text == "" {
		return false
	}
	return m.codeCalls(text, "deletes-by-library") || m.c.set.mentions("remote-libraries", text) && m.c.set.deletesByMethod(text)
}

// codeCalls reports a library and a call of it that stand together in a row of a group.
func (m *match) codeCalls(text, group string) bool {
	for words := range m.c.set.words(group) {
		if library, call, _ := strings.Cut(words, " "); strings.Contains(text, library) && strings.Contains(text, call) {
			m.detail = words
			return true
		}
	}
	return false
}

// deletesByMethod reports a call of a method whose name says by its first word that something goes: .delete_index(, .destroyAll(, .del(.
func (s *Set) deletesByMethod(text string) bool {
	for rest := text; ; {
		_, behind, ok := strings.Cut(rest, ".")
		if !ok {
			return false
		}
		rest = behind
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end <= 0 || !strings.HasPrefix(rest[end:], "(") && !strings.HasPrefix(rest[end:], "!") && !strings.HasPrefix(rest[end:], " ") {
			continue
		}
		verb := rest[:end]
		if i := strings.IndexFunc(verb, func(r rune) bool { return r == '_' || unicode.IsUpper(r) }); i > 0 {
			verb = verb[:i]
		}
		if s.In("methods-that-delete", verb) {
			return true
		}
	}
}
