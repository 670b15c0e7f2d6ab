package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// is evaluates a named predicate.
func (m *match) is(name string) bool {
	k := m.call
	switch name {
	case "applies-destroy":
		return m.appliesDestroy()
	case "force-refspec":
		return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "+") && len(s) > 1 || strings.Contains(s, ":+") })
	case "dangerous-cmdlet":
		return m.dangerousCmdlet()
	case "delete-refspec":
		return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, ":") && len(s) > 1 })
	case "protected-ref":
		return m.anyOperand(func(s string) bool { return protectedRef(s) }) || m.pushesProtected()
	case "pathspec":
		return m.pathspec()
	case "by-tool":
		return k.tool
	case "drops-staged":
		return m.dropsStaged()
	case "may-be-option":
		return m.mayBeOption()
	case "unknown-subcommand":
		return len(k.operands) > 0 && k.cmd.Args[k.operands[0]].Kind == shell.Unknown && !fedByList(k)
	case "own-words":
		return m.c.set.In("own-words", k.name)
	case "remote":
		return k.away()
	case "local-host":
		return m.localHost()
	case "dynamic-operand":
		for _, i := range k.operands[min(m.skip, len(k.operands)):] {
			if k.cmd.Args[i].Kind != shell.Literal {
				return true
			}
		}
		return false
	case "config-runs":
		return m.configRuns()
	case "rewrites-history":
		return k.name != "git" || k.sub("filter-branch", nil) || k.sub("filter-repo", nil)
	case "secret-object":
		return m.anyOperand(func(s string) bool {
			_, p, ok := strings.Cut(s, ":")
			// HEAD:.env prints what the file is not read for.
			return ok && m.c.names(p, false)&(rule.Secret|rule.Key) != 0
		})
	case "loosens-guard":
		return m.loosensGuard()
	case "mirrors-by-setting":
		return m.mirrorsBySetting()
	case "publishes-checkpoints":
		return m.anyOperand(publishesCheckpoints)
	case "lists-checkpoints":
		return m.listsCheckpoints()
	case "moves-checkpoints":
		return m.movesCheckpoints()
	case "switches-guard-off":
		return m.switchesGuardOff()
	case "names-guard":
		return m.namesGuard(false, false)
	case "works-on-guard":
		return m.worksOnGuard()
	case "names-guard-folder":
		return m.namesGuard(true, true)
	case "copies-onto-guard":
		return m.copiesOnto(m.ownBinary)
	case "copies-onto-settings":
		return m.copiesOnto(func(t *Target) bool { return t.Names&rule.Agent != 0 && m.registers(t) })
	case "copies-tree-onto-guard":
		return m.copiesTree(false)
	case "copies-tree-onto-settings":
		return m.copiesTree(true)
	case "named-guard":
		return m.named(false)
	case "named-own":
		return m.named(true)
	case "text-names-guard":
		return m.textNamesGuard()
	case "writes-guard":
		return m.namesGuard(true, false)
	case "code-names-guard":
		return m.codeNamesGuard()
	case "code-resets-git":
		return m.codeResetsGit()
	case "own-path":
		return m.ownPath()
	case "own-program":
		return k.name == "moai"
	case "unlisted-program":
		return m.c.program(k.name) == nil && !m.c.set.In("prints-words", k.name)
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
		// S0-28 counts files, and each operand is one at least.
		return len(k.operands)-m.skip >= manyFiles
	case "absolute-mode-open", "mode-closed", "mode-setuid":
		return m.mode(name)
	case "kill-everything":
		return m.anyOperand(func(s string) bool { return s == "-1" }) || m.anyWord("-1", 2)
	case "shell-alias":
		return m.shellAlias()
	case "unknown-code":
		return m.unknownCode()
	case "endless":
		return k.cmd.Endless
	case "background-recursion":
		// f(){ f|f& };f: either doubles the number of processes in each round.
		return k.cmd.Recursive && (k.cmd.Background || len(k.cmd.PipeTo) > 0 || len(k.cmd.PipeFrom) > 0)
	case "reverse-shell":
		return m.reverseShell()
	case "secret-flow":
		return m.secretFlow()
	case "loads-settings":
		// What stands behind the file are its arguments.
		if k.raw != "source" && k.raw != "." || len(k.operands) == 0 {
			return false
		}
		file := k.operand(0)
		return strings.HasPrefix(file[strings.LastIndexByte(file, '/')+1:], ".env")
	case "runs-input":
		return runsInput(k)
	case "runs-downloaded":
		return m.c.runsWritten(k, m.c.downloads)
	case "runs-decoded":
		return m.c.runsWritten(k, m.c.decodes)
	case "given-input":
		return k.cmd.Stdin != nil
	case "fed-unknown":
		return m.fedUnknown()
	case "injects-config":
		return m.injectsConfig()
	case "fed-option":
		return m.fedOption()
	case "known-initialiser":
		return m.c.onlyInitialisers(k)
	// $CMD, and nothing else: the line itself is in a variable, perhaps with its options.
	case "unknown-line":
		return len(k.cmd.Args) == 1 && k.cmd.Args[0].Kind == shell.Unknown && k.cmd.Args[0].Many
	case "destroys":
		return k.sub("destroy", nil) || k.sub("* destroy", nil) || k.given([]string{"-destroy"})
	case "carries-environment":
		return m.c.wordsFrom(k, m.c.printsEnvironment)
	case "deletes-storage":
		// gcloud storage rsync copies, unless it is told to delete what has no source.
		return !k.sub("storage rsync", nil) || k.given([]string{"--delete-unmatched-destination-objects"})
	case "changes-repository":
		// gh repo edit is mostly about descriptions; these options change who sees what, or history.
		return !k.sub("repo edit", nil) && !k.sub("repo sync", nil) || k.given([]string{"--visibility", "--delete-branch-on-merge", "--default-branch", "--force", "--template"})
	case "publishes-on-host":
		// gh gives an alias with "!" to a shell (gh help alias set).
		return !k.sub("alias set", nil) || m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "!") })
	case "whole-repository":
		return strings.Count(strings.Trim(k.operand(1), "/"), "/") == 2 // behind "api"
	case "http-changes":
		return httpMethod(k, "DELETE", "PUT", "PATCH")
	case "http-deletes":
		return httpMethod(k, "DELETE")
	case "serves-widely":
		return m.servesWidely()
	case "config-push":
		return m.configPush()
	case "into-temp":
		return m.intoTemp()
	case "names-secret":
		return m.namesSecret()
	case "prints-loaded":
		return m.printsLoaded()
	case "script-or-listed":
		return k.sub("eval", nil) || m.is("dynamic-operand")
	case "copies-all":
		return m.copiesAll()
	case "prints-settings":
		return m.printsSettings()
	case "throw-away-work":
		return m.throwAwayWork()
	case "operation-waits":
		return m.operationWaits()
	case "frees-port":
		return m.freesPort()
	case "into-environment":
		return m.intoEnvironment()
	case "token-used":
		return m.tokenUsed()
	case "foreign-token":
		return m.foreignToken()
	case "reaches-far":
		return m.reachesFar()
	case "uploads-secret":
		return m.uploadsSecret()
	case "found-own-binary":
		return m.foundOwnBy("finds-programs")
	case "found-own-process":
		return m.foundOwnBy("finds-processes")
	case "sends-variable":
		return m.sendsVariable()
	case "socat-local":
		return m.socatLocal()
	case "finds-build":
		return m.findsBuild()
	case "odd-transport":
		return m.reachesRemote() && m.oddTransport()
	case "throw-away-data":
		return m.throwAwayData()
	case "throw-away-store":
		return m.throwAwayStore()
	case "test-names":
		// -a takes all others, whatever is named.
		return len(k.operands) > m.skip && !k.given([]string{"-a", "--all"}) && !m.anyOperand(func(s string) bool { return !testName(s) })
	case "development-server":
		return m.developmentServer()
	case "converts-key":
		return m.convertsKey()
	case "fetches-certificate":
		return m.fetchesCertificate()
	case "makes-keys":
		return m.c.set.In("makes-keys", k.raw)
	case "copies-example":
		return m.copiesExample()
	case "adds-to-git":
		return k.name == "git"
	case "carries-output":
		return m.carriesOutput()
	case "code-connects-shell":
		return m.codeConnectsShell()
	case "code-runs-hidden":
		return m.codeRunsHidden()
	case "code-runs-fetched":
		return m.codeRunsFetched()
	case "code-spawns-terminal":
		text := k.programText()
		// pty.spawn("/bin/bash") is how a reverse shell becomes a terminal, and hardly anything else.
		return strings.Contains(text, "pty") && strings.Contains(text, ".spawn(")
	case "code-deletes-by-library":
		return m.codeDeletesByLibrary()
	case "code-sends-environment":
		return m.codeSendsEnvironment()
	case "code-names-secret":
		return m.codeNamesSecret()
	case "fetched-insecurely":
		return m.c.upstream(k, make([]bool, len(m.c.calls)), insecure)
	case "fifo-loop":
		return m.c.upstream(k, make([]bool, len(m.c.calls)), func(p *call) bool { return m.c.set.In("shells", p.raw) || p.cmd.Code != nil && p.cmd.Code.Lang == "sh" })
	case "remote-last":
		if len(k.operands) < 2 {
			return false
		}
		last := k.operand(len(k.operands) - 1)
		// host:path is where it goes; where the first operand is one, it comes from there.
		return remoteOperand(last) || k.name == "kubectl" && strings.Contains(last, ":") // namespace/pod:path
	case "runs-batch":
		// sftp -b, lftp -e and -f, ftp -s: orders that nobody types.
		return k.cmd.Stdin != nil || k.given([]string{"-b", "-e", "-f", "-s"}) || k.raw == "ftpput"
	case "production":
		return m.production()
	}
	return false
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
