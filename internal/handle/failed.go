package handle

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/near"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// Bounds of what is said about an edit that failed: six lines, and no text that is longer than what it saves.
const (
	mostOffered = 1500
	mostFile    = 1 << 20
)

// failedEdit tells the model why its text is not in the file, and what is: the client says no more than that it was not found. Clients of today refuse such an
// edit before any other hook hears of it, and name it among the calls of an answer.
func (h *Handlers) failedEdit(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.Name == "PostToolBatch" {
		return h.failedEdits(ctx, e)
	}
	if h.Tables.Risks == nil || !h.writes(e.ToolName) || e.Name == "PostToolUse" && !refusedEdit(e) || events.IsInterrupt(e) {
		return hook.Answer{}, nil
	}
	in := events.ToolInput(e)
	paths := h.written(e)
	if len(paths) != 1 || h.Tables.Risks.Sensitive(paths[0]) {
		return hook.Answer{}, nil
	}
	olds := []string{in.Get("old_string").Text()}
	for edit := range in.Get("edits").Items() {
		olds = append(olds, edit.Get("old_string").Text())
	}
	path := absolute(e, paths[0])
	file, _, err := disk.ReadFile(path, mostFile)
	if err != nil {
		return hook.Answer{}, nil
	}
	for _, old := range olds {
		if found := near.Look(file, old); old != "" && found != nil {
			text := h.foundText(found) + h.changedBy(e, path)
			return hook.Answer{Context: []string{"moai: old_string is not in " + term.Name(relative(root(e), path)) + " as it is given. " + text}}, nil
		}
	}
	if by := h.changedBy(e, path); by != "" && olds[0] != "" && !strings.Contains(string(file), olds[0]) {
		return hook.Answer{Context: []string{"moai: old_string is not in " + term.Name(relative(root(e), path)) + "." + by + "\nRead the file again."}}, nil
	}
	return hook.Answer{}, nil
}

// failedEdits does so for the calls of one answer of the model's.
func (h *Handlers) failedEdits(ctx context.Context, e *hook.Event) (a hook.Answer, err error) {
	for call := range events.ToolCalls(e).Items() {
		one := *e
		one.Name, one.ToolName = "PostToolUse", call.Get("tool_name").Text()
		one.SetFields([]hook.Member{{Name: "tool_input", Value: call.Get("tool_input")}, {Name: "tool_response", Value: call.Get("tool_response")}})
		said, _ := h.failedEdit(ctx, &one)
		a.Merge(said)
	}
	return a, nil
}

// refusedEdit reports a call that older clients tell of as one that ran, with the error as its result.
func refusedEdit(e *hook.Event) bool {
	out := events.ToolResponse(e)
	return out.IsText() && strings.Contains(strings.ToLower(out.Text()), "error") || out.Get("is_error").Bool() || out.Get("error").Present()
}

// foundText says what stands in the file.
func (h *Handlers) foundText(f *near.Found) string {
	mask := func(s string) string { return term.Clip(h.rules().Mask(s), promptRunes) }
	switch {
	case len(f.Others) > 0:
		var at []string
		for _, line := range f.Others {
			at = append(at, strconv.Itoa(line))
		}
		return "It begins at lines " + strings.Join(at, ", ") + ": add a line above or below that tells them apart, or set replace_all."
	case f.Cause != "":
		text := fmt.Sprintf("It stands in %s with other %s.", linesOf(f), f.Cause)
		if strings.HasPrefix(f.Cause, "the numbers") {
			text = fmt.Sprintf("It stands in %s without %s.", linesOf(f), f.Cause)
		}
		// Tools that edit read CRLF as one line end, whatever the file has.
		if offered := spelled(strings.ReplaceAll(f.Text, "\r\n", "\n")); len(offered) <= mostOffered && h.rules().Mask(f.Text) == f.Text {
			return text + " The file's own text, with \\t, \\n and \\u for what is not seen, is an old_string that fits:\n" + offered
		}
		return text + " Read these lines again and copy them."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Most like it: %s, where this differs:", linesOf(f))
	for _, d := range f.Differ {
		fmt.Fprintf(&b, "\nline %d of the file: %s\n  old_string: %s", d.Line, strconv.Quote(mask(d.File)), strconv.Quote(mask(d.Old)))
	}
	return b.String()
}

// spelled is a text as a model can write it: marks and the parts of composed letters are written by their numbers, since they are written as one letter
// otherwise.
func spelled(text string) string {
	var b strings.Builder
	for _, r := range strconv.Quote(text) {
		if unicode.Is(unicode.Mn, r) || r >= 0x1100 && r <= 0x11ff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func linesOf(f *near.Found) string {
	if f.From == f.To {
		return "line " + strconv.Itoa(f.From)
	}
	return fmt.Sprintf("lines %d to %d", f.From, f.To)
}

// changedBy says who else has changed a file lately, "" for nobody.
func (h *Handlers) changedBy(e *hook.Event, path string) string {
	now := h.now().UTC()
	since := now.Add(-time.Hour)
	if e.SessionID == "" || session.Alone(h.StateDir, e.SessionID, since) {
		return ""
	}
	by, last := session.Wrote(session.Lately(h.StateDir, e.SessionID, since, now), h.hidePath(disk.Real(path)), since)
	if len(by) == 0 {
		return ""
	}
	return fmt.Sprintf("\nAnother session changed this file %s (%s).", agoOf(now.Sub(last.At)), called(by[0]))
}
