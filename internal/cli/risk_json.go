package cli

import (
	"fmt"

	"github.com/modu-ai/moai/internal/risk"
)

// hitJSON is one rule that fired, for --json.
type hitJSON struct {
	Rule      string   `json:"rule"`
	Action    string   `json:"action"`
	Span      [2]int   `json:"span"`
	Text      string   `json:"text"`
	Why       string   `json:"why"`
	Instead   string   `json:"instead"`
	Detail    string   `json:"detail,omitempty"`
	File      string   `json:"file,omitempty"` // the file that the line runs and that says so
	Line      int      `json:"line,omitempty"`
	Via       []string `json:"via,omitempty"`
	Targets   []target `json:"targets,omitempty"`
	AllowedBy string   `json:"allowed_by,omitempty"`
	Waiting   string   `json:"unconfirmed,omitempty"` // the exception that would let it through
}

// target is a path in danger.
type target struct {
	Path    string `json:"path"`
	Class   string `json:"class"`
	Names   string `json:"names,omitempty"`
	Ignored bool   `json:"ignored,omitempty"`
}

// verdictJSON is the answer of risk check --json: the keys of a batch line, and all
// that the text shows.
type verdictJSON struct {
	Action    string    `json:"action"`
	Quiet     bool      `json:"quiet,omitempty"` // the checkpoint is taken, and the user is not told
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
	Runs      []runJSON `json:"runs,omitempty"` // with --explain
	Command   string    `json:"command"`
	Dir       string    `json:"cwd"`
}

// riskJSON keeps lists that are always there as [] and leaves the rest out: a script asks for .hits without asking
// whether there are any.
func riskJSON(in *risk.Input, v *risk.Verdict, explain bool) verdictJSON {
	out := verdictJSON{
		Action: v.Action.String(), Quiet: v.Quiet(), Rules: v.IDs(), Reason: v.Reason(), Instead: v.Instead(), Span: v.Span(), Operation: v.Operation,
		Targets: v.Targets, Vault: v.Vault, Doubts: v.Doubts, Hits: []hitJSON{}, Command: in.Command, Dir: in.Dir,
	}
	if v.Warned != risk.Allow {
		out.Warned = v.Warned.String()
	}
	if explain {
		out.Runs = runs(in, v)
	}
	for i := range v.Hits {
		h := &v.Hits[i]
		one := hitJSON{Rule: h.Rule.ID, Action: h.Action.String(), Span: h.Span, Text: h.Text, Why: h.Rule.Why, Instead: h.Instead(), Detail: h.Detail, File: h.File, Line: h.Line}
		one.Via = steps(h.Via)
		for _, t := range h.Targets {
			one.Targets = append(one.Targets, target{t.Path, t.Class.String(), t.Names.String(), t.Ignored})
		}
		if h.Allowed != nil {
			one.AllowedBy = fmt.Sprintf("%s:%d: %s", h.Allowed.File, h.Allowed.Line, h.Allowed.Reason)
		}
		if h.Unsealed != nil {
			one.Waiting = fmt.Sprintf("%s:%d: %s", h.Unsealed.File, h.Unsealed.Line, h.Unsealed.Reason)
		}
		out.Hits = append(out.Hits, one)
	}
	return out
}
