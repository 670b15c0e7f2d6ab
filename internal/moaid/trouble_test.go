package moaid

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/modu-ai/moai/internal/slip"
)

// What is wrong with a store that cannot be used is said with what to do.
func TestTrouble(t *testing.T) {
	e, _ := room(t)
	for want, err := range map[string]error{
		"df -h":       fmt.Errorf("write: %w", syscall.ENOSPC),
		"moai doctor": fmt.Errorf("write: %w", &os.PathError{Op: "open", Path: "x", Err: syscall.EROFS}),
	} {
		if got := slip.HintOf(e.explained(err)); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %v", err, e.explained(err))
		}
	}
	if err := fmt.Errorf("x"); e.explained(err) != err || e.explained(nil) != nil {
		t.Error("another error is explained")
	}
}
