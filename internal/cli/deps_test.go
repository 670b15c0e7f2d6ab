package cli

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/modu-ai/moai/"

// TestDeps holds the arrows of ARCHITECTURE.md. Each row says which packages must
// not be reachable from which, and why.
func TestDeps(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	rows := []struct {
		of     string
		never  []string
		except []string
		why    string
	}{
		{"cmd/moai", []string{"github.com/dave/jennifer", "github.com/rogpeppe/", "github.com/google/go-cmp", "testing", "go.yaml.in/yaml/v3", "github.com/go-git/"}, nil, "generator and test libraries stay out of the binary"},
		{"cmd/moai", []string{"net/http", "database/sql", "modernc.org/", "github.com/fsnotify/"}, nil, "the program that reads an agent's commands cannot speak HTTP, and pays for what is linked: net/http alone costs half an empty process"},
		{"cmd/moaid", []string{module + "internal/cli", module + "internal/handle", module + "internal/risk", "testing"}, nil, "moaid shows what was decided, and decides nothing"},
		{"internal/store", []string{module + "generated/", module + "internal/handle", module + "internal/hook"}, nil, "it keeps what journals say, and knows no rules"},
		{"cmd/moai", []string{"os/exec"}, nil, "the runtime starts no process"},
		{"internal/hook", []string{module + "internal/", module + "generated/"}, nil, "hook is at the bottom"},
		{"internal/toml", []string{module + "internal/", module + "generated/"}, nil, "toml is at the bottom"},
		{"internal/rule", []string{module + "internal/", module + "generated/"}, []string{module + "internal/toml"}, "rule is at the bottom"},
		{"internal/argv", []string{module + "internal/", module + "generated/"}, nil, "argv is at the bottom"},
		{"internal/shell", []string{module + "internal/", module + "generated/"}, []string{module + "internal/argv", module + "internal/recipe", module + "internal/rule", module + "internal/term", module + "internal/toml", module + "internal/work"}, "shell takes its tables as an argument and knows nothing about risk"},
		{"internal/recipe", []string{module + "internal/", module + "generated/"}, []string{module + "internal/argv", module + "internal/rule", module + "internal/toml"}, "recipe reads files and knows no shell"},
		{"internal/ignore", []string{module + "internal/", module + "generated/"}, []string{module + "internal/work"}, "ignore is at the bottom"},
		{"internal/diff", []string{module + "internal/", module + "generated/"}, nil, "diff is at the bottom"},
		{"internal/disk", []string{module + "internal/", module + "generated/"}, nil, "disk is at the bottom"},
		{"internal/work", []string{module + "internal/", module + "generated/"}, nil, "work is at the bottom"},
		{"internal/stack", []string{module + "internal/", module + "generated/"}, nil, "stack is at the bottom"},
		{"internal/cli", []string{module + "internal/solo"}, nil, "what imports it begins on one processor, and so would tests"},
		{"cmd/moaid", []string{module + "internal/solo"}, nil, "a server has many to answer"},
		{"internal/risk", []string{module + "generated/", module + "internal/repo", module + "internal/state", module + "internal/disk", "github.com/go-git/"}, nil, "engines take tables as arguments; files and Git are asked through callbacks"},
		{"internal/secret", []string{module + "generated/", module + "internal/"}, []string{module + "internal/rule", module + "internal/toml"}, "secret takes its tables as an argument, and serves guard and checkpoints alike"},
		{"internal/line", []string{module + "generated/", module + "internal/session", module + "internal/repo", module + "internal/config"}, nil, "a line is told facts and finds nothing out"},
		{"internal/lang", []string{module + "generated/"}, nil, "engines take tables as arguments"},
		{"internal/tag", []string{module + "generated/"}, nil, "engines take tables as arguments"},
		{"internal/jit", []string{module + "generated/"}, nil, "engines take tables as arguments"},
		{"internal/verify", []string{module + "generated/", module + "internal/handle", module + "internal/hook", module + "internal/risk"}, nil, "it decides what finished work comes to, and answers no hook"},
		{"internal/undo", []string{module + "generated/", module + "internal/handle", module + "internal/hook", module + "internal/risk", module + "internal/journal"}, nil, "it plans what is taken back, and answers no hook"},
		{"internal/monitor", []string{module + "generated/", module + "internal/"}, []string{module + "internal/disk", module + "internal/rule", module + "internal/toml"}, "it puts together what it is told, and keeps nothing"},
		{"internal/port", []string{module + "generated/", module + "internal/handle", module + "internal/hook", module + "internal/risk", module + "internal/journal"}, nil, "it keeps what is to be done and who does it, and answers no hook"},
		{"internal/wire", []string{module + "generated/"}, nil, "engines take tables as arguments"},
		{"internal/handle", []string{module + "generated/", module + "internal/cli"}, []string{module + "generated/events", module + "generated/journal"}, "only cli joins engines and tables; typed fields are the exception"},
		{"internal/live", []string{module + "generated/", module + "internal/scripted"}, nil, "it sets an agent up, and knows no model"},
		{"internal/ground", []string{module + "generated/", module + "internal/handle", module + "internal/cli", module + "internal/hook"}, nil, "it looks for the hook and for people alike, and decides nothing"},
		{"gen", []string{module + "generated/", module + "internal/cli"}, nil, "the generator must build when its output is missing"},
	}
	for _, row := range rows {
		self := module + row.of
		out, err := exec.Command("go", "list", "-deps", self).CombinedOutput()
		if err != nil {
			t.Fatalf("go list %s: %v\n%s", row.of, err, out)
		}
		for dep := range strings.FieldsSeq(string(out)) {
			if dep == self || strings.HasPrefix(dep, self+"/") || matches(dep, row.except) {
				continue
			}
			if matches(dep, row.never) {
				t.Errorf("%s depends on %s: %s", row.of, dep, row.why)
			}
		}
	}
}

// TestOwners keeps each foreign engine behind the packages that own it.
func TestOwners(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	owners := map[string][]string{
		"mvdan.cc/sh/":           {"internal/shell"},
		"github.com/go-git/":     {"internal/repo", "internal/checkpoint", "internal/history"}, // the first two in tests alone
		"github.com/fsnotify/":   {"internal/api"},
		"net/http":               {"internal/api", "internal/moaid", "internal/page", "internal/scripted", "internal/e2e/harness"},
		"github.com/spf13/":      {"internal/cli", "internal/moaid", "internal/slip"},
		"modernc.org/":           {"internal/store"},
		"database/sql":           {"internal/store"},
		"github.com/BurntSushi/": {"internal/toml", "internal/e2e/chaos"}, // toml counts before it parses; chaos reads a file of its own
		"github.com/tailscale":   {"internal/settings", "internal/risk"},  // settings edits files; risk reads those that a call brings
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		for _, dep := range f[1:] {
			for prefix, own := range owners {
				if strings.HasPrefix(dep, prefix) && !matches(f[0], prefixed(own)) {
					t.Errorf("%s imports %s, which belongs to %v", f[0], dep, own)
				}
			}
		}
	}
}

func matches(dep string, list []string) bool {
	for _, p := range list {
		if dep == p || strings.HasPrefix(dep, strings.TrimSuffix(p, "/")+"/") || strings.HasSuffix(p, "/") && strings.HasPrefix(dep, p) {
			return true
		}
	}
	return false
}

func prefixed(list []string) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = module + p
	}
	return out
}
