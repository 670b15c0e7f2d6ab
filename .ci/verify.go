//go:build ignore

// Command verify times what verified work costs, whole processes next to an empty Go program and all of them in turn, so that a busy
// machine slows them alike: the call after an edit, the calls before and after a command that may write, and the end of a turn. Before
// each of them a file has really been changed, and each call has a number of its own, so that nothing is answered from the last round.
//
//	go run .ci/verify.go -moai bin/moai -empty .cache/bench/empty -status .cache/bench/status -n 300
//
// It stands for the client: it names itself, and has begun with the folders of the user that its hooks are given.
//
// A status is what .ci/status.go takes beyond an empty program. Each kind stands next to what it may cost. That is without the snapshots
// that moai undo wants of every turn and command, which store what has changed; with them it is measured, too.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Of one round, in this order.
const (
	empty = iota
	status
	edit
	before
	after
	stop
	kinds
)

// limits are multiples of an empty program, and how many times a status may come on top.
var limits = [kinds]struct {
	name         string
	times, looks float64
}{
	{"an empty Go program", 1, 0},
	{"status", 0, 0},
	{"after an edit", 2.2, 0},
	{"before a command that may write", 2.2, 1},
	{"after a command that may write", 2.2, 1},
	{"the end of a turn", 2.5, 1},
}

func main() {
	log.SetFlags(0)
	var programs [3]string
	for i, name := range []string{"empty", "status", "moai"} {
		flag.StringVar(&programs[i], name, "bin/"+name, "program to time")
	}
	rounds := flag.Int("n", 200, "rounds")
	part := flag.String("part", "", "what this process does of it, which began it for that")
	flag.Parse()
	for i := range programs {
		path, err := filepath.Abs(programs[i])
		check(err)
		programs[i] = path
	}
	if *part == "" {
		parts(programs, *rounds)
		return
	}
	top, err := os.MkdirTemp("", "moai-bench-")
	check(err)
	defer os.RemoveAll(top)
	check(os.Setenv("CLAUDE_PID", strconv.Itoa(os.Getpid())))
	check(os.Setenv("GIT_CONFIG_NOSYSTEM", "1"))
	check(os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull))
	size, turns, _ := strings.Cut(*part, " ")
	b := &bench{programs: programs, dir: filepath.Join(top, size)}
	check(os.Setenv("XDG_STATE_HOME", b.dir+".state"))
	var folders []string
	if size == "large" {
		folders = []string{"crypto", "go", "net"}
	}
	fmt.Printf("%d files, snapshots of turns: %s\n", b.repository(folders), turns)
	for i := range *rounds {
		if i%perSession == 0 {
			b.session()
		}
		b.round()
	}
	b.print()
}

// parts has each part done by a process of its own: what stands in settings before a client begins is the user's.
func parts(programs [3]string, rounds int) {
	config := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "moai")
	if _, err := os.Lstat(config); !filepath.IsAbs(config) || err == nil {
		log.Fatal("verify: XDG_CONFIG_HOME must be a folder to throw away, as .ci/bench makes one")
	}
	self, err := os.Executable()
	check(err)
	for _, size := range []string{"small", "large"} {
		for _, turns := range []bool{true, false} {
			if !turns {
				check(os.MkdirAll(config, 0o700))
				check(os.WriteFile(filepath.Join(config, "config.toml"), []byte("[checkpoint]\nturns = false\n"), 0o600))
				time.Sleep(time.Second / 10) // the system counts beginnings in hundredths
			}
			fmt.Print(run(self, "-empty", programs[empty], "-status", programs[status], "-moai", programs[2], "-n", strconv.Itoa(rounds), "-part", fmt.Sprint(size, " ", turns)))
			check(os.RemoveAll(config))
		}
	}
}

// perSession is the number of rounds of one session. A session remembers its edits of the last minute, and a person makes no hundred of them.
const perSession = 10

type bench struct {
	programs  [3]string
	dir, file string
	calls     int
	id        string // of the session
	took      [kinds][]time.Duration
}

// session ends one and begins another, with a prompt and a round that do not count.
func (b *bench) session() {
	took := b.took
	if b.id != "" {
		b.run(stop, b.programs[2], b.event("SessionEnd", `"reason":"other"`))
	}
	b.id = fmt.Sprintf("%s-%d", filepath.Base(b.dir), b.calls)
	b.run(stop, b.programs[2], b.event("SessionStart", `"source":"startup"`))
	b.run(stop, b.programs[2], b.event("UserPromptSubmit", `"prompt":"add one"`))
	b.round()
	b.took = took
}

// repository makes one of a file, and of what some folders of Go itself hold.
func (b *bench) repository(folders []string) int {
	check(os.Mkdir(b.dir, 0o755))
	check(os.Chdir(b.dir))
	b.file = filepath.Join(b.dir, "main.go")
	b.change()
	check(os.WriteFile("go.mod", []byte("module x\n\ngo 1.26\n"), 0o644))
	for _, f := range folders {
		check(os.CopyFS(f, os.DirFS(filepath.Join(strings.TrimSpace(run("go", "env", "GOROOT")), "src", f))))
	}
	run("git", "init", "-q", "-b", "main")
	run("git", "add", "-A")
	run("git", "-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-qm", "start")
	return strings.Count(run("git", "ls-files"), "\n")
}

func (b *bench) change() {
	b.calls++
	check(os.WriteFile(b.file, fmt.Appendf(nil, "package main\n\nfunc main() {}\n\nconst one = %d\n", b.calls), 0o644))
}

func (b *bench) round() {
	b.run(empty, b.programs[0], "")
	b.change()
	b.run(status, b.programs[1], "")
	b.run(edit, b.programs[2], b.event("PostToolUse", fmt.Sprintf(`"tool_name":"Edit","tool_input":{"file_path":%q,"old_string":"%d","new_string":"%d","replace_all":false},"tool_response":{"filePath":%[1]q,"oldString":"%[2]d","newString":"%[3]d","userModified":false,"replaceAll":false}`, b.file, b.calls-1, b.calls)))
	command := `"tool_name":"Bash","tool_input":{"command":"go generate ./..."}`
	b.run(before, b.programs[2], b.event("PreToolUse", command))
	number := b.calls
	b.change()
	b.calls = number // both are of one call
	b.run(after, b.programs[2], b.event("PostToolUse", command+`,"tool_response":{"stdout":"","stderr":"","interrupted":false}`))
	b.calls++
	b.run(stop, b.programs[2], b.event("Stop", `"stop_hook_active":false,"last_assistant_message":"Done."`))
}

// event is one as the client says it.
func (b *bench) event(name, more string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"prompt_id":"p","permission_mode":"default","hook_event_name":%q,"tool_use_id":"toolu_%d",%s}`, b.id, b.dir, name, b.calls, more)
}

func (b *bench) run(kind int, program, in string) {
	input := filepath.Join(os.TempDir(), "moai-bench-input")
	check(os.WriteFile(input, []byte(in), 0o600))
	f, err := os.Open(input)
	check(err)
	defer f.Close()
	args := []string{program}
	if in != "" {
		args = append(args, "hook")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	check(err)
	defer null.Close()
	start := time.Now()
	p, err := os.StartProcess(program, args, &os.ProcAttr{Dir: b.dir, Env: os.Environ(), Files: []*os.File{f, null, null}})
	check(err)
	_, err = p.Wait()
	check(err)
	b.took[kind] = append(b.took[kind], time.Since(start))
}

// print shows medians, the least, and of how many empty programs the limit is.
func (b *bench) print() {
	var median, least [kinds]float64
	for i := range kinds {
		slices.Sort(b.took[i])
		median[i], least[i] = ms(b.took[i][len(b.took[i])/2]), ms(b.took[i][0])
	}
	for i := range kinds {
		limit := ""
		if l := limits[i]; i > status {
			limit = fmt.Sprintf("at most %.2f (%.2f)", l.times+l.looks*(median[status]/median[empty]-1), l.times+l.looks*(least[status]/least[empty]-1))
		}
		fmt.Printf("%8.3f ms  %5.2f x  (least %.3f ms, %.2f x)  %-32s %s\n", median[i], median[i]/median[empty], least[i], least[i]/least[empty], limits[i].name, limit)
	}
}

func run(name string, args ...string) string {
	var out bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, os.Stderr
	check(c.Run())
	return out.String()
}

func ms(t time.Duration) float64 { return float64(t) / float64(time.Millisecond) }

func check(err error) {
	if err != nil {
		log.Fatal("verify: ", err)
	}
}
