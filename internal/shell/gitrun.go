package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// git, and hg like it, runs commands that its settings and options hold: aliases with !, editors and
// filters given by -c, and what rebase, bisect and submodule foreach are told.

// git is judged itself; an alias on the line that begins with ! is run.
func (e *engine) git(x *simple, c *ctx) output {
	out := e.plainRun("git", x, c)
	args := x.args
	var hooks *Word
	for i := range x.assigns {
		// GIT_CONFIG_KEY_0=k GIT_CONFIG_VALUE_0=v is -c k=v.
		number, ok := strings.CutPrefix(x.assigns[i].Name, "GIT_CONFIG_KEY_")
		for k := range x.assigns {
			if ok && x.assigns[k].Name == "GIT_CONFIG_VALUE_"+number {
				pair := join([]Word{x.assigns[i].Value, x.assigns[k].Value}, "=", x.span)
				e.gitAlias(&pair, args, 0, c)
				hooks = cmp.Or(hooksPath(&pair), hooks)
			}
		}
	}
	dir := c.st.dirs[len(c.st.dirs)-1].Text
	own := e.gitDirOf(x, c)
	r := argv.Reader{Args: words(args), At: 1, Takes: argv.List(globals(e.tables.Globals, "git").Value).Takes}
	at := r.Options(func(it argv.Item) bool {
		switch value := words(args).value(it); {
		case value == nil:
		case it.Name == "-C":
			if path.IsAbs(value.Text) {
				dir = value.Text
			} else {
				dir = path.Join(dir, value.Text)
			}
		case it.Name == "--git-dir":
			own = value
		case it.Name == "-c":
			e.gitAlias(value, args, it.Value, c)
			hooks = cmp.Or(hooksPath(value), hooks)
		case it.Name == "--config-env":
			e.gitEnv(value, args, it.Value, c)
		}
		return true
	})
	if own != nil && own.Kind == Literal { // its settings count, and its hooks run, wherever the work tree is
		if path.IsAbs(own.Text) {
			dir = own.Text
		} else {
			dir = path.Join(dir, own.Text)
		}
	}
	if at < len(args) {
		e.gitSettled(dir, x.span, &args[at], args[at+1:], c)
		e.gitRuns(args[at].Prefix(), args[at+1:], dir, c)
		e.gitHooks(dir, hooks, &args[at], args[at+1:], c)
	}
	return out
}

// gitDirOf is the folder with Git's settings that a variable names for a call, nil without one.
func (e *engine) gitDirOf(x *simple, c *ctx) *Word {
	for _, name := range [...]string{"GIT_COMMON_DIR", "GIT_DIR"} {
		for i := range x.assigns {
			if x.assigns[i].Name == name {
				return &x.assigns[i].Value
			}
		}
		if v := c.st.find(name); v == nil && e.opt.Env == nil || v != nil && !v.exported {
			continue
		}
		if w := e.environ(name, x.span, c); w.Kind == Literal && w.Text != "" {
			return &w
		}
	}
	return nil
}

// gitEnv follows --config-env alias.x=VAR where the line sets VAR.
func (e *engine) gitEnv(w *Word, args []Word, i int, c *ctx) {
	key, name, ok := strings.Cut(w.Text, "=")
	v := c.st.find(name)
	// What the line does not set comes from outside; the rules ask about any such option.
	if !ok || w.Kind != Literal || v == nil || v.unset || len(v.alts) == 0 || len(v.alts[0].list) != 1 {
		return
	}
	pair := join([]Word{lit(key, w.Span), v.alts[0].list[0]}, "=", w.Span)
	e.gitAlias(&pair, args, i, c)
}

// gitAlias follows -c alias.x='!command' and the keys whose value is a command.
func (e *engine) gitAlias(w *Word, args []Word, i int, c *ctx) {
	key, _, ok := strings.Cut(w.Prefix(), "=")
	if !ok {
		return
	}
	val := cutWord(w, len(key)+1)
	low := strings.ToLower(key)
	switch {
	case strings.HasPrefix(low, "alias.") && strings.HasPrefix(val.Prefix(), "!"):
		n := c.step("git alias", w.Span)
		n.cond = true
		text := *cutWord(val, 1)
		for k := i + 1; k < len(args); k++ {
			if args[k].Is(key[6:]) { // what follows the alias goes to its command
				text = join(append([]Word{text}, args[k+1:]...), " ", w.Span)
			}
		}
		e.script(text, n)
	// Without a mark an alias is a subcommand of git with options (git-config(1), alias.*).
	case strings.HasPrefix(low, "alias."):
		n := c.step("git alias", w.Span)
		n.cond = true
		words := []Word{lit("git", w.Span), *val}
		for k := i + 1; k < len(args); k++ {
			if args[k].Is(key[6:]) {
				words = append(words, args[k+1:]...)
			}
		}
		e.script(join(words, " ", w.Span), n)
	case strings.HasPrefix(low, "credential.") && strings.HasSuffix(low, ".helper") && strings.HasPrefix(val.Prefix(), "!"):
		n := c.step("git "+low, w.Span)
		n.cond = true
		e.script(*cutWord(val, 1), n)
	case plainName(val.Text):
		// a program without arguments, about which there is nothing to say
	case e.tables.RunsSetting("git", low, val.Text):
		n := c.step("git "+low, w.Span)
		n.cond = true
		e.script(*val, n)
	}
}

// gitSettled follows an alias that the settings of Git have, of the repository or of the user.
func (e *engine) gitSettled(dir string, span Span, sub *Word, args []Word, c *ctx) {
	if e.opt.Alias == nil || sub.Kind != Literal || e.tables.Git.Commands.Has(sub.Text) || c.calls.has("git "+sub.Text) {
		return
	}
	if text, _ := e.opt.Alias(dir, sub.Text); text != "" {
		e.gitStands(sub.Text, lit(text, span), args, c)
	}
}

// gitStands runs what a subcommand stands for: a command line behind "!", else another subcommand with options.
func (e *engine) gitStands(sub string, text Word, args []Word, c *ctx) {
	n := c.step("git alias", text.Span)
	n.calls = &frame{"git " + sub, c.calls}
	if strings.HasPrefix(text.Prefix(), "!") {
		text = *cutWord(&text, 1)
	} else {
		text = join([]Word{lit("git", text.Span), text}, " ", text.Span)
	}
	e.script(join(append([]Word{text}, args...), " ", text.Span), n)
}

// afterQuiet are the words behind those that say how much git submodule tells, and how deep it goes.
func afterQuiet(args []Word) (rest []Word, deep bool) {
	for len(args) > 0 && (args[0].Is("-q") || args[0].Is("--quiet") || args[0].Is("--recursive")) {
		deep = deep || args[0].Is("--recursive")
		args = args[1:]
	}
	return args, deep
}

// maxModules bounds the submodules in which a command is judged. With more it is judged in a folder of no known name as well.
const maxModules = 32

// gitEach runs a command line in each submodule of the repository around a folder (git-submodule(1), foreach). Where these are not known, it is judged
// in the folder itself.
func (e *engine) gitEach(args []Word, dir string, deep bool, n *ctx) {
	if e.opt.Submodules != nil && absolute(dir) {
		n.st = n.st.clone()
		list := e.opt.Submodules(dir, deep)
		if len(list) > 0 {
			n.st.dirs, n.st.stayed = nil, nil
		}
		for i, p := range list {
			if i == maxModules {
				n.st.dirs = append(n.st.dirs, unknown("$sm_path", args[0].Span))
				break
			}
			n.st.dirs = append(n.st.dirs, lit(p, args[0].Span))
		}
	}
	e.script(join(args, " ", args[0].Span), n)
}

// gitRuns follows the git commands that run a command line for commits,
// submodules or tests.
func (e *engine) gitRuns(sub string, args []Word, dir string, c *ctx) {
	step := func() *ctx { return c.step("git "+sub, args[0].Span) }
	if a := c.st.alias("git " + sub); a != nil && !c.calls.has(a.name) {
		e.gitStands(sub, a.text, args, c)
	}
	switch sub {
	case "config":
		e.gitSets(args, c)
	// The words are joined and given to sh, once in each submodule (git-submodule(1)).
	case "submodule", "subtree":
		if args, _ = afterQuiet(args); len(args) > 1 && args[0].Is("foreach") {
			if args, deep := afterQuiet(args[1:]); len(args) > 0 {
				e.gitEach(args, dir, deep, c.step("git "+sub, args[0].Span))
			}
		}
	case "clone":
		for _, w := range optionValues(args, "c config", "") {
			e.gitAlias(w, args, len(args), c)
		}
		if w := optionValue(args, "u upload-pack"); w != nil {
			// It is run where the repository is, which is mostly another machine.
			e.script(*w, step().elsewhere())
		}
	case "rebase":
		if w := optionValue(args, "x exec"); w != nil {
			e.script(*w, step())
		}
	case "bisect":
		if len(args) > 1 && args[0].Is("run") {
			// Words, not text: no shell stands between.
			e.run(&simple{args: args[1:], span: spanOf(args[1:], args[0].Span)}, step())
		}
	// The operands are a git command for every repository that a setting lists, wherever it lies (git-for-each-repo(1)).
	case "for-each-repo":
		r := argv.Reader{Args: words(args), Takes: argv.List(" config").Takes}
		if at := r.Options(func(argv.Item) bool { return true }); at < len(args) {
			span := spanOf(args[at:], args[0].Span)
			e.run(&simple{args: append([]Word{lit("git", span), lit("-C", span), unknown("$REPO", span)}, args[at:]...), span: span}, step())
		}
	// Each filter is shell text that runs for every commit (git-filter-branch(1)).
	case "filter-branch":
		for _, name := range e.tables.Git.Filters {
			if w := optionValue(args, argv.List(" "+name)); w != nil {
				e.script(*w, step())
			}
		}
	case "difftool", "mergetool":
		// Two files stand behind the command, of which the second is mostly the one in the work tree.
		if w := optionValue(args, "x extcmd"); w != nil {
			e.script(join([]Word{*w, unknown("$LOCAL", w.Span), unknown("$REMOTE", w.Span)}, " ", w.Span), step())
		}
	}
}

// gitSets remembers an alias, or the folder of hooks, that the line gives to Git for good: git config alias.x V.
func (e *engine) gitSets(args []Word, c *ctx) {
	for i := range args {
		name, ok := strings.CutPrefix(args[i].Text, "alias.")
		if strings.EqualFold(args[i].Text, hookFolder) {
			name, ok = hookFolder, true
		}
		if ok && args[i].Kind == Literal && i+1 < len(args) {
			c.st.aliases = append(slices.Clip(c.st.aliases), alias{"git " + name, args[i+1]})
			return
		}
	}
}

// mercurial follows --config: aliases with ! and the settings whose value hg runs
// (hg help config: alias, hooks, ui.editor, ui.ssh).
func (e *engine) mercurial(name string, x *simple, c *ctx) output {
	out := e.plainRun(name, x, c)
	for _, w := range optionValues(x.args[1:], " config", "") {
		key, _, ok := strings.Cut(w.Prefix(), "=")
		if !ok {
			continue
		}
		val := cutWord(w, len(key)+1)
		n := c.step(name+" "+key, w.Span)
		n.cond = true
		switch low := strings.ToLower(key); {
		case strings.HasPrefix(low, "alias.") && strings.HasPrefix(val.Prefix(), "!"):
			e.script(*cutWord(val, 1), n)
		case strings.HasPrefix(low, "alias."):
			e.script(join([]Word{lit(name, w.Span), *val}, " ", w.Span), n)
		// "python:module.function" is no command (hg help config.hooks).
		case !strings.HasPrefix(val.Prefix(), "python:") && e.tables.RunsSetting("hg", low, val.Text):
			e.script(*val, n)
		}
	}
	return out
}
