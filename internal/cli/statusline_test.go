package cli

import (
	"slices"
	"testing"

	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/line"
)

// The segments that settings can name are those that there are.
func TestStatuslineSegments(t *testing.T) {
	k := &config.Keys[config.Find("statusline.segments")]
	settings, made := k.Words(), line.Names()
	slices.Sort(settings)
	slices.Sort(made)
	if !slices.Equal(settings, made) {
		t.Errorf("settings know %v, lines have %v", settings, made)
	}
}

// The context is what the client says, or what it is made of: what was written does not count.
func TestUsedContext(t *testing.T) {
	for _, c := range []struct {
		window string
		want   float64 // -1 for unknown
	}{
		{`{"used_percentage":34,"current_usage":{"input_tokens":1},"context_window_size":10}`, 34},
		{`{"used_percentage":0}`, 0},
		{`{"used_percentage":null,"current_usage":null,"context_window_size":200000}`, -1},
		{`{"current_usage":{"input_tokens":1000,"cache_creation_input_tokens":2000,"cache_read_input_tokens":47000,"output_tokens":9999},"context_window_size":200000}`, 25},
		{`{"current_usage":{"input_tokens":1000},"context_window_size":0}`, -1},
		{`{}`, -1},
		{`[]`, -1},
		{``, -1},
		{`"x"`, -1},
	} {
		got := usedContext(hook.Value(c.window))
		if (got == nil) != (c.want < 0) || got != nil && *got != c.want {
			t.Errorf("%s: %v, want %v", c.window, got, c.want)
		}
	}
}
