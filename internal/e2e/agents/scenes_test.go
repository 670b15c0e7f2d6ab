//go:build e2e_agents

package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/scripted"
)

// scenes are what each client is put through; MOAI_AGENT_SCENE names one.
var scenes = []struct {
	name string
	play func(t *testing.T, c *client, inst string)
}{
	{"work", work},
	{"doctor", doctored},
}

// work is one session: what must never run, what is snapshotted, what is harmless, and an edit of a file with secrets.
func work(t *testing.T, c *client, inst string) {
	r := rigged(t, c, inst, func(r *rig) []scripted.Step {
		return []scripted.Step{r.command("rm -rf ~"), r.command("git reset --hard"), r.command("echo ran > ran.txt"), r.edit(r.place.Project)}
	})
	defer r.show()
	r.run("moai", "init", "--agent", c.name, "--yes")
	r.drive()
	in := func(name string) string { return r.read(filepath.Join(r.place.Project, name)) }
	requests := r.model.Requests()
	r.holds("rm -rf ~ does not run", r.read(filepath.Join(r.place.Home, "keep")) == "mine\n")
	r.holds("the model reads why", strings.Contains(r.model.Result(0), "fs.delete-home"))
	r.holds("git reset --hard runs", in("a.txt") == "committed\n")
	r.holds("a harmless command runs", in("ran.txt") == "ran\n")
	r.holds(".env is not written", in(".env") == "")
	r.holds("the model reads why of that", c.unseen || strings.Contains(r.model.Result(3), "moai") || strings.Contains(r.model.Result(3), ".env"))
	r.holds("the model is told at the start", len(requests) > 0 && strings.Contains(requests[0], "moai"))
	if t.Failed() {
		return
	}
	r.run("moai", "checkpoint", "restore", "before-reset-hard", "--yes")
	r.holds("the work is back", in("a.txt") == "a day's work\n")
	// To take moai out is a person's, at a terminal: that it leaves every byte as it was is tested elsewhere.
	said := r.run("moai", "init", "--agent", c.name, "--uninstall", "--dry-run")
	r.holds("moai can be taken out", strings.Contains(said, "take moai out of "+r.place.Home))
}

// doctored is moai doctor --live, with the client as its user has it.
func doctored(t *testing.T, c *client, inst string) {
	r := rigged(t, c, inst, func(*rig) []scripted.Step { return nil })
	if out, err := exec.Command("go", "build", "-trimpath", "-o", r.bin, "github.com/modu-ai/moai/cmd/moaid").CombinedOutput(); err != nil {
		t.Fatalf("build moaid: %v\n%s", err, out)
	}
	r.run("moai", "init", "--agent", c.name, "--yes")
	started := filepath.Join(r.bin, "started")
	r.put(started, "#!/bin/sh\nexec "+strings.Join(r.argv(), " ")+" \"$@\"\n")
	if err := os.Chmod(started, 0o755); err != nil {
		t.Fatal(err)
	}
	said := r.run("moai", "doctor", "--live", "--agent", c.name+"="+started)
	r.holds("doctor sees it refused", strings.Contains(said, "refused what would have deleted a home, told its model why, and ran a harmless command"))
	r.holds("the home is there", r.read(filepath.Join(r.place.Home, "keep")) == "mine\n")
	if t.Failed() {
		t.Log(said)
	}
}
