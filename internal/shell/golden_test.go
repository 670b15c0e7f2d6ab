package shell

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

var update = flag.Bool("update", false, "write testdata/*.txt from what Parse returns")

// TestLines reads testdata/*.txt: a line of shell behind "$ ", or quoted as in
// Go behind "$q ", followed by the commands that it runs, one a line, as show
// writes them. Lines behind "# " say what the next ones are about.
func TestLines(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no testdata/*.txt")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text := kit.Read(t, name)
			opt := here
			if strings.Contains(name, "powershell") {
				opt.Dialect = PowerShell
			} else if strings.Contains(name, "batch") {
				opt.Dialect = Cmd
			}
			var b strings.Builder
			for row := range strings.Lines(text) {
				if strings.HasPrefix(row, "    ") {
					continue
				}
				b.WriteString(row)
				line, ok := inputLine(strings.TrimSuffix(row, "\n"))
				if !ok {
					continue
				}
				for _, c := range show(parse(line, opt)) {
					b.WriteString("    " + c + "\n")
				}
			}
			if *update {
				kit.Write(t, name, b.String())
				return
			}
			if d := cmp.Diff(text, b.String()); d != "" {
				t.Errorf("%s: -want +got (rerun with -update after a look)\n%s", name, d)
			}
		})
	}
}

func inputLine(row string) (string, bool) {
	if s, ok := strings.CutPrefix(row, "$q "); ok {
		s, err := strconv.Unquote(s)
		return s, err == nil
	}
	return strings.CutPrefix(row, "$ ")
}

// goldenLines returns the lines of shell in testdata/*.txt, but for those in
// another dialect.
func goldenLines() []string {
	files, _ := filepath.Glob("testdata/*.txt")
	var out []string
	for _, name := range files {
		if strings.Contains(name, "powershell") || strings.Contains(name, "batch") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for row := range strings.Lines(string(text)) {
			if line, ok := inputLine(strings.TrimSuffix(row, "\n")); ok {
				out = append(out, line)
			}
		}
	}
	return out
}
