package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/contexts"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// stub is what a family's new rule begins as. Its required fields are empty, so
// that rules check says what is missing.
type stub struct {
	family string
	id     string // what an id looks like
	dir    string // folder below rules/
	whole  bool   // the rule is a file of its own; else it is added to one
	text   func(id string, builtin bool) string
	taken  func(e *env, id string) bool
}

// stubs are the families that people add to. Events come from a client and journal types from code: nobody begins those.
var stubs = []stub{
	{"risk", "deploy.skip-tests", "risks", false, riskStub, func(e *env, id string) bool { return e.risks(e.projectRoot()).Rule(id) != nil || e.begun(id) }},
	{"language", "koka", "languages", true, func(id string, _ bool) string { return rule.LanguageStub(id) }, func(e *env, id string) bool {
		_, ok := e.languages().Find(id)
		return ok
	}},
	{"context", "documents.release", "contexts", false, contextStub, func(_ *env, id string) bool {
		for i := range contexts.Rules {
			if contexts.Rules[i].ID == id {
				return true
			}
		}
		return false
	}},
	{"tag", "chain.plan", "tags", false, tagStub, func(_ *env, id string) bool {
		for i := range tables.Kinds {
			if tables.Kinds[i].ID == id {
				return true
			}
		}
		return false
	}},
}

// stubJSON is the answer of rules new.
type stubJSON struct {
	Family  string `json:"family"`
	ID      string `json:"id"`
	File    string `json:"file"` // where it belongs
	Written bool   `json:"written"`
	Text    string `json:"text"`
}

// newRulesNew prints by default: most people have a file already and want to see what a rule is made of.
func newRulesNew(e *env) *cobra.Command {
	var write bool
	c := &cobra.Command{
		Use:   "new risk|language|context|tag ID",
		Short: "Begin a rule: print it with the fields to fill in",
		Long: `Prints a new rule with the fields to fill in, or with --write adds it where it
belongs: a risk to .moai/rules of your project, a language to rules/languages of
your own configuration; any of them to rules/ in moai's own source tree. Then:
moai rules check.`,
		Example: "  moai rules new risk deploy.skip-tests --write\n  moai rules new language zag",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			for i := range stubs {
				if stubs[i].family == args[0] {
					return e.beginRule(&stubs[i], args[1], write)
				}
			}
			return hint(usagef("there are no rules of the kind %q", args[0]), "moai rules new --help")
		},
	}
	for i := range stubs {
		c.ValidArgs = append(c.ValidArgs, stubs[i].family)
	}
	c.Flags().BoolVar(&write, "write", false, "add it to its file instead of printing it")
	return c
}

// beginRule finds the place of a rule by its id, since the generator insists on it: the part before the dot names the
// file, so that two people who add to one family meet in one file and see each other's rules.
func (e *env) beginRule(s *stub, id string, write bool) error {
	group, hazard, dotted := strings.Cut(id, ".")
	if !plainWord(group) || dotted == s.whole || dotted && !plainWord(hazard) {
		return usagef("the id is %q, want one such as %s", id, s.id)
	}
	// An id is never used twice, not even for a rule that is still empty: exceptions and the journal name rules by it.
	if s.taken(e, id) {
		return usagef("there is a %s %s already", s.family, id)
	}
	root := e.projectRoot()
	builtin := sourceTree(root) != ""
	file := filepath.Join(e.places(root).ProjectRules(), group+".toml")
	yours := s.family == "language" && !builtin
	switch dir := e.added().Dir(); {
	case yours && dir == "":
		return homeless(policy.ErrNoHome)
	case yours:
		file = filepath.Join(dir, group+".toml")
	case builtin || s.family != "risk":
		file = path.Join("rules", s.dir, group+".toml")
	}
	if write && !builtin && !yours && s.family != "risk" {
		return hint(usagef("a %s is built into moai: it belongs in %s of its source tree", s.family, file), "moai rules new "+s.family+" "+id)
	}
	if builtin {
		file = filepath.Join(root, filepath.FromSlash(file))
	}
	out := stubJSON{s.family, id, file, write, s.text(id, builtin)}
	if write {
		if err := appendRule(file, out.Text, s.whole); err != nil {
			return err
		}
	}
	switch {
	case e.json:
		return e.printJSON(out)
	// What stands next is said in full, since each kind has another command that proves it right.
	case write && builtin:
		fmt.Fprintf(e.out, "added to %s; fill it in, then: moai rules check %s && go generate ./...\n", file, file)
	case write:
		fmt.Fprintf(e.out, "added to %s; fill it in, then: moai rules check %s\n", file, file)
	default:
		where := file
		if !builtin && !yours && s.family != "risk" {
			where += " of moai's source tree, and counts once moai is built with it: no project and no person has a " + s.family + " of their own"
		}
		fmt.Fprintf(e.err, "moai: this belongs in %s\n", where)
		fmt.Fprint(e.out, term.Lines(out.Text))
	}
	return nil
}

// begun reports a risk rule of this id that is there but not yet filled in, so that it does not count.
func (e *env) begun(id string) bool {
	r, added, err := e.readAdded(nil)
	return err == nil && (slices.ContainsFunc(r.Problems, func(p problemJSON) bool { return p.ID == id }) ||
		slices.ContainsFunc(added.rules, func(x rule.Risk) bool { return x.ID == id }))
}

// plainWord reports lower-case words joined by hyphens: what ids and file names
// are made of, and nothing that leads out of a folder.
func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != ""
}

// appendRule adds a rule to its file, or makes a file that must not be there.
func appendRule(file, text string, whole bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	mode := os.O_CREATE | os.O_APPEND | os.O_WRONLY
	if whole {
		mode |= os.O_EXCL
	}
	f, err := os.OpenFile(file, mode, 0o644)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// riskStub leaves empty what nobody can guess. The example texts are two, the least that is taken.
func riskStub(id string, builtin bool) string {
	family, _, _ := strings.Cut(id, ".")
	return fmt.Sprintf(`[[rule]]
id      = %q
%sprogram = %q
args    = { subcommand = "", flags = [""] }
action  = "ask"                # checkpoint (with an operation), ask or deny
why     = ""
instead = ""
hits    = ["", ""]
misses  = ["", ""]
`, id, since("since   = ", builtin), family)
}

// contextStub begins with documents, which teams add most; modes and instructions have fields of their own.
func contextStub(id string, _ bool) string {
	return fmt.Sprintf(`[[rule]]
id        = %q
%skind      = "documents"        # or mode, instructions: see the other files
commands  = []                 # "/team:release"; or agents, words, programs
documents = []                 # paths below the project, in order
why       = ""
hits      = ["", ""]
misses    = ["", ""]
`, id, since("since     = ", true))
}

// tagStub knows chains and notes: a note has no place in an order, and its name carries its family.
func tagStub(id string, _ bool) string {
	family, name, _ := strings.Cut(id, ".")
	order := "order    = 0                    # place in the chain, from 1\n"
	if family != rule.TagChain { // the names of notes carry their family: MX:NOTE
		family, name, order = rule.TagNote, family+":"+name, ""
	}
	return fmt.Sprintf(`[[kind]]
id       = %q
%sname     = %q
family   = %q
%splaces   = []                   # globs of the paths where definitions are expected
why      = ""
hits     = ["", ""]             # "path: line" with a definition
mentions = []                   # … that only speaks of one
misses   = ["", ""]             # … with none
`, id, since("since    = ", true), strings.ToUpper(name), family, order)
}

// since is the line that built-in rules need and others do not.
func since(key string, builtin bool) string {
	if !builtin {
		return ""
	}
	return fmt.Sprintf("%s%q\n", key, build.Release)
}
