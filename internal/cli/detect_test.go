package cli

import (
	"runtime"
	"strings"
	"testing"
)

// TestDetectLongPath: a folder whose path is longer than any system takes is said
// to be that, in one line that does not repeat the path.
func TestDetectLongPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows takes such a path for one that is not there")
	}
	e, _, _ := testEnv(t, strings.NewReader(""), nil)
	long := t.TempDir() + strings.Repeat("/"+strings.Repeat("d", 200), 400)
	_, err := e.detect(long, &detectFlags{fresh: true})
	if err == nil || !strings.Contains(err.Error(), "longer than the system takes") || len(err.Error()) > 200 {
		t.Errorf("detect of a path of %d bytes: %.300v, want one line that says so", len(long), err)
	}
}
