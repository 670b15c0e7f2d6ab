package doctor_test

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/live"
)

// TestJudge: nothing but moai's own words, and a client that runs commands at all, shows that moai is heeded.
func TestJudge(t *testing.T) {
	good := live.Seen{Kept: true, Harmless: true, Told: "denied, see moai", Requests: 3}
	for _, row := range []struct {
		change func(*live.Seen)
		want   doctor.Status
		says   string
	}{
		{func(*live.Seen) {}, doctor.OK, "refused what would have deleted a home"},
		{func(s *live.Seen) { s.Kept = false }, doctor.Fail, "RAN"},
		{func(s *live.Seen) { s.Kept, s.Late = false, true }, doctor.Fail, "RAN"},
		{func(s *live.Seen) { s.Late = true }, doctor.Warn, "did not come to an end"},
		{func(s *live.Seen) { s.Requests, s.Exit, s.Said = 0, 7, "a\nno license\n" }, doctor.Warn, "exit code 7, and it asked its model nothing: no license"},
		{func(s *live.Seen) { s.Told = "" }, doctor.Warn, "told its model nothing"},
		{func(s *live.Seen) { s.Told = "not permitted" }, doctor.Warn, "it was not moai that stopped it: not permitted"},
		{func(s *live.Seen) { s.Harmless = false }, doctor.Warn, "a harmless command did not run either"},
	} {
		seen := good
		row.change(&seen)
		if got, words := doctor.Judge(&seen); got != row.want || !strings.Contains(words, row.says) {
			t.Errorf("%+v: %v, %q", seen, got, words)
		}
	}
	if strings.Contains(live.Prefix, "moai") {
		t.Error("the name of the folder looks like words of moai's")
	}
}
