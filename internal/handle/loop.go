package handle

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// loops asks the model to go on as long as a loop of the session runs; package loop says when it is over. A command that is to
// pass is run by the model and never from here: a hook starts no process, and a test may take longer than a hook. What counts
// is how the client says that it ended.
func (h *Handlers) loops(ctx context.Context, e *hook.Event) hook.Answer {
	l := loop.Read(h.StateDir, e.SessionID)
	begins := h.loopBegins(e, l)
	switch {
	case !begins && l == nil:
		return hook.Answer{}
	case !begins && !l.Runs():
		return h.loopTold(e, l)
	case h.yields(e) != "":
		return hook.Answer{}
	}
	dir := root(e)
	if !begins {
		dir = l.Dir
	}
	turn := loop.Turn{
		Now: h.now().UTC(), Message: events.LastAssistantMessage(e), Tree: h.tree(ctx, e.SessionID, dir), Tasks: h.clientTasks(e), Except: h.unmarked(),
	}
	var now loop.Loop
	goOn := false
	err := loop.Change(h.StateDir, e.SessionID, func(l *loop.Loop) bool {
		if begins {
			*l = *h.ownLoop(e, &turn)
		}
		if !l.Runs() {
			return false
		}
		goOn = l.Next(&turn)
		l.Told = !goOn
		now = *l
		return true
	})
	if err != nil { // one that cannot count its rounds would never end
		h.Log.Warn("loop not kept", "err", err)
		return hook.Answer{}
	}
	if begins {
		h.note(e, "a loop begins by loop.enabled", types.LoopStarted{By: string(loop.Setting), Max: now.Max})
	}
	switch {
	case goOn:
		return hook.Answer{Decision: hook.Block, Reason: loopText(&now, h.recallSession(e.SessionID).openTasks())}
	case now.Session != "":
		h.note(e, "loop over: "+now.Why, types.LoopEnded{How: string(now.How), Rounds: now.Round, Why: now.Why})
		return hook.Answer{System: LoopOver(&now)}
	}
	return hook.Answer{}
}

// loopBegins reports that a loop begins by itself: one for each prompt, where the user has settings for that.
func (h *Handlers) loopBegins(e *hook.Event, l *loop.Loop) bool {
	if !h.Config.Bool("loop.enabled") || h.Config.Int("loop.max") == 0 || h.yields(e) != "" {
		return false
	}
	turn := h.who(e).Turn
	if l.Runs() {
		return l.By == loop.Setting && l.Turn != turn.Number
	}
	return l == nil || l.Ended.Before(turn.Began)
}

// ownLoop is one that begins by itself.
func (h *Handlers) ownLoop(e *hook.Event, t *loop.Turn) *loop.Loop {
	return &loop.Loop{
		Session: e.SessionID, Project: root(e), Began: t.Now, By: loop.Setting, Turn: h.who(e).Turn.Number,
		Words: h.Config.String("loop.prompt"), Marker: h.Config.String("loop.marker"), Dir: root(e), Max: h.Config.Int("loop.max"),
	}
}

// loopTold says once in its session that a loop was cancelled elsewhere.
func (h *Handlers) loopTold(e *hook.Event, l *loop.Loop) hook.Answer {
	if l.Told {
		return hook.Answer{}
	}
	if err := loop.Change(h.StateDir, e.SessionID, func(l *loop.Loop) bool { l.Told = true; return true }); err != nil {
		h.Log.Warn("loop not kept", "err", err)
	}
	return hook.Answer{System: LoopOver(l)}
}

// loopEnds ends a loop with its session: one that is resumed belongs to its user.
func (h *Handlers) loopEnds(e *hook.Event) {
	if !loop.Read(h.StateDir, e.SessionID).Runs() {
		return
	}
	why := "its session ended"
	err := loop.Change(h.StateDir, e.SessionID, func(l *loop.Loop) bool { l.Over(loop.ByCancel, why, h.now().UTC()); return true })
	if err != nil {
		h.Log.Warn("loop not kept", "err", err)
		return
	}
	l := loop.Read(h.StateDir, e.SessionID)
	h.note(e, "loop over: "+why, types.LoopEnded{How: string(l.How), Rounds: l.Round, Why: why})
}

// LoopOver says how a loop ended.
func LoopOver(l *loop.Loop) string {
	return fmt.Sprintf("moai: loop over (%s) after %s: %s", l.How, term.Count(l.Round, "round"), term.Text(l.Why))
}

// shownTasks is how many open tasks a message names.
const shownTasks = 5

// loopText has the model go on, and tells it how the loop ends.
func loopText(l *loop.Loop, open []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "moai: loop, round %d of %d. ", l.Round, l.Max)
	b.WriteString(cmp.Or(l.Words, "Go on with what the user asked for: do the next part, and check what is there."))
	if len(open) > 0 && l.Until == "" {
		fmt.Fprintf(&b, "\nOpen tasks: %s", term.Text(strings.Join(open[:min(len(open), shownTasks)], "; ")))
	}
	switch {
	case l.Until != "":
		fmt.Fprintf(&b, "\nThis ends when the following command passes, run by itself behind the last change, in %s (`cd %s && …` counts):\n%s", l.Dir, l.Dir, l.Until)
	case l.Marker != "":
		fmt.Fprintf(&b, "\nWhen all of it is done and checked, say so with the word %s, outside of code and quotes. Do not say it before.", l.Marker)
	}
	b.WriteString("\nIf only the user can help, end your turn with a question to them.")
	return b.String()
}

// tree names what the work tree around a folder is like, with the session's own changes: the same name, the same state.
func (h *Handlers) tree(ctx context.Context, session, dir string) string {
	shown, seq := "", 0
	if p, _ := h.picture(ctx, dir, time.Time{}, nil); p != nil {
		shown = p.Digest()
	}
	if s := verify.Read(h.StateDir, session); s != nil {
		seq = s.Seq
	}
	return fmt.Sprintf("%s/%d", shown, seq)
}

func (h *Handlers) unmarked() []string {
	if h.Tables.Verify.Agents == nil {
		return nil
	}
	return h.Tables.Verify.Agents.Unmarked
}

// ranUntil keeps how a command ended that a loop waits for.
func (h *Handlers) ranUntil(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || !h.Tables.Risks.RunsCommand(e.ToolName) {
		return hook.Answer{}, nil
	}
	l := loop.Read(h.StateDir, e.SessionID)
	in, out := events.ToolInput(e), events.ToolResponse(e)
	if !l.Runs() || !l.Is(in.Get("command").Text(), disk.Real(e.CWD)) {
		return hook.Answer{}, nil
	}
	// What goes on in the background has not ended, and where a client has words for a number that is not 0 the program said no.
	passed := e.Name == "PostToolUse" && !in.Get("run_in_background").Bool() && !out.Get("interrupted").Bool() &&
		out.Get("backgroundTaskId").Text() == "" && out.Get("returnCodeInterpretation").Text() == ""
	r := &loop.Receipt{At: h.now().UTC(), Passed: passed, Tree: h.tree(ctx, e.SessionID, l.Dir)}
	if err := loop.Change(h.StateDir, e.SessionID, func(l *loop.Loop) bool { l.Ran = r; return l.Runs() }); err != nil {
		h.Log.Warn("receipt not kept", "err", err)
	}
	return hook.Answer{}, nil
}

// tasks takes over what the client says of its list: a teammate's task is made by no tool of this session.
func (h *Handlers) tasks(_ context.Context, e *hook.Event) (hook.Answer, error) {
	t := task{ID: events.TaskID(e), Subject: h.taskWords(events.TaskSubject(e)), Status: "pending"}
	if e.Name == "TaskCompleted" {
		t.Status = taskDone
	}
	h.trackTask(e, t)
	return hook.Answer{}, nil
}

// Bounds of what is read of the client's own list.
const (
	maxTaskFiles = 200
	maxTaskBytes = 64 << 10
)

// clientTasks are the model's tasks: by the client's own files where it keeps them, else as its tools said. Nothing is written there.
func (h *Handlers) clientTasks(e *hook.Event) []loop.Task {
	return h.TasksOf(e.SessionID, h.userFolder(h.settingsFolder(e)))
}

// TasksOf are the tasks of a session; folder is the client's own at home.
func (h *Handlers) TasksOf(id, folder string) (list []loop.Task) {
	files := taskFiles(filepath.Join(folder, "tasks"), id)
	for _, t := range files {
		if t.Status != taskGone {
			list = append(list, loop.Task{ID: t.ID, Done: t.Status == taskDone})
		}
	}
	for _, t := range h.recallSession(id).Tasks {
		// The tasks of TodoWrite, which keeps no files, are known by their own words.
		if len(files) == 0 || t.ID == t.Subject && !slices.ContainsFunc(files, func(f task) bool { return f.ID == t.ID }) {
			list = append(list, loop.Task{ID: t.ID, Done: t.Status == taskDone})
		}
	}
	return list
}

// taskFiles reads what the client keeps of the tasks of a session.
func taskFiles(folder, id string) (list []task) {
	if !filepath.IsLocal(id) || filepath.Base(id) != id {
		return nil
	}
	dir := filepath.Join(folder, id)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, entry := range entries[:min(len(entries), maxTaskFiles)] {
		if filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		var t task
		if data, _, err := disk.ReadFile(filepath.Join(dir, entry.Name()), maxTaskBytes); err == nil && json.Unmarshal(data, &t) == nil && t.ID != "" {
			list = append(list, t)
		}
	}
	return list
}
