package risk_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
)

func TestWritten(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		want        []string
	}{
		{"Write", `{"file_path":"/w/a.go","content":"x"}`, []string{"/w/a.go"}},
		{"Write", `{"file_path":"a.go"}`, []string{"/w/a.go"}},
		{"Read", `{"file_path":"/w/a.go"}`, nil},
		{"MultiEdit", `{"file_path":"/w/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`, []string{"/w/a.go"}},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a\n+x\n*** Delete File: b/c\n*** End Patch"}`, []string{"/w/a", "/w/b/c"}},
		{"apply_patch", `{"input":7}`, nil},
		{"Bash", `{"command":"sed -i s/a/b/ a.go && echo x > b.go; cat c.go; cd sub; rm d.go"}`, []string{"/w/a.go", "/w/b.go", "/w/sub/d.go"}},
		{"Bash", `{"command":"cat a.go | grep x"}`, nil},
		{"Bash", `{"command":"rm *.go; echo > $UNKNOWN"}`, nil},
		{"Bash", `{"command":7}`, nil},
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.input), &args); err != nil {
			t.Fatal(err)
		}
		line, _ := args["command"].(string)
		got := risks.Set().Written(&risk.Input{Tool: c.tool, Args: []byte(c.input), Command: line, Dir: "/w", Home: "/home/u"})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s writes %v, want %v", c.tool, c.input, got, c.want)
		}
	}
	if got := risks.Set().Written(&risk.Input{Tool: "Write", Args: []byte("{"), Dir: "/w"}); got != nil {
		t.Errorf("%v of what cannot be read", got)
	}
}
