package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// foreignFields are fields of values that strangers fill: what is in a repository, a payload or a rule of a project.
var foreignFields = []string{"Path", "Folder", "Dir", "File", "Title", "Why", "Instead", "Reason", "Message", "Command", "Branch", "Text", "Detail", "Problem", "Summary", "Session", "Worktree", "Author", "Status", "Module", "Ref", "Pattern"}

// safely are functions whose result a terminal can be given, whatever they are given.
var safely = []string{"Name", "Text", "Lines", "Path", "shown", "oneLine", "allowedText", "len", "Count", "Size", "Quote", "names"}

// rawPrints finds prints to the result or to the talk of a verb that are given foreign text as it came: a field, a word of the
// command line, an error, or a string that the function put together from one of these.
func rawPrints(fset *token.FileSet, file *ast.File) (found []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		var raw func(x ast.Expr, built map[string]bool) bool
		raw = func(x ast.Expr, built map[string]bool) bool {
			switch x := x.(type) {
			case *ast.SelectorExpr:
				of, ok := x.X.(*ast.Ident)
				return slices.Contains(foreignFields, x.Sel.Name) && !(ok && of.Name == "spec" && x.Sel.Name == "Dir") // a constant of a package
			case *ast.Ident:
				return x.Name == "err" || built[x.Name]
			case *ast.IndexExpr:
				id, ok := x.X.(*ast.Ident)
				return ok && id.Name == "args"
			case *ast.BinaryExpr:
				return x.Op == token.ADD && (raw(x.X, built) || raw(x.Y, built))
			case *ast.ParenExpr:
				return raw(x.X, built)
			case *ast.CallExpr:
				name := ""
				switch fun := x.Fun.(type) {
				case *ast.Ident:
					name = fun.Name
				case *ast.SelectorExpr:
					name = fun.Sel.Name
					if name == "Error" && len(x.Args) == 0 {
						return true
					}
				}
				if slices.Contains(safely, name) {
					return false
				}
				// Sprintf, Join, Bold, TrimSpace: what comes out is what went in.
				if !slices.Contains([]string{"Sprint", "Sprintf", "Sprintln", "Join", "TrimSpace", "TrimRight", "Bold", "Dim", "Red", "Green", "Yellow", "Cyan", "Pad", "ReplaceAll"}, name) {
					return false
				}
				return slices.ContainsFunc(x.Args, func(a ast.Expr) bool { return raw(a, built) })
			}
			return false
		}
		built := map[string]bool{}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
						if is := raw(n.Rhs[i], built); n.Tok == token.ADD_ASSIGN {
							built[id.Name] = built[id.Name] || is
						} else {
							built[id.Name] = is
						}
					}
				}
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !strings.HasPrefix(sel.Sel.Name, "Fprint") || len(n.Args) < 2 {
					break
				}
				to, ok := n.Args[0].(*ast.SelectorExpr)
				if !ok || to.Sel.Name != "out" && to.Sel.Name != "err" {
					break
				}
				format, _ := n.Args[1].(*ast.BasicLit)
				for i, a := range n.Args[1:] {
					if format != nil && i > 0 && strings.Contains(format.Value, "%q") {
						continue
					}
					if raw(a, built) {
						found = append(found, fset.Position(a.Pos()).String())
					}
				}
			}
			return true
		})
	}
	return found
}

// TestForeignTextIsPrintedByTerm: the nets below print let line ends through, which begin a line that looks like moai's own.
func TestForeignTextIsPrintedByTerm(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		kit.Must(t, err)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, 0)
		kit.Must(t, err)
		for _, at := range rawPrints(fset, file) {
			t.Errorf("%s: foreign text is printed as it came; term.Name, term.Text or shown make it harmless", at)
		}
	}
	// The test finds what it is for.
	for _, body := range []string{
		`fmt.Fprintf(e.out, "%s\n", c.Path)`,
		`fmt.Fprintln(e.err, "moai:", err)`,
		`fmt.Fprintf(e.err, "%s\n", fmt.Errorf("open %s: %w", p, err).Error())`,
		`text := "at " + s.Folder; fmt.Fprintln(e.out, text)`,
		`text := "at "; text += args[0]; fmt.Fprint(e.out, e.style().Bold(text))`,
		`said := fmt.Sprintf("%s: %s", id, h.Detail); fmt.Fprintf(e.out, "%s\n", strings.TrimSpace(said))`,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "x.go", "package x\nfunc f() {\n"+body+"\n}\n", 0)
		kit.Must(t, err)
		if len(rawPrints(fset, file)) != 1 {
			t.Errorf("not found: %s", body)
		}
	}
}
