package handle

import (
	"strconv"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// stoppedTool writes down that a person stopped a call, or said no to it.
func (h *Handlers) stoppedTool(e *hook.Event) bool {
	if e.Name != "PostToolUseFailure" || !events.IsInterrupt(e) {
		return false
	}
	h.note(e, e.ToolName+" was stopped by a person", types.ToolStopped{ToolName: e.ToolName, ToolUseID: events.ToolUseID(e)})
	return true
}

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
	if neverRan(events.Error(e), code) || h.couldNotBegin(e) {
		return false
	}
	summary := term.OneLine(command, promptRunes)
	switch kind {
	case types.TestFailed{}.Entry().Name:
		at := h.now().UTC()
		h.learn(e, func(s *session.Session) { s.Tested(term.Clip(summary, promptWords), false, at) })
		h.note(e, summary, types.TestFailed{Command: command, ExitCode: code, Others: names})
	case types.BuildFailed{}.Entry().Name:
		at := h.now().UTC()
		h.learn(e, func(s *session.Session) { s.Builds(term.Clip(summary, promptWords), false, at) })
		h.note(e, summary, types.BuildFailed{Command: command, ExitCode: code, Others: names})
	default:
		return false
	}
	return true
}

// ranWell notes for the session that tests or a build passed: a line that ended well, and ran them last. Of a line that may end well
// without them (pipes, alternatives, conditions, the background) nobody knows.
func (h *Handlers) ranWell(e *hook.Event) {
	in := events.ToolInput(e)
	if h.Tables.Risks == nil || !h.Tables.Risks.RunsCommand(e.ToolName) || in.Get("run_in_background").Bool() || events.ToolResponse(e).Get("interrupted").Bool() {
		return
	}
	line := in.Get("command").Text()
	if !endsWithLast(line) {
		return
	}
	lines := h.Tables.Risks.Lines(line, e.CWD, h.Home)
	if len(lines) == 0 {
		return
	}
	for i := range h.Tables.Commands {
		c := &h.Tables.Commands[i]
		if !argv.Runs(c.Programs, lines[len(lines)-1]) {
			continue
		}
		at, command := h.now().UTC(), term.Clip(term.OneLine(h.head(line), promptRunes), promptWords)
		switch c.Type {
		case types.TestFailed{}.Entry().Name:
			h.learn(e, func(s *session.Session) { s.Tested(command, true, at) })
		case types.BuildFailed{}.Entry().Name:
			h.learn(e, func(s *session.Session) { s.Builds(command, true, at) })
		}
		return
	}
}

// neverRan reports a failure that says that a program is missing, or cannot be started: nothing was built or tested. Shells end
// with such a code, and GNU make says it of the shells that it starts.
func neverRan(text string, code *int) bool {
	const noProgram, cannotStart, cmdNoProgram = 127, 126, 9009
	for _, n := range [...]int{noProgram, cannotStart, cmdNoProgram} {
		if code != nil && *code == n || strings.Contains(text+"\n", " Error "+strconv.Itoa(n)+"\n") {
			return true
		}
	}
	return false
}

// couldNotBegin reports a failure whose words say that nothing could be run.
func (h *Handlers) couldNotBegin(e *hook.Event) bool {
	if h.Tables.Quality == nil {
		return false
	}
	out := receipt.NewOutput(&h.Tables.Quality.Tests)
	_, _ = out.Write([]byte(events.Error(e)))
	return out.CouldNotBegin(root(e))
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
