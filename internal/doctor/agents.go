package doctor

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/wire"
)

// Agent is one of the agents beside Claude Code, and what stands in its files.
type Agent struct {
	*rule.Adapter
	Program string // its own, on PATH; "" for none
	Folder  string // what is the user's of it
	Local   bool   // Path is in the project, and may be a stranger's
	Path    string // the file in which its hooks are registered
	Data    []byte // what is in it
	Err     error  // why that, or what moai would write there, is not known
	Own     bool   // something in it is moai's
	Same    bool   // it is what moai init would write
	Trusted bool   // its user has agreed to these hooks, as it wants that written down
	Named   bool   // somebody asked about it by its name
	Hooks   []settings.Hook
}

// agents asks the program that is registered with each agent, in that agent's words, and reads the answer as that agent does.
func agents(e *Env) Result {
	r := Result{}
	registered := 0
	for i := range e.Agents {
		a := &e.Agents[i]
		add := func(s Status, format string, words ...any) {
			r.Items = append(r.Items, Item{Name: a.Title, Status: s, Detail: fmt.Sprintf(format, words...), Tell: true})
			if s != OK && r.Fix == "" {
				r.Fix = "moai init --agent " + a.Name
			}
			if s != OK && strings.HasSuffix(r.Items[len(r.Items)-1].Detail, unstopped) {
				r.Fix = e.mend()
			}
		}
		here := a.version()
		switch {
		case a.Err != nil:
			add(Warn, "%v", a.Err)
			continue
		case !a.Own:
			if a.Program != "" {
				add(OK, "%sis here, and does not call moai: moai init --agent %s", here, a.Name)
			}
			continue
		}
		registered++
		status, detail := e.asks(a)
		switch {
		case status != OK:
			add(status, "%s%s", here, detail)
		case !a.Trusted:
			add(Fail, "%shas no yes of its user to these hooks as they are, and skips them", here)
		case !a.Same:
			add(Warn, "%s%s; %s is not what this moai registers: another path, or fewer or other events", here, detail, a.Path)
		default:
			add(OK, "%s%s", here, detail)
		}
		for _, hole := range a.Holes {
			add(OK, "cannot: %s", hole)
		}
	}
	r = sum(r)
	switch {
	case registered == 0:
		r.Detail = "none but Claude Code calls moai"
	case r.Status == OK:
		r.Detail = "each that is registered is answered in its own words"
	default:
		r.Detail = "something is to be put right"
	}
	return r
}

// registeredElsewhere reports that an agent beside Claude Code calls moai, so that it is not missing where that does not.
func (e *Env) registeredElsewhere() bool {
	for i := range e.Agents {
		if e.Agents[i].Own {
			return true
		}
	}
	return false
}

// asks sends one payload per registered event through the registered command, and the worst there is before a tool.
func (e *Env) asks(a *Agent) (Status, string) {
	list, err := settings.AgentEntries(a.Install, a.Data, settings.Entry{Args: []string{"hook", "--dialect", a.Name}}, a.Hooks)
	if err != nil {
		return Fail, err.Error()
	}
	guarded, answered := false, 0
	for _, entry := range list {
		asks := a.Adapt(entry.Event)
		if asks == nil {
			continue
		}
		entry.Timeout /= float64(a.Install.Unit)
		scope := settings.User
		if a.Local {
			scope = settings.Local
		}
		argv, limit, why := e.commandLine(registered{Entry: entry, file: File{Scope: scope}})
		if argv == nil {
			return Warn, "not tried: " + why
		}
		shell := asks.Name == "PreToolUse" && (asks.Tool == "" || asks.Tool == worstTool) && settings.Fits(entry.Matcher, a.calls(worstTool))
		lines := []string{"echo hello"}
		if shell {
			lines = append(lines, worst)
		}
		for _, line := range lines {
			out, err := start(argv, e.Environ, e.Project, a.sample(asks, entry.Event, line, e.Project), limit)
			_, broken := hook.Parse(string(out.Stdout))
			switch fate := wire.Read(a.Adapter, asks, out.Output); {
			case err != nil:
				return Fail, entry.Event + ": " + entry.Program + ": " + plain(err)
			case line == worst && fate != wire.Stopped:
				return Warn, unstopped
			case line == worst:
				guarded = true
			case out.Exit != 0:
				return Fail, fmt.Sprintf("%s: exit code %d on a harmless call: %s", entry.Event, out.Exit, head(string(out.Stderr)))
			case broken != nil && len(out.Stdout) > 0:
				return Fail, fmt.Sprintf("%s: it printed %q", entry.Event, head(string(out.Stdout)))
			case shell && fate != wire.Runs:
				return Fail, entry.Event + ": a harmless command would not run"
			}
		}
		answered++
	}
	if !guarded {
		return Fail, "nothing that could answer is registered before its commands, so they are not guarded"
	}
	return OK, fmt.Sprintf("answered %d of its events, and `%s` would be stopped", answered, worst)
}

// calls is what an agent calls a tool.
func (a *Agent) calls(tool string) string {
	for i := range a.Offers {
		if a.Offers[i].Name == tool {
			return a.Offers[i].As[0]
		}
	}
	return tool
}

// sample is a payload of an event about a command line.
func (a *Agent) sample(asks *rule.Asks, event, line, project string) []byte {
	payload := map[string]any{hook.DryRun: true, "prompt": "hello"}
	for _, name := range asks.Input {
		payload[name] = "x"
	}
	payload["session_id"], payload["hook_event_name"], payload["cwd"] = "moai-doctor", event, project
	if known := strings.Contains(asks.Name, "Tool"); known && asks.Tool == "" {
		payload["tool_name"], payload["tool_input"] = a.calls(worstTool), map[string]any{"command": line}
	} else if known {
		payload["command"] = line
		if strings.Contains(asks.Tool, "*") { // of a server
			payload["tool_name"], payload["tool_input"] = "x", map[string]any{}
		}
	}
	data, err := json.Marshal(payload)
	if err != nil {
		return nil // plain values always encode
	}
	return append(data, '\n')
}

// packageDepth is how far above a program the file lies that says its version.
const packageDepth = 6

// version is what a package manager wrote down of the agent, and what was tried: to ask the agent itself would start it.
func (a *Agent) version() string {
	real, err := filepath.EvalSymlinks(a.Program)
	if a.Program == "" || err != nil {
		return ""
	}
	for dir, i := filepath.Dir(real), 0; i < packageDepth; dir, i = filepath.Dir(dir), i+1 {
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		var p struct{ Name, Version string }
		if err != nil || json.Unmarshal(data, &p) != nil || p.Version == "" {
			continue
		}
		if a.Install.Tried != "" && a.Install.Tried != p.Version {
			return fmt.Sprintf("%s (tried was %s) ", p.Version, a.Install.Tried)
		}
		return p.Version + " "
	}
	return ""
}
