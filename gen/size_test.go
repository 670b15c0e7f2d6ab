package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A function of up to 60 lines fits a screen; a file should have 400 lines at most, and may have 600. A case of a switch and a function in a function are read
// by themselves, so each is measured by itself, and what is around them without them.
const (
	longFunc = 60
	longFile = 600
)

// longer are the functions and files that are longer, and why they were left together when somebody looked a second time.
var longer = []struct {
	why   string
	names []string // package folder and function, or file
}{
	{"a parser's loop: all its branches work on one state", []string{
		"internal/jit/sentence.go sentence", "internal/repo/pack_delta.go applyDelta", "internal/repo/indexsplit.go mergeShared", "internal/secret/tuple.go tuple",
		"internal/secret/program.go program", "internal/shell/program_names.go value", "internal/shell/powershell.go command",
	}},
	{"steps in an order that matters, and that the comments between them argue for", []string{
		"internal/checkpoint/restore.go Restore", "internal/checkpoint/tree.go dir", "internal/cli/init.go install", "internal/e2e/chaos/full.go fullDisk",
		"internal/risk/path.go placeOf", "internal/risk/verdict.go verdict", "internal/shell/call.go call", "internal/shell/declare.go declClause",
		"internal/shell/run.go run", "internal/shell/run.go unwrapped",
	}},
	{"a line or two for each field of one record", []string{"internal/checkpoint/message.go encode"}},
	{"one walk over data with several sums: parts would hand all of them on", []string{
		"internal/checkpoint/list.go find", "internal/checkpoint/usage.go Used",
		"internal/settings/standing.go Stands",
	}},
	{"a measurement, written down from top to bottom", []string{".ci/ratio.go main", ".ci/snapshots.go main"}},
}

func TestNothingIsTooLong(t *testing.T) {
	var found []string
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if entry.IsDir() && (name == "generated" || name == "bin" || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && name != ".." && name != ".ci") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		lines := func(n ast.Node) int { return files.Position(n.End()).Line - files.Position(n.Pos()).Line + 1 }
		if files.File(tree.FileStart).LineCount() > longFile {
			found = append(found, name)
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && longest(f, lines) > longFunc {
				found = append(found, name+" "+f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var excused []string
	for _, group := range longer {
		excused = append(excused, group.names...)
	}
	for _, name := range found {
		if !slices.Contains(excused, name) {
			t.Errorf("%s is too long: part it where a part has a name of its own, or say in gen/size_test.go why it stays", name)
		}
	}
	for _, name := range excused {
		if !slices.Contains(found, name) {
			t.Errorf("%s is not too long, or not there any more: take it out of gen/size_test.go", name)
		}
	}
}

// longest is the number of lines of a function's own code, or of the longest case or function in it.
func longest(f ast.Node, lines func(ast.Node) int) int {
	own, most := lines(f), 0
	apart := func(n ast.Node) {
		own -= lines(n)
		most = max(most, longest(n, lines))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == f {
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CaseClause:
			apart(n)
			return false
		}
		return true
	})
	return max(own, most)
}
