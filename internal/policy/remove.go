package policy

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// RemoveAllowed takes one exception out of the user's file that holds it and
// leaves every other line, comments included, as it is. The file must still have
// the exception at the line where it was read: somebody may have edited it since.
func (p Places) RemoveAllowed(e *rule.Allowed) error {
	if filepath.Dir(e.File) != p.UserRules() {
		return fmt.Errorf("%w: %s is a project's file that was approved as a whole", ErrApproved, e.File)
	}
	remove := func() error {
		data, err := os.ReadFile(e.File)
		if err != nil {
			return fmt.Errorf("read exceptions: %w", err)
		}
		left, ok := withoutTable(data, e.Line)
		if !ok {
			return fmt.Errorf("%s has changed meanwhile", e.File)
		}
		before, err := rule.DecodeRisks(e.File, data, rule.ByUser)
		if err != nil {
			return fmt.Errorf("read exceptions: %w", err)
		}
		// Another one may stand at that line by now.
		if !slices.ContainsFunc(before.Allows, func(x rule.Allowed) bool { return x.Line == e.Line && Identity(&x) == Identity(e) }) {
			return fmt.Errorf("%s has changed meanwhile", e.File)
		}
		after, err := rule.DecodeRisks(e.File, left, rule.ByUser)
		if err != nil || len(after.Allows) != len(before.Allows)-1 || len(after.Rules) != len(before.Rules) {
			return fmt.Errorf("%s is written in a way that cannot be edited safely: remove line %d and those below it by hand", e.File, e.Line)
		}
		return state.Replace(e.File, left)
	}
	removed := false
	err := p.changeSeals(func(seals map[string]Seal) error {
		removed = true
		if err := remove(); err != nil {
			return err
		}
		delete(seals, Identity(e)) // who writes it anew writes one that nobody has answered for
		return nil
	})
	if !removed {
		return remove() // nothing can be sealed here; to take an exception back must always work
	}
	return err
}

// withoutTable cuts the [[allow]] table that begins at a line (from 1) out of a
// TOML document. Blank lines and comments before the next table stay with that.
func withoutTable(data []byte, line int) (left []byte, ok bool) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if line < 1 || line > len(lines) || strings.ReplaceAll(strings.TrimSpace(string(lines[line-1])), " ", "") != "[[allow]]" {
		return nil, false
	}
	first, last := line-1, line // [first, last) goes
	for i := line; i < len(lines); i++ {
		text := strings.TrimSpace(string(lines[i]))
		if strings.HasPrefix(text, "[") {
			break
		}
		if text != "" && !strings.HasPrefix(text, "#") {
			last = i + 1
		}
	}
	if first > 0 && len(bytes.TrimSpace(lines[first-1])) == 0 {
		first-- // the blank line that [Places.AppendAllowed] puts before each
	}
	return bytes.Join(append(lines[:first:first], lines[last:]...), nil), true
}
