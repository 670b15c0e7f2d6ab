package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// runPredicates are the predicates about what runs, and where the words and the text of it come from.
var runPredicates = []Predicate{
	{
		name: "acts-destructively", doc: "a program whose name is unknown is given what deletes under rm or git",
		call: (*match).actsDestructively,
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
		name: "carries-command", doc: "an unknown program is given a command that a rule would notice",
		call: (*match).carriesCommand,
	},
	{
		name: "carries-output", doc: "what another program prints is a part of an operand",
		call: (*match).carriesOutput,
	},
	{
		name: "code-connects-shell", doc: "a one-line program has a socket and a shell",
		call: (*match).codeConnectsShell,
	},
	{
		name: "code-kills-by-library", doc: "program text ends processes that it finds",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "kills-by-library") },
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
		name: "code-spawns-terminal", doc: "a one-line program starts a shell on a terminal of its own",
		call: func(m *match) bool {
			text := m.call.programText()
			// pty.spawn("/bin/bash") is how a reverse shell becomes a terminal, and hardly anything else.
			return strings.Contains(text, "pty") && strings.Contains(text, ".spawn(")
		},
	},
	{
		name: "dangerous-cmdlet", doc: "a cmdlet whose verb takes something away",
		call: (*match).dangerousCmdlet,
	},
	{
		name: "dynamic-operand", doc: "an operand that only the shell will know",
		call: dynamicOperand,
	},
	{
		name: "endless", doc: "a loop without an end",
		call: func(m *match) bool { return m.call.cmd.Endless },
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
		name: "fifo-loop", doc: "a shell's output is fed back into what feeds it",
		call: func(m *match) bool {
			return m.c.upstream(m.call, make([]bool, len(m.c.calls)), func(p *call) bool {
				return m.c.set.shell(p.raw) || p.cmd.Code != nil && p.cmd.Code.Lang == shell.LangSh
			})
		},
	},
	{
		name: "given-input", doc: "something flows into it: a pipe, a file or a text",
		call: func(m *match) bool { return m.call.cmd.Stdin != nil },
	},
	{
		name: "goes-by-downloaded", doc: "what a file says that the program goes by, such as a makefile, was downloaded on the line",
		call: (*match).goesByDownloaded,
	},
	{
		name: "index-elsewhere", doc: "a variable that is set for it leads to packages of a machine that is none of those from which they come by default",
		call: (*match).indexElsewhere,
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
		name: "known-initialiser", doc: "the code that runs is the everyday set-up output of one program",
		call: func(m *match) bool { return m.c.onlyInitialisers(m.call) },
	},
	{
		name: "may-be-option", doc: "an unquoted word that only the shell will know stands where options do",
		call: (*match).mayBeOption,
	},
	{
		name: "own-group", about: []string{"kill"}, doc: "what a shell ends with itself, by a trap: the group that it leads",
		call: func(m *match) bool {
			return reachedThrough(m.call, "trap") && !m.anyOperand(func(s string) bool { return s != "0" })
		},
	},
	{
		name: "own-path", doc: "the folder that a PATH begins with is the user's or the project's own",
		call: (*match).ownPath,
	},
	{
		name: "own-words", doc: "rules of their own speak of how the program writes",
		call: func(m *match) bool { return m.c.set.In("own-words", m.call.name) },
	},
	{
		name: "reverse-shell", doc: "a shell is tied to a connection elsewhere",
		call: (*match).reverseShell,
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
		name: "shadows-program", doc: "a file of the name of a program that every system has, in a folder of programs of the user's own",
		effect: (*match).shadowsProgram,
	},
	{
		name: "to-socket", doc: "the shell writes to /dev/tcp of another machine",
		effect: func(m *match, e *effect) bool {
			host, ok := socketHost(e.text)
			return e.redirect && ok && !m.c.set.isLocal(host)
		},
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
}
