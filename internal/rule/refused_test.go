package rule

import (
	"strings"
	"testing"
	"testing/fstest"
)

// refusals are rule files that say something impossible, and what is said about it, with its place.
type refusals []struct{ name, text, want string }

// refused loads each text as a file and wants its complaint.
func (all refusals) refused(t *testing.T, file string, load func(fstest.MapFS) error) {
	t.Helper()
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			err := load(fstest.MapFS{file: {Data: []byte(c.text)}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: error = %v, want %q", c.text, err, c.want)
			}
		})
	}
}

const goodWord = "[[field]]\nid = \"status.f\"\nsince = \"1\"\nname = \"status\"\n[[field]]\nid = \"status.g\"\nsince = \"1\"\nname = \"kind\"\n" +
	"[[word]]\nid = \"status.a\"\nsince = \"1\"\nfield = \"status\"\nname = \"a\"\nmeans = \"done\"\nwhy = \"x\"\nhits = [\"a\"]\nmisses = [\"b\"]\n"

func TestLoadSpecsRefuses(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(goodWord, old) {
			t.Fatalf("%q is not in the good file", old)
		}
		return strings.Replace(goodWord, old, new, 1)
	}
	refusals{
		{"no TOML", "[[word", "rules/specs/status.toml:1: "},
		{"unknown key", goodWord + "colour = \"red\"\n", `rules/specs/status.toml:18: unknown key "word.colour"`},
		{"id twice", edit("status.g", "status.f"), "rules/specs/status.toml:5: status.f: status.f is there already, at rules/specs/status.toml:1"},
		{"id of another file", edit("status.a", "word.a"), "rules/specs/status.toml:9: word.a: id must be status. followed by lower-case words joined by hyphens"},
		{"no since", edit("since = \"1\"\nfield", "field"), "rules/specs/status.toml:9: status.a: since and name are needed"},
		{"no such field", edit("field = \"status\"", "field = \"mood\""), `there is no field "mood"`},
		{"no why", edit("why = \"x\"\n", ""), "status.a: why is needed"},
		{"no meaning", edit("means = \"done\"", "means = \"maybe\""), `means is "maybe"; expected open, done or dropped`},
		{"meaning of another field", edit("field = \"status\"", "field = \"kind\""), "means, full and early are of a status"},
		{"full of what is open", edit("means = \"done\"", "means = \"open\"\nfull = true"), "full is of what is done, early of what is open"},
		{"early of what is done", edit("means = \"done\"", "means = \"done\"\nearly = true"), "full is of what is done, early of what is open"},
		{"capitals", edit("why =", "words = [\"A\"]\nwhy ="), `"A" must be words in lower case, joined by hyphens`},
		{"word twice", edit("why =", "words = [\"A-a\", \"a a\", \"a_a\"]\nwhy ="), "status a-a is there already"},
		{"no examples", edit("hits = [\"a\"]\n", ""), "needs a hit and a near miss at least"},
		{"section without words", goodWord + "[[section]]\nid = \"status.s\"\nsince = \"1\"\nname = \"s\"\nhits = [\"a\"]\n", "rules/specs/status.toml:18: status.s: needs words, two hits and two near misses at least"},
	}.refused(t, "rules/specs/status.toml", func(m fstest.MapFS) error { _, err := LoadSpecs(m); return err })
	if _, err := LoadSpecs(fstest.MapFS{}); err == nil {
		t.Error("LoadSpecs of nothing = nil, want an error")
	}
	s, err := LoadSpecs(fstest.MapFS{"rules/specs/status.toml": {Data: []byte(goodWord)}})
	if err != nil || len(s.Fields) != 2 || len(s.Words) != 1 || s.Words[0].Line != 9 {
		t.Errorf("LoadSpecs = %+v, %v", s, err)
	}
}

// A value is compared without case, and whatever joins its words.
func TestSpecFold(t *testing.T) {
	for in, want := range map[string]string{"In Progress": "in-progress", "in_progress": "in-progress", " P0 - Critical ": "p0-critical", "a//b": "a-b", "": "", "--": "", "완료 됨": "완료-됨"} {
		if got := SpecFold(in); got != want {
			t.Errorf("SpecFold(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLoadSecretsRefuses(t *testing.T) {
	const good = "[[secret]]\nid = \"x.key\"\nword = \"xk_\"\nprefixes = [\"xk_\"]\nchars = \"hex\"\nmin = 8\nmax = 16\nwhat = \"a key\"\n"
	edit := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	refusals{
		{"no TOML", "[[secret", "rules/secrets/a.toml:1: "},
		{"twice", good + good, "rules/secrets: x.key: duplicate id"},
		{"letters", edit(`"hex"`, `"runes"`), `rules/secrets/a.toml:1: x.key: chars "runes" is not one of `},
		{"no what", edit("what = \"a key\"\n", ""), "a secret needs id, what, and prefixes or a word"},
		{"short word", edit(`word = "xk_"`, `word = "x"`), `"x" is too short to be looked for`},
		{"less than the least", edit("max = 16", "max = 4"), "a secret needs 0 < min <= max, or mask"},
		{"no end", edit("min = 8\nmax = 16", ""), "a secret needs 0 < min <= max, or mask"},
		{"prefix without the word", edit(`prefixes = ["xk_"]`, `prefixes = ["yk_"]`), `prefix "yk_" does not hold the word "xk_", by which it is found`},
		{"no examples", edit(`prefixes = ["xk_"]`, "entropy = 3.0"), "a secret without a prefix needs hits and misses"},
		{"program without names", "[[program]]\nhits = [\"a\"]\nmisses = [\"b\"]\n", "rules/secrets/a.toml:1: a program needs names"},
		{"program with a letter", "[[program]]\nnames = [\"a\"]\nhits = [\"a\"]\nmisses = [\"b\"]\n", `rules/secrets/a.toml:1: a: "a" is too short to be looked for`},
		{"random with more", "[[program]]\nnames = [\"ab\"]\nrandom = true\nnext = [\"-x\"]\nhits = [\"ab\"]\nmisses = [\"b\"]\n", "random looks at every operand alike and stands alone"},
		{"program without examples", "[[program]]\nnames = [\"ab\"]\n", "a program needs hits and misses"},
	}.refused(t, "rules/secrets/a.toml", func(m fstest.MapFS) error { _, err := LoadSecrets(m); return err })
	if _, err := LoadSecrets(fstest.MapFS{}); err == nil {
		t.Error("LoadSecrets of nothing = nil, want an error")
	}
}

func TestLoadRisksRefusesTables(t *testing.T) {
	refusals{
		{"tool without a name", goodRisk + "[[tool]]\ncommand = \"command\"\n", "rules/risks/git.toml:11: a tool needs a name"},
		{"tool that does nothing", goodRisk + "[[tool]]\nname = \"Do\"\n", "rules/risks/git.toml:11: Do: a tool needs one of effect, command, text, patch and runs"},
		{"effect without a kind", goodRisk + "[[tool]]\nname = \"Do\"\n[[tool.effect]]\non = \"path\"\n", "Do: an effect of a tool needs kind and on"},
		{"run without a program", goodRisk + "[[tool]]\nname = \"Do\"\n[[tool.runs]]\non = \"code\"\n", "Do: runs of a tool needs program, and on"},
		{"program without a name", goodRisk + "[[program]]\nplain = true\n", "rules/risks/git.toml:11: a program needs a name"},
		{"dash", goodRisk + "[[program]]\nname = \"x\"\ndash = \"three\"\n", `x: dash "three" is none of `},
		{"effect on nothing", goodRisk + "[[program]]\nname = \"x\"\n[[program.effect]]\nkind = \"delete\"\n", "x: an effect needs a kind and what it is on"},
		{"family of no files", goodRisk + "[[files]]\nis = \"secret\"\n", "a file family needs its name and globs"},
		{"group without a why", goodRisk + "[[group]]\nid = \"a\"\nwords = [\"b\"]\n", "rules/risks/git.toml:11: a: a group of programs needs id and why"},
		{"group out of order", goodRisk + "[[group]]\nid = \"a\"\nwhy = \"x\"\nwords = [\"c\", \"b\"]\n", "programs and words of a group are sorted by name"},
	}.refused(t, "rules/risks/git.toml", func(m fstest.MapFS) error { _, err := LoadRisks(m); return err })
}

func TestLoadLanguagesRefusesTables(t *testing.T) {
	version := func(more string) string { return zig + "[[version]]\nkind = \"pin\"\n" + more }
	refusals{
		{"needs of no form", zig + "[[needs]]\nfiles = [\"x\"]\nform = \"poem\"\n", "rules/languages/zig.toml:18: zig: needs must have files, one of the forms "},
		{"manager without when", zig + "[[manager]]\nname = \"zpm\"\n", "rules/languages/zig.toml:18: zig: a manager needs a name and when"},
		{"framework without when", zig + "[[framework]]\nname = \"z\"\n", "zig: a framework needs a name and when"},
		{"version without a file", version(""), "zig: a version source needs a file"},
		{"match of another format", version("file = \"x\"\nformat = \"toml\"\nfield = \"a\"\nmatch = \"{}\"\n"), "after, match, lookup and agree belong to format line"},
		{"within of another format", version("file = \"x\"\nformat = \"toml\"\nfield = \"a\"\nwithin = \"b\"\n"), "within belongs to format xml"},
		{"format", version("file = \"x\"\nformat = \"poem\"\n"), `version format "poem" is none of first-line, toml, json, yaml, xml, line, yarn-lock`},
		{"runtime", strings.Replace(zig, "kind =", "runtime = \"zog\"\nkind =", 1), `zig: runtime "zog" is no language`},
	}.refused(t, "rules/languages/zig.toml", func(m fstest.MapFS) error {
		m["rules/languages/_paths.toml"] = &fstest.MapFile{Data: []byte("vendored = [\"vendor/\"]\n")}
		_, _, err := LoadLanguages(m)
		return err
	})
	for text, want := range map[string]string{
		"vendored = [\"a/**/b\"]\n":                      `path pattern "a/**/b" is not understood`,
		"vendored = [\"{a\"]\n":                          `path pattern "{a" is not understood`,
		"vendored = [\"a/\"]\n[[example]]\nis = \"x\"\n": "is must be vendored, generated, documentation or empty",
	} {
		_, _, err := LoadLanguages(fstest.MapFS{"rules/languages/zig.toml": {Data: []byte(zig)}, "rules/languages/_paths.toml": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q", text, err, want)
		}
	}
	second := strings.NewReplacer(`"zig"`, `"zag"`, `".zig"`, `".zag"`, `"build.zig"`, `"build.zag"`, `[".h"]`, `[".hh"]`, `"main.zig"`, `"main.zag"`).Replace(zig)
	_, _, err := LoadLanguages(languageFiles(map[string]string{"zig.toml": zig, "zag.toml": second}))
	if want := `"zig" is also a name of zag`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("two languages of one name: %v, want %q", err, want)
	}
}

func TestLoadTagsRefusesKinds(t *testing.T) {
	const good = "[[kind]]\nid = \"chain.x\"\nsince = \"1\"\nname = \"X\"\nfamily = \"chain\"\norder = 1\nwhy = \"x\"\nhits = [\"a.go: x\", \"b.go: x\"]\nmisses = [\"a.go: y\", \"b.go: y\"]\n"
	edit := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	refusals{
		{"no TOML", "[[kind", "rules/tags/chain.toml:1: "},
		{"nothing", "# nothing\n", "rules/tags: no [[kind]] in any file"},
		{"id", edit("chain.x", "mx.x"), "rules/tags/chain.toml:1: mx.x: id must be chain. followed by lower-case words joined by hyphens"},
		{"two parts", edit(`"X"`, `"X:Y"`), "a kind of the chain has a name without a colon"},
		{"name", edit(`"X"`, `"Xy"`), `name "Xy" must be capitals such as SPEC or MX:NOTE`},
		{"note with an order", edit(`"chain"`, `"note"`), "a note has no order and is neither required nor unique"},
		{"family", edit(`"chain"`, `"poem"`), `family is "poem"; expected chain or note`},
		{"few examples", edit(`"a.go: x", "b.go: x"`, `"a.go: x"`), "needs two hits and two near misses at least"},
		{"pattern of examples", edit("why =", "examples = [\"[a\", \"Plan.md\"]\nwhy ="), `examples: "Plan.md" is no pattern in lower case`},
		{"problem without words", good + "[[problem]]\nid = \"problem.format\"\nseverity = \"error\"\n", "problem.format: why, instead and since are needed"},
	}.refused(t, "rules/tags/chain.toml", func(m fstest.MapFS) error { _, err := LoadTags(m); return err })
	if _, err := LoadTags(fstest.MapFS{}); err == nil {
		t.Error("LoadTags of nothing = nil, want an error")
	}
}

func TestLoadContextsRefusesKinds(t *testing.T) {
	rule := func(kind, more string) string {
		return "[[rule]]\nid = \"docs.a\"\nsince = \"1\"\nwhy = \"x\"\nkind = \"" + kind + "\"\nhits = [\"a\", \"b\"]\nmisses = [\"c\", \"d\"]\n" + more
	}
	refusals{
		{"no since", strings.Replace(rule("documents", "words = [\"a\"]\ndocuments = [\"a.md\"]\n"), "since = \"1\"\n", "", 1), "docs.a: since is missing"},
		{"mode without words", rule("mode", "text = \"t\"\n"), "docs.a: needs words or forms"},
		{"mode without text", rule("mode", "words = [\"a\"]\n"), "docs.a: text is missing"},
		{"everyday words without examples", rule("mode", "words = [\"a\"]\ntext = \"t\"\neveryday = [\"b\"]\n"), "everyday words need two everyday_hits and two everyday_misses"},
		{"instructions without files", rule("instructions", ""), "docs.a: files is missing"},
		{"reference without words", rule("reference", ""), "docs.a: needs before, after or questions"},
		{"pasted without words", rule("pasted", ""), "docs.a: needs singles, blocks, levels or start, and no empty word"},
		{"command without a slash", rule("documents", "commands = [\"a\"]\ndocuments = [\"a.md\"]\n"), `command "a" must be / and a name`},
	}.refused(t, "rules/contexts/docs.toml", func(m fstest.MapFS) error { _, err := LoadContexts(m); return err })
}

func TestLoadEventsRefusesSurroundings(t *testing.T) {
	const file = "rules/events/_environment.toml"
	for _, c := range (refusals{
		{"no TOML", "[[client", file + ":1: "},
		{"client without processes", "[[client]]\nname = \"x\"\nvariables = [\"X\"]\nsource = \"s\"\n", file + ":1: x: a client needs name, variables, processes and source"},
		{"pattern of variables", "[[client]]\nname = \"x\"\nvariables = [\"X*\"]\nprocesses = [\"x\"]\nsource = \"s\"\n", `x: "X*" is no name of a variable`},
		{"any process", "[[client]]\nname = \"x\"\nvariables = [\"X\"]\nprocesses = [\"*\"]\nsource = \"s\"\n", `x: "*" is no name of a program`},
		{"variables without a why", "[[ignored]]\nvariables = [\"X\"]\n", "variables need why"},
		{"variable in lower case", "[[file]]\nvariables = [\"x\"]\nwhy = \"w\"\n", `"x" is no name of a variable`},
		{"programs without a why", "[host]\nprograms = [\"tmux\"]\n", "programs need why"},
		{"bad pattern", "[lender]\nprograms = [\"[\"]\nwhy = \"w\"\n", `"[" is no name of a program`},
	}) {
		if _, err := LoadEvents(broken(t, file, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want %q", c.name, err, c.want)
		}
	}
}

// A variable of a list is one of its names, or begins as one of its patterns does, and is none of the exceptions.
func TestVariablesHas(t *testing.T) {
	v := Variables{Names: []string{"GIT_*", "TZ"}, Except: []string{"GIT_PAGER"}}
	for name, want := range map[string]bool{"GIT_DIR": true, "GIT_": true, "TZ": true, "GIT_PAGER": false, "TZX": false, "G": false} {
		if got := v.Has(name); got != want {
			t.Errorf("Has(%s) = %t, want %t", name, got, want)
		}
	}
}
