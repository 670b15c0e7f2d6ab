package risk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Git's own grammar: refspecs, pathspecs and the settings that run programs.

// protectedRef tells the branches that a team shares, as the destination of a
// refspec: main, +HEAD:main, refs/heads/release/2.x.
func (c *checker) protectedRef(s string) bool {
	// The plus sign says how, not where.
	s = strings.TrimPrefix(s, "+")
	if _, dst, ok := strings.Cut(s, ":"); ok {
		s = dst
	}
	s = strings.TrimPrefix(s, "refs/heads/")
	if c.set.In("shared-branches", strings.ToLower(s)) {
		return true
	}
	for begin := range c.set.members("shared-branch-beginnings").All() {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	return false
}

// forcesTag reports a push by force of tags alone, by what they are called: tag NAME, refs/tags/NAME, v1.2.
func (m *match) forcesTag() bool {
	k := m.call
	force := k.given([]string{"-f", "--force"})
	words := k.operands[min(m.skip+1, len(k.operands)):] // behind the remote
	if len(words) == 0 {
		return force && k.given([]string{"--tags"})
	}
	named := false
	for n, i := range words {
		text := k.cmd.Args[i].Text
		if text == "tag" && n+1 < len(words) {
			continue
		}
		spec := strings.TrimPrefix(text, "+")
		_, to, both := strings.Cut(spec, ":")
		if !both {
			to = spec
		}
		// A branch can be called v2, too; the question is asked of both, and this one speaks of a tag.
		if n == 0 || k.cmd.Args[words[n-1]].Text != "tag" {
			if !strings.HasPrefix(to, "refs/tags/") && !version(to) {
				return false
			}
		}
		named = named || force || spec != text
	}
	return named
}

// version reports a name such as v1, 1.2.3 or v2.0-rc1: digits and dots, and a digit in what is behind a dash.
func version(s string) bool {
	digits, rest, more := strings.Cut(strings.TrimPrefix(s, "v"), "-")
	if more && !strings.ContainsAny(rest, "0123456789") {
		return false
	}
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.Trim(digits, "0123456789.") == "" && (s[0] == 'v' || strings.Contains(digits, "."))
}

// pathspec tells whether git checkout is given paths to overwrite: after "--",
// or words that only a path can be.
func (m *match) pathspec() bool {
	k := m.call
	if k.dashdash >= 0 {
		return len(k.operands) > k.dashdash
	}
	anyCase := k.given([]string{"--icase-pathspecs"}) || slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool { return a.Name == "GIT_ICASE_PATHSPECS" })
	// Without "--" git itself guesses: a revision first, then a path.
	for n, i := range k.operands[min(m.skip, len(k.operands)):] {
		s := k.cmd.Args[i].Text
		// No name of a branch or commit begins with a colon, or has a wildcard (git-check-ref-format(1)).
		if s == "." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == ".." || strings.HasPrefix(s, ":") || strings.HasSuffix(s, "/") {
			return true
		}
		if k.cmd.Args[i].Glob || k.cmd.Args[i].Kind == shell.Literal && strings.ContainsAny(s, "*?[") || anyCase {
			return true
		}
		if n > 0 {
			return true // checkout REF PATH
		}
		// What is both a file and a branch Git refuses.
		if e := m.c.in.Exists; e != nil {
			if abs, ok := m.c.absolute(k, s); ok && e(abs) {
				return true
			}
		}
	}
	return false
}

// asInHead reports that git checkout or restore is given plain files and folders alone, and that each is as HEAD has it, in the index and in its folder:
// nothing of them is lost. A call before it on the line may be about to change that, if it is Git's or writes files.
func (m *match) asInHead() bool {
	k, c := m.call, m.c
	if k.away() || c.in.Regular == nil || c.in.Unsaved == nil || c.in.Differs == nil || m.changedBefore() {
		return false
	}
	first, named := min(m.skip, len(k.operands)), k.given([]string{"-s", "--source"})
	if k.dashdash >= 0 {
		named = named || k.dashdash > first
		first = max(first, k.dashdash)
	}
	var folders []string
	files := map[string]bool{}
	for n, i := range k.operands[first:] {
		w := &k.cmd.Args[i]
		abs, ok := c.absolute(k, w.Text)
		plain := ok && w.Kind == shell.Literal && !w.Glob && !strings.ContainsAny(w.Text, "*?[:")
		if n == 0 && k.dashdash < 0 && ok && !c.in.Exists(abs) {
			named = true
			continue // a revision
		}
		rel, inside := strings.CutPrefix(abs, c.in.Root+"/")
		switch {
		case !plain || !inside:
			return false
		case c.in.Regular(abs):
			if c.in.Unsaved(abs) {
				return false
			}
			files[rel] = true
		case !c.gitOfProject(k, abs):
			return false
		default:
			folders = append(folders, rel)
		}
	}
	// A commit may have files where a folder has others that Git does not know.
	if named && len(folders) > 0 || len(files)+len(folders) == 0 {
		return false
	}
	known := true // each folder is one, and neither a submodule nor in the place of a file
	return !c.in.Differs(func(p string) bool {
		known = known && !slices.Contains(folders, p)
		return files[p] || slices.ContainsFunc(folders, func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
	}) && known
}

// gitOfProject reports a folder in which Git works on the project's own repository, and on none that lies in it or that variables or options name.
func (c *checker) gitOfProject(k *call, dir string) bool {
	return c.repository(dir) == c.in.Root && len(c.byVariables(k)) == 0 && !k.given([]string{"--git-dir", "--work-tree"})
}

// changedBefore reports that a call before this one on the line is the same program's, or does something to files.
func (m *match) changedBefore() bool {
	k, c := m.call, m.c
	return slices.ContainsFunc(c.calls[:min(k.index, len(c.calls))], func(p call) bool { return p.name == k.name || len(p.effects) > 0 })
}

// cleansFoldersClean reports that git clean is given folders of the project alone in which Git shows nothing but what it tracks.
func (m *match) cleansFoldersClean() bool {
	k, c := m.call, m.c
	ops := k.operands[min(1, len(k.operands)):]
	if k.away() || len(ops) == 0 || c.in.Dirty == nil || c.in.Root == "" || m.changedBefore() {
		return false
	}
	return !slices.ContainsFunc(ops, func(i int) bool {
		w := &k.cmd.Args[i]
		abs, ok := c.absolute(k, w.Text)
		_, inside := strings.CutPrefix(abs, c.in.Root+"/")
		return !ok || !inside || !c.gitOfProject(k, abs) || w.Kind != shell.Literal || w.Glob || strings.ContainsAny(w.Text, `*?[:\`) || c.in.Dirty(abs, nil) || c.in.Regular == nil || c.in.Regular(abs)
	})
}

// shellAlias finds git -c settings that make git run a program.
func (m *match) shellAlias() bool {
	for i := range m.call.options {
		o := &m.call.options[i]
		if o.name != "-c" && o.name != "--config-env" && (o.name != "--config" || !m.call.sub("clone", nil)) || !o.has {
			continue
		}
		if name, _, _ := strings.Cut(strings.ToLower(o.value), "="); strings.HasPrefix(name, "include") && strings.HasSuffix(name, ".path") {
			m.detail = o.value // settings of a file that nobody sees: any of them could run a program
			return true
		}
		// NAME=VARIABLE: the value itself is not on the line.
		if name, _, _ := strings.Cut(o.value, "="); o.name == "--config-env" && (strings.HasPrefix(name, "alias.") || m.c.runsProgram(name+"=unknown")) {
			m.detail = o.value // the value is in a variable: it could be anything
			return true
		}
		if strings.HasPrefix(strings.ToLower(o.value), "core.sshcommand=") && !m.reachesRemote() {
			continue
		}
		if m.c.runsProgram(o.value) {
			m.detail = o.value
			return true
		}
	}
	return false
}

// reachesRemote reports a subcommand of git that talks to another machine.
func (m *match) reachesRemote() bool {
	k := m.call
	if len(k.operands) == 0 {
		return false
	}
	switch k.operand(0) {
	case "archive":
		return k.given([]string{"--remote"})
	case "remote":
		return len(k.operands) > 1 && (k.operand(1) == "update" || k.operand(1) == "show" || k.operand(1) == "prune")
	}
	return m.c.set.In("git-reaches", k.operand(0))
}

// runsProgram reports a git setting, as name=value, whose value git executes.
func (c *checker) runsProgram(setting string) bool {
	name, value, _ := strings.Cut(setting, "=")
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "credential.") && strings.HasSuffix(name, ".helper") {
		name = "credential.helper" // for one address: credential.https://github.com.helper
	}
	if strings.HasPrefix(name, "alias.") {
		return strings.HasPrefix(strings.TrimSpace(value), "!")
	}
	switch name {
	case "core.hookspath":
		return value != "/dev/null"
	case "credential.helper":
		return value != "" && !c.usual(value) && !c.set.In("credential-helpers", value)
	}
	return c.set.Shells != nil && c.set.Shells.RunsSetting("git", name, value) && !c.usual(value)
}

// usual reports a program that settings of Git usually name, with nothing behind it but
// options that are letters: "code --wait". An option with a value could hold a command.
func (c *checker) usual(value string) bool {
	words := strings.Fields(value)
	if len(words) == 0 || !c.set.In("named-in-git-settings", words[0]) {
		return false
	}
	for _, w := range words[1:] {
		if len(w) < 2 || w[0] != '-' || strings.Trim(w, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return false
		}
	}
	return true
}

// unreadAlias reports a subcommand that may stand for anything: Git has no such command, and the settings could not be read.
func (m *match) unreadAlias() bool {
	c, k := m.c, m.call
	if c.in.Alias == nil || len(k.operands) == 0 || k.away() {
		return false
	}
	sub := &k.cmd.Args[k.operands[0]]
	if sub.Kind != shell.Literal || c.set.Shells.Git.Commands.Has(sub.Text) {
		return false
	}
	dir, _ := c.absolute(k, k.folder())
	_, known := c.in.Alias(dir, sub.Text)
	return !known
}

// configRuns is shellAlias for "git config NAME VALUE".
func (m *match) configRuns() bool {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) < 2 {
		return false
	}
	name, value := k.cmd.Args[ops[0]].Text, k.cmd.Args[ops[1]].Text
	m.detail = name + "=" + value
	if strings.EqualFold(name, "core.hooksPath") {
		// A folder of the project is how projects install the hooks that they review.
		e := effect{kind: rule.Read, word: &k.cmd.Args[ops[1]], text: value, known: k.cmd.Args[ops[1]].Kind == shell.Literal}
		t := m.c.placeOf(k, &e)
		return k.given([]string{"--global", "--system"}) || t.Class&(rule.Inside|rule.Project) == 0 || t.Class&(rule.Unknown|rule.Dotgit) != 0
	}
	return m.c.runsProgram(m.detail)
}

// configPush tells the values of push settings that force, mirror or publish more than
// the branch at hand; another address always counts.
func (m *match) configPush() bool {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) < 2 {
		return false
	}
	value := strings.ToLower(k.cmd.Args[ops[1]].Text)
	switch name := strings.ToLower(k.cmd.Args[ops[0]].Text); {
	case name == "push.default":
		return value == "matching" || value == "mirror"
	case strings.HasSuffix(name, ".mirror"):
		return !m.c.isFalse(value)
	case strings.HasSuffix(name, ".push"):
		return strings.HasPrefix(value, "+") || strings.HasPrefix(value, ":") || strings.Contains(value, "*")
	case strings.HasPrefix(name, "url."):
		return !m.sameHost()
	}
	return true
}

// namesSecret reports an operand that is the name of a file with credentials.
func (m *match) namesSecret() bool {
	return m.anyOperand(func(s string) bool {
		if _, p, ok := strings.Cut(s, ":"); ok { // commit:path
			return m.c.keyObject(m.call, p)
		}
		return m.c.keyOperand(m.call, s)
	})
}

// diffsIgnored reports a diff of the work tree with the index that names only files which Git ignores: it prints nothing of them.
func (m *match) diffsIgnored() bool {
	c, k := m.c, m.call
	paths := k.operands[min(m.skip, len(k.operands)):]
	return c.in.Ignored != nil && len(paths) > 0 && k.sub("diff", nil) && !k.given([]string{"--no-index"}) && !k.given([]string{"--cached", "--staged"}) && !slices.ContainsFunc(paths, func(i int) bool {
		w := &k.cmd.Args[i]
		abs, ok := c.absolute(k, w.Text)
		return !ok || w.Kind != shell.Literal || w.Glob || k.folder() != "." || !c.in.Ignored(abs)
	})
}

// oddTransport reports a GIT_SSH_COMMAND that is more than ssh with an identity or a
// port: another program, or options that run one.
func (m *match) oddTransport() bool {
	for i := range m.call.cmd.Assigns {
		a := &m.call.cmd.Assigns[i]
		if a.Name != "GIT_SSH_COMMAND" {
			continue
		}
		value := a.Value.Text
		words := strings.Fields(value)
		if len(words) == 0 {
			return a.Value.Kind != shell.Literal
		}
		program := words[0][strings.LastIndexByte(words[0], '/')+1:]
		if program != "ssh" || strings.Contains(words[0], "/") && words[0] != "/usr/bin/ssh" || strings.ContainsAny(value, "|&;<>`(") {
			return true
		}
		low := strings.ToLower(value)
		if strings.Contains(low, "command") || strings.Contains(value, " -F") {
			return true // ProxyCommand, LocalCommand, KnownHostsCommand; another configuration
		}
	}
	return false
}

// fedUnknown reports that a list which is not on the line decides what git does:
// its subcommand, or options of one that can destroy.
func (m *match) fedUnknown() bool {
	k := m.call
	if !fedByList(k) {
		return false
	}
	for i := range k.options {
		o := &k.options[i]
		if w := &k.cmd.Args[o.word]; w.Kind != shell.Literal && (o.name == "-c" || o.name == "--config-env") {
			return true
		}
	}
	unknown := func(w *shell.Word) bool {
		return w.Kind == shell.Unknown || w.Kind == shell.Partial && w.Prefix() != "" && w.Prefix()[0] == '-'
	}
	for n, i := range k.operands {
		if n == 0 {
			if unknown(&k.cmd.Args[i]) {
				return true
			}
			if !m.c.set.In("git-by-option", k.operand(0)) {
				return false
			}
			continue
		}
		if k.dashdash >= 0 && n >= k.dashdash {
			return false
		}
		if unknown(&k.cmd.Args[i]) {
			return true
		}
	}
	for i := range k.options {
		if w := &k.cmd.Args[k.options[i].word]; w.Kind != shell.Literal {
			return true
		}
	}
	return len(k.operands) == 0
}

// injectsConfig reads GIT_CONFIG_COUNT, _KEY_n and _VALUE_n as git does. What is
// not a plain pair of a setting that runs nothing is reported.
func (m *match) injectsConfig() bool {
	value := func(name string) (string, bool) {
		for i := range m.call.cmd.Assigns {
			if a := &m.call.cmd.Assigns[i]; a.Name == name {
				return a.Value.Text, a.Value.Kind == shell.Literal
			}
		}
		return "", false
	}
	text, ok := value("GIT_CONFIG_COUNT")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 0 || n > 100 || strconv.Itoa(n) != text {
		return true
	}
	for i := range n {
		name, ok1 := value("GIT_CONFIG_KEY_" + strconv.Itoa(i))
		setting, ok2 := value("GIT_CONFIG_VALUE_" + strconv.Itoa(i))
		// Whoever hides a setting that runs a program in variables is asked, whatever it is.
		if !ok1 || !ok2 || name == "" || m.c.runsProgram(name+"="+setting) || m.reachesRemote() && m.c.runsProgram(name+"=unknown") {
			return true
		}
	}
	return false
}

// editsByFilter reports that of the variables which are set for a call of Git, all that name programs name its editors, and these are
// well-known programs for text: what they do to a file is judged as any command.
func (m *match) editsByFilter() bool {
	edits := false
	for i := range m.call.cmd.Assigns {
		a := &m.call.cmd.Assigns[i]
		if m.c.set.In("editors-of-git", a.Name) {
			first, _, _ := strings.Cut(a.Value.Text, " ")
			if !m.c.set.In("edits-text", first) {
				return false
			}
			edits = true
		} else if strings.HasPrefix(a.Name, "GIT_") && strings.Contains(a.Value.Text, "/") {
			return false
		}
	}
	return edits
}
