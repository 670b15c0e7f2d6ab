package risk

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Predicate is a named condition that tables cannot express.
type Predicate struct {
	name  string
	about []string // the programs that it is about: a rule that names others could never hold
	doc   string   // when it holds, for who writes rules

	// One of the two: it is about a call, or about one thing that the call does to a path.
	call   func(m *match) bool
	effect func(m *match, e *effect) bool
}

// predicates are sorted by name.
var predicates = [...]Predicate{
	{
		name: "absolute-mode-open", about: []string{"chmod"}, doc: "chmod lets everybody write: o+w, 777",
		call: func(m *match) bool { return m.mode("absolute-mode-open") },
	},
	{
		name: "acts-destructively", doc: "a program whose name is unknown is given what deletes under rm or git",
		call: (*match).actsDestructively,
	},
	{
		name: "adds-guard", about: []string{"git"}, doc: "settings that Git ignores, and in which the guard is registered, are put under Git",
		call: (*match).addsGuard,
	},
	{
		name: "adds-secrets", about: []string{"git"}, doc: "a folder is added in which a file lies that is secret by its name, holds a secret, and that Git neither has nor ignores",
		call: (*match).addsSecrets,
	},
	{
		name: "adds-to-git", about: []string{"git"}, doc: "Git reads files in order to store them, not to show them",
		call: func(m *match) bool {
			return m.call.name == "git" && !m.c.set.members("shown-by-git").Meets(func(sub string) bool { return m.call.sub(sub, nil) })
		},
	},
	{
		name: "applies-destroy", about: []string{"terraform"}, doc: "terraform applies a plan that destroys",
		call: (*match).appliesDestroy,
	},
	{
		name: "background-recursion", doc: "a function that calls itself in the background, or twice by a pipe",
		call: func(m *match) bool {
			k := m.call
			// f(){ f|f& };f: either doubles the number of processes in each round.
			return k.cmd.Recursive && (k.cmd.Background || len(k.cmd.PipeTo) > 0 || len(k.cmd.PipeFrom) > 0)
		},
	},
	{
		name: "begins-as-key", doc: "the file begins with what is certainly a key",
		effect: (*match).beginsAsKey,
	},
	{
		name: "brings-ignored", doc: "what is unpacked or copied replaces a file that Git ignores, or may do so where it cannot be told what comes",
		call: (*match).bringsIgnored,
	},
	{
		name: "brings-over", about: []string{"git"}, doc: "a commit, a branch or the stash has files where something stands that HEAD does not hold: Git writes over what it ignores",
		call: (*match).bringsOver,
	},
	{
		name: "brings-unknown", about: []string{"git"}, doc: "files of a commit come that only the run of the line will tell, and may be written over what Git ignores",
		call: (*match).bringsUnknown,
	},
	{
		name: "by-redirect", doc: "the shell opens the file, not the program",
		effect: func(m *match, e *effect) bool { return e.redirect },
	},
	{
		name: "by-tool", doc: "a tool of the client writes the file, no command line does",
		call: func(m *match) bool { return m.call.tool },
	},
	{
		name: "carries-command", doc: "an unknown program is given a command that a rule would notice",
		call: (*match).carriesCommand,
	},
	{
		name: "carries-environment", doc: "all variables are among its words: \"$(env)\"",
		call: func(m *match) bool { return m.c.wordsFrom(m.call, m.c.printsEnvironment) },
	},
	{
		name: "carries-output", doc: "what another program prints is a part of an operand",
		call: (*match).carriesOutput,
	},
	{
		name: "changes-repository", about: []string{"gh"}, doc: "a subcommand of a host's client that changes the repository itself",
		call: func(m *match) bool {
			k := m.call
			// gh repo edit is mostly about descriptions; these options change who sees what, or history.
			return !k.sub("repo edit", nil) && !k.sub("repo sync", nil) || k.givenOf(m.c.set.members("repository-options"))
		},
	},
	{
		name: "cleans", about: []string{"git"}, doc: "git clean deletes: it is forced, or a setting or variable, here or on the line, takes the place of that",
		call: (*match).cleans,
	},
	{
		name: "cleans-nothing", about: []string{"git"}, doc: "nothing is there for git clean but what programs make again",
		call: (*match).cleansNothing,
	},
	{
		name: "code-connects-shell", doc: "a one-line program has a socket and a shell",
		call: (*match).codeConnectsShell,
	},
	{
		name: "code-deletes-by-library", doc: "program text deletes with the library of a cloud or a store",
		call: (*match).codeDeletesByLibrary,
	},
	{
		name: "code-kills-by-library", doc: "program text ends processes that it finds",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "kills-by-library") },
	},
	{
		name: "code-leaks-loaded", doc: "program text sends a variable away that a file with credentials was read into, in no header and no login",
		call: func(m *match) bool { return m.codeLeaks(m.c.loadedNames(m.call)) },
	},
	{
		name: "code-leaks-variable", doc: "program text sends a variable away that is named like a credential, in no header and no login",
		call: func(m *match) bool { return m.codeLeaks(m.c.credentialName) },
	},
	{
		name: "code-names-guard", doc: "a one-line program that changes files names one of the guard's",
		call: (*match).codeNamesGuard,
	},
	{
		name: "code-names-secret", doc: "a one-line program that reads names a file with credentials",
		call: (*match).codeNamesSecret,
	},
	{
		name: "code-prints-credential", doc: "program text prints a variable that is named like a credential where the agent reads it",
		call: (*match).codePrintsCredential,
	},
	{
		name: "code-publishes-by-library", doc: "program text publishes with the library of a service",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "publishes-by-library") },
	},
	{
		name: "code-requests-change", doc: "program text asks another machine to change something",
		call: (*match).codeRequestsChange,
	},
	{
		name: "code-resets-git", doc: "program text resets, cleans or checks out with a library for Git",
		call: (*match).codeResetsGit,
	},
	{
		name: "code-runs-fetched", doc: "a one-line program fetches text and runs text",
		call: (*match).codeRunsFetched,
	},
	{
		name: "code-runs-hidden", doc: "a one-line program runs text that it decodes",
		call: (*match).codeRunsHidden,
	},
	{
		name: "code-sends-by-library", doc: "program text sends people a message with the library of a service",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "sends-by-library") },
	},
	{
		name: "code-sends-environment", doc: "program text sends all variables away",
		call: (*match).codeSendsEnvironment,
	},
	{
		name: "code-spawns-terminal", doc: "a one-line program starts a shell on a terminal of its own",
		call: func(m *match) bool {
			text := m.call.programText()
			// pty.spawn("/bin/bash") is how a reverse shell becomes a terminal, and hardly anything else.
			return strings.Contains(text, "pty") && strings.Contains(text, ".spawn(")
		},
	},
	{
		name: "commit-hooks-off", about: []string{"git"}, doc: "the commit that Git is told has settings of an agent that switch hooks off, or do not register the guard",
		call: (*match).commitOff,
	},
	{
		name: "compares-secrets", about: []string{"git"}, doc: "an operand is a folder in which a file lies that is secret by its name and holds a secret",
		call: (*match).comparesSecrets,
	},
	{
		name: "composes-secret", doc: "a .env file with a secret lies where it works",
		call: (*match).composesSecret,
	},
	{
		name: "composes-tests", doc: "a composition of containers is for tests alone, by the name of its project or of all its files",
		call: (*match).composesTests,
	},
	{
		name: "config-push", about: []string{"git"}, doc: "a setting of Git makes later pushes force, mirror or publish all",
		call: (*match).configPush,
	},
	{
		name: "config-runs", about: []string{"git"}, doc: "\"git config\" stores a setting whose value Git runs",
		call: (*match).configRuns,
	},
	{
		name: "converts-key", about: []string{"openssl"}, doc: "openssl writes a key in another form to another file",
		call: (*match).convertsKey,
	},
	{
		name: "copies-all", doc: "all that is in a folder is copied: \"dir/.\", \"dir/*\", -T",
		call: (*match).copiesAll,
	},
	{
		name: "copies-example", about: []string{"cp", "install"}, doc: "a file that is not there yet, or the same already, is made from its example",
		call: (*match).copiesExample,
	},
	{
		name: "copies-hooks-off", doc: "what is copied, moved or linked to where an agent reads its settings switches hooks off, or does not register the guard",
		call: (*match).copiesOff,
	},
	{
		name: "copies-onto-guard", doc: "a program of the guard's name is put into a folder",
		call: func(m *match) bool { return m.copiesOnto(m.ownBinary) },
	},
	{
		name: "copies-onto-settings", doc: "a file is put into a folder that has settings of that name in which the guard is registered",
		call: func(m *match) bool {
			return m.copiesOnto(func(t *Target) bool { return t.Names&rule.Agent != 0 && m.registers(t) })
		},
	},
	{
		name: "copies-tree-onto-guard", doc: "a folder is copied over one in which the guard's program, settings or registration lies",
		call: func(m *match) bool { return m.copiesTree(false) },
	},
	{
		name: "copies-tree-onto-settings", doc: "as copies-tree-onto-guard, and that folder is the guard's or an agent's of the user",
		call: func(m *match) bool { return m.copiesTree(true) },
	},
	{
		name: "counts-many", doc: "ten operands or more",
		call: func(m *match) bool {
			// files are counted, and each operand is one at least.
			return len(m.call.operands)-m.skip >= manyFiles
		},
	},
	{
		name: "counts-nothing", about: []string{"dd"}, doc: "nothing says how much is copied",
		call: func(m *match) bool {
			return !m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "count=") })
		},
	},
	{
		name: "dangerous-cmdlet", doc: "a cmdlet whose verb takes something away",
		call: (*match).dangerousCmdlet,
	},
	{
		name: "data-target", doc: "what is replaced is data by its name, or by what a program writes that makes nothing by itself: no build makes it again",
		effect: (*match).dataTarget,
	},
	{
		name: "defines-verifier", doc: "the file is the definition of a sub-agent whose look counts: one of moai's, or one that verify.agents names",
		effect: (*match).definesVerifier,
	},
	{
		name: "delete-refspec", about: []string{"git"}, doc: "\":branch\" of git push",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, ":") && len(s) > 1 })
		},
	},
	{
		name: "deletes-storage", about: []string{"gcloud"}, doc: "a subcommand of a cloud's storage that deletes",
		call: func(m *match) bool {
			k := m.call
			// gcloud storage rsync copies, unless it is told to delete what has no source.
			return !k.sub("storage rsync", nil) || k.given([]string{"--delete-unmatched-destination-objects"})
		},
	},
	{
		name: "deletes-worktree", doc: "the folder of a linked work tree of this repository, outside of the project, goes",
		call: (*match).deletesWorktree,
	},
	{
		name: "derived-name", doc: "the path is a found name with something behind it",
		effect: func(m *match, e *effect) bool { return derivedName(e) },
	},
	{
		name: "destroy-script", doc: "a script is run that is called by what it does, destroy or wipe, or that an option tells to",
		call: (*match).runsDestroyer,
	},
	{
		name: "destroys", about: []string{"terraform"}, doc: "\"destroy\" as a subcommand or as an option of terraform",
		call: func(m *match) bool {
			return m.call.sub("destroy", nil) || m.call.sub("* destroy", nil) || m.call.given([]string{"-destroy"})
		},
	},
	{
		name: "development-server", about: []string{"pkill"}, doc: "what pkill ends is the agent's own server",
		call: (*match).developmentServer,
	},
	{
		name: "displaces", about: []string{"git"}, doc: "something that Git does not hold stands where it has a file or a folder, or is in a file that it was told not to look at, and goes when that is written",
		call: (*match).displaces,
	},
	{
		name: "drops-by-setting", about: []string{"git"}, doc: "settings make git gc drop at once what only lost references hold",
		call: (*match).dropsBySetting,
	},
	{
		name: "drops-guard", doc: "settings of an agent are written in which the guard is not registered any more",
		effect: func(m *match, e *effect) bool { return m.registers(m.c.locate(m.call, e)) && m.dropsRegistration(e) },
	},
	{
		name: "drops-only-copy", about: []string{"git"}, doc: "git takes out of the index what HEAD does not hold and whose file is gone",
		call: (*match).dropsOnlyCopy,
	},
	{
		name: "drops-staged", about: []string{"git"}, doc: "git takes out of the index what neither HEAD nor a file holds",
		call: (*match).dropsStaged,
	},
	{
		name: "dynamic-operand", doc: "an operand that only the shell will know",
		call: dynamicOperand,
	},
	{
		name: "edits-by-filter", about: []string{"git"}, doc: "the variables that are set for Git name editors alone, and these are programs for text, such as sed",
		call: (*match).editsByFilter,
	},
	{
		name: "edits-many", doc: "ten edits at once, or within a minute of the session",
		call: func(m *match) bool { return m.call.edits >= manyFiles },
	},
	{
		name: "endless", doc: "a loop without an end",
		call: func(m *match) bool { return m.call.cmd.Endless },
	},
	{
		name: "enters-running", doc: "it runs in a container, a pod or a machine that is there already",
		call: func(m *match) bool { return m.reachedBy("enters-running") },
	},
	{
		name: "fed-by-any-list", doc: "as fed-by-list, in rules that no program's name narrows",
		call: func(m *match) bool { return fedByList(m.call) },
	},
	{
		name: "fed-by-list", doc: "xargs or parallel append words to it",
		call: func(m *match) bool { return fedByList(m.call) },
	},
	{
		name: "fed-by-production", doc: "its input comes from a call with a word that names a production system",
		call: func(m *match) bool { return m.c.upstream(m.call, make([]bool, len(m.c.calls)), production) },
	},
	{
		name: "fed-option", doc: "a list decides an option of an interpreter",
		call: (*match).fedOption,
	},
	{
		name: "fed-unknown", about: []string{"git"}, doc: "a list decides what Git does",
		call: (*match).fedUnknown,
	},
	{
		name: "fetched-insecurely", doc: "its input was downloaded without a check of the sender",
		call: func(m *match) bool { return m.c.upstream(m.call, make([]bool, len(m.c.calls)), insecure) },
	},
	{
		name: "fetches-certificate", doc: "a download of a .pem file",
		call: (*match).fetchesCertificate,
	},
	{
		name: "fetches-checkpoints", about: []string{"git"}, doc: "settings, or the call's own, make a fetch delete checkpoints",
		call: (*match).fetchesCheckpoints,
	},
	{
		name: "fetches-over", about: []string{"git"}, doc: "settings make a fetch write over, or delete, branches or tags of this repository",
		call: (*match).fetchesOver,
	},
	{
		name: "fifo-loop", doc: "a shell's output is fed back into what feeds it",
		call: func(m *match) bool {
			return m.c.upstream(m.call, make([]bool, len(m.c.calls)), func(p *call) bool {
				return m.c.set.shell(p.raw) || p.cmd.Code != nil && p.cmd.Code.Lang == shell.LangSh
			})
		},
	},
	{
		name: "finds-build", doc: "find picks by names that a build makes again",
		call: (*match).findsBuild,
	},
	{
		name: "force-refspec", about: []string{"git"}, doc: "\"+branch\" of git push",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "+") && len(s) > 1 || strings.Contains(s, ":+") })
		},
	},
	{
		name: "forces-tag", about: []string{"git"}, doc: "git push moves tags, and nothing else, at the remote",
		call: (*match).forcesTag,
	},
	{
		name: "foreign-token", doc: "a token goes to a host that is not its own",
		call: (*match).foreignToken,
	},
	{
		name: "found-own-binary", doc: "\"$(which moai)\" is among the operands",
		call: func(m *match) bool { return m.foundOwnBy("finds-programs") },
	},
	{
		name: "found-own-process", doc: "the number of a process of moai's is among them",
		call: func(m *match) bool { return m.foundOwnBy("finds-processes") },
	},
	{
		name: "found-target", doc: "the path is one that a search printed or a file holds",
		effect: func(m *match, e *effect) bool {
			// A name that a listing printed or a file holds, whoever hands it on.
			return e.word.Listed() || reachedThrough(m.call, "find", "fd")
		},
	},
	{
		name: "frees-port", doc: "what a kill ends is what holds one port of one's own programs",
		call: (*match).freesPort,
	},
	{
		name: "from-example", about: []string{"cp", "install"}, doc: "a file of the project is made from its example",
		call: func(m *match) bool {
			abs, ok := m.fromExample()
			return ok && m.c.classify(abs, false)&rule.Inside != 0
		},
	},
	{
		name: "from-root", doc: "the path begins at the root and is not known further",
		effect: func(m *match, e *effect) bool { return !e.known && e.word.Prefix() == "/" },
	},
	{
		name: "git-brings-head", about: []string{"git"}, doc: "tracked settings in which the guard is registered become those of HEAD, which do not register it",
		call: (*match).bringsHead,
	},
	{
		name: "git-brings-index", about: []string{"git"}, doc: "the same for those of the index",
		call: (*match).bringsIndex,
	},
	{
		name: "git-takes-tracked", about: []string{"git"}, doc: "settings in which the guard is registered, and that Git has, are taken away",
		call: (*match).takesTracked,
	},
	{
		name: "git-takes-untracked", about: []string{"git"}, doc: "the same for those that Git does not know, and with options such as -x for those that it ignores",
		call: (*match).takesUntracked,
	},
	{
		name: "given-input", doc: "something flows into it: a pipe, a file or a text",
		call: func(m *match) bool { return m.call.cmd.Stdin != nil },
	},
	{
		name: "given-secrets", doc: "it runs with what a store of secrets or a .env file says as its variables",
		call: func(m *match) bool { return m.reachedBy("runs-with-secrets") || m.reachedBy("runs-with-env-file") },
	},
	{
		name: "glob-target", doc: "the path is a pattern",
		effect: func(m *match, e *effect) bool { return e.glob },
	},
	{
		name: "handed-git", doc: "the repository's own files may be among those that a pattern or search hands to a program",
		call: (*match).handedGit,
	},
	{
		name: "handed-on", doc: "the path comes from what the line reads: read, mapfile, $(cat list)",
		effect: func(m *match, e *effect) bool { return handedOn(e) },
	},
	{
		name: "hands-secrets-on", doc: "what is written gives a program all secrets at once",
		effect: func(m *match, _ *effect) bool { return m.writtenSays("all-secrets") },
	},
	{
		name: "holds-guard", doc: "a folder in which the guard's program or one of its folders lies",
		effect: (*match).holdsGuard,
	},
	{
		name: "holds-repository", doc: "a folder that a build makes again, with a work tree in it that has commits or changes which nothing else holds",
		effect: (*match).holdsRepository,
	},
	{
		name: "holds-secret", doc: "the file is there and holds a secret",
		effect: (*match).holdsSecret,
	},
	{
		name: "holds-something", doc: "the folder is there, and something is in it",
		effect: (*match).holdsSomething,
	},
	{
		name: "holds-treasure", doc: "a folder that a build makes again, with a file of credentials in it that Git does not hold",
		effect: (*match).holdsTreasure,
	},
	{
		name: "home-config", about: []string{"git"}, doc: "the line names another home for Git, whose settings make it run a program",
		call: (*match).homeConfig,
	},
	{
		name: "http-changes", doc: "a request by PUT, PATCH or DELETE",
		call: func(m *match) bool { return httpMethod(m.call, "DELETE", "PUT", "PATCH") },
	},
	{
		name: "http-deletes", doc: "a request by DELETE",
		call: func(m *match) bool { return httpMethod(m.call, "DELETE") },
	},
	{
		name: "injects-config", about: []string{"git"}, doc: "settings of Git in numbered variables",
		call: (*match).injectsConfig,
	},
	{
		name: "input-unseen", doc: "its input is a file, or comes from a program that prints what a file holds",
		call: (*match).inputUnseen,
	},
	{
		name: "installs", doc: "what is written gets into the folder in which people install programs",
		effect: func(m *match, e *effect) bool { return m.c.set.In("places-installed", m.c.locate(m.call, e).Path) },
	},
	{
		name: "into-environment", doc: "what is read becomes variables, and is not shown",
		call: (*match).intoEnvironment,
	},
	{
		name: "into-temp", doc: "what is moved ends where it will be thrown away",
		call: (*match).intoTemp,
	},
	{
		name: "into-value", doc: "what is read becomes a value on the line that nobody shows",
		effect: (*match).intoValue,
	},
	{
		name: "kill-everything", doc: "-1 as the number of a process",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return s == "-1" }) || m.anyWord("-1", 2)
		},
	},
	{
		name: "known-initialiser", doc: "the code that runs is the everyday set-up output of one program",
		call: func(m *match) bool { return m.c.onlyInitialisers(m.call) },
	},
	{
		name: "leads-guard", doc: "a link gets into the place of a folder in which one of the guard's own folders lies, or would lie",
		effect: (*match).leadsGuard,
	},
	{
		name: "leaves-commits", about: []string{"git"}, doc: "HEAD moves away from commits that no reference leads to, those that the line itself makes among them",
		call: (*match).leavesCommits,
	},
	{
		name: "line-device", doc: "the device is a line, a bus or a terminal, on which no file system is",
		effect: (*match).lineDevice,
	},
	{
		name: "link-itself", doc: "the name is there, and is no plain file",
		effect: func(m *match, e *effect) bool {
			p := m.c.locate(m.call, e).Path
			return m.c.in.Exists != nil && m.c.in.Regular != nil && m.c.in.Exists(p) && !m.c.in.Regular(p)
		},
	},
	{
		name: "listed-by-name", about: []string{"docker"}, doc: "containers that a list picks by their name or label",
		call: (*match).listedByName,
	},
	{
		name: "listed-target", doc: "the path stands for a list of them",
		effect: func(m *match, e *effect) bool { return e.word.Many },
	},
	{
		name: "listens-here", doc: "a word names this machine alone as the host to listen at",
		call: func(m *match) bool { return m.c.servesHere(m.call) },
	},
	{
		name: "listens-widely", doc: "a word names every network of this machine to listen at",
		call: func(m *match) bool {
			return m.c.servesAt(m.call, func(host string) bool { return m.c.set.In("any-machine", host) })
		},
	},
	{
		name: "lists-checkpoints", about: []string{"git"}, doc: "references are deleted that come from elsewhere than the line",
		call: (*match).listsCheckpoints,
	},
	{
		name: "loads-settings", about: []string{"source"}, doc: "the shell reads a .env file",
		call: func(m *match) bool {
			k := m.call
			// What stands behind the file are its arguments.
			if k.raw != "source" && k.raw != "." || len(k.operands) == 0 {
				return false
			}
			file := k.operand(0)
			return strings.HasPrefix(file[strings.LastIndexByte(file, '/')+1:], ".env")
		},
	},
	{
		name: "local-host", doc: "every host among the operands is this machine",
		call: (*match).localHost,
	},
	{
		name: "loosens-guard", about: []string{"moai"}, doc: "a verb of moai that makes the guard laxer",
		call: (*match).loosensGuard,
	},
	{
		name: "made-again", doc: "a compiler writes over a program, as it did before",
		effect: (*match).madeAgain,
	},
	{
		name: "makes-keys", doc: "a program that makes new keys",
		call: func(m *match) bool { return m.c.set.In("makes-keys", m.call.raw) },
	},
	{
		name: "may-be-option", doc: "an unquoted word that only the shell will know stands where options do",
		call: (*match).mayBeOption,
	},
	{
		name: "may-bring-over", doc: "files of a commit come from elsewhere, and may be written over what Git ignores",
		call: (*match).mayBringOver,
	},
	{
		name: "may-edit-git", doc: "the repository's own files may be among those that are written, which a pattern or search stands for",
		effect: (*match).mayEditGit,
	},
	{
		name: "may-take-git", doc: "the repository's own folder may be among the names that a pattern or search stands for",
		effect: func(m *match, e *effect) bool { return m.takesGit(e) != never },
	},
	{
		name: "maybe-root", doc: "the path is / when a variable is empty",
		effect: func(m *match, e *effect) bool { return maybeRoot(e) },
	},
	{
		name: "maybe-unsaved", doc: "the path is not known, and where it may lie is content that Git does not hold",
		effect: (*match).maybeUnsaved,
	},
	{
		name: "mirrors-by-setting", about: []string{"git"}, doc: "settings, of the line or of the repository, make a push take hidden references along",
		call: (*match).mirrorsBySetting,
	},
	{
		name: "mode-closed", about: []string{"chmod"}, doc: "chmod takes all rights away",
		call: func(m *match) bool { return m.mode("mode-closed") },
	},
	{
		name: "mode-lost", about: []string{"chmod"}, doc: "chmod does more than to add rights, so that what was before cannot be told from what is there then",
		call: (*match).modeLost,
	},
	{
		name: "mode-setuid", about: []string{"chmod"}, doc: "chmod sets setuid or setgid",
		call: func(m *match) bool { return m.mode("mode-setuid") },
	},
	{
		name: "moves-checkpoints", about: []string{"git"}, doc: "a reference of checkpoints gets another value or name",
		call: (*match).movesCheckpoints,
	},
	{
		name: "moves-worktree", doc: "a linked work tree of this repository moves away from where Git looks for it",
		call: (*match).movesWorktree,
	},
	{
		name: "named-beyond", doc: "names that a list, a listing or printed words give, which lie outside the project or may",
		effect: (*match).namedBeyond,
	},
	{
		name: "named-guard", doc: "settings in which the guard is registered, or its rules, are named to a program that is not known to only read",
		call: func(m *match) bool { return m.named(false) },
	},
	{
		name: "named-own", doc: "as named-guard, for the guard's own program, settings, exceptions and record",
		call: func(m *match) bool { return m.named(true) },
	},
	{
		name: "names-alone", doc: "of settings NAME=value nothing is shown but the names",
		effect: (*match).namesAlone,
	},
	{
		name: "names-guard", doc: "one of the guard's own things is among the operands and values of options",
		call: func(m *match) bool { return m.namesGuard(false, false) },
	},
	{
		name: "names-guard-folder", doc: "as writes-guard, and a folder above them counts, too",
		call: func(m *match) bool { return m.namesGuard(true, true) },
	},
	{
		name: "names-hooks", doc: "an operand is a file or folder of an agent's settings or hooks",
		call: (*match).namesHooks,
	},
	{
		name: "names-secret", doc: "an operand is the name of a file with credentials",
		call: (*match).namesSecret,
	},
	{
		name: "names-stage", doc: "a word names a place where things are tried out before users get them",
		call: (*match).namesStage,
	},
	{
		name: "nothing-there", doc: "nothing is at the path, and nothing on the line puts something there",
		effect: (*match).nothingThere,
	},
	{
		name: "nothing-waits", about: []string{"git"}, doc: "no operation of Git's waits to be finished where the call works, and nothing can be given up",
		call: func(m *match) bool {
			return m.c.in.Waiting != nil && !m.call.away() && !m.c.in.Waiting(m.worksIn())
		},
	},
	{
		name: "odd-transport", about: []string{"git"}, doc: "a GIT_SSH_COMMAND that is more than plain ssh",
		call: func(m *match) bool { return m.reachesRemote() && m.oddTransport() },
	},
	{
		name: "only-says", doc: "a word or option says that it looks, tries, or works where things are tried out",
		call: (*match).onlySays,
	},
	{
		name: "onto-one", doc: "it runs for each of several files, and gives all of them one name that is no folder",
		effect: (*match).ontoOne,
	},
	{
		name: "operation-state", doc: "the path is what Git keeps of an operation that waits to be finished",
		effect: func(m *match, e *effect) bool {
			// By its own name: a way through it leads elsewhere in the repository.
			return m.c.locate(m.call, e).Names&rule.Underway != 0 && e.known && !e.glob && !strings.Contains(e.text, "..")
		},
	},
	{
		name: "operation-waits", about: []string{"git"}, doc: "an operation of Git's waits to be finished where the call works",
		call: (*match).operationWaits,
	},
	{
		name: "own-binary", doc: "the path is moai's own program",
		effect: func(m *match, e *effect) bool {
			t := m.c.locate(m.call, e)
			return m.ownBinary(t) || m.foundOwn(e.word)
		},
	},
	{
		name: "own-folder", doc: "the path is in the user's folders of the guard's settings, exceptions and state",
		effect: func(m *match, e *effect) bool { return m.inOwnFolder(m.c.locate(m.call, e)) },
	},
	{
		name: "own-path", doc: "the folder that a PATH begins with is the user's or the project's own",
		call: (*match).ownPath,
	},
	{
		name: "own-program", about: []string{"moai"}, doc: "the program is moai",
		call: func(m *match) bool { return m.call.name == "moai" },
	},
	{
		name: "own-server", about: []string{"kill"}, doc: "the numbers that it is given stand in files that a server of the project left, and are not the guard's: cat tmp/server.pid",
		call: (*match).ownServerByFile,
	},
	{
		name: "own-words", doc: "rules of their own speak of how the program writes",
		call: func(m *match) bool { return m.c.set.In("own-words", m.call.name) },
	},
	{
		name: "own-write", doc: "a tool of the client's session left the file as it is",
		effect: (*match).ownWrite,
	},
	{
		name: "patches-hooks-off", doc: "a patch writes a setting that switches hooks off into settings of an agent",
		call: (*match).patchesOff,
	},
	{
		name: "pathspec", about: []string{"git"}, doc: "git checkout is given paths",
		call: (*match).pathspec,
	},
	{
		name: "picks-guard", doc: "a pattern or a list picks files of the guard's",
		effect: (*match).picksGuard,
	},
	{
		name: "pipes-body", doc: "what flows in is a file with data for a service, and no secret is in it",
		call: (*match).pipesBody,
	},
	{
		name: "prints-credential", doc: "the value of a variable that is named like a credential is printed where the agent reads it",
		call: (*match).printsCredential,
	},
	{
		name: "prints-environment", doc: "it prints all variables",
		call: func(m *match) bool { return m.c.printsEnvironment(m.call) },
	},
	{
		name: "prints-here", doc: "what is printed goes neither to another program nor to a file",
		call: (*match).printsHere,
	},
	{
		name: "prints-loaded", doc: "all variables are printed after a file with credentials was read into them",
		call: (*match).printsLoaded,
	},
	{
		name: "prints-on", doc: "what it prints gets to the agent, itself or through programs that only put it in another form",
		call: func(m *match) bool { return m.printsHere() || m.c.passedOn(m.call, 0) },
	},
	{
		name: "prints-read-secret", doc: "what read took from a file with credentials is printed",
		call: (*match).printsReadSecret,
	},
	{
		name: "prints-secret-lines", doc: "a search through a folder finds a line with a secret in it, in a file that is secret by its name",
		call: (*match).printsSecretLines,
	},
	{
		name: "prints-settings", doc: "a one-line program prints all it read from a .env file",
		call: (*match).printsSettings,
	},
	{
		name: "production", doc: "a word names a production system",
		call: func(m *match) bool { return production(m.call) },
	},
	{
		name: "programs-alone", doc: "programs that compilers made and Git ignores, or a folder with nothing else in it",
		effect: (*match).programsAlone,
	},
	{
		name: "protected-ref", about: []string{"git"}, doc: "a branch that a team shares",
		call: func(m *match) bool {
			return m.anyOperand(m.c.protectedRef) || m.pushesProtected()
		},
	},
	{
		name: "publishes-checkpoints", about: []string{"git"}, doc: "checkpoints are pushed, by name or by a pattern that takes all references",
		call: (*match).publishesCheckpoints,
	},
	{
		name: "publishes-here", doc: "an address of this machine is named, and none of another",
		call: (*match).publishesHere,
	},
	{
		name: "publishes-on-host", about: []string{"gh"}, doc: "a host's client publishes: an alias that runs a shell, and what the rule names besides",
		call: func(m *match) bool {
			// gh gives an alias with "!" to a shell (gh help alias set).
			return !m.call.sub("alias set", nil) || m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "!") })
		},
	},
	{
		name: "reaches-far", doc: "a search of a home, or of more than a project",
		call: (*match).reachesFar,
	},
	{
		name: "reads-among", doc: "files that a pattern, a search or a list finds are read, and one of them is secret by its name and holds a secret",
		effect: (*match).readsAmong,
	},
	{
		name: "registers-guard", doc: "settings of an agent in which the guard is registered",
		effect: func(m *match, e *effect) bool { return m.registers(m.c.locate(m.call, e)) },
	},
	{
		name: "release-script", doc: "a script is run that is called by what it does: publish or deploy",
		call: (*match).runsRelease,
	},
	{
		name: "remote", doc: "it runs on another machine or in a container",
		call: func(m *match) bool { return m.call.away() },
	},
	{
		name: "remote-last", doc: "the last operand is host:path",
		call: func(m *match) bool {
			k := m.call
			if len(k.operands) < 2 {
				return false
			}
			last := k.operand(len(k.operands) - 1)
			// host:path is where it goes; where the first operand is one, it comes from there.
			m.host = remoteHost(last)
			return remoteOperand(last) || k.name == "kubectl" && strings.Contains(last, ":") // namespace/pod:path
		},
	},
	{
		name: "removes-worktree", about: []string{"git"}, doc: "git deletes the folder of a linked work tree, which is there",
		call: (*match).removesWorktree,
	},
	{
		name: "replaces-file", doc: "a file is there which would be replaced",
		effect: (*match).replacesFile,
	},
	{
		name: "request-body", about: []string{"curl", "wget"}, doc: "what is sent is a file with data for a service, as the body of a request, and no secret is in it",
		effect: (*match).requestBody,
	},
	{
		name: "requests-change", doc: "another machine is asked to change something: by PUT, PATCH or DELETE, or by POST to an address that says so",
		call: (*match).requestsChange,
	},
	{
		name: "reverse-shell", doc: "a shell is tied to a connection elsewhere",
		call: (*match).reverseShell,
	},
	{
		name: "rewrites-history", about: []string{"git", "bfg"}, doc: "a program or subcommand that makes all commits anew",
		call: func(m *match) bool {
			return !m.call.given([]string{"--analyze", "--dry-run"}) && (m.call.name != "git" || m.call.sub("filter-branch", nil) || m.call.sub("filter-repo", nil))
		},
	},
	{
		name: "runs-batch", doc: "a file transfer takes its orders from a file or from its input",
		call: func(m *match) bool {
			k := m.call
			// sftp -b, lftp -e and -f, ftp -s: orders that nobody types.
			return k.cmd.Stdin != nil || k.givenOf(m.c.set.members("options-batch")) || k.raw == "ftpput"
		},
	},
	{
		name: "runs-brought", doc: "a program that a clone or an archive brought in the same line is run with the rights of another user",
		call: (*match).runsBrought,
	},
	{
		name: "runs-decoded", doc: "what runs was decoded on the line",
		call: func(m *match) bool { return m.c.runsWritten(m.call, m.c.decodes) },
	},
	{
		name: "runs-downloaded", doc: "what runs was downloaded on the line",
		call: func(m *match) bool { return m.c.runsWritten(m.call, m.c.downloads) },
	},
	{
		name: "runs-input", doc: "what flows in is run",
		call: func(m *match) bool { return m.c.runsInput(m.call) },
	},
	{
		name: "runs-when-opened", doc: "what is written runs as soon as somebody opens the folder",
		effect: func(m *match, _ *effect) bool { return m.writtenSays("runs-when-opened") },
	},
	{
		name: "same-host", about: []string{"git"}, doc: "another way to one and the same machine takes the place of an address, and no open one",
		call: (*match).sameHost,
	},
	{
		name: "saved-file", doc: "a plain file whose content Git holds",
		effect: (*match).savedFile,
	},
	{
		name: "script-or-listed", about: []string{"redis-cli"}, doc: "a script in Redis, or keys that another program listed",
		call: func(m *match) bool { return m.call.sub("eval", nil) || dynamicOperand(m) },
	},
	{
		name: "secret-content", doc: "a key is in what is written or committed",
		call: (*match).secretContent,
	},
	{
		name: "secret-flow", doc: "a file with credentials flows into it",
		call: (*match).secretFlow,
	},
	{
		name: "secret-object", about: []string{"git"}, doc: "commit:path of a file with credentials",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool {
				_, p, ok := strings.Cut(s, ":")
				// HEAD:.env prints what the file is not read for.
				return ok && m.c.names(p, false)&(rule.Secret|rule.Key) != 0
			})
		},
	},
	{
		name: "secret-words", doc: "as secret-flow, for what it is told in words or by a pipe, and not in a file",
		call: (*match).secretWords,
	},
	{
		name: "sends-secret-file", doc: "it is itself given a file with credentials to send",
		call: (*match).sendsSecretFile,
	},
	{
		name: "sends-secrets", doc: "in the folder lies a file that is secret by its name and holds a secret",
		effect: (*match).sendsSecrets,
	},
	{
		name: "sends-variable", doc: "a variable that is named like a credential is sent",
		call: (*match).sendsVariable,
	},
	{
		name: "serves-secrets", doc: "a file server that others reach, over a folder with such a file",
		call: (*match).servesSecrets,
	},
	{
		name: "serves-widely", doc: "a file server that is told to listen to others, or that offers more than a project",
		call: (*match).servesWidely,
	},
	{
		name: "shadows-program", doc: "a file of the name of a program that every system has, in a folder of programs of the user's own",
		effect: (*match).shadowsProgram,
	},
	{
		name: "shell-alias", about: []string{"git"}, doc: "\"git -c\" sets what Git runs",
		call: (*match).shellAlias,
	},
	{
		name: "socat-local", about: []string{"socat"}, doc: "socat connects to this machine only",
		call: (*match).socatLocal,
	},
	{
		name: "stale-lock", doc: "the path is a lock that a Git which died left behind",
		effect: func(m *match, e *effect) bool {
			// What Git itself tells people to remove after a crash. It names nothing so that
			// is of value: no reference may end in ".lock" (git check-ref-format).
			return strings.HasSuffix(m.c.locate(m.call, e).Path, ".lock") && e.known && !e.glob
		},
	},
	{
		name: "strays", about: []string{"git"}, doc: "a work tree which Git forgets stands on a commit that no reference leads to",
		call: (*match).strays,
	},
	{
		name: "sweeps-guard", doc: "a pattern, a search or a listing has settings in which the guard is registered among what goes, or is edited just there, and no others register it",
		effect: (*match).sweepsGuard,
	},
	{
		name: "switches-guard-off", doc: "an agent's settings are written under which its hooks do less",
		call: (*match).switchesGuardOff,
	},
	{
		name: "test-names", doc: "every operand has the word test in its name",
		call: func(m *match) bool {
			k := m.call
			// -a takes all others, whatever is named.
			return len(k.operands) > m.skip && !k.given([]string{"-a", "--all"}) && !m.anyOperand(func(s string) bool { return !m.c.testName(s) })
		},
	},
	{
		name: "text-names-guard", doc: "what a program is told in a language of its own names one of the guard's files",
		call: (*match).textNamesGuard,
	},
	{
		name: "text-target", doc: "the file that is there is text, as people write it",
		effect: (*match).textTarget,
	},
	{
		name: "throw-away-cluster", doc: "its name says that a cluster of containers is for trying things out",
		call: (*match).throwAwayCluster,
	},
	{
		name: "throw-away-data", doc: "the database is made for tests",
		call: (*match).throwAwayData,
	},
	{
		name: "throw-away-store", about: []string{"redis-cli"}, doc: "the Redis database is made for tests",
		call: (*match).throwAwayStore,
	},
	{
		name: "throw-away-work", about: []string{"git"}, doc: "the repository lies in a place for throw-away files",
		call: (*match).throwAwayWork,
	},
	{
		name: "to-socket", doc: "the shell writes to /dev/tcp of another machine",
		effect: func(m *match, e *effect) bool {
			host, ok := socketHost(e.text)
			return e.redirect && ok && !m.c.set.isLocal(host)
		},
	},
	{
		name: "token-used", doc: "nobody gets to see the token that a call prints: another program or a value takes it",
		call: (*match).tokenUsed,
	},
	{
		name: "told-for-real", doc: "a program that moai does not know is told to do what it would otherwise only say",
		call: (*match).toldForReal,
	},
	{
		name: "told-statement", doc: "a program that no rule about databases names is given a statement that loses data",
		call: (*match).toldStatement,
	},
	{
		name: "told-to-change-live", doc: "a client of a service is told to change what runs there, or its settings",
		call: (*match).toldToChangeLive,
	},
	{
		name: "told-to-destroy", doc: "a program of which no rule tells more is told to destroy something: what goes is named, or it must not ask",
		call: (*match).toldToDestroy,
	},
	{
		name: "told-to-publish", doc: "a program that moai does not know is told to publish or deploy something",
		call: (*match).toldToPublish,
	},
	{
		name: "traced", doc: "the shell prints each line that it runs, and reads a file with credentials",
		call: (*match).traced,
	},
	{
		name: "tracked-work", doc: "a folder in which a file that Git tracks was changed",
		effect: (*match).trackedWork,
	},
	{
		name: "tree-over-guard", doc: "a tree of files is written over a folder in which the guard's program, settings or registration lies",
		effect: func(m *match, e *effect) bool { return m.unpacksOver(e, false) },
	},
	{
		name: "tree-over-settings", doc: "as tree-over-guard, and that folder is the guard's or an agent's of the user",
		effect: func(m *match, e *effect) bool { return m.unpacksOver(e, true) },
	},
	{
		name: "unknown-code", doc: "a shell runs text that the line does not show",
		call: (*match).unknownCode,
	},
	{
		name: "unknown-line", doc: "the whole command line is in a variable",
		call: func(m *match) bool {
			return len(m.call.cmd.Args) == 1 && m.call.cmd.Args[0].Kind == shell.Unknown && m.call.cmd.Args[0].Many
		},
	},
	{
		name: "unknown-subcommand", doc: "the subcommand is a word that only the shell will know",
		call: func(m *match) bool {
			return len(m.call.operands) > 0 && m.call.cmd.Args[m.call.operands[0]].Kind == shell.Unknown && !fedByList(m.call)
		},
	},
	{
		name: "unlisted-program", doc: "the program has no entry in the tables, and is none that only prints words: any name may hide behind it",
		call: func(m *match) bool {
			return m.c.program(m.call.name) == nil && !m.c.set.In("prints-words", m.call.name)
		},
	},
	{
		name: "unlogged", about: []string{"git"}, doc: "HEAD moves where no log will tell where it stood",
		call: (*match).unlogged,
	},
	{
		name: "unpacks-settings", doc: "an archive has settings of an agent for the place where it is unpacked, or comes from a folder with some that leave the guard uncalled",
		effect: (*match).unpacksSettings,
	},
	{
		name: "unplaced-guard", doc: "a path of which only the shell will know where it begins ends as that of one of the guard's own things does",
		effect: (*match).unplacedGuard,
	},
	{
		name: "unread-alias", about: []string{"git"}, doc: "a subcommand that is not Git's own, where the settings that may define it could not be read",
		call: (*match).unreadAlias,
	},
	{
		name: "unsaved", doc: "the content at the path is not held by Git",
		effect: (*match).unsaved,
	},
	{
		name: "unsaved-work", doc: "a folder in which the content of some file is not held by Git",
		effect: (*match).unsavedWork,
	},
	{
		name: "uploads-secret", doc: "an HTTP or file transfer client is given a file with credentials",
		call: (*match).uploadsSecret,
	},
	{
		name: "users-work", doc: "the content at the path is not held by Git, and no tool of the session wrote it",
		effect: func(m *match, e *effect) bool {
			// the cheap question first
			return !m.ownWrite(e) && m.unsaved(e)
		},
	},
	{
		name: "whole-repository", about: []string{"gh"}, doc: "an address of a host's interface that is a repository itself",
		call: func(m *match) bool {
			return strings.Count(strings.Trim(m.call.operand(1), "/"), "/") == 2 // behind "api"
		},
	},
	{
		name: "whole-temp", doc: "the path is all of a temporary folder",
		effect: func(m *match, e *effect) bool {
			if !e.known {
				return false // "$(mktemp -d)": something in it
			}
			return m.c.set.isWholeTemp(m.c.locate(m.call, e).Path)
		},
	},
	{
		name: "without-secret", doc: "a file of settings in which people may keep a secret, and which holds none now",
		effect: (*match).withoutSecret,
	},
	{
		name: "works-on-guard", about: []string{"git"}, doc: "git works in a repository, not the project's, in which the guard's program, settings or own folders lie",
		call: (*match).worksOnGuard,
	},
	{
		name: "writes-guard", doc: "as names-guard, but for what the program only reads as far as its table tells",
		call: func(m *match) bool { return m.namesGuard(true, false) },
	},
}

// predicate finds one by name; nil where there is none.
func predicate(list []Predicate, name string) *Predicate {
	i, ok := sort.Find(len(list), func(i int) int { return strings.Compare(name, list[i].name) }) // copies none of them
	if !ok {
		return nil
	}
	return &list[i]
}

// Misused says what is wrong with the predicates that a rule names, a line each: there is no such one, or it is about programs that
// the rule does not name, so that it could never hold, or excuse, there.
func Misused(r *rule.Risk) []string {
	var list []string
	for i, name := range slices.Concat(r.When.Is, r.When.Not) {
		p := predicate(predicates[:], name)
		// What excuses may do so for some of the programs that a rule without a name meets.
		excuse := i >= len(r.When.Is) && len(r.Programs) == 0
		switch {
		case p == nil:
			list = append(list, fmt.Sprintf("no predicate is named %q", name))
		case p.about != nil && !excuse && !r.Programs.Meets(func(program string) bool { return slices.Contains(p.about, program) }):
			list = append(list, fmt.Sprintf("the predicate %q is about %s, which the rule does not name", name, strings.Join(p.about, ", ")))
		}
	}
	return list
}

// dynamicOperand reports an operand that only the shell will know.
func dynamicOperand(m *match) bool {
	k := m.call
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		if k.cmd.Args[i].Kind != shell.Literal {
			return true
		}
	}
	return false
}
