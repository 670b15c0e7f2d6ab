package risk

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/work"
)

type costlyLines []struct {
	name string
	line func(size int) string
}

// costly are lines of up to 128 KiB, each of which once cost a whole call more than 50 ms of
// processor time, as makers of lines of so many bytes: what they cost must not grow faster
// than they do.
var costly = costlyLines{
	{"cluster of git", filled("git reset -", "qf", " x")},
	{"cluster of git before all", filled("git checkout -", "qf", "")},
	{"cluster of tar", filled("tar -", "x", "")},
	{"cluster of curl", filled("curl -", "s", "")},
	{"cluster of rm", filled("rm -", "rf", " f1.txt")},
	{"options", filled("rm ", "-r ", "f1.txt")},
	{"clusters", filled("", "rm -"+strings.Repeat("r", 200)+" f1.txt; ", "")},
	{"lines of sed", filled("sed -n '", "e rm f1.txt\n", "'")},
	{"commands of sed", filled("sed '", "s/a/rm -rf ~/e;", "' f1.txt")},
	{"writes of sed", filled("sed -n '", "w untracked.txt\n", "' f1.txt")},
	{"text of a shell", filled(`echo "`, "rm -rf x;", `" | sh`)},
	{"array of itself", filled("a=("+strings.Repeat("x ", 3000)+");", `a+=("${a[@]}");`, ` rm "${a[@]}"`)},
	{"array replaced", filled("a=("+strings.Repeat("x ", 3000)+");", `b=("${a[@]/x/y}");`, "rm f1.txt")},
	{"array cut", filled("a=("+strings.Repeat("x ", 3000)+");", `b=("${a[@]#x}");`, "rm f1.txt")},
	{"array in capitals", filled("a=("+strings.Repeat("x ", 3000)+");", `b=("${a[@]^^}");`, "rm f1.txt")},
	{"slice of an array", filled("a=("+strings.Repeat("x ", 3000)+");", `b=("${a[@]:1}");`, "rm f1.txt")},
	{"array split", filled("a=("+strings.Repeat("x ", 3000)+");", `b=(${a[@]});`, "rm f1.txt")},
	{"parameters replaced", filled("set -- "+strings.Repeat("x ", 3000)+";", `b=("${@/x/y}");`, "rm f1.txt")},
	{"loops over an array", filled("a=("+strings.Repeat("x ", 3000)+");", `for i in "${a[@]/x/y}"; do :; done;`, "rm f1.txt")},
	{"globs", filled("rm ", "?* ", "")},
	{"a long glob", filled("rm ", "?*", "")},
	{"a long glob with letters", filled("rm ", "*a", "")},
	{"a glob of stars", filled("rm ", "*", "")},
	{"choices", func(n int) string {
		return "rm f1.txt; ((x=" + strings.Repeat("1?", n/4) + "1" + strings.Repeat(":1", n/4) + "))"
	}},
	{"sum in brackets", filled("rm f1.txt; echo $[", "1+", "1]")},
	{"sum", filled("rm f1.txt; echo $((", "1+", "1))")},
	{"calls of Python", filled("python3 -c 'import shutil;", `shutil.rmtree("a");`, "'")},
	{"aliases", func(n int) string {
		var b strings.Builder
		b.WriteString("alias a0='rm f1.txt'\n")
		i := 1
		for ; b.Len() < n; i++ {
			fmt.Fprintf(&b, "alias a%d='a%d;a%d'\n", i, i-1, i-1)
		}
		return fmt.Sprintf("%sa%d", b.String(), i-1)
	}},
}

// more are relatives of those, found while they were looked into.
var more = costlyLines{
	{"options of tar", filled("tar ", "-x ", "f1.txt")},
	{"long options of tar", filled("tar ", "--checkpoint-act=a ", "f1.txt")},
	{"many letters", filled("", "rm -abcdefghijklmnopqrstuvwxyz f1.txt; ", "")},
	{"many letters of git", filled("git checkout ", "-abcdeghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ", ".")},
	{"replaced by a star", filled("rm f1.txt; x="+strings.Repeat("a", 1000)+"; echo ", "${x//*b/y} ", "")},
	{"replaced by sets", filled("rm f1.txt; x="+strings.Repeat("a", 1000)+"; echo ", "${x//[b-z][c-d]/y} ", "")},
	{"replaced by a long set", filled("rm f1.txt; x="+strings.Repeat("a", 1000)+"; echo ${x//*[", "b", "]/y}")},
	{"cut by stars", filled("rm f1.txt; x="+strings.Repeat("a", 1000)+"; echo ", "${x%%*b*c} ", "")},
	{"sum of let", filled("rm f1.txt; let x=", "1+", "1")},
	{"sum in an index", filled("rm f1.txt; a[\n", "1+", "1]=2")},
	{"sum in a slice", filled("rm f1.txt; echo ${"+strings.Repeat("a", 90)+":", "1+", "1}")},
	{"sum in quotes", filled("rm f1.txt; echo \"$((", "1+", "1))\"")},
	{"sum in a here-document", filled("rm f1.txt; cat <<E\n$((", "1+", "1))\nE\n")},
	{"sum in a loop", filled("rm f1.txt; for ((i=0;", "1+", "1;i++)); do rm a; done")},
	{"signs", filled("rm f1.txt; ((x=", "- ", "1))")},
	{"powers", filled("rm f1.txt; ((x", "**x", "))")},
	{"assignments in a sum", filled("rm f1.txt; ((x", "=x", "))")},
	{"long globs", filled("rm ", strings.Repeat("?", 400)+"*a ", "")},
	{"statements", filled("psql -c '", "drop table a;", "'")},
	{"commands of vim", filled("vim -c '", "!rm a|", "'")},
	{"array used often", filled("a=("+strings.Repeat("x ", 3000)+");rm ", `"${a[@]}" `, "")},
	{"exports", numbered("export a%d=b;rm a;")},
	{"functions", numbered("f%d() { rm a; };")},
	{"names in a long folder", func(n int) string {
		return "cd " + strings.Repeat("a/b/../c/x/.d/", 150) + "; " + filled("rm -rf ", "f1.txt src ../x ", "")(n)
	}},
	{"folders in each other", filled("rm f1.txt; ", "cd a; cd .b; cat c; ", "")},
	{"searched and said", filled("which moai; sed -n '", "e rm f1.txt\n", "'")},
}

// numbered makes lines of parts with a number in them.
func numbered(part string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, part, i)
		}
		return b.String()
	}
}

// TestCostlyLines asserts that what each of these lines takes is bounded: by the work that
// is counted, and, since what nobody counts would not show there, by what is allocated.
func TestCostlyLines(t *testing.T) {
	const memory = 12 << 20 // half of it was seen
	set := NewSet(builtin(t))
	for _, l := range append(costly[:len(costly):len(costly)], more...) {
		in := World()
		in.Command = l.line(120 << 10)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := checker{named: predicates[:], set: set, in: &in}
		c.line()
		c.settle()
		runtime.ReadMemStats(&after)
		if n := c.res.Work() + c.budget.Used(); n > 3*work.Judgement {
			t.Errorf("%s: %d units of work, want at most %d", l.name, n, 3*work.Judgement)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > memory {
			t.Errorf("%s: %d KiB allocated, want at most %d", l.name, n>>10, memory>>10)
		}
		if v := set.Check(&in); c.cutOff && v.Action < Ask {
			t.Errorf("%s: action %v %v, want to ask at least: it was not read to its end", l.name, v.Action, v.IDs())
		}
	}
}

// TestCostGrowsWithTheLine asserts that twice the line takes no more than twice the time
// and some. Only time tells where something is done that nobody counts: that of the
// processor, which others on the machine do not take. The best of many is tried until it is seen.
func TestCostGrowsWithTheLine(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // else a call pays for what others left
	const tries, growth, slack = 25, 2.6, 2 * time.Millisecond
	set := NewSet(builtin(t))
	for _, l := range append(costly[:len(costly):len(costly)], more...) {
		var one, two [tries]time.Duration
		lines := [...]string{l.line(60 << 10), l.line(120 << 10)}
		for i := range tries {
			for j, d := range [...]*time.Duration{&one[i], &two[i]} {
				in := World()
				in.Command = lines[j]
				runtime.GC()
				start := processorTime()
				set.Check(&in)
				*d = processorTime() - start
			}
			a, b := slices.Min(one[:i+1]), slices.Min(two[:i+1])
			if float64(b) <= growth*float64(a)+float64(slack) {
				break
			}
			if i == tries-1 {
				t.Errorf("%s: %v for half of the line, %v for all of it", l.name, a, b)
			}
		}
	}
}

// filled makes lines that repeat one part.
func filled(head, part, tail string) func(int) string {
	return func(size int) string {
		return head + strings.Repeat(part, max(1, (size-len(head)-len(tail))/len(part))) + tail
	}
}

func BenchmarkCostly(b *testing.B) {
	set := NewSet(builtin(b))
	for _, c := range append(costly[:len(costly):len(costly)], more...) {
		b.Run(c.name, func(b *testing.B) {
			in := World()
			in.Command = c.line(120 << 10)
			b.ReportAllocs()
			for b.Loop() {
				set.Check(&in)
			}
		})
	}
}
