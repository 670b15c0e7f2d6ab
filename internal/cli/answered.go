package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// answered is what of the user's own settings somebody has answered for; nil where nothing was kept yet, or nothing can be.
func (e *env) answered() *config.Answered {
	if f := e.user(); !f.Doubted && f.Config != "" {
		return config.ReadAnswered(f.State)
	}
	return nil
}

// settled is the configuration by which the handlers go, once what the event tells of it is noted.
func (e *env) settled(h *handle.Handlers, event *hook.Event, known *config.Answered) *config.Config {
	if err := e.settleOwn(event, &h.Config, known, h.DryRun); err != nil {
		h.Log.Warn("configuration", "err", err)
	}
	h.Doubts = e.doubts(h.Config)
	return h.Config
}

// settleOwn notes what an event tells of the user's own settings. What stood in the files before the client began, and before any
// other that goes on, is the user's when a session begins. What came later, and not by moai, waits for a person, whatever session
// begins then: a program that an agent started can call this hook as well, and take away what was kept.
func (e *env) settleOwn(event *hook.Event, cfg **config.Config, known *config.Answered, dry bool) error {
	f, c := e.user(), *cfg
	start := event.Name == "SessionStart"
	if f.Doubted || dry || known != nil && len(c.Held) == 0 && !start {
		return nil
	}
	begins := start && events.Source(event) != "compact" || known != nil && session.Read(f.State, event.SessionID) == nil
	var since time.Time
	if known == nil || len(c.Held) > 0 {
		since = e.clientsSince(f.State)
	}
	alone := begins && !slices.ContainsFunc(session.Open(f.State, time.Time{}), func(s *session.Session) bool {
		return s.Standing(time.Now()) == session.Running
	})
	err := config.ChangeAnswered(f.State, f.Config, since, func(a *config.Answered) {
		waits := func(h *config.Held) bool { return !alone || a.Waits(h) || h.ChangedSince(since) }
		switch {
		case known == nil: // what is older than the clients is taken over
		case begins:
			a.Adopt(c, waits)
			a.Await(c.Held, waits)
		default:
			a.Await(c.Held, func(*config.Held) bool { return true })
		}
	})
	if known == nil || alone && len(c.Held) > 0 {
		*cfg = e.cfg(event.ProjectDir)
	}
	return err
}

// clientsSince is when the first client began that runs now: this hook's own, or one that has had a session here within a day.
// It is the zero time where no client is known.
func (e *env) clientsSince(stateDir string) (since time.Time) {
	at := e.seat()
	own, _ := at.Client()
	began := []string{own.Began}
	for _, s := range session.Recent(stateDir, time.Now()) {
		if c := s.Client; s.Known() && c.Began != "" && seat.Runs(c.PID, c.Began) {
			began = append(began, c.Began)
		}
	}
	for _, b := range began {
		if t, ok := seat.Start(b); ok && (since.IsZero() || t.Before(since)) {
			since = t
		}
	}
	return since
}

// answerFor notes that the value of a setting in a file of the user's, or that it is not there, is somebody's word.
func (e *env) answerFor(path, key string) error {
	f := e.user()
	if f.Doubted {
		return nil
	}
	c := e.cfg(e.projectRoot())
	return config.ChangeAnswered(f.State, f.Config, time.Time{}, func(a *config.Answered) {
		for _, file := range c.Files() {
			if real, err := filepath.EvalSymlinks(file); file == path || err == nil && real == path {
				value, set := c.Said(file, key)
				a.Answer(file, key, value, set)
			}
		}
	})
}

// newConfigConfirm answers for what it has shown: what is written while somebody reads the question waits for the next one.
func newConfigConfirm(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "confirm",
		Short: "Let settings count that something else than moai has changed in your files",
		Long: `What loosens your own settings, and came into your files while an agent was at work,
does not count until you have seen and confirmed it: a program that the agent started
could have written it. What you set with moai config set counts at once, and so does
what you wrote before a session began. What tightens always does.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := e.person("confirm settings"); err != nil && !dry {
				return err
			}
			c := e.cfg(e.projectRoot())
			list := make([]string, len(c.Held))
			for i := range c.Held {
				list[i] = term.Text(c.Held[i].Said())
				fmt.Fprintf(e.err, "setting: %s\n", list[i])
			}
			n := term.Count(len(list), "setting")
			switch {
			case e.json && (dry || len(list) == 0):
				return e.printJSON(list)
			case len(list) == 0:
				fmt.Fprintln(e.out, "no setting waits for a confirmation")
				return nil
			case dry:
				fmt.Fprintf(e.out, "would confirm %s\n", n)
				return nil
			case !e.confirm(fmt.Sprintf("Let %s count?", n)):
				return e.unasked("nothing was confirmed", "moai config confirm --yes")
			}
			f := e.user()
			if f.State == "" {
				return errors.New("there is no folder to keep that in")
			}
			if err := config.ChangeAnswered(f.State, f.Config, time.Time{}, func(a *config.Answered) {
				a.Adopt(c, func(*config.Held) bool { return false })
			}); err != nil {
				return err
			}
			if e.json {
				return e.printJSON(list)
			}
			fmt.Fprintf(e.out, "confirmed %s\n", n)
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show what waits and confirm nothing")
	return c
}
