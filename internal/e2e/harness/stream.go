package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

// emptyMessage is a message of the Messages API before anything was said.
//
//go:embed message.json
var emptyMessage []byte

// answer writes a turn as the Messages API does, as a stream of events or, where
// the client does not stream, as one message.
func (m *Mock) answer(w http.ResponseWriter, body *apiBody, t Turn) {
	if t.Status != 0 && t.Status != 200 {
		kind := t.ErrorType
		if kind == "" {
			kind = "api_error"
		}
		writeJSON(w, t.Status, map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": orText(t.Text, "scripted failure")}})
		return
	}
	id, blocks := m.blocks(t)
	stop := "end_turn"
	if len(t.Tools) > 0 {
		stop = "tool_use"
	}
	var message map[string]any
	if err := json.Unmarshal(emptyMessage, &message); err != nil {
		panic(err) // it is a part of this program
	}
	usage := message["usage"].(map[string]any)
	for k, v := range t.Usage {
		usage[k] = v
	}
	message["id"], message["model"] = id, body.Model
	if !body.Stream {
		message["content"], message["stop_reason"] = blocks, stop
		writeJSON(w, 200, message)
		return
	}
	stream(w, message, blocks, stop, usage["output_tokens"])
}

// blocks is the content of a turn, with an id for the message and for each tool call.
func (m *Mock) blocks(t Turn) (id string, blocks []map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.toolSeq++
	id = fmt.Sprintf("msg_mock%04d", m.toolSeq)
	if t.Thinking != "" {
		blocks = append(blocks, map[string]any{"type": "thinking", "thinking": t.Thinking, "signature": "mock"})
	}
	if t.Text != "" || len(t.Tools) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": orText(t.Text, "Done.")})
	}
	for _, c := range t.Tools {
		m.toolSeq++
		tid := c.ID
		if tid == "" {
			tid = fmt.Sprintf("toolu_mock%04d", m.toolSeq)
		}
		input := c.Input
		if len(input) == 0 {
			input = json.RawMessage("{}")
		}
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": tid, "name": c.Name, "input": input})
	}
	return id, blocks
}

// stream writes a message as the client reads it while it comes: begun empty, then block
// by block, each begun empty too, and at the end why it stopped.
func stream(w http.ResponseWriter, message map[string]any, blocks []map[string]any, stop string, tokens any) {
	w.Header().Set("content-type", "text/event-stream")
	send := func(event string, v map[string]any) {
		v["type"] = event
		b, _ := json.Marshal(v)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, b)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
	send("message_start", map[string]any{"message": message})
	for i, b := range blocks {
		start, delta := map[string]any{}, map[string]any{}
		maps.Copy(start, b)
		switch b["type"] {
		case "text":
			start["text"] = ""
			delta = map[string]any{"type": "text_delta", "text": b["text"]}
		case "thinking":
			start["thinking"], start["signature"] = "", ""
			delta = map[string]any{"type": "thinking_delta", "thinking": b["thinking"]}
		case "tool_use":
			start["input"] = map[string]any{}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(b["input"].(json.RawMessage))}
		}
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		if b["type"] == "thinking" {
			send("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "signature_delta", "signature": "mock"}})
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": tokens}})
	send("message_stop", map[string]any{})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
