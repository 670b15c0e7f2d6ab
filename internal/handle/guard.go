package handle

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/work"
)

// pending is a verdict between guard, which is quick, and protect, which is not.
type pending struct {
	event   *hook.Event
	in      *risk.Input
	verdict risk.Verdict
	answer  hook.Answer                 // guard's own
	said    atomic.Pointer[hook.Answer] // protect's, once there is one
	unsaved atomic.Bool                 // no snapshot holds all that is in danger
	kept    atomic.Bool                 // the timeline has said what there is to say of the files that the line runs
}

// guard judges a tool call before it runs. It does no slow work: snapshots and
// the journal are protect's, so that a disk that hangs never lets a call through
// unjudged. A clean call is answered with nothing: "allow" would silence the
// user's own permission prompt.
func (h *Handlers) guard(_ context.Context, e *hook.Event) (hook.Answer, error) {
	in := h.riskInput(e)
	if in == nil || h.Tables.Risks == nil {
		h.judged(e, nil, &risk.Verdict{})
		return hook.Answer{}, nil
	}
	places := h.places(in.Root)
	rules, err := policy.Load(h.Tables.Risks, places)
	if err != nil { // a bad file among added rules takes no built-in rule away
		h.Log.Info("added rules", "err", err) // said to people when a session begins, see unread
	}
	h.loaded.Store(rules)
	in.Used = h.lent(places.Spent())
	if len(in.Command) > longLine {
		NoCollection()
	}
	v := h.judge(rules, in)
	if !h.DryRun {
		h.lend(&v)
		if err := places.Spend(&v); err != nil {
			h.Log.Warn("exception not marked as used", "err", err)
		}
	}
	if len(v.Hits) == 0 {
		h.judged(e, in, &v)
		return h.tellUnread(e, in.Mode, err), nil
	}
	a := h.says(e, in, &v)
	a.System = addSystem(a.System, h.usedExceptions(places, &v))
	a.Merge(h.tellUnread(e, in.Mode, err))
	h.pending.Store(&pending{event: e, in: in, verdict: v, answer: a})
	if v.Failed != "" {
		return a, errors.New(v.Failed)
	}
	return a, nil
}

// longLine is the length in bytes from which on collecting the garbage of a judgement costs more than NoCollection.
const longLine = 4 << 10

// judged notes that nothing is to be said about a call, and nothing to be saved.
func (h *Handlers) judged(e *hook.Event, in *risk.Input, v *risk.Verdict) {
	p := &pending{event: e, in: in, verdict: *v}
	p.said.Store(&hook.Answer{})
	h.pending.Store(p)
}

// says is the answer that a verdict comes to, but for the snapshot that it may call for.
func (h *Handlers) says(e *hook.Event, in *risk.Input, v *risk.Verdict) hook.Answer {
	a := hook.Answer{}
	switch v.Action {
	case risk.Deny:
		a.Decision, a.Reason = hook.Deny, h.reason(in, v, stopped)
		a.Suggestions = instead(v)
	case risk.Ask:
		a.Decision, a.Reason = hook.Ask, h.reason(in, v, h.asks(e))
		a.Suggestions = instead(v)
	}
	if v.Warned != risk.Allow && v.Warned != v.Action {
		a.System = h.reason(in, v, "warns (guard.mode is warn)")
	}
	return a
}

// protect takes the snapshot that the verdict calls for and writes the verdict
// down. It can only make an answer stricter.
func (h *Handlers) protect(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	p := h.pending.Load()
	if p == nil || p.event != e {
		return hook.Answer{}, nil
	}
	if p.said.Load() != nil {
		h.noteUnjudged(p)
		return hook.Answer{}, nil
	}
	a := h.save(ctx, e, p.in, &p.verdict)
	p.said.Store(&a) // before the note, which may take longer than the round has
	h.noteVerdict(e, p.in, &p.verdict, a.Decision, p.unsaved.Load())
	return a, nil
}

// Unsettled is what is still to be said about a call when time has run out, or a handler
// has failed. judged tells that guard had come to its verdict on the whole call: then only a snapshot can be
// missing. Else the answer is what the words of the call alone come to, or the part of it that could be read.
func (h *Handlers) Unsettled(e *hook.Event) (a hook.Answer, judged bool) {
	p := h.pending.Load()
	if p == nil || p.event != e {
		return h.blind(e), false
	}
	switch said := p.said.Load(); {
	case said != nil && !p.kept.Load():
		a = *said
		if in, v := h.scripts(e, true); v != nil {
			a.Merge(h.says(e, in, v))
			if v.Action == risk.Checkpoint {
				a.Merge(h.unprotected(in, v, context.DeadlineExceeded))
			}
		}
		return a, p.verdict.Failed == ""
	case said != nil:
		return *said, p.verdict.Failed == "" // again as well: what is said twice is merged into one
	case p.verdict.Action != risk.Checkpoint:
		return p.answer, p.verdict.Failed == "" // again, since guard may have been too late for the round; only the saving is missing
	}
	return h.unprotected(p.in, &p.verdict, context.DeadlineExceeded), p.verdict.Failed == ""
}

var errLate = errors.New("time ran out")

// blind judges a call without a look at the disk, which may be what time ran out for. Only
// the rules that moai comes with are asked; others are in files. It is for the moment
// in which nothing else can be done, and costs nothing before: its work is counted, so that it
// takes some milliseconds whatever the call is.
func (h *Handlers) blind(e *hook.Event) hook.Answer {
	call := h.call(e)
	if call == nil || h.Tables.Risks == nil {
		return hook.Answer{}
	}
	in := call.Blind()
	v := h.judge(h.Tables.Risks, in)
	if v.Action == risk.Checkpoint {
		return h.unprotected(in, &v, errLate)
	}
	a := h.says(e, in, &v)
	if a.Reason != "" {
		a.Reason += "\n  time ran out before moai could look at the disk, so it went by the words of the call alone"
	}
	return a
}

// places are where the user's and the project's own rules are.
func (h *Handlers) places(root string) policy.Places {
	p := h.Places
	p.Root, p.State = root, h.StateDir
	return p
}

// riskInput describes the call to package risk, with all that can be asked about it; nil
// when it is none that could be risky.
func (h *Handlers) riskInput(e *hook.Event) *risk.Input {
	in := h.call(e)
	if in == nil {
		return nil
	}
	if h.writes(e.ToolName) {
		// Many edits in a minute are a refactoring that deserves a snapshot. This one
		// counts too: it is remembered only when it is done.
		edits := &h.who(e).Edits
		in.Edits = edits.Recent(in.Now) + 1
		in.Wrote = func(path string) bool { return stillWrote(edits, path) }
	}
	if h.facts != nil {
		h.facts(in)
	} else {
		ground.New(in.Root, work.New(work.Disk)).Answer(in)
	}
	return in
}

// call is riskInput by the event alone.
func (h *Handlers) call(e *hook.Event) *risk.Input {
	tool := events.ToolInput(e)
	if e.ToolName == "" && !tool.Present() {
		return nil
	}
	in := ground.Place(e.CWD, h.Home, h.Config.String("guard.mode"), h.places(root(e)), h.now())
	in.Tool, in.Command, in.Args, in.Values = e.ToolName, tool.Get("command").Text(), []byte(tool), tool.Any
	in.Denied, in.Only = h.Config.Names("guard.tools_deny"), h.Config.Names("guard.tools_allow")
	in.Verifiers = h.verifiers()
	in.Setting = h.actionOf
	in.Session, in.Permission = e.SessionID, events.PermissionMode(e)
	in.Unattended = e.Mute || h.Config.String("guard.ask_unattended") == "deny" && h.unattended(e)
	in.Env = func(name string) (string, bool) {
		v := h.Getenv(name)
		return v, v != ""
	}
	return &in
}

// noVerify is the key by which rules about checks that are left out have their action.
const noVerify = "quality.no_verify"

// actionOf is the action that the user's settings have for the key of a rule.
func (h *Handlers) actionOf(key string) risk.Action {
	if key != noVerify {
		return risk.Ask
	}
	action, _ := rule.ParseAction(h.Config.String(noVerify))
	return action // allow is none of a rule, and the zero value
}

// writes reports whether a tool changes files by itself, by the tables of the rules.
func (h *Handlers) writes(tool string) bool {
	_, writes := h.Tables.Risks.Writes(tool)
	return writes
}

// unattended reports whether nobody can answer a question: a headless session, or
// a mode in which the client does not ask.
func (h *Handlers) unattended(e *hook.Event) bool {
	if h.absent(e) {
		return true
	}
	mode := h.Tables.Risks.Mode(events.PermissionMode(e))
	return mode != nil && mode.Unattended
}

// What a reason begins with.
const (
	stopped = "stopped"
	asks    = "asks first"
	refused = "refused, since nobody is here to ask" // what a question comes to
	doubted = "asks first, and it is refused where nobody answers"
)

// asks is the verb of the first line of a question. Where nobody can answer, the client refuses the call and says only that a hook asked, so the
// line says that it is refused. A permission mode alone does not tell whether a person is there, so the line still says that moai asks.
func (h *Handlers) asks(e *hook.Event) string {
	switch {
	case h.absent(e):
		return refused
	case h.unattended(e):
		return doubted
	}
	return asks
}

// absent reports that no person is there, by the word of the client.
func (h *Handlers) absent(e *hook.Event) bool {
	return e.Mute || h.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0"
}

// asksNow is asks for the call that is being answered; when time ran out before its verdict, it is not known whose it is.
func (h *Handlers) asksNow() string {
	if p := h.pending.Load(); p != nil {
		return h.asks(p.event)
	}
	return asks
}

// reason is what the model, or the user, reads: which rule, why, where, and what
// to run instead. A rule that fired in several places is told once.
func (h *Handlers) reason(in *risk.Input, v *risk.Verdict, verb string) string {
	var b strings.Builder
	mask := h.maskPart(in)
	list := shown(v)
	for i := range list {
		if slices.ContainsFunc(list[:i], func(other risk.Hit) bool { return other.Rule.ID == list[i].Rule.ID }) {
			continue
		}
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "moai %s: %s: %s", verb, list[i].Rule.ID, list[i].Rule.Why)
		h.spots(&b, in, list[i:], mask)
	}
	if v.Lost != "" && v.Action == risk.Deny && v.Hits[0].Rule.Action != risk.Deny {
		fmt.Fprintf(&b, "\n  not asked: in the permission mode %s %s", in.Permission, v.Lost)
	}
	for _, d := range v.Doubts {
		fmt.Fprintf(&b, "\n  not fully understood: %s", mask(d))
	}
	if verb == stopped || verb == refused || verb == doubted {
		b.WriteString("\n  do not look for another way to the same end: tell the user what you wanted to do, and why")
	}
	if ids := v.Needed(); len(ids) > 0 {
		switch {
		case v.Action == risk.Deny || verb == refused || verb == doubted:
			fmt.Fprintf(&b, "\n  only a person can allow it: moai risk allow %s --once --reason WHY", strings.Join(ids, " "))
		case v.Action == risk.Ask:
			fmt.Fprintf(&b, "\n  a person can answer it beforehand: moai risk allow %s --once --reason WHY", strings.Join(ids, " "))
			if trust := v.Hits[0].Trust(); trust != "" && len(ids) == 1 {
				fmt.Fprintf(&b, "\n  or trust that host from now on: %s", mask(trust))
			}
		}
		b.WriteString(h.lapsed(in.Root, ids))
	}
	return b.String()
}

// spots says where the rule of the first hit fired, and what to do instead there.
func (h *Handlers) spots(b *strings.Builder, in *risk.Input, list []risk.Hit, mask func(string) string) {
	var advice []string
	for i := range list {
		hit := &list[i]
		if hit.Rule.ID != list[0].Rule.ID {
			continue
		}
		detail := ""
		if hit.Detail != "" {
			detail = " (" + mask(hit.Detail) + ")"
		}
		if i == 0 {
			b.WriteString(detail)
			detail = ""
		}
		if text := h.where(in, hit); text != "" {
			fmt.Fprintf(b, "\n  where: %s%s", term.Clip(mask(text), 200), detail)
		}
		if instead := hit.Instead(); instead != "" && !slices.Contains(advice, instead) {
			advice = append(advice, instead)
		}
	}
	for _, instead := range advice {
		fmt.Fprintf(b, "\n  instead: %s", instead)
	}
}

// lapsed names the approved files whose exceptions were for one of these rules and count no more, since the
// file has changed.
func (h *Handlers) lapsed(root string, ids []string) string {
	if root == "" {
		return ""
	}
	var b strings.Builder
	var files []string
	for _, a := range h.places(root).Lapsed() {
		if !slices.ContainsFunc(ids, func(id string) bool { return risk.Named(a.Rule, id) }) || slices.Contains(files, a.File) {
			continue
		}
		files = append(files, a.File)
		fmt.Fprintf(&b, "\n  its approval no longer counts: %s has changed since; to look at it and approve it anew: moai rules trust %s",
			term.Text(a.File), term.Text(argv.Quote(a.File)))
	}
	return b.String()
}

// where is the part of the line that a rule fired on, or the tool and its file. That
// a file to be written is not there yet is said: no rule's words can know it.
func (h *Handlers) where(in *risk.Input, hit *risk.Hit) string {
	if text := strings.TrimSpace(hit.Text); text != "" || in.Command != "" {
		return text
	}
	text := command(in)
	if len(hit.Targets) == 1 && h.writes(in.Tool) && filepath.IsAbs(hit.Targets[0].Path) && !in.Exists(hit.Targets[0].Path) {
		text += " (creates it: there is no such file yet)"
	}
	return text
}

// shown are the hits worth words: those that made the verdict, three at most: each
// takes three lines, and a long command hits many. In the mode warn the action is allow,
// and what it would have been is in Warned.
func shown(v *risk.Verdict) []risk.Hit {
	top := max(v.Action, v.Warned)
	var list []risk.Hit
	for _, hit := range v.Hits {
		// What an exception lets through stops nothing.
		if hit.Allowed != nil || hit.Action != top || len(list) == 3 {
			continue
		}
		// One program in another ("npx x") is one thing to read.
		if slices.ContainsFunc(list, func(other risk.Hit) bool {
			return other.Rule.ID == hit.Rule.ID && hit.Detail == other.Detail && strings.Contains(other.Text, strings.TrimSpace(hit.Text))
		}) {
			continue
		}
		list = append(list, hit)
	}
	if len(list) == 0 {
		list = v.Hits[:1]
	}
	return list
}

// instead is the advice of the same hits, for dialects that show it apart from the reason.
func instead(v *risk.Verdict) []string {
	var list []string
	for _, hit := range shown(v) {
		if text := hit.Instead(); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// noteUnjudged writes down a command that runs while guard.mode is off, so that people can see afterwards what ran.
func (h *Handlers) noteUnjudged(p *pending) {
	if p.in == nil || p.in.Mode != risk.Off || !h.Tables.Risks.RunsCommand(p.event.ToolName) {
		return
	}
	line := h.line(p.event)
	h.noteAs(p.event, "warn", "runs unjudged: "+line, types.Unjudged{Command: line, Call: callKey(p.event)})
}

// lasting reports a part of a call that no undo of the turn takes back: it happens elsewhere, or no snapshot has what it takes.
func lasting(v *risk.Verdict, hit *risk.Hit, unsaved bool) bool {
	r := hit.Rule
	far := func(t risk.Target) bool { return !slices.Contains(v.Targets, t.Path) }
	switch {
	case hit.Away, r.Keeps+r.Beyond != "":
		return true
	case r.When.Effect != 0 && r.When.Effect&^(rule.Read|rule.Look) == 0, r.Undone:
		return false // it changes nothing, or nothing that stays
	case r.Action != risk.Checkpoint && r.Operation == "", slices.ContainsFunc(hit.Targets, far):
		return true
	}
	return unsaved
}

// cut ends a text that was cut, see [term.Clip].
const cut = "…"

// noteVerdict keeps the command, too, for moai risk log; secrets in it are masked first. Of what is unsaved an undo has nothing.
func (h *Handlers) noteVerdict(e *hook.Event, in *risk.Input, v *risk.Verdict, d hook.Decision, unsaved bool) {
	// d is protect's part of the answer; guard's own was given before.
	if v.Action == risk.Deny || v.Action == risk.Ask {
		d = max(d, map[risk.Action]hook.Decision{risk.Deny: hook.Deny, risk.Ask: hook.Ask}[v.Action])
	}
	action := v.Action
	if action == risk.Checkpoint && d >= hook.Ask { // there was no snapshot to be had
		action = map[hook.Decision]risk.Action{hook.Ask: risk.Ask, hook.Deny: risk.Deny}[d]
	}
	n := types.Decision{Rules: []string{}, Action: action.String(), Answer: d.String(), Tool: e.ToolName, Command: term.Clip(h.mask(command(in)), 500), Call: callKey(e)}
	if list := shown(v); len(list) > 0 && strings.HasSuffix(n.Command, cut) {
		n.Where = term.Clip(h.maskPart(in)(h.where(in, &list[0])), 200)
	}
	// A rule that an exception silenced is kept apart: it did fire.
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Allowed != nil {
			n.Exceptions = append(n.Exceptions, hit.Rule.ID)
			continue
		}
		if n.Rules = append(n.Rules, hit.Rule.ID); lasting(v, hit, unsaved) {
			n.Lasting = append(n.Lasting, hit.Rule.ID)
		}
	}
	if unsaved {
		n.Unsaved = &unsaved
	}
	severity := "info"
	if action >= rule.Ask {
		severity = "warn"
	}
	summary := action.String() + " " + strings.Join(n.Rules, ", ")
	if v.Warned != risk.Allow {
		severity, summary = "warn", "warned, not stopped: "+strings.Join(n.Rules, ", ")
	}
	if len(n.Exceptions) > 0 {
		summary += " by exception: " + strings.Join(n.Exceptions, ", ")
	}
	h.noteAs(e, severity, strings.Join(strings.Fields(summary), " "), n)
	if action == risk.Ask {
		if d == hook.Ask && n.Call != "" && !h.DryRun {
			h.open(e, func(o *undo.Open) bool { o.Asks(n.Call); return true })
		}
		text := "a person is asked: "
		if d == hook.Deny {
			text = "a person would have been asked: "
		}
		h.note(e, text+strings.Join(n.Rules, ", "), types.Escalation{Action: n.Answer, Rules: n.Rules, Tool: n.Tool, Command: n.Command})
	}
}
