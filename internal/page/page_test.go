package page

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// keys are names of keys, headers and methods: not words.
var keys = []string{"Escape", "Enter", "Esc", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End", "Content-Type", "Accept", "POST", "SPEC", "TEST", "CODE", "DOC", "EN", "First port"}

// told are words of moai's answers that the page shows as they come.
var told = []string{"standard", "strict", "dropped", "pending", "changed", "deleted", "untracked"}

// Every word of the page has its Korean, each once, and none is kept that nothing shows.
func TestWords(t *testing.T) {
	text, err := files.ReadFile("files/words.js")
	kit.Must(t, err)
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`'((?:[^'\\]|\\.)*)': '`).FindAllStringSubmatch(string(text), -1) {
		if known[m[1]] {
			t.Errorf("%q stands twice", m[1])
		}
		known[m[1]] = true
	}
	quoted := regexp.MustCompile(`'((?:[^'\\\n]|\\.)*)'`)
	called := regexp.MustCompile(`\bt[n]?\(([^()]*)[,)]`)
	code := ""
	err = fs.WalkDir(files, "files", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".js") || name == "files/words.js" || name == "files/said.js" {
			return err
		}
		data, err := files.ReadFile(name)
		code += string(data)
		for _, m := range called.FindAllStringSubmatch(string(data), -1) {
			for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
				if word := q[1]; word != "" && !known[word] && regexp.MustCompile(`[A-Za-z]{2}`).MatchString(word) && !slices.Contains([]string{"deny", "ask", "verification"}, word) {
					t.Errorf("%s: %q has no Korean", name, word)
				}
			}
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(strings.TrimSpace(line), "import ") {
				continue
			}
			for _, q := range quoted.FindAllStringSubmatch(line, -1) {
				if word := q[1]; regexp.MustCompile(`^[A-Z][a-z]`).MatchString(word) && !known[word] && !slices.Contains(keys, word) {
					t.Errorf("%s: %q has no Korean", name, word)
				}
			}
		}
		return err
	})
	kit.Must(t, err)
	for word := range known {
		if !slices.Contains(told, word) && !strings.Contains(code, "'"+word+"'") && !strings.Contains(code, "'#"+word+"'") {
			t.Errorf("%q is shown nowhere", word)
		}
	}
}

// What is said in Korean is what moai says: each sentence stands in the sources, but for what is put in.
func TestSaid(t *testing.T) {
	text, err := files.ReadFile("files/said.js")
	kit.Must(t, err)
	var code strings.Builder
	for _, dir := range []string{"../doctor", "../lang", "../verify", "../handle", "../rule", "../cli", "../tag"} {
		list, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(list) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range list {
			data, err := os.ReadFile(name)
			kit.Must(t, err)
			code.Write(data)
		}
	}
	for _, name := range []string{"../../rules/specs/status.toml"} {
		data, err := os.ReadFile(name)
		kit.Must(t, err)
		code.Write(data)
	}
	said := strings.ReplaceAll(code.String(), "_", " ")
	n := 0
	for _, m := range regexp.MustCompile(`'((?:[^'\\]|\\.)*)': '`).FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(m[1], "{n} ") {
			continue // a number and a word of term.Count
		}
		n++
		for _, part := range regexp.MustCompile(`\{\w\}`).Split(strings.ReplaceAll(m[1], `\'`, "'"), -1) {
			if part = strings.TrimSpace(strings.TrimPrefix(part, ",")); len(part) > 3 && !strings.Contains(said, part) {
				t.Errorf("%q: nobody says %q", m[1], part)
			}
		}
	}
	if n < 60 {
		t.Errorf("%d sentences", n)
	}
}
