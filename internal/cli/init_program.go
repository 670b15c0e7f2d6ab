package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/settings"
)

// guardEvent is the one whose hook keeps a call from running.
const guardEvent = "PreToolUse"

// wantedHooks is the registration that the event rules ask for. What the client does without an answer is said of the guard
// alone: on UserPromptSubmit every prompt would be dropped, and on ConfigChange nobody could mend the settings of a moai that
// is gone (both seen on Claude Code 2.1.329 and 2.1.330).
// The guard is called for all tools that somebody's lists or rules speak of; named may be nil. Where the user has tests or checks run inside a hook, the
// client waits for them; cfg may be nil, too.
func wantedHooks(guard settings.Failure, named []string, cfg *config.Config) []settings.Hook {
	var hooks []settings.Hook
	for i := range events.Events {
		ev := &events.Events[i]
		if ev.Register != nil {
			h := settings.Hook{Event: ev.Name, Matcher: ev.Register.Matcher, Args: []string{"hook", ev.Verb}, Timeout: ev.Register.Timeout}
			if cfg != nil && handle.Runs(cfg, ev.Name) {
				h.Timeout = max(h.Timeout, int((cfg.Duration("quality.run_time") + handle.Ahead).Seconds()))
			}
			if ev.Name == guardEvent {
				h.Failure = guard
				h.Matcher = settings.Widened(h.Matcher, named)
			}
			hooks = append(hooks, h)
		}
	}
	return hooks
}

// namedTools are the patterns of tools that the lists of names and the added rules of a project speak of, as the client spells them.
func (e *env) namedTools(root string) (list []string) {
	cfg := e.cfg(root)
	list = cfg.Names("guard.tools_deny")
	if len(cfg.Names("guard.tools_allow")) > 0 {
		list = append(list, "*") // every other one is to be stopped
	}
	set, _ := policy.Load(risktable.Set(), e.places(root)) // what is wrong in them is said elsewhere
	for set = set.More; set != nil; set = set.More {
		for i := range set.Rules {
			list = append(list, set.Rules[i].Get().Tools...)
		}
	}
	for i, name := range list {
		if n := slices.IndexFunc(events.Tools, func(t rule.Call) bool { return strings.EqualFold(t.Name, name) }); n >= 0 {
			list[i] = events.Tools[n].Name
		}
	}
	return list
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
