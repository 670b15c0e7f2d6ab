package repo

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestParallelPanics: a panic in a worker is an error of the call, before others help and after that.
func TestParallelPanics(t *testing.T) {
	said := func(err error) bool {
		return err != nil && strings.Contains(err.Error(), "broken") && !strings.Contains(err.Error(), "\n")
	}
	for _, n := range []int{1, 100} {
		for _, first := range []bool{true, false} {
			err := Parallel(n, func(i int) {
				if i == 0 && !first {
					time.Sleep(2 * alone)
				}
				if first || i == n-1 {
					panic("broken")
				}
			})
			if !said(err) {
				t.Errorf("Parallel(%d) = %v, want the panic as an error of one line", n, err)
			}
		}
	}
	broken, fine := func() { panic("broken") }, func() {}
	if err := Both(broken, fine); !said(err) {
		t.Errorf("Both = %v where the first panics", err)
	}
	if err := Both(fine, broken); !said(err) {
		t.Errorf("Both = %v where the second panics", err)
	}
}

// TestParallelOnce: each call is made once, also where others come to help in the middle.
func TestParallelOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50} {
		calls := make([]atomic.Int32, n)
		err := Parallel(n, func(i int) {
			calls[i].Add(1)
			time.Sleep(alone / 4)
		})
		for i := range calls {
			if calls[i].Load() != 1 || err != nil {
				t.Errorf("Parallel(%d) makes call %d %d times, %v", n, i, calls[i].Load(), err)
			}
		}
	}
}
