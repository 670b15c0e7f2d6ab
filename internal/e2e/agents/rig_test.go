//go:build e2e_agents

package agents

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/live"
	"github.com/modu-ai/moai/internal/scripted"
)

// rig is a home and a project that are thrown away, and moai.
type rig struct {
	*testing.T
	*client
	inst  string // the folder of the client's packages
	place live.Place
	bin   string
	model *scripted.Model
	said  string // by the client, at last
}

// rigged makes a rig in which the client is set up, for a model of these steps, and knows nothing of moai.
func rigged(t *testing.T, c *client, inst string, steps func(r *rig) []scripted.Step) *rig {
	t.Helper()
	top := t.TempDir()
	r := &rig{T: t, client: c, inst: inst, bin: filepath.Join(top, "bin")}
	r.place = live.Place{Home: filepath.Join(top, "home"), Project: filepath.Join(top, "project"), Path: r.bin + ":" + os.Getenv("PATH")}
	if out, err := exec.Command("go", "build", "-trimpath", "-o", r.moai(), "github.com/modu-ai/moai/cmd/moai").CombinedOutput(); err != nil {
		t.Fatalf("build moai: %v\n%s", err, out)
	}
	r.put(filepath.Join(r.place.Home, "keep"), "mine\n")
	r.put(filepath.Join(r.place.Project, "a.txt"), "committed\n")
	r.run("git", "init", "-q", "-b", "main")
	r.run("git", "add", "-A")
	r.run("git", "-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-qm", "begin")
	r.put(filepath.Join(r.place.Project, "a.txt"), "a day's work\n")
	m, err := scripted.Serve(steps(r))
	kit.Must(t, err)
	t.Cleanup(m.Close)
	r.model, r.place.Port = m, m.Port
	l := c.adapter().Live
	for _, name := range l.Copies { // what the user of the client would have of it
		from, to := filepath.Join(inst, name), filepath.Join(r.place.Home, c.adapter().Install.Folder, name)
		if _, err := os.Stat(from); err != nil {
			continue
		}
		kit.Must(t, os.MkdirAll(filepath.Dir(to), 0o755))
		kit.Must(t, os.Symlink(from, to))
	}
	kit.Must(t, r.place.Write(l))
	return r
}

func (r *rig) moai() string { return filepath.Join(r.bin, "moai") }

func (r *rig) put(path, text string) {
	r.Helper()
	kit.Write(r, path, text)
}

func (r *rig) read(path string) string {
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		r.Error(err)
	}
	return string(data)
}

// run runs a program in the project, and gives back what it says.
func (r *rig) run(argv ...string) string {
	r.Helper()
	if argv[0] == "moai" {
		argv[0] = r.moai()
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = r.place.Project
	cmd.Env = []string{"HOME=" + r.place.Home, "PATH=" + r.place.Path, "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "SHELL=/bin/bash"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("%v: %v\n%s", argv, err, out)
	}
	return string(out)
}

// command is a call of the client's tool for commands.
func (r *rig) command(line string) scripted.Step {
	s, err := scripted.Call(r.adapter().Live, line)
	kit.Must(r, err)
	return s
}

// argv is what the client is started with.
func (r *rig) argv() []string {
	r.Helper()
	fill := strings.NewReplacer("@INST", filepath.Join(r.inst, "node_modules"))
	var program []string
	for _, word := range r.program {
		program = append(program, fill.Replace(word))
	}
	path, err := exec.LookPath(program[0])
	kit.Must(r, err)
	program[0] = path
	return program
}

// limit is how long a client has for its work.
const limit = 3 * time.Minute

// drive starts the client and waits for its end.
func (r *rig) drive() {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	said, ended, err := r.place.Run(ctx, r.adapter().Live, r.argv()...)
	if r.said = said; err != nil || ended.Cause != nil || ended.Exit != 0 && !r.unseen {
		r.Errorf("the client: %v, %v, exit code %d", err, ended.Cause, ended.Exit)
	}
}

// holds says what does not.
func (r *rig) holds(what string, ok bool) {
	r.Helper()
	if !ok {
		r.Errorf("does not hold: %s", what)
	}
}

// show tells, where something does not hold, what there was to be seen.
func (r *rig) show() {
	if !r.Failed() {
		return
	}
	var results []string
	for n := range 6 {
		results = append(results, r.model.Result(n))
	}
	said := r.said
	if len(said) > 3000 {
		said = said[len(said)-3000:]
	}
	data, _ := json.Marshal(said)
	r.Logf("results: %q\nrequests: %d\nclient: %s", results, len(r.model.Requests()), data)
}
