package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// allAgents stands for those that this machine has.
const allAgents = "all"

// agentsAsked are the agents of --agent, by name or those that are found, and whether it is about one person in one project.
func (e *env) agentsAsked(o *initFlags) (list []*rule.Adapter, local bool, err error) {
	for _, name := range o.agents {
		found := false
		for i := range clients.Adapters {
			a := &clients.Adapters[i]
			if a.Install == nil || name != a.Name && (name != allAgents || !e.hasAgent(a)) {
				continue
			}
			if found = true; !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
		switch {
		case found:
		case name == allAgents:
			return nil, false, nof("none of %s is found on this machine", strings.Join(agentNames(), ", "))
		default:
			return nil, false, usagef("--agent %s: want %s or %s", term.Text(name), strings.Join(agentNames(), ", "), allAgents)
		}
	}
	local, err = localAgents(list, o)
	return list, local, err
}

func agentNames() (list []string) {
	for i := range clients.Adapters {
		if clients.Adapters[i].Install != nil {
			list = append(list, clients.Adapters[i].Name)
		}
	}
	return list
}

// agentFolder is where an agent keeps what is the user's.
func (e *env) agentFolder(in *rule.Install) string {
	if dir := e.getenv(in.Home); in.Home != "" && filepath.IsAbs(dir) {
		return filepath.Join(dir, in.Below)
	}
	home := e.clientHome()
	if home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(in.Folder))
}

// hasAgent reports that an agent's folder is there, or its program.
func (e *env) hasAgent(a *rule.Adapter) bool {
	if info, err := os.Stat(e.agentFolder(a.Install)); err == nil && info.IsDir() {
		return true
	}
	return slices.ContainsFunc(a.Install.Programs, func(name string) bool {
		_, err := os.Stat(doctor.OnPath(name, os.Environ()))
		return err == nil
	})
}

// agentHooks is what is registered with an agent. Every command says whose words it is answered in.
func agentHooks(a *rule.Adapter, closed bool) (hooks []settings.Hook) {
	for i := range a.Asks {
		asks := &a.Asks[i]
		known := eventTables().Event(asks.Name)
		if !asks.Listed || known == nil || known.Register == nil {
			continue
		}
		h := settings.Hook{Event: asks.As[0], Matcher: asks.Matcher, Args: []string{"hook", known.Verb, "--dialect", a.Name}, Timeout: known.Register.Timeout}
		if asks.Timeout > 0 {
			h.Timeout = asks.Timeout
		}
		if h.Timeout *= a.Install.Unit; closed && asks.Name == guardEvent {
			h.Failure = settings.Block
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// agentFile is one file of an agent, and what moai makes of it.
type agentFile struct {
	path  string
	strip func([]byte) ([]byte, error)
	plan  func(old []byte) ([]byte, error)
}

// agentFiles are the files of an agent in the order in which they are written.
func (e *env) agentFiles(a *rule.Adapter, program string, local bool, r *initResult) ([]agentFile, error) {
	in, dir := e.agentPlace(a, local)
	if dir == "" {
		return nil, nof("there is no home folder, so no settings of the user")
	}
	var list []agentFile
	for i := range in.Beside {
		beside := &in.Beside[i]
		list = append(list, agentFile{
			filepath.Join(dir, filepath.FromSlash(beside.File)), settings.StripBeside(beside),
			func([]byte) ([]byte, error) { return []byte(beside.Text), nil },
		})
	}
	main := filepath.Join(dir, filepath.FromSlash(in.File))
	want := settings.Registration{Program: program, Line: true, Hooks: agentHooks(a, e.cfg("").String(onFailureKey) == "closed")}
	var written []byte
	list = append(list, agentFile{main, settings.StripAgent(in), func(old []byte) (data []byte, err error) {
		written, err = settings.PlanAgent(in, old, want)
		return written, err
	}})
	if in.Trust != "" {
		list = append(list, agentFile{filepath.Join(dir, in.Trust), settings.RemoveTrust, func(old []byte) ([]byte, error) {
			trust, err := settings.TrustOf(main, written, unmatched)
			if err != nil {
				return nil, err
			}
			data, err := settings.PlanTrust(old, trust)
			if errors.Is(err, settings.ErrTrust) {
				r.note("%s: %v; look at the hooks in %s itself", filepath.Join(dir, in.Trust), err, a.Title)
				return old, nil
			}
			return data, err
		}})
	}
	return list, nil
}

// agentPlace is where moai goes with an agent: into the user's own files, or into the one of this person in this project.
func (e *env) agentPlace(a *rule.Adapter, local bool) (in *rule.Install, dir string) {
	if !local {
		return a.Install, e.agentFolder(a.Install)
	}
	own := *a.Install
	own.File, own.Alone, own.Beside, own.Trust = own.Local.File, own.Local.Alone, nil, ""
	return &own, e.projectRoot()
}

// localAgents refuses agents that know no file of one person in one project.
func localAgents(list []*rule.Adapter, o *initFlags) (local bool, err error) {
	scope, _, _ := o.scope()
	if local = scope == settings.Local; !local {
		return false, nil
	}
	for _, a := range list {
		if a.Install.Local == nil {
			return false, hint(nof("%s has no settings for one person in one project: %s", a.Title, a.Install.Nolocal), "moai init --agent "+a.Name)
		}
	}
	return true, nil
}

// otherAgents is moai init for those.
func (e *env) otherAgents(o *initFlags) error {
	if scope, given, _ := o.scope(); given && scope == settings.Shared || o.statusline || o.verify || o.onFailure != "" {
		return usagef("--agent goes with --user, --local, --dry-run and --uninstall alone")
	}
	if o.uninstall {
		return e.uninstallAgents(o)
	}
	return e.installAgents(o)
}

// installAgents registers moai with other agents: it says what goes where, asks once, and writes.
func (e *env) installAgents(o *initFlags) error {
	list, local, err := e.agentsAsked(o)
	if err != nil {
		return err
	}
	program, err := ownPath(e.getenv("PATH"))
	if err != nil {
		return err
	}
	r := &initResult{Scope: settings.User.String(), Program: program}
	if local {
		r.Scope = settings.Local.String()
	}
	steps, err := e.agentSteps(list, program, local, r)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(steps, func(s *step) bool { return s.changed }) && !e.json {
		fmt.Fprintln(e.err, "moai: nothing to do: moai is registered with "+strings.Join(titles(list), ", "))
		return nil
	}
	err = e.carryOut(r, steps, o, "write this?")
	if err == nil && r.Written && !e.json {
		scope := ""
		if local {
			scope = settings.Local.Flag() + " "
		}
		fmt.Fprintf(e.err, "moai: out again: moai init --agent %s %s--uninstall\n", strings.Join(o.agents, ","), scope)
	}
	return err
}

// titles are the names of agents as people know them.
func titles(list []*rule.Adapter) (names []string) {
	for _, a := range list {
		names = append(names, a.Title)
	}
	return names
}

// agentSteps is what is written for each agent.
func (e *env) agentSteps(list []*rule.Adapter, program string, local bool, r *initResult) (steps []*step, err error) {
	for _, a := range list {
		files, err := e.agentFiles(a, program, local, r)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			f, err := settings.Open(file.path, "")
			if err != nil {
				return nil, err
			}
			if f.Strip = file.strip; f.Exists {
				if _, err := f.Strip(f.Data); err != nil {
					return nil, hint(nof("%s: %w", file.path, err), editing(file.path))
				}
			}
			data, err := file.plan(f.Data)
			if err != nil {
				return nil, hint(nof("%s: %w", file.path, err), editing(file.path))
			}
			to := fmt.Sprintf("%s: moai's hooks in %s", a.Title, term.Name(file.path))
			if a.Install.Trust != "" && file.path == filepath.Join(e.agentFolder(a.Install), a.Install.Trust) {
				to = fmt.Sprintf("%s: your yes to these hooks in %s", a.Title, term.Name(file.path))
			}
			s := &step{
				File: file.path, Created: !f.Exists, changed: !bytes.Equal(data, f.Data) || !f.Exists, data: data,
				before: "write " + to, after: "wrote " + to,
				do: func(s *step) (err error) { s.Saved, err = f.Install(data, e.stateDir()); return err },
			}
			s.differs(f)
			steps = append(steps, s)
			if local {
				steps = append(steps, e.keepOut(r, &place{path: file.path})...)
			}
		}
		if len(a.Holes) > 0 {
			r.note("%s: %s", a.Title, a.Holes[0])
		}
	}
	return steps, nil
}

// uninstallAgents takes moai out of other agents again, in the reverse order.
func (e *env) uninstallAgents(o *initFlags) error {
	if err := e.person("take moai out"); err != nil && !o.dryRun {
		return err
	}
	list, local, err := e.agentsAsked(o)
	if err != nil {
		return err
	}
	r := &initResult{}
	var steps []*step
	for _, a := range list {
		files, err := e.agentFiles(a, "", local, r)
		if err != nil {
			return err
		}
		slices.Reverse(files)
		for _, file := range files {
			f, err := settings.Open(file.path, "")
			if err != nil {
				return err
			}
			if f.Strip = file.strip; !f.Exists {
				continue
			}
			u, err := f.Undo(e.stateDir())
			if errors.Is(err, settings.ErrForeign) {
				r.note("%s %v, so it stays", file.path, err)
				continue
			} else if err != nil {
				return hint(nof("%s: %w", file.path, err), editing(file.path))
			}
			what := fmt.Sprintf("moai out of %s", term.Name(file.path))
			s := &step{
				File: file.path, Removed: u.Delete, Exact: u.Exact, changed: u.Delete || !bytes.Equal(u.Data, f.Data), data: u.Data,
				before: "take " + what, after: "took " + what,
				do: func(*step) error {
					if err := f.Uninstall(u, e.stateDir()); err != nil {
						return err
					}
					if repository, rel, err := keptOut(file.path); local && u.Delete && err == nil && repository != nil {
						_, _ = repository.Include(rel) // a line too many does no harm
					}
					return nil
				},
			}
			s.differs(f)
			steps = append(steps, s)
		}
	}
	return e.carryOut(r, steps, o, "take moai out?")
}
