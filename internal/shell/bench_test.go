package shell

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// sampleLines are the lines of testdata/lines.jsonl.
func sampleLines() []string { return linesOf("testdata/lines.jsonl") }

func linesOf(name string) []string {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var row struct{ Command string }
		if json.Unmarshal(sc.Bytes(), &row) == nil {
			out = append(out, row.Command)
		}
	}
	return out
}

// BenchmarkParse reports the mean over the sample, and the median and the 99th
// percentile of single lines. MOAI_CORPUS names another file of lines.
func BenchmarkParse(b *testing.B) {
	lines := sampleLines()
	if name := os.Getenv("MOAI_CORPUS"); name != "" {
		lines = linesOf(name)
	}
	if len(lines) == 0 {
		b.Skip("no lines")
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		Parse(lines[i%len(lines)], here)
		i++
	}
	b.StopTimer()
	took := make([]time.Duration, 0, len(lines))
	for _, l := range lines {
		start := time.Now()
		Parse(l, here)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "ns/median")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "ns/p99")
	b.ReportMetric(float64(took[len(took)-1].Nanoseconds()), "ns/max")
}

// BenchmarkHostile reports how long the lines take that were made to take long: the
// best of seven for each of them in each dialect, which leaves out what a busy machine
// adds. Its bound is 2 ms. MOAI_HOSTILE_SLOW=1 prints the lines beyond 1 ms.
func BenchmarkHostile(b *testing.B) {
	lines := append(hostile(), growing()...)
	type timed struct {
		took    time.Duration
		work    int
		dialect Dialect
		line    string
	}
	var all []timed
	for b.Loop() {
		all = all[:0]
		for _, line := range lines {
			for d := range Dialect(3) {
				t := timed{took: time.Hour, dialect: d, line: line}
				for range 7 {
					runtime.GC() // a hook's process has no garbage of others
					start := time.Now()
					r := parse(line, Options{Tables: tables, Dir: "/p", Home: "/h", Dialect: d})
					t.took = min(t.took, time.Since(start))
					t.work = r.Work()
				}
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, func(a, b timed) int { return int(a.took - b.took) })
	if os.Getenv("MOAI_HOSTILE_SLOW") != "" {
		for _, t := range slices.Backward(all) {
			if t.took > time.Millisecond {
				fmt.Fprintf(os.Stderr, "%v for %d units, dialect %d: %.60q…\n", t.took, t.work, t.dialect, t.line)
			}
		}
	}
	for _, m := range []struct {
		name string
		at   int
	}{{"median", len(all) / 2}, {"p99", len(all) * 99 / 100}, {"max", len(all) - 1}} {
		b.ReportMetric(float64(all[m.at].took.Nanoseconds())/1e6, "ms/"+m.name)
	}
}
