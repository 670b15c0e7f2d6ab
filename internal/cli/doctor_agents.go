package cli

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/settings"
)

// doctorAgents are the agents beside Claude Code that this machine has, or in which moai is registered, or all, and what is in their files.
func (e *env) doctorAgents(all bool) (list []doctor.Agent) {
	program, err := ownPath(e.getenv("PATH"))
	if err != nil {
		return nil // the check of the program says so
	}
	for i := range clients.Adapters {
		a := &clients.Adapters[i]
		if a.Install == nil {
			continue
		}
		d := doctor.Agent{Adapter: a, Trusted: true, Hooks: agentHooks(a, e.cfg("").String(onFailureKey) == "closed")}
		for _, name := range a.Install.Programs {
			path := doctor.OnPath(name, os.Environ())
			if _, err := os.Stat(path); err == nil && d.Program == "" {
				d.Program = path
			}
		}
		d.Folder = e.agentFolder(a.Install)
		e.registeredWith(&d, program, false)
		if local := a.Install.Local; local != nil && !d.Own {
			here := d
			if e.registeredWith(&here, program, true); here.Own {
				d = here
			}
		}
		if !d.Own && !all && !e.hasAgent(a) {
			continue
		}
		if d.Own && a.Install.Trust != "" {
			trust, err := settings.TrustOf(d.Path, d.Data, unmatched)
			config, _ := os.ReadFile(filepath.Join(e.agentFolder(a.Install), a.Install.Trust)) // none is no yes
			d.Trusted = err == nil && settings.Trusted(config, trust)
		}
		list = append(list, d)
	}
	return list
}

// registeredWith looks into the file of an agent: the user's own, or the one of this person in this project.
func (e *env) registeredWith(d *doctor.Agent, program string, local bool) {
	in, dir := e.agentPlace(d.Adapter, local)
	d.Local, d.Path = local, filepath.Join(dir, filepath.FromSlash(in.File))
	f, err := settings.Open(d.Path, "")
	if err != nil {
		d.Err = err
		return
	}
	if d.Data = f.Data; f.Exists {
		rest, err := settings.StripAgent(in)(f.Data)
		d.Err, d.Own = err, err == nil && !bytes.Equal(rest, f.Data)
	}
	if d.Own {
		data, err := settings.PlanAgent(in, d.Data, settings.Registration{Program: program, Line: true, Hooks: d.Hooks})
		d.Same = err == nil && bytes.Equal(data, d.Data)
	}
}

// unmatched reports that an event has no matcher.
func unmatched(event string) bool {
	known := eventTables().Event(event)
	return known == nil || known.Matcher == ""
}
