package when

import (
	"testing"
	"time"
)

// now is a Sunday.
func now() time.Time { return time.Date(2026, 11, 22, 9, 30, 0, 0, time.Local) }

func day(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.Local) }

func at(d, h int) time.Time { return day(d).Add(time.Duration(h) * time.Hour) }

func TestPast(t *testing.T) {
	now := now()
	for text, want := range map[string]time.Time{
		"30m": now.Add(-30 * time.Minute), "2h": now.Add(-2 * time.Hour), "3d": now.Add(-72 * time.Hour), " 1w ": now.Add(-168 * time.Hour), "1h30m": now.Add(-90 * time.Minute),
		"5 minutes ago": now.Add(-5 * time.Minute), "5 MINUTES": now.Add(-5 * time.Minute), "1 hour 30 minutes ago": now.Add(-90 * time.Minute), "an hour ago": now.Add(-time.Hour), "a week ago": now.Add(-168 * time.Hour),
		"5분 전": now.Add(-5 * time.Minute), "2시간 전": now.Add(-2 * time.Hour), "in 2 hours": now.Add(2 * time.Hour), "2 months ago": now.AddDate(0, -2, 0), "now": now,
		"today": day(22), "Yesterday": day(21), "어제": day(21), "tomorrow": day(23), "monday": day(16), "sun": day(22), "sat": day(21),
		"yesterday 14:00": at(21, 14), "yesterday at 3pm": at(21, 15), "09:00": at(22, 9), "14:00": at(21, 14), "9am": at(22, 9),
		"2026-11-20": day(20), "2026-11-20 14:00": at(20, 14), "2026-11-20T14:00": at(20, 14), "2026-11-20T14:00:00Z": time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC),
	} {
		if got, err := Past(text, now); err != nil || !got.Equal(want) {
			t.Errorf("Past(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range nothing() {
		if got, err := Past(text, now); err == nil {
			t.Errorf("Past(%q) = %v, want an error", text, got)
		}
	}
}

func nothing() []string {
	return []string{
		"", " ", "noon", "-2h", "2026-13-01", "9999999999999d", "99999999999999999999d", "100000000w", "2000y", "ago", "in", "minutes ago", "5", "5 5", "5 minutes yesterday", "yesterday 5 minutes",
		"yesterday yesterday", "at 14:00", "25:00", "now now", "5 lightyears ago", "a", "an", "from now", "전", "todayx",
	}
}

func TestAhead(t *testing.T) {
	now := now()
	for text, want := range map[string]Moment{
		"2d": {now.Add(48 * time.Hour), false}, "in 2 days": {now.Add(48 * time.Hour), false}, "2 weeks from now": {now.Add(336 * time.Hour), false}, "2시간 후": {now.Add(2 * time.Hour), false},
		"tomorrow": {day(23), true}, "내일": {day(23), true}, "today": {day(22), true}, "friday": {day(27), true}, "sunday": {day(22), true}, "2026-12-31": {time.Date(2026, 12, 31, 0, 0, 0, 0, time.Local), true},
		"18:00": {at(22, 18), false}, "08:00": {at(23, 8), false}, "tomorrow 08:00": {at(23, 8), false}, "5 minutes ago": {now.Add(-5 * time.Minute), false}, "1 month": {now.AddDate(0, 1, 0), false},
	} {
		if got, err := Ahead(text, now); err != nil || !got.Equal(want.Time) || got.Day != want.Day {
			t.Errorf("Ahead(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range nothing() {
		if got, err := Ahead(text, now); err == nil {
			t.Errorf("Ahead(%q) = %v, want an error", text, got)
		}
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"500ms": 500 * time.Millisecond, "2h": 2 * time.Hour, "14d": 336 * time.Hour, "2w": 336 * time.Hour, "2 weeks": 336 * time.Hour, "1 hour 30 minutes": 90 * time.Minute, "90분": 90 * time.Minute, "1.5h": 90 * time.Minute, "0s": 0,
	} {
		if got, err := Length(text); err != nil || got != want {
			t.Errorf("Length(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "yesterday", "-2h", "5 minutes ago", "1 month", "soon", "9999999999999d"} {
		if got, err := Length(text); err == nil {
			t.Errorf("Length(%q) = %v, want an error", text, got)
		}
	}
}

func FuzzPast(f *testing.F) {
	for _, s := range nothing() {
		f.Add(s)
	}
	f.Add("1 hour 30 minutes ago")
	f.Fuzz(func(t *testing.T, s string) {
		back, err := Past(s, now())
		if ahead, err2 := Ahead(s, now()); (err == nil) != (err2 == nil) {
			t.Errorf("%q: %v, %v; %v, %v", s, back, err, ahead, err2)
		}
	})
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago", time.Hour: "1 hour ago", 47 * time.Hour: "47 hours ago", 48 * time.Hour: "2 days ago",
	} {
		if got := Ago(d); got != want {
			t.Errorf("Ago(%v) = %q, want %q", d, got, want)
		}
	}
}
