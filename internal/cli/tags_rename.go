package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/specs"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
)

// newTagsRename changes all places or none, and refuses a name that is taken: two chains that became one cannot be told
// apart again. It needs no checkpoint of its own; where one is wanted it is one verb away.
func newTagsRename(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:               "rename OLD NEW",
		ValidArgsFunction: e.completeTags,
		Short:             "Give an id another name at every place",
		Long:              "Renames the TAGs of every kind, SPEC-ID names beside them, the SPEC's folder and what other\nSPECs say of it: all places or none.",
		Example:           "  moai tags rename AUTH-001 LOGIN-001 --dry-run",
		Args:              cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			from, to := idOf(args[0]), idOf(args[1])
			if !tag.ValidID(from) || !tag.ValidID(to) {
				return usagef("an id is like AUTH-001: %s → %s", args[0], args[1])
			}
			root := e.projectRoot()
			r, err := e.collectTags(root)
			if err != nil {
				return err
			}
			// Other SPECs may depend on the old id; what they say of it is renamed with it.
			var docs []string
			for _, s := range spec.List(root, &specs.Table) {
				if !s.Missing {
					docs = append(docs, s.Path)
				}
			}
			edits, err := tag.PlanRename(root, from, to, r.All(), docs)
			if errors.Is(err, tag.ErrTaken) {
				return nof("%w", err)
			}
			if err != nil {
				return err
			}
			if len(edits) == 0 {
				return nowhere(from)
			}
			// All places or none: new contents lie beside their files before the first is put in place.
			if !dry {
				if err := tag.ApplyRename(root, edits); err != nil {
					return err
				}
			}
			if e.json {
				return e.printJSON(edits)
			}
			places := 0
			for _, d := range edits {
				if d.NewPath != "" {
					fmt.Fprintf(e.out, "%s → %s\n", term.Name(d.Path), term.Name(d.NewPath))
				}
				for _, line := range d.Lines {
					fmt.Fprintf(e.out, "%s:%d\n", term.Name(d.Path), line)
				}
				places += max(1, len(d.Lines))
			}
			verb := "renamed"
			if dry {
				verb = "would be renamed"
			}
			fmt.Fprintf(e.err, "moai: %s %s\n", term.Count(places, "place"), verb)
			return nil
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "only show the places")
	return c
}

// changedFiles are the files of a project that differ from HEAD, relative to the project.
func changedFiles(root string) (map[string]bool, error) {
	r, err := repo.Open(root)
	if err != nil {
		return nil, hint(errors.New("--changed needs a Git repository"), "git init")
	}
	st, err := r.Status(context.Background(), repo.StatusOptions{Untracked: repo.UntrackedAll})
	if err != nil {
		return nil, err
	}
	prefix := ""
	if rel, err := filepath.Rel(r.WorkTree, root); err == nil && rel != "." {
		prefix = filepath.ToSlash(rel) + "/"
	}
	only := map[string]bool{}
	for _, c := range st.Changes {
		if name, ok := strings.CutPrefix(c.Path, prefix); ok {
			only[name] = true
		}
	}
	return only, nil
}
