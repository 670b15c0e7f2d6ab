package monitor

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
)

// WindowOf is how many tokens a model takes in, by its name: the first row with a pattern that fits it, else the last. One that holds
// more than that was told to hold more, which its name does not say: then it is the next larger window.
func WindowOf(windows []rule.Window, model string, held int) int {
	if len(windows) == 0 {
		return 0
	}
	model = strings.ToLower(model)
	at := slices.IndexFunc(windows, func(w rule.Window) bool {
		return slices.ContainsFunc(w.Models, func(p string) bool {
			ok, err := doublestar.Match(p, model)
			return err == nil && ok
		})
	})
	if at < 0 {
		at = len(windows) - 1
	}
	size := windows[at].Tokens
	if held <= size {
		return size
	}
	larger := 0
	for _, w := range windows {
		if w.Tokens >= held && (larger == 0 || w.Tokens < larger) {
			larger = w.Tokens
		}
	}
	return max(larger, held)
}

// Main is what the end of a session's own conversation says.
type Main struct {
	Model  string
	Tokens int // that its last answer took in and gave; 0 where none is known since the conversation was summarised
	calls  []call
}

type call struct {
	tool string
	at   time.Time
}

// ReadMain reads the last part of the conversation of a session, without those of its sub-agents.
func ReadMain(path string) (m Main) {
	tail, err := disk.ReadTail(path, maxPart)
	if err != nil {
		return m
	}
	settled := false
	for one := range fromEnd(tail) {
		if bytes.Contains(one, []byte(`"isSidechain":true`)) {
			continue
		}
		if bytes.Contains(one, []byte(`"compact_boundary"`)) || bytes.Contains(one, []byte(`"isCompactSummary":true`)) {
			settled = true // what is above is no more in the context
		}
		if !bytes.Contains(one, []byte(`"usage"`)) {
			continue
		}
		var l line
		if json.Unmarshal(one, &l) != nil {
			continue
		}
		if !settled && l.tokens() > 0 {
			m.Model, m.Tokens, settled = l.Message.Model, l.tokens(), true
		}
		m.called(&l)
	}
	return m
}

// called takes in the calls of tools in an answer, the last first.
func (m *Main) called(l *line) {
	var parts []struct {
		Type, Name string
	}
	if json.Unmarshal(l.Message.Content, &parts) != nil {
		return
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Type == "tool_use" {
			m.calls = append(m.calls, call{parts[i].Name, l.Timestamp})
		}
	}
}

// Since counts the calls of some tools since a time, and since the last call of one of others.
func (m *Main) Since(since time.Time, is, until func(tool string) bool) (n int) {
	for _, c := range m.calls {
		if c.at.Before(since) || until(c.tool) {
			break
		}
		if is(c.tool) {
			n++
		}
	}
	return n
}
