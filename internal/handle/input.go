package handle

import (
	"errors"
	"fmt"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// ErrShapeless says that a call has no shape of which the guard knows what it would do. The model fills that in, so it is no failure of
// moai's: a person is asked.
var ErrShapeless = errors.New("what it would do cannot be judged")

// Unjudged says why the guard can have no opinion on a call: the input does not say which
// tool is called, or with what. It is nil where it does, and for events that nothing is
// judged for. Whether such a call passes is the caller's to decide: silence would say that
// it was looked at.
func Unjudged(rules *risk.Set, e *hook.Event) error {
	if !e.Known && e.ToolName != "" && events.ToolInput(e).Present() && !e.Raw("tool_response").Present() {
		return fmt.Errorf("hook: %q is no event that is known, and it comes with a call of %s", term.Clip(e.Name, 60), term.Clip(e.ToolName, 60))
	}
	if e.Name != "PreToolUse" {
		return nil
	}
	if e.ToolName == "" {
		if name := e.Raw("tool_name"); name.Present() && !name.IsText() {
			return errors.New("hook: tool_name is not a text")
		}
		return errors.New("hook: the input names no tool")
	}
	input := events.ToolInput(e)
	switch {
	case !input.Present():
		return shapeless("hook: the input has no tool_input for %s", e.ToolName)
	case !input.IsObject():
		return shapeless("hook: tool_input of %s is not an object", e.ToolName)
	}
	command := input.Get("command")
	switch {
	case rules.RunsCommand(e.ToolName):
		if !isLine(command) {
			return shapeless("hook: tool_input of %s has no command line", e.ToolName)
		}
	}
	keys, _ := rules.Writes(e.ToolName)
	for _, key := range keys {
		if v := input.Get(key); v.Present() && !v.IsText() {
			return shapeless("hook: %s of %s is not a text", key, e.ToolName)
		}
	}
	return nil
}

// shapeless is an ErrShapeless with words of its own.
func shapeless(format string, of ...any) error {
	return fmt.Errorf("%w: %w", fmt.Errorf(format, of...), ErrShapeless)
}

// isLine reports a command line: a text, or a list of the words of one.
func isLine(v hook.Value) bool {
	if v.IsText() {
		return true
	}
	words := 0
	for w := range v.Items() {
		if !w.IsText() {
			return false
		}
		words++
	}
	return words > 0
}
