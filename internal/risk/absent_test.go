package risk_test

import (
	"strings"
	"testing"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
)

// Most people have no settings of moai's. What would bring some, with the guard switched off in them, is no better than what changes them.
func TestSettingsThatAreNotThereYet(t *testing.T) {
	for line, want := range map[string]bool{
		"cp -r /tmp/x/moai ~/.config/":     true,
		"mv /tmp/x/moai ~/.config":         true,
		"cp -r /tmp/x/. ~/.config":         true,
		"rsync -a /tmp/x/ ~/.config/":      true,
		"cp -r /tmp/x/.config ~/":          true,
		"mv /tmp/x/.config ~":              true,
		"tar xf /tmp/x.tar -C ~/.config":   true,
		"unzip /tmp/x.zip -d ~/.config":    true,
		"unzip -o /tmp/x.zip -d ~/.config": true,
		"7z x /tmp/x.7z -o$HOME/.config":   true,
		"cp -r /tmp/x ~/.cfg":              true, // which is not there, and becomes it
		"mv /tmp/x ~/.cfg":                 true,
		"ln -s /tmp/x ~/.cfg":              true,
		"ln -s /tmp/x ~/.config":           false, // a folder: it gets the link inside
		"cp -r /tmp/x ~/.config":           false,
		"cp -r nvim ~/.config/":            false,
		"mv src/* lib/":                    false,
		"mv nvim ~/.config/":               false,
		"unzip x.zip":                      false,
		"unzip x.zip -d ~/Downloads":       false,
		"cp a b":                           false,
	} {
		in := risk.Input{
			Tool: "Bash", Command: line, Dir: "/home/dev/app", Root: "/home/dev/app", Home: "/home/dev",
			Own:    []string{"/home/dev/.config/moai", "/home/dev/.cfg/moai", "/home/dev/.local/state/moai"},
			Exists: func(p string) bool { return !strings.Contains(p, "moai") && !strings.Contains(p, ".cfg") },
			Follow: func(p string) string { return p },
		}
		v := risktable.Set().Check(&in)
		told := false
		for _, h := range v.Hits {
			told = told || strings.HasPrefix(h.Rule.ID, "agent.guard-")
		}
		if told != want {
			t.Errorf("%s: told %t, want %t: %+v", line, told, want, v.Hits)
		}
	}
}
