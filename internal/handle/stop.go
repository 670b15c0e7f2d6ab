package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// stop decides what the end of a turn comes to. Who has a say is asked in order, and the first that has the model go on is the
// only one that speaks: one decision, one message. What the others would have said comes with the next end.
func (h *Handlers) stop(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || events.AgentID(e) != "" {
		return hook.Answer{}, nil
	}
	all := h.loops(ctx, e) // which have a cap of their own, and are somebody's wish
	if !all.Decision.Refuses() {
		for _, ask := range []func(context.Context, *hook.Event) hook.Answer{h.tidy, h.checked, h.verified, h.warned} {
			all.Merge(ask(ctx, e))
			if all.Decision.Refuses() {
				h.letGo(e, &all)
				break
			}
		}
	}
	h.legacyStopped(e) // here, since nobody is asked behind one who has the model go on
	return all, nil
}

// shownUnverified is how many files a message names.
const shownUnverified = 10

// fewUnverified is how many are named where no verifier is installed.
const fewUnverified = 3

// verified asks whether somebody else has looked at the session's work.
func (h *Handlers) verified(ctx context.Context, e *hook.Event) hook.Answer {
	if h.Tables.Verify.Agents == nil {
		return hook.Answer{}
	}
	if h.Config.String("verify.stop") != verify.ModeOff {
		h.unended(ctx, e)
	}
	known := verify.Read(h.StateDir, e.SessionID)
	if known == nil || len(known.Files)+len(known.Commits) == 0 {
		return hook.Answer{}
	}
	now := h.now().UTC()
	turn := h.who(e).Turn
	at := &verify.Situation{
		Turn: strconv.Itoa(turn.Number), Number: turn.Number, Mode: h.Config.String("verify.stop"), Waived: h.waived(e),
	}
	if turn.Number == 0 { // a client that tells of no prompts
		at.Turn = events.PromptID(e)
	}
	if homes := h.homes(e); at.Mode != verify.ModeOff {
		known = h.arrived(e, known, homes)
		// By their names first: mostly none is left, and Git need not be asked.
		at.Pending = known.Named(&h.Tables.Verify, homes)
		if len(at.Pending) > 0 && at.Waived == "" {
			tree := verify.See(ctx, root(e), h.StateDir, h.keepsTurns(), h.began(e))
			at.Pending = known.Unverified(&h.Tables.Verify, tree.Counts(known, homes))
			h.seen.Store(tree.Look)
		}
	}
	if r := known.AtWork(at.Pending, turn.Began, now); r != nil && at.Waived == "" {
		at.Waived = r.Type + " is at work on these files"
	}
	if len(at.Pending) > 0 && at.Waived == "" {
		at.Installed = h.installed(h.settingsFolder(e))
		at.Vanished = h.vanished(e, at.Installed)
		gate := verify.GateOf(h.StateDir, root(e))
		at.Spent = gate.Spent()
	}
	var d verify.Decision
	ignored := ""
	h.work(e, func(s *verify.State) bool {
		d = s.Decide(at, now)
		if why := h.distrusted(skipVariable); why != "" && d.Does != verify.Pass && s.Tell(skipVariable) {
			ignored = why
		}
		return true
	})
	a := h.saysOf(e, known, at, &d)
	if ignored != "" {
		a.System = addSystem(a.System, []string{ignored})
	}
	return a
}

// skipVariable is how a source has verification left out.
const skipVariable = "PIPELINE_SKIP"

// saysOf puts a decision into words.
func (h *Handlers) saysOf(e *hook.Event, s *verify.State, at *verify.Situation, d *verify.Decision) hook.Answer {
	switch d.Does {
	case verify.Block:
		if err := verify.Held(h.StateDir, root(e)); err != nil {
			h.Log.Warn("block not counted", "err", err)
		}
		h.noteUnverified(e, at, d)
		return hook.Answer{Decision: hook.Block, Reason: blockText(s, at)}
	case verify.Warn:
		h.noteUnverified(e, at, d)
		return hook.Answer{System: warnText(s, at, d)}
	}
	return hook.Answer{}
}

// notedFiles bounds how many files of a look, or of a turn without one, the journal names.
const notedFiles = 30

func (h *Handlers) noteUnverified(e *hook.Event, at *verify.Situation, d *verify.Decision) {
	paths := make([]string, 0, notedFiles)
	for i := range min(len(at.Pending), notedFiles) {
		paths = append(paths, at.Pending[i].Rel)
	}
	h.note(e, string(d.Does)+": "+term.Count(len(at.Pending), "unverified file"), types.Unverified{Does: string(d.Does), Files: len(at.Pending), Why: d.Why, Paths: paths})
}

// blockText tells the model what to do, and the way out.
func blockText(s *verify.State, at *verify.Situation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "moai: %s that this session changed %s:", term.Count(len(at.Pending), "file"), waitsFor(at.Pending))
	writeFiles(&b, at.Pending)
	for _, need := range needsOf(at.Pending) {
		switch agents := agentsFor(at.Installed, need); {
		case len(agents) > 0:
			fmt.Fprintf(&b, "\nCall the sub-agent %s now, with these files and what the user asked for, and act on what it finds.", strings.Join(agents, " or "))
		case len(agentsFor(at.Vanished, need)) > 0:
			b.WriteString(goneWords(at.Vanished, need))
		default:
			fmt.Fprintf(&b, "\nNo verifier of %s is installed here: tell the user about `moai init --verify`.", need)
		}
	}
	if verify.Untold(at.Pending) {
		b.WriteString("\n" + verify.UntoldHelp)
	}
	b.WriteString(lookedWords(s, at))
	b.WriteString("\nIf it cannot run, or this is not finished, say so and end your turn: it is held up once for these files as they are.")
	return b.String()
}

// goneWords say how the definition of a verifier comes back.
func goneWords(vanished []verify.Agent, need string) string {
	a := vanished[slices.IndexFunc(vanished, func(a verify.Agent) bool { return slices.Contains(a.Needs, need) })]
	return fmt.Sprintf("\nThe definition of %s is gone since the session began: bring %s back, by `moai undo` or `git checkout -- %s`, and call it with these files and what the user asked for.",
		term.Text(a.Name), term.Text(a.File), term.Text(argv.Quote(a.File)))
}

func waitsFor(pending []verify.Pending) string {
	one := len(pending) == 1
	if slices.ContainsFunc(pending, func(p verify.Pending) bool { return p.File.Since(p.Need) != "" }) {
		return map[bool]string{true: "waits", false: "wait"}[one] + " for somebody else's look"
	}
	return map[bool]string{true: "has", false: "have"}[one] + " been looked at by nobody else"
}

// warnText tells the user what nobody looked at, and why it is let go.
func warnText(s *verify.State, at *verify.Situation, d *verify.Decision) string {
	var b strings.Builder
	fmt.Fprintf(&b, "moai: UNVERIFIED: %s:", term.Count(len(at.Pending), "file"))
	most := shownUnverified
	if d.Why == verify.NoVerifier {
		most = fewUnverified
	}
	names := make([]string, len(at.Pending))
	for i := range at.Pending {
		names[i] = at.Pending[i].Name()
	}
	b.WriteString(" " + firstFiles(names, most))
	if d.Why == verify.NoVerifier { // said once
		b.WriteString("; nobody but the agent that changed them has looked at them: moai init --verify has another agent look, moai config set verify.stop off ends this")
		return b.String()
	}
	fmt.Fprintf(&b, "\n  %s", d.Why)
	b.WriteString(lookedWords(s, at))
	if verify.Untold(at.Pending) {
		b.WriteString("\n  " + verify.UntoldHelp)
	}
	b.WriteString("\n  moai verify why; to end this: moai config set verify.stop off")
	return b.String()
}

// firstFiles names files for people, the first of them.
func firstFiles(names []string, most int) string {
	text := term.Text(strings.Join(names[:min(len(names), most)], ", "))
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// lookedWords say what became of the last look, where it was none.
func lookedWords(s *verify.State, at *verify.Situation) string {
	r := s.Since(at.Pending)
	if r == nil {
		return ""
	}
	if r.Found == verify.Passed {
		missed := lastMissed(r, at.Pending)
		if len(missed) == 0 {
			return ""
		}
		return fmt.Sprintf("\n  %s: passed, but nothing that it called or was told showed it %s", term.Text(r.Type), firstFiles(missed, shownUnverified))
	}
	return fmt.Sprintf("\n  %s: %s: %s", term.Text(r.Type), runWords(r.Found), term.Text(r.Why))
}

// runWords is what became of a verifier.
func runWords(f verify.Finding) string {
	if f == verify.Found {
		return "found what must change"
	}
	return "could not look"
}

func writeFiles(b *strings.Builder, pending []verify.Pending) {
	for i := range pending {
		if i == shownUnverified {
			fmt.Fprintf(b, "\n- and %d more: moai verify status", len(pending)-i)
			return
		}
		fmt.Fprintf(b, "\n- %s", term.Text(pending[i].Name()))
		if since := pending[i].File.Since(pending[i].Need); since != "" {
			fmt.Fprintf(b, " (%s)", term.Text(since))
		}
	}
}

func needsOf(pending []verify.Pending) (needs []string) {
	for i := range pending {
		if !slices.Contains(needs, pending[i].Need) {
			needs = append(needs, pending[i].Need)
		}
	}
	return needs
}

// agentsFor are the installed verifiers of one need.
func agentsFor(installed []verify.Agent, need string) (names []string) {
	for i := range installed {
		if slices.Contains(installed[i].Needs, need) {
			names = append(names, term.Text(installed[i].Name))
		}
	}
	return names
}

// waived says why the end of this turn is not held up for a look, "" where it is.
func (h *Handlers) waived(e *hook.Event) string {
	if why := h.yields(e); why != "" {
		return why
	}
	if h.trusted(skipVariable) == "true" {
		return skipVariable + " is true"
	}
	return ""
}

// yields says why the end of this turn is nobody's to hold up, "" where it is.
func (h *Handlers) yields(e *hook.Event) string {
	if events.PermissionMode(e) == "plan" {
		return "the session is in plan mode"
	}
	for range e.Raw("background_tasks").Items() {
		return "background work is running: the session stops again when it is done"
	}
	for woken := range e.Raw("session_crons").Items() {
		if !woken.Get("recurring").Bool() {
			return "the session will be woken at a time that it has set"
		}
	}
	if h.who(e).Turn.How == "interrupted" {
		return "the user stopped this turn"
	}
	last := events.LastAssistantMessage(e)
	switch {
	case h.Tables.Verify.FromClient(last):
		return "the turn ended with an error of the client's: " + term.OneLine(h.mask(last), promptRunes)
	case verify.Asks(last):
		return "it waits for an answer of the user"
	}
	return ""
}

// installed are the verifiers that the client would find with the settings in a folder.
func (h *Handlers) installed(folder string) []verify.Agent {
	return h.Tables.Verify.Installed(folder, h.userFolder(folder), h.verifiers())
}

// Verifiers are the verifiers that exist for a project.
func (h *Handlers) Verifiers(root string) []verify.Agent {
	return h.installed(filepath.Join(root, ".claude"))
}

// WorkOf says which files of a session count, and how people know them, outside of any event.
func (h *Handlers) WorkOf(ctx context.Context, root string, s *verify.State) func(*verify.File) (name string, counts bool) {
	self := session.Read(h.StateDir, s.Session)
	began := s.Began
	if self != nil {
		began = self.Started
	}
	return verify.See(ctx, root, h.StateDir, false, began).Counts(s, verify.Homes(root, self))
}
