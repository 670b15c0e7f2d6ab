package checkpoint

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// When reads a moment as people write it, in local time: how long ago (90m, 2d), today or yesterday from their midnight on, a time of day
// (yesterday's when today's is still to come), a date, or both.
func When(s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "today":
		return midnight(now, 0), nil
	case "yesterday":
		return midnight(now, -1), nil
	}
	if d, err := Age(s); err == nil {
		return now.Add(-d), nil
	}
	for _, l := range [...]string{"15:04", "15:04:05"} {
		if t, err := time.Parse(l, s); err == nil {
			d := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location())
			// At nine in the morning "before 14:00" is yesterday's.
			if d.After(now) {
				d = d.AddDate(0, 0, -1)
			}
			return d, nil
		}
	}
	for _, l := range [...]string{"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02", time.RFC3339} {
		if t, err := time.ParseInLocation(l, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("cannot read the time %q: write 30m, 2h, 3d, yesterday, 14:00, 2026-01-31 or both of the last", s)
}

// midnight is the beginning of the day so many days from now; not each day has 24 hours.
func midnight(now time.Time, days int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, now.Location())
}

// Age reads a duration that may also be in days or weeks.
func Age(s string) (time.Duration, error) {
	// Go's own durations end with hours, and people count the age of work in days.
	for _, u := range [...]struct {
		suffix string
		unit   time.Duration
	}{{"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}} {
		if num, ok := strings.CutSuffix(s, u.suffix); ok {
			if n, err := strconv.Atoi(num); err == nil && n >= 0 && int64(n) <= math.MaxInt64/int64(u.unit) {
				return time.Duration(n) * u.unit, nil
			}
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q, want a length of time such as 14d, 2w, 12h or 90m", s)
	}
	return d, nil
}
