package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modu-ai/moai/internal/live"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// Drive has an agent's own program work in a home and a project that are thrown away, with a model that asks it to delete that home.
type Drive func(a *Agent, home, project string) (*live.Seen, error)

// liveAgents drives each agent that is here, as it is registered, and says what came of the worst command.
func liveAgents(e *Env) Result {
	r := Result{}
	driven, held := 0, 0
	for i := range e.Driven {
		a := &e.Driven[i]
		item := Item{Name: a.Title, Tell: true}
		if why := e.undriven(a); why != "" {
			item.Status, item.Detail = Skip, "not driven: "+why
			if a.Named {
				item.Status = Warn
			}
		} else {
			driven++
			seen, err := e.driven(a)
			if errors.Is(err, context.Canceled) {
				r.Items = append(r.Items, Item{Name: a.Title, Status: Warn, Detail: "interrupted"})
				break
			}
			if err != nil {
				item.Status, item.Detail = Warn, "could not be driven: "+term.OneLine(err.Error(), maxLine)
			} else if item.Status, item.Detail = Judge(seen); item.Status == OK {
				held++
			}
			item.Detail = a.version() + item.Detail
		}
		if item.Status == Fail && r.Fix == "" {
			if r.Fix = "moai init --agent " + a.Name; a.Same && a.Trusted {
				r.Fix = e.mend()
			}
		}
		r.Items = append(r.Items, item)
	}
	r = sum(r)
	switch {
	case driven == 0:
		if r.Status == OK {
			r.Status = Skip
		}
		r.Detail = "no agent could be driven"
	case held == driven:
		r.Detail = fmt.Sprintf("driven with a scripted model: %s, and what would have deleted a home was refused", term.Count(driven, "agent"))
	default:
		r.Detail = fmt.Sprintf("driven with a scripted model: %s, and %d of them seen to refuse what would have deleted a home", term.Count(driven, "agent"), held)
	}
	return r
}

// maxLine bounds what of a program's words is told, in characters.
const maxLine = 160

// undriven says why an agent is not driven, "" if it is.
func (e *Env) undriven(a *Agent) string {
	switch {
	case a.Program == "":
		return "there is no program " + strings.Join(a.Install.Programs, ", ") + " on PATH (--agent " + a.Name + "=PATH names one)"
	case a.Live == nil:
		return a.Install.Undriven
	case runtime.GOOS == "windows":
		return "on Windows that was never tried"
	case inside(e.Project, a.Program) && !a.Named:
		return a.Program + " came with the project"
	case a.Err != nil:
		return a.Err.Error()
	case a.Local:
		return "it is registered in this project alone, and " + a.Path + " may be a stranger's"
	case !a.Own:
		return "it does not call moai (moai init --agent " + a.Name + ")"
	}
	if _, err := os.Stat(filepath.Join(a.Folder, filepath.FromSlash(a.Live.Needs))); a.Live.Needs != "" && err != nil {
		return "it has not been started here yet: " + filepath.Join(a.Folder, a.Live.Needs) + " is missing"
	}
	return ""
}

// driven makes a home in which the agent is registered as in the user's own, and has it driven there.
func (e *Env) driven(a *Agent) (seen *live.Seen, err error) {
	top, err := os.MkdirTemp("", live.Prefix)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	if top, err = filepath.EvalSymlinks(top); err != nil { // the agent knows its folder by the name that it has
		return nil, err
	}
	place := &live.Place{Home: filepath.Join(top, "home"), Project: filepath.Join(top, "project")}
	for _, dir := range []string{place.Home, place.Project} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := e.stage(a, place); err != nil {
		return nil, err
	}
	return e.Drive(a, place.Home, place.Project)
}

// stage writes into a home what counts of the user's own: moai's entries of the agent's file and the yes to them, what the agent needs to start, and moai's configuration.
func (e *Env) stage(a *Agent, place *live.Place) error {
	if err := place.Write(a.Live); err != nil {
		return err
	}
	folder := filepath.Join(place.Home, filepath.FromSlash(a.Install.Folder))
	for _, name := range a.Live.Copies {
		if err := copied(filepath.Join(folder, name), filepath.Join(a.Folder, name)); err != nil {
			return err
		}
	}
	if e.ConfigDir != "" {
		if err := copied(filepath.Join(place.Home, ".config", "moai"), e.ConfigDir); err != nil {
			return err
		}
	}
	for _, beside := range a.Install.Beside {
		if err := put(filepath.Join(folder, filepath.FromSlash(beside.File)), []byte(beside.Text)); err != nil {
			return err
		}
	}
	main := filepath.Join(folder, filepath.FromSlash(a.Install.File))
	old, err := os.ReadFile(main) // of place.Write
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := a.entries(old, e.Environ)
	if err != nil {
		return err
	}
	if err := put(main, data); err != nil || a.Install.Trust == "" || !a.Trusted {
		return err // without the user's yes the agent skips them, which is to be seen
	}
	trust, err := settings.TrustOf(main, data, func(event string) bool {
		known := e.Tables.Event(event)
		return known == nil || known.Matcher == ""
	})
	if err != nil {
		return err
	}
	config := filepath.Join(folder, a.Install.Trust)
	if old, err = os.ReadFile(config); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if data, err = settings.PlanTrust(old, trust); err != nil {
		return err
	}
	return put(config, data)
}

// entries puts moai's entries of the user's own file, and no others, into another one.
func (a *Agent) entries(into []byte, environ []string) ([]byte, error) {
	if rest, err := settings.StripAgent(a.Install)(a.Data); err == nil && len(rest) == 0 && len(into) == 0 {
		return a.Data, nil // it is moai's alone
	}
	list, err := settings.AgentEntries(a.Install, a.Data, settings.Entry{}, a.Hooks)
	if err != nil {
		return nil, err
	}
	want := settings.Registration{Line: true}
	for _, entry := range list {
		program := entry.Program
		if entry.ByName {
			program = OnPath(program, environ)
		}
		if want.Program != "" && want.Program != program {
			return nil, fmt.Errorf("its hooks call several programs: %s and %s", want.Program, program)
		}
		h := settings.Hook{Event: entry.Event, Matcher: entry.Matcher, Args: entry.Args, Timeout: int(entry.Timeout)}
		if entry.Blocks {
			h.Failure = settings.Block
		}
		want.Program, want.Hooks = program, append(want.Hooks, h)
	}
	return settings.PlanAgent(a.Install, into, want)
}

// copied copies a file or a folder, where there is one.
func copied(to, from string) error {
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return put(to, data)
}

func put(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// Judge says in a line what was seen. Only a client that runs a harmless command, and tells its model moai's own words about the other one, has shown that moai is heeded.
func Judge(s *live.Seen) (Status, string) {
	took := fmt.Sprintf(" (%.1f s)", s.Millis/1000)
	switch {
	case !s.Kept:
		return Fail, "it RAN what deletes a home: moai is not heeded" + took
	case s.Late:
		return Warn, "did not come to an end, and deleted nothing" + took
	case s.Requests == 0:
		return Warn, fmt.Sprintf("could not be driven: exit code %d, and it asked its model nothing: %s", s.Exit, lastLine(s.Said))
	case s.Told == "":
		return Warn, "deleted nothing, and told its model nothing of it: " + lastLine(s.Said)
	case !strings.Contains(s.Told, ownWord):
		return Warn, "did not delete a home, and it was not moai that stopped it: " + head(s.Told)
	case !s.Harmless:
		return Warn, "was refused what deletes a home, and a harmless command did not run either"
	}
	return OK, "refused what would have deleted a home, told its model why, and ran a harmless command" + took
}

// ownWord is in each refusal of moai's.
const ownWord = "moai"

// lastLine is the last line of what a program printed.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return head(s[strings.LastIndexByte(s, '\n')+1:])
}
