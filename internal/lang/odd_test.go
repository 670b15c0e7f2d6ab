package lang

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

// ruleTable is the table of the rules; the generated one lies above this package.
func ruleTable(t testing.TB) *Table { return compiled(t).Table() }

func compiled(t testing.TB) *Compiled {
	t.Helper()
	list, paths, err := rule.LoadLanguages(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(list, paths)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOddNames: a name that the sieves let through means what a close look at it
// says. They may hold too much, never too little.
func TestOddNames(t *testing.T) {
	c := compiled(t)
	table := c.Table()
	names := []string{"a.go", "read.go", "x.min.js", "가나.py", "a.b.c.d", "x.HTML.erb", "x.html.ERB", "SETUP.PY", "_.rb", "d3.js", "readme.ko.md", "a.markdown"}
	for name := range c.Filenames {
		names = append(names, name)
	}
	for name := range c.Names {
		names = append(names, name)
	}
	for name := range c.Manifests {
		names = append(names, name)
	}
	for _, g := range c.Globs {
		front := g.Head + strings.NewReplacer("*", "", "~", "-x", "#", "7").Replace(g.Pattern)
		names = append(names, front+g.Tail, g.Head+"1.2.3"+g.Tail, g.Head+g.Ext, front+"x"+g.Tail)
	}
	for ext := range c.Extensions {
		names = append(names, "main"+ext, "a.b"+ext, strings.ToUpper("x"+ext))
		for stem := range c.Stems { // any one: maps have no order
			names = append(names, stem+ext, stem+".x"+ext)
			break
		}
	}
	dirs := []string{"src", "vendor", "a/b", "docs", "Godeps/_workspace"}
	for _, r := range c.Dirs {
		dirs = append(dirs, r.Name, "x/"+r.Name, r.Name+"x")
	}
	for _, g := range c.DirGlobs {
		front := strings.NewReplacer("*", "Some.1", "#", "").Replace(g.Glob)
		dirs = append(dirs, "x/y"+g.Name, path.Join(g.Parent, front+"7"+g.Name), path.Join(g.Parent, front+"130"+g.Name), path.Join(g.Parent, "y"+g.Name))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range names {
		file := dirs[random.IntN(len(dirs))] + "/" + name
		size := int64(random.IntN(2) * bigFile)
		quick, slow := newScan(t.Context(), table, nil), newScan(t.Context(), table, nil)
		quick.file(file, size, false)
		switch at := slow.enter(table, nil, file); slow.current().kind {
		case Own:
			slow.special(file, file[at:], size, false)
		case Documentation: // where a manifest is all that counts
			slow.manifest(file[at:], Ref{})
		}
		if diff := cmp.Diff(known(slow), known(quick)); diff != "" {
			t.Errorf("%s: a close look and a quick one differ:\n%s", file, diff)
		}
	}
	for _, dir := range dirs {
		f := newFolders(table)
		f.enter(table, nil, dir+"/x")
		want, parent := Own, ""
		for i, name := range strings.Split(dir, "/") {
			want = table.dirKind(name, parent, i == 0, want)
			parent = name
		}
		if got := f.current().kind; got != want {
			t.Errorf("folder %s is %q, want %q", dir, got, want)
		}
	}
}

// known is what a scan knows after one file.
func known(s *scan) []string {
	var out []string
	for i, n := range s.total {
		if n.files > 0 {
			out = append(out, fmt.Sprint("counted ", s.t.Languages[i-1].ID, n))
		}
	}
	for _, d := range append(append([]doubt{}, s.open...), s.big...) {
		out = append(out, fmt.Sprint("in doubt ", d.path, d.size, d.lang, d.big))
	}
	for dir := range s.nodes {
		if m := s.manifestOf(int32(dir)); m != "" {
			out = append(out, "manifest "+m)
		}
	}
	for ref, d := range s.deciders {
		out = append(out, fmt.Sprint("decider ", ref, d != nil))
	}
	return append(out, s.attrFiles...)
}

// BenchmarkFile is a scan's work for one tracked file, of many in few folders.
func BenchmarkFile(b *testing.B) {
	var files []string
	for i := range 10_000 {
		files = append(files, fmt.Sprintf("src/part%d/name%d%s", i/10, i*i, []string{".go", ".py", ".css", ".rs", ".java"}[i%5]))
	}
	table := ruleTable(b)
	b.ReportAllocs()
	for b.Loop() {
		s := newScan(context.Background(), table, nil)
		for _, f := range files {
			s.file(f, 100, false)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(files)), "ns/file")
}

// TestSieves: a pattern that a sieve cannot tell by its ends would fill it, and every name would be looked at closely.
func TestSieves(t *testing.T) {
	table := ruleTable(t)
	check := func(of string, v sieve, most float64) {
		set := 0
		for _, w := range v {
			set += bits.OnesCount64(w)
		}
		if part := float64(set) / float64(64*len(v)); part > most {
			t.Errorf("the sieve of %s holds %.0f %% of all names, more than %.0f %%", of, 100*part, 100*most)
		}
	}
	check("folders", table.oddFolders(), 0.1)
	for _, ext := range []string{".go", ".py", ".js", ".ts", ".tsx", ".java", ".rb", ".c", ".h", ".cc", ".cpp", ".cs", ".php", ".rs", ".swift", ".kt", ".md", ".json", ".yml", ".html", ".css", ".s"} {
		o := table.odd(ext)
		check(ext, o[:], 0.1)
	}
}
