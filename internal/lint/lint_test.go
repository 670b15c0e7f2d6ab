package lint_test

import (
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lint"
)

func TestRead(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"src/a.ts", "src/한글 b.ts", "a.py", "main.go", "web/c.js", "src/main.rs", "a.rb", "lib/a.dart", "a.sh", "C.java"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		kit.Write(t, path, "x\n")
	}
	for _, row := range []struct {
		tool, dir, out string
		want           []lint.Finding
	}{
		{"tsc", "", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n", []lint.Finding{{"src/a.ts", 3, "error TS2322: Type 'string' is not assignable to type 'number'."}}},
		{"tsc --pretty", "", "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m TS1: x\n\n3 const a\n  ~~~\n", []lint.Finding{{"src/a.ts", 3, "error TS1: x"}}},
		{
			"eslint", "", root + "/src/a.ts\n  3:5   error  'x' is not defined  no-undef\n  14:1  warning  Missing semicolon  semi\n\n✖ 2 problems (1 error, 1 warning)\n",
			[]lint.Finding{{"src/a.ts", 3, "error 'x' is not defined no-undef"}, {"src/a.ts", 14, "warning Missing semicolon semi"}},
		},
		{"go vet", "", "# example.com/a\n./main.go:7:2: fmt.Printf format %d has arg x of wrong type string\nvet: exit 1\n", []lint.Finding{{"main.go", 7, "fmt.Printf format %d has arg x of wrong type string"}}},
		{"golangci-lint", "", "main.go:7:2: Error return value is not checked (errcode)\n\tfoo()\n\t^\n", []lint.Finding{{"main.go", 7, "Error return value is not checked (errcode)"}}},
		{"ruff", "", "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n1 | import os\n", []lint.Finding{{"a.py", 1, "F401 [*] `os` imported but unused"}}},
		{"ruff concise", "", "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n", []lint.Finding{{"a.py", 1, "F401 [*] `os` imported but unused"}}},
		{"mypy", "", "a.py:3: error: Incompatible return value type  [return-value]\na.py:4: note: see that\nFound 1 error in 1 file\n", []lint.Finding{{"a.py", 3, "error: Incompatible return value type [return-value]"}}},
		{"pyright", "", root + "/a.py\n  " + root + "/a.py:3:5 - error: \"x\" is not defined\n", []lint.Finding{{"a.py", 3, `error: "x" is not defined`}}},
		{"clippy", "", "warning: unused variable: `x`\n  --> src/main.rs:3:9\n   |\n3  |     let x = 1;\n", []lint.Finding{{"src/main.rs", 3, "warning: unused variable: `x`"}}},
		{"cargo short", "", "src/main.rs:3:9: warning: unused variable: `x`\n", []lint.Finding{{"src/main.rs", 3, "warning: unused variable: `x`"}}},
		{"rubocop", "", "a.rb:1:1: C: [Correctable] Style/FrozenStringLiteralComment: Missing\n", []lint.Finding{{"a.rb", 1, "C: [Correctable] Style/FrozenStringLiteralComment: Missing"}}},
		{"dart", "", "  error - lib/a.dart:3:5 - Undefined name 'x'. - undefined_identifier\n", []lint.Finding{{"lib/a.dart", 3, "Undefined name 'x'. - undefined_identifier"}}},
		{"biome", "", "src/a.ts:3:5 lint/suspicious/noExplicitAny ━━━━━\n", []lint.Finding{{"src/a.ts", 3, "lint/suspicious/noExplicitAny ━━━━━"}}},
		{"checkstyle", "", "[WARN] " + root + "/C.java:12:5: Missing a Javadoc comment. [MissingJavadoc]\n", []lint.Finding{{"C.java", 12, "Missing a Javadoc comment. [MissingJavadoc]"}}},
		{"javac", "", "[ERROR] " + root + "/C.java:[12,5] cannot find symbol\n", []lint.Finding{{"C.java", 12, "cannot find symbol"}}},
		{"blanks and Korean", "", "src/한글 b.ts:2:1: bad\n", []lint.Finding{{"src/한글 b.ts", 2, "bad"}}},
		{"a project below", "web", "c.js:2:1: bad\n", []lint.Finding{{"web/c.js", 2, "bad"}}},
		{"other files, other texts", "", "/etc/passwd:3: x\n../out.py:3: x\nnode_modules/x.js:1:1: y\n12:30:45 done\nok  \tx\t0.1s\n", nil},
	} {
		got := lint.Read(row.out, root, filepath.Join(root, row.dir))
		if len(got) != len(row.want) {
			t.Errorf("%s: %v", row.tool, got)
			continue
		}
		for i := range got {
			if got[i] != row.want[i] {
				t.Errorf("%s: %v, want %v", row.tool, got[i], row.want[i])
			}
		}
	}
}

func TestNew(t *testing.T) {
	before := []lint.Finding{{"a", 3, "x is unused"}, {"a", 9, "too long (line 7)"}, {"b", 1, "x is unused"}}
	now := []lint.Finding{{"a", 4, "x is unused"}, {"a", 5, "x is unused"}, {"a", 10, "too long (line 8)"}, {"c", 1, "x is unused"}}
	got := lint.New(now, before)
	if len(got) != 2 || got[0] != now[1] || got[1] != now[3] {
		t.Errorf("%v", got)
	}
	on := lint.On(now, func(path string) func(int) bool {
		if path == "a" {
			return func(line int) bool { return line == 5 }
		}
		return nil
	})
	if len(on) != 1 || on[0] != now[1] {
		t.Errorf("%v", on)
	}
}
