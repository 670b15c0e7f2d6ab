package wire

import _ "embed"

// GenericSchema is the JSON Schema of what programs that were written for moai send and read.
//
//go:embed generic.schema.json
var GenericSchema string

// genericAnswer is what moai says to programs that were written for it: see rules/clients/generic.toml and its schema.
type genericAnswer struct {
	Action  string `json:"action"` // allow, ask, deny
	Reason  string `json:"reason,omitempty"`
	Restore string `json:"restore,omitempty"`
	Context string `json:"context,omitempty"`
	Message string `json:"message,omitempty"`
}

// generic answers programs that were written for moai, its own plugin among them. A question has exit code 2 as a refusal has: a program that looks at nothing else must not go on.
func generic(s saying) Output {
	w := genericAnswer{Action: "allow", Reason: s.reason, Restore: s.restore, Context: s.context, Message: s.tell}
	out := Output{}
	switch {
	case s.refused:
		w.Action = "deny"
	case s.asked:
		w.Action = "ask"
	}
	if s.refused || s.asked {
		out.Exit, out.Stderr = exitRefused, []byte(s.reason+"\n")
	}
	out.Stdout = marshal(&w, func() {})
	return out
}
