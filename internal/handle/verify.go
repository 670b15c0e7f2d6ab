package handle

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// track keeps what this session and its sub-agents changed, and which verifiers looked at it; package verify says what that
// comes to.
func (h *Handlers) track(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || h.Tables.Verify.Agents == nil || h.Config.String("verify.stop") == verify.ModeOff {
		return hook.Answer{}, nil
	}
	switch e.Name {
	case "SessionStart":
		h.installedAtStart(e)
		h.sentAtStart(e)
	case "PreToolUse":
		h.beforeCall(ctx, e)
	case "PostToolUse", "PostToolUseFailure":
		return h.ranUntracked(e, h.afterCall(ctx, e)), nil
	case "SubagentStart":
		h.looks(e)
	case "SubagentStop", "StopFailure":
		h.looked(e)
	}
	return hook.Answer{}, nil
}

// beforeCall takes a picture of the work tree before a command that may write: what such a command changes is told by
// nothing but the tree itself. It also notes what type a teammate is of.
func (h *Handlers) beforeCall(ctx context.Context, e *hook.Event) {
	h.mayRead(e)
	if h.Tables.Verify.Calls(e.ToolName) {
		h.callsVerifier(e)
		return
	}
	call := events.ToolUseID(e)
	if call == "" || !h.mayWrite(e) && !h.runsUnseen(e) && !h.writesList(e) || h.stopped(e) {
		return
	}
	if p, r := h.picture(ctx, e.CWD, h.began(e), h.hid(e)); p != nil {
		p.Call = &verify.Call{Key: callKey(e), Agent: events.AgentID(e), Session: e.SessionID, Tool: e.ToolName, Command: h.line(e), Dir: e.CWD}
		h.lookBeside(ctx, e, r, p)
		if err := p.Put(h.StateDir, e.SessionID, call); err != nil {
			h.Log.Warn("picture not kept", "err", err)
		}
	}
}

// picture is the work tree around a folder for a session that began at a time and hid some files, nil where there is none.
func (h *Handlers) picture(ctx context.Context, dir string, began time.Time, hid []string) (*verify.Picture, *repo.Repo) {
	r, err := repo.Open(dir)
	if err != nil || r.Bare() {
		return nil, nil
	}
	h.around.Store(r)
	p, look, err := verify.Take(ctx, r, r.DirCacheIn(h.StateDir), h.keepsTurns(), began, hid)
	if err != nil {
		h.Log.Info("no picture", "err", err)
		return nil, nil
	}
	h.seen.Store(look)
	return p, r
}

// began is when a session began, as far as it is known.
func (h *Handlers) began(e *hook.Event) time.Time {
	if self := h.who(e); self != nil {
		return self.Started
	}
	return time.Time{}
}

// afterCall notes what a tool changed, and returns the files that a command line did.
func (h *Handlers) afterCall(ctx context.Context, e *hook.Event) (ran []string) {
	h.hasRead(e)
	switch {
	case h.Tables.Verify.Calls(e.ToolName):
		if e.Name == "PostToolUseFailure" {
			h.notBegun(e)
		} else if r := events.ToolResponse(e); r.Get("isAsync").Bool() && len(h.Tables.Verify.Needs(events.ToolInput(e).Get("subagent_type").Text(), h.verifiers())) > 0 {
			h.work(e, func(s *verify.State) bool { return s.Sent(r.Get("agentId").Text()) })
		}
	case h.Tables.Verify.Makes(e.ToolName):
		if path := events.ToolResponse(e).Get("filePath").Text(); path != "" {
			h.wroteFiles(e, []string{path}, nil, nil)
		}
	case h.writes(e.ToolName) && e.Name == "PostToolUse":
		h.wroteFiles(e, h.written(e), nil, nil)
		if h.writesList(e) {
			if before := verify.Taken(h.StateDir, e.SessionID, events.ToolUseID(e)); before != nil {
				if now, r := h.picture(ctx, e.CWD, h.began(e), h.hid(e)); now != nil {
					h.keepHid(e, r, now, before)
					h.unhid(e, now, before)
					verify.Settled(h.StateDir, e.SessionID, events.ToolUseID(e))
				}
			}
		}
	case h.Tables.Risks.RunsCommand(e.ToolName) || h.runsUnseen(e):
		if before := verify.Taken(h.StateDir, e.SessionID, events.ToolUseID(e)); before != nil {
			ran = h.changedSince(ctx, e, before, func(string) bool { return true })
		} else if s := verify.Read(h.StateDir, e.SessionID); s != nil && len(s.Commits) > 0 && h.outlineOf(e).Pushes {
			h.pushed(e, s.Seq)
		}
	}
	return ran
}

// runsUnseen reports a call of a tool, as of a server, of which nothing but the work tree tells what it changed.
func (h *Handlers) runsUnseen(e *hook.Event) bool {
	return h.Tables.Risks.MayRun(e.ToolName) && !h.writes(e.ToolName)
}

// changedSince notes what a call changed since a picture was taken, as far as it may be the call's, and returns those files.
func (h *Handlers) changedSince(ctx context.Context, e *hook.Event, before *verify.Picture, may func(path string) bool) (ran []string) {
	now, r := h.picture(ctx, e.CWD, h.began(e), h.hid(e))
	if now == nil || e.ToolName != "" && ctx.Err() != nil { // cut off: the end of the turn settles it
		return nil
	}
	h.keepHid(e, r, now, before)
	files, known := now.Since(before)
	made := append(now.Committed(r, before), now.CommittedInside(r, before)...)
	rewound := now.Rewound(r, before, h.began(e))
	made = append(append(made, h.cameBack(e, r, now, before)...), rewound...)
	made = now.Places(r, made)
	files = append(now.Places(r, files), made...)
	files = slices.DeleteFunc(files, func(path string) bool { return !may(path) })
	files = h.moved(e, r, now, before, files)
	began := h.began(e)
	files = slices.DeleteFunc(files, func(path string) bool {
		return now.OtherMode(r, before, path) || now.CameIntoSight(r, before, path, began)
	})
	if !known {
		h.Log.Info("changes of a command not told: the work tree was not compared", "tool", e.ToolName)
	}
	ran = h.notOthers(e, files, before)
	words := events.ToolInput(e).Get("command").Text()
	switch {
	case e.ToolName == "":
		words = before.Call.Command
	case h.runsUnseen(e): // which part of it is a program's text, the server knows
		words = string(events.ToolInput(e))
	}
	takes := h.Tables.Risks.TakesOther(words, e.CWD, h.Home)
	h.wroteFiles(e, ran, before, func(s *verify.State, one *verify.Edit) {
		one.Other = slices.Contains(rewound, one.Path) || takes && now.Other(r, s, before, one.Path)
		one.Back = !slices.Contains(made, one.Path) && !s.Keeps(one.Sum) && now.Back(r, s, began, one.Path) || !one.Other && !s.Keeps(one.Sum) && now.Theirs(r, before, one.Path, began)
		one.Lost = now.HadAtStart(r, s, before, one.Path)
		if first := s.First[one.Path]; first != "" && one.Sum == "" && now.HadAtStart(r, s, before, first) {
			one.Path, one.Was, one.Lost = first, "", true
		}
		one.Hand = h.Tables.Verify.Marks(words, one.Path) || now.Marked(r, &h.Tables.Verify, s, before, one.Path)
	})
	if e.ToolName != "" {
		h.untold(e, now, before)
		h.putAside(e, r, now, before)
	}
	h.changedBeside(ctx, e, r, before, may)
	if e.ToolName != "" {
		verify.Settled(h.StateDir, e.SessionID, events.ToolUseID(e))
	}
	h.goesOn(e, r, now, before)
	if e.ToolName != "" {
		h.committed(e, r, now, before)
	}
	return ran
}

// untold notes that a command changed files of which the pictures do not say which.
func (h *Handlers) untold(e *hook.Event, now, before *verify.Picture) {
	turn := h.who(e).Turn.Number
	sum, is := now.Untold(before, turn)
	if !is || !h.counts(e, now.Tree) {
		return
	}
	h.work(e, func(s *verify.State) bool {
		if sum == "" { // what was too many is gone
			had := s.Has(now.Tree)
			s.Files = slices.DeleteFunc(s.Files, func(f verify.File) bool { return f.Path == now.Tree })
			return had
		}
		if s.Seq == 0 && s.Head == "" {
			s.Head = before.Head
		}
		return s.Changed(verify.Edit{Path: now.Tree, Sum: sum, Turn: turn, At: h.now().UTC(), Tool: e.ToolName, Command: true, Agent: events.AgentType(e), Untold: true})
	})
}

// moved follows files that a command only gave other names: those of the session stay its own under the new one, and those that
// were not are none for that. It returns the other changes.
func (h *Handlers) moved(e *hook.Event, r *repo.Repo, now, before *verify.Picture, files []string) []string {
	absent := func(path string) bool { return verify.Sum(path) == "" }
	var gone []string
	for _, path := range files {
		if absent(path) {
			gone = append(gone, path)
		}
	}
	if now.Head != before.Head {
		if s := verify.Read(h.StateDir, e.SessionID); s != nil {
			for i := range s.Files {
				if path := s.Files[i].Path; absent(path) && !slices.Contains(gone, path) {
					gone = append(gone, path)
				}
			}
		}
	}
	moves := now.Moved(r, before, gone)
	maps.DeleteFunc(moves, func(from, to string) bool { // it has become work of this project
		return !h.counts(e, disk.Real(from)) && h.counts(e, disk.Real(to))
	})
	if len(moves) == 0 {
		return files
	}
	h.work(e, func(s *verify.State) bool {
		for from, to := range moves {
			s.Move(disk.Real(from), disk.Real(to))
			s.Renamed(disk.Real(from), disk.Real(to))
		}
		return true
	})
	return slices.DeleteFunc(files, func(path string) bool {
		to, from := moves[path]
		if from && h.waits(e, path) && !h.waits(e, to) { // code that is called something else is code no more
			return false
		}
		return from || slices.Contains(slices.Collect(maps.Values(moves)), path)
	})
}

// waits reports a path whose name alone says that somebody has to look at it.
func (h *Handlers) waits(e *hook.Event, path string) bool {
	rel, _ := verify.Shown(h.homes(e), disk.Real(path))
	k := h.Tables.Verify.Kind(&verify.File{Path: path, Command: true}, rel)
	return k != nil && k.Needs != ""
}

// notOthers takes out the files that other sessions wrote while a command ran.
func (h *Handlers) notOthers(e *hook.Event, files []string, before *verify.Picture) []string {
	if len(files) == 0 {
		return nil
	}
	others := session.Lately(h.StateDir, e.SessionID, before.At, h.now())
	return slices.DeleteFunc(files, func(path string) bool {
		by, _ := session.Wrote(others, disk.Real(path), before.At)
		return len(by) > 0
	})
}

// wroteFiles notes files that a call of the session changed; before is the picture from before a command line, and more says what
// Git knows of each: nil for other tools.
func (h *Handlers) wroteFiles(e *hook.Event, paths []string, before *verify.Picture, more func(*verify.State, *verify.Edit)) {
	command := before != nil
	// What Git brings back is whose it was: the session's where it wrote that file itself, else nobody's here.
	brought := command && e.ToolName != "" && h.Tables.Risks.RunsCommand(e.ToolName) && h.Tables.Risks.OnlyBrings(events.ToolInput(e).Get("command").Text(), e.CWD, h.Home)
	at, turn := h.now().UTC(), h.who(e).Turn.Number
	var edits []verify.Edit
	for _, path := range paths {
		if !command { // of a command, a link in place of a file is what changed, not what it leads to
			path = disk.Real(path)
		}
		elsewhere := !h.counts(e, path)
		if elsewhere && !h.inAnother(e, path) {
			continue
		}
		sum, read := h.sums[path]
		if !read {
			sum = verify.Sum(path)
		}
		edits = append(edits, verify.Edit{Path: path, Sum: sum, Turn: turn, At: at, Tool: toolOf(e, before), Command: command, Agent: events.AgentType(e), Was: before.Sum(path), Else: elsewhere})
	}
	if len(edits) == 0 {
		return
	}
	for i := range edits {
		if one := &edits[i]; !utf8.ValidString(one.Path) { // it could not be kept
			one.Path, one.Sum, one.Untold = disk.Real(root(e)), "name "+one.Sum, true
		}
	}
	// What is gone comes last: another file may be where it went.
	slices.SortStableFunc(edits, func(a, b verify.Edit) int { return cmp.Compare(len(b.Sum), len(a.Sum)) })
	h.work(e, func(s *verify.State) (changed bool) {
		for i := range edits {
			if more != nil {
				more(s, &edits[i])
			}
		}
		if s.Seq == 0 && s.Head == "" {
			s.Head = headOf(root(e), before)
		}
		dropped := s.Dropped
		for _, one := range s.Room(&h.Tables.Verify, slices.Clone(edits), func(path string) string { rel, _ := verify.Shown(h.homes(e), path); return rel }) {
			switch known := s.Has(one.Path) || s.Keeps(one.Sum); {
			case !known && s.Restores(one.Path, one.Sum):
			case !brought || one.Other || known:
				changed = s.Changed(one) || changed
			case one.Was != "":
				changed = s.TakesAway(one.Path, one.Was) || changed
			}
		}
		if s.Dropped > dropped {
			s.Changed(verify.Edit{Path: disk.Real(root(e)), Sum: fmt.Sprintf("dropped %d", s.Dropped), Turn: turn, At: at, Tool: e.ToolName, Command: command, Untold: true})
		}
		return changed
	})
	if command {
		agent := events.AgentID(e)
		h.learn(e, func(s *session.Session) {
			for _, one := range edits {
				s.Changed(session.Write{Path: one.Path, At: at, Agent: agent, Ran: true})
			}
		})
	}
}

// counts reports a file that is the session's work: one in the project or in the work tree where the session is, or a plan.
func (h *Handlers) counts(e *hook.Event, path string) bool {
	for _, dir := range h.homes(e) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return !h.Tables.Verify.Own(dir, filepath.ToSlash(rel))
		}
	}
	if rel, beside := inLinked(root(e), path); beside {
		return !h.Tables.Verify.Own(strings.TrimSuffix(filepath.ToSlash(path), rel), rel)
	}
	return h.Tables.Verify.Plan(filepath.ToSlash(path))
}

// inLinked finds a file in one of the work trees of a project's repository; rel is relative to that.
func inLinked(project, path string) (rel string, inside bool) {
	r, err := repo.Open(project)
	if err != nil {
		return "", false
	}
	for _, t := range r.Beside() {
		if rel, err := filepath.Rel(disk.Real(t.Dir), path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// arrived follows work that was done in another work tree and that the project has by now.
func (h *Handlers) arrived(e *hook.Event, known *verify.State, homes []string) *verify.State {
	moves := known.Arrived(&h.Tables.Verify, homes)
	if len(moves) == 0 {
		return known
	}
	h.work(e, func(s *verify.State) (changed bool) {
		for from, to := range moves {
			changed = s.Move(from, to) || changed
		}
		return changed
	})
	return cmp.Or(verify.Read(h.StateDir, e.SessionID), known)
}

// homes are the folders in which a session works.
func (h *Handlers) homes(e *hook.Event) []string {
	return verify.Homes(root(e), h.who(e))
}

// headOf is the commit that a work tree stands on, "" where there is none: as it was before a command, which may have made another one.
func headOf(dir string, before *verify.Picture) string {
	r, err := repo.Open(dir)
	if err != nil {
		return ""
	}
	if before != nil && before.Tree == r.WorkTree {
		return before.Head
	}
	head, err := r.Head()
	if err != nil || head.Unborn {
		return ""
	}
	return head.Hash.String()
}

// looks notes that a verifier begins. Every other sub-agent costs a look at the table.
func (h *Handlers) looks(e *hook.Event) {
	kind, needs := h.verifier(e)
	if len(needs) == 0 {
		return
	}
	h.work(e, func(s *verify.State) bool {
		s.Begin(events.AgentID(e), kind, needs, h.now().UTC(), verify.Sum)
		return true
	})
}

// looked notes what a verifier came to.
func (h *Handlers) looked(e *hook.Event) {
	kind, needs := h.verifier(e)
	if len(needs) == 0 {
		return
	}
	found, why := h.Tables.Verify.Said(events.LastAssistantMessage(e))
	if e.Name == "StopFailure" { // whatever it says, the client says it
		found, why = verify.Unable, orText(events.LastAssistantMessage(e), events.Error(e))
	}
	if found == verify.Passed && !h.Tables.Verify.Decides(events.LastAssistantMessage(e)) && h.asksVerdict(e, kind) {
		found, why = verify.Unable, "its last line is no verdict, such as VERDICT: PASS, for which its definition asks"
	}
	if found == verify.Passed && h.readNothing(e) {
		found, why = verify.Unable, "it read nothing"
	}
	if found == verify.Passed && h.forged(e) {
		found, why = verify.Unable, "an event that the client did not send"
	}
	h.hadBefore(e)
	why = term.OneLine(h.mask(why), promptRunes)
	var done *verify.Run
	h.work(e, func(s *verify.State) bool {
		done = s.Finish(events.AgentID(e), found, why, events.LastAssistantMessage(e), h.now().UTC(), verify.Sum)
		return done != nil
	})
	if done == nil {
		return
	}
	paths := make([]string, 0, notedFiles)
	for _, path := range done.Paths[:min(len(done.Paths), notedFiles)] {
		paths = append(paths, relative(root(e), path))
	}
	for _, need := range needs {
		h.note(e, kind+": "+string(found)+", "+term.Count(done.Files, "file"), types.Verified{Agent: kind, Verifies: need, Found: string(found), Files: done.Files, Paths: paths, Why: why})
	}
	if found == verify.Found {
		if err := verify.Paid(h.StateDir, root(e), h.now().UTC()); err != nil {
			h.Log.Warn("finding not noted", "err", err)
		}
	}
}

// maxDefinition bounds what is read of the definition of an agent.
const maxDefinition = 64 << 10

// asksVerdict reports a verifier whose definition asks for a verdict on a line of its own.
func (h *Handlers) asksVerdict(e *hook.Event, kind string) bool {
	for _, a := range h.installed(h.settingsFolder(e)) {
		if strings.EqualFold(a.Name, kind) {
			text, _, _ := disk.ReadFile(a.File, maxDefinition)
			return h.Tables.Verify.Rules(string(text))
		}
	}
	return false
}

// notBegun notes that the call of a verifier failed.
func (h *Handlers) notBegun(e *hook.Event) {
	kind := events.ToolInput(e).Get("subagent_type").Text()
	needs := h.Tables.Verify.Needs(kind, h.verifiers())
	if len(needs) == 0 {
		return
	}
	why := term.OneLine(h.mask(events.Error(e)), promptRunes)
	h.work(e, func(s *verify.State) bool {
		now := h.now().UTC()
		began := time.Time{} // where the client does not say how long it took
		if took := e.Raw("duration_ms").Int(); took > 0 {
			began = now.Add(-time.Duration(took)*time.Millisecond - time.Second)
		}
		s.Failed(events.ToolUseID(e), kind, needs, why, began, now)
		return true
	})
}

// verifier is the type of the sub-agent that an event is of, and what it verifies. Of a teammate clients say the name, and
// compaction, which ends as a sub-agent does, has no type.
func (h *Handlers) verifier(e *hook.Event) (kind string, needs []string) {
	kind = events.AgentType(e)
	if kind == "" || events.AgentID(e) == "" {
		return "", nil
	}
	if needs = h.Tables.Verify.Needs(kind, h.verifiers()); len(needs) > 0 {
		return kind, needs
	}
	if s := verify.Read(h.StateDir, e.SessionID); s != nil && s.Names[kind] != "" {
		return s.Names[kind], h.Tables.Verify.Needs(s.Names[kind], h.verifiers())
	}
	return "", nil
}

// verifiers are the agents that the user's and the project's settings add.
func (h *Handlers) verifiers() []string { return h.Config.Names("verify.agents") }

// work changes what is known of the session's work.
func (h *Handlers) work(e *hook.Event, change func(*verify.State) bool) {
	if err := verify.Change(h.StateDir, e.SessionID, root(e), h.now().UTC(), change); err != nil {
		h.Log.Warn("work of the session not kept", "err", err)
	}
}
