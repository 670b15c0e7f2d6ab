//go:build ignore

// Command trace prints, for every requirement of the sources that moai grew from, the test or script that shows it, or the line of
// ARCHITECTURE.md that says why the source's own wish is better served otherwise. The table is testdata/trace.tsv: an id, and behind a tab
// what shows it, parted by blanks:
//
//	script:NAME          testdata/script/NAME.txtar
//	test:DIR.NAME        the function NAME in the tests of DIR
//	file:PATH            a program of the project that measures it
//	why: START           a line of ARCHITECTURE.md begins so; the rest of the line is its text
//	later                not before its part is built; of the fourth and fifth source alone
//	open: WHAT           not done: what is missing
//
// It fails on a row without any of these, on a gap between the ids, on a test, script or line that is not there, and on an open row.
//
//	go run .ci/trace.go [-q]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const table = "testdata/trace.tsv"

func main() {
	quiet := flag.Bool("q", false, "say only what is wrong")
	flag.Parse()
	data, err := os.ReadFile(table)
	if err != nil {
		fmt.Fprintln(os.Stderr, "trace:", err)
		os.Exit(1)
	}
	t := &trace{seen: map[string]int{}, tests: map[string][]string{}}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if line != "" && line[0] != '#' {
			t.row(i+1, line, *quiet)
		}
	}
	t.gaps()
	for _, p := range t.problems {
		fmt.Fprintln(os.Stderr, p)
	}
	fmt.Printf("%d requirements: %d shown, %d answered otherwise, %d later, %d open, %d wrong\n", len(t.seen), t.shown, t.otherwise, t.later, t.open, len(t.problems)-t.open)
	if len(t.problems) > 0 {
		os.Exit(1)
	}
}

type trace struct {
	seen                          map[string]int      // id → line
	tests                         map[string][]string // folder → names of its test functions
	architecture                  []string
	shown, otherwise, later, open int
	problems                      []string
}

// fault notes what is wrong with a row.
func (t *trace) fault(line int, id, format string, args ...any) {
	t.problems = append(t.problems, fmt.Sprintf("%s:%d: %s: %s", table, line, id, fmt.Sprintf(format, args...)))
}

// row checks one line of the table.
func (t *trace) row(n int, line string, quiet bool) {
	id, what, _ := strings.Cut(line, "\t")
	if !idForm.MatchString(id) {
		t.fault(n, id, "is no id such as S0-01 or C1")
		return
	}
	if first := t.seen[id]; first > 0 {
		t.fault(n, id, "is there already, on line %d", first)
	}
	t.seen[id] = n
	if !quiet {
		fmt.Printf("%-8s %s\n", id, what)
	}
	switch what = strings.TrimSpace(what); {
	case what == "":
		t.fault(n, id, "nothing shows it")
		return
	case what == "later":
		if t.later++; !strings.HasPrefix(id, "S3-") && !strings.HasPrefix(id, "S4-") && !strings.HasPrefix(id, "C") {
			t.fault(n, id, "cannot wait")
		}
		return
	case strings.HasPrefix(what, "open:"):
		t.open++
		t.fault(n, id, "%s", what)
		return
	}
	refs, why, told := strings.Cut(what, "why:")
	if told {
		if t.line(strings.TrimSpace(why)) {
			t.otherwise++
		} else {
			t.fault(n, id, "no line of ARCHITECTURE.md begins with %q", strings.TrimSpace(why))
		}
	}
	found := strings.Fields(refs)
	if len(found) > 0 && !told {
		t.shown++
	}
	for _, ref := range found {
		if fault := t.missing(ref); fault != "" {
			t.fault(n, id, "%s", fault)
		}
	}
}

var (
	idForm   = regexp.MustCompile(`^(S[0-4]-\d\d(\.\d+)?|C\d+)$`)
	testForm = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w*)\(`)
)

// missing says what of a reference is not there, "" when all is.
func (t *trace) missing(ref string) string {
	kind, name, _ := strings.Cut(ref, ":")
	switch kind {
	case "script":
		if _, err := os.Stat("testdata/script/" + name + ".txtar"); err != nil {
			return "there is no script " + name
		}
		return ""
	case "file":
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			return "there is no file " + name
		}
		return ""
	case "test":
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return ref + ": expected test:DIR.NAME"
		}
		dir, test := name[:i], name[i+1:]
		if _, read := t.tests[dir]; !read {
			t.tests[dir] = []string{} // asked once
			files, _ := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					return err.Error()
				}
				for _, m := range testForm.FindAllSubmatch(data, -1) {
					t.tests[dir] = append(t.tests[dir], string(m[1]))
				}
			}
		}
		if !slices.Contains(t.tests[dir], test) {
			return "there is no test " + test + " in " + dir
		}
		return ""
	}
	return ref + " is neither script:, test:, file:, why:, later nor open:"
}

// line reports whether a line of ARCHITECTURE.md begins with a text, behind the marks of a list.
func (t *trace) line(start string) bool {
	if t.architecture == nil {
		data, err := os.ReadFile("ARCHITECTURE.md")
		if err != nil {
			t.problems = append(t.problems, err.Error())
		}
		t.architecture = strings.Split(string(data), "\n")
	}
	return start != "" && slices.ContainsFunc(t.architecture, func(l string) bool {
		return strings.HasPrefix(strings.ReplaceAll(strings.TrimLeft(l, " *-|"), "**", ""), start)
	})
}

// gaps wants the ids of each source, and the parts of each row, to follow each other: nothing else would notice one that was left out.
func (t *trace) gaps() {
	most := map[string]int{}
	for id := range t.seen {
		at := strings.LastIndexAny(id, "-.")
		if at < 0 {
			at = 0 // C12
		}
		n, _ := strconv.Atoi(id[at+1:])
		most[id[:at+1]] = max(most[id[:at+1]], n)
	}
	for prefix := range strings.FieldsSeq("S0- S1- S2- S3- S4- C") {
		if most[prefix] == 0 {
			t.problems = append(t.problems, table+": no row begins with "+prefix)
		}
	}
	for prefix, last := range most {
		for n := 1; n <= last; n++ {
			id := prefix + strconv.Itoa(n)
			if strings.HasSuffix(prefix, "-") {
				id = fmt.Sprintf("%s%02d", prefix, n)
			}
			if t.seen[id] == 0 {
				t.problems = append(t.problems, table+": "+id+" is missing")
			}
		}
	}
}
