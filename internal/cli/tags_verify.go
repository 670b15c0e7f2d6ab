package cli

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
)

// newTagsVerify is strict about chains that are named: who asks about one wants to know whether it is whole, while a
// whole project always has some that are begun.
func newTagsVerify(e *env) *cobra.Command {
	var strict, changed bool
	var format string
	c := &cobra.Command{
		Use:               "verify [ID...]",
		ValidArgsFunction: e.completeTags,
		Short:             "Check that chains are complete and nothing is orphaned, double or broken",
		Long: `Checks every chain, or those named. Exits 1 when something is wrong: an error, or
with --strict a warning; for chains that are named, anything.`,
		Example: "  moai tags verify --format github",
		RunE: func(_ *cobra.Command, ids []string) error {
			if e.json {
				format = "json"
			}
			as := slices.IndexFunc(formats, func(f findingsFormat) bool { return f.name == format })
			if as < 0 {
				return usagef("format is %q; expected text, json, sarif or github", format)
			}
			for i, id := range ids {
				ids[i] = idOf(id)
				if !tag.ValidID(ids[i]) {
					return usagef("%q is not an id like AUTH-001", id)
				}
			}
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			root := e.projectRoot()
			// --changed filters what was found, not what is read: an edit breaks chains in files that did not change.
			found := set.Verify(tables.Problems, ids, existsBelow(root))
			if changed {
				only, err := changedFiles(root)
				if err != nil {
					return err
				}
				found.Below(func(path string) bool { return only[path] })
			}
			if err := formats[as].print(e, found, set, ids); err != nil {
				return err
			}
			if found.Errors() || found.Len() > 0 && (strict || len(ids) > 0) {
				return errNo
			}
			return nil
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	c.Flags().BoolVar(&changed, "changed", false, "only what is found in files that differ from HEAD")
	c.Flags().StringVar(&format, "format", "text", "text, json, sarif or github")
	return c
}

// idOf takes an id as people write it: AUTH-001, SPEC-AUTH-001, @CODE:AUTH-001.
func idOf(s string) string {
	if strings.HasPrefix(s, "@") {
		_, s, _ = strings.Cut(s, ":")
		s, _, _ = strings.Cut(s, ":")
	}
	s = strings.ToUpper(s)
	if rest := strings.TrimPrefix(s, "SPEC-"); rest != s && tag.ValidID(rest) {
		return rest
	}
	return s
}

// existsBelow tells whether a path exists, without following one out of the root.
func existsBelow(root string) func(string) bool {
	known := map[string]bool{} // many TAGs name the same SPEC
	look := func(name string) bool {
		name = filepath.FromSlash(strings.TrimPrefix(name, "./"))
		// A TAG in a cloned repository may name any path; whether /etc/shadow exists is not its business.
		if !filepath.IsLocal(name) {
			return false
		}
		r, err := os.OpenRoot(root)
		if err != nil {
			return false
		}
		defer r.Close()
		_, err = r.Stat(name)
		return err == nil
	}
	return func(name string) bool {
		is, ok := known[name]
		if !ok {
			is = look(name)
			known[name] = is
		}
		return is
	}
}

// findingsFormat is one way to print what verify finds.
type findingsFormat struct {
	name  string
	print func(e *env, found *tag.Findings, set *tag.Set, ids []string) error
}

// formats stream: a broken rename can leave a million findings, which must not gather in memory.
var formats = []findingsFormat{
	{"text", (*env).printFindings},
	{"json", func(e *env, found *tag.Findings, _ *tag.Set, _ []string) error { return printList(e, found.All()) }},
	{"sarif", func(e *env, found *tag.Findings, _ *tag.Set, _ []string) error { return e.printSARIF(found) }},
	{"github", func(e *env, found *tag.Findings, _ *tag.Set, _ []string) error {
		return e.printLines(func(out *bufio.Writer) {
			for f := range found.All() {
				fmt.Fprintf(out, "::%s file=%s,line=%d,title=%s::%s\n", f.Severity, githubEscape(f.Path, true), max(f.Line, 1), githubEscape(f.Rule, true), githubEscape(f.Text, false))
			}
		})
	}},
}

// printFindings prints a line each. Hints are said once for each kind, at the end, where a person still sees them.
func (e *env) printFindings(found *tag.Findings, set *tag.Set, ids []string) error {
	hints := map[string]string{}
	s := e.style()
	err := e.printLines(func(out *bufio.Writer) {
		for f := range found.All() {
			place := ""
			if f.Path != "" {
				place = fmt.Sprintf("%s:%d: ", term.Name(f.Path), f.Line)
			}
			severity := s.Red(f.Severity)
			if f.Severity == "warning" {
				severity = s.Yellow(f.Severity)
			}
			fmt.Fprintf(out, "%s%s: %s (%s)\n", place, severity, term.Text(f.Text), f.Rule)
			if f.Hint != "" {
				hints[f.Rule] = f.Hint
			}
		}
	})
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		for _, id := range ids {
			if c := set.Chain(id); c != nil && c.State == "complete" {
				fmt.Fprintf(e.out, "%s is complete\n", id)
			}
		}
		return nil
	}
	for _, rule := range slices.Sorted(maps.Keys(hints)) {
		fmt.Fprintf(e.err, "moai: hint: %s: %s\n", rule, hints[rule])
	}
	st := set.Counts()
	fmt.Fprintf(e.err, "moai: %d complete, %d incomplete, %d without a SPEC, %s\n", st.Complete, st.Incomplete, st.Orphans, term.Count(found.Len(), "finding"))
	return nil
}

// githubEscape encodes a message of a workflow command, or one of its properties.
func githubEscape(s string, property bool) string {
	s = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
	if property {
		s = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(s)
	}
	return s
}

// newTagsOrphans is a part of verify that lists places and judges nothing, so it exits with 0 whatever it finds.
func newTagsOrphans(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "orphans",
		Short: "List the TAGs whose SPEC does not exist",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			list := set.Orphans()
			if e.json {
				return e.printJSON(list)
			}
			return e.tagLines(slices.Values(list))
		},
	}
}
