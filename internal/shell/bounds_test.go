package shell

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/work"
)

// hostile are lines that grow without bound in one way each.
func hostile() []string {
	const size = 128 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var out []string
	for _, s := range []string{
		"$(", "(", "{ ", "`", "\"$(", "<(", "=(", "((", "[[", "${a:-", "${", "a=<(", "if ", "while true; do ", "for i in a b; do ", "for i in {1..60}; do ",
		"case x in a) ", "a() { ", "time ", "coproc ", "! ", "true;", "true && ", "a|", "x ", "$x", "$a$a", "{a,b}", "<<E ", ">a ", "'", "\\", "- ", "\n", "#",
		"\x00", "\xff", "eval ", "sudo ", "env -S ", "f;", "a=$a$a;", "if a; then b=1; else b=2; fi;", "X=1 && ", "{x,{y,", "-exec ",
		"for i in $(seq 60); do for j in $(seq 60); do echo $i$j; done; done;",
	} {
		out = append(out, fill(s))
	}
	for _, s := range []string{
		"python3 -c 'os.system('", "python3 -c 'a.b('", "python3 -c 'x=['", "python3 -c 'Path(a).unlink().'", "python3 -c '(('",
		"perl -e 'system '", "ruby -e '%w['", "node -e '`${'", "sed 's/a/b/e;'", "awk 'system('", "awk '\"a\" |'", "pwsh -c '{ '", "pwsh -c '$('", "pwsh -c '| '",
		"cmd /c '( '", "cmd /c 'if '", "printf '%s'", "xargs -I{} sh -c '{}' <<< 'a\n'", "make -f - <<< '\ta\n'", "bash -c '$@ '",
	} {
		i := strings.LastIndexByte(s[:len(s)-1], '\'')
		out = append(out, s[:i+1]+fill(s[i+1:len(s)-1])+"' "+strings.Repeat("a ", 200))
	}
	return append(
		out,
		"(("+fill("-"), "[[ "+fill("! ")+"a ]]", "[[ "+fill("( "), "let "+fill("-"), "echo $(("+fill("("), "x=("+fill("a ")+"); echo "+strings.Repeat("${x[@]} ", 1000),
		"set -- "+strings.Repeat("a ", 60000)+"; "+strings.Repeat("echo \"$@\";", 100), "x="+fill("a")+"; echo ${x//a/bb} ${x%%*a} ${x//?/b}",
		fill("$가 $나 $다 "), "가=1; 나=2; 다=$가; "+fill("a가 $나$다=; "),
		"f() { f f; f; g; }; g() { f; f; }; f", "echo "+fill("a ")+"| xargs -n1 sh -c 'rm $1' _", "a=1; b=2; "+strings.Repeat("a=$b$a; b=$a$b; ", 200)+"rm $a",
	)
}

// growing are short lines that would take very long.
func growing() []string {
	calls, aliases := "", ""
	for i := range 40 {
		calls += fmt.Sprintf("f%d() { f%d; f%d; }; ", i, i+1, i+1)
		aliases += fmt.Sprintf("alias a%d='a%d; a%d'; ", i, i+1, i+1)
	}
	chain := "a0=xx; "
	for i := range 30 {
		chain += fmt.Sprintf("a%d=$a%d$a%d; ", i+1, i, i)
	}
	loops, vars := "", ""
	for i := range 8 {
		loops += fmt.Sprintf("for v%d in 1 2 3 4 5 6 7 8 9; do ", i)
		vars += fmt.Sprintf("$v%d", i)
	}
	done := strings.Repeat("; done", 8)
	return []string{
		"a=x; " + strings.Repeat("a=$a$a; ", 30) + "rm $a", chain + "rm $a30", "a=$x; " + strings.Repeat("a=$a$a; ", 30) + "rm $a", "a=x; for i in $(seq 60); do a+=$a; done; rm $a",
		loops + "echo " + vars + done, loops + "rm x" + done, "a=x; " + loops + "a=$a$a" + done,
		calls + "f40() { rm x; }; f0", aliases + "a0", "f() { f 1; f 2; g; }; g() { f; f; h; }; h() { f; g; }; f",
		strings.Repeat("for i in a b; do ", 60) + "rm x" + strings.Repeat("; done", 60), "eval \"$(echo " + strings.Repeat("a;", 2000) + ")\"; " + strings.Repeat("eval \"$(cat /dev/stdin)\";", 50),
	}
}

// TestBounds asserts that no line costs unreasonably much in any dialect, by what is
// the same on every machine: the work that the engine counts, and, since a place that
// does not count would not show there, the memory that it allocates.
func TestBounds(t *testing.T) {
	const memory = 24 << 20 // the most that a line was seen to allocate is 15 MiB
	for _, line := range append(hostile(), growing()...) {
		for d := range Dialect(3) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := parse(line, Options{Tables: tables, Dir: "/p", Home: "/h", Dialect: d})
			runtime.ReadMemStats(&after)
			if n := r.Work(); n > 2*work.Line {
				t.Errorf("Parse(%.40q…, dialect %d) took %d units of work, want at most %d", line, d, n, 2*work.Line)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > memory {
				t.Errorf("Parse(%.40q…, dialect %d) allocated %d KiB, want at most %d", line, d, n>>10, memory>>10)
			}
			if n := len(r.Commands); n > defaultCommands+maxAlts {
				t.Errorf("Parse(%.40q…, dialect %d) returned %d commands", line, d, n)
			}
		}
	}
}

// TestDoubledValues asserts that a value which was made to grow ends the line's budget
// or is given up, and that what stands before it is not lost.
func TestDoubledValues(t *testing.T) {
	for _, line := range growing() {
		r := Parse("shred y; "+line, Options{Tables: tables})
		if len(r.Commands) == 0 || r.Commands[0].Name != "shred" {
			t.Errorf("Parse(%.60q…) = %v, want shred first", line, show(r))
		}
		for i := range r.Commands {
			for _, w := range r.Commands[i].Args {
				if len(w.Text) > maxText+maxParts || len(w.Parts) > maxParts+1 {
					t.Errorf("Parse(%.60q…): a word of %d bytes in %d parts", line, len(w.Text), len(w.Parts))
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("eval ", 100) + "rm x"
	tests := []struct {
		name string
		line string
		opt  Options
		want Reason
	}{
		{"long", "rm x; " + strings.Repeat("a ", 64<<10), Options{Tables: tables}, TooLong},
		{"deep", "rm x; " + deep, Options{Tables: tables, Limits: Limits{Work: -1}}, TooDeep},
		{"brackets", "rm x; " + strings.Repeat("(", 4<<10), Options{Tables: tables, Limits: Limits{Work: -1}}, TooDeep},
		{"many", "rm x; " + strings.Repeat("a;", 5000), Options{Tables: tables, Limits: Limits{Work: -1}}, TooMany},
		{"few", "rm x; b; c", Options{Tables: tables, Limits: Limits{Commands: 2}}, TooMany},
		{"slow", "rm x; " + strings.Repeat("a $x;", 10000), Options{Tables: tables, Limits: Limits{Work: 1000}}, TooMuch},
		{"syntax", "rm x; (", Options{Tables: tables}, Syntax},
	}
	for _, tt := range tests {
		r := Parse(tt.line, tt.opt)
		found := false
		for _, d := range r.Incomplete {
			found = found || d.Reason == tt.want
		}
		if !found {
			t.Errorf("%s: Incomplete = %v, want one because %v", tt.name, r.Incomplete, tt.want)
		}
		if len(r.Commands) == 0 || r.Commands[0].Name != "rm" {
			t.Errorf("%s: what stands before the bound is lost: %v", tt.name, show(r))
		}
	}
}

// TestFailure asserts that a panic costs nothing that was seen before it.
func TestFailure(t *testing.T) {
	r := Parse("echo a | rm x; rm $X", Options{Tables: tables, Env: func(string) (string, bool) { panic("broken") }})
	if len(r.Commands) < 2 || r.Commands[1].Name != "rm" || len(r.Commands[0].PipeTo) != 1 || len(r.Incomplete) != 1 || r.Incomplete[0].Reason != Failed {
		t.Errorf("Parse with an environment that panics = %q, %v", show(r), r.Incomplete)
	}
}

// TestBashAgrees runs bash -n over the lines that are claimed to parse.
func TestBashAgrees(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to ask")
	}
	for _, line := range append(goldenLines(), sampleLines()...) {
		claimed := true
		for _, d := range Parse(line, here).Incomplete {
			claimed = claimed && d.Reason != Syntax
		}
		cmd := exec.Command(bash, "-n")
		cmd.Stdin = strings.NewReader(line + "\n")
		msg, err := cmd.CombinedOutput()
		if accepted := err == nil; claimed != accepted {
			t.Errorf("%q: parsed = %v, bash -n accepts = %v (%s)", line, claimed, accepted, msg)
		}
	}
}
