package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// lineWait is how long a status line is waited for: it prints its last one again long before.
const lineWait = 3 * time.Second

// statusLine checks the status line that is registered: that the client shows it, and that it is answered.
func statusLine(e *Env) Result {
	r := Result{Detail: "moai's is not registered (moai init --statusline)"}
	shown := false
	for i, f := range e.Files {
		l := lineOf(f)
		if l == nil || !l.Own {
			continue
		}
		shown = true
		item := Item{Name: f.Path}
		item.Status, item.Detail = e.tryLine(f, l)
		if item.Status != OK {
			r.Fix = f.Init
		}
		for _, later := range e.Files[i+1:] { // the last one counts
			if other := lineOf(later); other != nil && !other.Own {
				item.Status, item.Detail = Warn, fmt.Sprintf("%s:%d names another status line, which the client shows", later.Path, other.At)
				r.Fix = edit(e, later.Path)
			}
		}
		r.Items = append(r.Items, item)
	}
	if r = sum(r); shown {
		r.Detail = "registered and answered: " + r.Items[0].Detail
		if r.Status != OK {
			r.Detail = "the line below the prompt is not what it should be"
		}
	}
	return r
}

// lineOf is the status line that a file names, nil for none and where the client reads nothing of it.
func lineOf(f File) *settings.Line {
	if f.File == nil || settings.Skipped(f.File.Data) != nil {
		return nil
	}
	l, err := settings.StatusLine(f.File.Data)
	if err != nil {
		return nil // said by the check of settings
	}
	return l
}

// tryLine asks for one line, as the client would.
func (e *Env) tryLine(f File, l *settings.Line) (Status, string) {
	reg := registered{Entry: settings.Entry{Program: l.Program, ByName: l.ByName}, file: f}
	if !l.ByName {
		reg.Shell = l.Command
	}
	program := expand(l.Program, e.Project)
	if l.ByName || !strings.ContainsAny(program, `/\`) {
		program = OnPath(program, e.Environ)
	}
	if why := e.strange(reg); why != "" {
		return Warn, "not tried: " + why
	}
	if _, err := os.Stat(program); err != nil {
		return Fail, l.Program + " cannot be found, so there is no line"
	}
	place, err := json.Marshal(map[string]any{"workspace": map[string]string{"current_dir": e.Project, "project_dir": e.Project}})
	if err != nil {
		return Warn, "not tried: " + plain(err)
	}
	out, err := start([]string{program, "statusline"}, e.hookEnviron(), e.Project, place, lineWait)
	switch {
	case err != nil:
		return Fail, "gives no line: " + plain(err)
	case out.Exit != 0 || len(bytes.TrimSpace(out.Stdout)) == 0:
		return Fail, fmt.Sprintf("gives no line: exit code %d %s", out.Exit, head(string(out.Stderr)))
	}
	if data, err := settings.PlanLine(f.File.Data, f.Want); err == nil && !bytes.Equal(data, f.File.Data) {
		return Warn, "another program than the one that would be registered: " + head(l.Command)
	}
	return OK, head(term.Plain(string(out.Stdout)))
}
