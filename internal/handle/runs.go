package handle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// usualWait is how long clients wait for what moai registers with no time of its own, and Ahead how much earlier a run inside a hook is ended, so
// that its answer is heard.
const (
	usualWait = 10 * time.Second
	Ahead     = 3 * time.Second
)

// Runs reports that the user has programs of a project run at an event for as long as quality.run_time says.
func Runs(cfg *config.Config, event string) bool {
	switch event {
	case "PreToolUse":
		return cfg.Bool("quality.commit_run")
	case "Stop":
		return cfg.String("quality.check") != "off"
	}
	return false
}

// mostPrinted bounds what a run inside a hook may print.
const mostPrinted = 4 << 20

// testsCommit reports that the user has the tests run before a commit of which no run is known.
func (h *Handlers) testsCommit() bool { return Runs(h.Config, "PreToolUse") && !h.DryRun }

// runTime is how long a run inside the hook of an event may take. It ends before the client gives the hook up, and with it what the guard has said.
func (h *Handlers) runTime(e *hook.Event) time.Duration {
	waits := usualWait
	if h.Registered != nil {
		waits = h.Registered(e.Name)
	}
	return max(min(h.Config.Duration("quality.run_time"), waits-Ahead), 0)
}

// ran is how a run inside a hook ended.
type ran struct {
	Exit int
	Took time.Duration
	Out  *receipt.Output
	Text string
}

// run has the shell run a line of the user's or of the project's, as `moai test` does, in a group of its own and with nothing to read. The error says why
// nobody knows how it would have ended.
func (h *Handlers) run(ctx context.Context, e *hook.Event, dir, line string) (*ran, error) {
	c, err := child.Line(dir, line, nil, h.Getenv)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", line, err)
	}
	limit := h.runTime(e)
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spare)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	all := &most{left: mostPrinted}
	out := receipt.NewOutput(&h.Tables.Quality.Tests)
	c.In, c.Out, c.Err, c.Apart, c.Env = strings.NewReader(""), all, all, true, h.childEnv()
	began := time.Now()
	ended, err := c.Run(ctx)
	took := time.Since(began)
	switch {
	case err != nil:
		return nil, fmt.Errorf("run %s: %w", line, err)
	case errors.Is(ended.Cause, errMuch):
		return nil, fmt.Errorf("it printed more than %d MiB", mostPrinted>>20)
	case ended.Cause != nil:
		return nil, fmt.Errorf("it did not end within %v (quality.run_time, and then moai init)", limit.Round(time.Second))
	}
	_, _ = out.Write(all.Bytes())
	return &ran{ended.Exit, took, out, all.String()}, nil
}

// most takes so many bytes.
type most struct {
	bytes.Buffer
	left int
}

var errMuch = errors.New("too much")

func (m *most) Write(b []byte) (int, error) {
	if m.left -= len(b); m.left < 0 {
		return 0, errMuch
	}
	return m.Buffer.Write(b)
}

// shownLine is a command line as a receipt has it.
func (h *Handlers) shownLine(line string) string {
	return term.Clip(term.OneLine(h.mask(line), promptRunes), promptRunes)
}

// receiptOf is what a run inside a hook comes to.
func (h *Handlers) receiptOf(e *hook.Event, kind receipt.Kind, tree, root, line string, r *ran) *receipt.Receipt {
	none := kind == receipt.Test && r.Out.NoTests()
	return &receipt.Receipt{
		Kind: kind, Tree: tree, Command: h.shownLine(line), At: h.now().UTC(), TookMS: r.Took.Milliseconds(),
		Exit: r.Exit, Outcome: receipt.OutcomeOf(r.Exit, none || r.Out.CouldNotBegin(root)), NoTests: none, Tail: h.rules().Mask(r.Out.Tail()), Failing: r.Out.Failing(h.rules().Mask), Session: e.SessionID,
	}
}

// testNow runs the tests of a work tree, and keeps how they ended if the files are the same before and after.
func (h *Handlers) testNow(ctx context.Context, e *hook.Event, r *repo.Repo, tree string) (found *receipt.Receipt, why string) {
	line := h.TestCommand(ctx, r.WorkTree)
	out, err := h.run(ctx, e, r.WorkTree, line)
	if err != nil {
		return nil, term.OneLine(h.mask(err.Error()), promptRunes)
	}
	if h.filesOf(ctx, r) != tree || tree == "" {
		return nil, "files changed meanwhile"
	}
	found = h.receiptOf(e, receipt.Test, tree, r.WorkTree, line, out)
	if err := receipt.Put(h.StateDir, r.WorkTree, found); err != nil {
		h.Log.Warn("receipt not kept", "err", err)
	}
	return found, ""
}

// tools are how the project in a folder, and those below it, are worked on.
func (h *Handlers) tools(ctx context.Context, root string) *lang.Report {
	if h.Tables.Languages == nil {
		return nil
	}
	report, err := lang.Detect(ctx, h.Tables.Languages(), root, lang.Options{Cache: h.cacheDir(), Projects: true})
	if err != nil {
		return nil
	}
	return report
}
