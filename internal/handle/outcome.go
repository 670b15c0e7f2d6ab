package handle

import (
	"strconv"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// failedCommand writes down that a build or tests failed, by what the line would run (rules/journal/commands.toml). A command that
// a person stopped has not failed.
func (h *Handlers) failedCommand(e *hook.Event) bool {
	if e.Name != "PostToolUseFailure" || h.Tables.Risks == nil || events.IsInterrupt(e) {
		return false
	}
	line := events.ToolInput(e).Get("command").Text()
	kind, others := risk.Last(h.Tables.Risks.Ran(line, e.CWD, h.Home, h.Tables.Commands))
	var names []string
	for _, o := range others {
		names = append(names, o.Program)
	}
	command, code := h.head(line), exitCode(events.Error(e))
	summary := term.OneLine(command, promptRunes)
	switch kind {
	case types.TestFailed{}.Entry().Name:
		h.note(e, summary, types.TestFailed{Command: command, ExitCode: code, Others: names})
	case types.BuildFailed{}.Entry().Name:
		h.note(e, summary, types.BuildFailed{Command: command, ExitCode: code, Others: names})
	default:
		return false
	}
	return true
}

// exitCode is the number in the first line of what the client says went wrong.
func exitCode(text string) *int {
	line, _, _ := strings.Cut(text, "\n")
	word := line[strings.LastIndexByte(line, ' ')+1:]
	if n, err := strconv.Atoi(word); err == nil {
		return &n
	}
	return nil
}
