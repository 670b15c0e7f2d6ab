package shell

import (
	"bufio"
	"encoding/json"
	"os"
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
