package tag

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

// TestGrammarOracle compares the scanner with the grammar written as a regular expression, on random text made
// of fragments that nearly form TAGs.
func TestGrammarOracle(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	// Greedy: the longest run that could be an id is taken, and then has to be one.
	re := regexp.MustCompile(`(^|[^A-Za-z0-9_.])@(SPEC|TEST|CODE|DOC):([A-Z0-9-]*[A-Z0-9])(-*)([a-z_]?)`)
	id := regexp.MustCompile(`^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[0-9]{3}$`)
	parts := []string{"@", "SPEC", "CODE", ":", "AUTH", "-", "001", "0010", "A1", " ", "x", "_", ".", "API", "é", "가", "\t", "TEST:", "@DOC:PAY-002", "@CODE:"}
	rnd := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 50000 {
		var b strings.Builder
		for range 3 + rnd.IntN(12) {
			b.WriteString(parts[rnd.IntN(len(parts))])
		}
		text := b.String()
		var want []string
		for at := 0; ; {
			m := re.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			if s := text[at+m[6] : at+m[7]]; id.MatchString(s) && m[10] == m[11] {
				want = append(want, text[at+m[4]:at+m[5]]+" "+s)
			}
			at += m[6] // the next TAG may begin inside a broken one
		}
		var got []string
		for _, tag := range g.File("x.md", []byte(text), syntaxOf) {
			if !tag.Malformed {
				got = append(got, tag.Kind+" "+tag.ID)
			}
		}
		matched += len(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q (-regexp +scanner):\n%s", text, d)
		}
	}
	if matched < 1000 {
		t.Errorf("the random texts held %d TAGs, want the test to have some", matched)
	}
}

// TestRipgrepOracle counts the lines that ripgrep finds in a tree with ignore files, and ours.
func TestRipgrepOracle(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("needs ripgrep as the oracle")
	}
	root := t.TempDir()
	rnd := rand.New(rand.NewPCG(3, 4))
	files := map[string]string{".gitignore": "ignored/\n*.skip\n!keep.skip\n", "d3/.gitignore": "/f1.go\n", ".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 200 {
		var b strings.Builder
		for l := range rnd.IntN(30) {
			if rnd.IntN(4) == 0 {
				fmt.Fprintf(&b, "// @CODE:DOM%d-%03d\n", i%7, l)
			} else {
				b.WriteString("mail@example.com @CODE: x\n")
			}
		}
		name := fmt.Sprintf("d%d/f%d.go", i%10, i)
		switch i % 20 {
		case 7:
			name = fmt.Sprintf("d%d/ignored/f%d.go", i%10, i)
		case 13:
			name = fmt.Sprintf("d%d/f%d.skip", i%10, i)
		}
		files[name] = b.String()
	}
	files["d1/keep.skip"] = "// @CODE:KEPT-001\n"
	kit.Tree(t, root, files)
	cmd := exec.Command(rg, "--no-config", "--hidden", "--no-ignore-global", "-n", "--glob", "!.git", `@(SPEC|TEST|CODE|DOC):[A-Z0-9]+-[0-9]{3}\b`)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("ripgrep: %v", err)
	}
	var want []string
	for line := range strings.Lines(string(out)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		want = append(want, f[0]+":"+f[1])
	}
	var got []string
	for tag := range collect(t, root, "").All() {
		if !tag.Malformed {
			got = append(got, fmt.Sprintf("%s:%d", tag.Path, tag.Line))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Collect (-ripgrep +ours):\n%s", d)
	}
	if len(want) < 100 {
		t.Errorf("ripgrep found %d lines, want the test to have some", len(want))
	}
}
