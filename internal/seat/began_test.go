package seat

import (
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

func TestBegan(t *testing.T) {
	clients := []rule.Client{{Name: "claude-code", Variables: []string{"CLAUDECODE"}, Processes: []string{"claude"}}}
	shell := Process{ID: 3, Name: "bash", Environ: []string{"SKIP=true"}}
	for _, c := range []struct {
		why   string
		above []Process
		value string
		known bool
	}{
		{"the user's shell set it", []Process{{ID: 2, Name: "claude", Environ: []string{"HOME=/h", "SKIP=true"}}, shell}, "true", true},
		{"a setting did, later", []Process{{ID: 2, Name: "claude", Environ: []string{"HOME=/h"}}, shell}, "", true},
		{"nobody tells", []Process{{ID: 2, Name: "claude"}, shell}, "", false},
		{"another agent above", []Process{{ID: 2, Name: "claude", Environ: []string{"SKIP=true"}}, {ID: 3, Name: "claude"}}, "", false},
		{"another agent that is gone", []Process{{ID: 2, Name: "claude", Environ: []string{"CLAUDECODE=1", "SKIP=true"}}, shell}, "", false},
		{"no client", []Process{shell}, "", false},
	} {
		s := Seat{Above: c.above}
		if value, known := s.Began(2, clients, nil, "SKIP"); value != c.value || known != c.known {
			t.Errorf("%s: %q %v", c.why, value, known)
		}
	}
}
