package handle

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/verify"
)

// What a verifier had before it: moai is called before most of its calls, its conversation has the others, and what it is told may hold the changes
// themselves. A call may show any file if moai cannot tell what it shows, such as a run of the tests.

// callsVerifier notes what type a teammate is of that is called, and which files stand in what a verifier is told.
func (h *Handlers) callsVerifier(e *hook.Event) {
	in := events.ToolInput(e)
	name, kind, prompt := in.Get("name").Text(), in.Get("subagent_type").Text(), in.Get("prompt").Text()
	if len(h.Tables.Verify.Needs(kind, h.verifiers())) == 0 || name == "" && !h.Tables.Verify.Holds(prompt) {
		return
	}
	h.work(e, func(s *verify.State) bool {
		given := s.Gives(kind, prompt, h.Tables.Verify.Tells)
		if name != "" {
			s.Called(name, kind)
		}
		return given || name != ""
	})
}

// mayRead notes that a verifier makes a call that may read: any but one that writes. Of a command line, the answer says what it showed.
func (h *Handlers) mayRead(e *hook.Event) {
	if h.judges(e) && !h.writes(e.ToolName) && !h.stopped(e) {
		call := ""
		if e.Dialect == hook.Claude && h.Tables.Risks.RunsCommand(e.ToolName) {
			call = events.ToolUseID(e)
		}
		h.work(e, func(s *verify.State) bool {
			return s.Reads(events.AgentID(e), call, h.shows(e.ToolName, events.ToolInput(e), e.CWD).shown)
		})
	}
}

// mostWeighed is how many bytes of an answer are looked at for what it shows. A longer one shows what its call names.
const mostWeighed = 8 << 10

// hasRead notes what came of a verifier's command line: one that puts out nothing, or a number, shows nothing.
func (h *Handlers) hasRead(e *hook.Event) {
	if e.Dialect != hook.Claude || !h.judges(e) || !h.Tables.Risks.RunsCommand(e.ToolName) {
		return
	}
	output, told := h.output(events.ToolResponse(e))
	if e.Name == "PostToolUseFailure" {
		output, told = events.Error(e), true
	}
	lines := mostWeighed
	if told && len(output) < mostWeighed {
		lines = h.Tables.Verify.Telling(output)
	}
	var named *sight
	h.work(e, func(s *verify.State) bool {
		return s.Answered(events.AgentID(e), events.ToolUseID(e), func(path string) (int, int) {
			if named == nil {
				named = h.shows(e.ToolName, events.ToolInput(e), e.CWD)
			}
			if !slices.Contains(named.places, path) { // the call names a folder, or nothing: one line is enough, since it does not say of which file
				return lines, 1
			}
			if text, _, err := disk.ReadFile(path, mostCounted); err == nil {
				return lines, h.Tables.Verify.Enough(h.Tables.Verify.Telling(string(text)))
			}
			return lines, 1
		})
	})
}

// output is what a command line has put out, by the answer to its call; told is false where that does not say.
func (h *Handlers) output(answer hook.Value) (text string, told bool) {
	in, later := h.Tables.Verify.Output()
	if slices.ContainsFunc(later, func(name string) bool { return answer.Get(name).Present() }) {
		return "", false
	}
	for _, name := range in {
		if part := answer.Get(name); part.IsText() {
			text, told = text+part.Text()+"\n", true
		}
	}
	return text, told
}

// sight are the files of which the answer to a call has content, as far as moai can tell.
type sight struct {
	places []string // files and folders, links followed
	all    bool
	beyond []string // of these places, those of calls that name something else than a file as well, such as a branch
}

// shown reports that a call shows a file to a verifier. For a file of a commit, a look at the file on the disk counts only if both are the same.
func (s *sight) shown(saw *verify.Saw) bool {
	if saw.Of == "" || s.all || verify.Sum(saw.Path) == saw.Sum {
		return s.has(saw.Path)
	}
	return (&sight{places: s.beyond}).has(saw.Path)
}

func (s *sight) has(path string) bool {
	return s.all || slices.ContainsFunc(s.places, func(place string) bool {
		rel, err := filepath.Rel(place, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// shows reads a call for what its answer shows.
func (h *Handlers) shows(tool string, in hook.Value, dir string) *sight {
	s := &sight{}
	switch {
	case h.Tables.Verify.ShowsNothing(tool):
	case h.Tables.Risks.RunsCommand(tool):
		for _, one := range h.Tables.Risks.Shows(in.Get("command").Text(), filepath.ToSlash(dir), h.Home) {
			n, beyond := len(s.places), false
			for _, path := range one.Words {
				path = filepath.FromSlash(path)
				if _, err := os.Lstat(path); err == nil {
					s.places = append(s.places, disk.Real(path))
				} else {
					beyond = true
				}
			}
			if beyond {
				s.beyond = append(s.beyond, s.places[n:]...)
			}
			s.all = s.all || n == len(s.places)
		}
	default:
		argument, known := h.Tables.Verify.Reads(tool)
		path := ""
		for _, name := range argument {
			if path == "" {
				path = in.Get(name).Text()
			}
		}
		switch {
		case !known || path == "":
			s.all = true
		case !filepath.IsAbs(path):
			path = filepath.Join(dir, path)
			fallthrough
		default:
			if h.readsEnough(path, in) {
				s.places = append(s.places, disk.Real(path))
			}
		}
	}
	return s
}

// readsEnough reports a call that reads a file, or enough lines of one that has them.
func (h *Handlers) readsEnough(path string, in hook.Value) bool {
	if slices.ContainsFunc(h.Tables.Verify.FirstLine(), func(name string) bool { return endsBefore(path, in.Get(name).Int()) }) {
		return false
	}
	for _, name := range h.Tables.Verify.Part() {
		n := in.Get(name).Int()
		if n <= 0 || n > int64(h.Tables.Verify.Enough(int(n))) {
			continue
		}
		text, _, err := disk.ReadFile(path, mostCounted)
		return err != nil || n >= int64(h.Tables.Verify.Enough(bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))+1))
	}
	return true
}

// mostCounted is how many bytes of a file are read to count its lines. A longer file counts as one that has the line asked for.
const mostCounted = 4 << 20

// endsBefore reports a file that has fewer lines than a number.
func endsBefore(path string, line int64) bool {
	if line < 2 {
		return false
	}
	text, _, err := disk.ReadFile(path, mostCounted)
	text = bytes.TrimSuffix(text, []byte("\n"))
	return err == nil && int64(bytes.Count(text, []byte("\n")))+1 < line
}

// judges reports an event of a verifier that goes by its own type; teammates go by names.
func (h *Handlers) judges(e *hook.Event) bool {
	return events.AgentID(e) != "" && len(h.Tables.Verify.Needs(events.AgentType(e), h.verifiers())) > 0
}

// calledBy are the calls that the conversation of a sub-agent has; known says whether these and those that moai was called before are all of them.
// Clients write conversations down late, so that less than all of one says nothing.
func (h *Handlers) calledBy(e *hook.Event) (calls []monitor.ToolCall, known bool) {
	path := orText(events.AgentTranscriptPath(e), monitor.TranscriptOf(events.TranscriptPath(e), events.AgentID(e)))
	calls, whole := monitor.CallsOf(path, events.LastAssistantMessage(e))
	guard := h.recallSession(e.SessionID).Guard
	return calls, whole || guard != nil && len(guard.Tools) == len(guarded())
}

// readNothing reports a verifier that is known to have called no tool that may read.
func (h *Handlers) readNothing(e *hook.Event) bool {
	if e.Dialect != hook.Claude || !h.judges(e) {
		return false
	}
	if s := verify.Read(h.StateDir, e.SessionID); s == nil || s.HasRead(events.AgentID(e)) {
		return false
	}
	calls, known := h.calledBy(e)
	return known && !slices.ContainsFunc(calls, func(c monitor.ToolCall) bool { return !h.writes(c.Tool) })
}

// hadBefore adds what the conversation of a verifier that has ended says of what it had before it.
func (h *Handlers) hadBefore(e *hook.Event) {
	if e.Dialect != hook.Claude || !h.judges(e) {
		return
	}
	calls, known := h.calledBy(e)
	h.work(e, func(s *verify.State) (changed bool) {
		for _, c := range calls {
			if !h.writes(c.Tool) && !s.Short(events.AgentID(e), c.ID) {
				changed = s.Reads(events.AgentID(e), "", h.shows(c.Tool, hook.Value(c.Input), orText(c.Dir, e.CWD)).shown) || changed
			}
		}
		if known {
			s.Knows(events.AgentID(e))
		}
		return changed || known
	})
}

// lastMissed are the files among those that wait, by their names, that a verifier which passed them had not before it.
func lastMissed(r *verify.Run, pending []verify.Pending) (names []string) {
	for i := range pending {
		if slices.Contains(r.Missed, pending[i].File.Path) {
			names = append(names, pending[i].Rel)
		}
	}
	return names
}
