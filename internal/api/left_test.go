//go:build !windows

package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// What one has started is told with it, and what began before, or elsewhere, is not.
func TestLeftIn(t *testing.T) {
	at := time.Now()
	one := func(id, parent int, dir string, began time.Duration, ports ...int) process {
		return process{Left{id, "x", at.Add(began), ports}, parent, dir}
	}
	got := leftIn("/p", at, []process{
		one(3, 2, "/p/sub", 2*time.Second, 8000), one(2, 1, "/p", time.Second), one(4, 1, "/p", -time.Second), one(5, 1, "/pother", time.Second), one(6, 1, "/p", 3*time.Second, 9000, 9000),
	})
	if len(got) != 2 || got[0].PID != 2 || len(got[0].Ports) != 1 || got[0].Ports[0] != 8000 || got[1].PID != 6 || len(got[1].Ports) != 1 {
		t.Errorf("%+v", got)
	}
}

// A process that a turn has left running is told.
func TestLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	r := newRig(t)
	r.s.Mask = func(text string) string { return strings.ReplaceAll(text, "3", "*") }
	since := time.Now().Add(-2 * time.Second).UTC().Format(time.RFC3339)
	c := exec.Command("sh", "-c", "exec sleep 33 &")
	c.Dir, c.SysProcAttr = r.root, &syscall.SysProcAttr{Setsid: true}
	if err := c.Run(); err != nil {
		t.Skip(err)
	}
	query := url.Values{"project": {state.ProjectKey(r.root)}, "session": {"s"}, "since": {since}}
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) { // until it is sleep
		code, text := r.do("GET", "/api/left?"+query.Encode(), "", nil)
		var got []Left
		if err := json.Unmarshal([]byte(text), &got); code != http.StatusOK || err != nil {
			t.Fatal(code, text)
		}
		if len(got) == 1 && got[0].Command == "sleep **" {
			_ = syscall.Kill(got[0].PID, syscall.SIGKILL)
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(text)
		}
	}
}
