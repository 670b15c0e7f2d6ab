package shell

import (
	"fmt"
	"strings"
	"testing"
)

// Functions that call each other are followed as deep as people write them, and what lies deeper is doubted.
func TestFunctionsThatCallEachOther(t *testing.T) {
	chain := func(n int, call, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, call+"\n", i, i+1)
		}
		fmt.Fprintf(&b, last+"\nf0('/srv/x')\n", n)
		return b.String()
	}
	files := map[string]string{
		"a.py":    "import shutil\n" + chain(8, "def f%d(p): f%d(p)", "def f%d(p): shutil.rmtree(p)"),
		"a.js":    "const fs = require('fs')\n" + chain(8, "function f%d(p) { f%d(p) }", "function f%d(p) { fs.rmSync(p, {recursive: true}) }"),
		"a.rb":    "require 'fileutils'\n" + chain(8, "def f%d(p); f%d(p); end", "def f%d(p); FileUtils.rm_rf(p); end"),
		"deep.py": "import shutil\n" + chain(900, "def f%d(p): f%d(p)", "def f%d(p): shutil.rmtree(p)"),
		"loop.py": "import shutil\ndef f0(p): f1(p + '/x')\ndef f1(p):\n    f0(p)\n    shutil.rmtree(p)\nf0('/srv/x')\n",
	}
	var all strings.Builder // each calls all others
	for i := range 6 {
		fmt.Fprintf(&all, "def f%d(p):\n", i)
		for k := range 6 {
			fmt.Fprintf(&all, "    f%d(p)\n", k)
		}
	}
	files["all.py"] = "import shutil\n" + all.String() + "    shutil.rmtree(p)\nf0('/srv/x')\n"
	for _, test := range []struct{ line, gone string }{
		{"python3 a.py", "/srv/x"},
		{"node a.js", "/srv/x"},
		{"ruby a.rb", "/srv/x"},
		{"python3 loop.py", "/srv/x/x"},
		{"python3 all.py", "/srv/x"},
		{"python3 deep.py", ""},
	} {
		r := looked(t, test.line, files)
		if got := strings.Join(deletes(r), ", "); test.gone != "" && !strings.Contains(got, test.gone) {
			t.Errorf("%s takes %q, want %s", test.line, got, test.gone)
		}
		if over := len(r.Incomplete) > 0; over != (test.gone == "") {
			t.Errorf("%s: doubts %v", test.line, r.Incomplete)
		}
	}
}
