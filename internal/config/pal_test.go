package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// The settings of pal-kit are read where it has them, and tighten as a project's own file does.
func TestPalFile(t *testing.T) {
	for _, c := range []struct{ name, text, mode, create, problem string }{
		{"as the document says", "tracking:\n  mode: strict   # why\n  auto_create: true\n", "strict", "suggest", ""},
		{"below settings", "version: \"1\"\nsettings:\n    tracking:\n        mode: \"warn\"\n", "warn", "off", ""},
		{"as the program writes them", "settings:\n  tracking_mode: 'strict'\n  tracking_auto_create: yes\n", "strict", "suggest", ""},
		{"among others", "name: x\nlist:\n  - mode: off\n    a: b\ntext: |\n  tracking: no\ntracking:\n  mode: warn\nrest:\n  mode: strict\n", "warn", "off", ""},
		{"another mode", "tracking:\n  mode: fierce\n", "auto", "off", `tracking.mode is "fierce"`},
		{"a tab", "tracking:\n\tmode: strict\n", "auto", "off", "config.yaml:2: a tab cannot indent"},
		{"no YAML", "tracking\n", "auto", "off", "config.yaml:1: expected `key: value`"},
		{"empty", "", "auto", "off", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			kit.Write(t, filepath.Join(root, filepath.FromSlash(PalFile)), c.text)
			cfg := Load(Sources{Project: root})
			if got := cfg.String("tracking.mode"); got != c.mode {
				t.Errorf("tracking.mode = %s, want %s", got, c.mode)
			}
			if got := cfg.String("tracking.auto_create"); got != c.create {
				t.Errorf("tracking.auto_create = %s, want %s", got, c.create)
			}
			if got := strings.Join(cfg.Problems, "\n"); (got == "") != (c.problem == "") || !strings.Contains(got, c.problem) {
				t.Errorf("problems = %q, want %q", got, c.problem)
			}
		})
	}
}

// The user's own file and the project's own file for moai stand above: what they tightened stays.
func TestPalFileCannotLoosen(t *testing.T) {
	user, root := t.TempDir(), t.TempDir()
	kit.Write(t, filepath.Join(user, FileName), "tracking.mode = \"strict\"\n")
	kit.Write(t, filepath.Join(root, filepath.FromSlash(PalFile)), "tracking:\n  mode: off\n")
	c := Load(Sources{UserDir: user, Project: root})
	if c.String("tracking.mode") != "strict" || len(c.Problems) != 1 || !strings.Contains(c.Problems[0], "a project may not set") {
		t.Errorf("tracking.mode = %s, problems %q", c.String("tracking.mode"), c.Problems)
	}
}
