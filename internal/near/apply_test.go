package near_test

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/near"
)

// TestApplied: an edit that failed for one of the usual causes works with the text that is offered in place of its own: it stands in the file exactly once, and
// the file is then as the edit meant it.
func TestApplied(t *testing.T) {
	const (
		file  = "package a\n\n// 가격 café “x”\nfunc add(a, b int) int {\n\treturn a + b\n}\n\nfunc sub(a, b int) int {\n\treturn a - b\n}\n"
		after = "package a\n\n// 가격 café “x”\nfunc add(a, b int) int {\n\treturn b + a\n}\n\nfunc sub(a, b int) int {\n\treturn a - b\n}\n"
	)
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	nfd := strings.NewReplacer("가", "\u1100\u1161", "격", "\u1100\u1167\u11a8", "é", "e\u0301")
	for _, row := range []struct{ name, file, old, new, want string }{
		{"spaces for tabs", file, "{\n    return a + b\n}", "{\n\treturn b + a\n}", after},
		{"tabs for spaces", strings.ReplaceAll(file, "\t", "    "), "{\n\treturn a + b\n}", "{\n    return b + a\n}", strings.ReplaceAll(after, "\t", "    ")},
		{"two spaces for four", strings.ReplaceAll(file, "\t", "    "), "{\n  return a + b\n}", "{\n    return b + a\n}", strings.ReplaceAll(after, "\t", "    ")},
		{"LF in a file of CRLF", crlf(file), "{\n\treturn a + b\n}", "{\r\n\treturn b + a\r\n}", crlf(after)},
		{"CRLF in a file of LF", file, "{\r\n\treturn a + b\r\n}", "{\n\treturn b + a\n}", after},
		{"NBSP in the file", strings.Replace(file, "a + b", "a\u00a0+ b", 1), "return a + b", "return b + a", after},
		{"NBSP in the text", file, "return a\u00a0+ b", "return b + a", after},
		{"zero width in the file", strings.Replace(file, "a + b", "a\u200b + b", 1), "return a + b", "return b + a", after},
		{"NFD in the file", nfd.Replace(file), "// 가격 café “x”\nfunc add", "// 가격 café “x”\nfunc add", file},
		{"NFC in the file", file, nfd.Replace("// 가격 café “x”\nfunc add"), "// 가격 café “x”\nfunc add", file},
		{"straight quotes for curly ones", file, "// 가격 café \"x\"\n", "// 가격 café “x”\n", file},
		{"curly quotes for straight ones", strings.NewReplacer("“", `"`, "”", `"`).Replace(file), "// 가격 café “x”\n", "// 가격 café “x”\n", file},
		{"blanks at the ends in the file", strings.Replace(file, "a + b\n", "a + b  \t\n", 1), "{\n\treturn a + b\n}", "{\n\treturn b + a\n}", after},
		{"blanks at the ends in the text", file, "{  \n\treturn a + b \n}", "{\n\treturn b + a\n}", after},
		{"numbers of lines", file, "     4→func add(a, b int) int {\n     5→\treturn a + b", "func add(a, b int) int {\n\treturn b + a", after},
		{"spread out by the formatter", strings.Replace(file, "add(a, b int)", "add(\n\ta, b int,\n)", 1), "\treturn a + b \n}", "\treturn b + a\n}", strings.Replace(after, "add(a, b int)", "add(\n\ta, b int,\n)", 1)},
		{"broken into lines by the formatter", "x = call(\n  first,\n  \"second\",\n  [a, b],\n);\nend\n", "x = call(first, 'second', [a, b]);", "x = call();", "x = call();\nend\n"},
		{"joined by the formatter", "if (a) {\n  x = call(first, second);\n}\n", "call(\n    first,\n    second,\n  );", "call();", "if (a) {\n  x = call();\n}\n"},
		{"several at once", crlf(strings.Replace(file, "a + b", "a\u00a0+ b", 1)), "{\n    return a + b\n}", "{\r\n\treturn b + a\r\n}", crlf(after)},
		{"a BOM before it", "\ufeff" + file, "package a \n", "package a\n", "\ufeff" + file},
	} {
		if strings.Count(row.file, row.old) == 1 {
			t.Errorf("%s: the text stands there as it is", row.name)
			continue
		}
		f := near.Look([]byte(row.file), row.old)
		switch {
		case f == nil || f.Text == "":
			t.Errorf("%s: nothing is offered: %+v", row.name, f)
		case strings.Count(row.file, f.Text) != 1:
			t.Errorf("%s: %q stands there %d times", row.name, f.Text, strings.Count(row.file, f.Text))
		default:
			if got := strings.Replace(row.file, f.Text, row.new, 1); got != row.want {
				t.Errorf("%s: with %q:\n%q, want\n%q", row.name, f.Text, got, row.want)
			}
		}
	}
}
