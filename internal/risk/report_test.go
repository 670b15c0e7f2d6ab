package risk_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/risks"
)

// The name of a test in a report is no password, whatever it holds.
func TestReports(t *testing.T) {
	for text, want := range map[string]string{
		"    --- PASS: TestFoo/some_name_1234 (0.00s)":          "    --- PASS: TestFoo/some_name_1234 (0.00s)",
		"=== RUN   TestX\n    --- PASS: TestBashV2 (1.20s)\nok": "=== RUN   TestX\n    --- PASS: TestBashV2 (1.20s)\nok",
		"PASS: hunter2secret":                                   "PASS: ***",
		"--- PASS: hunter2secret":                               "--- PASS: ***",
	} {
		if got := risks.Set().Mask(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
