package main

import (
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestNewRows asserts that a new row changes no line that was generated from another one:
// two branches that add rows merge without a conflict. generated/RULES.md, which counts
// the rules, is for readers.
func TestNewRows(t *testing.T) {
	rows := []struct{ family, file, text string }{
		{"agents", "agents/verifiers.toml", "[[agent]]\nid = 'aaa'\ndescription = 'x'\nverifies = ['code']\ntypes = ['aaa-reviewer']\nsource = 'S3-07'\n"},
		{"contexts", "contexts/instructions.toml", "[[rule]]\nid = 'instructions.aaa'\nsince = '0.1.0'\nkind = 'instructions'\nfiles = ['AAA.md']\nwhy = 'x'\nhits = ['AAA.md', './AAA.md']\nmisses = ['BBB.md', 'x/AAA.md']\n"},
		{"languages", "languages/aaa.toml", "id = 'aaa'\nname = 'AAA'\nkind = 'programming'\nextensions = ['.aaa']\nfilenames = ['Aaafile', 'aaa.lock']\ninterpreters = ['aaa']\ncomment = { line = ['%%%'] }\n" +
			"[[manifest]]\nfile = 'aaa.toml'\nweight = 3\n[[claim]]\non = ['.bbb', '.m']\norder = 9\nline = ['aaa ']\n[[example]]\npath = 'src/x.aaa'\n"},
		{"libraries", "libraries/lock.toml", "[[file]]\nnames = ['aaa.lock']\nmatch = '(?P<name>a+)=(?P<version>.+)'\nhits = [['aaa', '1.0', 'aaa=1.0']]\nmisses = [['aaa', 'aaa=*']]\n"},
		{"specs", "specs/category.toml", "[[word]]\nid = 'category.aaa'\nsince = '0.1.0'\nfield = 'category'\nname = 'aaa'\nwhy = 'x'\nhits = ['AAA']\nmisses = ['aaaa']\n"},
		{"journal", "journal/moai.toml", "[[type]]\nname = 'aaa'\ntitle = 'A'\nkorean = '가'\ndescription = 'x'\nseverity = 'info'\nsource = 'S0-08'\nwaits = 'nothing'\n"},
		{"risks", "risks/vcs.toml", "[[rule]]\nid = 'vcs.aaa'\nsince = '0.1.0'\nprogram = ['hg', 'zzz-aaa']\nargs = { words = ['zzap'] }\naction = 'ask'\nwhy = 'x'\ninstead = '`hg status` shows what there is'\nhits = ['hg zzap', 'zzz-aaa zzap']\nmisses = ['hg log', 'zzz-aaa']\n"},
		{"risks", "risks/vcs.toml", "[[program]]\nname = ['aaa-zzz']\nplain = true\n"},
		{"risks", "risks/tools.toml", "[[tool]]\nname = ['aaa_put']\neffect = [{ kind = 'write', on = ['where'] }]\n"},
		{"secrets", "secrets/formats.toml", "[[secret]]\nid = 'aaa'\nprefixes = ['aaazzz_']\nchars = 'base62'\nwhat = 'a key of aaa'\nmin = 32\nmax = 32\nhits = ['aaazzz_{32}']\nmisses = ['aaazzz_']\n"},
		{"shells", "shells/wrappers.toml", "[[wrapper]]\nname = 'aaa-run'\nhits = ['aaa-run rm x']\nmisses = ['aaa rm x']\n"},
		{"shells", "shells/programs.toml", "[[program]]\nnames = ['aaash']\ngrammar = 'shell'\n"},
		{"tags", "tags/mx.toml", "[[kind]]\nid = 'mx.aaa'\nsince = '0.1.0'\nname = 'MX:AAA'\nfamily = 'note'\nwhy = 'x'\nhits = ['src/a.go: // @MX:AAA x', 'src/a.py: # @MX:AAA']\nmisses = ['src/a.go: // @MX:AAAS', 'src/a.go: // MX:AAA']\n"},
	}
	rules := ruleFiles(t)
	for _, row := range rows {
		t.Run(row.file, func(t *testing.T) {
			more := fstest.MapFS{}
			maps.Copy(more, rules)
			path := "rules/" + row.file
			var old string
			if f := rules[path]; f != nil {
				old = string(f.Data) + "\n"
			}
			more[path] = &fstest.MapFile{Data: []byte(old + row.text)}
			before, after := generated(t, row.family, rules), generated(t, row.family, more)
			if before["generated/RULES.md"] == after["generated/RULES.md"] && row.family == "risks" && strings.HasPrefix(row.text, "[[rule]]") {
				t.Error("the new rule is not in generated/RULES.md")
			}
			changed := false
			for name, text := range before {
				changed = changed || text != after[name]
				if name != "generated/RULES.md" {
					if line := missing(text, after[name]); line != "" {
						t.Errorf("%s: a line of another row is gone: %.200s", name, line)
					}
				}
			}
			if !changed && len(after) == len(before) {
				t.Error("the new row changed nothing")
			}
		})
	}
}

// ruleFiles is a copy of rules/.
func ruleFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	rules := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(".."), "rules", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("../" + path)
		rules[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestTomlAlone: a language, a tool, a format of keys and a shell work once they are rows in rules/. The generator runs the examples
// of each through the engines, and a rule's through the new shell and the new tool.
func TestTomlAlone(t *testing.T) {
	rules := ruleFiles(t)
	add := func(file, text string) {
		path := "rules/" + file
		if f := rules[path]; f != nil {
			text = string(f.Data) + "\n" + text
		}
		rules[path] = &fstest.MapFile{Data: []byte(text)}
	}
	add("languages/aaa.toml", "id = 'aaa'\nname = 'AAA'\nkind = 'programming'\nextensions = ['.aaa']\ncomment = { line = ['%%%'] }\n[[example]]\npath = 'src/x.aaa'\n")
	add("tags/mx.toml", "[[kind]]\nid = 'mx.aaa'\nsince = '0.1.0'\nname = 'MX:AAA'\nfamily = 'note'\nwhy = 'x'\nhits = ['src/x.aaa: %%% @MX:AAA x', 'src/a.py: # @MX:AAA']\nmisses = ['src/x.aaa: %%% @MX:AAAS', 'src/a.go: // MX:AAA']\n")
	add("secrets/formats.toml", "[[secret]]\nid = 'aaa'\nprefixes = ['aaazzz_']\nchars = 'base62'\nwhat = 'a key of aaa'\nmin = 32\nmax = 32\nhits = ['aaazzz_{32}']\nmisses = ['aaazzz_']\n")
	add("shells/programs.toml", "[[program]]\nnames = ['aaash']\ngrammar = 'shell'\nhits = ['aaash -c \"rm x\"']\nmisses = ['aaash --version']\n")
	add("risks/tools.toml", "[[tool]]\nname = ['aaa_put']\neffect = [{ kind = 'write', on = ['where'] }]\n")
	add("risks/vcs.toml", "[[rule]]\nid = 'vcs.aaa'\nsince = '0.1.0'\nargs = { effect = 'write', files = 'ci' }\naction = 'ask'\nwhy = 'x'\ninstead = 'ask'\ncommandless = 'x'\n"+
		"hits = ['aaa_put {\"where\": \".github/workflows/x.yml\"}', 'aaash -c \"echo x > .github/workflows/x.yml\"']\nmisses = ['aaa_put {\"where\": \"notes.txt\"}', 'aaash -c \"echo x\"']\n"+
		"[[rule]]\nid = 'vcs.bbb'\nsince = '0.1.0'\nprogram = 'sh'\nargs = { fed_by = 'curl', is = 'runs-input' }\naction = 'ask'\nwhy = 'x'\ninstead = 'ask'\ncommandless = 'x'\nhits = ['curl x | sh', 'curl x | aaash']\nmisses = ['curl x | jq', 'aaash']\n")
	for _, f := range families {
		if _, err := f.run(&input{root: rules}); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// generated are the files of a family by their names.
func generated(t *testing.T, name string, rules fs.FS) map[string]string {
	t.Helper()
	for _, f := range families {
		if f.name != name {
			continue
		}
		list, err := f.run(&input{root: rules})
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, o := range list {
			files[o.path] = string(o.data)
		}
		return files
	}
	t.Fatalf("no family is named %q", name)
	return nil
}

// missing is the first line of old that is not in text behind the one before it, "" if all are.
func missing(old, text string) string {
	rest := strings.Split(text, "\n")
	for line := range strings.SplitSeq(old, "\n") {
		i := 0
		for i < len(rest) && rest[i] != line {
			i++
		}
		if i == len(rest) {
			return line
		}
		rest = rest[i+1:]
	}
	return ""
}
