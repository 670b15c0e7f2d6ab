package wire

import "github.com/modu-ai/moai/internal/rule"

// gemini answers Gemini CLI, which decides by a decision at the top of the object. An object makes the exit code meaningless, and without one any text with
// a code from 2 up is a refusal, which is left for a standard output that nobody reads.
func gemini(asks *rule.Asks, s saying) Output {
	w := beside(asks, s)
	var unheard []byte
	switch {
	case s.refused:
		w.Decision, w.Reason = "deny", s.reason
		unheard = []byte(s.reason + "\n")
	case s.asked:
		// Its dialog shows the message and not the reason.
		w.Decision, w.Reason, w.SystemMessage = "ask", s.reason, lines([]string{s.reason, s.tell})
		unheard = []byte(s.reason + "\n")
	}
	out := w.output()
	out.Unheard = unheard
	return out
}
