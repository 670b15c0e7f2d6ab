package seat

import (
	"fmt"
	"slices"
	"strings"
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
		b := Finder{Clients: clients, Getenv: func(string) string { return "" }}.Beginning(Sight{Look: func() Seat { return Seat{Above: c.above} }})
		if value, known := b.Value("SKIP"); known() != c.known || c.known && value != c.value {
			t.Errorf("%s: %q %v", c.why, value, known())
		}
	}
}

// TestBeganNear looks at no more than it needs: a hook asks for each call.
func TestBeganNear(t *testing.T) {
	named := Finder{Clients: []rule.Client{{Name: "two", PIDs: []string{"TWO_PID"}, Processes: []string{"two"}}}, Hosts: hosts}
	for _, c := range []struct {
		why, pid string
		chain    []Process // from the parent on
		want     string
	}{
		{"the parent is named", "9", []Process{{ID: 9, Name: "odd"}, {ID: 1}}, "environ 9"},
		{"its parent is", "9", []Process{{ID: 8, Name: "sh"}, {ID: 9, Name: "odd"}, {ID: 1}}, "look 8 environ 9"},
		{"the parent has the name", "", []Process{{ID: 9, Name: "two"}, {ID: 1}}, "look 9 environ 9"},
		{"its arguments tell", "", []Process{{ID: 8, Name: "sh"}, {ID: 9, Name: "node"}, {ID: 1}}, "look 8 args 8 look 9 args 9 environ 9"},
	} {
		var did []string
		note := func(what string, id int) int {
			did = append(did, fmt.Sprint(what, " ", id))
			return slices.IndexFunc(c.chain, func(p Process) bool { return p.ID == id })
		}
		named.Getenv = func(string) string { return c.pid }
		b := named.Beginning(Sight{above: func() *upward {
			return &upward{
				next: c.chain[0].ID,
				look: func(id int) (Process, bool) {
					i := note("look", id)
					p := c.chain[i]
					if i+1 < len(c.chain) {
						p.Parent = c.chain[i+1].ID
					}
					return p, true
				},
				args: func(id int) []string {
					if note("args", id); id == 9 {
						return []string{"node", "two"}
					}
					return []string{"sh"}
				},
				environ: func(id int) []string { note("environ", id); return []string{"SKIP=true"} },
			}
		}})
		if value, _ := b.Value("SKIP"); value != "true" || strings.Join(did, " ") != c.want {
			t.Errorf("%s: %q after %v, want %s", c.why, value, did, c.want)
		}
		did = nil
		if _, known := b.Value("SKIP"); !known() || !slices.Contains(did, "environ 1") {
			t.Errorf("%s: asked for sure, looked at %v", c.why, did)
		}
	}
}
