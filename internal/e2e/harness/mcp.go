package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// mcpMain serves three tools over stdio: "echo" returns its text, "ask" asks
// the user a question first (an elicitation) and returns the answer, and
// "create_text_file" writes content to path.
func mcpMain(in io.Reader, out io.Writer) error {
	type message struct {
		ID     json.RawMessage `json:"id,omitempty"`
		Method string          `json:"method,omitempty"`
		Params struct {
			Name            string            `json:"name"`
			Arguments       map[string]string `json:"arguments"`
			ProtocolVersion string            `json:"protocolVersion"`
		} `json:"params"`
		Result json.RawMessage `json:"result,omitempty"`
		Error  json.RawMessage `json:"error,omitempty"`
	}
	send := func(v map[string]any) {
		v["jsonrpc"] = "2.0"
		b, _ := json.Marshal(v)
		out.Write(append(b, '\n'))
	}
	text := func(s string) map[string]any {
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": s}}}
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}
	var waiting json.RawMessage // the call that waits for the user's answer
	file := map[string]any{"type": "object", "properties": map[string]any{
		"path": map[string]any{"type": "string"}, "content": map[string]any{"type": "string"},
	}}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 16<<20)
	for lines.Scan() {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Method == "initialize":
			send(map[string]any{"id": m.ID, "result": map[string]any{
				"protocolVersion": m.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": "harness", "version": "1"},
			}})
		case m.Method == "tools/list":
			send(map[string]any{"id": m.ID, "result": map[string]any{"tools": []any{
				map[string]any{"name": "echo", "description": "Return the text", "inputSchema": schema},
				map[string]any{"name": "ask", "description": "Ask the user", "inputSchema": schema},
				map[string]any{"name": "create_text_file", "description": "Write a file", "inputSchema": file},
			}}})
		case m.Method == "tools/call" && m.Params.Name == "ask":
			waiting = m.ID
			send(map[string]any{"id": "ask-1", "method": "elicitation/create", "params": map[string]any{
				"message": m.Params.Arguments["text"],
				"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{
					"answer": map[string]any{"type": "string", "title": "Answer"},
				}},
			}})
		case m.Method == "tools/call" && m.Params.Name == "create_text_file":
			said := "written"
			if err := os.WriteFile(m.Params.Arguments["path"], []byte(m.Params.Arguments["content"]), 0o644); err != nil {
				said = err.Error()
			}
			send(map[string]any{"id": m.ID, "result": text(said)})
		case m.Method == "tools/call":
			send(map[string]any{"id": m.ID, "result": text("echo: " + m.Params.Arguments["text"])})
		case m.Method == "" && waiting != nil:
			send(map[string]any{"id": waiting, "result": text("answer: " + string(m.Result) + string(m.Error))})
			waiting = nil
		case m.Method != "" && len(m.ID) > 0:
			send(map[string]any{"id": m.ID, "result": map[string]any{}})
		}
	}
	return lines.Err()
}
