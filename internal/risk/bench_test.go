package risk

import (
	"testing"
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
