package risk

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/term"
)

// benchLines are what an agent runs most, and three that stop it.
var benchLines = []struct{ name, line string }{
	{"ls", "ls -la"},
	{"pipeline", "git status --short && ls -la src | head -20"},
	{"test", "cd packages/api && npm test -- --coverage 2>&1 | tail -50"},
	{"commit", "git add -A && git commit -m 'explain git reset --hard and rm -rf /'"},
	{"find", "find . -type f -name '*.go' -not -path './vendor/*' | xargs grep -l TODO"},
	{"heredoc", "cat > notes.md <<'EOF'\nrm -rf / is dangerous\nEOF"},
	{"deny", "sudo bash -c 'rm -rf ~ && git push -f origin main'"},
	{"checkpoint", "rm -rf src && git reset --hard HEAD~1"},
}

func BenchmarkCheck(b *testing.B) {
	set := NewSet(builtin(b))
	for _, l := range benchLines {
		b.Run(l.name, func(b *testing.B) {
			b.ReportAllocs()
			in := World()
			in.Command = l.line
			for b.Loop() {
				call := in
				set.Check(&call)
			}
		})
	}
}

func BenchmarkSecrets(b *testing.B) {
	set := NewSet(builtin(b))
	text := ""
	for len(text) < 16<<10 {
		text += "func handler(w http.ResponseWriter, r *http.Request) { task := disk.Ask(\"token\") }\n"
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		set.Secrets(text)
	}
}

// BenchmarkCorpus reports the median and the 99th percentile of one judgement over
// the labelled lines that MOAI_CORPUS names: cold as a hook meets a line, the first
// time that it is seen, and as the best of five, which leaves out what a busy machine
// adds. MOAI_CORPUS_SLOW=1 also prints the lines beyond 200 µs.
func BenchmarkCorpus(b *testing.B) {
	path := os.Getenv("MOAI_CORPUS")
	if path == "" {
		b.Skip("MOAI_CORPUS is not set")
	}
	lines := readLabelled(b, path)
	set := NewSet(builtin(b))
	cold, best := make([]time.Duration, len(lines)), make([]time.Duration, len(lines))
	b.ReportAllocs()
	for b.Loop() {
		for i := range lines {
			for round := range 5 {
				in := lines[i].input()
				start := time.Now()
				set.Check(&in)
				took := time.Since(start)
				if round == 0 {
					cold[i], best[i] = took, took
				}
				best[i] = min(best[i], took)
			}
		}
	}
	if os.Getenv("MOAI_CORPUS_SLOW") != "" {
		for i := range lines {
			if best[i] > 200*time.Microsecond {
				b.Logf("%v (cold %v) %q", best[i], cold[i], term.OneLine(lines[i].Command, 200))
			}
		}
	}
	for _, m := range []struct {
		name string
		took []time.Duration
	}{{"cold", cold}, {"best", best}} {
		slices.Sort(m.took)
		n := len(m.took)
		b.ReportMetric(float64(m.took[n/2].Nanoseconds()), m.name+"-ns-median")
		b.ReportMetric(float64(m.took[n*99/100].Nanoseconds()), m.name+"-ns-p99")
		b.ReportMetric(float64(m.took[n-1].Nanoseconds()), m.name+"-ns-max")
	}
}
