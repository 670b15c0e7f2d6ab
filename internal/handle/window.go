package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// windows is the folder of what was said about the windows of sessions.
const windows = "window"

// lookEvery is how often the end of a transcript is read.
const lookEvery = 30 * time.Second

// remindSpan is the time within which calls are counted for a reminder.
const remindSpan = 10 * time.Minute

// filled is what a session was told of its window: 0 nothing, 1 that it fills, 2 that it is nearly full.
type filled struct {
	Level int `json:"level"`
}

// window tells the model once when its window fills up, and reminds it of what is easily forgotten. Mostly it costs a look at one small file.
func (h *Handlers) window(_ context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || h.Tables.Quality == nil || events.AgentID(e) != "" {
		return hook.Answer{}, nil
	}
	a := h.remindCall(e)
	path := state.File(filepath.Join(h.StateDir, windows), e.SessionID)
	transcript := events.TranscriptPath(e)
	if st, err := disk.At(path); transcript == "" || err == nil && h.now().Sub(st.Modified()) < lookEvery {
		return a, nil
	}
	main := monitor.ReadMain(transcript)
	size := monitor.WindowOf(h.Tables.Quality.Windows, main.Model, main.Tokens)
	level := h.levelOf(main.Tokens, size)
	var was filled
	state.Read(path, sessionTTL, &was)
	if err := state.Write(path, &filled{level}); err != nil {
		h.Log.Warn("window not noted", "err", err)
		return a, nil // it would be said again and again
	}
	if level > was.Level {
		a.Merge(h.tellWindow(e, main.Tokens, size, level))
	}
	a.Merge(h.remindCalls(e, &main))
	return a, nil
}

func fitsAny(patterns []string, name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := doublestar.Match(p, name)
		return err == nil && ok
	})
}

// usualWindow is the one that the defaults are about.
const usualWindow = 200_000

// levelOf is what a number of tokens comes to. Numbers that somebody has set count as they are.
func (h *Handlers) levelOf(tokens, size int) (level int) {
	for i, key := range [...]string{"context.warn_tokens", "context.danger_tokens"} {
		most := h.Config.Int(key)
		if h.Config.Origin(key) == "default" {
			most = most / 1000 * (size / 1000) / (usualWindow / 1000) * 1000
		}
		if most > 0 && tokens >= most {
			level = i + 1
		}
	}
	return level
}

// tellWindow says how full the window is.
func (h *Handlers) tellWindow(e *hook.Event, tokens, size, level int) hook.Answer {
	text := fmt.Sprintf("the context holds about %d,000 tokens, %d %% of what the model takes in", tokens/1000, min(tokens*100/size, 100))
	if level == 1 {
		return hook.Answer{Context: []string{"moai: " + text + ". Keep answers and what you read short, and leave searches to sub-agents."}}
	}
	h.note(e, text, types.ContextOverflow{TokensUsed: tokens, TokenBudget: size})
	return hook.Answer{
		Context: []string{"moai: " + text + ": it will be summarised soon. Finish the step that you are at, and write down what must not be lost."},
		System:  "moai: " + text + " (/compact)",
	}
}

// reminders are those that are switched on.
func (h *Handlers) reminders(each func(*rule.Reminder) bool) hook.Answer {
	on := h.Config.Names("quality.reminders")
	for i := range h.Tables.Quality.Reminders {
		if r := &h.Tables.Quality.Reminders[i]; slices.Contains(on, r.ID) && each(r) {
			return hook.Answer{Context: []string{"moai: " + r.Text}}
		}
	}
	return hook.Answer{}
}

// remindCall reminds of what a call itself calls for: a file that people read about, or an answer that is none.
func (h *Handlers) remindCall(e *hook.Event) hook.Answer {
	if e.Name != "PostToolUse" {
		return hook.Answer{}
	}
	var files []string
	if h.writes(e.ToolName) {
		for _, path := range h.written(e) {
			files = append(files, relative(root(e), path))
		}
	}
	return h.reminders(func(r *rule.Reminder) bool {
		if slices.Contains(r.Answers, e.ToolName) {
			return emptyAnswer(e)
		}
		return slices.ContainsFunc(files, func(f string) bool { return fitsAny(r.Files, f) }) && h.firstTime(e, "reminder:"+r.ID)
	})
}

// remindCalls reminds of what many calls call for.
func (h *Handlers) remindCalls(e *hook.Event, main *monitor.Main) hook.Answer {
	since := h.now().Add(-remindSpan)
	return h.reminders(func(r *rule.Reminder) bool {
		return slices.ContainsFunc(r.Calls, func(c rule.Calls) bool {
			is := func(tool string) bool { return slices.Contains(c.Tools, tool) }
			until := func(tool string) bool { return slices.Contains(r.Until, tool) }
			return main.Since(since, is, until) >= c.Most
		}) && h.firstTime(e, "reminder:"+r.ID)
	})
}

// emptyAnswer reports a result without a word in it.
func emptyAnswer(e *hook.Event) bool {
	out := events.ToolResponse(e)
	if out.IsText() {
		return strings.TrimSpace(out.Text()) == ""
	}
	content := out.Get("content")
	if out.Get("isAsync").Bool() || !content.Present() {
		return false
	}
	for part := range content.Items() {
		if strings.TrimSpace(part.Get("text").Text()) != "" {
			return false
		}
	}
	return strings.TrimSpace(term.Plain(content.Text())) == ""
}
