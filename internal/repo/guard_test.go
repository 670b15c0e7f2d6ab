package repo

import (
	"strings"
	"testing"
)

// TestParallelPanics: a panic in a worker is an error of the call, on one processor and on many.
func TestParallelPanics(t *testing.T) {
	for _, n := range []int{1, 100} {
		err := Parallel(n, func(int) { panic("broken") })
		if err == nil || !strings.Contains(err.Error(), "broken") || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parallel(%d) = %v, want the panic as an error of one line", n, err)
		}
	}
}
