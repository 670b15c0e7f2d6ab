package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/when"
)

// sinceOption reads an option that says from when on; the zero time for none.
func sinceOption(option, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := when.Since(text, time.Now())
	if err != nil {
		return time.Time{}, usagef("--%s: %v", option, err)
	}
	return at, nil
}

// untilOption is the end of an exception as its file has it: a whole day, that day included, or a moment.
func untilOption(text string) (string, error) {
	now := time.Now()
	m, err := when.Ahead(text, now)
	switch {
	case err != nil:
		return "", usagef("--until: %v", err)
	case m.Day && m.Format(time.DateOnly) < now.Format(time.DateOnly), !m.Day && !m.After(now):
		return "", usagef("--until is %s, which is over", text)
	case m.Day:
		return m.Format(time.DateOnly), nil
	}
	return m.Format(time.RFC3339), nil
}

// lasting is an option that says how long something lasts, in the words that every other time is taken in.
type lasting struct{ time.Duration }

func (l *lasting) Set(text string) error {
	d, err := when.Length(text)
	if err != nil {
		return err
	}
	l.Duration = d
	return nil
}

// Type is what help calls the value.
func (l *lasting) Type() string { return "duration" }

// lastingFlag declares such an option.
func lastingFlag(c *cobra.Command, l *lasting, name string, standard time.Duration, usage string) {
	l.Duration = standard
	c.Flags().Var(l, name, usage)
}

// picks are the options with which a list of what happened is made shorter.
type picks struct {
	last           int
	after, session string
	from           time.Time
}

// flags declares them for a list of these things.
func (p *picks) flags(e *env, c *cobra.Command, newest string) {
	c.Flags().IntVarP(&p.last, "last", "n", 0, "show only the "+newest)
	c.Flags().StringVar(&p.after, "since", "", "show only those since then: 30m, 2d, '5 minutes ago', yesterday, 14:00, 2026-01-31")
	c.Flags().StringVar(&p.session, "session", "", "show only those of the session whose id begins so")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
}

// read checks what was given.
func (p *picks) read(c *cobra.Command) (err error) {
	for _, name := range [...]string{"since", "session"} {
		if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return usagef("--%s is empty", name)
		}
	}
	if p.last < 0 {
		return usagef("--last is %d, want how many to show", p.last)
	}
	p.from, err = sinceOption("since", p.after)
	return err
}

// fits tells whether something is to be shown, but for the number of them.
func (p *picks) fits(at time.Time, session string) bool {
	return !at.Before(p.from) && (p.session == "" || strings.HasPrefix(session, p.session))
}

// none says in words what nothing fitted, for the sentence "no checkpoint …"; "" where nothing was asked for.
func (p *picks) none() string {
	text := ""
	if p.session != "" {
		text += " of session " + p.session
	}
	if p.after != "" {
		text += " since " + p.from.Format("2006-01-02 15:04")
	}
	return text
}
