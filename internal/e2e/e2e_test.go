//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// described is the client that the scenarios describe. A failing one after an
// upgrade is news about the client first.
const described = "2.1.329"

// version is the client that is driven: that one, or the one that MOAI_CLIENT_VERSION names.
var version = cmp.Or(os.Getenv("MOAI_CLIENT_VERSION"), described)

// root is the module's folder.
var root = filepath.Join("..", "..")

// TestClient plays every scenario of testdata/e2e. CLAUDE_CLIENT can name
// another client; MOAI_E2E_OUT a folder that keeps what the runs leave.
func TestClient(t *testing.T) {
	client := findClient(t)
	files, err := filepath.Glob(filepath.Join(root, "testdata", "e2e", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d scenarios, %v", len(files), err)
	}
	isolate := canUnshare("-n")
	if !isolate {
		t.Log("no network namespace to be had: the client runs without one")
	}
	// The client is a large program that starts several threads: more than
	// two at once measure the machine and not moai.
	slots := make(chan struct{}, 2)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			play(t, client, file, outFolder(t, name), isolate)
		})
	}
}

// play runs one scenario in a process of its own and reports what did not hold.
func play(t *testing.T, client, scenario, out string, isolate bool) {
	args := []string{"run", "-client", client, "-path", bin, "-scenario", scenario, "-out", out, "-timeout", "90s", "-quiet"}
	if isolate {
		args = append(args, "-isolate")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "harness"), args...)
	cmd.WaitDelay = 5 * time.Second
	output, err := cmd.CombinedOutput()

	var report struct {
		Checks []struct {
			OK        bool
			What, Got string
		}
		Client struct {
			Version string
			Stderr  string
		}
	}
	data, readErr := os.ReadFile(filepath.Join(out, "report.json"))
	if readErr != nil {
		t.Fatalf("no report: %v: %s", err, output)
	}
	kit.Must(t, json.Unmarshal(data, &report))
	for _, c := range report.Checks {
		if !c.OK {
			t.Errorf("%s: got %s", c.What, c.Got)
		}
	}
	if err != nil && !t.Failed() {
		t.Errorf("%v: %s", err, output)
	}
	if len(report.Checks) == 0 {
		t.Error("nothing was checked")
	}
	if report.Client.Version != "" && report.Client.Version != described {
		t.Logf("client %s, the scenarios were written for %s", report.Client.Version, described)
	}
	if t.Failed() {
		t.Logf("client's stderr: %s", report.Client.Stderr)
	}
}

// findClient returns the client's binary, fetching it into the ignored cache
// folder when it is not there, each version into its own. Its size makes it no part of the repository.
func findClient(t *testing.T) string {
	t.Helper()
	if client := os.Getenv("CLAUDE_CLIENT"); client != "" {
		return client
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	dir, err := filepath.Abs(filepath.Join(root, ".cache", "client", version))
	kit.Must(t, err)
	pkg := filepath.Join(dir, "node_modules", "@anthropic-ai")
	client := filepath.Join(pkg, fmt.Sprintf("claude-code-%s-%s", runtime.GOOS, arch), "claude")
	if runtime.GOOS == "windows" {
		client = filepath.Join(pkg, "claude-code-win32-"+arch, "claude.exe")
	}
	if installed(filepath.Join(pkg, "claude-code", "package.json")) {
		if _, err := os.Stat(client); err == nil {
			return client
		}
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Fatalf("the client is fetched with npm, which is missing (%v); set CLAUDE_CLIENT to its binary", err)
	}
	kit.Must(t, os.MkdirAll(dir, 0o755))
	started := time.Now()
	cmd := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-save", "@anthropic-ai/claude-code@"+version)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fetch the client: %v\n%s", err, out)
	}
	if _, err := os.Stat(client); err != nil {
		t.Fatalf("npm did not bring the client for this platform: %v", err)
	}
	t.Logf("fetched the client in %v", time.Since(started).Round(time.Second))
	return client
}

// installed reports whether the package there is the right version.
func installed(manifest string) bool {
	data, err := os.ReadFile(manifest)
	var p struct{ Version string }
	return err == nil && json.Unmarshal(data, &p) == nil && p.Version == version
}

// TestMain makes moai and the harness, once, in a folder that scenarios have on
// PATH.
func TestMain(m *testing.M) {
	code, err := 1, error(nil)
	if bin, err = os.MkdirTemp("", "moai-e2e-bin-"); err == nil {
		err = build(bin)
	}
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(bin)
	os.Exit(code)
}

// bin is the folder that TestMain made.
var bin string

func build(dir string) error {
	for name, pkg := range map[string]string{"moai": "./cmd/moai", "harness": "./internal/e2e/harness"} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), pkg)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", name, err, out)
		}
	}
	return nil
}

// canUnshare reports whether such namespaces can be made. In one with loopback
// alone nothing leaves the machine, whatever the client tries.
func canUnshare(kinds ...string) bool {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		return false
	}
	return exec.Command("unshare", append(kinds, "sh", "-c", "ip link set lo up")...).Run() == nil
}

// outFolder is kept when the test fails, or when somebody asks for it.
func outFolder(t *testing.T, name string) string {
	t.Helper()
	if dir := os.Getenv("MOAI_E2E_OUT"); dir != "" {
		out, err := filepath.Abs(filepath.Join(dir, name))
		kit.Must(t, err)
		return out
	}
	out, err := os.MkdirTemp("", "moai-e2e-"+name+"-")
	kit.Must(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what the run left: %s", out)
			return
		}
		if err := os.RemoveAll(out); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Log(err)
		}
	})
	return out
}
