package hook

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want Answer
	}{
		{"nothing to nothing", Answer{}, Answer{}, Answer{}},
		{"deny over ask", Answer{Decision: Ask, Reason: "ask"}, Answer{Decision: Deny, Reason: "deny"}, Answer{Decision: Deny, Reason: "deny"}},
		{"ask over allow", Answer{Decision: Ask, Reason: "ask"}, Answer{Decision: Allow, Reason: "fine"}, Answer{Decision: Ask, Reason: "ask"}},
		{"allow over none", Answer{}, Answer{Decision: Allow, Reason: "fine"}, Answer{Decision: Allow, Reason: "fine"}},
		{"two of a kind", Answer{Decision: Deny, Reason: "one"}, Answer{Decision: Deny, Reason: "two"}, Answer{Decision: Deny, Reason: "one\ntwo"}},
		{"the same twice", Answer{Decision: Deny, Reason: "one"}, Answer{Decision: Deny, Reason: "one"}, Answer{Decision: Deny, Reason: "one"}},
		{"the same lines again", Answer{System: "a\n  b\nc"}, Answer{System: "a\n  b"}, Answer{System: "a\n  b\nc"}},
		{"half of a line", Answer{System: "ab"}, Answer{System: "b"}, Answer{System: "ab\nb"}},
		{"the same lines twice", Answer{System: "a\nb"}, Answer{System: "a\nb"}, Answer{System: "a\nb"}},
		{
			"texts and lists",
			Answer{
				System: "a", Context: []string{"x"}, Suggestions: []string{"s"}, ContextFiles: []string{"f"}, Notifications: []Notification{{Title: "n"}},
				Data: map[string]any{"k": 1}, Special: map[string]any{"s": 1},
			},
			Answer{
				System: "b", Context: []string{"y", "x"}, Suggestions: []string{"s"}, ContextFiles: []string{"g"}, Notifications: []Notification{{Title: "n"}},
				Data: map[string]any{"k": 2, "l": 3}, Stop: true, StopReason: "enough", UpdatedInput: "{}", Message: "m",
			},
			Answer{
				System: "a\nb", Context: []string{"x", "y"}, Suggestions: []string{"s"}, ContextFiles: []string{"f", "g"},
				Notifications: []Notification{{Title: "n"}}, Data: map[string]any{"k": 2, "l": 3}, Special: map[string]any{"s": 1},
				Stop: true, StopReason: "enough", UpdatedInput: "{}", Message: "m",
			},
		},
		{
			"work",
			Answer{Work: Work{State: "idle", TokensUsed: 5, Docs: []Doc{{Path: "a"}}}},
			Answer{Work: Work{Port: &Port{ID: "p"}, TokenBudget: 9, Docs: []Doc{{Path: "b"}}}},
			Answer{Work: Work{Port: &Port{ID: "p"}, State: "idle", TokensUsed: 5, TokenBudget: 9, Docs: []Doc{{Path: "a"}, {Path: "b"}}}},
		},
	} {
		got := c.a
		got.Merge(c.b)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Merging must not write into the lists and maps of either side: a handler may keep them.
func TestMergeLeavesItsSourcesAlone(t *testing.T) {
	list := append(make([]string, 0, 8), "x")
	data := map[string]any{"k": 1}
	a := Answer{Context: list, Data: data}
	a.Merge(Answer{Context: []string{"y"}, Data: map[string]any{"k": 2}})
	if data["k"] != 1 || list[:2][1] != "" {
		t.Errorf("Merge changed %v or %q", data, list[:2])
	}
}

// The texts are part of the interface.
func TestSentinels(t *testing.T) {
	for err, want := range map[error]string{
		ErrTimeout:  "hook: execution timed out",
		ErrContract: "hook: execution contract violated",
		ErrInput:    "hook: invalid JSON input",
		ErrBlocked:  "hook: action blocked by hook",
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

func TestEvent(t *testing.T) {
	var e Event
	e.SetFields([]Member{{"prompt", `"old"`}, {"prompt", `"new"`}, {"n", "1"}})
	if got := e.Text("prompt"); got != "new" {
		t.Errorf("Text(prompt) = %q, want the last", got)
	}
	if e.Text("n") != "" || e.Raw("n") != "1" || e.Raw("nope") != "" {
		t.Error("fields of another type or missing ones are not empty")
	}
}

// A folder of 180 tests is a place to look, and nothing that a model reads before it begins.
func TestDocuments(t *testing.T) {
	for want, paths := range map[string][]string{
		"Documents for this task: a.md, b.md. Read them before you start.":                                       {"a.md", "b.md"},
		"Where to look for this task: tests/.":                                                                   {"tests/"},
		"Documents for this task: a.md. Read them before you start. Where to look for this task: tests/, spec/.": {"tests/", "a.md", "spec/"},
		"": nil,
	} {
		if got := Documents(paths); got != want {
			t.Errorf("Documents(%q) = %q, want %q", paths, got, want)
		}
	}
}
