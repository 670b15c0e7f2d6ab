package doctor

import (
	"bytes"
	"fmt"
	"os"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// settingsFiles checks that the client will read the files, and that they hold
// what moai would register today.
func settingsFiles(e *Env) Result {
	r := Result{}
	registered := 0
	for _, f := range e.Files {
		if f.Err != nil { // a warning only: the client may well read what moai must not write
			r.Items = append(r.Items, Item{Name: f.Path, Status: Warn, Detail: f.Err.Error()})
			continue
		}
		for _, p := range settings.Check(f.File.Data, func(event string) bool { return e.Tables.Event(event) != nil }) {
			item := Item{Name: f.Path, Status: Warn, Detail: p.String()}
			if p.Fatal {
				item.Status = Fail
			}
			r.Items = append(r.Items, item)
			r.Fix = editor(e.Environ) + " " + risk.Quote([]string{f.Path})
		}
		entries := 0
		for _, reg := range e.entries {
			if reg.file.Path == f.Path {
				entries++
			}
		}
		if entries == 0 {
			continue
		}
		registered++
		item := Item{Name: f.Path, Detail: term.Count(entries, "event") + " registered"}
		// Whatever moai init would change is what is not as it should be.
		data, err := settings.Plan(f.File.Data, settings.Registration{Program: e.Program, Hooks: e.Wanted})
		if err == nil && !bytes.Equal(data, f.File.Data) {
			item.Status, item.Detail = Warn, "not what this moai registers: another path, or fewer or other events"
			r.Fix = f.Init
		}
		r.Items = append(r.Items, item)
	}
	r = sum(r)
	switch {
	case registered == 0 && r.Status == Fail:
		// Registering comes second: moai init cannot, or the client would not read it.
		r.Detail = "a file that the client does not read as it stands, and moai registered nowhere else"
	case registered == 0:
		fix := "moai init"
		if r.Status == Fail { // a file that is no JSON has to be mended by hand first: moai init refuses it
			fix = r.Fix
		}
		return Result{Status: Fail, Detail: "moai is registered nowhere, so the client does not call it", Fix: fix, Items: r.Items}
	case registered > 1 && e.twice():
		r.Status = max(r.Status, Warn)
		r.Detail = "registered in several files with different commands: the client runs moai more than once per event"
		r.Fix = "moai init --uninstall"
	case r.Status == OK:
		r.Detail = "the client reads them, and every event is registered"
	default:
		r.Detail = "something is to be put right"
	}
	return r
}

// twice reports whether an event has two commands of moai that the client does
// not take for one. It runs equal commands once (measured).
func (e *Env) twice() bool {
	commands := map[string]string{}
	for _, reg := range e.entries {
		line := fmt.Sprint(reg.Program, reg.Args, reg.Shell)
		if other, ok := commands[reg.Event]; ok && other != line {
			return true
		}
		commands[reg.Event] = line
	}
	return false
}

// editor is the program that the fix of a mistake in a file begins with.
func editor(environ []string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		for _, kv := range environ {
			if v, ok := bytes.CutPrefix([]byte(kv), []byte(name+"=")); ok && len(v) > 0 {
				return string(v)
			}
		}
	}
	// What every Windows, and every POSIX system, has.
	if os.PathSeparator == '\\' {
		return "notepad"
	}
	return "vi"
}
