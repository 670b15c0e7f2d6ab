package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/term"
)

// Mock is a scripted stand-in for the Messages API.
type Mock struct {
	scenario *Scenario
	dir      string // request bodies are kept here

	mu       sync.Mutex
	next     map[string]int // lane -> turns already given
	requests []*Request
	toolSeq  int
}

// Request is what the mock keeps of one call.
type Request struct {
	Seq     int       `json:"seq"`
	At      time.Time `json:"at"`
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Lane    string    `json:"lane,omitempty"`
	Model   string    `json:"model,omitempty"`
	AgentID string    `json:"agent_id,omitempty"`
	Tools   []string  `json:"tools,omitempty"`
	Count   int       `json:"messages,omitempty"`
	Last    string    `json:"last_message,omitempty"`
	File    string    `json:"file,omitempty"`

	text    string // every string in system and messages, for searching
	results []ToolResult
}

// ToolResult is a tool_result block the client sent back.
type ToolResult struct {
	ToolUseID string `json:"tool_use_id"`
	Tool      string `json:"tool,omitempty"`
	IsError   bool   `json:"is_error"`
	Text      string `json:"text"`
	Request   int    `json:"request"`
}

// apiBody is the part of a request of the Messages API that is looked at.
type apiBody struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"tools"`
}

func newMock(s *Scenario, dir string) (*Mock, error) {
	return &Mock{scenario: s, dir: dir, next: map[string]int{}}, os.MkdirAll(dir, 0o755)
}

func (m *Mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body apiBody
	isMessages := r.Method == http.MethodPost && r.URL.Path == "/v1/messages"
	if isMessages {
		if err := json.Unmarshal(raw, &body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}

	m.mu.Lock()
	req := &Request{Seq: len(m.requests) + 1, At: time.Now(), Method: r.Method, Path: r.URL.RequestURI()}
	m.requests = append(m.requests, req)
	var turn Turn
	if isMessages {
		m.describe(req, &body, r.Header)
		turn = m.pick(req, &body)
	}
	req.File = m.keep(req.Seq, r, raw)
	m.mu.Unlock()

	switch {
	case isMessages:
		if turn.DelayMS > 0 {
			time.Sleep(time.Duration(turn.DelayMS) * time.Millisecond)
		}
		m.answer(w, &body, turn)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, 200, map[string]int{"input_tokens": len(raw) / 4})
	default:
		writeJSON(w, 200, map[string]any{})
	}
}

// describe notes what a request carries: model, tools, all text, tool results.
func (m *Mock) describe(req *Request, body *apiBody, h http.Header) {
	req.Model, req.Count = body.Model, len(body.Messages)
	req.AgentID = h.Get("X-Claude-Code-Agent-Id")
	for _, t := range body.Tools {
		req.Tools = append(req.Tools, t.Name)
	}
	names := map[string]string{} // tool_use id -> tool name
	var all strings.Builder
	collectStrings(body.System, &all)
	for i, msg := range body.Messages {
		var blocks []struct {
			Type      string          `json:"type"`
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			ToolUseID string          `json:"tool_use_id"`
			IsError   bool            `json:"is_error"`
			Content   json.RawMessage `json:"content"`
		}
		_ = json.Unmarshal(msg.Content, &blocks)
		for _, b := range blocks {
			switch b.Type {
			case "tool_use":
				names[b.ID] = b.Name
			case "tool_result":
				var text strings.Builder
				collectStrings(b.Content, &text)
				req.results = append(req.results, ToolResult{b.ToolUseID, names[b.ToolUseID], b.IsError, strings.TrimSpace(text.String()), req.Seq})
			}
		}
		var text strings.Builder
		collectStrings(msg.Content, &text)
		all.WriteString(text.String())
		if i == len(body.Messages)-1 {
			req.Last = term.Clip(strings.TrimSpace(text.String()), 400)
		}
	}
	req.text = all.String()
}

// pick chooses the lane of a request and takes that lane's next turn.
func (m *Mock) pick(req *Request, body *apiBody) Turn {
	first, last := userText(body, true), userText(body, false)
	take := func(name string, turns []Turn, spent Turn) Turn {
		req.Lane = name
		i := m.next[name]
		m.next[name]++
		if i < len(turns) {
			return turns[i]
		}
		return spent
	}
	for i, l := range m.scenario.Lanes {
		if (l.First == "" || strings.Contains(first, l.First)) &&
			(l.Last == "" || strings.Contains(last, l.Last)) {
			name := l.Name
			if name == "" {
				name = "lane" + strconv.Itoa(i)
			}
			return take(name, l.Turns, Turn{Text: "(lane " + name + " has no more turns)"})
		}
	}
	switch {
	case compactRequest.MatchString(last):
		return take("compact", nil, Turn{Text: "<summary>\nThe mock's summary of the conversation.\n</summary>"})
	case len(body.Tools) == 0:
		return take("helper", nil, Turn{Text: "ok"})
	case req.AgentID != "":
		return take("agent", nil, Turn{Text: "The sub-agent is done."})
	}
	return take("main", m.scenario.Turns, Turn{Text: "Done."})
}

// compactRequest recognises the client's request for a conversation summary.
var compactRequest = regexp.MustCompile(`(?s)(detailed summary of (the|this) conversation|<analysis>.*<summary>)`)

// userText is the text of the first or the last user message.
func userText(body *apiBody, first bool) string {
	text := ""
	for _, msg := range body.Messages {
		if msg.Role != "user" {
			continue
		}
		var b strings.Builder
		collectStrings(msg.Content, &b)
		text = b.String()
		if first {
			break
		}
	}
	return text
}

// keep writes the request to a file, without the keys in its headers.
func (m *Mock) keep(seq int, r *http.Request, raw []byte) string {
	header := map[string]string{}
	for k, v := range r.Header {
		if k != "X-Api-Key" && k != "Authorization" {
			header[k] = strings.Join(v, ", ")
		}
	}
	rec := map[string]any{"method": r.Method, "path": r.URL.RequestURI(), "headers": header}
	if json.Valid(raw) {
		rec["body"] = json.RawMessage(raw)
	} else if len(raw) > 0 {
		rec["text"] = string(raw)
	}
	name := filepath.Join(m.dir, fmt.Sprintf("%03d.json", seq))
	_ = writeFileJSON(name, rec)
	return name
}

// collectStrings appends every string value of a JSON document.
func collectStrings(raw json.RawMessage, b *strings.Builder) {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return
	}
	var walk func(any)
	walk = func(v any) {
		switch t := v.(type) {
		case string:
			b.WriteString(t)
			b.WriteByte('\n')
		case []any:
			for _, e := range t {
				walk(e)
			}
		case map[string]any:
			keys := make([]string, 0, len(t))
			for k := range t {
				if k != "type" && k != "cache_control" && k != "signature" {
					keys = append(keys, k)
				}
			}
			sort.Strings(keys)
			for _, k := range keys {
				walk(t[k])
			}
		}
	}
	walk(v)
}
