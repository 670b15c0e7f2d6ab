//go:build unix

package ground

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/modu-ai/moai/internal/kit"
)

func pipe(t *testing.T, path string) {
	t.Helper()
	kit.Must(t, unix.Mkfifo(path, 0o600))
}
