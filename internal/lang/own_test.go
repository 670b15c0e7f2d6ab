package lang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// added is a user's folder with files in it.
func added(t *testing.T, files map[string]string) lang.Added {
	t.Helper()
	a := lang.Added{Config: t.TempDir(), State: filepath.Join(t.TempDir(), "cache")}
	kit.Must(t, os.MkdirAll(a.Dir(), 0o700))
	for name, text := range files {
		kit.Must(t, os.WriteFile(filepath.Join(a.Dir(), name), []byte(text), 0o600))
	}
	return a
}

// documented are the files that rules/README.md shows: blocks of TOML below the heading, each with its path in its first line.
func documented(t *testing.T) map[string]string {
	t.Helper()
	data := kit.Read(t, filepath.Join("..", "..", "rules", "README.md"))
	_, text, _ := strings.Cut(data, "### Languages of your own")
	text, _, _ = strings.Cut(text, "\n## ")
	files := map[string]string{}
	for {
		_, rest, ok := strings.Cut(text, "```toml\n")
		if !ok {
			return files
		}
		block, rest, _ := strings.Cut(rest, "```")
		first, _, _ := strings.Cut(block, "\n")
		files[filepath.Base(strings.TrimPrefix(first, "# "))], text = block, rest
	}
}

// What the documentation shows works as it is shown there.
func TestOwnDocumented(t *testing.T) {
	files := documented(t)
	if len(files) < 3 {
		t.Fatalf("rules/README.md shows %d files", len(files))
	}
	a := added(t, files)
	names, examples, err := a.Check(&languages.Table)
	if err != nil || len(names) != len(files) || examples == 0 {
		t.Fatalf("Check = %v, %d, %v", names, examples, err)
	}
	table, problems := a.Table(&languages.Table)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"zag.pkg": "[package]\nzag = \"1.4\"\ndepends = [\"frobnik\"]\n", "src/main.zag": "say 1\n", "hum.toml": "[jobs]\ncheck = \"x\"\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		kit.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		kit.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, way := range []*lang.Table{table, a.Kept(&languages.Table)} {
		r, err := lang.Detect(t.Context(), way, dir, lang.Options{Projects: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Title() != "Zag ≥ 1.4" || r.Tools.Manager.Command != "zag fetch" || r.Tools.Test.Command != "hum check" || r.Tools.Build.Command != "zag build" {
			t.Errorf("Detect = %s, %+v", r.Title(), r.Tools)
		}
		if len(r.Facts) != 1 || r.Facts[0].Name != "Frobnik" {
			t.Errorf("facts = %v", r.Facts)
		}
		if g := way.Classify("x.zag", nil, false); g.ID != "zag" {
			t.Errorf("Classify = %+v", g)
		}
		if s := way.Syntax("x.zag"); len(s.Line) != 1 || s.Line[0] != ";;" {
			t.Errorf("Syntax = %+v", s)
		}
	}
}

const zag = "id = \"zag\"\nname = \"Zag\"\nkind = \"programming\"\nextensions = [\".zag\"]\n"

// Nothing of a folder or file counts that somebody else can write.
func TestOwnForeign(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const nobody = 65534
	for _, whose := range []string{"", "zag.toml"} {
		a := added(t, map[string]string{"zag.toml": zag})
		kit.Must(t, os.Chown(filepath.Join(a.Dir(), whose), nobody, nobody))
		table, problems := a.Table(&languages.Table)
		if _, ok := table.Find("zag"); ok || len(problems) != 1 || !strings.Contains(problems[0], "belongs to somebody else") {
			t.Errorf("%q of somebody else: found %t, %q", whose, ok, problems)
		}
	}
}

// A kept table that is damaged, or of another folder, is none for a hook; a query writes it anew.
func TestOwnDamaged(t *testing.T) {
	a := added(t, map[string]string{"zag.toml": zag})
	if got := a.Stale(&languages.Table); !strings.Contains(got, "not compiled yet") {
		t.Errorf("Stale = %q before any query", got)
	}
	a.Table(&languages.Table)
	if got := a.Stale(&languages.Table); got != "" {
		t.Errorf("Stale = %q after a query", got)
	}
	kept, _ := filepath.Glob(filepath.Join(a.State, "languages-*.json"))
	if len(kept) != 1 {
		t.Fatalf("kept: %v", kept)
	}
	for _, text := range []string{"", "{", `{"dir":"x"}`, `{"rules":{"Languages":"x"}}`, "[]"} {
		kit.Must(t, os.WriteFile(kept[0], []byte(text), 0o600))
		if table := a.Kept(&languages.Table); table != &languages.Table {
			t.Errorf("%q counts for a hook", text)
		}
		if got := a.Stale(&languages.Table); !strings.Contains(got, "damaged") {
			t.Errorf("Stale = %q with %q", got, text)
		}
		if table, _ := a.Table(&languages.Table); table == &languages.Table {
			t.Errorf("%q counts for a query", text)
		}
		if table := a.Kept(&languages.Table); table == &languages.Table {
			t.Errorf("%q was not written anew", text)
		}
	}
}

// However much a user writes, what is beyond the bounds costs a line.
func TestOwnBounds(t *testing.T) {
	files := map[string]string{}
	for i := range 205 {
		files[fmt.Sprintf("z%03d.toml", i)] = fmt.Sprintf("id = \"z%03d\"\nname = \"Z%03d\"\nkind = \"programming\"\nextensions = [\".z%03d\"]\n", i, i, i)
	}
	table, problems := added(t, files).Table(&languages.Table)
	if len(problems) != 5 || !strings.Contains(problems[0], "is beyond 200 files") {
		t.Errorf("problems = %q", problems)
	}
	if g := table.Classify("a.z199", nil, false); g.ID != "z199" {
		t.Errorf("Classify = %+v", g)
	}
	var names strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&names, "\".q%d\",", i)
	}
	many := zag + "[[claim]]\non = [" + names.String() + "]\ntext = [\"x\"]\n"
	table, problems = added(t, map[string]string{"zag.toml": many}).Table(&languages.Table)
	if table != &languages.Table || len(problems) != 1 || !strings.Contains(problems[0], "too many") {
		t.Errorf("%d problems: %.100q", len(problems), problems)
	}
}

// What a user says of a built-in language stands before what is built in, and a claim of his before the claims of others.
func TestOwnFirst(t *testing.T) {
	a := added(t, map[string]string{
		"go.toml":  "id = \"go\"\nextensions = [\".gox\"]\n[[claim]]\non = [\".h\"]\nline = [\"// really Go\"]\n",
		"zag.toml": strings.Replace(zag, `".zag"`, `".zag", ".py", ".html.zag"`, 1),
	})
	table, problems := a.Table(&languages.Table)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range []struct{ path, head, want string }{
		{"a.gox", "", "go"},
		{"a.go", "package a", "go"},
		{"a.h", "// really Go\n", "go"},
		{"a.h", "#include <string.h>\n", "c"},
		{"a.h", "class A {\npublic:\n};\n", "cpp"},
		{"a.py", "print(1)\n", "zag"},
		{"a.html.zag", "x", "zag"},
		{"a.html.erb", "x", "html-erb"},
	} {
		if g := table.Classify(c.path, []byte(c.head), false); g.ID != c.want {
			t.Errorf("Classify(%s, %q) = %s (%s), want %s", c.path, c.head, g.ID, g.Because, c.want)
		}
		if before := languages.Table.Classify("a.py", []byte("print(1)\n"), false); before.ID != "python" {
			t.Fatal("the built-in table has changed")
		}
	}
	if l, _ := table.Find("go"); l.Name != "Go" || len(l.Tests) == 0 {
		t.Errorf("go = %+v", l)
	}
}

// A process that goes on knows what hooks know: nothing before a query has compiled the files, then them, then what came after them.
func TestOwnFollow(t *testing.T) {
	zag := "id = \"zag\"\nname = \"Zag\"\nkind = \"programming\"\nextensions = [\".zag\"]\n\n[[example]]\npath = \"a.zag\"\n"
	a := added(t, map[string]string{"zag.toml": zag})
	known := a.Follow(&languages.Table)
	is := func(name, want string) {
		t.Helper()
		if got := known().Classify(name, nil, false).ID; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	is("a.zag", "")
	if _, problems := a.Table(&languages.Table); len(problems) > 0 {
		t.Fatal(problems)
	}
	is("a.zag", "zag")
	kit.Must(t, os.WriteFile(filepath.Join(a.Dir(), "zag.toml"), []byte(strings.ReplaceAll(zag, ".zag", ".zaag")), 0o600))
	is("a.zag", "zag") // hooks go by what it was, too
	if _, problems := a.Table(&languages.Table); len(problems) > 0 {
		t.Fatal(problems)
	}
	is("a.zag", "")
	is("a.zaag", "zag")
	kit.Must(t, os.RemoveAll(a.Dir()))
	a.Table(&languages.Table)
	is("a.zaag", "")
	moved := lang.Added{State: a.State} // a folder that could have come with a clone
	if got := moved.Follow(&languages.Table)().Classify("a.zaag", nil, false).ID; got != "" {
		t.Errorf("without a folder of the user: %q", got)
	}
}
