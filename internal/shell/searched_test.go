package shell

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// What a search by a name finds is read and followed as if it were named.
func TestSearchedFilesRun(t *testing.T) {
	files := map[string]string{"sub/a.sh": "rm /a\n", "sub/b.sh": "rm /b\n", "sub/deep/er/c.sh": "rm /c\n", "ok/a.sh": "echo\n", "x.py": "import os\nos.remove('/x')\n"}
	for _, test := range []struct{ line, want string }{
		{`find sub -name '*.sh' -exec sh {} \;`, "/a /b /c"},
		{"find sub -name '*.sh' -print0 | xargs -0 -n1 bash", "/a /b /c"},
		{"find . -type f -name c.sh -exec sh {} +", ""}, // three folders below: deeper than is looked
		{"find sub -name c.sh -exec sh {} +", "/c"},
		{"for f in $(find sub -name 'b*'); do sh $f; done", "/b"},
		{"fd -e sh . sub -x sh {}", "/a /b /c"},
		{`find . -name '*.py' -exec python3 {} \;`, "/x"},
		{`find ok -name '*.sh' -exec sh {} \;`, ""},
		{`find sub -name '*.sh' -exec cat {} \;`, ""},
		{`find sub -name '*.sh' -exec bash -n {} \;`, ""},
	} {
		r := Parse(test.line, Options{
			Dir: "/p", Root: "/p", Home: "/home/me", Tables: tables,
			Source: func(p string) (string, bool) {
				text, ok := files[strings.TrimPrefix(p, "/p/")]
				return text, ok
			},
			Folders: func(pattern string) (list []string, all bool) { return fit(files, pattern, true), true },
			Fitting: func(pattern string) []string { return fit(files, pattern, false) },
		})
		var got []string
		for i := range r.Commands {
			if c := &r.Commands[i]; c.Name == "rm" || c.Name == "unlink" {
				got = append(got, c.Args[len(c.Args)-1].Text)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.line, got, test.want)
		}
	}
}

// fit lists the files below /p that fit a pattern, or the folders.
func fit(files map[string]string, pattern string, folders bool) (list []string) {
	for name := range files {
		for p := "/p/" + name; p != "/"; p = path.Dir(p) {
			isFolder := p != "/p/"+name
			if ok, _ := path.Match(pattern, p); ok && isFolder == folders && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	slices.Sort(list)
	return list
}
