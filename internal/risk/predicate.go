package risk

import (
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Predicates are the named conditions that tables cannot express. A rule that
// names another one is refused by the generator.
var Predicates = [...]string{
	"absolute-mode-open",
	"acts-destructively",
	"adds-to-git",
	"background-recursion",
	"by-redirect",
	"carries-command",
	"carries-output",
	"changes-repository",
	"code-connects-shell",
	"code-names-secret",
	"config-runs",
	"copies-example",
	"counts-many",
	"delete-refspec",
	"deletes-storage",
	"destroys",
	"dynamic-operand",
	"edits-many",
	"fed-by-any-list",
	"fed-by-list",
	"fed-option",
	"fed-unknown",
	"fetched-insecurely",
	"fifo-loop",
	"force-refspec",
	"glob-target",
	"http-changes",
	"http-deletes",
	"injects-config",
	"kill-everything",
	"known-initialiser",
	"listed-target",
	"listens",
	"local-host",
	"loosens-guard",
	"maybe-root",
	"mode-closed",
	"mode-setuid",
	"own-binary",
	"own-program",
	"own-verb",
	"pathspec",
	"production",
	"protected-ref",
	"publishes-on-host",
	"remote",
	"remote-last",
	"remote-operand",
	"removes-packages",
	"reverse-shell",
	"rewrites-history",
	"runs-batch",
	"runs-decoded",
	"runs-downloaded",
	"runs-input",
	"secret-content",
	"secret-flow",
	"secret-object",
	"shell-alias",
	"to-socket",
	"unknown-code",
	"unknown-line",
	"url-operand",
	"whole-repository",
	"whole-temp",
	"wide-pattern",
}

// KnownPredicate reports whether a rule may name it.
func KnownPredicate(name string) bool {
	for _, p := range Predicates {
		if p == name {
			return true
		}
	}
	return false
}

// is evaluates a named predicate.
func (m *match) is(name string) bool {
	k := m.call
	switch name {
	case "force-refspec":
		return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "+") && len(s) > 1 || strings.Contains(s, ":+") })
	case "delete-refspec":
		return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, ":") && len(s) > 1 })
	case "protected-ref":
		return m.anyOperand(func(s string) bool { return protectedRef(s) })
	case "pathspec":
		return m.pathspec()
	case "remote":
		return k.cmd.Remote
	case "remote-operand":
		return m.anyOperand(remoteOperand)
	case "url-operand":
		return m.anyOperand(func(s string) bool { return strings.Contains(s, "://") })
	case "local-host":
		return m.localHost()
	case "dynamic-operand":
		for _, i := range k.operands[min(m.skip, len(k.operands)):] {
			if k.cmd.Args[i].Kind != shell.Literal {
				return true
			}
		}
		return false
	case "by-redirect", "glob-target", "listed-target", "to-socket", "whole-temp", "maybe-root", "own-binary":
		return true // about one effect: see fitsEffect
	case "config-runs":
		return m.configRuns()
	case "rewrites-history":
		return k.name != "git" || k.sub("filter-branch", nil) || k.sub("filter-repo", nil)
	case "secret-object":
		return m.anyOperand(func(s string) bool {
			_, p, ok := strings.Cut(s, ":")
			return ok && m.c.names(p, false)&(rule.Secret|rule.Key) != 0
		})
	case "loosens-guard":
		return m.loosensGuard()
	case "own-program":
		return k.name == "moai"
	case "acts-destructively":
		return m.actsDestructively()
	case "carries-command":
		return m.carriesCommand()
	case "fed-by-list", "fed-by-any-list":
		return fedByList(k)
	case "edits-many":
		return k.edits >= manyFiles
	case "secret-content":
		return m.secretContent()
	case "counts-many":
		return len(k.operands)-m.skip >= manyFiles
	case "absolute-mode-open", "mode-closed", "mode-setuid":
		return m.mode(name)
	case "kill-everything":
		return m.anyOperand(func(s string) bool { return s == "-1" }) || m.anyWord("-1", 2)
	case "shell-alias":
		return m.shellAlias()
	case "unknown-code":
		return m.unknownCode()
	case "background-recursion":
		return k.cmd.Recursive && (k.cmd.Background || len(k.cmd.PipeTo) > 0 || len(k.cmd.PipeFrom) > 0)
	case "reverse-shell":
		return m.reverseShell()
	case "secret-flow":
		return m.secretFlow()
	case "runs-input":
		return runsInput(k)
	case "runs-downloaded":
		return m.c.runsWritten(k, downloads)
	case "runs-decoded":
		return m.c.runsWritten(k, decodes)
	case "fed-unknown":
		return m.fedUnknown()
	case "injects-config":
		return m.injectsConfig()
	case "fed-option":
		return m.fedOption()
	case "known-initialiser":
		return m.c.onlyInitialisers(k)
	case "unknown-line":
		return len(k.cmd.Args) == 1 && k.cmd.Args[0].Kind == shell.Unknown && k.cmd.Args[0].Many
	case "destroys":
		return k.sub("destroy", nil) || k.sub("* destroy", nil) || k.given([]string{"-destroy"})
	case "removes-packages":
		return m.removesPackages()
	case "deletes-storage":
		return !k.sub("storage rsync", nil) || k.given([]string{"--delete-unmatched-destination-objects"})
	case "changes-repository":
		return !k.sub("repo edit", nil) && !k.sub("repo sync", nil) || k.given([]string{"--visibility", "--delete-branch-on-merge", "--default-branch", "--force", "--template"})
	case "publishes-on-host":
		return !k.sub("alias set", nil) || m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "!") })
	case "whole-repository":
		return m.anyOperand(func(s string) bool { return strings.Count(strings.Trim(s, "/"), "/") == 2 }) || strings.Count(strings.Trim(k.operand(len(k.operands)-1), "/"), "/") == 2
	case "http-changes":
		return httpMethod(k, "DELETE", "PUT", "PATCH")
	case "http-deletes":
		return httpMethod(k, "DELETE")
	case "copies-example":
		return m.copiesExample()
	case "adds-to-git":
		return k.name == "git"
	case "carries-output":
		return m.carriesOutput()
	case "code-connects-shell":
		return m.codeConnectsShell()
	case "code-names-secret":
		return m.codeNamesSecret()
	case "fetched-insecurely":
		return m.c.upstream(k, make([]bool, len(m.c.calls)), insecure)
	case "fifo-loop":
		return m.c.upstream(k, make([]bool, len(m.c.calls)), func(p *call) bool { return isShell(p.raw) || p.cmd.Code != nil && p.cmd.Code.Lang == "sh" })
	case "remote-last":
		return len(k.operands) > 1 && remoteOperand(k.operand(len(k.operands)-1))
	case "runs-batch":
		return k.cmd.Stdin != nil || k.given([]string{"-b", "-e", "-f", "-s"}) || k.raw == "ftpput"
	case "production":
		return m.production()
	case "own-verb":
		return m.ownVerb()
	case "wide-pattern":
		return m.anyOperand(func(s string) bool { return s == "*" || s == "." || s == "-A" || s == ":/" || s == "./" })
	case "listens":
		return m.anyOperand(func(s string) bool { return strings.Contains(strings.ToUpper(s), "LISTEN") })
	}
	return false
}

// fitsEffect evaluates the predicates that are about one effect.
func (m *match) fitsEffect(e *effect) bool {
	for _, name := range m.rule.When.Is {
		switch name {
		case "by-redirect":
			if !e.redirect {
				return false
			}
		case "glob-target":
			if !e.glob {
				return false
			}
		case "listed-target":
			if !e.word.Many {
				return false
			}
		case "whole-temp":
			if !e.known {
				return false // "$(mktemp -d)": something in it
			}
			switch m.c.locate(m.call, e).Path {
			case "/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp":
			default:
				return false
			}
		case "to-socket":
			if !e.redirect || !strings.HasPrefix(e.text, "/dev/tcp/") && !strings.HasPrefix(e.text, "/dev/udp/") {
				return false
			}
		case "maybe-root":
			if !maybeRoot(e) {
				return false
			}
		case "own-binary":
			if !ownBinary(m.c.locate(m.call, e)) {
				return false
			}
		}
	}
	return true
}

// maybeRoot reports a path that is / or all of / when its unknown part turns
// out empty: "$DIR/*", "/$NAME".
func maybeRoot(e *effect) bool {
	if e.known || e.word == nil || e.text != e.word.Text {
		return false
	}
	var known strings.Builder
	for i := range e.word.Parts {
		if p := &e.word.Parts[i]; !p.Unknown {
			known.WriteString(p.Text)
		}
	}
	text := known.String()
	return strings.HasPrefix(text, "/") && strings.Trim(text, "/*.") == ""
}

// manyFiles is the threshold of S0-28.
const manyFiles = 10

func (m *match) anyOperand(is func(string) bool) bool {
	k := m.call
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		if w := &k.cmd.Args[i]; is(w.Text) {
			return true
		}
	}
	return false
}

// anyWord reports whether an argument from number from on is exactly text.
func (m *match) anyWord(text string, from int) bool {
	for i := from; i < len(m.call.cmd.Args); i++ {
		if m.call.cmd.Args[i].Text == text {
			return true
		}
	}
	return false
}

// protectedRef tells the branches that a team shares, as the destination of a
// refspec: main, +HEAD:main, refs/heads/release/2.x.
func protectedRef(s string) bool {
	s = strings.TrimPrefix(s, "+")
	if _, dst, ok := strings.Cut(s, ":"); ok {
		s = dst
	}
	s = strings.TrimPrefix(s, "refs/heads/")
	switch strings.ToLower(s) {
	case "main", "master", "trunk", "develop", "development", "production", "prod", "release", "stable":
		return true
	}
	return strings.HasPrefix(s, "release/") || strings.HasPrefix(s, "release-") || strings.HasPrefix(s, "hotfix/")
}

// pathspec tells whether git checkout is given paths to overwrite: after "--",
// or words that only a path can be.
func (m *match) pathspec() bool {
	k := m.call
	if k.dashdash >= 0 {
		return len(k.operands) > k.dashdash
	}
	for n, i := range k.operands[min(m.skip, len(k.operands)):] {
		s := k.cmd.Args[i].Text
		if s == "." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == ".." || strings.HasPrefix(s, ":/") || strings.HasSuffix(s, "/") {
			return true
		}
		if k.cmd.Args[i].Glob {
			return true
		}
		if n > 0 {
			return true // checkout REF PATH
		}
		if e := m.c.in.Exists; e != nil && strings.Contains(s, ".") {
			if abs, ok := m.c.absolute(k, s); ok && e(abs) {
				return true
			}
		}
	}
	return false
}

// remoteOperand tells host:path and user@host:path from paths and from drives.
func remoteOperand(s string) bool {
	colon := strings.IndexByte(s, ':')
	if colon <= 1 {
		return strings.HasPrefix(s, "rsync://") || strings.HasPrefix(s, "scp://") || strings.HasPrefix(s, "sftp://")
	}
	return !strings.Contains(s[:colon], "/") || strings.Contains(s[:colon], "@")
}

// localHost reports that every host among the operands is this machine.
func (m *match) localHost() bool {
	found := false
	for _, i := range m.call.operands {
		s := m.call.cmd.Args[i].Text
		if _, after, ok := strings.Cut(s, "://"); ok {
			s = after
		}
		s, _, _ = strings.Cut(s, "/")
		if at := strings.LastIndexByte(s, '@'); at >= 0 {
			s = s[at+1:]
		}
		if strings.HasPrefix(s, "[::1]") {
			found = true
			continue
		}
		s, _, _ = strings.Cut(s, ":")
		if _, err := strconv.Atoi(s); err == nil || s == "-" {
			continue // a port
		}
		switch s {
		case "localhost", "127.0.0.1", "0.0.0.0", "host.docker.internal":
			found = true
		default:
			return false
		}
	}
	return found
}

// mode judges chmod's first operand.
func (m *match) mode(name string) bool {
	k := m.call
	if len(k.operands) == 0 {
		return false
	}
	s := k.operand(0)
	if n, err := strconv.ParseUint(s, 8, 16); err == nil {
		switch name {
		case "absolute-mode-open":
			return n&0o002 != 0 && n&0o1000 == 0
		case "mode-closed":
			return n&0o777 == 0
		default:
			return n&0o6000 != 0
		}
	}
	for _, clause := range strings.Split(s, ",") {
		who, what, ok := cutAny(clause, "+=")
		if !ok {
			if name == "mode-closed" && (clause == "a-rwx" || clause == "ugo-rwx" || clause == "a=") {
				return true
			}
			continue
		}
		switch name {
		case "absolute-mode-open":
			// "+w" alone obeys the umask and is everyday.
			if strings.ContainsAny(who, "oa") && strings.Contains(what, "w") {
				return true
			}
		case "mode-setuid":
			if strings.Contains(what, "s") {
				return true
			}
		case "mode-closed":
			if what == "" && strings.ContainsAny(who, "a") {
				return true
			}
		}
	}
	return false
}

func cutAny(s, seps string) (before, after string, ok bool) {
	if i := strings.IndexAny(s, seps); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// shellAlias finds git -c settings that make git run a program.
func (m *match) shellAlias() bool {
	for i := range m.call.options {
		o := &m.call.options[i]
		if o.name != "-c" && o.name != "--config-env" || !o.has {
			continue
		}
		if strings.HasPrefix(strings.ToLower(o.value), "core.sshcommand=") && !m.reachesRemote() {
			continue
		}
		if runsProgram(o.value) {
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
	case "status", "log", "diff", "show", "branch", "add", "commit", "rev-parse", "config":
		return false
	}
	return true
}

// runsProgram reports a git setting, as name=value, whose value git executes.
func runsProgram(setting string) bool {
	name, value, _ := strings.Cut(setting, "=")
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "alias.") {
		return strings.HasPrefix(strings.TrimSpace(value), "!")
	}
	switch name {
	case "core.hookspath":
		return value != "/dev/null"
	case "core.editor", "sequence.editor", "core.pager", "core.sshcommand", "core.askpass", "core.fsmonitor", "credential.helper",
		"gpg.program", "diff.external", "merge.tool", "uploadpack.packobjectshook", "core.gitproxy", "core.alternaterefscommand":
		switch value {
		case "true", "false", ":", "cat", "less", "", "ssh", "cache", "store", "osxkeychain", "manager":
			return false
		}
		return true
	}
	switch {
	case strings.HasPrefix(name, "filter.") && (strings.HasSuffix(name, ".smudge") || strings.HasSuffix(name, ".clean") || strings.HasSuffix(name, ".process")),
		strings.HasPrefix(name, "diff.") && (strings.HasSuffix(name, ".textconv") || strings.HasSuffix(name, ".command")),
		strings.HasPrefix(name, "mergetool.") && strings.HasSuffix(name, ".cmd"),
		strings.HasPrefix(name, "merge.") && strings.HasSuffix(name, ".driver"),
		strings.HasPrefix(name, "pager."):
		return value != "" && value != "cat" && value != "false" && value != "true" && value != "less"
	}
	return false
}

// production looks for a word that names a production system among all words
// and variables of the call.
func (m *match) production() bool {
	for i := range m.call.cmd.Args {
		if i > 0 && productionWord(m.call.cmd.Args[i].Text) {
			return true
		}
	}
	for i := range m.call.cmd.Assigns {
		if productionWord(m.call.cmd.Assigns[i].Value.Text) {
			return true
		}
	}
	return false
}

func productionWord(s string) bool {
	s = strings.ToLower(s)
	for from := 0; ; {
		i := strings.Index(s[from:], "prod")
		if i < 0 {
			return false
		}
		i += from
		end := i + len("prod")
		if strings.HasPrefix(s[i:], "production") {
			end = i + len("production")
		}
		if (i == 0 || !letter(s[i-1])) && (end == len(s) || !letter(s[end])) {
			return true
		}
		from = i + 1
	}
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }

// configRuns is shellAlias for "git config NAME VALUE".
func (m *match) configRuns() bool {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) < 2 {
		return false
	}
	setting := k.cmd.Args[ops[0]].Text + "=" + k.cmd.Args[ops[1]].Text
	m.detail = setting
	return runsProgram(setting)
}

// copiesExample reports that a file which does not exist yet is made from an
// example: the way every project with a .env.example begins.
func (m *match) copiesExample() bool {
	k := m.call
	if k.name != "cp" && k.name != "install" || len(k.operands) != 2 {
		return false
	}
	from := strings.ToLower(k.operand(0))
	for _, end := range [...]string{"example", "sample", "template", "dist", "tmpl"} {
		if strings.HasSuffix(from, end) {
			abs, ok := m.c.absolute(k, k.operand(1))
			return ok && m.c.in.Exists != nil && !m.c.in.Exists(abs)
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
	unknown := func(w *shell.Word) bool {
		return w.Kind == shell.Unknown || w.Kind == shell.Partial && w.Prefix() != "" && w.Prefix()[0] == '-'
	}
	for n, i := range k.operands {
		if n == 0 {
			if unknown(&k.cmd.Args[i]) {
				return true
			}
			switch k.operand(0) {
			case "reset", "push", "clean", "rm", "stash", "worktree", "reflog", "update-ref", "filter-branch":
			default:
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
		if !ok1 || !ok2 || name == "" || runsProgram(name+"="+setting) {
			return true
		}
	}
	return false
}

// fedOption reports that a list decides about an option of an interpreter: which
// module it loads, which file it runs, or a part of its program.
func (m *match) fedOption() bool {
	k := m.call
	if !fedByList(k) {
		return false
	}
	for i := range k.options {
		w := &k.cmd.Args[k.options[i].word]
		if w.Kind != shell.Literal && !w.Many {
			return true
		}
	}
	return false
}

// removesPackages tells the verbs of package managers that take software away
// from the ones that list it, in the forms of words and of options.
func (m *match) removesPackages() bool {
	k := m.call
	switch k.raw {
	case "pacman":
		return k.given([]string{"-R", "-Rs", "-Rns", "--remove"})
	case "dpkg":
		return k.given([]string{"-r", "-P", "--remove", "--purge"})
	case "rpm":
		return k.given([]string{"-e", "--erase"})
	case "nix-env":
		return k.given([]string{"-e", "--uninstall"})
	case "emerge":
		return k.given([]string{"-C", "--unmerge", "-c", "--depclean"})
	case "xbps-remove":
		return len(k.operands) > 0
	}
	if len(k.operands) == 0 {
		return false
	}
	switch k.operand(0) {
	case "remove", "purge", "autoremove", "erase", "uninstall", "del", "rm", "delete", "autopurge", "dist-upgrade", "full-upgrade":
		return true
	}
	return false
}

// httpMethod reports the method of a request, as an option or as a word.
func httpMethod(k *call, methods ...string) bool {
	for _, method := range methods {
		if k.given([]string{"-X=" + method, "--request=" + method, "--method=" + method}) {
			return true
		}
		if (k.name == "http" || k.name == "xh") && len(k.operands) > 0 && strings.EqualFold(k.operand(0), method) {
			return true
		}
	}
	return false
}
