package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/languages"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/spec"
)

// riskRules are the risk rules that were read, with what their examples run against.
type riskRules struct {
	rules []rule.Risk
	set   *risk.Set
	added bool // by the user or a project; the generator has run the examples of those that are built in
}

// mostExamples is how many are run of files that nobody has asked to be tested: they may be a stranger's.
const mostExamples = 2000

// glance is run for so many of them as need no waiting.
func (x *riskRules) glance(r *rulesReport) (examples int) {
	if x == nil || !x.added {
		return 0
	}
	some := *x
	for i := range x.rules {
		if examples += x.rules[i].Examples(); examples > mostExamples {
			one := &x.rules[i]
			r.add(&rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("is beyond %d examples, so that its own were not run: moai rules test", mostExamples)})
			some.rules = x.rules[:i]
			break
		}
	}
	return some.run(r)
}

// run runs the rules over their examples and returns how many there were.
func (x *riskRules) run(r *rulesReport) (examples int) {
	if x == nil {
		return 0
	}
	r.add(rule.Join(risk.VerifyIn(x.set, x.rules)))
	for i := range x.rules {
		examples += x.rules[i].Examples()
	}
	return examples
}

// readRules reads the rules that were added here, or the files named; in moai's
// source tree those that are built in.
func (e *env) readRules(files []string) (*rulesReport, *riskRules, error) {
	if root := sourceTree(e.projectRoot()); root != "" {
		names, ok, err := builtinFiles(root, e.dir, files)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			return readBuiltin(root, names)
		}
	}
	return e.readAdded(files)
}

// readAdded reads the rules of the user and of the project, or the files named.
func (e *env) readAdded(files []string) (*rulesReport, *riskRules, error) {
	p := e.places(e.projectRoot())
	r := &rulesReport{Files: files}
	all := &rule.Risks{}
	own, risky, err := e.readLanguages(r, p, files)
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		found, err := p.Files()
		r.add(err)
		risky, r.Files, r.Languages = found, slices.Concat(found, own), own
		r.unread(p.UserRules(), "languages")
		r.unread(p.ProjectRules(), "")
	}
	// Every file is read by itself, so that one that is broken costs its own rules and no others.
	for _, f := range risky {
		// The guard skips what is no plain file; reading a pipe would never end.
		if info, err := os.Lstat(f); len(files) == 0 && err == nil && !info.Mode().IsRegular() {
			r.add(&rule.Problem{File: f, Text: "is not a plain file: the guard ignores it"})
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil && len(files) == 0 {
			r.add(&rule.Problem{File: f, Text: "cannot be read, so its rules do not count: " + reason(err)})
			continue
		} else if err != nil {
			return nil, nil, unreadable(f, err)
		}
		full, source := f, rule.ByUser
		if !filepath.IsAbs(f) {
			full = filepath.Join(e.dir, f)
		}
		if filepath.Dir(full) == p.ProjectRules() && !p.Approved(full, data) {
			source = rule.ByProject
			_, err := rule.DecodeRisks(f, data, rule.ByUser) // so that what waits is looked at as well
			r.add(err)
		}
		one, err := rule.DecodeRisks(f, data, source)
		r.add(err)
		if one != nil {
			all.Add(one)
		}
	}
	for i := range all.Rules {
		one := &all.Rules[i]
		r.predicates(one)
		// Both hold, but an exception or a question about the id would be about either.
		if first := slices.IndexFunc(all.Rules, func(x rule.Risk) bool { return x.ID == one.ID }); first < i {
			r.add(&rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("%s:%d has this id already", all.Rules[first].File, all.Rules[first].Line)})
		}
		if risktable.Set().Rule(one.ID) != nil {
			r.add(&rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: "a built-in rule has this id"})
		}
	}
	all.Sort()
	r.Rules, r.Exceptions = len(all.Rules), len(all.Allows)
	set := risktable.Set()
	set.More = risk.NewSet(all)
	return r, &riskRules{all.Rules, set, true}, nil
}

// unread names the folders below one of rules in which files look like rules and are not read: only the user has one, for languages.
func (r *rulesReport) unread(dir, but string) {
	const most = 20
	n := 0
	folders, _ := os.ReadDir(dir) // none where there is no such folder
	for _, folder := range folders {
		if !folder.IsDir() || folder.Name() == but {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(dir, folder.Name()))
		for _, file := range files {
			if strings.HasSuffix(file.Name(), ".toml") && n < most {
				n++
				r.add(&rule.Problem{File: filepath.Join(dir, folder.Name(), file.Name()), Text: unreadKind(folder.Name())})
			}
		}
	}
}

// unreadKind says why the files of a folder are not read, and where they belong.
func unreadKind(folder string) string {
	switch folder {
	case "languages":
		return "is not read: languages of your own belong in rules/languages of your configuration (moai rules new language ID)"
	case "contexts", "tags":
		return "is not read: this kind of rule counts once moai is built with it, in rules/ of its source tree"
	}
	return "is not read: rules that are added are about risks, and their files lie in the folder above"
}

// readLanguages reads what the user adds to the languages, or those of the files named that do; the others are rest.
func (e *env) readLanguages(r *rulesReport, p policy.Places, files []string) (own, rest []string, err error) {
	if len(files) == 0 {
		own, n, err := e.added().Check(&languages.Table)
		r.add(err)
		r.Examples += n
		return own, nil, nil
	}
	var read []rule.OwnFile
	for _, f := range files {
		full := f
		if !filepath.IsAbs(full) {
			full = filepath.Join(e.dir, f)
		}
		if filepath.Base(filepath.Dir(full)) != "languages" {
			rest = append(rest, f)
			continue
		}
		data, err := os.ReadFile(full)
		if err != nil {
			return nil, nil, unreadable(f, err)
		}
		if filepath.Dir(full) == filepath.Join(p.ProjectRules(), "languages") {
			r.add(&rule.Problem{File: f, Text: unreadKind("languages")})
			continue
		}
		read = append(read, rule.OwnFile{Name: f, Data: data})
	}
	n, wrong := lang.CheckOwn(&languages.Table, read)
	r.add(wrong)
	r.Examples += n
	return nil, rest, nil
}

// predicates complains about those that package risk does not know, or that cannot hold in this rule.
func (r *rulesReport) predicates(x *rule.Risk) {
	for _, text := range risk.Misused(x) {
		r.add(&rule.Problem{File: x.File, Line: x.Line, ID: x.ID, Text: text})
	}
}

// reason is what the system said about a file, without the file's name.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// unreadable is the answer about a file that somebody named.
func unreadable(file string, err error) error {
	var bad *fs.PathError
	if errors.As(err, &bad) {
		return hint(nof("cannot read %s: %w", file, bad.Err), "moai rules check")
	}
	return err
}

// sourceTree is root if it is moai's own source, where rules are built in; else "".
func sourceTree(root string) string {
	name := filepath.Join(root, "go.mod")
	// Every project is asked: a pipe or a link of somebody's would be read for ever.
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil || !strings.HasPrefix(string(data), "module github.com/modu-ai/moai\n") {
		return ""
	}
	if info, err := os.Stat(filepath.Join(root, "rules", "risks")); err != nil || !info.IsDir() {
		return ""
	}
	return root
}

// builtinFiles are files below rules/ as names relative to root: those given, or
// all. ok is false when none of those given is there.
func builtinFiles(root, dir string, files []string) (names []string, ok bool, err error) {
	for _, f := range files {
		full := f
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, f)
		}
		rel, err := filepath.Rel(root, full)
		if err == nil && strings.HasPrefix(filepath.ToSlash(rel), "rules/") {
			if _, err := os.Stat(full); err != nil {
				return nil, false, unreadable(f, err)
			}
			names = append(names, filepath.ToSlash(rel))
		}
	}
	if len(names) > 0 && len(names) < len(files) {
		return nil, false, usagef("built-in rules and others cannot be checked at once")
	}
	return names, len(names) == len(files), nil
}

// readBuiltin reads whole families, since rules refer to each other, and reports
// on the files named, or on all of them.
func readBuiltin(root string, names []string) (*rulesReport, *riskRules, error) {
	fsys := os.DirFS(root)
	r := &rulesReport{Files: names}
	if len(names) == 0 {
		found, err := fs.Glob(fsys, "rules/*/*.toml")
		if err != nil {
			return nil, nil, err
		}
		r.Files = found
	}
	touched := func(family string) bool {
		return slices.ContainsFunc(r.Files, func(f string) bool { return path.Dir(f) == "rules/"+family })
	}
	var risks *riskRules
	if touched("risks") {
		all, err := rule.LoadRisks(fsys)
		r.add(err)
		if all != nil {
			risks = &riskRules{set: risk.NewSet(all)}
			for i := range all.Rules {
				if one := &all.Rules[i]; slices.Contains(r.Files, one.File) {
					r.predicates(one)
					risks.rules = append(risks.rules, *one)
				}
			}
			r.Rules += len(risks.rules)
		}
	}
	for _, family := range []struct {
		name string
		load func() error
	}{
		{"languages", func() error { _, _, err := rule.LoadLanguages(fsys); return err }},
		{"contexts", func() error { _, err := rule.LoadContexts(fsys); return err }},
		{"tags", func() error { _, err := rule.LoadTags(fsys); return err }},
		{"specs", func() error {
			t, err := rule.LoadSpecs(fsys)
			if err != nil {
				return err
			}
			return rule.Join(spec.Check(t))
		}},
		{"libraries", func() error {
			list, err := rule.LoadLibraries(fsys)
			if err != nil {
				return err
			}
			return rule.Join(jit.CheckLibraries(list))
		}},
		{"clients", func() error {
			p, err := rule.LoadEvents(fsys)
			if err == nil {
				_, err = rule.LoadAdapters(fsys, p)
			}
			return err
		}},
		{"events", func() error { _, err := rule.LoadEvents(fsys); return err }},
		{"quality", func() error { _, err := rule.LoadQuality(fsys); return err }},
		{"agents", func() error { _, err := rule.LoadAgents(fsys); return err }},
	} {
		if touched(family.name) {
			r.add(family.load())
		}
	}
	// A problem somewhere else in the family is not this file's.
	r.Problems = slices.DeleteFunc(r.Problems, func(p problemJSON) bool { return len(names) > 0 && p.File != "" && !slices.Contains(names, p.File) })
	return r, risks, nil
}
