package monitor_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/monitor"
)

// The windows of models are those that the client has in its own table (2.1.330).
func TestWindows(t *testing.T) {
	const small, large = 200_000, 1_000_000
	for model, want := range map[string]int{
		"claude-3-5-sonnet-20241022": small, "claude-haiku-4-5-20251001": small, "claude-sonnet-4-20250514": small, "claude-sonnet-4-5-20250929": small,
		"claude-sonnet-4-6": small, "claude-opus-4-20250514": small, "claude-opus-4-1-20250805": small, "claude-opus-4-5-20251101": small, "claude-opus-4-6": small,
		"claude-opus-4-0": small, "us.anthropic.claude-opus-4-1-20250805-v1:0": small, "claude-opus-4@20250514": small,
		"claude-opus-4-7": large, "claude-opus-4-8": large, "claude-opus-5": large, "claude-opus-5-5": large, "claude-sonnet-5": large, "claude-sonnet-5-5": large,
		"claude-haiku-5-5": large, "claude-fable-5-2": large, "claude-mythos-5": large, "us.anthropic.claude-opus-5-5-v1:0": large, "Claude-Opus-5-5": large,
		"claude-sonnet-4-5-20250929[1m]": large, "gpt-5-codex": 400_000, "somebody's": small, "": small,
	} {
		if got := monitor.WindowOf(quality.Table.Windows, model, 1000); got != want {
			t.Errorf("%q: %d, want %d", model, got, want)
		}
	}
	for held, want := range map[int]int{0: small, 200_000: small, 200_001: 400_000, 400_001: large, 2_000_000: 2_000_000} {
		if got := monitor.WindowOf(quality.Table.Windows, "claude-sonnet-4-5", held); got != want {
			t.Errorf("with %d: %d, want %d", held, got, want)
		}
	}
	if got := monitor.WindowOf(nil, "x", 7); got != 0 {
		t.Errorf("of no table: %d", got)
	}
}
