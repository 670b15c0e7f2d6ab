package handle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	journaltable "github.com/modu-ai/moai/generated/journal"
)

// Whoever reads the journal looks its types up in the table: one that stands in the code alone is nowhere described.
func TestWhatIsNotedIsInTheTable(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	noted := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 3 {
				return true
			}
			name, isMethod := call.Fun.(*ast.SelectorExpr)
			kind, isText := call.Args[1].(*ast.BasicLit)
			if !isMethod || name.Sel.Name != "note" || !isText {
				return true
			}
			noted++
			if text, err := strconv.Unquote(kind.Value); err != nil || journaltable.Find(text) < 0 {
				t.Errorf("%s notes %s, which is no type of rules/journal", file.Name(), kind.Value)
			}
			return true
		})
	}
	if noted < 10 {
		t.Errorf("only %d types found", noted)
	}
}
