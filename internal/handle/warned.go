package handle

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// warned tells the user what a turn left undone: tasks that are open, tests and builds that did not run since code was changed.
// It holds nothing up, and says each thing once for each state of it.
func (h *Handlers) warned(ctx context.Context, e *hook.Event) hook.Answer {
	todos, tests, build := h.Config.Bool("verify.todos"), h.Config.Bool("verify.tests"), h.Config.Bool("verify.build")
	if !todos && !tests && !build {
		return hook.Answer{}
	}
	m := h.recallSession(e.SessionID)
	now := map[string]string{}
	if todos {
		now["todos"] = openWords(m.openTasks())
	}
	if tests || build {
		path, at := h.lastCode(e)
		s := h.who(e)
		if tests {
			now["tests"] = ranSince("tests", "verify.tests", h.lastRun(ctx, e, receipt.Test, s.Tests, at), path, at)
		}
		if build {
			now["build"] = ranSince("the build", "verify.build", h.lastRun(ctx, e, receipt.Build, s.Built, at), path, at)
		}
	}
	var say []string
	news := false
	for _, kind := range [...]string{"todos", "tests", "build"} {
		text := now[kind]
		if text == m.Warned[kind] {
			continue
		}
		if text != "" && h.yields(e) != "" { // it comes with the next end
			now[kind] = m.Warned[kind]
			continue
		}
		news = true
		if text != "" {
			say = append(say, text)
		}
	}
	if !news {
		return hook.Answer{}
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Warned = now; return true })
	return hook.Answer{System: strings.Join(say, "\n")}
}

// openWords says which tasks are open.
func openWords(open []string) string {
	if len(open) == 0 {
		return ""
	}
	text := fmt.Sprintf("moai: %s open: %s", term.Count(len(open), "task"), term.Text(strings.Join(open[:min(len(open), shownTasks)], "; ")))
	if more := len(open) - shownTasks; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + " (verify.todos = false ends this)"
}

// lastRun is how the last run ended that is about the files as they are: the receipt for them where there is one, whoever ran it, else what the session
// remembers.
func (h *Handlers) lastRun(ctx context.Context, e *hook.Event, kind receipt.Kind, ran *session.Tests, changed time.Time) *session.Tests {
	if changed.IsZero() {
		return ran
	}
	r, err := repo.Open(root(e))
	if err != nil || r.Bare() {
		return ran
	}
	found := receipt.Find(h.StateDir, r.WorkTree, kind, h.filesOf(ctx, r))
	if found == nil || found.Outcome == receipt.Failure {
		return ran
	}
	return &session.Tests{Passed: found.Outcome == receipt.Clean, Command: found.Command, At: h.now().UTC()}
}

// codeNeed is what files need that tests and builds are about.
const codeNeed = "code"

// lastCode is the file of code that the session changed last.
func (h *Handlers) lastCode(e *hook.Event) (rel string, at time.Time) {
	return LastCode(&h.Tables.Verify, h.homes(e), h.who(e).Wrote)
}

// LastCode is the last file of code among those that a session with these homes wrote.
func LastCode(tables *verify.Tables, homes []string, wrote []session.Write) (rel string, at time.Time) {
	if tables.Agents == nil {
		return "", at
	}
	for _, w := range wrote {
		name, inside := verify.Shown(homes, w.Path)
		if !inside || !w.At.After(at) || tables.Own(strings.TrimSuffix(w.Path, name), name) {
			continue
		}
		if k := tables.Kind(&verify.File{Path: w.Path, Sum: verify.Sum(w.Path)}, name); k != nil && k.Needs == codeNeed {
			rel, at = name, w.At
		}
	}
	return rel, at
}

// ranSince says what is to be said of the last run of tests or of a build, "" for nothing.
func ranSince(what, key string, ran *session.Tests, path string, changed time.Time) string {
	is := "were"
	if strings.HasPrefix(what, "the ") {
		is = "was"
	}
	tail := " (" + key + " = false ends this)"
	switch {
	case changed.IsZero():
		return ""
	case ran == nil || ran.At.Before(changed):
		return fmt.Sprintf("moai: %s %s not run since %s was changed%s", what, is, term.Text(path), tail)
	case !ran.Passed:
		return fmt.Sprintf("moai: %s failed: %s%s", what, term.Text(ran.Command), tail)
	}
	return ""
}
