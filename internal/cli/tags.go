package cli

import (
	"bufio"
	"fmt"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/specs"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
)

// newTags lets each verb read the files, with an index for what has not changed. No verb trusts the index alone: a TAG that somebody
// has just deleted must be gone.
func newTags(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "tags [DIR...]",
		Short: "Find TAGs and verify their chains",
		Long: `A TAG such as @CODE:AUTH-001 ties code, tests and documents to a SPEC. The files
are the truth: every answer comes from them, an index only saves reading what
has not changed. Ignored files are left out, as Git leaves them out.

Without a command the TAGs are listed, as by moai tags list.`,
		Args: cobra.ArbitraryArgs,
	}
	// Made once and called from here, so that the two cannot come to differ.
	list := newTagsList(e)
	c.Flags().AddFlagSet(list.Flags())
	c.RunE = func(cmd *cobra.Command, dirs []string) error {
		if len(dirs) == 1 {
			// A slip of the pen is no folder; what is one, is meant.
			_, err := os.Lstat(filepath.Join(e.dir, dirs[0]))
			if slip := slipOf(cmd, dirs[0]); err != nil && slip != nil {
				return slip
			}
		}
		return list.RunE(cmd, dirs)
	}
	c.AddCommand(list, newTagsSearch(e), newTagsShow(e), newTagsVerify(e), newTagsOrphans(e),
		newTagsSuggest(e), newTagsRename(e), newTagsNext(e), newTagsStats(e), newTagsGraph(e))
	return c
}

// tagOptions join the TAG engine with its tables for one project.
func (e *env) tagOptions(root string) tag.Options {
	known := e.languages() // before the workers that ask it
	return tag.Options{
		Root:    root,
		Grammar: tag.NewGrammar(tables.Kinds),
		Syntax:  func(name string) tag.Syntax { return tag.Syntax(known.Syntax(name)) },
		Version: build.Current().String() + known.Added(),
		Index:   filepath.Join(e.stateDir(), "tags", state.ProjectKey(root)+".idx"),
		Exclude: e.globalIgnore(),
	}
}

// collectTags finds the TAGs of a project, with the index that belongs to it.
func (e *env) collectTags(root string) (*tag.Result, error) {
	collectLate()
	r, err := tag.Collect(e.tagOptions(root))
	if err != nil {
		return nil, err
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(e.err, "moai: warning:", term.Text(w))
	}
	return r, nil
}

// firstCollection is GOGC for the time until garbage is first collected: at 32 MB, which the TAGs of most trees never reach, so that
// they are found without any collection. From the first one on a low value keeps the memory of a million TAGs down.
const firstCollection, laterCollections = 800, 50

// collectLate puts the first collection off and lets it set the pace of those that follow: a cleanup runs after the
// first one, when the object that it belongs to is found dead.
func collectLate() {
	debug.SetGCPercent(firstCollection)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, laterCollections)
}

// globalIgnore is the user's own ignore file at its default place.
func (e *env) globalIgnore() [][]byte {
	dir := e.getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home := e.user().Home
		if home == "" {
			return nil
		}
		dir = filepath.Join(home, ".config")
	}
	data, err := os.ReadFile(filepath.Join(dir, "git", "ignore"))
	if err != nil {
		return nil
	}
	return [][]byte{data}
}

// tagSet is the chains of the project around the working directory.
func (e *env) tagSet() (*tag.Set, *tag.Result, error) {
	root := e.projectRoot()
	r, err := e.collectTags(root)
	if err != nil {
		return nil, nil, err
	}
	return tag.NewSet(tables.Kinds, r.All(), handle.SpecDocs(root, &specs.Table)), r, nil
}

// tagFilter is what list and search take.
type tagFilter struct {
	kind, id, path string
	definitions    bool
	changed        bool
	only           map[string]bool // with changed: the files that differ from HEAD
}

// flags are the same for list and search, so that one narrows down what the other has shown.
func (f *tagFilter) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.kind, "kind", "", "only this kind: SPEC, TEST, CODE, DOC; MX and MX:NOTE … for notes; all")
	_ = c.RegisterFlagCompletionFunc("kind", completeKinds)
	c.Flags().StringVar(&f.id, "id", "", "only this id, or the ids of this domain")
	c.Flags().StringVar(&f.path, "path", "", "only files below this path of the project")
	c.Flags().BoolVar(&f.definitions, "definitions", false, "leave out what only speaks of a TAG")
	c.Flags().BoolVar(&f.changed, "changed", false, "only files that differ from HEAD")
}

// takes reports whether a TAG passes. Without --kind the kinds of the chain do.
func (f *tagFilter) takes(t *tag.Tag) bool {
	switch kind := strings.TrimPrefix(strings.ToUpper(f.kind), "@"); {
	case t.Malformed, f.definitions && !t.Definition, f.changed && !f.only[t.Path]:
		return false
	case kind == "ALL":
	case kind == "" && isNote(t.Kind):
		return false
	case kind != "" && t.Kind != kind && !strings.HasPrefix(t.Kind, kind+":"):
		return false
	}
	if f.id != "" && !strings.EqualFold(t.ID, f.id) && !strings.EqualFold(tag.Domain(t.ID), f.id) {
		return false
	}
	if p := strings.Trim(filepath.ToSlash(filepath.Clean(f.path)), "/"); f.path != "" && p != "." && t.Path != p && !strings.HasPrefix(t.Path, p+"/") {
		return false
	}
	return true
}

// under makes the filter ready for a root.
func (f *tagFilter) under(root string) (err error) {
	if f.changed {
		f.only, err = changedFiles(root)
	}
	return err
}

// check refuses kinds that no table has.
func (f *tagFilter) check() error {
	kind := strings.TrimPrefix(strings.ToUpper(f.kind), "@")
	if kind == "" || kind == "ALL" {
		return nil
	}
	var names []string
	for i := range tables.Kinds {
		if name := tables.Kinds[i].Name; name == kind || strings.HasPrefix(name, kind+":") {
			return nil
		}
		names = append(names, tables.Kinds[i].Name)
	}
	return usagef("no kind of TAG is named %q; there are %s", f.kind, strings.Join(names, ", "))
}

// isNote tells the kinds that belong to no chain. What no table has is none: it is shown rather than hidden.
func isNote(kind string) bool {
	for i := range tables.Kinds {
		if tables.Kinds[i].Name == kind {
			return tables.Kinds[i].Family == rule.TagNote
		}
	}
	return false
}

// newTagsList takes a folder, since who asks about a part of a tree should not wait for all of it.
func newTagsList(e *env) *cobra.Command {
	var f tagFilter
	var domains bool
	c := &cobra.Command{
		Use:   "list [DIR...]",
		Short: "List TAGs with their places",
		Long: `Lists the TAGs of the chain (SPEC, TEST, CODE, DOC). Notes such as @MX:WARN are part of
no chain: --kind MX lists them, --kind all everything. Without a folder the whole project
is read; of several, each line has the folder in front.`,
		Example: "  moai tags list --kind CODE --id AUTH",
		RunE: func(_ *cobra.Command, dirs []string) error {
			// Before the tree is read: a slip should not cost the seconds of a large one.
			if err := f.check(); err != nil {
				return err
			}
			// All of them, before any of what stands in one is printed.
			roots := make([]string, len(dirs))
			for i, name := range dirs {
				var err error
				if roots[i], err = e.folder(name, "moai tags list --path"); err != nil {
					return err
				}
			}
			if len(roots) == 0 {
				roots, dirs = []string{e.projectRoot()}, []string{""}
			}
			if len(roots) == 1 {
				return e.listTags(roots[0], &f, domains)
			}
			return e.listFolders(roots, dirs, &f, domains)
		},
	}
	f.flags(c)
	c.Flags().BoolVar(&domains, "domains", false, "list the ids that are defined, by domain")
	return c
}

// listTags prints the TAGs of one folder, or the ids that they define.
func (e *env) listTags(root string, f *tagFilter, domains bool) error {
	list, err := e.tagsIn(root, f, domains)
	if err != nil {
		return err
	}
	if domains {
		return e.printDomains(list)
	}
	return e.printTags(list)
}

// tagsIn are the TAGs of one folder that pass; for domains, those that define something.
func (e *env) tagsIn(root string, f *tagFilter, domains bool) (iter.Seq[tag.Tag], error) {
	if err := f.under(root); err != nil {
		return nil, err
	}
	r, err := e.collectTags(root)
	if err != nil {
		return nil, err
	}
	own := *f
	own.definitions = f.definitions || domains
	return only(r.All(), own.takes), nil
}

// listFolders prints the TAGs of several folders: the ids that all of them define, a line a TAG with the folder
// as the user wrote it, or a document a folder.
func (e *env) listFolders(roots, names []string, f *tagFilter, domains bool) error {
	lists := make([]iter.Seq[tag.Tag], len(roots))
	for i, root := range roots {
		list, err := e.tagsIn(root, f, domains)
		if err != nil {
			return err
		}
		lists[i] = list
	}
	if domains {
		return e.printDomains(joined(lists, names))
	}
	if !e.json {
		return e.tagLines(joined(lists, names))
	}
	type document struct {
		Dir  string    `json:"dir"`
		Tags []tag.Tag `json:"tags"`
	}
	documents := make([]document, len(roots))
	for i, root := range roots {
		documents[i] = document{root, slices.AppendSeq([]tag.Tag{}, lists[i])}
	}
	return e.printJSON(documents)
}

// joined is one list of several, with the name of each in front of its paths.
func joined(lists []iter.Seq[tag.Tag], names []string) iter.Seq[tag.Tag] {
	return func(yield func(tag.Tag) bool) {
		for i, list := range lists {
			for t := range list {
				t.Path = path.Join(filepath.ToSlash(names[i]), t.Path)
				if !yield(t) {
					return
				}
			}
		}
	}
}

// newTagsSearch looks into the text behind a TAG, too: people remember what a thing was about, seldom its number.
func newTagsSearch(e *env) *cobra.Command {
	var f tagFilter
	c := &cobra.Command{
		Use:     "search PATTERN",
		Short:   "List the TAGs that a pattern matches (a text, or a regular expression)",
		Example: "  moai tags search 'CODE:AUTH-.*:API'",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			// Case never matters in ids, so it does not in patterns. Go's expressions cannot run away, whoever wrote them.
			re, err := regexp.Compile("(?i)" + args[0])
			if err != nil {
				return usagef("%q is no regular expression: %v", args[0], err)
			}
			root := e.projectRoot()
			if err := f.under(root); err != nil {
				return err
			}
			r, err := e.collectTags(root)
			if err != nil {
				return err
			}
			return e.printTags(only(r.All(), func(t *tag.Tag) bool {
				return f.takes(t) && (re.MatchString(t.String()) || t.Text != "" && re.MatchString(t.Text))
			}))
		},
	}
	f.flags(c)
	return c
}

// only is the TAGs that pass.
func only(all iter.Seq[tag.Tag], takes func(*tag.Tag) bool) iter.Seq[tag.Tag] {
	return func(yield func(tag.Tag) bool) {
		for t := range all {
			if takes(&t) && !yield(t) {
				return
			}
		}
	}
}

// printDomains prints the ids that TAGs define, by domain.
func (e *env) printDomains(list iter.Seq[tag.Tag]) error {
	// Mentions are left out before: a domain that is only spoken of defines nothing.
	ids := map[string][]string{}
	for t := range list {
		if d := tag.Domain(t.ID); t.ID != "" {
			ids[d] = append(ids[d], t.ID)
		}
	}
	for d, of := range ids {
		slices.Sort(of)
		ids[d] = slices.Compact(of)
	}
	if e.json {
		return e.printJSON(ids)
	}
	for _, d := range slices.Sorted(maps.Keys(ids)) {
		fmt.Fprintf(e.out, "%s %s\n", term.Pad(d, 12), strings.Join(ids[d], " "))
	}
	return nil
}

// printTags prints TAGs as one JSON list, or as [env.tagLines].
func (e *env) printTags(list iter.Seq[tag.Tag]) error {
	if e.json {
		return printList(e, list)
	}
	return e.tagLines(list)
}

// tagLines prints a line a TAG, in the form that editors jump to.
func (e *env) tagLines(list iter.Seq[tag.Tag]) error {
	s := e.style()
	none := true
	err := e.printLines(func(out *bufio.Writer) {
		for t := range list {
			none = false
			note := ""
			switch {
			case !t.Definition:
				note = s.Dim(" (mention)")
			case t.Text != "":
				note = " " + s.Dim(t.Text)
			}
			fmt.Fprintf(out, "%s:%d: %s%s\n", term.Name(t.Path), t.Line, &t, note) // names come from strangers
		}
	})
	if none {
		fmt.Fprintln(e.err, "moai: no such TAG here")
	}
	return err
}
