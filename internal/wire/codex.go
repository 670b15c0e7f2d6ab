package wire

import "github.com/modu-ai/moai/internal/rule"

// codex answers Codex CLI. Its schemas are closed: with one key that it does not know, or an "ask", it takes the whole answer for a failure and runs the command.
// Exit code 2 with a reason on standard error stops it whatever stands on standard output, and is the same for all its events that can be stopped.
func codex(asks *rule.Asks, s saying) Output {
	if s.refused {
		return Output{Stderr: []byte(s.reason + "\n"), Exit: exitRefused}
	}
	return beside(asks, s).output()
}

// beside is what is said beside a decision, in the form that Claude Code and those who copied it have.
func beside(asks *rule.Asks, s saying) *claudeAnswer {
	w := claudeAnswer{SystemMessage: s.tell}
	if s.context != "" {
		w.Specific = map[string]any{"hookEventName": asks.As[0], "additionalContext": s.context}
	}
	return &w
}

// output prints nothing where there is nothing to say.
func (w *claudeAnswer) output() Output {
	if !w.says() {
		return Output{}
	}
	return Output{Stdout: marshal(w, func() { w.Specific = nil })}
}
