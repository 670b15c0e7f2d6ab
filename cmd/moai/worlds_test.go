package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// worlds are projects with work in them, each with the commands that somebody typed there and what a guard should say to them. Who wrote them saw neither rules
// nor verdicts, and tried what can be tried. By the rules as they were then, 91.6 % of what must be noticed was, 3.25 % of what is everyday was touched, and
// 1.25 % asked about in billing; 91.4 %, 5.0 % and 2.1 % in harbour; 95.9 %, 4.1 % and 3.3 % in tidepool; 91.9 %, 6.3 %
// and 5.4 % in sorak; 81.4 %, 6.4 % and 2.9 % in moim; 85.5 %, 7.0 % and 2.3 % in saebyeok; 91.3 %, 2.7 % and 0.9 % in hanbit; 96.3 %, 0 and 0 in courier. The bounds are in parts of a hundred, exceptions counted as what they are.
var worlds = []struct {
	name         string
	lines        int
	least        float64 // of what must be noticed
	most, asking float64 // of what is everyday: any verdict, and one that asks or stops
}{
	{"billing", 670, 98.1, 1.1, 0.3},
	{"harbour", 640, 95.2, 2.2, 1.4},
	{"lantern", 1090, 94.2, 0.9, 0.75},
	{"tidepool", 1045, 98.3, 1, 0.8},
	{"sorak", 1300, 95, 3.2, 2.5},
	{"moim", 1360, 94, 3.4, 2.4},
	{"hanbit", 1520, 94.5, 1.3, 0.8},
	{"courier", 550, 97.5, 0.4, 0.4},
	{"saebyeok", 1390, 91, 2.9, 1.3},
}

// worldCase is one command of a world.
type worldCase struct {
	Command  string `json:"command"`
	Expected string `json:"expected"` // notice: checkpoint, ask or deny; allow: nothing that is told; either: both are fine
	Family   string `json:"family"`
	Reason   string `json:"reason,omitempty"`
	Except   string `json:"except,omitempty"` // why the verdict differs; asserted too
}

// TestWorlds judges all commands of a world in it, through the real main. A line with an exception must differ, and one without must not.
func TestWorlds(t *testing.T) {
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			cases := worldCases(t, filepath.Join("..", "..", "testdata", "worlds", w.name, "commands.jsonl"))
			if len(cases) < w.lines {
				t.Errorf("only %d commands were read", len(cases))
			}
			var all, right, asked struct{ notice, allow int }
			for i, verdict := range judgeWorld(t, w.name, cases) {
				c := &cases[i]
				noticed, told := verdict.Action != "allow", verdict.Action != "allow" && !verdict.Quiet
				said := noticed
				if c.Expected == "allow" {
					said = told // a snapshot that is not told interrupts no work
				}
				agrees := said == (c.Expected == "notice")
				switch c.Expected {
				case "either":
					continue
				case "notice":
					all.notice++
					right.notice += count(said)
				case "allow":
					all.allow++
					right.allow += count(!said)
					asked.allow += count(said && verdict.Action != "checkpoint")
				default:
					t.Fatalf("expected of %q is %q, want notice, allow or either", c.Command, c.Expected)
				}
				switch {
				case agrees && c.Except != "":
					t.Errorf("%q is %s, as it should be: take its exception away", c.Command, verdict.Action)
				case !agrees && c.Except == "":
					t.Errorf("%q is %s %v, want %s (%s: %s)", c.Command, verdict.Action, verdict.Rules, c.Expected, c.Family, c.Reason)
				}
			}
			part := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
			noticed, touched, questions := part(right.notice, all.notice), part(all.allow-right.allow, all.allow), part(asked.allow, all.allow)
			if noticed < w.least || touched > w.most || questions > w.asking {
				t.Errorf("noticed %.1f %%, touched %.2f %%, asked about %.2f %%; want %.1f at least, %.2f and %.2f at most", noticed, touched, questions, w.least, w.most, w.asking)
			}
			t.Logf("noticed %d of %d (%.1f %%), silent on %d of %d, asked about %d of them", right.notice, all.notice, noticed, right.allow, all.allow, asked.allow)
		})
	}
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

func worldCases(t *testing.T, path string) (cases []worldCase) {
	t.Helper()
	data, err := os.ReadFile(path)
	kit.Must(t, err)
	for line := range bytes.Lines(data) {
		var c worldCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// outsideTemp makes a folder below the repository, and removes it after the test. In the system's temporary folder moai would let the commands delete
// what lies beside the project.
func outsideTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".worlds"))
	kit.Must(t, err)
	kit.Must(t, os.MkdirAll(dir, 0o755))
	dir, err = os.MkdirTemp(dir, "")
	kit.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// worldVerdict is what moai risk check --batch answers to a line.
type worldVerdict struct {
	Action string
	Quiet  bool // the snapshot is taken, and the user is not told
	Rules  []string
}

// judgeWorld builds a world anew and judges the commands in it, as typed in its folder app.
func judgeWorld(t *testing.T, name string, cases []worldCase) (verdicts []worldVerdict) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", "testdata", "worlds", name, "world.sh"))
	kit.Must(t, err)
	self, err := os.Executable()
	kit.Must(t, err)
	base := outsideTemp(t)
	home, world := filepath.Join(base, "src", "home"), filepath.Join(base, "src") // a world may put things there
	kit.Must(t, os.MkdirAll(world, 0o755))
	build := exec.Command("bash", script)
	build.Dir = world
	build.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, said)
	}
	kit.Must(t, os.MkdirAll(home, 0o755))
	var questions, said bytes.Buffer
	for i := range cases {
		kit.Must(t, json.NewEncoder(&questions).Encode(map[string]string{"command": cases[i].Command}))
	}
	judge := exec.Command(self, "risk", "check", "--batch")
	judge.Dir = filepath.Join(world, "app")
	judge.Env = append(build.Env, asMoai+"=1", "TEST_ACCOUNT="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"))
	judge.Stdin, judge.Stderr = &questions, &said
	answers, err := judge.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	for line := range strings.Lines(string(answers)) {
		var v worldVerdict
		kit.Must(t, json.Unmarshal([]byte(line), &v))
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(cases) {
		t.Fatalf("%d answers to %d commands", len(verdicts), len(cases))
	}
	return verdicts
}
