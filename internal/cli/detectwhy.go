package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// claimOf is one thing that an answer says, and what speaks for it.
type claimOf struct {
	Path    string   `json:"path"`   // of the project that it is about, "." for the folder itself
	Field   string   `json:"field"`  // language, version, framework, what a command is for, or the kind of a fact
	Answer  string   `json:"answer"` // the command, the name
	Because []string `json:"because"`
	tool    string   // the name of the program
}

// claimsOf are the claims about one folder that --why asks for.
type claimsOf struct {
	Dir    string    `json:"dir"`
	Claims []claimOf `json:"claims"`
}

func (c claimsOf) folder() string { return c.Dir }

// whyFlag is the option that may stand without a value: then it asks for all that the answer says.
const whyFlag = "--why"

// whyAll gives --why an empty value where none stands behind it.
func whyAll(args []string) []string {
	i := slices.Index(args, whyFlag)
	if v := verbOf(args); i < 0 || v == nil || v.name != "detect" || i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
		return args
	}
	return slices.Concat(args[:i], []string{whyFlag + "="}, args[i+1:])
}

// isFolder reports a word behind --why that is a folder, as where --why stands alone.
func (e *env) isFolder(name string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.dir, name)
	}
	fi, err := os.Stat(name)
	return err == nil && fi.IsDir()
}

// asksLanguage reports that --why is about a language. Some are called like work, a tool or a framework: there such a language has to be
// here, under its own name.
func (e *env) asksLanguage(name string, r *lang.Report) bool {
	l, ok := e.languages().Find(name)
	itself := ok && (strings.EqualFold(l.ID, name) || strings.EqualFold(l.Name, name))
	return ok && (!e.answerable(name) || itself && r.Language(l.ID) != nil)
}

// purposeful reports the name of something that a command is for.
func purposeful(name string) bool {
	return slices.ContainsFunc((&lang.Tools{}).Purposes(), func(p lang.Purposed) bool { return claimOf{Field: p.Name}.about(name) })
}

// answerable reports a name of which an answer may say something: a field, or what the rules know.
func (e *env) answerable(name string) bool {
	t := e.languages()
	known := claimOf{Field: "version"}.about(name) || claimOf{Field: "language"}.about(name) || claimOf{Field: "framework"}.about(name) || purposeful(name)
	knows := func(s *rule.Toolset) bool {
		for _, group := range s.Purposes() {
			if slices.ContainsFunc(group.Tools, func(tool rule.Tool) bool { return strings.EqualFold(tool.Name, name) }) {
				return true
			}
		}
		return slices.ContainsFunc(s.Managers, func(m rule.Manager) bool { return strings.EqualFold(m.Name, name) }) ||
			slices.ContainsFunc(s.Frameworks, func(f rule.Framework) bool { return strings.EqualFold(f.Name, name) })
	}
	for i := range t.Languages {
		known = known || knows(&t.Languages[i].Toolset)
	}
	for i := range t.Systems.List {
		known = known || knows(&t.Systems.List[i].Toolset)
	}
	for i := range t.Facts {
		known = known || strings.EqualFold(t.Facts[i].Name, name) || strings.EqualFold(t.Facts[i].Kind, name)
	}
	return known
}

// about reports a claim that a word asks for: its field ("test", "tests", "linter"), the name of the program, or the answer itself.
func (c claimOf) about(word string) bool {
	stem := strings.TrimSuffix(c.Field, "s")
	for _, end := range strings.Fields("s er ter _manager") { // as they stand in the JSON, or as people say it
		if strings.EqualFold(word, stem+end) {
			return true
		}
	}
	return strings.EqualFold(word, stem) || strings.EqualFold(c.tool, word) || strings.EqualFold(c.Answer, word)
}

// claims are all that a report says, of the folder itself and of the projects in it.
func claims(r *lang.Report) (list []claimOf) {
	add := func(path, field, answer, tool string, because ...string) {
		list = append(list, claimOf{path, field, answer, slices.DeleteFunc(because, func(s string) bool { return s == "" }), tool})
	}
	tools := func(path string, t *lang.Tools) {
		for _, p := range t.Purposes() {
			if p.Tool != nil {
				add(path, p.Name, cmp.Or(p.Tool.Command, p.Tool.Name), p.Tool.Name, p.Tool.Name+": "+p.Tool.Because)
			}
		}
		for _, f := range t.Frameworks {
			add(path, "framework", f.Name, "", f.Because)
		}
	}
	if r.Primary != nil {
		add(".", "language", r.Primary.Title(), r.Primary.Name, append(slices.Clone(r.Primary.Evidence), fmt.Sprintf("%d%% sure", int(r.Primary.Confidence*100+0.5)))...)
	}
	for _, l := range r.Languages {
		if l.Version != "" {
			add(".", "version", l.Name+" "+lang.Stated(l.Version, l.VersionKind), l.Name, l.VersionSource)
		}
	}
	tools(".", &r.Tools)
	for _, f := range r.Facts {
		add(".", f.Kind, f.Name, "", f.Because)
	}
	for i := range r.Projects {
		p := &r.Projects[i]
		if p.Primary != nil {
			add(p.Path, "language", p.Primary.Title(), p.Primary.Name, append(slices.Clone(p.Primary.Evidence), p.Manifest)...)
		}
		tools(p.Path, &p.Tools)
	}
	return list
}

// showClaims says what speaks for what is asked about, in the folder first, and in the projects below it; without a word for all that is said
// of the folder. It says no where nothing is said.
func (e *env) showClaims(reports []*lang.Report, word string) error {
	list, found := make([]claimsOf, len(reports)), false
	for i, r := range reports {
		list[i] = claimsOf{r.Dir, []claimOf{}}
		for _, c := range claims(r) {
			if word == "" && c.Path == "." || word != "" && c.about(word) {
				list[i].Claims = append(list[i].Claims, c)
			}
		}
		found = found || len(list[i].Claims) > 0
	}
	err := printViews(e, list, func(i int) {
		for _, c := range list[i].Claims {
			field := c.Field
			if c.Path != "." {
				field = term.Name(c.Path) + " " + field
			}
			fmt.Fprintf(e.out, "%s: %s\n", field, e.style().Bold(term.Text(c.Answer)))
			for _, line := range c.Because {
				fmt.Fprintln(e.out, "  "+term.Text(line))
			}
		}
		if len(list[i].Claims) == 0 {
			fmt.Fprintf(e.out, "nothing here speaks for %s\n", cmp.Or(word, "the project"))
		}
	})
	if err != nil || found {
		return err
	}
	return errNo
}
