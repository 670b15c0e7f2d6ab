package rule

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const goodRisk = `[[rule]]
id      = "git.reset-hard"
since   = "0.1.0"
program = "git"
args    = { subcommand = "reset", flags = ["--hard|-H", "-q"], max_operands = 0 }
action  = "ask"
why     = "throws work away"
instead = "see ` + "`git status`" + `"
hits    = ["a", "b"]
misses  = ["c", "d"]
`

// TestLoadRisksProblems holds the words of every complaint: they are what the
// author of a rule sees.
func TestLoadRisksProblems(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(goodRisk, old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"why", edit(`why     = "throws work away"`, ""), "rules/risks/git.toml:1: git.reset-hard: missing why"},
		{"instead", edit("instead = \"see `git status`\"", `instead = " "`), "rules/risks/git.toml:1: git.reset-hard: missing instead"},
		{"no command", edit("`git status`", "the status"), "rules/risks/git.toml:1: git.reset-hard: instead advises no command in backticks: name one that passes, or say in commandless why there is none"},
		{"a command all the same", goodRisk + "commandless = \"x\"\n", "rules/risks/git.toml:1: git.reset-hard: commandless is for rules that advise no command, and this one does"},
		{"since", edit(`since   = "0.1.0"`, ""), "rules/risks/git.toml:1: git.reset-hard: missing since"},
		{"hits", edit(`["a", "b"]`, `["a"]`), "rules/risks/git.toml:1: git.reset-hard: needs at least two hits, has 1"},
		{"misses", edit(`["c", "d"]`, `[]`), "rules/risks/git.toml:1: git.reset-hard: needs at least two near misses, has 0"},
		{"family", edit("git.reset-hard", "hg.reset-hard"), `rules/risks/git.toml:1: hg.reset-hard: id must start with "git.", the name of its file`},
		{"id form", edit("git.reset-hard", "git.Reset"), "rules/risks/git.toml:1: git.Reset: id must look like family.hazard-in-words"},
		{"no id", edit(`id      = "git.reset-hard"`, ""), "rules/risks/git.toml:1: missing id"},
		{"action", edit(`"ask"`, `"block"`), `rules/risks/git.toml:1: git.reset-hard: action "block" is not checkpoint, ask or deny`},
		{"unasked word", edit(`action  = "ask"`, "action = \"ask\"\nunasked = \"ask\""), `rules/risks/git.toml:1: git.reset-hard: unasked is "ask", and may be deny only`},
		{"unasked of a denial", edit(`action  = "ask"`, "action = \"deny\"\nunasked = \"deny\""), `rules/risks/git.toml:1: git.reset-hard: unasked is "deny", and may be deny only, for a rule whose action is ask`},
		{"mode without a name", goodRisk + "[[mode]]\nunattended = true\n", "rules/risks/git.toml:11: a mode needs the name that the client gives it"},
		{"mode that says nothing", goodRisk + "[[mode]]\nname = \"x\"\n", "rules/risks/git.toml:11: x: a mode needs unattended or loses"},
		{"checkpoint", edit(`"ask"`, `"checkpoint"`), "rules/risks/git.toml:1: git.reset-hard: a checkpoint needs an operation, the word in its name"},
		{"no operands at all", edit("max_operands = 0", "max_operands = -1"), "rules/risks/git.toml:1: git.reset-hard: min_operands and max_operands count operands, so they are not below 0"},
		{"fewer than none", edit("max_operands = 0", "min_operands = -2"), "rules/risks/git.toml:1: git.reset-hard: min_operands and max_operands count operands, so they are not below 0"},
		{"none fits", edit("max_operands = 0", "min_operands = 2, max_operands = 1"), "rules/risks/git.toml:1: git.reset-hard: min_operands = 2 is above max_operands = 1: it would never fire"},
		{"unknown key", edit("why ", "because "), `rules/risks/git.toml:7: unknown key "rule.because"`},
		{"class", edit(`flags = ["--hard|-H", "-q"]`, `effect = "write", path = "attic"`), `rules/risks/git.toml:1: git.reset-hard: path "attic" is not one of root, home, system, parent, other, outside, project, inside, temp, device, unknown, .git, ignored, drop`},
		{"path alone", edit(`flags = ["--hard|-H", "-q"]`, `path = "home"`), "rules/risks/git.toml:1: git.reset-hard: path, files and exists need an effect"},
		{"everything", edit(`program = "git"`, ""), "rules/risks/git.toml:1: git.reset-hard: names no program, tool, effect, variable or predicate: it would fire on everything"},
		{"every tool", edit(`program = "git"`, `tool = "*"`), "it would fire on everything"},
		{"not text", edit(`"reset"`, "7"), "rules/risks/git.toml:1: git.reset-hard: subcommand is neither text nor a list of texts"},
		{"statement of a tool", edit(`program = "git"`, `tool = "mcp__db__query"`), "rules/risks/git.toml:1: git.reset-hard: subcommand is about command lines, and mcp__db__query runs none that it could see"},
		{"says of a tool", goodRisk + strings.NewReplacer("reset-hard", "drop", `program = "git"`, `tool = "mcp__db__query"`, `subcommand = "reset", flags = ["--hard|-H", "-q"], max_operands = 0`, `says = ["DROP TABLE"]`).Replace(goodRisk), "rules/risks/git.toml:11: git.drop: says is about command lines"},
		{"keeps without a question", edit(`action  = "ask"`, "action = \"deny\"\noperation = \"x\"\nkeeps = \"x\""), "keeps is about the checkpoint before a question"},
		{"pins of nothing", goodRisk + strings.Replace(goodRisk, "reset-hard", "x", 1) + "pins = \"HEAD\"\n", "rules/risks/git.toml:11: git.x: pins and beyond are about the checkpoint before a call"},
		{"unknown pins", goodRisk + "operation = \"reset\"\npins = \"head\"\n", `rules/risks/git.toml:1: git.reset-hard: pins "head" is not one of HEAD, branch, `},
		{"none and more", goodRisk + "operation = \"reset\"\npins = [\"none\", \"HEAD\"]\n", "rules/risks/git.toml:1: git.reset-hard: pins says none and HEAD"},
		{"not pinned", goodRisk + "operation = \"reset\"\n[[moves]]\nprogram = \"git\"\nargs = { subcommand = [\"commit\", \"reset\"] }\npins = \"HEAD\"\n", "rules/risks/git.toml:1: git.reset-hard: git reset moves references (rules/risks/git.toml:12): say which in pins, or none"},
		{"part not pinned", strings.Replace(goodRisk, `"reset"`, `"stash drop"`, 1) + "operation = \"stash\"\n[[moves]]\nprogram = \"git\"\nargs = { subcommand = \"stash\" }\npins = \"none\"\n", "git stash moves references"},
		{"moves nothing", goodRisk + "[[moves]]\nprogram = \"git\"\nargs = { subcommand = \"reset\" }\n", "rules/risks/git.toml:11: git: what moves references says which in pins"},
		{"moves anything", goodRisk + "[[moves]]\nprogram = \"git\"\npins = \"HEAD\"\n", "rules/risks/git.toml:11: git: what moves references needs program and subcommand"},
		{"duplicate", goodRisk + goodRisk, "rules/risks/git.toml:11: git.reset-hard: duplicate id, first in rules/risks/git.toml:1"},
		{"exception", goodRisk + "[[allow]]\nrule = \"git.*\"\nreason = \"x\"\n", "rules/risks/git.toml:11: git.*: exceptions belong in your own rules folder"},
		{"secret", goodRisk + "[[secret]]\nid = \"x\"\nword = \"x\"\nchars = \"hex\"\nmin = 1\nmax = 2\nwhat = \"x\"\n", "rules/risks/git.toml:11: x: a secret without a prefix needs an entropy, or every value would be one"},
		{"group twice", goodRisk + strings.Repeat("[[group]]\nid = \"a\"\nwhy = \"x\"\nwords = [\"b\"]\n", 2), "rules/risks: a: two groups have this id"},
		{"group of both", goodRisk + "[[group]]\nid = \"a\"\nwhy = \"x\"\nwords = [\"b\"]\nprograms = [\"b\"]\n", "a group needs programs, or words"},
		{"program twice", goodRisk + "[[program]]\nname = \"git\"\n[[program]]\nname = [\"hub\", \"git\"]\n", "rules/risks/git.toml:13: git: duplicate program, first in rules/risks/git.toml:11"},
	} {
		_, err := LoadRisks(fstest.MapFS{"rules/risks/git.toml": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: LoadRisks = %v, want %q", c.name, err, c.want)
		}
	}
}

func TestLoadRisks(t *testing.T) {
	got, err := LoadRisks(fstest.MapFS{"rules/risks/git.toml": {Data: []byte(goodRisk)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Risk{{
		ID: "git.reset-hard", Since: "0.1.0", Programs: NewTexts("git"), Action: Ask, Why: "throws work away", Instead: "see `git status`",
		When: When{Sub: NewTexts("reset"), Flags: []Texts{NewTexts("--hard", "-H"), NewTexts("-q")}, Max: 1},
		Hits: NewTexts("a", "b"), Misses: NewTexts("c", "d"), File: "rules/risks/git.toml", Line: 1,
	}}
	if diff := cmp.Diff(want, got.Rules); diff != "" {
		t.Errorf("LoadRisks (-want +got):\n%s", diff)
	}
}

func TestLoadRisksNothing(t *testing.T) {
	if _, err := LoadRisks(fstest.MapFS{}); err == nil {
		t.Error("LoadRisks of an empty folder = nil, want an error: a wrong root would give an empty table")
	}
}

func TestActionRoundTrip(t *testing.T) {
	for _, a := range []Action{Checkpoint, Ask, Deny} {
		if got, ok := ParseAction(a.String()); !ok || got != a {
			t.Errorf("ParseAction(%q) = %v, %t, want %v", a.String(), got, ok, a)
		}
	}
	if _, ok := ParseAction("allow"); ok {
		t.Error(`ParseAction("allow") is accepted: a rule that allows is an exception`)
	}
}
