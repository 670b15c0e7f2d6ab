package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Scenario scripts one session: what the user types, what the model answers,
// and what should have happened by the end.
type Scenario struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"`

	// Prompts are typed one after another; the next is sent once the client
	// has reported the result of the one before.
	Prompts []string `json:"prompts"`
	// Turns answer the main conversation, one per request. When they run out
	// the mock answers with a short text that ends the turn.
	Turns []Turn `json:"turns"`
	// Lanes answer other conversations: sub-agents, compaction.
	Lanes []Lane `json:"lanes,omitempty"`

	// Settings, when given, replaces the project's .claude/settings.json.
	Settings json.RawMessage `json:"settings,omitempty"`
	// Files are written into the project copy before the client starts.
	Files map[string]string `json:"files,omitempty"`
	// Prepare is shell text, run line by line in the project copy once it is
	// a Git repository; a line that fails ends the run.
	Prepare []string `json:"prepare,omitempty"`
	// Beside is run in the same way, each line for itself, while the client runs,
	// and is waited for: what a person does in another terminal.
	Beside []string `json:"beside,omitempty"`
	// Finish is run in the same way after the client has ended; what it starts has the mock, and counts for the checks.
	Finish []Step `json:"finish,omitempty"`
	// BareHooks leaves hook commands as they are, like the flag.
	BareHooks bool `json:"bare_hooks,omitempty"`
	// Args and Env are added to the client's own.
	Args []string          `json:"args,omitempty"`
	Env  map[string]string `json:"env,omitempty"`
	// Permission answers the client when it asks the host about a tool call:
	// "allow", "deny", or empty for not offering to answer.
	Permission        string `json:"permission,omitempty"`
	PermissionDelayMS int    `json:"permission_delay_ms,omitempty"`
	// InterruptAt is text of the client's stream: a second behind its first line with that, the user stops what goes on.
	InterruptAt string `json:"interrupt_at,omitempty"`
	// Resume continues the session of an earlier run kept in the same -out.
	Resume bool `json:"resume,omitempty"`

	Expect []Expect `json:"expect,omitempty"`
}

// Turn is one scripted answer of the model.
type Turn struct {
	Text     string         `json:"text,omitempty"`
	Thinking string         `json:"thinking,omitempty"`
	Tools    []ToolCall     `json:"tools,omitempty"`
	Usage    map[string]int `json:"usage,omitempty"`
	DelayMS  int            `json:"delay_ms,omitempty"`
	// Status other than 0 or 200 makes the mock fail with an API error.
	Status    int    `json:"status,omitempty"`
	ErrorType string `json:"error_type,omitempty"`
}

// Step is a line of shell text and what it must do.
type Step struct {
	Note     string `json:"note,omitempty"`
	Run      string `json:"run"`
	Exit     int    `json:"exit,omitempty"`
	Contains string `json:"contains,omitempty"` // in stdout and stderr together
}

// ToolCall is one use of a tool that the model asks for.
type ToolCall struct {
	Name  string          `json:"name"`
	ID    string          `json:"id,omitempty"`
	Input json.RawMessage `json:"input"`
}

// Lane claims the requests whose first or last user message contains the
// given text. Lanes are tried in order, before the main conversation.
type Lane struct {
	Name  string `json:"name"`
	First string `json:"first_contains,omitempty"`
	Last  string `json:"last_contains,omitempty"`
	Turns []Turn `json:"turns"`
}

// Expect is one check. Every field that is set must hold.
type Expect struct {
	Note string `json:"note,omitempty"`

	// Hook counts recorded invocations of this event, narrowed by Tool and by
	// Where (field path in the hook's stdin -> wanted text).
	Hook  string            `json:"hook,omitempty"`
	Tool  string            `json:"tool,omitempty"`
	Where map[string]string `json:"where,omitempty"`
	Count *int              `json:"count,omitempty"` // default: at least one
	// Every one of these invocations must have answered so.
	Stdout      string `json:"stdout,omitempty"` // contains
	StdoutLacks string `json:"stdout_lacks,omitempty"`
	StdoutIs    string `json:"stdout_is,omitempty"` // blanks around it apart
	HookExit    *int   `json:"hook_exit,omitempty"`
	WithinMS    int64  `json:"within_ms,omitempty"`

	// ClientSaw maps an event to what the client says became of each of its
	// hooks: success, error, cancelled or none. It works with bare hooks too.
	ClientSaw map[string]string `json:"client_saw,omitempty"`

	// UserSees is text that the client shows to the user on behalf of a hook.
	UserSees  string `json:"user_sees,omitempty"`
	UserLacks string `json:"user_lacks,omitempty"`
	// Asked counts the permission questions to the host.
	Asked *int `json:"asked,omitempty"`

	FirstRequestContains string `json:"first_request_contains,omitempty"` // of the main conversation
	// LastRequestCounts says how often texts stand in the last request of the main
	// conversation. Each request repeats the conversation so far, so that 1 is once
	// and only once.
	LastRequestCounts map[string]int `json:"last_request_counts,omitempty"`

	RequestContains    string `json:"request_contains,omitempty"`
	RequestLacks       string `json:"request_lacks,omitempty"`
	RequestPath        string `json:"request_path,omitempty"`
	ToolResultContains string `json:"tool_result_contains,omitempty"`
	ToolResultLacks    string `json:"tool_result_lacks,omitempty"`
	MainRequests       *int   `json:"main_requests,omitempty"`

	File         string `json:"file,omitempty"`
	FileContains string `json:"file_contains,omitempty"`
	FileAbsent   bool   `json:"file_absent,omitempty"`

	// Result looks into the client's final result message (field -> text).
	Result       map[string]string `json:"result,omitempty"`
	ClientStderr string            `json:"client_stderr,omitempty"`
	ClientExit   *int              `json:"client_exit,omitempty"`
}

// loadScenario reads a scenario; names replaces {{name}} by what it stands for.
func loadScenario(path string, names *strings.Replacer) (*Scenario, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(names.Replace(string(b))))
	dec.DisallowUnknownFields()
	var s Scenario
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(path), ".json")
	}
	return &s, nil
}
