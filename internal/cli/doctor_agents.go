package cli

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/settings"
)

// doctorAgents are the agents beside Claude Code that this machine has, or all, and what is in their files.
func (e *env) doctorAgents(all bool) (list []doctor.Agent) {
	program, err := ownPath(e.getenv("PATH"))
	if err != nil {
		return nil // the check of the program says so
	}
	for i := range clients.Adapters {
		a := &clients.Adapters[i]
		if a.Install == nil || !e.hasAgent(a) && !all {
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
		d.Path = filepath.Join(d.Folder, filepath.FromSlash(a.Install.File))
		if f, err := settings.Open(d.Path, ""); err != nil {
			d.Err = err
		} else if d.Data = f.Data; f.Exists {
			rest, err := settings.StripAgent(a.Install)(f.Data)
			d.Err, d.Own = err, err == nil && !bytes.Equal(rest, f.Data)
		}
		if d.Own {
			want := settings.Registration{Program: program, Line: true, Hooks: agentHooks(a, e.cfg("").String(onFailureKey) == "closed")}
			data, err := settings.PlanAgent(a.Install, d.Data, want)
			d.Same = err == nil && bytes.Equal(data, d.Data)
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

// unmatched reports that an event has no matcher.
func unmatched(event string) bool {
	known := eventTables().Event(event)
	return known == nil || known.Matcher == ""
}
