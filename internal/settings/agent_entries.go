package settings

import (
	"encoding/json"
	"regexp"

	"github.com/tailscale/hujson"

	"github.com/modu-ai/moai/internal/rule"
)

// AgentEntries is Entries for the file of an agent. A plugin calls one program for all events; its line comes with the events that it is registered for.
func AgentEntries(in *rule.Install, data []byte, plugin Entry, hooks []Hook) (list []Entry, err error) {
	switch {
	case isBlank(data):
		return nil, nil
	case in.Form == "plugin":
		if plugin.Program = pluginProgram(data); plugin.Program == "" {
			return nil, nil
		}
		for _, h := range hooks {
			plugin.Event = h.Event
			list = append(list, plugin)
		}
		return list, nil
	case in.Form != "flat":
		return Entries(data)
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	events, err := d.flatHooks()
	if err != nil || events == nil {
		return nil, err
	}
	for i := range events.Members {
		entries := events.Members[i].Value.Value.(*hujson.Array)
		for j := range entries.Elements {
			if c, own := ownCall(&entries.Elements[j]); own {
				list = append(list, Entry{Event: text(&events.Members[i].Name), Program: c.program, Args: c.args, Shell: c.shell, ByName: c.byName()})
			}
		}
	}
	return list, nil
}

// pluginProgram is the program that moai's plugin starts.
func pluginProgram(data []byte) (program string) {
	if m := regexp.MustCompile(`(?m)^const program = (".*")$`).FindSubmatch(data); m != nil {
		_ = json.Unmarshal(m[1], &program) // what is no string names none
	}
	return program
}
