package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/wire"
)

// replayResult is what moai replay --json prints.
type replayResult struct {
	File    string          `json:"file"`
	Event   string          `json:"event,omitempty"`
	Dialect string          `json:"dialect,omitempty"`
	Exit    int             `json:"exit"`
	Millis  float64         `json:"took_ms"`
	Valid   bool            `json:"valid"`
	Problem string          `json:"problem,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Stdout  string          `json:"stdout,omitempty"` // only what is no JSON
	Stderr  string          `json:"stderr,omitempty"`
}

// newReplay is for whoever writes a rule or reports a bug: the payload that a client sent is evidence, and asking the
// client again costs a session.
func newReplay(e *env) *cobra.Command {
	var dialect string
	c := &cobra.Command{
		Use:   "replay FILE [EVENT]",
		Short: "Answer a recorded payload and validate the answer",
		Long: `replay sends one recorded payload ("-" for standard input) through the same code
as moai hook, and shows the answer, its exit code, how long it took, and whether
the client would accept it. It takes no snapshot and writes no state or journal.

It exits with 1 when the client would not accept the answer.`,
		Example: "  moai replay testdata/payload/claude/PreToolUse-Bash.json",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			payload, err := e.readPayload(args[0])
			if err != nil {
				return err
			}
			verb := ""
			if len(args) > 1 {
				verb = args[1]
			}
			r := e.replay(payload, verb, dialect)
			r.File = args[0]
			if e.json {
				err = e.printJSON(r)
			} else {
				e.printReplay(r)
			}
			if err == nil && !r.Valid {
				err = errNo
			}
			return err
		},
	}
	c.Flags().StringVar(&dialect, "dialect", "", "whose words the payload is in: "+dialectNames())
	return c
}

// readPayload reads one byte more than a hook takes, so that a payload that is too
// long is refused here as it is there.
func (e *env) readPayload(name string) ([]byte, error) {
	in := e.in
	if name != "-" {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(e.dir, path)
		}
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nof("there is no file %s", name)
		} else if err != nil {
			return nil, fmt.Errorf("read payload: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, wire.Limit+1))
	if err != nil {
		return nil, fmt.Errorf("read payload: %w", err)
	}
	return data, nil
}

// replay runs the hook path on a payload, in this process and without a trace.
func (e *env) replay(payload []byte, verb, dialect string) replayResult {
	var stdout, stderr bytes.Buffer
	dry := &env{
		in: bytes.NewReader(payload), out: &stdout, err: &stderr, dir: e.dir,
		getenv: e.getenv, dry: true,
		process: process{account: e.process.account}, // this process goes on after the answer
	}
	var args []string
	if verb != "" {
		args = append(args, verb)
	}
	if dialect != "" {
		args = append(args, "--dialect", dialect)
	}
	// In this process: what is measured is moai's own work, without the start that hyperfine shows better.
	started := time.Now()
	code := dry.hookHere(args)
	r := replayResult{Exit: code, Millis: float64(time.Since(started).Round(10*time.Microsecond)) / 1e6, Stderr: stderr.String()}
	// What is no JSON is shown as it came: that it is none is mostly the bug.
	if json.Valid(stdout.Bytes()) {
		r.Answer = bytes.TrimSpace(stdout.Bytes())
	} else {
		r.Stdout = stdout.String()
	}
	if err := judge(&r, payload, verb, dialect, dry, stdout.Bytes()); err != nil {
		r.Problem = err.Error()
	}
	r.Valid = r.Problem == ""
	return r
}

// hookHere is hook where the process goes on behind the answer: what hangs is left behind.
func (e *env) hookHere(args []string) int {
	codes := make(chan int, 2)
	e.exit = func(code int) { codes <- code }
	go func() { codes <- e.hook(args) }()
	return <-codes
}

// judge validates an answer. For the older dialects there is no client left to
// measure against: JSON, an object, is what is demanded.
func judge(r *replayResult, payload []byte, verb, dialect string, dry *env, stdout []byte) error {
	event, err := wire.Decode(eventTables(), bytes.NewReader(payload), wire.Asked{
		Verb: verb, Dialect: dialect, Getenv: dry.getenv,
		Getwd: func() (string, error) { return dry.dir, nil },
	})
	if err != nil {
		return err
	}
	r.Event, r.Dialect = event.Name, event.Dialect
	known := eventTables().Event(event.Name)
	if event.Dialect == hook.Claude && known != nil {
		return wire.Validate(known, wire.Output{Stdout: stdout, Stderr: []byte(r.Stderr), Exit: r.Exit})
	}
	if len(stdout) == 0 && eventTables().Adapter(event.Dialect) != nil {
		return nil // nothing to say, or a refusal by its exit code
	}
	if value, err := hook.Parse(strings.TrimSpace(string(stdout))); err != nil || !value.IsObject() {
		return fmt.Errorf("stdout is not one JSON object: %q", stdout)
	}
	return nil
}

// printReplay keeps stdout for the answer, so that it can be piped on.
func (e *env) printReplay(r replayResult) {
	style := e.style()
	verdict := style.Green("valid")
	if !r.Valid {
		verdict = style.Red("invalid: " + term.Text(r.Problem))
	}
	name := r.Event
	if name == "" {
		name = "no event"
	}
	fmt.Fprintf(e.err, "%s (%s), exit %d, %.2f ms, %s\n", term.Text(name), term.Text(r.Dialect), r.Exit, r.Millis, verdict)
	if len(r.Answer) > 0 {
		var b bytes.Buffer
		if json.Indent(&b, r.Answer, "", "  ") != nil {
			b.Write(r.Answer)
		}
		fmt.Fprintln(e.out, b.String())
	}
	fmt.Fprint(e.out, r.Stdout)
	fmt.Fprint(e.err, r.Stderr)
}
