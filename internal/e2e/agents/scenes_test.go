//go:build e2e_agents

package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/scripted"
)

// scenes are what each client is put through; MOAI_AGENT_SCENE names one.
var scenes = []struct {
	name string
	play func(t *testing.T, c *client, inst string)
}{
	{"work", work},
	{"doctor", doctored},
	{"twice", twice},
	{"crash", func(t *testing.T, c *client, inst string) { fails(t, c, inst, "crash", "#!/bin/sh\nkill -9 $$\n") }},
	{"late", func(t *testing.T, c *client, inst string) { fails(t, c, inst, "late", "#!/bin/sh\nexec sleep 60\n") }},
	{"missing", func(t *testing.T, c *client, inst string) { fails(t, c, inst, "missing", "") }},
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
	kit.Must(t, os.Chmod(started, 0o755))
	said := r.run("moai", "doctor", "--live", "--agent", c.name+"="+started)
	r.holds("doctor sees it refused", strings.Contains(said, "refused what would have deleted a home, told its model why, and ran a harmless command"))
	r.holds("the home is there", r.read(filepath.Join(r.place.Home, "keep")) == "mine\n")
	if t.Failed() {
		t.Log(said)
	}
}

// twice is two registrations that reach one call: the user's, and the one of Claude Code's settings or of this project, where the client reads those.
func twice(t *testing.T, c *client, inst string) {
	r := rigged(t, c, inst, func(r *rig) []scripted.Step {
		return []scripted.Step{r.command("rm -rf ~"), r.command("git reset --hard"), r.command("echo ran > ran.txt")}
	})
	defer r.show()
	r.run("moai", "init", "--agent", c.name, "--yes")
	in := c.adapter().Install
	also := filepath.Join(r.place.Project, in.Folder, in.File)
	switch {
	case c.name == "copilot": // it runs these as well
		r.run("moai", "init", "--local", "--yes")
	case in.Local != nil:
		r.run("moai", "init", "--agent", c.name, "--local", "--yes")
	case c.name == "gemini": // an extension is the user's alone
		r.put(filepath.Join(r.place.Project, in.Folder, "settings.json"), r.read(filepath.Join(r.place.Home, in.Folder, in.File)))
	default:
		r.put(also, r.read(filepath.Join(r.place.Home, in.Folder, in.File)))
	}
	// The second one leaves a trace. Codex wants a yes to it of its own, and skips it.
	second, trace := filepath.Join(r.bin, "second", "moai"), filepath.Join(r.bin, "trace")
	r.put(second, "#!/bin/sh\necho >>"+trace+"\nexec "+r.moai()+" \"$@\"\n")
	kit.Must(t, os.Chmod(second, 0o755))
	err := filepath.WalkDir(r.place.Project, func(path string, d os.DirEntry, err error) error {
		if text := ""; err == nil && d.Type().IsRegular() && !strings.Contains(path, "/.git/") {
			if text = r.read(path); strings.Contains(text, r.moai()) {
				r.put(path, strings.ReplaceAll(text, r.moai(), second))
			}
		}
		return err
	})
	kit.Must(t, err)
	r.drive()
	r.holds("the second registration is heard", (r.read(trace) != "") == (in.Trust == ""))
	r.holds("rm -rf ~ does not run", r.read(filepath.Join(r.place.Home, "keep")) == "mine\n")
	r.holds("the model reads why", strings.Contains(r.model.Result(0), "fs.delete-home"))
	r.holds("a harmless command runs", r.read(filepath.Join(r.place.Project, "ran.txt")) == "ran\n")
	seen := r.run("moai", "events")
	for _, once := range []string{"deny fs.delete-home", "checkpoint git.reset-hard", "checkpoint_created"} {
		r.holds("once: "+once, strings.Count(seen, once) == 1)
	}
	if t.Failed() {
		t.Log(seen)
	}
}

// fails has moai fail, as a program, when a harmless command is to run: what then becomes of it stands in rules/clients.
func fails(t *testing.T, c *client, inst, how, program string) {
	r := rigged(t, c, inst, func(r *rig) []scripted.Step { return []scripted.Step{r.command("echo ran > ran.txt")} })
	r.run("moai", "init", "--agent", c.name, "--yes")
	kit.Must(t, os.Remove(r.moai()))
	if program != "" {
		r.put(r.moai(), program)
		kit.Must(t, os.Chmod(r.moai(), 0o755))
	}
	r.unseen = true // it may end as it likes
	r.drive()
	got := "stopped"
	if r.read(filepath.Join(r.place.Project, "ran.txt")) == "ran\n" {
		got = "runs"
	}
	f := c.adapter().Failing
	want := map[string]string{"crash": f.Crash, "late": f.Late, "missing": f.Missing}[how]
	if t.Logf("%s: %s", how, got); got != want {
		t.Errorf("%s: a command %s, and rules/clients says %q", how, got, want)
		r.show()
	}
}
