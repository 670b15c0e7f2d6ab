package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// hook answers one event.
func (e *env) hook([]string) int {
	_, _ = io.Copy(io.Discard, e.in)
	fmt.Fprintln(e.out, "{}")
	return 0
}

func newHook(e *env) *cobra.Command {
	return &cobra.Command{Use: "hook [EVENT]", Short: "Answer one hook event of a coding agent"}
}
