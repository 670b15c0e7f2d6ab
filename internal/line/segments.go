package line

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/modu-ai/moai/internal/term"
)

// Of what strangers name: a branch, a model, a port. More letters tell no more.
const (
	mostNamed = 40
	fewNamed  = 16
)

// named is a name as far as there is room for it.
func named(name string, columns int) string {
	return term.Cut(term.Text(term.OneLine(name, 4*mostNamed)), columns)
}

// The bar of the context. Both are one column wide everywhere: of most such letters East Asian terminals make two.
const (
	full  = "▰"
	empty = "▱"
)

func settings(f *Facts) Segment {
	if !f.Broken {
		return Segment{}
	}
	return Segment{Full: "!settings", Short: "!", tone: notable, rank: pressing}
}

// guard is the loudest where nothing watches.
func guard(f *Facts, _ *Options) Segment {
	switch {
	case f.Left:
		return Segment{Full: "GUARD OFF: moai init", Short: "GUARD OFF", tone: loud, rank: alarming}
	case f.Guard == "off":
		return Segment{Full: "GUARD OFF", tone: loud, rank: alarming}
	case f.Silent:
		return Segment{Full: "NO HOOKS: moai doctor", Short: "NO HOOKS", tone: loud, rank: alarming}
	case f.Guard == "warn":
		return Segment{Full: "guard only warns", Short: "guard warns", tone: notable, rank: pressing}
	case f.Loosened:
		return Segment{Full: "guard loosened", Short: "guard-", tone: notable, rank: pressing}
	case f.Guard == "":
		return Segment{}
	case f.Guard == "strict":
		return Segment{Full: "guard strict", Short: "strict", tone: good, rank: working}
	}
	return Segment{Full: "guard on", Short: "guard", tone: good, rank: working}
}

func context(f *Facts, o *Options) Segment {
	if f.Context == nil || math.IsNaN(*f.Context) {
		return Segment{}
	}
	used := int(min(max(math.Round(*f.Context), 0), 999))
	s := Segment{Full: fmt.Sprintf("%d%%", used), rank: working}
	switch {
	case o.ContextHigh > 0 && used >= o.ContextHigh:
		s.tone, s.rank = wrong, pressing
	case o.ContextWarn > 0 && used >= o.ContextWarn:
		s.tone, s.rank = notable, pressing
	}
	if n := min(o.Bar, mostNamed); n > 0 {
		s.Short = s.Full
		filled := min((used*n+99)/100, n)
		s.Full = strings.Repeat(full, filled) + strings.Repeat(empty, n-filled) + " " + s.Full
	}
	return s
}

func branch(f *Facts, _ *Options) Segment {
	if f.Branch == "" {
		return Segment{}
	}
	s := Segment{Full: named(f.Branch, mostNamed), Short: named(f.Branch, fewNamed), rank: working}
	if f.Operation != "" {
		s.Full, s.tone = s.Full+", "+named(f.Operation, mostNamed), notable
		s.Short += "!"
	}
	c := f.Changes
	if c == nil || c.Count <= 0 && c.Conflicts <= 0 {
		return s
	}
	number := fmt.Sprint(c.Count)
	if c.Partial {
		number += "+"
	}
	if c.Old {
		number = "~" + number
	}
	s.Full, s.Short = s.Full+", "+number+" changed", s.Short+"*"+number
	if c.Conflicts > 0 {
		s.Full, s.tone, s.rank = s.Full+", "+term.Count(c.Conflicts, "conflict"), wrong, pressing
	}
	return s
}

func model(f *Facts, _ *Options) Segment {
	return Segment{Full: named(f.Model, mostNamed), Short: named(f.Model, fewNamed), rank: useful}
}

// mode is how the client asks the person, unless it asks as it always does.
func mode(f *Facts, _ *Options) Segment {
	if f.Mode == "" || f.Mode == "default" {
		return Segment{}
	}
	var words strings.Builder
	for i, r := range named(f.Mode, mostNamed) { // the client's names are like acceptEdits
		if i > 0 && unicode.IsUpper(r) {
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	s := Segment{Full: words.String(), Short: named(words.String(), fewNamed), tone: notable, rank: useful}
	if f.Mode == "bypassPermissions" {
		s.tone, s.rank = loud, pressing
	}
	return s
}

func port(f *Facts, _ *Options) Segment {
	if f.Port == "" {
		return Segment{}
	}
	return Segment{Full: "port " + named(f.Port, mostNamed), Short: named(f.Port, fewNamed), rank: working}
}

func loop(f *Facts, _ *Options) Segment {
	if f.Loop == nil {
		return Segment{}
	}
	return Segment{Full: fmt.Sprintf("loop %d of %d", f.Loop.Round, f.Loop.Max), Short: fmt.Sprintf("loop %d/%d", f.Loop.Round, f.Loop.Max), tone: notable, rank: working}
}

func checks(f *Facts, _ *Options) Segment {
	if f.Checks <= 0 {
		return Segment{}
	}
	return Segment{Full: fmt.Sprintf("%d to verify", f.Checks), Short: fmt.Sprintf("verify %d", f.Checks), tone: notable, rank: working}
}

func tests(f *Facts, _ *Options) Segment {
	switch {
	case f.Tests == nil:
		return Segment{}
	case f.Tests.Old:
		how := "failed "
		if f.Tests.Passed {
			how = "passed "
		}
		return Segment{Full: "tests " + how + age(f.Now, f.Tests.At) + ", code changed since", Short: "tests stale", tone: notable, rank: passing}
	case f.Tests.Passed && f.Tests.Part:
		return Segment{Full: "some tests passed " + age(f.Now, f.Tests.At), Short: "some ok", rank: passing}
	case f.Tests.Passed:
		return Segment{Full: "tests passed " + age(f.Now, f.Tests.At), Short: "tests ok", tone: good, rank: passing}
	}
	return Segment{Full: "tests failed " + age(f.Now, f.Tests.At), Short: "tests failed", tone: wrong, rank: working}
}

func sessions(f *Facts, _ *Options) Segment {
	if f.Others <= 0 {
		return Segment{}
	}
	text := "1 other session here"
	if f.Others > 1 {
		text = fmt.Sprintf("%d other sessions here", f.Others)
	}
	return Segment{Full: text, Short: fmt.Sprintf("+%d here", f.Others), tone: notable, rank: useful}
}

func snapshot(f *Facts, _ *Options) Segment {
	switch {
	case f.Unsaved != "":
		return Segment{Full: "no snapshots: " + named(f.Unsaved, mostNamed), Short: "no snapshots", tone: notable, rank: useful}
	case f.Missed != "":
		return Segment{Full: "turn not saved: " + named(f.Missed, mostNamed), Short: "not saved", tone: notable, rank: useful}
	case !f.Snapshot.IsZero():
		return Segment{Full: "snapshot " + age(f.Now, f.Snapshot), Short: "saved " + short(f.Now.Sub(f.Snapshot)), tone: quiet, rank: passing}
	}
	return Segment{}
}

func cost(f *Facts, o *Options) Segment {
	if !(f.Cost >= 0.005) || math.IsInf(f.Cost, 0) { // as it is shown, nothing; and what is no number
		return Segment{}
	}
	s := Segment{Full: fmt.Sprintf("$%.2f", min(f.Cost, 1e9)), Short: fmt.Sprintf("$%.0f", min(f.Cost, 1e9)), tone: quiet, rank: passing}
	if f.Cost < 1 {
		s.Short = ""
	}
	if o.CostWarn > 0 && f.Cost >= float64(o.CostWarn) {
		s.tone, s.rank = notable, useful
	}
	return s
}

// age is how long ago something was.
func age(now, then time.Time) string {
	if d := now.Sub(then); d >= time.Minute {
		return short(d) + " ago"
	}
	return "just now"
}

// short is a length of time in its largest unit.
func short(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
