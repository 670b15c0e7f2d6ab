package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/term"
)

// secondProgram is the one that has network and database. It lies beside this one, and is of the same build.
const secondProgram = "moaid"

func newServe(e *env) *cobra.Command {
	return e.ofSecond("serve", "Show live in a browser what happens in all sessions")
}

func newStats(e *env) *cobra.Command {
	return e.ofSecond("stats", "Count what happened in all projects, or in one")
}

func newTimeline(e *env) *cobra.Command {
	return e.ofSecond("timeline", "List the turns of all sessions, with what came of each")
}

func newExport(e *env) *cobra.Command {
	return e.ofSecond("export", "Print what is known of all sessions as a table, for other programs")
}

// ofSecond makes a verb that moaid answers: this program, which reads an agent's commands, cannot talk to the network. What
// follows the verb is moaid's to read, --help too.
func (e *env) ofSecond(name, short string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Short:              short,
		DisableFlagParsing: true,
		RunE:               func(_ *cobra.Command, args []string) error { return e.second(name, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if program, words, err := e.secondLine(name); err == nil {
				words = slices.Insert(words, 1, cobra.ShellCompRequestCmd)
				_ = become(program, append(append(words, args...), word)) // returns where there is no moaid
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// second becomes moaid.
func (e *env) second(name string, args []string) error {
	program, words, err := e.secondLine(name)
	if err != nil {
		return err
	}
	return noSecond(name, program, become(program, append(words, args...)))
}

// secondLine is what moaid is started with for a verb: it is told by options which folders count, since what of the environment does is settled here alone.
func (e *env) secondLine(name string) (program string, words []string, err error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self) // folders of programs are often links to others
	}
	if err != nil {
		return "", nil, err
	}
	program = filepath.Join(filepath.Dir(self), secondProgram)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	words = []string{program, "--build=" + build.Current().String(), "--moai=" + self, "--state=" + e.user().State, "--config=" + e.added().Config, "--project=" + e.projectRoot(), name}
	if e.json {
		words = append(words, "--json")
	}
	return program, words, nil
}

// noSecond says why moaid could not be started.
func noSecond(name, program string, err error) error {
	const again = "make install (or: go install ./cmd/...)"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hint(nof("moai %s needs the program %s beside this one, and there is none in %s", name, secondProgram, filepath.Dir(program)), again)
	case errors.Is(err, fs.ErrPermission):
		help := again
		if info, err := os.Stat(program); err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
			help = "chmod +x " + argv.Quote(program)
		}
		return hint(nof("moai %s needs the program %s, which cannot be started: %w", name, term.Name(program), err), help)
	}
	return err
}
