package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ordinary is a clean repository as people have them: pushed, with a few branches and tags, and with what Git ignores.
func ordinary(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	s.settings(patient) // no more is told than anybody is told
	s.write(".gitignore", "node_modules/\ndist/\nbuild/\ntarget/\ncoverage/\n.venv/\n.env\n*.log\n")
	s.write("package.json", "{\"name\": \"app\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"tsc\", \"test\": \"vitest\"}}\n")
	for _, name := range []string{"go.mod", "Makefile", "Dockerfile", "docker-compose.yml", "src/lib/date.ts", "src/utils/index.ts", "tests/a.test.ts", "scripts/lint.sh", "docs/index.md", "infra/main.tf", "k8s/app.yml"} {
		s.write(name, "# "+name+"\n")
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "more")
	s.git("tag", "v1.0.0")
	s.write("README.md", "hello, world\n")
	s.git("commit", "-q", "-a", "-m", "greet")
	s.git("branch", "feature/login", "HEAD~1")
	origin := filepath.Join(filepath.Dir(s.dir), "origin.git")
	s.git("clone", "-q", "--bare", s.dir, origin)
	s.git("remote", "add", "origin", origin)
	s.git("fetch", "-q", "origin")
	s.git("branch", "-q", "--set-upstream-to=origin/main", "main")
	for _, name := range []string{"node_modules/left-pad/index.js", "dist/app.js", "build/app.o", "coverage/lcov.info", "server.log"} {
		s.write(name, "made\n")
	}
	s.write(".env", "PORT=3000\n")
	return s
}

// everyday are lists of commands that people wrote down. Of each hundred harmless ones so many may be told of, and asked about, in a
// repository where nothing is in danger. Those that are: commits that are replaced (amend, rebase), a merge, and a copy of ignored files.
var everyday = []struct {
	file         string
	told, asking float64
}{
	{"blind.jsonl", 1, 0.2},
	{"public.jsonl", 1, 0.2},
	{"mixed.jsonl", 2.2, 0.5},
}

// TestOrdinaryRepository has the hook judge each harmless command of the lists where it is met: in a clean repository of its own. A snapshot
// that would hold nothing is not taken there, and nothing is said.
func TestOrdinaryRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand calls of the hook")
	}
	for _, set := range everyday {
		t.Run(set.file, func(t *testing.T) {
			s := ordinary(t)
			data, err := os.Open(filepath.Join("../../testdata/risk", set.file))
			if err != nil {
				t.Fatal(err)
			}
			defer data.Close()
			var all, told, asked int
			for lines := bufio.NewScanner(data); lines.Scan(); {
				var c struct{ Command, Expected string }
				if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
					t.Fatal(err)
				}
				if c.Expected != "allow" {
					continue
				}
				all++
				s.session = fmt.Sprint("s", all/200) // as long as sessions are
				answer := strings.TrimSpace(s.bash(c.Command))
				if !strings.Contains(answer, `"systemMessage"`) && !strings.Contains(answer, `"permissionDecision"`) {
					continue // documents that belong to tests are not the guard's
				}
				told++
				if strings.Contains(answer, `"permissionDecision"`) {
					asked++
				}
				t.Logf("%s\n\t%s", c.Command, answer)
			}
			if all < 100 {
				t.Fatalf("only %d commands were read", all)
			}
			const hundred = 100.0
			if t.Logf("told %d and asked about %d of %d", told, asked, all); hundred*float64(told) > set.told*float64(all) || hundred*float64(asked) > set.asking*float64(all) {
				t.Errorf("told %d and asked about %d of %d, want %.1f %% and %.1f %% at most", told, asked, all, set.told, set.asking)
			}
		})
	}
}
