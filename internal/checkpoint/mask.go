package checkpoint

import (
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// maxCommand is how much of a command a message and the log keep, in letters.
const maxCommand = 500

// line is a command as a message and the log keep it, since others read them: without its secrets, on one line. Without a function
// that hides them it is the program alone.
func line(cmd string, mask func(string) string) string {
	if mask == nil {
		cmd, _, _ = strings.Cut(strings.TrimSpace(cmd), " ")
	} else {
		cmd = mask(cmd)
	}
	return term.OneLine(strings.ToValidUTF8(cmd, "\uFFFD"), maxCommand)
}

// note is what a person says about a checkpoint, without secrets.
func note(message string, mask func(string) string) string {
	if mask != nil {
		message = mask(message)
	}
	return strings.TrimSpace(message)
}
