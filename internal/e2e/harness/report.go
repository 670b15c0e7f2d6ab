package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Report is what `harness run` prints.
type Report struct {
	Scenario      string           `json:"scenario"`
	OK            bool             `json:"ok"`
	Checks        []Check          `json:"checks,omitempty"`
	Client        ClientReport     `json:"client"`
	Hooks         []HookRecord     `json:"hooks"`
	ClientSaw     []map[string]any `json:"hook_responses_as_reported_by_the_client"`
	Shown         []string         `json:"shown_to_the_user,omitempty"`
	Steps         []StepReport     `json:"steps,omitempty"`
	Requests      []*Request       `json:"requests"`
	ToolResults   []ToolResult     `json:"tool_results"`
	Out           string           `json:"out"`
	TranscriptDir string           `json:"transcripts,omitempty"`
}

// StepReport is what became of a Step.
type StepReport struct {
	Run    string `json:"run"`
	Exit   int    `json:"exit"`
	Output string `json:"output"`
}

// ClientReport is what became of the client's process.
type ClientReport struct {
	Version   string         `json:"version"`
	Args      []string       `json:"args"`
	ExitCode  int            `json:"exit_code"`
	TimedOut  bool           `json:"timed_out,omitempty"`
	Millis    int64          `json:"millis"`
	SessionID string         `json:"session_id,omitempty"`
	Tools     any            `json:"tools,omitempty"`
	Result    map[string]any `json:"result,omitempty"`
	Asked     []any          `json:"permission_questions,omitempty"`
	Stderr    string         `json:"stderr,omitempty"`
}

// Check is one demand of the scenario and whether it held.
type Check struct {
	OK   bool   `json:"ok"`
	What string `json:"what"`
	Got  string `json:"got,omitempty"`
}

// readShown adds what the client noted in its transcripts as shown to the user
// on behalf of a hook. The stream of a headless client leaves out what comes
// before its first message, the messages of SessionStart among them.
func (r *Report) readShown(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(data) {
			var entry struct {
				Attachment struct{ Type, Content, HookName string }
			}
			if json.Unmarshal(line, &entry) == nil && entry.Attachment.Type == "hook_system_message" {
				r.Shown = append(r.Shown, entry.Attachment.HookName+": "+entry.Attachment.Content)
			}
		}
	}
	return nil
}
