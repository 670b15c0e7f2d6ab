package wire

import (
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// Fate is what becomes of a call, as an agent was seen to read the answer to it.
type Fate string

// What can become of it.
const (
	Runs    Fate = "runs"
	Stopped Fate = "stopped"
	Put     Fate = "asked" // to a person
)

// Read is how an agent reads an answer before a tool: as was measured with the agent itself, and for Cursor as its documentation says. It is what
// tests hold moai's answers to, and what moai doctor judges a registered program by.
func Read(a *rule.Adapter, asks *rule.Asks, out Output) Fate {
	v := whole(out.Stdout)
	switch a.Codec {
	case hook.Codex:
		if out.Exit == exitRefused && len(out.Stderr) > 0 {
			return Stopped
		}
		return Runs // all else would have to be of its closed schema
	case hook.Copilot:
		decision := v.Get("permissionDecision").Text()
		if asks.Refuse == rule.RefuseBehavior {
			decision = v.Get("behavior").Text()
		}
		if out.Exit != 0 { // "hook errored", before a tool
			decision = "deny"
		}
		return decided(decision)
	case hook.Gemini:
		text := out.Stdout
		if len(text) == 0 {
			text = out.Stderr
		}
		if v := whole(text); v != "" {
			return decided(v.Get("decision").Text()) // whatever the code is
		}
		if out.Exit >= exitRefused && len(text) > 0 {
			return Stopped
		}
		return Runs
	case hook.Cursor:
		switch permission := v.Get("permission").Text(); {
		case out.Exit == exitRefused:
			return Stopped
		case permission == "allow", permission == "ask":
			return decided(permission)
		}
		return Stopped // no answer that it knows blocks the call
	case hook.Generic:
		switch action := v.Get("action").Text(); {
		case out.Exit != exitRefused:
			return Runs
		case action == "ask", action == "deny" && len(out.Stderr) > 0:
			return decided(action)
		}
		return Runs
	}
	if out.Exit == exitRefused {
		if len(out.Stderr) > 0 {
			return Stopped
		}
		return Runs
	}
	return decided(v.Get("hookSpecificOutput").Get("permissionDecision").Text())
}

func decided(word string) Fate {
	switch word {
	case "deny", "block":
		return Stopped
	case "ask":
		return Put
	}
	return Runs
}

// whole is the object that an output is, whole and alone; "" for all else.
func whole(text []byte) hook.Value {
	if v, err := hook.Parse(string(text)); err == nil && v.IsObject() {
		return v
	}
	return ""
}
