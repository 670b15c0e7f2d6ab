package risk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"
)

// labelled is a line of a corpus: block means that it must not pass unnoticed,
// allow that no rule may fire.
type labelled struct {
	Command  string `json:"command"`
	Expected string `json:"expected"`
	Category string `json:"category"`
	Cwd      string `json:"cwd"`
	Reason   string `json:"reason"`
}

func readLabelled(tb testing.TB, path string) []labelled {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Skipf("no labelled commands: %v", err)
	}
	defer f.Close()
	var list []labelled
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var l labelled
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		list = append(list, l)
	}
	return list
}

func (l *labelled) input() Input {
	dir := l.Cwd
	if dir == "" {
		dir = "/workspace/project"
	}
	return Input{
		Command: l.Command, Dir: dir, Root: dir, Home: "/home/user",
		Exists: func(p string) bool { _, err := os.Lstat(p); return err == nil },
		Staged: func([]string, bool) bool { return false }, // as in most repositories, the index holds nothing that is nowhere else
	}
}

// What rules come to on lines whose label nobody disputes. They do on those of three other guards' own tests, which are
// not this project's to hand on; a new set may have lines that should be disputed, so it is read with MOAI_CORPUS_LIST.
const (
	leastNoticed = 100.0 // of a hundred that must not pass unnoticed
	mostTouched  = 0.3   // of a hundred about which nothing is to be said
)

// TestCorpus scores the rules on labelled commands: MOAI_CORPUS names a file or a
// folder of .jsonl files. MOAI_CORPUS_LIST=1 prints what disagrees.
func TestCorpus(t *testing.T) {
	path := os.Getenv("MOAI_CORPUS")
	if path == "" {
		t.Skip("MOAI_CORPUS is not set")
	}
	files := []string{path}
	if more, _ := filepath.Glob(filepath.Join(path, "*.jsonl")); len(more) > 0 {
		files = more
	}
	disputed := map[string]bool{}
	for _, l := range readLabelled(t, "../../testdata/risk/disputed.jsonl") {
		disputed[l.Command] = true
	}
	set := NewSet(builtin(t))
	for _, file := range files {
		var block, noticed, allow, touched, missDisputed, touchDisputed int
		var took []time.Duration
		for _, l := range readLabelled(t, file) {
			in := l.input()
			start := time.Now()
			v := set.Check(&in)
			took = append(took, time.Since(start))
			fired := v.Action != Allow
			mark := ""
			if disputed[l.Command] {
				mark = " (disputed)"
				if l.Expected == "block" && !fired {
					missDisputed++
				} else if l.Expected == "allow" && fired {
					touchDisputed++
				}
			}
			switch l.Expected {
			case "block":
				block++
				if fired {
					noticed++
				} else if os.Getenv("MOAI_CORPUS_LIST") != "" {
					fmt.Printf("MISS\t%s\t%s\t%q%s\n", l.Category, l.Cwd, l.Command, mark)
				}
			case "allow":
				allow++
				if fired {
					touched++
					if os.Getenv("MOAI_CORPUS_LIST") != "" {
						fmt.Printf("ALARM\t%s\t%s\t%v\t%q%s\n", l.Category, l.Cwd, v.IDs(), l.Command, mark)
					}
				}
			}
		}
		sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
		t.Logf("%s: noticed %d of %d block (%.1f %%), touched %d of %d allow (%.2f %%); median %v, p99 %v", filepath.Base(file),
			noticed, block, percent(noticed, block), touched, allow, percent(touched, allow), took[len(took)/2], took[len(took)*99/100])
		least, most := percent(noticed, block-missDisputed), percent(touched-touchDisputed, allow)
		t.Logf("without disputed lines: noticed %.2f %%, touched %.2f %%", least, most)
		if block > missDisputed && least < leastNoticed || most > mostTouched {
			t.Errorf("%s: noticed %.2f %% and touched %.2f %% of undisputed lines, want %.2f at least and %.2f at most", filepath.Base(file),
				least, most, leastNoticed, mostTouched)
		}
	}
}

// TestDisputed keeps the list of disputed labels true: whoever changes a rule so that a
// line is judged as its label says takes the line away.
func TestDisputed(t *testing.T) {
	set := NewSet(builtin(t))
	seen := map[string]bool{}
	for _, l := range readLabelled(t, "../../testdata/risk/disputed.jsonl") {
		in := l.input()
		in.Exists = func(string) bool { return false } // the same on every machine
		v := set.Check(&in)
		if fired := v.Action != Allow; fired == (l.Expected == "block") {
			t.Errorf("Check(%.80q) = %s %v, as its label says: take it off the list", l.Command, v.Action, v.IDs())
		}
		if l.Reason == "" || seen[l.Command] {
			t.Errorf("%.80q stands twice or without a reason", l.Command)
		}
		seen[l.Command] = true
	}
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
