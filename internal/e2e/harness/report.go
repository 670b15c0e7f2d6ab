package main

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
