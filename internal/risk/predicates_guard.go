package risk

import "github.com/modu-ai/moai/internal/rule"

// guardPredicates are the predicates about what is done to the guard itself: its program, settings, rules and record.
var guardPredicates = []Predicate{
	{
		name: "adds-guard", about: []string{"git"}, doc: "settings that Git ignores, and in which the guard is registered, are put under Git",
		call: (*match).addsGuard,
	},
	{
		name: "code-names-guard", doc: "a one-line program that changes files names one of the guard's",
		call: (*match).codeNamesGuard,
	},
	{
		name: "commit-hooks-off", about: []string{"git"}, doc: "the commit that Git is told has settings of an agent that switch hooks off, or do not register the guard",
		call: (*match).commitOff,
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
		name: "defines-verifier", doc: "the file is the definition of a sub-agent whose look counts: one of moai's, or one that verify.agents names",
		effect: (*match).definesVerifier,
	},
	{
		name: "drops-guard", doc: "settings of an agent are written in which the guard is not registered any more",
		effect: func(m *match, e *effect) bool { return m.registers(m.c.locate(m.call, e)) && m.dropsRegistration(e) },
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
		name: "holds-guard", doc: "a folder in which the guard's program or one of its folders lies",
		effect: (*match).holdsGuard,
	},
	{
		name: "leads-guard", doc: "a link gets into the place of a folder in which one of the guard's own folders lies, or would lie",
		effect: (*match).leadsGuard,
	},
	{
		name: "loosens-guard", about: []string{"moai"}, doc: "a verb of moai that makes the guard laxer",
		call: (*match).loosensGuard,
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
		name: "own-program", about: []string{"moai"}, doc: "the program is moai",
		call: func(m *match) bool { return m.call.name == "moai" },
	},
	{
		name: "patches-hooks-off", doc: "a patch writes a setting that switches hooks off into settings of an agent",
		call: (*match).patchesOff,
	},
	{
		name: "picks-guard", doc: "a pattern or a list picks files of the guard's",
		effect: (*match).picksGuard,
	},
	{
		name: "registers-guard", doc: "settings of an agent in which the guard is registered",
		effect: func(m *match, e *effect) bool { return m.registers(m.c.locate(m.call, e)) },
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
		name: "text-names-guard", doc: "what a program is told in a language of its own names one of the guard's files",
		call: (*match).textNamesGuard,
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
		name: "unpacks-settings", doc: "an archive has settings of an agent for the place where it is unpacked, or comes from a folder with some that leave the guard uncalled",
		effect: (*match).unpacksSettings,
	},
	{
		name: "unplaced-guard", doc: "a path of which only the shell will know where it begins ends as that of one of the guard's own things does",
		effect: (*match).unplacedGuard,
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
