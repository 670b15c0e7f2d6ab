package cli

import (
	"io"
	"strings"
	"sync"
	"testing"
)

// Scripts set several keys at once; none may be lost, in the user's file or in the project's.
func TestConfigSetAtOnce(t *testing.T) {
	for _, where := range []string{"--user", "--project"} {
		dir, home := t.TempDir(), t.TempDir()
		getenv := func(name string) string {
			if name == "HOME" || name == "USERPROFILE" || name == "APPDATA" || name == "LOCALAPPDATA" {
				return home
			}
			return ""
		}
		settings := []string{
			"guard.mode strict", "guard.on_failure closed", "guard.ask_unattended deny", "guard.no_checkpoint deny",
			"context.modes all", "tags.policy warn", "ui.ascii true", "ui.card false",
		}
		var wg sync.WaitGroup
		for _, s := range settings {
			wg.Go(func() {
				e := &env{in: strings.NewReader(""), out: io.Discard, err: io.Discard, dir: dir, getenv: getenv}
				if code := Run(append([]string{"config", "set", where}, strings.Fields(s)...), e); code != exitDone {
					t.Errorf("config set %s %s = %d", where, s, code)
				}
			})
		}
		wg.Wait()
		e := &env{dir: dir, getenv: getenv}
		c := e.cfg(dir)
		for _, s := range settings {
			key, value, _ := strings.Cut(s, " ")
			if got := c.String(key); got != value {
				t.Errorf("after eight at once %s: %s is %s, want %s", where, key, got, value)
			}
		}
	}
}
