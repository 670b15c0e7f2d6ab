package monitor

import (
	"bytes"
	"encoding/json"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Bounds of what is read of a conversation: its first lines have the prompt, its last ones the last answer.
const (
	maxPart = 256 << 10
	maxMeta = 64 << 10
)

// Conversation is what the client wrote down of a sub-agent.
type Conversation struct {
	Began  time.Time // its first line
	Prompt string    // what it was told, whole
	Model  string    // of its last answer
	Tokens int       // that its last answer took in and gave
	Answer string    // the last one that is written down: clients do that a moment after their hooks
	Ended  time.Time // when that came
	Call   string    // the call that began it
}

// line is what is read of a line of a transcript.
type line struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Dir       string    `json:"cwd"`
	Message   struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
		Usage   struct {
			Input   int `json:"input_tokens"`
			Created int `json:"cache_creation_input_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Output  int `json:"output_tokens"`
		} `json:"usage"`
	} `json:"message"`
}

func (l *line) tokens() int {
	u := &l.Message.Usage
	return u.Input + u.Created + u.Read + u.Output
}

// TranscriptOf is where clients keep the conversation of a session's sub-agent, "" where its id cannot be a file's name.
func TranscriptOf(session, agent string) string {
	base, ok := strings.CutSuffix(session, ".jsonl")
	if !ok || agent == "" || strings.ContainsAny(agent, `/\.:`) {
		return ""
	}
	return filepath.Join(base, "subagents", "agent-"+agent+".jsonl")
}

// ReadTranscript reads the ends of a conversation. What cannot be read is left out.
func ReadTranscript(path string) (c Conversation) {
	head, tail, err := disk.ReadEnds(path, maxPart)
	if err != nil {
		return c
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	var l line
	if json.Unmarshal(first, &l) == nil {
		c.Began, c.Prompt = l.Timestamp, textOf(l.Message.Content)
	}
	c.last(tail)
	var meta struct {
		Call string `json:"toolUseId"`
	}
	data, _, err := disk.ReadFile(strings.TrimSuffix(path, ".jsonl")+".meta.json", maxMeta)
	if err == nil && json.Unmarshal(data, &meta) == nil {
		c.Call = meta.Call
	}
	return c
}

// ToolCall is a call of a tool in a conversation.
type ToolCall struct {
	ID    string
	Tool  string
	Input json.RawMessage
	Dir   string // where it was made
}

// CallsOf are the calls that the end of a conversation has; whole says that this is all of it, up to an answer that is known.
func CallsOf(path, answer string) (calls []ToolCall, whole bool) {
	tail, err := disk.ReadTail(path, maxPart)
	if err != nil {
		return nil, false
	}
	var c Conversation
	c.last(tail)
	whole = len(tail) < maxPart && strings.TrimSpace(c.Answer) != "" && strings.TrimSpace(c.Answer) == strings.TrimSpace(answer)
	for one := range bytes.Lines(tail) {
		var l line
		var parts []struct {
			Type  string          `json:"type"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		}
		if !bytes.Contains(one, []byte(`"tool_use"`)) || json.Unmarshal(one, &l) != nil || json.Unmarshal(l.Message.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			if p.Type == "tool_use" {
				calls = append(calls, ToolCall{p.ID, p.Name, p.Input, l.Dir})
			}
		}
	}
	return calls, whole
}

// NeverRan are the calls, by their ids, of which the end of a conversation says that they never ran: somebody, or a rule of the client's, said no to
// them. One that was stopped while it ran is none of these.
func NeverRan(path string) (ids []string) {
	tail, err := disk.ReadTail(path, maxPart)
	if err != nil {
		return nil
	}
	for one := range bytes.Lines(tail) {
		var l struct {
			Before     bool `json:"toolDenialBeforeRun"` // a person said no
			Permission struct {
				Decision string `json:"decision"`
			} `json:"permissionDecision"` // a host did
			Message struct {
				Content []struct {
					Call string `json:"tool_use_id"`
				} `json:"content"`
			} `json:"message"`
		}
		if !bytes.Contains(one, []byte(`"toolDenialKind"`)) || json.Unmarshal(one, &l) != nil || !l.Before && l.Permission.Decision != "reject" {
			continue
		}
		for _, part := range l.Message.Content {
			ids = append(ids, part.Call)
		}
	}
	return ids
}

// last finds the last answer. What the client writes in place of one has cost nothing.
func (c *Conversation) last(tail []byte) {
	for one := range fromEnd(tail) {
		var l line
		if !bytes.Contains(one, []byte(`"usage"`)) || json.Unmarshal(one, &l) != nil || l.tokens() <= 0 {
			continue
		}
		c.Model, c.Tokens, c.Answer, c.Ended = l.Message.Model, l.tokens(), textOf(l.Message.Content), l.Timestamp
		return
	}
}

// fromEnd are the lines of a text, the last first.
func fromEnd(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			text = bytes.TrimRight(text, "\n")
			at := bytes.LastIndexByte(text, '\n') + 1
			if !yield(text[at:]) {
				return
			}
			text = text[:at]
		}
	}
}

// textOf is a message as text: a string, or parts of which some are texts.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}
