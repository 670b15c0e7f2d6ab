package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// whose says in which of the three files a setting is changed.
type whose struct{ user, here, project bool }

func (w *whose) flags(c *cobra.Command) {
	c.Flags().BoolVar(&w.user, "user", false, "change your own configuration (the default)")
	c.Flags().BoolVar(&w.here, "here", false, "change it for you in this project alone")
	c.Flags().BoolVar(&w.project, "project", false, "change this project's .moai/config.toml")
}

// decide refuses two files at once, and chooses one where none is named: commands are those of one project.
func (w *whose) decide(key string) error {
	if w.user && w.project || w.here && (w.user || w.project) {
		return usagef("--user, --here and --project exclude each other")
	}
	if !w.user && !w.project && config.Keys[config.Find(key)].Command() {
		w.here = true
	}
	return nil
}

// String says for whom the file counts, behind its name.
func (w whose) String() string {
	switch {
	case w.project:
		return ""
	case w.here:
		return ", for you in this project"
	}
	return ", for all your projects"
}

// settingFile is where a setting is written, and why it cannot be.
func (e *env) settingFile(key, value string, in whose) (path string, err error) {
	if in.project {
		// In the project's file it would never count: it is refused now.
		if err := e.cfg("").ProjectMay(key, value); err != nil {
			return "", hint(usagef("%v", err), "moai config set "+key+" "+argv.Quote(value)+" --user")
		}
	}
	if path := e.settingPath(in); path != "" {
		return path, nil
	}
	return "", hint(errors.New("there is no home folder to keep your settings in"), "moai config set --project "+key+" "+argv.Quote(value))
}

// settingPath is the file of in; "" where there is no home folder.
func (e *env) settingPath(in whose) string {
	switch {
	case in.project:
		return filepath.Join(e.projectRoot(), ".moai", config.FileName)
	case e.configDir() == "":
		return ""
	case in.here:
		return config.OwnPath(e.configDir(), state.ProjectKey(e.projectRoot()))
	}
	path := filepath.Join(e.configDir(), config.FileName)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real // people keep their settings elsewhere and link to them; a project's link is not followed
	}
	return path
}

// newConfigUnset takes a setting out of one file, so that what stands below it counts again.
func newConfigUnset(e *env) *cobra.Command {
	var in whose
	var dry bool
	c := &cobra.Command{
		Use:   "unset KEY",
		Short: "Take a setting back, so that the default counts again",
		Long: `A setting is taken out of your own config.toml, or with --here and --project
out of the file that moai config set writes with them. What counts then is said:
the default, or what another file or a variable sets.`,
		Example:           "  moai config unset guard.mode",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: e.completeSet,
		RunE: func(_ *cobra.Command, args []string) error {
			key := args[0]
			if config.Find(key) < 0 {
				return unknownName(usagef("no setting is named %q", key), key, config.Names(), "moai config unset", "moai config list")
			}
			if err := in.decide(key); err != nil {
				return err
			}
			path := e.settingPath(in)
			was := e.cfg(e.projectRoot())
			if set, err := config.Sets(path, key); err != nil {
				return err
			} else if !set {
				err := nof("%s does not set %s", term.Name(path), key)
				if from := was.Where(key); from != "" {
					return hint(err, "it comes from the "+was.Origin(key)+", "+from)
				}
				return hint(err, "its default counts: "+cmp.Or(was.String(key), "empty"))
			}
			// Whether the default is looser is not weighed: a person knows why it was set. What protects nothing is anybody's.
			if err := e.personIn(path, "take back what is set"); err != nil && !dry && config.Guards(key) {
				return err
			}
			if dry {
				fmt.Fprintf(e.err, "moai: dry run: %s would go out of %s\n", term.Text(key), term.Name(path))
				return nil
			}
			if err := e.editConfig(path, key, func() error { return config.Unset(path, key) }); err != nil {
				return err
			}
			c := e.cfg(e.projectRoot())
			now := cmp.Or(term.Text(c.String(key)), "empty")
			fmt.Fprintf(e.err, "moai: %s is taken out of %s%s; it is %s now, by the %s\n", term.Text(key), term.Name(path), in, now, c.Origin(key))
			e.tellChanged(key)
			return nil
		},
	}
	in.flags(c)
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "say what would be changed and change nothing")
	return c
}

// completeSet offers the settings that a file of the user or the project sets.
func (e *env) completeSet(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	if len(args) == 0 {
		c := e.cfg(e.projectRoot())
		for _, k := range config.Keys {
			if o := c.Origin(k.Name); o == "user" || o == "project" {
				list = append(list, k.Name+"\t"+k.Doc)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
