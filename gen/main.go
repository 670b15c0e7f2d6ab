// Command gen turns the rule files under rules/ into Go tables and tests under
// generated/.
//
// It is not part of moai: nobody imports it, and it never imports generated/,
// so that it still builds when the output is missing. Its invariant: the same
// rules give the same bytes on every machine, and a rule that fails its own
// examples gives no bytes at all.
//
//	go run ./gen            write what changed
//	go run ./gen -check     write nothing, exit 1 when something is stale
//	go run ./gen -only risks
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// input is what a family generates from.
type input struct {
	// root holds rules/; names are slash-separated ("rules/risks/git.toml").
	root fs.FS
}

// output is one generated file.
type output struct {
	path string // relative to the root, under generated/
	data []byte
}

// family is one folder of rules and what it becomes. It owns generated/<name>/:
// a file there that it did not produce is stale.
type family struct {
	name string
	run  func(in *input) ([]output, error)
}

// errStale makes -check exit 1 after it has named the files.
var errStale = errors.New("generated files are stale; run go generate ./... at the root")

func main() {
	root := flag.String("root", ".", "folder that holds rules/ and generated/")
	check := flag.Bool("check", false, "write nothing; exit 1 when generated files differ")
	only := flag.String("only", "", "generate this family alone")
	flag.Parse()

	stale, err := run(*root, *only, !*check)
	for _, f := range stale {
		if *check {
			fmt.Fprintln(os.Stderr, "stale:", f)
		} else {
			fmt.Println(f)
		}
	}
	if err == nil && *check && len(stale) > 0 {
		err = errStale
	}
	if err != nil {
		said := map[string]bool{} // two families may read the same file
		for line := range strings.Lines(err.Error()) {
			if line = strings.TrimSuffix(line, "\n"); !said[line] {
				fmt.Fprintln(os.Stderr, "gen:", line)
			}
			said[line] = true
		}
		os.Exit(1)
	}
}

// run renders every family (or the one named only) in memory, then compares and,
// if write is set, brings generated/ up to date. It returns the files that
// differed. Nothing is written when any family has a problem.
func run(root, only string, write bool) (stale []string, err error) {
	in := &input{root: os.DirFS(root)}
	var outputs []output
	var owned []string
	var problems []error
	for _, f := range families {
		if only != "" && f.name != only {
			continue
		}
		owned = append(owned, "generated/"+f.name)
		out, err := f.run(in)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		outputs = append(outputs, out...)
	}
	// A misspelt name would otherwise find nothing stale.
	if len(owned) == 0 {
		return nil, fmt.Errorf("no family is named %q", only)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return sync(root, owned, outputs, write)
}
