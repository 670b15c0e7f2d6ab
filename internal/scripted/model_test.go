package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestModel: each interface gets the steps in their order, and what it answers is JSON, with every name filled in.
func TestModel(t *testing.T) {
	m := &Model{steps: []Step{{Tool: "shell", Args: map[string]any{"command": `echo "a"`}}, {Tool: "apply_patch", Patch: "*** Begin Patch\n"}}}
	for _, row := range []struct{ path, ask, result, want string }{
		{"/v1/responses", `{"tools": [{}], "input": [%s]}`, `{"type": "function_call_output", "output": "one"}`, `"arguments": "{\"command\":\"echo \\\"a\\\"\"}"`},
		{"/v1/chat/completions", `{"stream": true, "tools": [{}], "messages": [%s]}`, `{"role": "tool", "content": "one"}`, `"arguments": "{\"command\":\"echo \\\"a\\\"\"}"`},
		{"/v1/chat/completions", `{"tools": [{}], "messages": [%s]}`, `{"role": "tool", "content": "one"}`, `"finish_reason": "tool_calls"`},
		{"/v1beta/models/x:streamGenerateContent", `{"tools": [{}], "contents": [%s]}`, `{"parts": [{"functionResponse": {"id": "1"}}]}`, `"args": {"command":"echo \"a\""}`},
		{"/v1beta/models/x:generateContent", `{"tools": [{}], "contents": [%s]}`, `{"parts": [{"functionResponse": {"id": "1"}}]}`, `"functionCall": {"name": "shell"`},
	} {
		for n, want := range []string{row.want, "apply_patch", "All done."} {
			if n == 1 && row.path != "/v1/responses" {
				continue // no other has tools that take a text
			}
			body := fmt.Sprintf(row.ask, strings.TrimSuffix(strings.Repeat(row.result+",", n), ","))
			if got := ask(t, m, http.MethodPost, row.path, body); !strings.Contains(got, want) {
				t.Errorf("%s, %d results: no %s in\n%s", row.path, n, want, got)
			}
		}
	}
	if m.Result(0) == "" || m.Result(1) == "" || m.Result(2) != "" {
		t.Errorf("results: %q, %q, %q", m.Result(0), m.Result(1), m.Result(2))
	}
	if got := ask(t, m, http.MethodPost, "/v1/responses", `{"input": "hello"}`); !strings.Contains(got, "a title") {
		t.Errorf("without tools: %s", got)
	}
	for _, path := range []string{"/v1/models", "/v1beta/models/x:countTokens"} {
		ask(t, m, map[bool]string{true: http.MethodGet, false: http.MethodPost}[path == "/v1/models"], path, "{}")
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://example.com/", nil))
	if w.Code != http.StatusForbidden {
		t.Errorf("for another machine: %d", w.Code)
	}
}

// ask sends a request and reads every piece of the answer.
func ask(t *testing.T, m *Model, method, path, body string) string {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.URL.Host, r.URL.Scheme = "", ""
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	data, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r", "")
	for piece := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if _, after, ok := strings.Cut(piece, "data: "); ok {
			piece = after
		}
		if piece != "[DONE]" && !json.Valid([]byte(piece)) || strings.Contains(piece, "@") {
			t.Errorf("%s: %s", path, piece)
		}
	}
	return text
}
