package handle

import (
	"strconv"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/receipt"
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

// failedCommand writes down that a build or tests failed, by what the line ran (rules/journal/commands.toml). A command that
// a person stopped has not failed.
func (h *Handlers) failedCommand(e *hook.Event) bool {
	if e.Name != "PostToolUseFailure" || h.Tables.Risks == nil || events.IsInterrupt(e) {
		return false
	}
	line := events.ToolInput(e).Get("command").Text()
	list, _ := h.endedRuns(e)
	command, code := h.head(line), exitCode(events.Error(e))
	if neverRan(events.Error(e), code) || h.couldNotBegin(e) {
		return false
	}
	noted := false
	for _, r := range list {
		h.learnRun(e, r, command)
		switch {
		case r.Well:
			continue
		case r.Kind == receipt.Test:
			h.note(e, term.OneLine(command, promptRunes), types.TestFailed{Command: command, ExitCode: code, Others: r.Others})
		default:
			h.note(e, term.OneLine(command, promptRunes), types.BuildFailed{Command: command, ExitCode: code, Others: r.Others})
		}
		noted = true
	}
	return noted
}

// learnRun notes for the session how tests or a build ended.
func (h *Handlers) learnRun(e *hook.Event, r run, command string) {
	at, words := h.now().UTC(), term.Clip(term.OneLine(command, promptRunes), promptWords)
	h.learn(e, func(s *session.Session) {
		if r.Kind == receipt.Test {
			s.Tested(words, r.Well, at)
		} else {
			s.Builds(words, r.Well, at)
		}
	})
}

// ranWell notes for the session how the tests and builds of a line ended that ended well itself, where that tells.
func (h *Handlers) ranWell(e *hook.Event) {
	in := events.ToolInput(e)
	if h.Tables.Risks == nil || !h.Tables.Risks.RunsCommand(e.ToolName) || in.Get("run_in_background").Bool() || events.ToolResponse(e).Get("interrupted").Bool() {
		return
	}
	list, _ := h.endedRuns(e)
	for _, r := range list {
		h.learnRun(e, r, h.head(in.Get("command").Text()))
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
