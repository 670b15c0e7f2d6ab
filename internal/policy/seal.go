package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Seals tell the exceptions that a person made, with the verb for it or by a confirmation,
// from those that something has written into a file of exceptions. Each exception has a
// seal of its own, over all that it says, so that one more entry or another day in one of
// them takes nothing from the others. The seals are not beside the exceptions: who writes
// one file has not written the other.

// The ways in which an exception comes to count.
const (
	ByAllow   = "allow"   // moai risk allow made it
	ByConfirm = "confirm" // somebody wrote it, and a person confirmed it
	ByTrust   = "trust"   // it is in a project's file that a person approved
)

// Seal is when and by which verb a person answered for an exception.
type Seal struct {
	By string    `json:"by"`
	At time.Time `json:"at,omitzero"`
}

func (p Places) sealed() string { return join(p.State, "exceptions-sealed.json") }

// Identity names an exception by all that it says and by its file.
func Identity(e *rule.Allowed) string {
	return hashOf([]byte(strings.Join([]string{
		e.File, e.Rule, e.Path, e.Argument, e.Until, e.Session, strconv.FormatBool(e.Once), e.Project, e.Reason, e.Given,
	}, "\x00")))
}

// Seals returns what tells the seal of an exception; ok is false for one that does not
// count. The file of seals is read when it is asked for the first time: most calls meet
// no exception. Without it nothing is sealed.
func (p Places) Seals() func(e *rule.Allowed) (s Seal, ok bool) {
	var list map[string]Seal
	return func(e *rule.Allowed) (Seal, bool) {
		if filepath.Dir(e.File) != p.UserRules() {
			return Seal{By: ByTrust}, true // approved with all that is in its file
		}
		if list == nil {
			list = map[string]Seal{}
			if p.State != "" {
				state.Read(p.sealed(), 0, &list)
			}
		}
		s, ok := list[Identity(e)]
		return s, ok
	}
}

// Confirm seals exceptions as they are given here, which is as a person has seen them.
func (p Places) Confirm(list []rule.Allowed, now time.Time) error {
	return p.changeSeals(func(seals map[string]Seal) error {
		for i := range list {
			seals[Identity(&list[i])] = Seal{ByConfirm, now}
		}
		return nil
	})
}

// changeSeals runs change on the seals under their lock, which every change of the user's
// exceptions by moai holds: two at once lose nothing. Where change fails nothing is sealed.
func (p Places) changeSeals(change func(seals map[string]Seal) error) error {
	if p.State == "" {
		return fmt.Errorf("seal exceptions: %w", errNoState)
	}
	var failed error
	run := func() error {
		failed = nil
		return state.Update(p.sealed(), 0, func(seals *map[string]Seal) bool {
			if *seals == nil {
				*seals = map[string]Seal{}
			}
			failed = change(*seals)
			return failed == nil
		})
	}
	err := run()
	for n := 0; errors.Is(err, state.ErrBusy) && n < 20; n++ {
		err = run() // a person waits rather than tries again
	}
	if err != nil {
		return fmt.Errorf("seal exceptions: %w", err)
	}
	return failed
}

// AppendAllowed adds exceptions to the user's own file, sealed, all or none, and returns its path. Where that
// file cannot be read as it is, the error is its [rule.Problem].
func (p Places) AppendAllowed(list ...rule.Allowed) (string, error) {
	if p.Config == "" {
		return "", fmt.Errorf("%w to keep your exceptions in", ErrNoHome)
	}
	file := filepath.Join(p.UserRules(), "allowed.toml")
	text := ""
	for i := range list {
		text += allowedTable(&list[i])
	}
	// What will be read is what is sealed, to the letter.
	read, err := rule.DecodeRisks(file, []byte(text), rule.ByUser)
	if err != nil {
		return file, fmt.Errorf("write exception: %w", err)
	}
	return file, p.changeSeals(func(seals map[string]Seal) error {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
		// In a file that cannot be read nothing counts, so nothing that is added to it would.
		if old, err := os.ReadFile(file); err == nil {
			if _, err := rule.DecodeRisks(file, old, rule.ByUser); err != nil {
				return fmt.Errorf("read exceptions: %w", err)
			}
		}
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("open: %w", err)
		}
		_, err = f.WriteString(text)
		for i := range read.Allows {
			seals[Identity(&read.Allows[i])] = Seal{ByAllow, time.Now().UTC()}
		}
		return errors.Join(err, f.Close())
	})
}

// allowedTable is an exception as TOML.
func allowedTable(e *rule.Allowed) string {
	var b strings.Builder
	b.WriteString("\n[[allow]]\n")
	for _, f := range [...]struct{ name, value string }{
		{"rule", e.Rule}, {"path", e.Path}, {"argument", e.Argument}, {"until", e.Until}, {"session", e.Session}, {"project", e.Project}, {"reason", e.Reason}, {"given", e.Given},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%s = %s\n", f.name, tomlString(f.value))
		}
	}
	if e.Once {
		b.WriteString("once = true\n")
	}
	return b.String()
}

// Came says when and how an exception came, for people; ok is what [Places.Seals] said.
func Came(e *rule.Allowed, s Seal, ok bool) string {
	const minute = "2006-01-02 15:04"
	at, where := s.At.Local().Format(minute), fmt.Sprintf("%s:%d", e.File, e.Line)
	switch {
	case !ok:
		text := "written into " + where + " by something else than moai risk allow"
		if given, err := time.Parse(time.RFC3339Nano, e.Given); err == nil {
			text += ", said to be given " + given.Local().Format(minute)
		}
		return text
	case s.By == ByAllow:
		return "given " + at + " with moai risk allow, " + where
	case s.By == ByConfirm:
		return "written into " + where + ", confirmed " + at
	}
	return "of " + where + ", a project's file that was approved with moai rules trust"
}

// AllowedText is an exception in words.
func AllowedText(e *rule.Allowed) string {
	text := e.Rule
	for _, part := range [...]struct{ value, format string }{
		{e.Path, " for %s"}, {e.Argument, " with the argument %s"}, {e.Session, " in session %s"}, {e.Until, " until %s"}, {e.Project, " in %s"},
	} {
		if part.value != "" {
			text += fmt.Sprintf(part.format, part.value)
		}
	}
	if e.Once {
		text += " once"
	}
	if e.Project == "" {
		text += " everywhere"
	}
	return text + " (" + e.Reason + ")"
}
