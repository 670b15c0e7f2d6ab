package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// batchLine is one answer of risk check --batch; its keys are fixed, since scripts read them.
type batchLine struct {
	Action string   `json:"action"`
	Quiet  bool     `json:"quiet,omitempty"` // the checkpoint is taken, and the user is not told
	Rules  []string `json:"rules"`
	Reason string   `json:"reason"`
	Span   [2]int   `json:"span"`
}

// badLine is the answer to what is no question.
type badLine struct {
	Error string `json:"error"`
	Line  int    `json:"line"` // from 1, empty lines counted
}

// batchQuestion is one line of input.
type batchQuestion struct {
	Command string          `json:"command"`
	Cwd     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
}

// batch is one run of risk check --batch.
type batch struct {
	e      *env
	tool   string
	places map[string]*batchPlace // by cwd: reading rules and settings costs more than judging
	stops  bool                   // something would be stopped or snapshotted
}

// batchPlace is what stays the same for all questions about one folder.
type batchPlace struct {
	set   *risk.Set
	input risk.Input
}

// riskBatch answers line by line, flushing when no further line is waiting, so
// that it can be driven interactively and still be fast. A line that is no question
// is answered with an error: whoever reads answers in order must not lose count.
func (e *env) riskBatch(f *checkFlags) error {
	in := bufio.NewReaderSize(e.in, 64<<10)
	out := bufio.NewWriterSize(e.out, 64<<10)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	b := &batch{e: e, tool: f.tool, places: map[string]*batchPlace{}}
	bad := 0
	for n := 1; ; n++ {
		line, end := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var answer any
			var q batchQuestion
			if err := json.Unmarshal(line, &q); err != nil {
				bad++
				answer = badLine{"not a JSON object: " + err.Error(), n}
			} else {
				answer = b.judge(&q)
			}
			if err := enc.Encode(answer); err != nil {
				return err
			}
			// No further line waits: whoever asks one question at a time is waiting for this answer.
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if end == io.EOF {
			break
		} else if end != nil {
			return fmt.Errorf("read standard input: %w", end)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	switch {
	case bad > 0:
		return usagef("no question on %s of stdin: one is {\"command\": …}", term.Count(bad, "line"))
	case f.exitCode && b.stops:
		return errNo
	}
	return nil
}

// judge answers one question in its folder.
func (b *batch) judge(q *batchQuestion) batchLine {
	if q.Cwd == "" {
		q.Cwd = b.e.dir
	}
	switch {
	case filepath.IsAbs(q.Cwd):
		q.Cwd = filepath.Clean(q.Cwd)
	case len(q.Cwd) < 2 || q.Cwd[1] != ':': // else it is that of another system
		q.Cwd = filepath.Join(b.e.dir, q.Cwd)
	}
	p := b.places[q.Cwd]
	if p == nil {
		root := findRoot(q.Cwd, b.e.home())
		p = &batchPlace{b.e.risks(root), b.e.riskInput(q.Cwd, root)}
		b.places[q.Cwd] = p
	}
	call := p.input
	call.Command, call.Tool, call.Args = q.Command, q.Tool, q.Input
	if call.Tool == "" {
		call.Tool = b.tool
	}
	look(&call) // for each line: what was committed since the last one counts
	v := p.set.Check(&call)
	b.stops = b.stops || stops(&v)
	return batchLine{Action: v.Action.String(), Quiet: v.Quiet(), Rules: v.IDs(), Reason: v.Reason(), Span: v.Span()}
}

// stops is what --exit-code asks: also in guard.mode warn, where nothing is.
func stops(v *risk.Verdict) bool { return v.Action != risk.Allow || v.Warned != risk.Allow }
