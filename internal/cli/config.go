package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// setting is one line of moai config list --json.
type setting struct {
	Key     string   `json:"key"`
	Value   string   `json:"value"`
	Default string   `json:"default"`
	Origin  string   `json:"origin"`
	Where   string   `json:"where,omitempty"`   // the file or the variable
	Ignored string   `json:"ignored,omitempty"` // what is set and does not count
	Values  []string `json:"values,omitempty"`
	Doc     string   `json:"doc"`
	Env     string   `json:"env,omitempty"`
}

// newConfig says with every value where it comes from: five sources can set a key, and a project may only tighten.
func newConfig(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show and change settings",
		Long: `Settings come from defaults, the user's config.toml, the project's
.moai/config.toml, the environment (a.b_c is MOAI_A_B_C) and flags, each over
the one before. A project's file can tighten what protects you, never loosen it,
and neither can a variable where an agent runs moai, or a folder of settings that
could have come with a project. What loosens the guard wants a person at a terminal;
what something else than moai wrote into your files while an agent was at work waits
for "moai config confirm".`,
	}
	c.AddCommand(newConfigList(e), newConfigGet(e), newConfigSet(e), newConfigUnset(e), newConfigConfirm(e))
	return c
}

// newConfigList shows where each value comes from: the question behind most others
// is why a setting has no effect.
func newConfigList(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List every setting with its value and where it comes from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			// Read once for all keys: each value is to be that of one moment.
			c := e.cfg(e.projectRoot())
			list := make([]setting, len(config.Keys))
			for i, k := range config.Keys {
				list[i] = setting{
					Key: k.Name, Value: c.String(k.Name), Default: k.Default, Origin: c.Origin(k.Name), Where: c.Where(k.Name),
					Ignored: ignored(c, k.Name), Values: k.Values, Doc: k.Doc,
				}
				if k.Variable() {
					list[i].Env = config.EnvName(k.Name)
				}
			}
			e.warn(c)
			if e.json {
				return e.printJSON(list)
			}
			s := e.style()
			for _, l := range list {
				value := term.Pad(l.Value, 10)
				if l.Origin != "default" {
					value = s.Bold(value)
				}
				origin := l.Origin
				if l.Ignored != "" {
					origin += "; " + l.Ignored
				}
				e.entry(term.Pad(l.Key, 24)+" "+value+" "+term.Pad(origin, 11), s.Dim(l.Doc))
			}
			return nil
		},
	}
}

// newConfigGet prints the value alone, for scripts; a key that does not exist is a usage error and no empty line, which
// a script would take for a value.
func newConfigGet(e *env) *cobra.Command {
	return &cobra.Command{
		Use:               "get KEY",
		Short:             "Print one setting's value",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			if config.Find(args[0]) < 0 {
				return unknownName(usagef("no setting is named %q", args[0]), args[0], config.Names(), "moai config get", "moai config list")
			}
			c := e.cfg(e.projectRoot())
			e.warn(c)
			if e.json {
				one := map[string]string{"key": args[0], "value": c.String(args[0]), "origin": c.Origin(args[0])}
				for name, v := range map[string]string{"where": c.Where(args[0]), "ignored": ignored(c, args[0])} {
					if v != "" {
						one[name] = v
					}
				}
				return e.printJSON(one)
			}
			fmt.Fprintln(e.out, c.String(args[0]))
			return nil
		},
	}
}

// newConfigSet writes to the user's file unless told otherwise: a project's file is committed and binds everybody.
func newConfigSet(e *env) *cobra.Command {
	var in whose
	var dry bool
	c := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change a setting for you (--user, --here) or for the project (--project)",
		Long: `A setting is written into your own config.toml, for all projects. --here writes it
into a file of yours that counts in this project alone, which is where commands of
projects go without a flag (quality.test_command and its like). --project writes
the project's own .moai/config.toml, which can only tighten.`,
		Example:           "  moai config set guard.mode strict --user",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			// What cannot count is refused here, with the values that can: a wrong value in a file does not
			// count, and hooks have nobody to tell.
			value, err := config.Check(args[0], args[1])
			if err != nil {
				if i := config.Find(args[0]); i >= 0 && len(config.Keys[i].Values) > 0 {
					return unknownName(usagef("%v", err), args[1], config.Keys[i].Values, "moai config set "+args[0], "moai config list")
				} else if i >= 0 {
					return hint(usagef("%v", err), "moai config list")
				}
				meant := term.Nearest(args[0], config.Names())
				if meant == "" {
					return hint(usagef("%v", err), "moai config list")
				}
				return hint(usagef("%v", err), "moai config set "+meant+" "+argv.Quote(args[1]))
			}
			if err := in.decide(args[0]); err != nil {
				return err
			}
			path, err := e.settingFile(args[0], value, in)
			if err != nil {
				return err
			}
			// What a project may set tightens, and that everybody may.
			does := "loosen the guard"
			if !strings.HasPrefix(args[0], "guard.") {
				does = "set the user's own " + args[0]
			}
			if err := e.personIn(path, does); err != nil && !dry && !e.cfg(e.projectRoot()).Tightens(args[0], value) {
				return err
			}
			// After every check, so that a dry run fails where the real one would.
			if dry {
				fmt.Fprintf(e.err, "moai: dry run: %s = %s would be in %s\n", term.Text(args[0]), term.Text(value), term.Name(path))
				return nil
			}
			if err := e.editConfig(path, args[0], func() error { return config.Set(path, args[0], value) }); err != nil {
				return err
			}
			fmt.Fprintf(e.err, "moai: %s = %s in %s%s\n", term.Text(args[0]), term.Text(value), term.Name(path), in)
			// A setting that something stronger overrides looks like a bug of moai.
			if c := e.cfg(e.projectRoot()); c.String(args[0]) != value {
				fmt.Fprintf(e.err, "moai: hint: it has no effect here: %s comes from the %s\n", term.Text(args[0]), c.Origin(args[0]))
				e.warn(c)
			}
			e.tellChanged(args[0])
			return nil
		},
	}
	in.flags(c)
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "say what would be changed and change nothing")
	return c
}

// tellChanged says what the client has to be told after a setting changed.
func (e *env) tellChanged(key string) {
	switch key {
	case onFailureKey:
		e.tellClient()
	case "quality.commit_run", "quality.check", "quality.run_time":
		e.tellTimes()
	case "guard.tools_deny", "guard.tools_allow":
		e.tellTools()
	}
}

// tellClient says where the client was told something else about a moai that does not answer: a setting of moai's is none
// of the client's, and moai cannot answer for itself when it is gone.
func (e *env) tellClient() {
	root := e.projectRoot()
	all := e.settingsFiles(root)
	for _, p := range all {
		if !p.counts() || p.main || p.scope == settings.Shared {
			continue
		}
		closed, again := e.wantsBlock(p.scope, root)
		i := slices.IndexFunc(p.entries, func(entry settings.Entry) bool { return entry.Blocks })
		switch {
		case closed && i < 0:
			i = max(slices.IndexFunc(p.entries, func(entry settings.Entry) bool { return entry.Event == "PreToolUse" }), 0)
			fmt.Fprintf(e.err, "moai: hint: the client does not know it yet: %s:%d lets calls run when moai does not answer; to tell it: %s\n", p.path, p.entries[i].Line, again)
		case !closed && i >= 0:
			fmt.Fprintf(e.err, "moai: hint: the client does not know it yet: %s:%d blocks calls when moai does not answer; to tell it: %s\n", p.path, p.entries[i].BlockLine, again)
		}
	}
}

// tellTools says where the client does not call the guard for a tool that a list names.
func (e *env) tellTools() {
	root := e.projectRoot()
	for _, p := range e.settingsFiles(root) {
		for _, entry := range p.entries {
			if entry.Event == guardEvent && p.counts() && !p.main && settings.Widened(entry.Matcher, e.namedTools(root)) != entry.Matcher {
				fmt.Fprintf(e.err, "moai: hint: the client does not call moai for all of these yet (%s:%d); to tell it: moai init %s\n", p.path, entry.Line, p.scope.Flag())
			}
		}
	}
}

// tellTimes says where the client does not wait for as long as tests and checks inside a hook may take.
func (e *env) tellTimes() {
	root := e.projectRoot()
	cfg := e.cfg(root)
	for _, event := range [...]string{guardEvent, "Stop"} {
		if most := cfg.Duration("quality.run_time") + handle.Ahead; handle.Runs(cfg, event) && e.clientWaits(event, root) < most {
			fmt.Fprintf(e.err, "moai: hint: the client waits for %v only, and what is run ends before that; to tell it: moai init\n", e.clientWaits(event, root))
		}
	}
}

// wantsBlock says whether a settings file is to make the client block calls when moai does not answer, by what counts in this
// project, and the command that writes so. The user's file speaks for all projects: one of them alone does not decide
// what moai init puts there.
func (e *env) wantsBlock(s settings.Scope, root string) (closed bool, again string) {
	again = "moai init " + s.Flag()
	value := e.cfg(root).String(onFailureKey)
	if s == settings.User && value != e.cfg("").String(onFailureKey) {
		again += " --on-failure " + value
	}
	return value == "closed" && s != settings.Shared, again
}

// editConfig changes a file of settings. Several processes that read, edit and write at once would each keep
// their own setting alone.
func (e *env) editConfig(path, key string, edit func() error) error {
	if err := state.Locked(state.LockPath(e.stateDir(), path), edit); err != nil {
		return err
	}
	return e.answerFor(path, key)
}

// completeKeys offers setting names, and the values of the one already typed.
func completeKeys(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	switch len(args) {
	case 0:
		for _, k := range config.Keys {
			list = append(list, k.Name+"\t"+k.Doc)
		}
	case 1:
		if i := config.Find(args[0]); i >= 0 {
			list = append(list, config.Keys[i].Values...)
			if words := config.Keys[i].Words(); words != nil {
				list = append(list, config.Keys[i].Default)
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// ignored says which variable of a key does not count, and why; "" for none.
func ignored(c *config.Config, key string) string {
	for _, i := range c.Ignored {
		if i.Key == key {
			return "environment (ignored: " + i.Why() + ")"
		}
	}
	return ""
}

// warn says on stderr what the configuration files and the variables hold that does not count.
func (e *env) warn(c *config.Config) {
	for _, i := range c.Ignored {
		fmt.Fprintln(e.err, "moai: warning:", term.Text(i.String()))
	}
	for i := range c.Held {
		fmt.Fprintln(e.err, "moai: warning:", term.Text(c.Held[i].String()))
	}
	for _, p := range c.Problems {
		fmt.Fprintln(e.err, "moai: warning:", term.Text(p)) // quotes a stranger's file
	}
}

// projectRoot is the root of the project around the working directory: the
// nearest folder upwards that holds .git or .moai, else the directory itself.
func (e *env) projectRoot() string { return findRoot(e.dir, e.home()) }

// findRoot stops before the home folder: a .moai or .git there (dotfiles) does
// not make everything below it one project.
// It begins where no path is too deep: a clone can hold a thousand folders in each other.
func findRoot(dir, home string) string {
	for d := state.Shallow(dir); ; {
		if d == home && d != dir {
			return dir
		}
		if marked(d) {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return dir
		}
		d = up
	}
}
