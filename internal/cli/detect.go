package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/term"
)

// detectFlags are the views that moai detect has; without one it shows the summary.
type detectFlags struct {
	all, versions, tools, projects, breakdown, fresh, context, schema bool
	why, explain, format, rev                                         string
	claims                                                            bool // --why is asked: of all, where why is empty
}

// detectLimit ends a scan that would go on for ever (network drives).
const detectLimit = 30 * time.Second

// newDetect answers one question at a time where one is asked, and all in short where none is. Flags and not verbs,
// since they combine with folders and with --json, which always holds everything.
func newDetect(e *env) *cobra.Command {
	var f detectFlags
	c := &cobra.Command{
		Use:   "detect [DIR...]",
		Short: "Say which languages, versions and tools a project uses",
		Long: `Say which languages, versions and tools a project uses, and why.

The answer comes from the Git index (or a walk that honours .gitignore), from
manifests, and from the first kilobytes of files whose name leaves a doubt.
Nothing is executed. The answer is kept until the index or a manifest changes.`,
		Example: `  moai detect
  moai detect --why python ~/src/app
  moai detect --why test
  moai detect --explain include/list.h
  moai detect --rev v1.0 --versions
  moai detect --json | jq -r .primary.id
  moai detect --json --breakdown | jq -r '.files[] | select(.language == "c").path'
  eval "$(moai detect --format env)" && sh -c "$PROJECT_TEST"`,
		RunE: func(c *cobra.Command, dirs []string) error {
			if f.rev == "" && c.Flags().Changed("rev") { // a variable of a script that is not set
				return hint(usagef("--rev wants a commit, and got none"), "git log --oneline --all")
			}
			f.claims = c.Flags().Changed("why")
			return e.buffered(func() error { return e.showDetected(dirs, &f) })
		},
	}
	c.Flags().BoolVar(&f.all, "all", false, "list every language, data and prose among them")
	c.Flags().StringVar(&f.why, "why", "", "say what speaks for a `NAME`: a language, test, version, a framework; for all without")
	c.Flags().BoolVar(&f.versions, "versions", false, "list versions and where they are stated")
	c.Flags().BoolVar(&f.tools, "tools", false, "list the commands of the work here: packages, format, lint, test, build and more")
	c.Flags().BoolVar(&f.projects, "projects", false, "list the projects below the root, and what else lies at it")
	c.Flags().BoolVar(&f.breakdown, "breakdown", false, "list every file with its language")
	c.Flags().StringVar(&f.explain, "explain", "", "say how one `file` is classified")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "do not use the kept answer")
	c.Flags().StringVar(&f.rev, "rev", "", "answer for a `COMMIT` (tag, branch, id, HEAD~2), without a checkout")
	c.Flags().StringVar(&f.format, "format", "table", "print it as `FORM`: "+detectForms+" (env is for eval in a shell, mise a mise.toml)")
	c.Flags().BoolVar(&f.context, "context", false, "print what an agent should know, in at most 25 lines")
	c.Flags().BoolVar(&f.schema, "schema", false, "print the JSON Schema of what --json prints with these flags")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(strings.Split(detectForms, ", "), cobra.ShellCompDirectiveNoFileComp)) // as below
	_ = c.RegisterFlagCompletionFunc("why", e.completeWhy)                                                                                   // fails only for a flag that is not there
	_ = c.RegisterFlagCompletionFunc("rev", e.completeRevisions)
	return c
}

// showDetected answers for each folder.
func (e *env) showDetected(dirs []string, f *detectFlags) error {
	if f.format == "json" {
		e.json = true
	}
	switch {
	case f.schema:
		return e.printJSON(e.detectSchema(f))
	case f.explain != "" && f.rev != "":
		return usagef("--explain is for a file that lies here, not in a commit: use --breakdown with --rev")
	case f.explain != "":
		return e.explain(f.explain)
	case !slices.Contains(strings.Split(detectForms, ", "), f.format):
		return usagef("no format is called %q: %s", f.format, detectForms)
	case f.format != "table" && f.format != "json" && (f.claims || f.breakdown || f.context):
		return usagef("--format %s has a form of its own; --why and --breakdown are for table and json, --context for table", f.format)
	case e.json && f.context:
		return usagef("--context is text for an agent, and JSON has all that it says: one of the two")
	}
	if _, ok := e.languages().Find(f.why); !ok && f.why != "" && !e.answerable(f.why) {
		if !e.isFolder(f.why) {
			return hint(usagef("no language, command or framework is called %q", f.why), "moai detect --why")
		}
		dirs, f.why = append([]string{f.why}, dirs...), ""
	}
	if len(dirs) == 0 {
		dirs = []string{e.dir}
	}
	folders := make([]string, 0, len(dirs))
	var missing error // the others are answered all the same
	for _, name := range dirs {
		dir, err := e.folder(name, "moai detect --explain")
		if err != nil {
			missing = errors.Join(missing, err)
			continue
		}
		folders = append(folders, dir)
	}
	if len(folders) > 0 {
		if err := e.showFolders(folders, len(dirs) > 1, f); err != nil {
			return err
		}
	}
	return missing
}

// showFolders answers for those that are there.
func (e *env) showFolders(folders []string, several bool, f *detectFlags) error {
	if f.breakdown {
		return e.showBreakdown(folders, f)
	}
	reports := make([]*lang.Report, 0, len(folders))
	for _, dir := range folders {
		r, err := e.detect(dir, f, nil)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	switch {
	case f.claims && f.why != "" && slices.ContainsFunc(reports, func(r *lang.Report) bool { return e.asksLanguage(f.why, r) }):
		return e.showWhys(reports, f.why)
	case f.claims:
		return e.showClaims(reports, f.why)
	}
	if e.json {
		if !several {
			_, err := e.out.Write(reports[0].AppendJSON(nil))
			return err
		}
		return e.printJSON(reports)
	}
	switch f.format {
	case "env":
		e.showEnvs(reports)
		return nil
	case "mise":
		e.showMise(reports)
		return nil
	}
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		e.showDetect(r, f, len(reports) > 1)
	}
	return nil
}

// detect runs the engine on one folder; each, if there is one, is told of every file.
func (e *env) detect(dir string, f *detectFlags, each func(path, id string, kind lang.PathKind, size int64)) (*lang.Report, error) {
	ctx := &until{context.Background(), time.Now().Add(detectLimit)}
	o := lang.Options{Projects: f.projects || f.context || f.claims || e.json, Each: each, Rev: f.rev}
	if !f.fresh {
		// The same cache as the hooks', so that a session's first card already finds the answer.
		o.Cache = filepath.Join(e.stateDir(), "cache")
	}
	r, err := lang.Detect(ctx, e.languages(), dir, o)
	if f.rev != "" && err != nil {
		return nil, refusedRevision(dir, f.rev, err)
	}
	return r, err
}

// until is a context that ends at a time without a timer to wake for it: the
// engine asks between files, and a timer costs a tenth of a kept answer.
type until struct {
	context.Context
	end time.Time
}

// Err says whether the time has come.
func (u *until) Err() error {
	if time.Now().After(u.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// explain says what one file is and why.
func (e *env) explain(file string) error {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.dir, path)
	}
	rel := filepath.ToSlash(filepath.Base(path))
	if in, err := filepath.Rel(e.dir, path); err == nil && !strings.HasPrefix(in, "..") {
		rel = filepath.ToSlash(in)
	}
	base, ok := strings.CutSuffix(filepath.ToSlash(path), "/"+rel)
	if !ok || base == "" {
		base = filepath.Dir(path)
	}
	switch fi, err := os.Lstat(path); {
	case errors.Is(err, os.ErrNotExist):
		fmt.Fprintf(e.err, "moai: %s does not exist; judging its name alone\n", term.Name(file))
	case err == nil && !fi.Mode().IsRegular():
		return usagef("%s is no regular file", file)
	}
	g, err := e.languages().Explain(context.Background(), filepath.FromSlash(base), rel)
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(explained{rel, idOrNull(g.ID), g.Name, g.Because, g.Kind == lang.Own && g.ID != "", g.Kind.String()})
	}
	name := g.Name
	if name == "" {
		name = "no language"
	}
	fmt.Fprintf(e.out, "%s: %s\n  because %s\n", term.Name(rel), e.style().Bold(name), term.Text(g.Because))
	if g.Kind != lang.Own {
		if g.Marked != "" {
			fmt.Fprintf(e.out, "  it does not count: it is %s, as %s\n", g.Kind, g.Marked)
		} else {
			fmt.Fprintf(e.out, "  it does not count: its path is %s\n", g.Kind)
		}
	} else if g.Marked != "" {
		fmt.Fprintf(e.out, "  it counts, as %s\n", g.Marked)
	}
	if asked := e.versionReaders(rel); len(asked) > 0 {
		fmt.Fprintln(e.out, "  it may state the version of "+strings.Join(asked, ", ")+": moai detect --versions")
	}
	return nil
}

// explained is what --explain says of one file.
type explained struct {
	Path  string  `json:"path"`
	ID    *string `json:"id"`
	Name  string  `json:"name"`
	Why   string  `json:"why"`
	Count bool    `json:"counts"`
	Kind  string  `json:"path_kind"`
}

// idOrNull keeps "no language" apart from a language with an empty name for those who read the JSON.
func idOrNull(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}

// versionReaders are the languages whose version a file of that name may state. They tell who misses a
// version, or wonders about one, that the file is looked into at all.
func (e *env) versionReaders(rel string) (names []string) {
	for i := range e.languages().Languages {
		l := e.languages().Languages[i]
		for j := range l.Versions {
			v := &l.Versions[j]
			if ok, _ := doublestar.Match(v.File, rel); ok && !slices.Contains(names, l.Name) { // fails for a bad pattern only
				names = append(names, l.Name)
			}
		}
	}
	return names
}
