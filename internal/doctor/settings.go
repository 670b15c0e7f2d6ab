package doctor

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// settingsFiles checks that the client will read the files, and that they hold
// what moai would register today.
func settingsFiles(e *Env) Result {
	r := Result{}
	registered := 0
	if f, line, off := e.off(); off {
		r.Items = append(r.Items, Item{Name: f.Path, Status: Fail, Detail: fmt.Sprintf("line %d: %s is on: no hook runs at all", line, settings.HooksOff)})
		r.Fix = edit(e, f.Path)
	}
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
			r.Fix = edit(e, f.Path)
		}
		items, fix, counts := e.registration(f)
		r.Items = append(r.Items, items...)
		if fix != "" {
			r.Fix = fix
		}
		if counts {
			registered++
		}
	}
	r = sum(r)
	switch {
	case registered == 0 && r.Status == Fail:
		// Registering comes second: moai init cannot, or the client would not read it.
		r.Detail = "as the settings files stand the client runs no hook of moai"
	case registered == 0 && r.Status != Fail && e.registeredElsewhere():
		r.Detail = "moai is registered with other agents alone; for Claude Code: moai init"
	case registered == 0:
		fix := "moai init"
		if r.Status == Fail { // a file that is no JSON has to be mended by hand first: moai init refuses it
			fix = r.Fix
		}
		return Result{Status: Fail, Detail: "moai is registered nowhere, so the client does not call it", Fix: fix, Items: r.Items}
	case registered > 1 && e.twice() && e.once() == "":
		r.Detail = "registered for all your projects and for everybody who has this one: both count, and the client runs moai twice per event"
	case registered > 1 && e.twice():
		r.Status = max(r.Status, Warn)
		r.Detail = "registered in several files with different commands: the client runs moai more than once per event"
		r.Fix = e.once()
	case r.Status == OK:
		r.Detail = "the client reads them, and every event is registered"
	default:
		r.Detail = "something is to be put right"
	}
	return r
}

// off finds the setting that stops every hook.
func (e *Env) off() (f File, line int, off bool) {
	var files []File
	var data [][]byte
	for _, f := range e.Files {
		if f.File != nil && !f.Main {
			files, data = append(files, f), append(data, f.File.Data)
		}
	}
	i, line, off := settings.Off(data...)
	if !off {
		return File{}, 0, false
	}
	return files[i], line, true
}

// registration says what of moai is in a file and how it stands there, and whether the client calls moai because of it.
func (e *Env) registration(f File) (items []Item, fix string, counts bool) {
	entries, named := 0, 0
	there := map[string]bool{}
	for _, reg := range e.entries {
		if reg.file.Path == f.Path {
			entries++
			there[reg.Event] = true
			counts = counts || !reg.skipped
			if reg.ByName {
				named++
			}
		}
	}
	if entries == 0 {
		return nil, "", false
	}
	item := Item{Name: f.Path, Detail: fmt.Sprintf("%s registered (%s)", term.Count(entries, "event"), f.Scope)}
	warn := func(detail, what string) {
		items = append(items, Item{Name: f.Path, Status: Warn, Detail: detail})
		fix = what
	}
	// Whatever moai init would change is what is not as it should be.
	want := f.Want
	want.ByName = true // that it finds a moai is another check's
	data, err := settings.Plan(f.File.Data, want)
	switch {
	case f.Scope == settings.Shared && named < entries:
		warn("names a program of this machine, in a file for everybody", "moai init")
	case err != nil || bytes.Equal(data, f.File.Data):
		items = append(items, item)
	case e.missing(f, there) != "":
		items = append(items, Item{Name: f.Path, Status: Fail, Detail: e.missing(f, there)})
		fix = f.Init
	case e.onlyFailure(f):
		warn("what it says about a moai that does not answer (onFailure) is not what guard.on_failure says", f.Init)
	default:
		warn("not what this moai registers: another path, or fewer or other events or tools", f.Init)
	}
	switch f.Git {
	case GitTracks:
		warn("is tracked by Git: whoever gets it gets this machine's path", "git rm --cached "+argv.Quote(f.Path))
	case GitOffers:
		warn("is not kept out of Git: `git add -A` would take it along", f.Init)
	}
	return items, fix, counts
}

// missing says what comes of an event that guards and is registered nowhere; "" where both are. there are those of one file.
func (e *Env) missing(f File, there map[string]bool) string {
	for _, guards := range [...]struct{ event, what string }{
		{"PreToolUse", "so no tool call is guarded"},
		{"ConfigChange", "so a change of settings can take the guard out of a running session"},
	} {
		wanted := slices.ContainsFunc(f.Want.Hooks, func(h settings.Hook) bool { return h.Event == guards.event })
		if wanted && !there[guards.event] && !slices.ContainsFunc(e.entries, func(reg registered) bool { return reg.Event == guards.event && !reg.skipped }) {
			return guards.event + " is not registered, " + guards.what
		}
	}
	return ""
}

// onlyFailure reports whether a file would be as it should be if it said something else about failing.
func (e *Env) onlyFailure(f File) bool {
	want := f.Want
	want.ByName = true
	want.Hooks = slices.Clone(want.Hooks)
	for i := range want.Hooks {
		want.Hooks[i].Failure = settings.AnyFailure
	}
	data, err := settings.Plan(f.File.Data, want)
	return err == nil && bytes.Equal(data, f.File.Data)
}

// twice reports whether an event has two commands of moai that the client does
// not take for one. It runs equal commands once (measured).
func (e *Env) twice() bool {
	commands := map[string]string{}
	for _, reg := range e.entries {
		if reg.skipped || reg.ByName && !e.found(reg) {
			continue // runs nothing
		}
		line := fmt.Sprint(reg.Program, reg.Args, reg.Shell)
		if other, ok := commands[reg.Event]; ok && other != line {
			return true
		}
		commands[reg.Event] = line
	}
	return false
}

// edit is the command that opens a file.
func edit(e *Env, path string) string { return Editor(e.Environ) + " " + argv.Quote(path) }

// once is the command after which each hook runs once: what is for one folder gives way to what is for more. There is none where
// one person has moai for all projects and the project has it for everybody: both are meant, and no harm is done.
func (e *Env) once() string {
	in := [len(settings.Scopes)]bool{}
	for _, reg := range e.entries {
		in[reg.file.Scope] = true
	}
	switch {
	case in[settings.User] && in[settings.Local]:
		return "moai init"
	case in[settings.Local]:
		return "moai init --uninstall --local"
	}
	return ""
}

// Editor is the program that the fix of a mistake in a file begins with.
func Editor(environ []string) string {
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
