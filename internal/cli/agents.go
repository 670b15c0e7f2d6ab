package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// newAgents reads what the journal tells of sub-agents, which is the only record.
func newAgents(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:     "agents",
		Aliases: []string{"agent"},
		Short:   "Tell what sub-agents did: how long, at what cost, with what end",
		Long: `Sub-agents of this project's sessions, as the journal has them. Each is known by
its own id, so that several of one type at once are told apart. Tokens are those
that its last answer took in and gave, as the client counts them.`,
		Example: "  moai agents list --since yesterday\n  moai agents stats\n  moai agents show a5239ee3 --prompt",
	}
	c.AddCommand(newAgentsList(e), newAgentsStats(e), newAgentsShow(e))
	return c
}

// agentJSON is a run for programs.
type agentJSON struct {
	*monitor.Run
	TookMS int64 `json:"duration_ms,omitempty"`
	// Told is its prompt, whole, where that was asked for.
	Told string `json:"full_prompt,omitempty"`
}

func agentOf(r *monitor.Run) agentJSON { return agentJSON{Run: r, TookMS: r.Took().Milliseconds()} }

// agentsRead bounds how much of a journal is gone through where nobody said from when on: it takes a second or two. By default a journal
// is no longer than that; see journal.keep_mb.
const agentsRead = 256 << 20

// runs are the sub-agents that the journal tells of since then, the oldest first.
func (e *env) runs(since time.Time, most int64) ([]monitor.Run, journal.Known, error) {
	var log monitor.Log
	q := &journal.Query{Since: since, Newest: most, Types: []string{
		types.AgentCalled{}.Entry().Name, types.Types[types.From("SubagentStart")].Name, types.AgentDeactivated{}.Entry().Name, types.Types[types.From("PostToolUseFailure")].Name,
		types.ToolStopped{}.Entry().Name, types.AgentReturned{}.Entry().Name,
	}}
	known, err := q.Run(state.JournalPath(e.stateDir(), e.projectRoot()), func(ev *journal.Event) error {
		take(&log, ev)
		return nil
	})
	if errors.Is(err, os.ErrNotExist) { // nothing has happened yet
		err = nil
	}
	return log.Runs(), known, unreadJournal(err)
}

// costs looks up what the hook could not know yet, since clients write the last answer down a moment after it.
func costs(list []monitor.Run) {
	for i := range list {
		r := &list[i]
		if !r.Over() || r.Tokens > 0 || r.Transcript == "" {
			continue
		}
		c := monitor.ReadTranscript(r.Transcript)
		r.Tokens, r.Model = c.Tokens, cmp.Or(c.Model, r.Model)
		r.Stopped(c.Ended)
	}
}

// take hands an entry of the journal on. What was written by hand has no ids, and says nothing here.
func take(log *monitor.Log, ev *journal.Event) {
	var d struct {
		types.AgentDeactivated
		DurationMS           int `json:"duration_ms"`
		Prompt, Caller, Name string
		ToolName             string `json:"tool_name"`
	}
	if json.Unmarshal(ev.Details, &d) != nil {
		return
	}
	r := monitor.Run{Agent: d.AgentID, Type: d.AgentType, Session: ev.Session, Turn: ev.Turn, Started: ev.Created}
	switch {
	case ev.Type == (types.AgentCalled{}).Entry().Name && d.ToolUseID != "":
		r.Call, r.Prompt, r.Caller = d.ToolUseID, d.Prompt, d.Caller
		log.Asked(r, d.Name)
	case d.ToolName != "":
		why, failed := strings.CutPrefix(ev.Summary, d.ToolName+" failed: ")
		if !failed {
			why = strings.TrimPrefix(why, d.ToolName+" ")
		}
		log.Refused(ev.Session, d.ToolUseID, why, ev.Created)
	case d.AgentID == "":
	case ev.Type == (types.AgentReturned{}).Entry().Name:
		r.Call, r.Model = d.ToolUseID, d.Model
		if d.Tokens != nil {
			r.Tokens = *d.Tokens
		}
		log.Returned(r, time.Duration(d.DurationMS)*time.Millisecond)
	case ev.Type == (types.AgentDeactivated{}).Entry().Name:
		r.Ended, r.Call, r.Model, r.Transcript, r.Why = ev.Created, d.ToolUseID, d.Model, d.AgentTranscriptPath, d.Error
		r.State = monitor.Done
		switch {
		case d.Error != "":
			r.State = monitor.Failed
		case d.Empty != nil && *d.Empty:
			r.State = monitor.Empty
		}
		if d.Tokens != nil {
			r.Tokens = *d.Tokens
		}
		began, _ := time.Parse(time.RFC3339Nano, d.StartedAt) // of lines of older versions nothing is known
		stopped, _ := time.Parse(time.RFC3339Nano, d.EndedAt)
		log.Answered(r, began, stopped)
	default:
		log.Began(r)
	}
}

// picked are the runs that were asked for.
func (e *env) picked(c *cobra.Command, pick *picks) ([]monitor.Run, error) {
	if err := pick.read(c); err != nil {
		return nil, err
	}
	most := int64(agentsRead)
	if !pick.from.IsZero() {
		most = 0
	}
	list, known, err := e.runs(pick.from, most)
	if err != nil {
		return nil, err
	}
	if most > 0 && !known.Whole {
		fmt.Fprintf(e.err, "moai: only the newest %d MB of the journal were read; with --since all from then on\n", agentsRead>>20)
	}
	list = slices.DeleteFunc(list, func(r monitor.Run) bool { return !pick.fits(r.Started, r.Session) })
	if over := len(list) - pick.last; pick.last > 0 && over > 0 {
		list = list[over:]
	} else if known.Trimmed && known.Whole {
		fmt.Fprintln(e.err, "moai: the journal of this project begins at", known.From.Local().Format(time.DateTime))
	}
	costs(list)
	if len(list) == 0 && pick.session != "" {
		if err := unheard(state.JournalPath(e.stateDir(), e.projectRoot()), pick.session); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(e.err, "moai: no sub-agent is known"+term.Text(pick.none()))
	}
	return list, nil
}

func newAgentsList(e *env) *cobra.Command {
	var pick picks
	c := &cobra.Command{
		Use:   "list",
		Short: "List the sub-agents, the oldest first",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := e.picked(c, &pick)
			if err != nil {
				return err
			}
			return e.listAgents(list)
		},
	}
	pick.flags(e, c, "last so many")
	// Completion fails only for options that do not exist.
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// listAgents prints runs, a line each.
func (e *env) listAgents(list []monitor.Run) error {
	if e.json {
		out := make([]agentJSON, len(list))
		for i := range list {
			out[i] = agentOf(&list[i])
		}
		return e.printJSON(out)
	}
	for i := range list {
		r := &list[i]
		head := e.style().Dim(r.Started.Local().Format(time.DateTime)) + " " + e.agentState(r) + fmt.Sprintf("%8s  ", tookText(r)) +
			term.Pad(term.Text(orDash(r.Type)), 16)
		text := r.Prompt
		if r.Why != "" {
			text = r.Why
		}
		e.entry(head, strings.TrimRight(term.Pad(term.Text(agentID(r)), 18)+" "+term.Text(text), " "))
	}
	return nil
}

// agentID is the id by which a run can be asked for.
func agentID(r *monitor.Run) string {
	if r.Agent != "" {
		return r.Agent
	}
	return r.Call
}

// agentState is a word of one width. One that runs in a session that does not has no end that anybody saw.
func (e *env) agentState(r *monitor.Run) string {
	word := string(r.State)
	switch r.State {
	case monitor.Failed:
		return e.style().Red(term.Pad(word, 8))
	case monitor.Empty:
		return e.style().Yellow(term.Pad(word, 8))
	case monitor.Running:
		if e.abandoned(r) {
			return e.style().Dim(term.Pad("left", 8))
		}
		return e.style().Green(term.Pad(word, 8))
	}
	return term.Pad(word, 8)
}

// abandoned reports a run whose session is over, or unknown.
func (e *env) abandoned(r *monitor.Run) bool {
	s := session.Read(e.stateDir(), r.Session)
	return s == nil || s.Standing(time.Now()) != session.Running
}

// tookText is a time of work for people, "-" where there is none.
func tookText(r *monitor.Run) string {
	if r.Agent == "" || !r.Over() {
		return "-"
	}
	return workTime(r.Took())
}

func workTime(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// groupJSON is a group for programs.
type groupJSON struct {
	*monitor.Group
	MeanMS int64 `json:"mean_ms"`
	P50MS  int64 `json:"p50_ms"`
	P95MS  int64 `json:"p95_ms"`
}

func groupOf(g *monitor.Group) groupJSON {
	return groupJSON{g, g.Mean.Milliseconds(), g.P50.Milliseconds(), g.P95.Milliseconds()}
}

func newAgentsStats(e *env) *cobra.Command {
	var pick picks
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count them by type: times, failures, empty answers, tokens, models",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := e.picked(c, &pick)
			if err != nil {
				return err
			}
			by, all := monitor.Stats(list)
			if e.json {
				out := []groupJSON{}
				for i := range by {
					out = append(out, groupOf(&by[i]))
				}
				return e.printJSON(map[string]any{"types": out, "all": groupOf(&all)})
			}
			if len(by) > 0 {
				e.statsTable(by, &all)
			}
			return nil
		},
	}
	pick.flags(e, c, "last so many")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// The heads of two parts of a row, which stand below each other, and below the type, in a narrow terminal.
const (
	kindTimes = " runs    mean     p50     p95"
	whatCame  = " failed  empty   tokens  models"
)

// statsTable prints the groups, and their sum where there are several.
func (e *env) statsTable(by []monitor.Group, all *monitor.Group) {
	row := func(kind, times, text string) { e.row("  %s %s %s", term.Pad(kind, 20), times, text) }
	switch n := e.columns(); {
	case n > 0 && n < 23+len(kindTimes):
		row = func(kind, times, text string) {
			e.row("  %s", kind)
			e.row("    %s", times)
			e.row("    %s", text)
		}
	case n > 0 && n < 20+len(kindTimes)+len(whatCame)+10: // for the names of models
		row = func(kind, times, text string) {
			e.row("  %s %s", term.Pad(kind, 20), times)
			e.row("    %s", text)
		}
	}
	bold := e.style().Bold
	row(bold(term.Pad("type", 20)), bold(kindTimes), bold(whatCame))
	line := func(name string, g *monitor.Group) {
		running := ""
		if g.Running > 0 {
			running = fmt.Sprintf("  (%d not ended)", g.Running)
		}
		mean, p50, p95 := "-", "-", "-"
		if g.Count > g.Running && g.P95 > 0 {
			mean, p50, p95 = workTime(g.Mean), workTime(g.P50), workTime(g.P95)
		}
		tokens := "-"
		if g.Tokens > 0 {
			tokens = strconv.Itoa(g.Tokens)
		}
		row(term.Text(name), fmt.Sprintf("%5d %7s %7s %7s", g.Count, mean, p50, p95),
			fmt.Sprintf("%7d %6d %8s  %s%s", g.Failed, g.Empty, tokens, term.Text(strings.Join(g.Models, ", ")), running))
	}
	for i := range by {
		line(orDash(by[i].Type), &by[i])
	}
	if len(by) > 1 {
		line("all", all)
	}
}

func newAgentsShow(e *env) *cobra.Command {
	var prompt bool
	c := &cobra.Command{
		Use:   "show ID|TYPE",
		Short: "Show a sub-agent by its id or that of its call, or all of a type",
		Long: `Shows one sub-agent, or lists those of one type. With --prompt what it was told, all
of it and without secrets: from the journal where journal.prompts is full, else from
the client's own transcript as long as that is there.`,
		Example: "  moai agents show a5239ee3 --prompt\n  moai agents show heimdall",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			found, byType, err := e.agentRuns(args[0])
			if err != nil {
				return err
			}
			costs(found)
			if byType && prompt {
				return hint(usagef("--prompt is of one sub-agent, and %s is a type", args[0]), "moai agents show "+argv.Quote(args[0]))
			}
			if byType {
				return e.listAgents(found)
			}
			r := &found[0]
			told := ""
			if prompt {
				if told = risks.Set().Mask(monitor.ReadTranscript(r.Transcript).Prompt); told == "" {
					told = r.Prompt
				}
			}
			if e.json {
				out := agentOf(r)
				out.Told = told
				return e.printJSON(out)
			}
			e.showAgent(r, prompt, told)
			return nil
		},
	}
	c.Flags().BoolVar(&prompt, "prompt", false, "also what it was told, whole")
	return c
}

// agentRuns finds the last run of an agent or a call, else all runs of a type.
func (e *env) agentRuns(name string) (found []monitor.Run, byType bool, err error) {
	// Most often it is a late one; what is older is read only where it is none.
	for _, most := range [...]int64{agentsRead, 0} {
		list, known, err := e.runs(time.Time{}, most)
		if err != nil {
			return nil, false, err
		}
		if found = runsNamed(list, name); len(found) == 0 {
			found, byType = runsOf(list, name), true
		}
		if len(found) > 0 || known.Whole {
			break
		}
	}
	switch {
	case len(found) == 0:
		return nil, false, hint(nof("there is no sub-agent %s, and none of that type", name), "moai agents list")
	case len(found) > 1 && !byType:
		return nil, false, hint(nof("%d sub-agents begin with %s", len(found), name), "moai agents list")
	}
	return found, byType, nil
}

// runsOf are the runs of a type.
func runsOf(list []monitor.Run, kind string) (found []monitor.Run) {
	for i := range list {
		if strings.EqualFold(list[i].Type, kind) {
			found = append(found, list[i])
		}
	}
	return found
}

// runsNamed are those of which the id, or that of the call, is this one, else begins so.
func runsNamed(list []monitor.Run, id string) (found []monitor.Run) {
	for _, r := range list {
		switch {
		case r.Agent == id || r.Call == id:
			found = []monitor.Run{r}
		case len(found) > 0 && (found[0].Agent == id || found[0].Call == id): // the name itself goes before longer ones
		case strings.HasPrefix(r.Agent, id) || strings.HasPrefix(r.Call, id):
			if len(found) > 0 && r.Agent != "" && found[len(found)-1].Agent == r.Agent { // spoken to again
				found = found[:len(found)-1]
			}
			found = append(found, r)
		}
	}
	return found
}

func (e *env) showAgent(r *monitor.Run, prompt bool, told string) {
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(e.out, "%s %s\n", term.Pad(label, 12), text)
		}
	}
	at := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05.000") }
	fmt.Fprintln(e.out, e.style().Bold(term.Text(agentID(r)))+"  "+strings.TrimRight(e.agentState(r), " "))
	line("type", term.Text(r.Type))
	line("why", term.Text(r.Why))
	if r.Agent != "" {
		line("call", term.Text(r.Call))
	}
	line("called by", term.Text(r.Caller))
	line("session", fmt.Sprintf("%s, turn %d", term.Text(r.Session), r.Turn))
	line("began", at(r.Started))
	if r.Over() {
		line("ended", at(r.Ended)+", after "+workTime(r.Took()))
	}
	line("model", term.Text(r.Model))
	if r.Tokens > 0 {
		line("tokens", fmt.Sprint(r.Tokens))
	}
	line("transcript", term.Name(r.Transcript))
	if !prompt {
		line("told", term.OneLine(term.Text(r.Prompt), 500))
		return
	}
	if told == "" {
		fmt.Fprintln(e.err, "moai: what it was told is not known: journal.prompts keeps nothing of it, and the transcript is gone")
		return
	}
	fmt.Fprintf(e.out, "\n%s\n", told)
}
