package api

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestLoad writes a thousand events a second while fifty streams read: each gets every event, once and in order. It says how
// late they come. MOAI_API_SECONDS=10 says for how long; without it a second has to do.
func TestLoad(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv("MOAI_API_SECONDS"))
	readers, rate := 50, 1000
	if err != nil {
		seconds, readers, rate = 1, 10, 200
	}
	r := newRig(t)
	n := seconds * rate
	ready, done := make(chan struct{}, readers), sync.WaitGroup{}
	late := make([][]time.Duration, readers)
	for i := range readers {
		done.Go(func() {
			want := 0
			r.stream("?type=tool_failed", "", func(name, _, data string) bool {
				if name == "hello" {
					ready <- struct{}{}
					return true
				}
				var e struct {
					Details struct{ N, At int64 }
				}
				if err := json.Unmarshal([]byte(data), &e); err != nil || e.Details.N != int64(want) {
					t.Errorf("reader %d got event %d, %v; want %d", i, e.Details.N, err, want)
					return false
				}
				late[i] = append(late[i], time.Since(time.UnixMicro(e.Details.At)))
				want++
				return want < n
			})
		})
	}
	for range readers {
		<-ready
	}
	begun := time.Now()
	for i := range n {
		if wait := time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(rate))); wait > 0 {
			time.Sleep(wait)
		}
		r.write("tool_failed", fmt.Sprintf(`{"n":%d,"at":%d}`, i, time.Now().UnixMicro()))
	}
	took := time.Since(begun)
	done.Wait()
	all := slices.Concat(late...)
	slices.Sort(all)
	if len(all) != n*readers {
		t.Errorf("%d events came, want %d", len(all), n*readers)
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d events to %d readers in %v: half came within %v, 99 of 100 within %v, all within %v; %d MB of memory", n, readers, took.Round(time.Millisecond),
		all[len(all)/2].Round(time.Millisecond), all[len(all)*99/100].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond), m.Sys>>20)
}
