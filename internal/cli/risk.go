package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/state"
)

func newRisk(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "risk",
		Short: "Ask the guard what it would do, and why",
		Long: `The guard judges commands and tool calls by rules. These verbs ask it without
running, creating or recording anything.`,
	}
	c.AddCommand(newRiskCheck(e), newRiskList(e), newRiskShow(e), newRiskAllow(e), newRiskLog(e))
	return c
}

// places are where the user's and the project's rules are.
func (e *env) places(root string) risk.Places {
	return risk.Places{Config: state.ConfigDir(e.getenv), Root: root, State: e.stateDir()}
}

// risks are all rules that hold in a project. Problems in added rules are told
// on stderr once; they never take a built-in rule away.
func (e *env) risks(root string) *risk.Set {
	set, err := risk.Load(risktable.Set(), e.places(root))
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(e.err, "moai: warning: %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return set
}

// riskInput describes a place to the guard as the hook does.
func (e *env) riskInput(dir, root string) risk.Input {
	mode, _ := risk.ParseMode(e.cfg(root).String("guard.mode"))
	return risk.Input{
		Dir: dir, Root: root, Home: state.Home(e.getenv), Mode: mode, Now: time.Now(),
		Fold:    runtime.GOOS == "darwin" || runtime.GOOS == "windows",
		Exists:  func(p string) bool { _, err := os.Lstat(p); return err == nil },
		Ignored: handle.Ignored(root),
		Used:    e.places(root).Spent(),
	}
}

// batchLine is one answer of risk check --batch; DESIGN section 8 fixes it.
type batchLine struct {
	Action string   `json:"action"`
	Rules  []string `json:"rules"`
	Reason string   `json:"reason"`
	Span   [2]int   `json:"span"`
}

func newRiskCheck(e *env) *cobra.Command {
	var batch, explain, exitCode bool
	var tool, dir string
	c := &cobra.Command{
		Use:   "check [flags] COMMAND [ARG…]",
		Short: "Judge a command line without running it",
		Long: `Judges one command line, or with --batch JSON lines from stdin:
{"command": "...", "cwd": "..."} in, {"action", "rules", "reason", "span"} out.
Nothing is executed, created or recorded. Options go before the command.`,
		Example: "  moai risk check 'rm -rf build && git push --force'\n  moai risk check --explain sudo bash -c 'git reset --hard'",
		RunE: func(_ *cobra.Command, args []string) error {
			if dir == "" {
				dir = e.dir
			}
			if batch {
				if len(args) > 0 {
					return usagef("--batch reads commands from stdin")
				}
				return e.riskBatch(tool)
			}
			if len(args) == 0 {
				return hint(usagef("no command given"), "moai risk check 'git reset --hard'")
			}
			line := args[0]
			if len(args) > 1 {
				line = risk.Quote(args)
			}
			root := findRoot(dir, state.Home(e.getenv))
			in := e.riskInput(dir, root)
			in.Command = line
			if tool != "" && !strings.EqualFold(tool, "Bash") {
				in.Tool = tool
				if strings.HasPrefix(line, "{") {
					in.Command, in.Args = "", []byte(line)
				}
			}
			v := e.risks(root).Check(&in)
			if e.json {
				if err := e.printJSON(riskJSON(&in, &v)); err != nil {
					return err
				}
			} else {
				e.printVerdict(&in, &v, explain)
			}
			if exitCode && (v.Action != risk.Allow || v.Warned != risk.Allow) {
				return errNo
			}
			return nil
		},
	}
	c.Flags().SetInterspersed(false)
	c.Flags().BoolVar(&batch, "batch", false, "read JSON lines from stdin, answer JSON lines")
	c.Flags().BoolVar(&explain, "explain", false, "show how each command was reached and where its paths lie")
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit 1 when something would be stopped or snapshotted")
	c.Flags().StringVar(&tool, "tool", "", "judge the input of this tool (JSON) instead of a Bash command")
	c.Flags().StringVar(&dir, "cwd", "", "judge as if in this folder")
	return c
}

// riskBatch answers line by line, flushing when no further line is waiting, so
// that it can be driven interactively and still be fast.
func (e *env) riskBatch(tool string) error {
	in := bufio.NewReaderSize(e.in, 64<<10)
	out := bufio.NewWriterSize(e.out, 64<<10)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	type place struct {
		set   *risk.Set
		input risk.Input
	}
	known := map[string]*place{}
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var q struct {
				Command string          `json:"command"`
				Cwd     string          `json:"cwd"`
				Tool    string          `json:"tool_name"`
				Input   json.RawMessage `json:"tool_input"`
			}
			if bad := json.Unmarshal(line, &q); bad != nil {
				return fmt.Errorf("line %d of stdin is not JSON: %w", n, bad)
			}
			if q.Cwd == "" {
				q.Cwd = e.dir
			}
			p := known[q.Cwd]
			if p == nil {
				root := findRoot(q.Cwd, state.Home(e.getenv))
				p = &place{set: e.risks(root), input: e.riskInput(q.Cwd, root)}
				known[q.Cwd] = p
			}
			call := p.input
			call.Command, call.Tool, call.Args = q.Command, q.Tool, q.Input
			if tool != "" && call.Tool == "" {
				call.Tool = tool
			}
			v := p.set.Check(&call)
			if err := enc.Encode(batchLine{Action: v.Action.String(), Rules: v.IDs(), Reason: v.Reason(), Span: v.Span()}); err != nil {
				return err
			}
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if err != nil {
			break
		}
	}
	return out.Flush()
}

// hitJSON is one rule that fired, for --json.
type hitJSON struct {
	Rule      string   `json:"rule"`
	Action    string   `json:"action"`
	Span      [2]int   `json:"span"`
	Text      string   `json:"text"`
	Why       string   `json:"why"`
	Instead   string   `json:"instead"`
	Detail    string   `json:"detail,omitempty"`
	Via       []string `json:"via,omitempty"`
	Targets   []target `json:"targets,omitempty"`
	AllowedBy string   `json:"allowed_by,omitempty"`
}

type target struct {
	Path    string `json:"path"`
	Class   string `json:"class"`
	Names   string `json:"names,omitempty"`
	Ignored bool   `json:"ignored,omitempty"`
}

type verdictJSON struct {
	Action    string    `json:"action"`
	Warned    string    `json:"warned,omitempty"`
	Rules     []string  `json:"rules"`
	Reason    string    `json:"reason"`
	Instead   string    `json:"instead,omitempty"`
	Span      [2]int    `json:"span"`
	Operation string    `json:"operation,omitempty"`
	Targets   []string  `json:"targets,omitempty"`
	Vault     []string  `json:"vault,omitempty"`
	Doubts    []string  `json:"doubts,omitempty"`
	Hits      []hitJSON `json:"hits"`
	Command   string    `json:"command"`
	Dir       string    `json:"cwd"`
}

func riskJSON(in *risk.Input, v *risk.Verdict) verdictJSON {
	out := verdictJSON{
		Action: v.Action.String(), Rules: v.IDs(), Reason: v.Reason(), Instead: v.Instead(), Span: v.Span(), Operation: v.Operation,
		Targets: v.Targets, Vault: v.Vault, Doubts: v.Doubts, Hits: []hitJSON{}, Command: in.Command, Dir: in.Dir,
	}
	if v.Warned != risk.Allow {
		out.Warned = v.Warned.String()
	}
	for i := range v.Hits {
		h := &v.Hits[i]
		one := hitJSON{Rule: h.Rule.ID, Action: h.Action.String(), Span: h.Span, Text: h.Text, Why: h.Rule.Why, Instead: h.Rule.Instead, Detail: h.Detail}
		for _, s := range h.Via {
			one.Via = append(one.Via, s.Name)
		}
		for _, t := range h.Targets {
			one.Targets = append(one.Targets, target{t.Path, t.Class.String(), t.Names.String(), t.Ignored})
		}
		if h.Allowed != nil {
			one.AllowedBy = fmt.Sprintf("%s:%d: %s", h.Allowed.File, h.Allowed.Line, h.Allowed.Reason)
		}
		out.Hits = append(out.Hits, one)
	}
	return out
}

// riskLog is one line of moai risk log.
type riskLogLine struct {
	Time    time.Time       `json:"time"`
	Summary string          `json:"summary"`
	Details json.RawMessage `json:"details,omitempty"`
}

func newRiskLog(e *env) *cobra.Command {
	var last int
	c := &cobra.Command{
		Use:   "log",
		Short: "List what the guard stopped, snapshotted and let through by exception",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var list []riskLogLine
			_, err := journal.Read(state.JournalPath(e.stateDir(), e.projectRoot()), func(ev journal.Event) error {
				if ev.Type == "decision" && (strings.Contains(string(ev.Details), `"rules"`) || strings.Contains(string(ev.Details), `"exception"`)) {
					list = append(list, riskLogLine{ev.Created, ev.Summary, ev.Details})
				}
				return nil
			})
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			if last > 0 && len(list) > last {
				list = list[len(list)-last:]
			}
			if e.json {
				if list == nil {
					list = []riskLogLine{}
				}
				return e.printJSON(list)
			}
			if len(list) == 0 {
				fmt.Fprintln(e.err, "nothing was stopped in this project yet")
			}
			for _, l := range list {
				var call struct {
					Command string `json:"command"`
				}
				_ = json.Unmarshal(l.Details, &call) // a line without a command is shown all the same
				fmt.Fprintf(e.out, "%s  %s  %s\n", l.Time.Local().Format("2006-01-02 15:04:05"), l.Summary, e.style().Dim(call.Command))
			}
			return nil
		},
	}
	c.Flags().IntVarP(&last, "last", "n", 0, "show only the last so many")
	return c
}
