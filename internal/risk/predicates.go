package risk

// Predicates are the named conditions that tables cannot express. A rule that
// names another one is refused by the generator.
var Predicates = [...]string{
	// chmod lets everybody write: o+w, 777
	"absolute-mode-open",
	// a program whose name is unknown is given what deletes under rm or git
	"acts-destructively",
	// git: it reads files in order to store them, not to show them
	"adds-to-git",
	"applies-destroy",
	// a function that calls itself in the background, or twice by a pipe
	"background-recursion",
	// the shell opens the file, not the program
	"by-redirect",
	// a tool of the client writes the file, no command line does
	"by-tool",
	// git takes out of the index what neither HEAD nor a file holds
	"drops-staged",
	// an unquoted word that only the shell will know stands where options do
	"may-be-option",
	// the subcommand is a word that only the shell will know
	"unknown-subcommand",
	// the folder is there, and something is in it
	"holds-something",
	// a tool of the client's session left the file as it is
	"own-write",
	// the content at the path is not held by Git, and no tool of the session wrote it
	"users-work",
	// a compiler writes over a program, as it did before
	"made-again",
	// rules of their own speak of how the program writes
	"own-words",
	// an unknown program is given a command that a rule would notice
	"carries-command",
	// all variables are among its words: "$(env)"
	"carries-environment",
	// what another program prints is a part of an operand
	"carries-output",
	// a subcommand of a host's client that changes the repository itself
	"changes-repository",
	// a one-line program has a socket and a shell
	"code-connects-shell",
	// a one-line program that reads names a file with credentials
	"code-deletes-by-library",
	// a one-line program that changes files names one of the guard's
	"code-names-guard",
	"code-names-secret",
	// program text resets, cleans or checks out with a library for Git
	"code-resets-git",
	// a one-line program fetches text and runs text
	"code-runs-fetched",
	// a one-line program runs text that it decodes
	"code-runs-hidden",
	// a one-line program starts a shell on a terminal of its own
	"code-sends-environment",
	"code-spawns-terminal",
	// a setting of Git makes later pushes force, mirror or publish all
	"config-push",
	// the repository's own folder may be among the names that a pattern or search stands for
	"may-take-git",
	// "git config" stores a setting whose value Git runs
	"config-runs",
	// openssl writes a key in another form to another file
	"converts-key",
	// all that is in a folder is copied: "dir/.", "dir/*"
	"copies-all",
	// a program of the guard's name is put into a folder
	"copies-onto-guard",
	// a file is put into a folder that has settings of that name in which the guard is registered
	"copies-onto-settings",
	// a folder is copied over one in which the guard's program, settings or registration lies
	"copies-tree-onto-guard",
	// as copies-tree-onto-guard, and that folder is the guard's or an agent's of the user
	"copies-tree-onto-settings",
	// a file that is not there yet is made from its example
	"copies-example",
	// ten operands or more (S0-28)
	"counts-many",
	// a cmdlet whose verb takes something away
	"dangerous-cmdlet",
	// ":branch" of git push
	"delete-refspec",
	// the path is a found name with something behind it
	"derived-name",
	// a subcommand of a cloud's storage that deletes
	"deletes-storage",
	// "destroy" as a subcommand or as an option of terraform
	"destroys",
	// what pkill ends is the agent's own server
	"development-server",
	// an operand that only the shell will know
	"dynamic-operand",
	// ten edits at once, or within a minute of the session (S0-28)
	"edits-many",
	// a loop without an end
	"endless",
	// as fed-by-list, in rules that no program's name narrows
	"fed-by-any-list",
	// xargs or parallel append words to it
	"fed-by-list",
	// a list decides an option of an interpreter
	"fed-option",
	// a list decides what Git does
	"fed-unknown",
	// its input was downloaded without a check of the sender
	"fetched-insecurely",
	// a download of a .pem file
	"fetches-certificate",
	// a shell's output is fed back into what feeds it
	"fifo-loop",
	// find picks by names that a build makes again
	"finds-build",
	// "+branch" of git push
	"force-refspec",
	// the path comes from what the line reads: read, mapfile, $(cat list)
	"handed-on",
	// "$(which moai)" is among the operands
	"found-own-binary",
	// the number of a process of moai's is among them
	"found-own-process",
	"frees-port",
	// the path is one that a search printed
	"foreign-token",
	"found-target",
	// the path begins at the root and is not known further
	"from-root",
	// the path is a pattern
	"glob-target",
	// a request by PUT, PATCH or DELETE
	"http-changes",
	// a request by DELETE
	"http-deletes",
	// a folder in which the guard's program or one of its folders lies
	"holds-guard",
	// something flows into it: a pipe, a file or a text
	"given-input",
	// settings of Git in numbered variables
	"injects-config",
	// what is moved ends where it will be thrown away
	"into-environment",
	"into-temp",
	// -1 as the number of a process
	"kill-everything",
	// the code that runs is the everyday set-up output of one program
	"known-initialiser",
	// the path stands for a list of them
	"listed-target",
	// references are deleted that come from elsewhere than the line
	"lists-checkpoints",
	// the shell reads a .env file
	"loads-settings",
	// every host among the operands is this machine
	"local-host",
	// a verb of moai that makes the guard laxer
	"loosens-guard",
	// a program that makes new keys
	"makes-keys",
	// the path is / when a variable is empty
	"maybe-root",
	// the path is not known, and where it may lie is content that Git does not hold
	"maybe-unsaved",
	// chmod takes all rights away
	"mode-closed",
	// chmod sets setuid or setgid
	"mode-setuid",
	// a reference of checkpoints gets another value or name
	"moves-checkpoints",
	// one of the guard's own things is among the operands and values of options
	"names-guard",
	// as writes-guard, and a folder above them counts, too
	"names-guard-folder",
	// settings in which the guard is registered, or its rules, are named to a program that is not known to only read
	"named-guard",
	// as named-guard, for the guard's own program, settings, exceptions and record
	"named-own",
	// an operand is the name of a file with credentials
	"names-secret",
	// nothing is at the path, and nothing on the line puts something there
	"nothing-there",
	// a GIT_SSH_COMMAND that is more than plain ssh
	"odd-transport",
	// settings of an agent are written in which the guard is not registered any more
	"drops-guard",
	// the path is in the user's folders of the guard's settings, exceptions and state
	"own-folder",
	// settings of an agent in which the guard is registered
	"registers-guard",
	// the path is moai's own program
	"own-binary",
	// a PATH begins with a folder of the user or the project
	"own-path",
	// the program is moai
	"own-program",
	// git checkout is given paths
	"pathspec",
	// all variables are printed after a file with credentials was read into them
	"prints-loaded",
	// a one-line program prints all it read from a .env file
	"prints-settings",
	// a word names a production system
	"production",
	// a branch that a team shares
	"protected-ref",
	// checkpoints are pushed, by name or by a pattern that takes all references
	"publishes-checkpoints",
	// settings, of the line or of the repository, make a push take hidden references along
	"mirrors-by-setting",
	// an alias of gh that runs a shell
	"publishes-on-host",
	// a search of a home, or of more than a project
	"reaches-far",
	// it runs on another machine or in a container
	"remote",
	// the last operand is host:path
	"remote-last",
	// a file is there which would be replaced
	"replaces-file",
	// a shell is tied to a connection elsewhere
	"reverse-shell",
	// a program or subcommand that makes all commits anew
	"rewrites-history",
	// a file transfer takes its orders from a file or from its input
	"runs-batch",
	// what runs was decoded on the line
	"runs-decoded",
	// what runs was downloaded on the line
	"runs-downloaded",
	// what flows in is run
	"runs-input",
	// a plain file whose content Git holds
	"saved-file",
	// a script in Redis, or keys that another program listed
	"script-or-listed",
	// a key is in what is written or committed
	"secret-content",
	// a file with credentials flows into it
	"secret-flow",
	// commit:path of a file with credentials
	"secret-object",
	// a variable that is named like a credential is sent
	"sends-variable",
	// a file server for others, or of more than a project
	"serves-widely",
	// "git -c" sets what Git runs
	"shell-alias",
	// socat connects to this machine only
	"socat-local",
	// the path is what Git keeps of an operation that waits to be finished
	"operation-state",
	// an operation of Git's waits to be finished where the call works
	"operation-waits",
	// the path is a lock that a Git which died left behind
	"stale-lock",
	// an agent's settings are written under which its hooks do less
	"switches-guard-off",
	// every operand has the word test in its name
	"test-names",
	// the database is made for tests
	"throw-away-data",
	// the Redis database is made for tests
	"throw-away-store",
	// the repository lies in a place for throw-away files
	"throw-away-work",
	// the shell writes to /dev/tcp of another machine
	"to-socket",
	// nobody gets to see the token that a call prints: another program or a value takes it
	"token-used",
	// a folder in which a file that Git tracks was changed
	"tracked-work",
	// a shell runs text that the line does not show
	"unknown-code",
	// a pattern or a list picks files of the guard's
	"picks-guard",
	// what a program is told in a language of its own names one of the guard's files
	"text-names-guard",
	// a tree of files is written over a folder in which the guard's program, settings or registration lies
	"tree-over-guard",
	// as tree-over-guard, and that folder is the guard's or an agent's of the user
	"tree-over-settings",
	// the whole command line is in a variable
	"unknown-line",
	// the program has no entry in the tables, and is none that only prints words: any name may hide behind it
	"unlisted-program",
	// the content at the path is not held by Git
	"unsaved",
	// a folder in which the content of some file is not held by Git
	"unsaved-work",
	// an HTTP or file transfer client is given a file with credentials
	"uploads-secret",
	// as names-guard, but for what the program only reads as far as its table tells
	"writes-guard",
	// an address of a host's interface that is a repository itself
	"whole-repository",
	// the path is all of a temporary folder
	"whole-temp",
	// git works in a repository, not the project's, in which the guard's program, settings or own folders lie
	"works-on-guard",
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
