package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/settings"
)

// guardEvent is the one whose hook keeps a call from running.
const guardEvent = "PreToolUse"

// wantedHooks is the registration that the event rules ask for. What the client does without an answer is said of the guard
// alone: on UserPromptSubmit every prompt would be dropped, and on ConfigChange nobody could mend the settings of a moai that
// is gone (both seen on Claude Code 2.1.329 and 2.1.330).
func wantedHooks(guard settings.Failure) []settings.Hook {
	var hooks []settings.Hook
	for i := range events.Events {
		ev := &events.Events[i]
		if ev.Register != nil {
			h := settings.Hook{Event: ev.Name, Matcher: ev.Register.Matcher, Args: []string{"hook", ev.Verb}, Timeout: ev.Register.Timeout}
			if ev.Name == guardEvent {
				h.Failure = guard
			}
			hooks = append(hooks, h)
		}
	}
	return hooks
}

// knownEvent takes the client's own spelling only, as the client does.
func knownEvent(name string) bool {
	i := events.Find(name)
	return i >= 0 && events.Events[i].Name == name
}

// ownPath is the absolute path by which this program was called. Where a
// package manager has put a link on PATH, the link is what stays the same over
// upgrades, so the link is taken and not what it points to.
func ownPath(path string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "", hint(errors.New("this program was built by go run and will be gone in a moment"), "go install github.com/modu-ai/moai/cmd/moai")
	}
	real, err := os.Stat(self)
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	called := os.Args[0]
	candidates := []string{called}
	if !strings.ContainsRune(filepath.ToSlash(called), '/') {
		candidates = nil
		for _, dir := range filepath.SplitList(path) {
			candidates = append(candidates, filepath.Join(dir, called), filepath.Join(dir, called+".exe"))
		}
	}
	for _, c := range candidates {
		abs, err := filepath.Abs(c)
		if err != nil {
			continue
		}
		if info, err := os.Stat(abs); err == nil && os.SameFile(info, real) {
			return abs, nil
		}
	}
	if runtime.GOOS == "windows" {
		return filepath.Clean(self), nil
	}
	return filepath.EvalSymlinks(self)
}
