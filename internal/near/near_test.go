package near_test

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/near"
)

func TestLook(t *testing.T) {
	const file = "package a\n\nfunc add(a, b int) int {\n\treturn a + b\n}\n\nfunc sub(a, b int) int {\n\treturn a - b\n}\n"
	for _, row := range []struct{ name, file, old, cause, text string }{
		{"tabs", file, "func add(a, b int) int {\n    return a + b\n}", "tabs and spaces", "func add(a, b int) int {\n\treturn a + b\n}"},
		{"crlf", strings.ReplaceAll(file, "\n", "\r\n"), "int {\n\treturn a + b\n}", "line ends", "int {\r\n\treturn a + b\r\n}"},
		{"nbsp", strings.Replace(file, "a + b", "a\u00a0+ b", 1), "return a + b", "NBSP", "return a\u00a0+ b"},
		{"nbsp in the text", file, "return a\u00a0+ b", "NBSP", "return a + b"},
		{"nfd", "// 한글\nx\n", "// \u1112\u1161\u11ab\u1100\u1173\u11af\nx", "NFC and NFD", "// 한글\nx"},
		{"nfc", "// cafe\u0301 x\n", "caf\u00e9 x", "NFC and NFD", "cafe\u0301 x"},
		{"nfd at the end", "x \u1112\u1161\u11ab\u1100\u1173\u11af y\n", "x 한글", "NFC and NFD", "x \u1112\u1161\u11ab\u1100\u1173\u11af"},
		{"quotes", "say “hi”\n", `say "hi"`, "quotation marks", "say “hi”"},
		{"trailing", "a  \nb\n", "a\nb", "blanks at the ends", "a  \nb"},
		{"numbers", file, "     3→func add(a, b int) int {\n     4→\treturn a + b", "numbers of lines", "func add(a, b int) int {\n\treturn a + b"},
		{"several at once", "\tsay “hi” \r\n\tx\r\n", "    say \"hi\"\n    x", "white space, quotation marks", ""},
		{"more than once", file, "\treturn a", "more than once", ""},
	} {
		f := near.Look([]byte(row.file), row.old)
		if f == nil {
			t.Errorf("%s: nothing was found", row.name)
			continue
		}
		if !strings.Contains(f.Cause, row.cause) || row.text != "" && f.Text != row.text {
			t.Errorf("%s: %q %q", row.name, f.Cause, f.Text)
		}
		if f.Text != "" && strings.Count(row.file, f.Text) != 1 {
			t.Errorf("%s: %q does not stand there once", row.name, f.Text)
		}
	}
	if f := near.Look([]byte(file), "\treturn a"); len(f.Others) != 2 || f.Others[1] != 8 {
		t.Errorf("%+v", f)
	}
	alike := near.Look([]byte(file), "func add(a, b int) int {\n\treturn a * b\n}")
	if alike == nil || alike.Cause != "" || alike.From != 3 || len(alike.Differ) != 1 || alike.Differ[0].Line != 4 {
		t.Errorf("%+v", alike)
	}
	for _, old := range []string{"package a", "something else entirely\nand more", "", "\n", "   "} {
		if f := near.Look([]byte(file), old); f != nil && f.Cause != "it is there more than once" {
			t.Errorf("%q: %+v", old, f)
		}
	}
}

func FuzzLook(f *testing.F) {
	f.Add("a\tb\r\n“x” \u1112\u1161\u11ab", "a b\n\"x\" 한")
	f.Fuzz(func(t *testing.T, file, old string) {
		if f := near.Look([]byte(file), old); f != nil && f.Text != "" && strings.Count(file, f.Text) != 1 {
			t.Errorf("%q in %q: %q", old, file, f.Text)
		}
	})
}
