package moaid

import (
	"errors"
	"fmt"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/term"
)

// explained says what to do where the store, or what lies beside it, cannot be used and is not damaged.
func (e *env) explained(err error) error {
	switch {
	case store.Busy(err):
		return slip.Hint(errors.New("another program keeps the store to itself for longer than moai waits"), "fuser -v "+argv.Quote(store.Path(e.state)))
	case store.Full(err):
		return slip.Hint(fmt.Errorf("the disk is full, and nothing can be written in %s: %w", term.Name(e.state), err), "df -h "+argv.Quote(e.state))
	case store.Unwritable(err):
		return slip.Hint(fmt.Errorf("moai serve, stats, timeline and export want to write in %s, and cannot: %w", term.Name(e.state), err), "moai doctor")
	}
	return err
}
