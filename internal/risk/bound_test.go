package risk

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/work"
)

// What agents write in one go is long at times. None of it may be asked about for its
// length alone.
func TestLongOrdinaryLines(t *testing.T) {
	set := NewSet(builtin(t))
	prose := strings.Repeat("Some text, with words in it (see [this](there)): it's \"done\".\n", 300)
	script := ""
	for i := range 120 {
		script += fmt.Sprintf("mkdir -p build/%d && cp -r src/%d build/%d || echo \"no %d\"\n", i, i, i, i)
	}
	program := "import json\n" + strings.Repeat("rows = [r for r in json.load(open('x.json')) if r['ok'] and r.get('n', 0) > 3]\nprint(len(rows), sum(rows))\n", 60)
	for name, line := range map[string]string{
		"file of 19 KB":     "cat > notes.md <<'EOF'\n" + prose + "EOF",
		"file of 120 KB":    "cat > notes.md <<'EOF'\n" + strings.Repeat(prose, 6) + "EOF",
		"file of 250 KB":    "mkdir -p data && cat > data/x.csv <<'EOF'\n" + strings.Repeat("a,b,c,1234567890,(x)\n", 13000) + "EOF\nwc -l data/x.csv",
		"JSON of 250 KB":    "cat > data.json <<EOF\n" + strings.Repeat("{\"a\": [1, 2, 3]},\n", 13000) + "EOF",
		"expanded file":     "cat > notes.md <<EOF\n" + prose + "$USER\nEOF",
		"message":           "git commit -m '" + strings.ReplaceAll(prose, "'", "") + "'",
		"message in quotes": "git commit -m \"" + strings.ReplaceAll(prose, "\"", "") + "\"",
		"script":            script,
		"script in a shell": "bash <<'EOF'\n" + script + "EOF",
		"program":           "python3 - <<'EOF'\n" + program + "EOF",
		"files":             "git add" + strings.Repeat(" internal/risk/bound_test.go", 800),
	} {
		in := World()
		in.Command = line
		if v := set.Check(&in); v.Action != Allow || len(v.Doubts) > 0 {
			t.Errorf("%s (%d bytes): %v %v %v, want allow", name, len(line), v.Action, v.IDs(), v.Doubts)
		}
	}
}

// A judgement is bounded by counted work beyond the shell's own, whatever the line.
func TestJudgementIsBounded(t *testing.T) {
	set := NewSet(builtin(t))
	for name, line := range map[string]string{
		"operands":          "rm -rf" + strings.Repeat(" src/abc.go", 9000),
		"files":             "cat" + strings.Repeat(" src/abc.go", 9000),
		"sources":           "mv" + strings.Repeat(" src/abc.go", 9000),
		"unknown":           "zzz" + strings.Repeat(" src/abc.go", 9000),
		"options":           "git push" + strings.Repeat(" --abc", 9000),
		"redirections":      strings.Repeat("cat f > f;", 1000),
		"one in another":    strings.Repeat("tool rm a b c d e f g h;", 1000),
		"functions":         "f() { rm -rf ~; rm -rf ~; g; }; g() { f; f; f; }; " + strings.Repeat("f;", 1000),
		"many found by one": "find ." + strings.Repeat(" -exec rm {} \\;", 1000),
	} {
		in := World()
		in.Command = line
		c := checker{named: predicates[:], set: set, in: &in}
		c.line()
		c.settle()
		if n := c.budget.Used(); n > 2*work.Judgement {
			t.Errorf("%s: %d units of work, want at most %d", name, n, 2*work.Judgement)
		}
		if v := set.Check(&in); v.Action < Ask {
			t.Errorf("%s: action %v %v, want to ask at least", name, v.Action, v.Doubts)
		}
	}
}

// The texts of a tool share one budget: each alone may cost what a line costs.
func TestToolTextsShareABudget(t *testing.T) {
	text := strings.Repeat("rm a b c d e f g h;", 200)
	args, err := json.Marshal(map[string]any{"language": "sh", "code": slices.Repeat([]string{text}, 500)})
	if err != nil {
		t.Fatal(err)
	}
	in := World()
	in.Tool, in.Args = "mcp__x__run", args
	c := checker{named: predicates[:], set: NewSet(builtin(t)), in: &in}
	c.tool()
	c.settle()
	if n := c.budget.Used(); n > 2*work.Judgement || !c.cutOff {
		t.Errorf("%d units of work, cut off %v, want at most %d and cut off", n, c.cutOff, 2*work.Judgement)
	}
}

// Filling a line up until it is not read to its end must not get anything past.
func TestLongLinesAreAskedAbout(t *testing.T) {
	set := &Set{ByProgram: func(string) []uint16 { return nil }, Program: func(string) int { return -1 }}
	for name, line := range map[string]string{
		"many commands": strings.Repeat("x; ", 20000) + "rm -rf /",
		"deep":          strings.Repeat("$(", 80) + "rm -rf /" + strings.Repeat(")", 80),
		"long":          strings.Repeat("a", 200<<10) + "; rm -rf /",
	} {
		if v := set.Check(&Input{Command: line, Dir: "/", Root: "/srv/app"}); v.Action != Ask || len(v.Hits) != 1 {
			t.Errorf("%s: action %v with %d hits, want to ask", name, v.Action, len(v.Hits))
		}
	}
	if v := set.Check(&Input{Command: strings.Repeat("echo a; ", 200), Dir: "/", Root: "/srv/app"}); v.Action != Allow {
		t.Errorf("an ordinary line: %v %v, want allow", v.Action, v.Doubts)
	}
}

// What stands behind a bound is asked about in whatever a line hides it, and a failure for one of two homes is one of both.
func TestBoundInside(t *testing.T) {
	set := NewSet(builtin(t))
	long := strings.Repeat("a;", 5000)
	for _, line := range []string{long, "bash -c '" + long + "'", "some-proxy bash -c '" + long + "'"} {
		if v := set.Check(&Input{Command: line, Dir: "/srv/app", Root: "/srv/app", Home: "/home/u"}); v.Action != Ask || len(v.Doubts) == 0 {
			t.Errorf("%.40s: %v, %v; want a question", line, v.Action, v.Doubts)
		}
	}
	broken := func(home string) Verdict {
		return set.Check(&Input{Command: "cd x && ls", Dir: "/srv/app", Root: "/srv/app", Home: home, Env: func(string) (string, bool) {
			if home == "/home/u" {
				panic("a fault")
			}
			return "", false
		}})
	}
	for _, homes := range [][2]string{{"/home/u", "/home/v"}, {"/home/v", "/home/u"}} {
		if v := Either(broken(homes[0]), broken(homes[1])); v.Failed == "" || v.Action != Ask {
			t.Errorf("%v: %v, failed %q", homes, v.Action, v.Failed)
		}
	}
}

// A fault of ours over a file that the line runs is asked about as one over the line is: the call does not pass for it.
func TestFaultsInFilesAreAsked(t *testing.T) {
	in := Input{Command: "sh x.sh", Dir: "/srv/app", Root: "/srv/app", Home: "/home/u", Source: func(string) (string, bool) { panic("a fault") }}
	if v := NewSet(builtin(t)).Check(&in); v.Action != Ask || !strings.Contains(v.Failed, "a fault") {
		t.Errorf("%v, failed %q", v.Action, v.Failed)
	}
}

// TestPaddedScriptOfAnotherMachine: hundreds of questions about a long line ask once, and not each, what of it runs files. What each would
// put together again shows in the memory that it takes.
func TestPaddedScriptOfAnotherMachine(t *testing.T) {
	const memory = 32 << 20 // half of it was seen
	set := NewSet(builtin(t))
	in := World()
	in.Command = filled("ssh host '", "ls; rm -rf x; uptime; ", "'; for i in 1 2; do rm -rf /*; done")(78 << 10)
	in.Source = func(string) (string, bool) { return "", false }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := set.Check(&in)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > memory {
		t.Errorf("%d KiB allocated, want at most %d", n>>10, memory>>10)
	}
	if v.Action < Ask {
		t.Errorf("action %v %v, want to ask at least", v.Action, v.IDs())
	}
}

// TestMatches: what goes back to the last star alone, and passes what cannot follow it, finds what trying everything finds.
func TestMatches(t *testing.T) {
	var slow func(pattern, text string) bool
	slow = func(pattern, text string) bool {
		switch {
		case pattern == "":
			return text == ""
		case pattern[0] == '*':
			return slow(pattern[1:], text) || text != "" && slow(pattern, text[1:])
		}
		return text != "" && (pattern[0] == '?' || pattern[0] == text[0]) && slow(pattern[1:], text[1:])
	}
	letters := rand.New(rand.NewPCG(1, 2))
	some := func(of string, most int) string {
		b := make([]byte, letters.IntN(most))
		for i := range b {
			b[i] = of[letters.IntN(len(of))]
		}
		return string(b)
	}
	for range 100_000 {
		pattern, text := some("**?aAbB", 7), some("aAbB*?", 10)
		if got, want := matches(pattern, text, false), slow(pattern, text); got != want {
			t.Fatalf("matches(%q, %q) = %v", pattern, text, got)
		}
		if got, want := matches(pattern, text, true), slow(strings.ToLower(pattern), strings.ToLower(text)); got != want {
			t.Fatalf("matches(%q, %q) = %v without regard to case", pattern, text, got)
		}
	}
}
