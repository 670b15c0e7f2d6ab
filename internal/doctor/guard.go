package doctor

import (
	"cmp"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/wire"
)

// worst is a command that every mode but off and warn stops. It is only asked
// about: nothing runs it.
const worst = "rm -rf /"

// unstopped is what is said of a guard that lets it pass.
const unstopped = "`" + worst + "` would not be stopped"

// mend is what to type where the guard answers and stops nothing: moai is registered well, so registering it again would mend nothing.
func (e *Env) mend() string { return cmp.Or(e.Mend, "moai config list") }

// worstTool is the tool that runs it in a sample.
const worstTool = "Bash"

// guard asks the registered command about the worst there is. A guard that
// fails does so silently, and the client lets the call pass.
func guard(e *Env) Result {
	known := e.Tables.Event("PreToolUse")
	narrowed := false
	for _, reg := range e.entries {
		if reg.Event != "PreToolUse" || known == nil || reg.skipped || reg.ByName && !e.found(reg) {
			continue
		}
		if !settings.Fits(reg.Matcher, worstTool) {
			narrowed = true
			continue
		}
		argv, limit, why := e.commandLine(reg)
		if argv == nil {
			return Result{Status: Warn, Detail: "not tried: " + why, Fix: reg.file.Init}
		}
		payload := sample(known, e.Common, e.Project, map[string]any{"tool_input": map[string]any{"command": worst}})
		out, err := start(argv, e.hookEnviron(), e.Project, payload, limit)
		switch {
		case err != nil:
			return Result{Status: Fail, Detail: "cannot be asked: " + plain(err), Fix: reg.file.Init}
		// An answer that the client throws away stops nothing, whatever it says.
		case wire.Validate(known, out.Output) != nil || !refused(out):
			return Result{Status: Warn, Detail: unstopped, Fix: e.mend()}
		}
		return Result{Detail: "`" + worst + "` would be stopped, in " + out.took.Round(100*time.Microsecond).String()}
	}
	if narrowed {
		return Result{Status: Fail, Detail: "no matcher fits " + worstTool + ", so its commands are not guarded", Fix: "moai init"}
	}
	if len(e.entries) == 0 && e.registeredElsewhere() {
		return Result{Detail: "of other agents alone: see agents"}
	}
	return Result{Status: Fail, Detail: "nothing that could answer is registered before tools, so nothing is guarded", Fix: "moai init"}
}

// refused reports whether an output stops the call. With exit code 2 it does
// whatever its JSON says.
func refused(out ended) bool {
	if out.Exit == 2 {
		return true
	}
	value, err := hook.Parse(string(out.Stdout))
	return err == nil && value.Get("hookSpecificOutput").Get("permissionDecision").Text() == "deny"
}
