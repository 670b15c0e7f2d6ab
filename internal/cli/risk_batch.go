package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/state"
)

// batchLine is one answer of risk check --batch; DESIGN section 8 fixes it.
type batchLine struct {
	Action string   `json:"action"`
	Rules  []string `json:"rules"`
	Reason string   `json:"reason"`
	Span   [2]int   `json:"span"`
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
		root  string
	}
	known := map[string]*place{} // reading rules and settings costs more than judging
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
				p = &place{set: e.risks(root), input: e.riskInput(q.Cwd, root), root: root}
				known[q.Cwd] = p
			}
			call := p.input
			git := handle.Facts(p.root) // what was committed since the last line counts
			call.Ignored, call.Unsaved, call.Mounted = git.Ignored, git.Unsaved, git.Mounted
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
