package doctor

import (
	"encoding/json"
	"maps"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// sample makes a payload of an event out of its rule: every field that always
// comes, with a harmless value or the one that is given.
func sample(ev *rule.Event, common []rule.Field, project string, given map[string]any) []byte {
	payload := map[string]any{}
	for _, fields := range [][]rule.Field{common, ev.Fields} {
		for i := range fields {
			f := &fields[i]
			if !f.Foreign && !f.Optional && f.On(ev.Name) {
				payload[f.Name] = value(f)
			}
		}
	}
	values := map[string]any{}
	if err := json.Unmarshal([]byte(harmless), &values); err != nil {
		return nil // it is a part of this program
	}
	values["hook_event_name"], values["cwd"] = ev.Name, project
	maps.Copy(values, given)
	for name, v := range values {
		if _, ok := payload[name]; ok { // an event gets the fields that it has, and no more
			payload[name] = v
		}
	}
	payload[hook.DryRun] = true
	data, err := json.Marshal(payload)
	if err != nil {
		return nil // maps of plain values always encode
	}
	return append(data, '\n')
}

// harmless are values that change nothing: whatever is registered is really run with them.
const harmless = `{"session_id": "moai-doctor", "transcript_path": "", "prompt": "hello", "tool_name": "Bash",
	"tool_input": {"command": "echo hello", "description": "Say hello"}}`

// value is the plainest value of a field: the first that is known, else the
// zero of its type. Types of lists give an empty one.
func value(f *rule.Field) any {
	switch f.Type {
	case "string":
		if len(f.Values) > 0 {
			return f.Values[0]
		}
		return "x"
	case "bool":
		return false
	case "int", "number":
		return 0
	case "object":
		object := map[string]any{}
		for i := range f.Fields {
			if !f.Fields[i].Optional {
				object[f.Fields[i].Name] = value(&f.Fields[i])
			}
		}
		return object
	case "any":
		return nil
	}
	return []any{}
}
