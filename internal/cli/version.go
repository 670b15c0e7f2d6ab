package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/build"
)

// versionLine is what moai version prints.
func versionLine() string { return "moai " + build.Current().String() }

// newVersion is what a report of a bug begins with: the commit tells two builds of one release apart.
func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print moai's version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return e.showVersion() },
	}
}

func (e *env) showVersion() error {
	if e.json {
		return e.printJSON(build.Current())
	}
	fmt.Fprintln(e.out, versionLine())
	return nil
}
