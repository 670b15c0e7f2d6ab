package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/libraries"
	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/term"
)

// newLib answers from files: an agent that writes code against a library needs the version that is installed, not the newest one that it was
// trained on; asking a registry would need the network, which a hook must not.
func newLib(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "lib",
		Short: "Look up which version of a library the project uses",
		Long: `Versions come from lock files and manifests, without network; where they pin none,
what was set within the last day counts (.moai/.cache/library_versions.json).`,
	}
	c.AddCommand(newLibGet(e), newLibSet(e), newLibList(e))
	return c
}

// upward lists the folders from the working directory up to the project's root: in a monorepo each project has manifests
// of its own, and the nearest one knows what is used here.
func (e *env) upward() []string {
	root := e.projectRoot()
	list := []string{e.dir}
	for dir := e.dir; dir != root && filepath.Dir(dir) != dir; {
		dir = filepath.Dir(dir)
		list = append(list, dir)
	}
	return list
}

// newLibGet asks the nearest manifest first.
func newLibGet(e *env) *cobra.Command {
	var ttl lasting
	c := &cobra.Command{
		Use:     "get NAME",
		Short:   "Print the version of a library; exits 1 when none is known",
		Example: "  moai lib get requests",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var l jit.Library
			ok := false
			for _, dir := range e.upward() {
				if l, ok = jit.FindLibrary(libraries.Files, dir, args[0], ttl.Duration); ok {
					break
				}
			}
			if !ok {
				return hint(nof("no version of %s is known", term.Name(args[0])), "moai lib set "+term.Name(args[0])+" VERSION")
			}
			if e.json {
				return e.printJSON(l)
			}
			fmt.Fprintln(e.out, l.Version)
			return nil
		},
	}
	lastingFlag(c, &ttl, "ttl", jit.LibraryTTL, "how long a version that was set counts")
	return c
}

// newLibSet is for what no file says, such as what an agent has read on the web. A day later it may be wrong.
func newLibSet(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME VERSION",
		Short: "Keep the version of a library for a day",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, word := range args {
				if masked := risks.Set().Mask(word); masked != word {
					return usagef("moai keeps no secrets, and this looks like one: %s", masked)
				}
			}
			if err := jit.SetLibrary(e.projectRoot(), args[0], args[1]); err != nil {
				return err
			}
			for _, dir := range e.upward() {
				if l, ok := jit.FindLibrary(libraries.Files, dir, args[0], 0); ok && l.Source != "set" {
					if l.Version != args[1] {
						fmt.Fprintf(e.err, "moai: kept, but %s pins %s, which lib get goes on to answer\n", term.Name(l.Source), term.Text(l.Version))
					}
					break
				}
			}
			return nil
		},
	}
}

// newLibList puts what was set before what is pinned: it is short, and what somebody looks for after setting it.
func newLibList(e *env) *cobra.Command {
	var set bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the libraries that the project pins or somebody set",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list := append([]jit.Library{}, jit.SetLibraries(e.projectRoot(), 0)...)
			seen := map[[2]string]bool{} // a lock file may name a hundred thousand
			for _, dir := range e.upward() {
				if set {
					break
				}
				for _, l := range jit.PinnedLibraries(libraries.Files, dir) {
					if key := [2]string{l.Name, l.Version}; !seen[key] {
						seen[key] = true
						list = append(list, l)
					}
				}
			}
			if e.json {
				return e.printJSON(list)
			}
			// Said on stderr: an empty list is an answer, and a script counts its lines.
			if len(list) == 0 {
				fmt.Fprintln(e.err, "moai: no lock file pins a version here, and none was set")
			}
			for _, l := range list {
				e.row("%s %s %s", term.Pad(l.Name, 32), term.Pad(l.Version, 14), e.style().Dim(l.Source))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&set, "set", false, "only what was set")
	return c
}
