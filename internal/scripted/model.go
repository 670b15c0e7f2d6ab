// Package scripted is a model that is a list of steps, for clients that are driven offline. It stands behind the interfaces that they speak.
//
// Its invariant: it listens on this machine's own address alone, and sends nothing anywhere.
package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/rule"
)

// Step is what the model does next: a call of a tool, or, with a Text, the end of its turn.
type Step struct {
	Tool  string
	Args  map[string]any
	Patch string // the input of a tool that takes a text
	Text  string
}

// Model is a list of steps behind the three interfaces that the agents speak, on this machine's own address alone. Which step is next is told by how many results of
// tools a request carries, so that it keeps no count.
type Model struct {
	Port  int
	steps []Step
	serve *http.Server

	mu       sync.Mutex
	requests []string // the bodies of those that offer tools
	results  []string // of tools, as the longest request has them
}

// maxBody bounds what is read of a request: agents send all that was said, and their tools.
const maxBody = 32 << 20

// Serve answers until Close.
func Serve(steps []Step) (*Model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &Model{Port: l.Addr().(*net.TCPAddr).Port, steps: steps}
	m.serve = &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	go func() { _ = m.serve.Serve(l) }() // until Close
	return m, nil
}

// Close ends the model, and every connection to it.
func (m *Model) Close() { _ = m.serve.Close() }

// Requests are the bodies of what was asked so far.
func (m *Model) Requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Result is what the model has read as the result of a call, by its number; "" for none.
func (m *Model) Result(n int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < len(m.results) {
		return m.results[n]
	}
	return ""
}

// asked is what counts of a request, whichever interface it is for.
type asked struct {
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
	Input    json.RawMessage
	Contents []struct{ Parts []map[string]json.RawMessage }
	Tools    []json.RawMessage
	Stream   bool
}

// results are those of tools, in their order.
func (a *asked) results() (list []string) {
	for _, msg := range a.Messages {
		if msg.Role == "tool" {
			list = append(list, string(msg.Content))
		}
	}
	var items []struct {
		Type   string
		Output json.RawMessage
	}
	_ = json.Unmarshal(a.Input, &items) // a text has none
	for _, item := range items {
		if strings.HasSuffix(item.Type, "call_output") {
			list = append(list, string(item.Output))
		}
	}
	for _, c := range a.Contents {
		for _, part := range c.Parts {
			if answer, ok := part["functionResponse"]; ok {
				list = append(list, string(answer))
			}
		}
	}
	return list
}

// ServeHTTP answers one request. What is meant for another machine, by way of a proxy, is none.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		http.Error(w, "nothing leaves this machine", http.StatusForbidden)
		return
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client has gone
	}
	var body asked
	_ = json.Unmarshal(data, &body) // what is no object asks for nothing
	next, id := m.next(&body, string(data))
	switch path := r.URL.Path; {
	case r.Method != http.MethodPost:
		whole(w, said("models.json"))
	case strings.HasSuffix(path, "/responses"):
		next.speak(w, responses, id, true)
	case strings.HasSuffix(path, "/completions"):
		next.speak(w, chat, id, body.Stream)
	case strings.Contains(path, ":countTokens"):
		whole(w, said("tokens.json"))
	default:
		next.speak(w, gemini, id, strings.Contains(path, "stream"))
	}
}

// next is the step that a request gets: the first of which it has no result. Without tools it is about a title.
func (m *Model) next(body *asked, data string) (next Step, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if next = (Step{Text: "a title"}); len(body.Tools) > 0 {
		m.requests = append(m.requests, data)
		results := body.results()
		if len(results) > len(m.results) {
			m.results = results
		}
		if next = (Step{Text: "All done."}); len(results) < len(m.steps) {
			next = m.steps[len(results)]
		}
	}
	return next, fmt.Sprint(len(m.requests))
}

// Call is a call of the agent's tool for commands.
func Call(l *rule.Live, line string) (Step, error) {
	args := map[string]any{}
	if l.More != "" {
		if err := json.Unmarshal([]byte("{"+l.More+"}"), &args); err != nil {
			return Step{}, fmt.Errorf("live.more: %w", err)
		}
	}
	args[l.Line] = line
	return Step{Tool: l.Tool, Args: args}, nil
}
