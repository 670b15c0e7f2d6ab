package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Action is rule.Action, so that callers need one import only.
type Action = rule.Action

// The actions.
const (
	Allow      = rule.Allow
	Checkpoint = rule.Checkpoint
	Ask        = rule.Ask
	Deny       = rule.Deny
)

// Mode is how strictly the rules are applied: guard.mode.
type Mode uint8

// The modes. The zero value is the default.
const (
	Standard Mode = iota
	Strict        // what cannot be told is asked about
	Warn          // everything runs, checkpoints are taken, the reason is shown
	Off           // nothing is judged
)

// ParseMode reads guard.mode; ok is false for a word that is no mode.
func ParseMode(s string) (mode Mode, ok bool) {
	switch strings.ToLower(s) {
	case "", "standard":
		return Standard, true
	case "strict":
		return Strict, true
	case "warn":
		return Warn, true
	case "off":
		return Off, true
	}
	return Standard, false
}
