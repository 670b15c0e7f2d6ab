package risk_test

import (
	"slices"
	"testing"

	"github.com/modu-ai/moai/generated/risks"
)

func TestAlters(t *testing.T) {
	set := risks.Set()
	for _, tt := range []struct {
		line        string
		files       []string
		only, still bool
	}{
		{"touch y", []string{"/p/y"}, true, true},
		{"touch -c y z", []string{"/p/y", "/p/z"}, true, true},
		{"echo 2 > y", []string{"/p/y"}, true, true},
		{"echo 2 | tee -a y >/dev/null", []string{"/p/y"}, true, true},
		{"> y", []string{"/p/y"}, true, true},
		{"cd sub && rm -rf a b/", []string{"/p/sub/a", "/p/sub/b"}, true, true},
		{"mv a b", []string{"/p/a", "/p/b"}, true, true},
		{"cp -r a b", []string{"/p/b"}, true, true},
		{"mkdir -p a/b", []string{"/p/a/b"}, true, true},
		{"chmod 600 k", []string{"/p/k"}, true, true},
		{"ln -s a b", []string{"/p/a", "/p/b"}, true, true},
		{"sed -i s/x/y/ c", []string{"/p/c"}, true, true},
		{"git add b", nil, true, false},
		{"git branch -f x1 HEAD", nil, true, false},
		{"git commit -qm mine", nil, false, false},
		{"git checkout -q old", nil, false, false},
		{"sh x.sh", nil, false, false},
		{"make clean", nil, false, false},
		{"npm test", nil, false, false},
		{"echo 1 > a; python3 x.py", []string{"/p/a"}, false, false},
		{"rm $x", nil, false, false},
		{"rm *.go", nil, false, false},
		{"touch $(cat list)", nil, false, false},
		{"ls -l", nil, true, true},
		{"find . -name x -delete", []string{"/p"}, true, true},
		{"sort -o out in", []string{"/p/out"}, true, true},
	} {
		a := set.Alters(tt.line, "/p", "/home/u")
		slices.Sort(a.Files)
		if a.Only != tt.only || a.Still != tt.still || tt.files != nil && !slices.Equal(a.Files, tt.files) {
			t.Errorf("%s: %+v", tt.line, a)
		}
	}
}
