package rule

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func languageFiles(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"rules/languages/_paths.toml": {Data: []byte("vendored = [\"vendor/\"]\n")}}
	for name, text := range files {
		fsys["rules/languages/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

const zig = `id = "zig"
name = "Zig"
kind = "programming"
extensions = [".zig"]
comment = { line = ["//"], block = [["/*", "*/"]] }

[[manifest]]
file = "build.zig"
weight = 3

[[claim]]
on = [".h"]
order = 1
line = ["const "]

[[example]]
path = "main.zig"
`

func TestLoadLanguages(t *testing.T) {
	list, paths, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": zig}))
	if err != nil {
		t.Fatal(err)
	}
	l := list[0]
	if l.ID != "zig" || !l.Counts() || l.Comment.Block[0] != [2]string{"/*", "*/"} || l.Manifests[0].Weight != 3 || l.Claims[0].Line[0] != "const " {
		t.Errorf("LoadLanguages = %+v", l)
	}
	if len(paths.Vendored) != 1 {
		t.Errorf("paths = %+v, want one vendored pattern", paths)
	}
}

// TestRealLanguages: the rules of this project load, and there are enough of them.
func TestRealLanguages(t *testing.T) {
	list, _, err := LoadLanguages(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	primary, commented := 0, 0
	for i := range list {
		if list[i].Primary {
			primary++
			if l := &list[i]; len(l.Tests) == 0 || len(l.Extensions) == 0 || len(l.Comment.Line) == 0 {
				t.Errorf("%s: test commands, extensions or comment syntax are missing", l.ID)
			}
		}
		if len(list[i].Comment.Line)+len(list[i].Comment.Block) > 0 {
			commented++
		}
	}
	if primary != 22 || len(list) < 122 || commented < 100 {
		t.Errorf("%d languages, %d of them primary, %d with comment syntax; want at least 122, 22, 100", len(list), primary, commented)
	}
}

func TestLanguageProblems(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(zig, old, new, 1) }
	for _, test := range []struct{ name, text, want string }{
		{"unknown key", edit("weight = 3", "wieght = 3"), `rules/languages/zig.toml:9: unknown key "manifest.wieght"`},
		{"wrong id", edit(`id = "zig"`, `id = "zog"`), `rules/languages/zig.toml:1: zog: id must be the file's name, "zig"`},
		{"no name", edit(`name = "Zig"`, `name = ""`), `rules/languages/zig.toml:1: zig: name is missing`},
		{"kind", edit("programming", "lovely"), `rules/languages/zig.toml:3: zig: kind "lovely" is none of programming, markup, data, prose`},
		{"extension", edit(".zig", "zig"), `rules/languages/zig.toml:4: zig: extension "zig" must be lower case and begin with a dot`},
		{"weight", edit("weight = 3", "weight = 9"), `rules/languages/zig.toml:7: zig: a manifest needs a file and a weight of 1, 2 or 3`},
		{"claim", edit(`line = ["const "]`, ""), `rules/languages/zig.toml:11: zig: a claim needs on, and one of line, text, word, start`},
		{"no example", edit("[[example]]\npath = \"main.zig\"\n", ""), `rules/languages/zig.toml:1: zig: needs at least 1 [[example]]`},
		{"primary needs more", edit("kind =", "primary = true\nkind ="), `rules/languages/zig.toml:1: zig: needs at least 2 [[near]]: files that look like it and are not`},
		{"version", zig + "[[version]]\nfile = \"x\"\nkind = \"exact\"\n", `rules/languages/zig.toml:18: zig: version kind "exact" is none of pin, floor, hint`},
		{"version line", zig + "[[version]]\nfile = \"x\"\nkind = \"pin\"\nformat = \"line\"\n", `rules/languages/zig.toml:18: zig: format line needs a match with one {}`},
		{"version field", zig + "[[version]]\nfile = \"x\"\nkind = \"pin\"\nformat = \"toml\"\n", `rules/languages/zig.toml:18: zig: format toml needs a field`},
		{"tool", zig + "[[linter]]\nname = \"lint\"\n", `rules/languages/zig.toml:18: zig: a linter needs a name and a command`},
		{"group", edit("kind =", "group = \"c\"\nkind ="), `rules/languages/zig.toml:1: zig: group "c" is no language`},
		{"near", zig + "[[near]]\npath = \"x\"\nis = \"nope\"\n", `rules/languages/zig.toml:18: zig: is = "nope" is no language`},
		{"syntax", "id = \n", `rules/languages/zig.toml:1: `},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": test.text}))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("LoadLanguages = %v, want %q", err, test.want)
			}
		})
	}
	other := strings.ReplaceAll(strings.ReplaceAll(zig, `"zig"`, `"zag"`), `"Zig"`, `"Zag"`)
	_, _, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": zig, "zag.toml": other}))
	if want := `rules/languages/zig.toml:1: zig: ".zig" is also taken by zag without a claim`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("two owners of .zig: %v, want %q", err, want)
	}
	if _, _, err := LoadLanguages(fstest.MapFS{}); err == nil {
		t.Error("no rules at all gave no error")
	}
	if _, _, err := LoadLanguages(fstest.MapFS{"rules/languages/zig.toml": {Data: []byte(zig)}}); err == nil || !strings.Contains(err.Error(), "_paths.toml") {
		t.Errorf("without path lists: %v, want it to name _paths.toml", err)
	}
}

// TestLanguageStub: a new file loads, but for what its author has to fill in.
func TestLanguageStub(t *testing.T) {
	_, _, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": LanguageStub("zig")}))
	if err == nil || !strings.Contains(err.Error(), "an example needs a path") || strings.Contains(err.Error(), "unknown key") {
		t.Errorf("the stub gives %v, want it to ask for the examples' paths alone", err)
	}
	filled := strings.ReplaceAll(strings.ReplaceAll(LanguageStub("zig"), `path = ""`, `path = "a.zig"`), "# [[", "[[")
	filled = strings.ReplaceAll(strings.ReplaceAll(filled, "# file ", "file "), "# weight", "weight")
	for _, key := range []string{"kind", "format", "match", "name", "command"} {
		filled = strings.ReplaceAll(filled, "# "+key+" ", key+" ")
	}
	if _, _, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": filled})); err != nil {
		t.Errorf("the stub with its comments taken out does not load: %v", err)
	}
	if got := LanguageFile("zig"); got != "rules/languages/zig.toml" {
		t.Errorf("LanguageFile = %q", got)
	}
}
