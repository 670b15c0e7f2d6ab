package seat

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/modu-ai/moai/internal/kit"
)

// TestMain is also the processes of the tests: "look" prints what it sees, "began"
// with what the client above began, "run PROGRAM ARG…" starts another without variables.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "look":
			_ = json.NewEncoder(os.Stdout).Encode(Look())
			return
		case "began":
			value, known := Finder{Clients: clients, Hosts: hosts, Getenv: os.Getenv}.Beginning(Here()).Value("SKIP")
			if !known() {
				value = ""
			}
			fmt.Print(value, " ", known())
			return
		case "run":
			cmd := exec.Command(os.Args[2], os.Args[3:]...)
			cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = []string{}, os.Stdin, os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// looked runs a process, which ends in one that looks.
func looked(t *testing.T, cmd *exec.Cmd) Seat {
	t.Helper()
	out, err := cmd.Output()
	kit.Must(t, err)
	var s Seat
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return s
}

// self is this program under another name.
func self(t *testing.T, name string) string {
	t.Helper()
	exe, err := os.Executable()
	kit.Must(t, err)
	b, err := os.ReadFile(exe)
	kit.Must(t, err)
	p := filepath.Join(t.TempDir(), name)
	kit.Must(t, os.WriteFile(p, b, 0o755))
	return p
}

// TestLookAbove finds an agent whose child has no variables: by its name, and by the variables of
// a shell between them.
func TestLookAbove(t *testing.T) {
	agent, plain := self(t, "two"), self(t, "shell")
	cmd := exec.Command(agent, "run", plain, "look")
	s := looked(t, cmd)
	if got := s.Agent(clients, hosts); got != "two" {
		t.Errorf("below a process of that name: %q", got)
	}
	if len(s.Above) < 2 || s.Above[0].Name != "two" || s.Above[1].ID != os.Getpid() {
		t.Errorf("above: %+v", s.Above)
	}
	cmd = exec.Command(plain, "run", plain, "look")
	cmd.Env = []string{"ONE_SET=1"}
	s = looked(t, cmd)
	if got := s.Agent(clients, hosts); got != "one" {
		t.Errorf("started with its variable: %q", got)
	}
	cmd = exec.Command(plain, "run", plain, "look")
	cmd.Env = []string{}
	s = looked(t, cmd)
	if got := s.Agent(clients, hosts); got != "" {
		t.Errorf("no agent: %q", got)
	}
}

// TestBeganAbove finds the variables of a client that runs, and of its alone.
func TestBeganAbove(t *testing.T) {
	agent, plain := self(t, "two"), self(t, "shell")
	for _, c := range []struct {
		why  string
		env  []string
		args []string
		want string
	}{
		{"the client has it", []string{"SKIP=true"}, []string{agent, "run", plain, "began"}, "true true"},
		{"it has not", []string{"SKIPPED=true"}, []string{agent, "run", plain, "began"}, " true"},
		{"another agent runs it", []string{"SKIP=true"}, []string{agent, "run", agent, "run", plain, "began"}, " false"},
		{"another agent ran it", []string{"SKIP=true", "ONE_SET=1"}, []string{agent, "run", plain, "began"}, " false"},
		{"no client", []string{"SKIP=true"}, []string{plain, "run", plain, "began"}, " false"},
	} {
		cmd := exec.Command(c.args[0], c.args[1:]...)
		cmd.Env = c.env
		if out, err := cmd.Output(); err != nil || string(out) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.why, out, err, c.want)
		}
	}
}

func TestLookTerminal(t *testing.T) {
	plain := self(t, "shell")
	cmd := exec.Command(plain, "look")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if s := looked(t, cmd); s.Terminal || s.Lender != nil {
		t.Errorf("a session of its own: %+v", s)
	}

	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals: %v", err)
	}
	defer master.Close()
	kit.Must(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	kit.Must(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals: %v", err)
	}
	defer slave.Close()
	cmd = exec.Command(plain, "run", plain, "look")
	cmd.ExtraFiles = []*os.File{slave}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	s := looked(t, cmd)
	if !s.Terminal || s.Behind {
		t.Errorf("in a terminal: %+v", s)
	}
	if s.Lender == nil || s.Lender.ID != os.Getpid() {
		t.Errorf("this test made the terminal: %+v", s.Lender)
	}
}

func TestProcess(t *testing.T) {
	// A name with blanks and brackets is no end of the name.
	cmd := exec.Command(self(t, "a) S 1 (b"), "look")
	if s := looked(t, cmd); len(s.Above) == 0 || s.Above[0].ID != os.Getpid() {
		t.Errorf("above: %+v", s.Above)
	}
	odd := self(t, "a) S 1 (b")
	s := looked(t, exec.Command(odd, "run", odd, "look"))
	if len(s.Above) < 2 || s.Above[0].Name != "a) S 1 (b" || s.Above[1].ID != os.Getpid() {
		t.Errorf("above: %+v", s.Above)
	}
	if _, ok := process(1 << 30); ok {
		t.Error("a process that is none was found")
	}
	p, ok := process(os.Getpid())
	if !ok || p.Parent != os.Getppid() || !strings.Contains(p.Args[0], "seat") {
		t.Errorf("this process: %+v, %v", p, ok)
	}
}
