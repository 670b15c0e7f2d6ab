package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// wrapSettings rewrites every command hook of a settings file so that it runs
// through the recorder. Anything else in the file is kept as it is.
func wrapSettings(file, self, log string) error {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var settings map[string]any
	if err := json.Unmarshal(b, &settings); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	hooks, _ := settings["hooks"].(map[string]any)
	for event, groups := range hooks {
		list, _ := groups.([]any)
		for _, g := range list {
			group, _ := g.(map[string]any)
			entries, _ := group["hooks"].([]any)
			for _, e := range entries {
				if hook, ok := e.(map[string]any); ok {
					wrapHook(hook, event, self, log)
				}
			}
		}
	}
	if line, ok := settings["statusLine"].(map[string]any); ok {
		wrapHook(line, "StatusLine", self, log)
	}
	return writeFileJSON(file, settings)
}

// wrapHook keeps equal commands equal, because the client runs equal hooks of
// one event only once.
func wrapHook(hook map[string]any, event, self, log string) {
	command, _ := hook["command"].(string)
	if hook["type"] != "command" || command == "" {
		return
	}
	flags := []string{"wrap", "-log", log, "-event", event}
	if args, ok := hook["args"].([]any); ok { // exec form: no shell anywhere
		full := []any{}
		for _, f := range append(flags, "--", command) {
			full = append(full, f)
		}
		hook["command"], hook["args"] = self, append(full, args...)
		return
	}
	var line strings.Builder // shell form: $0 names the shell the client chose
	line.WriteString(shellQuote(self))
	for _, f := range flags {
		line.WriteString(" " + shellQuote(f))
	}
	line.WriteString(` -shell "$0" -- ` + shellQuote(command))
	hook["command"] = line.String()
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
