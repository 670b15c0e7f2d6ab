package handle

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/shell"
)

// run is a build or tests of a line, and how they ended.
type run struct {
	Kind   receipt.Kind
	Words  []string
	Dir    string
	Well   bool
	Others []string // programs of the line that may have failed instead
}

// kindOf is what a command is a run of, "" for nothing.
func (h *Handlers) kindOf(words []string) receipt.Kind {
	switch risk.Kind(h.Tables.Commands, words) {
	case types.TestFailed{}.Entry().Name:
		return receipt.Test
	case types.BuildFailed{}.Entry().Name:
		return receipt.Build
	}
	if own := h.Config.String("quality.test_command"); own != "" && slices.Equal(strings.Fields(own), words) {
		return receipt.Test
	}
	return ""
}

// ended lists the builds and tests of a line of which it is known how they ended, by how the line did and by what was printed. untold reports that
// tests ran and nothing says how they ended: behind them stood a pipe, "|| true", another command.
func (h *Handlers) ended(e *hook.Event, line string, failed bool, output string) (list []run, untold bool) {
	var doubts []run // builds and tests, one of which failed, or what stands behind them
	var ill []run    // that failed, unless they did not run
	others, blamed := false, false
	ran := failed && h.testsRan(output)
	for _, p := range h.Tables.Risks.Ended(line, e.CWD, h.Home, failed) {
		one, f := run{Kind: h.kindOf(p.Words), Words: p.Words, Dir: p.Dir}, p.Fate
		switch {
		case f.Never:
		case f.End == shell.Suspect && one.Kind == "":
			others = others || !h.Tables.Risks.Seldom(p.Words)
			blamed = blamed || saysOf(output, p.Words)
		case one.Kind == "":
		case f.End == shell.Suspect:
			doubts = append(doubts, one)
		case f.End == shell.Well && f.Ran == shell.Surely:
			one.Well = true
			list = append(list, one)
		case f.End == shell.Ill && (f.Ran == shell.Surely || f.Ran == shell.Likely && !blamed || one.Kind == receipt.Test && ran):
			one.Others = programs(doubts)
			list, doubts = append(list, one), nil
		case f.End == shell.Ill:
			ill = append(ill, one)
		case one.Kind == receipt.Test:
			untold = true
		}
	}
	// "make && make test" that printed nothing of tests: it is the build, if it is one of both.
	if len(doubts) > 0 && len(ill) > 0 && !others && !blamed {
		one := doubts[0]
		one.Others = append(programs(doubts[1:]), programs(ill)...)
		return append(list, one), untold
	}
	isTest := func(r run) bool { return r.Kind == receipt.Test }
	return list, untold || slices.ContainsFunc(doubts, isTest) || ran && slices.ContainsFunc(ill, isTest)
}

func programs(list []run) (names []string) {
	for _, r := range list {
		names = append(names, risk.Program(r.Words))
	}
	return names
}

// saysOf reports that an output has a complaint of a command: its name, or what it was given, with a colon behind.
func saysOf(output string, words []string) bool {
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return w != "" && strings.Contains(output, w+": ") })
}

// testsRan reports that an output says that tests ran.
func (h *Handlers) testsRan(output string) bool {
	if h.Tables.Quality == nil {
		return false
	}
	out := receipt.NewOutput(&h.Tables.Quality.Tests)
	_, _ = out.Write([]byte(output))
	return out.Ran()
}

// endedRuns is ended for an event that tells of a line behind its run.
func (h *Handlers) endedRuns(e *hook.Event) (list []run, untold bool) {
	line := events.ToolInput(e).Get("command").Text()
	if !h.mayRun(line) {
		return nil, false
	}
	return h.ended(e, line, e.Name == "PostToolUseFailure", events.Error(e))
}
