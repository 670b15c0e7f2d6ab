package settings

import (
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

// An entry belongs to moai when the program it runs is a file called moai and
// the first argument is "hook". The path does not matter: an older
// installation, another user's, a bare name on PATH are all ours to replace.
// Wrapped calls (timeout 5 moai hook …) are somebody's own arrangement and not
// recognised, but for the one that moai itself writes.

// portableTest stands before the call in a file that other people get, too: where moai is not installed the hook is over
// before it began, without an error that the client would show for every call. (A program that is missing is one, seen
// on Claude Code 2.1.329 and 2.1.330.)
const portableTest = "command -v moai >/dev/null 2>&1 || exit 0; exec "

// portable is the shell text that calls moai wherever it is on PATH. It is for POSIX shells, so on Windows for Git Bash.
// The shell becomes moai, so that the exit code, standard input and signals of the client are moai's own.
func portable(args []string) string { return portableTest + "moai " + strings.Join(args, " ") }

// unwrapped is the call that a test like portableTest stands before, or the text itself.
func unwrapped(command string) string {
	test, call, ok := strings.Cut(command, "; exec ")
	if words := shellWords(test); ok && len(words) > 2 && words[0] == "command" && words[1] == "-v" && isMoai(words[2]) {
		return call
	}
	return command
}

// call is what an entry of moai runs.
type call struct {
	program string
	args    []string
	shell   string // the whole command in shell form
}

// byName reports a call of the moai on PATH, and of nothing beside it.
func (c *call) byName() bool {
	plain := Entry{Program: c.program, Args: c.args, Shell: c.shell}
	return plain.Plain() && !strings.ContainsAny(c.program, `/\`)
}

// ownCall reads one hook entry; ok is false for entries of others.
func ownCall(v *hujson.Value) (c call, ok bool) {
	obj, is := v.Value.(*hujson.Object)
	if !is {
		return c, false
	}
	// Without a type the client ignores an entry; it is still ours to mend.
	if t := member(obj, "type"); t != nil && text(t) != "command" {
		return c, false
	}
	command := text(member(obj, "command"))
	if args := member(obj, "args"); args != nil {
		c.program = command
		if c.args, ok = stringList(args); !ok {
			return c, false
		}
	} else {
		words := shellWords(unwrapped(command))
		if len(words) == 0 {
			return c, false
		}
		c.program, c.args, c.shell = words[0], words[1:], command
	}
	return c, isMoai(c.program) && len(c.args) > 0 && c.args[0] == "hook"
}

// isMoai looks at the last part of a path of any system.
func isMoai(program string) bool {
	base := program[strings.LastIndexAny(program, `/\`)+1:]
	return base == "moai" || strings.EqualFold(base, "moai.exe")
}

// absolute accepts the absolute paths of every system, so that a plan can be
// made and tested anywhere.
func absolute(program string) bool {
	if filepath.IsAbs(program) || strings.HasPrefix(program, "/") || strings.HasPrefix(program, `\\`) {
		return true
	}
	return len(program) > 2 && program[1] == ':' && (program[2] == '\\' || program[2] == '/')
}

// shellWords splits simple shell text into words, which is enough to tell
// whose entry it is. It stops at anything that ends a simple command. A
// backslash is kept as a character when a letter follows: C:\bin\moai.exe.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	flush := func() {
		if open {
			words = append(words, word.String())
			word.Reset()
			open = false
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			open, quote = true, c
		case c == ' ' || c == '\t':
			flush()
		case strings.IndexByte(";&|<>()\n", c) >= 0:
			flush()
			return words
		case c == '\\' && i+1 < len(line) && !isLetter(line[i+1]):
			i++
			open = true
			word.WriteByte(line[i])
		default:
			open = true
			word.WriteByte(c)
		}
	}
	flush()
	return words
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }
