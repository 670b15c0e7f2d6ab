package wire

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// Validate compares what a hook process left behind with what the claude dialect allows for an event. It names the first thing
// that would make a client discard the answer, or misread it. Anything but an answer of moai's own may be tried: moai doctor
// does so with what a registered command prints.
func Validate(known *rule.Event, out Output) error {
	if out.Exit < exitDone || out.Exit > exitRefused {
		return fmt.Errorf("exit code %d: want 0, 1 or 2", out.Exit)
	}
	if out.Exit == exitRefused && len(out.Stderr) == 0 {
		return errors.New("exit code 2 without a reason on stderr")
	}
	if known.Answer.Stdout == "path" && len(out.Stdout) > 0 && out.Stdout[0] != '{' {
		return nil
	}
	// Nothing at all is an answer, too: no objection.
	members, err := hook.Members(string(out.Stdout), nil)
	if err != nil {
		return fmt.Errorf("stdout is not one JSON object: %w", err)
	}
	v := validator{can: &known.Answer, event: known.Name}
	for _, m := range members {
		if err := v.top(m); err != nil {
			return err
		}
	}
	if v.refused && out.Exit != exitRefused && (known.Answer.Exit2 == "stops" || known.Answer.Exit2 == "feedback") {
		return errors.New("a refusal without exit code 2")
	}
	return nil
}

type validator struct {
	can     *rule.EventAnswer
	event   string
	refused bool
}

func (v *validator) top(m hook.Member) error {
	switch m.Name {
	case "continue", "suppressOutput":
		if m.Value != "true" && m.Value != "false" {
			return fmt.Errorf("%s: want true or false, have %s", m.Name, m.Value)
		}
	// Texts of any event: one that has no use for them drops them alone.
	case "stopReason", "systemMessage", "reason", "terminalSequence":
		return short(m)
	case "decision":
		if d := m.Value.Text(); d != "approve" && d != "block" {
			return fmt.Errorf("decision: want approve or block, have %s", m.Value)
		}
		if !slices.Contains(v.can.Top, "decision") {
			return fmt.Errorf("decision: %s takes none", v.event)
		}
		v.refused = v.refused || m.Value.Text() == "block"
	case "hookSpecificOutput":
		return v.specific(m.Value)
	default:
		return fmt.Errorf("%s: not a key of this dialect", m.Name)
	}
	return nil
}

func (v *validator) specific(o hook.Value) error {
	if !v.can.Specific {
		return fmt.Errorf("hookSpecificOutput: %s takes none", v.event)
	}
	// With another event's name the client drops the whole answer, the refusal with it.
	if name := o.Get("hookEventName").Text(); name != v.event {
		return fmt.Errorf("hookSpecificOutput.hookEventName: want %s, have %q", v.event, name)
	}
	for name, value := range o.Members() {
		switch {
		case name == "hookEventName":
		case name == "additionalContext" && v.can.Context == "model",
			name == "permissionDecisionReason" && v.can.Refuse == rule.RefusePermission:
			if err := short(hook.Member{Name: name, Value: value}); err != nil {
				return err
			}
		case name == "permissionDecision" && v.can.Refuse == rule.RefusePermission:
			if !slices.Contains([]string{"allow", "deny", "ask", "defer"}, value.Text()) {
				return fmt.Errorf("permissionDecision: want allow, deny, ask or defer, have %s", value)
			}
			v.refused = v.refused || value.Text() == "deny"
		case !slices.Contains(v.can.Keys, name):
			return fmt.Errorf("hookSpecificOutput.%s: %s does not act on it", name, v.event)
		}
	}
	return nil
}

// short wants a text that reaches the model or the user whole.
func short(m hook.Member) error {
	if !m.Value.IsText() {
		return fmt.Errorf("%s: want a text, have %s", m.Name, m.Value)
	}
	if n := len(utf16.Encode([]rune(m.Value.Text()))); n > maxText {
		return fmt.Errorf("%s: %d characters, of which the client shows the first 2 KB; the limit is %d", m.Name, n, maxText)
	}
	return nil
}
