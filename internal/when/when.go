// Package when reads times as people write them: "yesterday", "5 minutes ago", "tomorrow", "2d", "14:00", "2027-01-31 09:00".
//
// It is the only place that does, so that every option which takes a time takes the same words. It knows no clock: what is now
// is an argument.
package when

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Moment is a time, or a whole day of which it is the beginning.
type Moment struct {
	time.Time
	Day bool
}

// Past reads a moment that something has happened since: a length of time counts backwards, a time of day is the last one.
func Past(s string, now time.Time) (Moment, error) {
	if m, ok := read(s, now, -1); ok {
		return m, nil
	}
	return Moment{}, fmt.Errorf("cannot read the time %q: write 30m, 2d, '5 minutes ago', yesterday, monday, 14:00, 2026-01-31 or both of the last", s)
}

// Since is Past of what must have begun: what is yet to come has nothing behind it, so that it can only be a slip.
func Since(s string, now time.Time) (time.Time, error) {
	m, err := Past(s, now)
	if err == nil && m.After(now) {
		err = fmt.Errorf("%s is yet to come", s)
	}
	return m.Time, err
}

// Ahead reads a moment until which something is to last: a length of time counts forwards, a time of day is the next one.
func Ahead(s string, now time.Time) (Moment, error) {
	if m, ok := read(s, now, +1); ok {
		return m, nil
	}
	return Moment{}, fmt.Errorf("cannot read the time %q: write 2h, 3d, 'in 2 weeks', tomorrow, friday, 18:00, 2027-01-31 or both of the last", s)
}

// Length reads how long something lasts, or how old it is: 90m, 2d, "1 hour 30 minutes".
func Length(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(strings.TrimSpace(s)); err == nil && d >= 0 {
		return d, nil
	}
	if l, ok := lengthOf(strings.Fields(strings.ToLower(s))); ok && l.months == 0 {
		return l.rest, nil
	}
	return 0, fmt.Errorf("%q, want a length of time such as 14d, 2w, 12h, 90m or '2 weeks'", s)
}

// read tries what a word can be, one kind after another; sign is where lengths and times of day lead.
func read(s string, now time.Time, sign int) (Moment, bool) {
	s = strings.TrimSpace(s)
	for _, l := range [...]string{time.RFC3339Nano, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(l, s, now.Location()); err == nil {
			return Moment{Time: t}, true
		}
	}
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 {
		return Moment{}, false
	}
	if len(words) == 1 && isOne(words[0], "now 지금") {
		return Moment{Time: now}, true
	}
	if day, ok := dayOf(words[0], now, sign); ok {
		return clockOn(day, words[1:])
	}
	if at, err := clock(words); err == nil {
		m, _ := clockOn(midnight(now, 0), words)
		// At nine in the morning "before 14:00" is yesterday's, and "until 08:00" is tomorrow's.
		if m.Compare(now)*sign < 0 {
			m.Time = at.on(midnight(now, sign))
		}
		return m, true
	}
	sign, words = direction(sign, words)
	l, ok := lengthOf(words)
	if !ok {
		return Moment{}, false
	}
	return Moment{Time: now.AddDate(0, sign*l.months, 0).Add(time.Duration(sign) * l.rest)}, true
}

// isOne looks a word up in a list of them.
func isOne(word, list string) bool {
	for known := range strings.FieldsSeq(list) {
		if word == known {
			return true
		}
	}
	return false
}

// direction takes away what says where a length leads.
func direction(sign int, words []string) (int, []string) {
	last := len(words) - 1
	switch {
	case isOne(words[last], "ago 전"):
		return -1, words[:last]
	case isOne(words[last], "후 뒤"):
		return +1, words[:last]
	case words[0] == "in":
		return +1, words[1:]
	case last > 1 && words[last] == "now" && words[last-1] == "from":
		return +1, words[:last-1]
	}
	return sign, words
}

// midnight is the beginning of the day so many days from now; not each day has 24 hours.
func midnight(now time.Time, days int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, now.Location())
}

// dayOf reads the name of a day. One of the week is the nearest in the direction of sign, today included.
func dayOf(word string, now time.Time, sign int) (time.Time, bool) {
	switch {
	case isOne(word, "today 오늘"):
		return midnight(now, 0), true
	case isOne(word, "yesterday 어제"):
		return midnight(now, -1), true
	case isOne(word, "tomorrow 내일"):
		return midnight(now, +1), true
	}
	for n := range 7 {
		day := midnight(now, sign*n)
		if name := strings.ToLower(day.Weekday().String()); word == name || word == name[:3] {
			return day, true
		}
	}
	t, err := time.ParseInLocation(time.DateOnly, word, now.Location())
	return t, err == nil
}

// clockOn adds the time of day that may stand behind a day.
func clockOn(day time.Time, words []string) (Moment, bool) {
	if len(words) == 0 {
		return Moment{day, true}, true
	}
	if words[0] == "at" {
		words = words[1:]
	}
	at, err := clock(words)
	return Moment{Time: at.on(day)}, err == nil
}

// hours is a time of day.
type hours struct{ time.Time }

func (h hours) on(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), h.Hour(), h.Minute(), h.Second(), 0, day.Location())
}

func clock(words []string) (hours, error) {
	if len(words) != 1 {
		return hours{}, errNone
	}
	for _, l := range [...]string{"15:04", "15:04:05", "3pm"} {
		if t, err := time.Parse(l, words[0]); err == nil {
			return hours{t}, nil
		}
	}
	return hours{}, errNone
}

var errNone = errors.New("no time of day")

// length is a length of time; how long a month is depends on which.
type length struct {
	months int
	rest   time.Duration
}

// units are what a length can be counted in. Years and months have no length of their own.
var units = [...]struct {
	names  string
	months int
	length time.Duration
}{
	{"s sec secs second seconds 초", 0, time.Second},
	{"m min mins minute minutes 분", 0, time.Minute},
	{"h hr hrs hour hours 시간", 0, time.Hour},
	{"d day days 일", 0, 24 * time.Hour},
	{"w week weeks 주 주일", 0, 7 * 24 * time.Hour},
	{"month months 개월 달", 1, 0},
	{"y year years 년", 12, 0},
}

// lengthOf reads numbers with their units, with or without blanks between them: "1 hour 30 minutes", "1h30m", "a week".
func lengthOf(words []string) (total length, ok bool) {
	rest := strings.Join(words, " ")
	if one, ok := strings.CutPrefix(rest, "an "); ok {
		rest = "1" + one
	} else if one, ok := strings.CutPrefix(rest, "a "); ok {
		rest = "1" + one
	}
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil {
			return total, false
		}
		rest = strings.TrimLeft(rest[digits:], " ")
		end := strings.IndexAny(rest, " 0123456789")
		if end < 0 {
			end = len(rest)
		}
		if !total.add(n, rest[:end]) {
			return total, false
		}
		rest, ok = strings.TrimLeft(rest[end:], " "), true
	}
	return total, ok
}

// add refuses what is no unit, and lengths beyond what a clock can count.
func (l *length) add(n int, unit string) bool {
	const mostMonths = 12 * 1000
	for _, u := range units {
		if !isOne(unit, u.names) {
			continue
		}
		if u.months > 0 {
			l.months += min(n, mostMonths+1) * u.months
			return l.months <= mostMonths
		}
		if int64(n) > (math.MaxInt64-int64(l.rest))/int64(u.length) {
			return false
		}
		l.rest += time.Duration(n) * u.length
		return true
	}
	return false
}
