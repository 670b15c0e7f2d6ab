package handle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/verify"
)

// Nobody tells the end of a call that its user refused or stopped, or whose client was killed. What it changed is told at the end of the next turn,
// as far as it can be the call's: what was written just after it began, and what its words name. Anything else may be a person's. The client's
// conversation tells which of them were refused, and so never ran.

// maxUnended is how many of them are looked into: the last ones, each by a look at the work tree. Of earlier ones the list says "untold files".
const maxUnended = 8

// unended notes what such calls of the session changed. What still runs tells of its own end.
func (h *Handlers) unended(ctx context.Context, e *hook.Event) {
	for range e.Raw("background_tasks").Items() {
		return
	}
	list, never := verify.Unended(h.StateDir, e.SessionID), NeverRan(events.TranscriptPath(e))
	list = slices.DeleteFunc(list, func(p *verify.Picture) bool { return !p.Call.Ended && never(p.Call.Agent, p.Call.Key) })
	if len(list) > maxUnended { // of those whose end was told, the latest will do
		first := list[len(list)-maxUnended].At
		list = slices.DeleteFunc(list, func(p *verify.Picture) bool { return p.Call.Ended && p.At.Before(first) })
	}
	if more := len(list) - maxUnended; more > 0 {
		last := list[more-1]
		h.work(e, func(s *verify.State) bool {
			return s.Changed(verify.Edit{Path: last.Tree, Sum: fmt.Sprintf("%d calls without an end", more), Turn: h.who(e).Turn.Number, At: h.now().UTC(), Tool: last.Call.Tool, Command: true, Untold: true})
		})
		list = list[more:]
	}
	for _, before := range list {
		named := h.Tables.Risks.Alters(before.Call.Command, before.Call.Dir, h.Home).Files
		if !h.Tables.Risks.RunsCommand(before.Call.Tool) {
			named = nil
		}
		one := *e
		one.CWD = before.Call.Dir
		h.changedSince(ctx, &one, before, func(path string) bool {
			fi, err := os.Lstat(path)
			switch {
			case err != nil: // gone: by a command that names it, or by somebody else
				return amongNamed(named, path)
			case fi.ModTime().Before(before.At.Add(-tick)):
				return false
			}
			return !fi.ModTime().After(before.At.Add(undo.Soon)) || amongNamed(named, path)
		})
	}
}

// NeverRan tells which calls of a session never ran, by its conversation and those of its sub-agents, each of which is read once and only if it is asked
// for. Calls are known by their keys.
func NeverRan(transcript string) func(agent, key string) bool {
	known := map[string]map[string]bool{}
	return func(agent, key string) bool {
		if _, read := known[agent]; !read {
			path := transcript
			if agent != "" {
				path = monitor.TranscriptOf(transcript, agent)
			}
			known[agent] = map[string]bool{}
			for _, id := range monitor.NeverRan(path) {
				known[agent][keyOf(id)] = true
			}
		}
		return known[agent][key]
	}
}

// amongNamed reports a path that is one of a list, or lies in a folder of it.
func amongNamed(list []string, path string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		return path == filepath.Clean(one) || strings.HasPrefix(path, filepath.Clean(one)+string(filepath.Separator))
	})
}

// toolOf is the tool of a call, at the end of a turn the one that a picture was taken before.
func toolOf(e *hook.Event, before *verify.Picture) string {
	if e.ToolName == "" && before != nil && before.Call != nil {
		return before.Call.Tool
	}
	return e.ToolName
}
