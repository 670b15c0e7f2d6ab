//go:build e2e_agents

package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// step is what the model does next: a call of a tool, or, with a Text, the end of its turn.
type step struct {
	Tool  string
	Args  map[string]any
	Patch string // the input of a tool that takes a text
	Text  string
}

// model is a list of steps behind the three interfaces that the agents speak. Which step is next is told by how many results of tools a request carries, so that it keeps no count.
type model struct {
	port  int
	steps []step

	mu       sync.Mutex
	requests []string // the bodies of those that offer tools
	results  []string // of tools, as the longest request has them
}

func serve(t *testing.T, steps []step) *model {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &model{port: l.Addr().(*net.TCPAddr).Port, steps: steps}
	s := &http.Server{Handler: m}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return m
}

type object = map[string]any

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Input    json.RawMessage
		Contents []struct{ Parts []map[string]json.RawMessage }
		Tools    []json.RawMessage
		Stream   bool
	}
	_ = json.Unmarshal(data, &body) // what is no object asks for nothing
	var results []string
	for _, msg := range body.Messages {
		if msg.Role == "tool" {
			results = append(results, string(msg.Content))
		}
	}
	var items []struct {
		Type   string
		Output json.RawMessage
	}
	_ = json.Unmarshal(body.Input, &items)
	for _, item := range items {
		if strings.HasSuffix(item.Type, "call_output") {
			results = append(results, string(item.Output))
		}
	}
	for _, c := range body.Contents {
		for _, part := range c.Parts {
			if answer, ok := part["functionResponse"]; ok {
				results = append(results, string(answer))
			}
		}
	}
	next := step{Text: "a title"}
	m.mu.Lock()
	if len(body.Tools) > 0 {
		m.requests = append(m.requests, string(data))
		if len(results) > len(m.results) {
			m.results = results
		}
		next = step{Text: "All done."}
		if len(results) < len(m.steps) {
			next = m.steps[len(results)]
		}
	}
	id := fmt.Sprint(len(m.requests))
	m.mu.Unlock()
	switch path := r.URL.Path; {
	case r.Method != http.MethodPost:
		answer(w, object{"object": "list", "data": []object{{"id": "scripted", "object": "model"}}})
	case strings.HasSuffix(path, "/responses"):
		responses(w, next, id)
	case strings.HasSuffix(path, "/completions"):
		chat(w, next, id, body.Stream)
	case strings.Contains(path, ":countTokens"):
		answer(w, object{"totalTokens": 42})
	default:
		gemini(w, next, id, strings.Contains(path, "stream"))
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func event(w http.ResponseWriter, name string, v any) {
	w.Header().Set("Content-Type", "text/event-stream")
	data, _ := json.Marshal(v)
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\r\n\r\n", data)
}

func (s *step) args() string {
	data, _ := json.Marshal(s.Args)
	return string(data)
}

func responses(w http.ResponseWriter, s step, id string) {
	item := object{"type": "message", "id": "msg_" + id, "role": "assistant", "status": "completed", "content": []object{{"type": "output_text", "text": s.Text, "annotations": []any{}}}}
	switch {
	case s.Patch != "":
		item = object{"type": "custom_tool_call", "id": "ctc_" + id, "call_id": "call_" + id, "name": s.Tool, "input": s.Patch, "status": "completed"}
	case s.Tool != "":
		item = object{"type": "function_call", "id": "fc_" + id, "call_id": "call_" + id, "name": s.Tool, "arguments": s.args(), "status": "completed"}
	}
	usage := object{"input_tokens": 30, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 35}
	all := object{"id": "resp_" + id, "object": "response", "created_at": 0, "status": "completed", "output": []object{item}, "usage": usage}
	event(w, "response.created", object{"type": "response.created", "response": object{"id": "resp_" + id, "object": "response", "status": "in_progress", "output": []any{}}})
	event(w, "response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": item})
	event(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", object{"type": "response.completed", "response": all})
}

func chat(w http.ResponseWriter, s step, id string, stream bool) {
	message, finish := object{"role": "assistant", "content": s.Text}, "stop"
	if s.Tool != "" {
		message, finish = object{"role": "assistant", "content": nil, "tool_calls": []object{
			{"index": 0, "id": "call_" + id, "type": "function", "function": object{"name": s.Tool, "arguments": s.args()}},
		}}, "tool_calls"
	}
	usage := object{"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35}
	if !stream {
		answer(w, object{"id": "c" + id, "object": "chat.completion", "model": "scripted", "usage": usage, "choices": []object{{"index": 0, "message": message, "finish_reason": finish}}})
		return
	}
	chunk := func(choices []object, usage any) {
		event(w, "", object{"id": "c" + id, "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": choices, "usage": usage})
	}
	chunk([]object{{"index": 0, "delta": message, "finish_reason": nil}}, nil)
	chunk([]object{{"index": 0, "delta": object{}, "finish_reason": finish}}, nil)
	chunk([]object{}, usage)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func gemini(w http.ResponseWriter, s step, id string, stream bool) {
	part := object{"text": s.Text}
	if s.Tool != "" {
		part = object{"functionCall": object{"name": s.Tool, "args": s.Args, "id": "call-" + id}}
	}
	all := object{
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}, "modelVersion": "scripted", "responseId": "r" + id,
	}
	if stream {
		event(w, "", all)
		return
	}
	answer(w, all)
}
