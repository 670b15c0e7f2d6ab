package checkpoint

import (
	"testing"
	"time"
)

func TestWhen(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 30, 0, 0, time.Local)
	for text, want := range map[string]time.Time{
		"30m": now.Add(-30 * time.Minute), "2h": now.Add(-2 * time.Hour), "3d": now.Add(-72 * time.Hour), " 1w ": now.Add(-168 * time.Hour),
		"today": time.Date(2026, 11, 22, 0, 0, 0, 0, time.Local), "Yesterday": time.Date(2026, 11, 21, 0, 0, 0, 0, time.Local),
		"09:00": time.Date(2026, 11, 22, 9, 0, 0, 0, time.Local), "14:00": time.Date(2026, 11, 21, 14, 0, 0, 0, time.Local),
		"2026-11-20": time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local), "2026-11-20 14:00": time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local),
	} {
		if got, err := When(text, now); err != nil || !got.Equal(want) {
			t.Errorf("When(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "noon", "-2h", "2026-13-01", "9999999999999d", "tomorrow"} {
		if got, err := When(text, now); err == nil {
			t.Errorf("When(%q) = %v, want an error", text, got)
		}
	}
}
