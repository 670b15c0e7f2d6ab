package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// journal is that of this project.
func (e *env) journal() journal.Log {
	root := e.projectRoot()
	return journal.Log{Path: state.JournalPath(e.stateDir(), root), Keep: handle.Kept(e.cfg(root))}
}

// reading has a verb and those below it look first whether the records that they go by, of sessions and in these folders, can be
// read: state that cannot be is a fault, and not an empty answer.
func (e *env) reading(c *cobra.Command, folders ...string) *cobra.Command {
	c.PersistentPreRunE = func(*cobra.Command, []string) error {
		of := session.Folders()
		for _, folder := range append(of[:], folders...) {
			damaged, err := state.Held(filepath.Join(e.stateDir(), folder))
			if err != nil {
				return err
			}
			for _, name := range damaged {
				fmt.Fprintf(e.err, "moai: warning: %s is damaged and is left out\n", term.Name(filepath.Join(e.stateDir(), folder, name)))
			}
		}
		return nil
	}
	return c
}

// unreadJournal is the error of a verb that could not read the journal. What is in the place of one of its files, doctor names, with the way out.
func unreadJournal(err error) error {
	if errors.Is(err, disk.ErrNotRegular) {
		return hint(err, "moai doctor")
	}
	return err
}

// record writes what a verb did into the project's journal, for the session in which it runs. Trouble there must not hide that
// it was done.
func (e *env) record(summary string, details handle.Typed) { e.recordOf(e.current(), summary, details) }

// recordOf is record for a session; nil for none.
func (e *env) recordOf(s *session.Session, summary string, details handle.Typed) {
	entry := details.Entry()
	if err := e.enter(s, entry, summary, details); err != nil {
		fmt.Fprintf(e.err, "moai: warning: the journal was not written: %s\n", oneLine(err.Error()))
	}
}

// enter writes one entry, without secrets.
func (e *env) enter(s *session.Session, entry *rule.Entry, summary string, details any) error {
	mask := risktable.Set().Mask
	j := journal.Event{Type: entry.Name, Severity: entry.Severity, Summary: mask(summary), Created: time.Now().UTC()}
	if s != nil {
		j.Session, j.Turn, j.Port = s.ID, s.Turn.Number, s.Port
	}
	if details != nil {
		raw, err := json.Marshal(details)
		if err != nil {
			return err
		}
		j.Details = secret.Strings(raw, func(_, text string) string { return mask(text) })
	}
	return e.journal().Append(j)
}
