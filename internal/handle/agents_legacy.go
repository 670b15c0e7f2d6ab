package handle

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// The files that agents' scripts of old read, in the client's folder of the user. moai reads none of them: what it knows itself is in
// the journal and in the state of each session. One lock is for all of them, in moai's own folder.
const (
	legacyLog      = "agent-usage.log"
	legacyDetails  = "agent-usage-detailed.jsonl"
	legacyStats    = "agent-usage-stats.json"
	legacyPending  = "agent-pending.json"
	legacyPipeline = "pipeline-state.json"
	legacyLoop     = "ralph-state.json"
	legacyContext  = "context-state.json"

	maxLegacy = 16 << 20 // of a log; then it begins anew, and one old one stays
)

type legacyCount struct {
	Count   int   `json:"count"`
	Failed  int   `json:"failed"`
	Empty   int   `json:"empty"`
	TotalMS int64 `json:"totalMs"`
	MeanMS  int64 `json:"meanMs"`
}

type legacyCall struct {
	Agent   string    `json:"agent"`
	Prompt  string    `json:"prompt,omitempty"`
	Session string    `json:"sessionId"`
	Began   time.Time `json:"startedAt"`
}

// ofOld says whose a state is. What the state is of stays beside it, in names that scripts of old know.
type ofOld struct {
	Session string    `json:"sessionId"`
	Dir     string    `json:"cwd"`
	At      time.Time `json:"timestamp"`
}

type loopOfOld struct {
	ofOld
	Active bool      `json:"active"`
	Round  int       `json:"iteration"`
	Max    int       `json:"maxIterations"`
	Words  string    `json:"prompt"`
	Marker string    `json:"completionMarker"`
	Began  time.Time `json:"startedAt"`
	How    string    `json:"ended,omitempty"`
}

type contextOfOld struct {
	ofOld
	Tokens int      `json:"documentTokens"`
	Docs   []string `json:"documents"`
}

// legacy changes these files, where the user wants them.
func (h *Handlers) legacy(e *hook.Event, change func(dir string) error) {
	if h.DryRun || !h.Config.Bool("agents.legacy_files") {
		return
	}
	dir := h.userFolder(h.settingsFolder(e))
	if err := state.Locked(state.LockPath(h.StateDir, dir), func() error { return change(dir) }); err != nil {
		h.Log.Warn("agents.legacy_files", "err", err)
	}
}

// legacyCalled notes a call.
func (h *Handlers) legacyCalled(e *hook.Event, call *types.AgentCalled) {
	h.legacy(e, func(dir string) error {
		return legacyCalls(dir, func(list map[string]legacyCall) {
			list[call.ToolUseID] = legacyCall{call.AgentType, term.OneLine(call.Prompt, promptRunes), e.SessionID, h.now().UTC()}
		})
	})
}

// legacyReturned takes out a call that came back, or failed.
func (h *Handlers) legacyReturned(e *hook.Event) {
	h.legacy(e, func(dir string) error {
		return legacyCalls(dir, func(list map[string]legacyCall) { delete(list, events.ToolUseID(e)) })
	})
}

// legacyCalls changes the calls that have not come back. One older than a day never will.
func legacyCalls(dir string, change func(map[string]legacyCall)) error {
	path := filepath.Join(dir, legacyPending)
	list := map[string]legacyCall{}
	state.Read(path, 0, &list)
	for id, c := range list {
		if time.Since(c.Began) > 24*time.Hour {
			delete(list, id)
		}
	}
	change(list)
	return state.Write(path, list)
}

// legacyEnded notes a run that ended, with its conversation.
func (h *Handlers) legacyEnded(e *hook.Event, d *types.AgentDeactivated, c *monitor.Conversation) {
	h.legacy(e, func(dir string) error {
		now := h.now().UTC()
		ms, how, told := int64(0), "done", ""
		if !c.Began.IsZero() {
			run := monitor.Run{Started: c.Began, Ended: now}
			if d.EndedAt != "" {
				run.Stopped(c.Ended)
			}
			ms = max(0, run.Took().Milliseconds())
		}
		stats := map[string]legacyCount{}
		path := filepath.Join(dir, legacyStats)
		state.Read(path, 0, &stats)
		n := stats[d.AgentType]
		n.Count++
		n.TotalMS += ms
		n.MeanMS = n.TotalMS / int64(n.Count)
		switch {
		case d.Error != "":
			how = "failed"
			n.Failed++
		case d.Empty != nil:
			how = "empty"
			n.Empty++
		}
		stats[d.AgentType] = n
		if err := state.Write(path, stats); err != nil {
			return err
		}
		if err := legacyCalls(dir, func(list map[string]legacyCall) { delete(list, d.ToolUseID) }); err != nil {
			return err
		}
		if h.keepsPrompts() {
			told = h.rules().Mask(c.Prompt)
		}
		line := fmt.Sprintf("%s %s %s %d ms %s", now.Format(time.RFC3339), orText(d.AgentType, "-"), how, ms, term.OneLine(told, promptWords))
		if err := appendLine(filepath.Join(dir, legacyLog), []byte(line)); err != nil {
			return err
		}
		one, err := json.Marshal(struct {
			At      time.Time `json:"timestamp"`
			Session string    `json:"sessionId"`
			*types.AgentDeactivated
			State  string `json:"state"`
			TookMS int64  `json:"durationMs"`
			Prompt string `json:"prompt,omitempty"`
		}{now, e.SessionID, d, how, ms, told})
		if err != nil {
			return err
		}
		return appendLine(filepath.Join(dir, legacyDetails), one)
	})
}

func appendLine(path string, line []byte) error {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLegacy {
		if err := os.Rename(path, path+".old"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// legacyStopped notes how far the session's loop is, how long the documents are that moai put into its context (of the rest no hook
// knows), what the session changed, and who looked at it.
func (h *Handlers) legacyStopped(e *hook.Event) {
	h.legacy(e, func(dir string) error {
		at := h.now().UTC()
		of := ofOld{e.SessionID, root(e), at}
		if l := loop.Read(h.StateDir, e.SessionID); l != nil {
			if err := state.Write(filepath.Join(dir, legacyLoop), loopOfOld{
				of, l.Runs(), l.Round, l.Max, h.mask(l.Words), l.Marker, l.Began, string(l.How),
			}); err != nil {
				return err
			}
		}
		if m := h.recallSession(e.SessionID); len(m.Tokens) > 0 {
			if err := state.Write(filepath.Join(dir, legacyContext), contextOfOld{of, m.tokens(), sortedDocs(m.Docs)}); err != nil {
				return err
			}
		}
		s := verify.Read(h.StateDir, e.SessionID)
		if s == nil {
			return nil
		}
		homes := h.homes(e)
		changed, looked, waits := map[string]bool{}, map[string]bool{}, []string{}
		for i := range s.Files {
			rel, _ := verify.Shown(homes, s.Files[i].Path)
			if k := h.Tables.Verify.Kind(&s.Files[i], rel); k != nil && k.Needs != "" {
				changed[k.Needs] = true
			}
		}
		for i := range s.Runs {
			looked[s.Runs[i].Type] = s.Runs[i].Found == verify.Passed
		}
		for _, p := range s.Named(&h.Tables.Verify, homes) {
			waits = append(waits, p.Rel)
		}
		return state.Write(filepath.Join(dir, legacyPipeline), map[string]any{
			"sessionId": e.SessionID, "cwd": root(e), "timestamp": at, "codeModified": changed["code"], "planModified": changed["plan"],
			"verificationStatus": looked, "unverified": waits,
		})
	})
}
