package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Guarantees is what a handler may rely on; moai hook contract prints it.
var Guarantees = []string{
	"standard input holds one JSON object, or nothing",
	"exit code 0 lets the client go on, 2 blocks, anything else is an error that blocks nothing",
	"the context has a deadline, 2 seconds away unless hook.timeout or the event says otherwise",
	"configuration is read by the same loader as on the command line",
	"the working directory is the client's, and CLAUDE_PROJECT_DIR the directory in which the session began",
}

// NonGuarantees is what a handler must do without.
var NonGuarantees = []string{
	"the user's PATH",
	"variables set in .bashrc, .zshrc or another start-up file",
	"aliases and functions of the user's shell",
	"Python, Node or uv",
	"a terminal, or a person at it",
}

// Check compares the surroundings with Guarantees. All that it finds is in the one error, which is ErrContract. A missing
// session id or directory is no violation: clients leave out either (C17), and the decoder fills in what can be known.
func Check(ctx context.Context, e *Event) error {
	var errs []error
	if _, ok := ctx.Deadline(); !ok {
		errs = append(errs, errors.New("the context has no deadline"))
	}
	if e.Name == "" {
		errs = append(errs, errors.New("the event has no name"))
	}
	for _, dir := range [...]struct{ field, path string }{{"cwd", e.CWD}, {"project_dir", e.ProjectDir}} {
		if dir.path == "" {
			continue
		}
		if !filepath.IsAbs(dir.path) {
			errs = append(errs, fmt.Errorf("%s: %s is not absolute", dir.field, dir.path))
		} else if fi, err := os.Stat(dir.path); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", dir.field, err))
		} else if !fi.IsDir() {
			errs = append(errs, fmt.Errorf("%s: %s is not a directory", dir.field, dir.path))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrContract, errors.Join(errs...))
}
