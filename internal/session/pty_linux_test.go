package session

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
)

// What this test binary is when a test starts it: a client in a terminal, or a hook that a client starts.
const roleVariable = "TEST_SESSION_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "hook":
		hookRole()
	default:
		clientRole(role)
	}
}

// finder knows clients by their variable, as moai does.
func finder() *seat.Finder {
	return &seat.Finder{
		Clients: []rule.Client{{Name: "agent", PIDs: []string{"AGENT_PID"}, Processes: []string{"agent-of-nobody"}}}, Getenv: os.Getenv,
		Terminals: []rule.Terminal{{Variables: []string{"SSH_TTY"}, Device: true}, {Variables: []string{"PANE"}}},
	}
}

// hookRole tells as JSON who the session is, as a hook finds it out.
func hookRole() {
	dir, _ := os.Getwd()
	tree := os.Getenv("TEST_TREE")
	s := Born(os.Getenv("TEST_PROJECT"), Place{Dir: dir, WorkTree: orText(tree, "/main"), Repository: "/main/.git"}, finder())
	s.ID = "new"
	if state := os.Getenv("TEST_STATE"); state != "" {
		s.Comes(os.Getenv("TEST_KIND"), state, finder(), time.Now())
	}
	_ = json.NewEncoder(os.Stdout).Encode(s)
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// clientRole starts hooks as clients do: by a shell, in a session of the kernel of their own, with pipes, once in each folder.
func clientRole(folders string) {
	for dir := range strings.SplitSeq(folders, ":") {
		hook := exec.Command("/bin/sh", "-c", `"$0"; true`, os.Args[0])
		hook.Env = append(os.Environ(), roleVariable+"=hook", "AGENT_PID="+strconv.Itoa(os.Getpid()))
		hook.Dir = dir
		hook.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, err := hook.Output()
		if err != nil {
			out = fmt.Appendf(nil, "%q\n", err)
		}
		_, _ = os.NewFile(3, "answers").Write(out)
	}
	if os.Getenv("TEST_WAIT") != "" {
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
}

// terminal makes a pseudo terminal and returns its file and name.
func terminal(t *testing.T) (far *os.File, name string) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { near.Close() })
	kit.Must(t, unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	kit.Must(t, err)
	name = "/dev/pts/" + strconv.Itoa(n)
	far, err = os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { far.Close() })
	return far, name
}

// client runs a client in a terminal, none for nil, and returns what its hooks found out, one for each folder.
func client(t *testing.T, tty *os.File, project string, folders []string, env ...string) []*Session {
	t.Helper()
	list, _ := start(t, tty, project, folders, env...)
	return list
}

func start(t *testing.T, tty *os.File, project string, folders []string, env ...string) (list []*Session, cmd *exec.Cmd) {
	t.Helper()
	r, w, err := os.Pipe()
	kit.Must(t, err)
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, roleVariable+"="+strings.Join(folders, ":"), "TEST_PROJECT="+project, "SSH_TTY=", "GPG_TTY=")...)
	cmd.Env = append(cmd.Env, env...)
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if tty != nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
		cmd.SysProcAttr.Setctty = true
	}
	kit.Must(t, cmd.Start())
	w.Close()
	t.Cleanup(func() { r.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	d := json.NewDecoder(r)
	for range folders {
		s := &Session{}
		kit.Must(t, d.Decode(s))
		list = append(list, s)
	}
	return list, cmd
}

// TestTerminalsAreToldApart is what people see: the same folder in another terminal is another session's, the same client
// in the same terminal is the same one's, wherever it has gone.
func TestTerminalsAreToldApart(t *testing.T) {
	project := t.TempDir()
	sub := filepath.Join(project, "sub")
	kit.Must(t, os.Mkdir(sub, 0o755))
	one, nameOne := terminal(t)
	two, nameTwo := terminal(t)
	a := client(t, one, project, []string{project, project, sub, "/"})
	b := client(t, two, project, []string{project})
	again := client(t, one, project, []string{project})
	for _, s := range a {
		if s.TTY != nameOne || s.Client.PID == 0 || s.Client.Began == "" || len(s.Fingerprint) != 16 {
			t.Errorf("found %+v, want the terminal %s and a process", s, nameOne)
		}
		if s.Fingerprint != a[0].Fingerprint {
			t.Errorf("in %s the fingerprint is %s, at first it was %s", s.Start.Dir, s.Fingerprint, a[0].Fingerprint)
		}
	}
	if b[0].TTY != nameTwo || b[0].Fingerprint == a[0].Fingerprint {
		t.Errorf("another terminal: %+v", b[0])
	}
	if again[0].Fingerprint == a[0].Fingerprint {
		t.Error("another client in the same terminal has the fingerprint of the one before")
	}
	if client(t, one, sub, []string{project})[0].Fingerprint == a[0].Fingerprint {
		t.Error("another project has the same fingerprint")
	}
}

// TestNoTerminal asks what is left in the order of the specification.
func TestNoTerminal(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ env, want string }{
		{"X=", ""},
		{"SSH_TTY=/dev/pts/99", "/dev/pts/99"},
		{"SSH_TTY=not a tty", ""},
		{"PANE=%7", "%7"},
	} {
		if s := client(t, nil, dir, []string{dir}, c.env)[0]; s.TTY != c.want {
			t.Errorf("with %s the terminal is %q, want %q", c.env, s.TTY, c.want)
		}
	}
}

// TestStandingOfRealProcesses: one that idles is there, one that was killed is not, and is closed after a day.
func TestStandingOfRealProcesses(t *testing.T) {
	dir, project := t.TempDir(), t.TempDir()
	tty, _ := terminal(t)
	list, cmd := start(t, tty, project, []string{project}, "TEST_WAIT=1")
	s := list[0]
	now := time.Now()
	put(t, dir, "s", now, func(kept *Session) { kept.Client, kept.Host = s.Client, s.Host })
	if got := Read(dir, "s").Standing(now.Add(72 * time.Hour)); got != Running {
		t.Errorf("a session that idles for three days is %s", got)
	}
	_ = cmd.Process.Kill()
	for deadline := time.Now().Add(10 * time.Second); Read(dir, "s").Standing(now) == Running && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := Read(dir, "s").Standing(now); got != Gone {
		t.Errorf("a session whose client was killed, and nobody asked for, is %s", got)
	}
	_ = cmd.Wait()
	if got := Read(dir, "s").Standing(now); got != Gone {
		t.Errorf("a session whose client was killed is %s", got)
	}
	if list := CloseStale(dir, now.Add(23*time.Hour), time.Now().Add(time.Minute)); len(list) != 0 {
		t.Errorf("closed after 23 hours: %v", list[0].ID)
	}
	if list := CloseStale(dir, now.Add(25*time.Hour), time.Now().Add(time.Minute)); len(list) != 1 {
		t.Errorf("%d sessions closed after 25 hours, want 1", len(list))
	}
}

// TestLinks: after /clear it is the same client; what a session's command starts is below its client.
func TestLinks(t *testing.T) {
	dir, project := t.TempDir(), t.TempDir()
	tty, _ := terminal(t)
	self, ok := (&seat.Finder{Getenv: os.Getenv}).Self()
	if !ok {
		t.Fatal("this process is not found")
	}
	began := self.Began
	put(t, dir, "outer", now, func(s *Session) {
		s.Client = Client{Name: "agent", PID: os.Getpid(), Began: began}
		s.Start = Place{Dir: "/main", WorkTree: "/main", Repository: "/main/.git"}
	})
	s := client(t, tty, project, []string{project}, "TEST_STATE="+dir)[0]
	if s.Link == nil || s.Link.Parent != "outer" || s.Link.Kind != Subagent || !s.Link.Child() {
		t.Errorf("a client below a session's client comes from %+v", s.Link)
	}
	s = client(t, tty, project, []string{project}, "TEST_STATE="+dir, "TEST_TREE=/wt")[0]
	if s.Link == nil || *s.Link != (Link{Worktree, "outer"}) {
		t.Errorf("a client in another work tree comes from %+v", s.Link)
	}
	// A second client that a person starts has no parent session, even in a terminal of the same program.
	alone := &Session{ID: "alone", Host: host(), Client: Client{PID: 1 << 30}}
	alone.Comes("", dir, finder(), now)
	if alone.Link != nil {
		t.Errorf("a session of its own comes from %+v", alone.Link)
	}
	// The same client process had a session that was cleared.
	cleared := &Session{ID: "b", Host: host(), Client: Client{Name: "agent", PID: 5, Began: "1"}}
	before := []*Session{
		{ID: "x", Host: host(), Client: Client{Name: "agent", PID: 5, Began: "0"}},
		{ID: "a", Host: host(), Client: Client{Name: "agent", PID: 5, Began: "1"}, Model: "m"},
	}
	cleared.from(Cleared, before, finder())
	if cleared.Link == nil || *cleared.Link != (Link{Cleared, "a"}) || cleared.Model != "m" {
		t.Errorf("after a clear: %+v", cleared.Link)
	}
	forked := &Session{ID: "c", Host: host(), Client: Client{PID: 9}, Start: Place{Dir: "/p"}}
	forked.from(Forked, append(before, &Session{ID: "last", Start: Place{Dir: "/p"}}, &Session{ID: "older", Start: Place{Dir: "/p"}}), finder())
	if forked.Link == nil || *forked.Link != (Link{Forked, "last"}) {
		t.Errorf("a fork: %+v", forked.Link)
	}
}
