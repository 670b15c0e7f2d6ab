package loop

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	noon   = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	except = []string{"not", "when", "will", "isn't", "않"}
)

func TestSays(t *testing.T) {
	for message, want := range map[string]bool{
		"COMPLETE":                                 true,
		"All done.\n\n**COMPLETE**":                true,
		"<promise>COMPLETE</promise>":              true,
		"Status: COMPLETE.":                        true,
		"작업은 COMPLETE입니다":                          true,
		"작업은 COMPLETE하지 않았습니다":                     false,
		"- done\n- COMPLETE":                       true,
		"    - COMPLETE":                           true, // a list in a list
		"I don't stop: COMPLETE":                   true, // an apostrophe opens no quote
		"The pipe is 3\" wide: COMPLETE":           true, // an inch does not, either
		"It is not done.\nCOMPLETE":                true,
		"":                                         false,
		"INCOMPLETE":                               false,
		"COMPLETED":                                false,
		"AUTO-COMPLETE and COMPLETE-ish":           false,
		"complete":                                 false,
		"COMPLETE_ALL":                             false,
		"It is not COMPLETE.":                      false,
		"This isn’t COMPLETE":                      false,
		"I will say COMPLETE when the tests pass.": false,
		"`COMPLETE`":                               false,
		"``a ` COMPLETE``":                         false,
		"```\nCOMPLETE\n```":                       false,
		"~~~~sh\nCOMPLETE\n~~~\nCOMPLETE\n~~~~":    false,
		"```\nopen\nCOMPLETE":                      false,
		"> COMPLETE":                               false,
		"\n    COMPLETE":                           false,
		"say \"COMPLETE\", “COMPLETE” or 'COMPLETE'": false,
		"「COMPLETE」 «COMPLETE»":                      false,
	} {
		if got := Says(message, "COMPLETE", except); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
	if !Says("<moai>DONE</moai>", "<moai>DONE</moai>", nil) || Says("anything", "", nil) {
		t.Error("markers that are no words")
	}
}

func FuzzSays(f *testing.F) {
	f.Add("```\nCOMPLETE ` \"", "COMPLETE")
	f.Fuzz(func(t *testing.T, message, marker string) {
		if Says(message, marker, except) && !strings.Contains(message, marker) {
			t.Errorf("%q holds no %q", message, marker)
		}
	})
}

func TestNext(t *testing.T) {
	begun := func() *Loop { return &Loop{Session: "s", Began: noon, Marker: "COMPLETE", Max: 3} }
	turn := func(message string) *Turn {
		return &Turn{Now: noon.Add(time.Minute), Message: message, Tree: "t", Except: except}
	}
	for _, c := range []struct {
		why  string
		loop func(*Loop)
		turn func(*Turn)
		how  End
	}{
		{"goes on", nil, nil, ""},
		{"says it", nil, func(t *Turn) { t.Message = "COMPLETE" }, ByMarker},
		{"all done", nil, func(t *Turn) { t.Tasks = []Task{{"1", true}} }, ByTasks},
		{"none", nil, func(t *Turn) { t.Tasks = nil }, ""},
		{"one open", nil, func(t *Turn) { t.Tasks = []Task{{"1", true}, {"2", false}} }, ""},
		{"done before", func(l *Loop) { l.Done = []string{"1"} }, func(t *Turn) { t.Tasks = []Task{{"1", true}} }, ""},
		{"one of them since", func(l *Loop) { l.Done = []string{"1"} }, func(t *Turn) { t.Tasks = []Task{{"1", true}, {"2", true}} }, ByTasks},
		{"passed", func(l *Loop) { l.Until, l.Ran = "x", &Receipt{Passed: true, Tree: "t"} }, nil, ByCommand},
		{"failed", func(l *Loop) { l.Until, l.Ran = "x", &Receipt{Tree: "t"} }, nil, ""},
		{"passed on another tree", func(l *Loop) { l.Until, l.Ran = "x", &Receipt{Passed: true, Tree: "old"} }, nil, ""},
		{"its own word, where a command must pass", func(l *Loop) { l.Until = "x" }, func(t *Turn) { t.Message, t.Tasks = "COMPLETE", []Task{{"1", true}} }, ""},
		{"cap", func(l *Loop) { l.Round = 3 }, nil, ByCap},
		{"the word at the cap", func(l *Loop) { l.Round = 3 }, func(t *Turn) { t.Message = "COMPLETE" }, ByMarker},
		{"time", func(l *Loop) { l.Ends = noon.Add(time.Minute) }, nil, ByTime},
		{"time to go", func(l *Loop) { l.Ends = noon.Add(2 * time.Minute) }, nil, ""},
		{"idle", func(l *Loop) { l.Last = noon.Add(-Idle) }, nil, ByTime},
		{"the same again", func(l *Loop) { l.Round, l.Stood = 1, stands(turn("x  y")) }, func(t *Turn) { t.Message = " x y\n" }, ByStand},
		{"the same words, another tree", func(l *Loop) { l.Round, l.Stood = 1, stands(turn("x")) }, func(t *Turn) { t.Message, t.Tree = "x", "u" }, ""},
		{"the same tree, other words", func(l *Loop) { l.Round, l.Stood = 1, stands(turn("x")) }, func(t *Turn) { t.Message = "y" }, ""},
	} {
		l, at := begun(), turn("go")
		if c.loop != nil {
			c.loop(l)
		}
		if c.turn != nil {
			c.turn(at)
		}
		round := l.Round
		goOn := l.Next(at)
		if goOn != (c.how == "") || l.How != c.how || l.Runs() != goOn || goOn && l.Round != round+1 || !goOn && l.Why == "" {
			t.Errorf("%s: goes on %v, %q (%s), round %d", c.why, goOn, l.How, l.Why, l.Round)
		}
	}
}

func TestIs(t *testing.T) {
	l := &Loop{Until: "go test ./...", Dir: "/w/app"}
	for _, c := range []struct {
		line, dir string
		want      bool
	}{
		{"go test ./...", "/w/app", true},
		{" go test ./... 2>&1\n", "/w/app", true},
		{"cd /w/app && go test ./...", "/", true},
		{"cd '/w/app' && go test ./... 2>&1", "/", true},
		{"go test ./...", "/w/app/sub", false},
		{"cd /w/app/sub && go test ./...", "/w/app", false},
		{"go test ./... || true", "/w/app", false},
		{"go test ./... | tail", "/w/app", false},
		{"true && go test ./...", "/w/app", false},
		{"go test ./... && true", "/w/app", false},
		{"echo go test ./...", "/w/app", false},
		{"go test", "/w/app", false},
		{"", "/w/app", false},
	} {
		if got := l.Is(c.line, c.dir); got != c.want {
			t.Errorf("%q in %s: %v", c.line, c.dir, got)
		}
	}
	if (&Loop{Dir: "/w"}).Is("", "/w") {
		t.Error("no command passes")
	}
}

// Twenty processes at once lose no round, and sessions know nothing of each other.
func TestChange(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for _, id := range []string{"one", "two"} {
				if err := Change(dir, id, func(l *Loop) bool {
					l.Session, l.Project, l.Max, l.Began = id, "/p", 100, noon
					l.Next(&Turn{Now: noon.Add(time.Duration(i) * time.Second), Message: fmt.Sprint(id, i), Tree: fmt.Sprint(l.Round)})
					return true
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if l := Read(dir, "one"); l == nil || l.Round != 20 {
		t.Errorf("%+v", l)
	}
	if err := Change(dir, "two", func(l *Loop) bool { l.Over(ByCancel, "x", noon); return true }); err != nil {
		t.Fatal(err)
	}
	if list := All(dir, "/p"); len(list) != 2 || list[0].Session != "one" || list[1].Runs() {
		t.Errorf("%v", list)
	}
	if Read(dir, "three") != nil || Read(dir, "").Runs() || len(All(dir, "/q")) != 0 {
		t.Error("a loop that is none")
	}
}
