package handle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
)

// receipts keeps how the tests and builds end that the model runs itself, and tells verifiers what is known. A line that runs neither costs a look
// for their names in it.
func (h *Handlers) receipts(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun {
		return hook.Answer{}, nil
	}
	if e.Name == "SubagentStart" {
		return h.tellVerifier(ctx, e), nil
	}
	if h.Tables.Risks == nil || h.Tables.Quality == nil || !h.Tables.Risks.RunsCommand(e.ToolName) {
		return hook.Answer{}, nil
	}
	in := events.ToolInput(e)
	line := in.Get("command").Text()
	if !h.mayRun(line) || in.Get("run_in_background").Bool() || h.stopped(e) {
		return hook.Answer{}, nil
	}
	if e.Name == "PreToolUse" {
		h.beginsRun(ctx, e, line)
		return hook.Answer{}, nil
	}
	list, untold := h.endedRuns(e)
	if untold && len(list) == 0 {
		h.firstTime(e, untoldEnd)
	}
	mark := h.runMark(e)
	var began running
	if !state.Read(mark, time.Hour, &began) {
		return hook.Answer{}, nil
	}
	_ = os.Remove(mark)
	if events.IsInterrupt(e) || events.ToolResponse(e).Get("interrupted").Bool() {
		return hook.Answer{}, nil
	}
	for _, one := range list {
		r, err := repo.Open(one.Dir)
		if one.Dir == "" || err != nil || r.Bare() {
			continue
		}
		if h.filesOf(ctx, r) != began.Tree {
			return hook.Answer{}, nil // it is not known which files it saw
		}
		h.keepReceipt(ctx, e, r, one, &began)
	}
	return hook.Answer{}, nil
}

// runMark is the file that a run leaves while it goes on.
func (h *Handlers) runMark(e *hook.Event) string {
	return state.File(filepath.Join(h.StateDir, receipt.Folder, "runs"), e.SessionID+"-"+events.ToolUseID(e))
}

// beginsRun notes the files before a line whose end may tell how its tests or builds do.
func (h *Handlers) beginsRun(ctx context.Context, e *hook.Event, line string) {
	list, _ := h.ended(e, line, false, "")
	if len(list) == 0 {
		list, _ = h.ended(e, line, true, "")
	}
	if len(list) == 0 || list[0].Dir == "" {
		return
	}
	r, err := repo.Open(list[0].Dir)
	if err != nil || r.Bare() {
		return
	}
	if name := h.filesOf(ctx, r); name != "" {
		if err := state.Write(h.runMark(e), &running{name, h.now()}); err != nil {
			h.Log.Warn("run not noted", "err", err)
		}
	}
}

// running is a run of tests whose end is to come.
type running struct {
	Tree string    `json:"tree"`
	At   time.Time `json:"at"`
}

// mayRun reports that the name of a program that tests or builds stands in a line, or the words that the user says do.
func (h *Handlers) mayRun(line string) bool {
	if own := h.Config.String("quality.test_command"); own != "" && strings.Contains(line, own) {
		return true
	}
	for i := range h.Tables.Commands {
		for _, p := range h.Tables.Commands[i].Programs {
			name, _, _ := strings.Cut(p, " ")
			if strings.Contains(line, name) {
				return true
			}
		}
	}
	return false
}

// untoldEnd marks a session in which tests ran, and where it is not known how they ended.
const untoldEnd = "receipt:pipe"

// filesOf names the files of a work tree, "" where they have no name.
func (h *Handlers) filesOf(ctx context.Context, r *repo.Repo) string {
	files, err := receipt.Look(ctx, r, r.DirCacheIn(h.StateDir))
	if err != nil {
		h.Log.Info("no receipt", "err", err)
		return ""
	}
	return files.Work()
}

// keepReceipt keeps how a run of the model's ended.
func (h *Handlers) keepReceipt(ctx context.Context, e *hook.Event, r *repo.Repo, run run, began *running) {
	out := receipt.NewOutput(&h.Tables.Quality.Tests)
	exit := 0
	if !run.Well {
		exit = 1
	}
	if e.Name == "PostToolUseFailure" {
		text := events.Error(e)
		if n := exitCode(text); n != nil && !run.Well {
			exit = *n
		}
		if !run.Well && neverRan(text, &exit) {
			exit = receipt.NoProgram
		}
		_, _ = out.Write([]byte(text))
		if len(run.Others) > 0 {
			return // which of them failed cannot be told
		}
	} else {
		for _, part := range [...]string{"stdout", "stderr"} {
			_, _ = out.Write([]byte(events.ToolResponse(e).Get(part).Text() + "\n"))
		}
	}
	none := run.Kind == receipt.Test && out.NoTests()
	one := receipt.Receipt{
		Kind: run.Kind, Tree: began.Tree, Command: term.Clip(term.OneLine(h.mask(strings.Join(run.Words, " ")), promptRunes), promptRunes), At: h.now().UTC(),
		TookMS: h.now().Sub(began.At).Milliseconds(), Exit: exit, Outcome: receipt.OutcomeOf(exit, none || out.CouldNotBegin(r.WorkTree) || out.Misnamed(run.Words)), NoTests: none,
		Tail: h.rules().Mask(out.Tail()), Failing: out.Failing(h.rules().Mask), Session: e.SessionID,
	}
	if run.Kind == receipt.Test {
		one.Part, one.Beside = h.partOf(ctx, e, r.WorkTree, &run)
	}
	if one.Part {
		h.learn(e, func(s *session.Session) {
			if s.Tests != nil && !s.Tests.At.Before(began.At) {
				s.Tests.Part = true
			}
		})
	}
	if run.Kind == receipt.Test && slices.Contains(h.who(e).Told, untoldEnd) { // how they end is known now
		h.learn(e, func(s *session.Session) {
			s.Told = slices.DeleteFunc(s.Told, func(what string) bool { return what == untoldEnd })
		})
	}
	if err := receipt.Put(h.StateDir, r.WorkTree, &one); err != nil {
		h.Log.Warn("receipt not kept", "err", err)
	}
}

func sameFolder(a, b string) bool { return disk.Real(a) == disk.Real(b) }

// partOf reports a run that may have been one of some of the tests only. beside is the project's own command where that is not known because the run was
// another one: `npx vitest` where the project has `npm test`, unless its recipe is just that.
func (h *Handlers) partOf(ctx context.Context, e *hook.Event, root string, run *run) (part bool, beside string) {
	words := &h.Tables.Quality.Tests
	if !sameFolder(run.Dir, root) || receipt.Steered(words, events.ToolInput(e).Get("command").Text()) {
		return true, ""
	}
	own := h.TestCommand(ctx, root)
	wholes, runs := h.standsFor(own, root), h.standsFor(argv.Quote(run.Words...), root)
	if len(wholes) == 0 {
		return receipt.Picks(words, nil, run.Words), ""
	}
	for _, whole := range wholes {
		for _, one := range runs {
			if !receipt.Picks(words, whole, one) {
				return false, ""
			}
		}
	}
	for _, whole := range wholes {
		if receipt.Narrows(words, run.Words) || slices.Equal(whole[:1], run.Words[:1]) {
			return true, ""
		}
	}
	return true, own
}

// standsFor lists the words of a command that runs tests, and of what a file of the project says is all that it runs of them.
func (h *Handlers) standsFor(line, root string) (list [][]string) {
	lines := h.Tables.Risks.Lines(line, root, h.Home)
	if len(lines) == 0 {
		return nil
	}
	list = lines[len(lines)-1:]
	var inside [][]string
	facts := ground.New(root, work.New(work.Disk))
	for _, words := range h.Tables.Risks.Means(line, root, h.Home, facts.Source) {
		if h.kindOf(words) == receipt.Test && !slices.Equal(words, list[0]) {
			inside = append(inside, words)
		}
	}
	if len(inside) == 1 {
		list = append(list, inside[0])
	}
	return list
}

// TestCommand is the command that runs the tests of a project, by the user's settings or as the project has it; "" for none.
func (h *Handlers) TestCommand(ctx context.Context, dir string) string {
	if own := h.Config.String("quality.test_command"); own != "" {
		return own
	}
	if h.Tables.Languages == nil {
		return ""
	}
	report, err := lang.Detect(ctx, h.Tables.Languages(), dir, lang.Options{Cache: h.cacheDir()})
	if err != nil || report.Tools.Test == nil {
		return ""
	}
	return report.Tools.Test.Command
}

// tellVerifier hands a verifier what is known of the files that it is about to look at, so that it need not run the tests again.
func (h *Handlers) tellVerifier(ctx context.Context, e *hook.Event) hook.Answer {
	if _, needs := h.verifier(e); !slices.Contains(needs, codeNeed) {
		return hook.Answer{}
	}
	r, err := repo.Open(e.CWD)
	if err != nil || r.Bare() {
		return hook.Answer{}
	}
	found := receipt.Find(h.StateDir, r.WorkTree, receipt.Test, h.filesOf(ctx, r))
	switch {
	case found.Green():
		return hook.Answer{Context: []string{fmt.Sprintf("moai: the project's tests passed on exactly these files %s (`%s`).", agoOf(h.now().Sub(found.At)), term.Text(found.Command))}}
	case found.Red():
		return hook.Answer{Context: []string{fmt.Sprintf("moai: tests failed on exactly these files %s (`%s`):\n%s", agoOf(h.now().Sub(found.At)), term.Text(found.Command), whatFailed(found))}}
	}
	return hook.Answer{}
}

// shownLines is how much of a failed run is said.
const shownLines = 12

// whatFailed is what a failed run printed, in so many lines, each of a length that people read.
func whatFailed(found *receipt.Receipt) string {
	lines := found.Lines(shownLines)
	for i := range lines {
		lines[i] = "  " + term.Clip(term.Text(lines[i]), promptRunes)
	}
	return strings.Join(lines, "\n")
}
