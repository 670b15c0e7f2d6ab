package risk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// pathPredicates are the predicates about what lies at a path, and what becomes of it.
var pathPredicates = []Predicate{
	{
		name: "absolute-mode-open", about: []string{"chmod"}, doc: "chmod lets everybody write: o+w, 777",
		call: func(m *match) bool { return m.mode("absolute-mode-open") },
	},
	{
		name: "brings-ignored", doc: "what is unpacked or copied replaces a file that Git ignores, or may do so where it cannot be told what comes",
		call: (*match).bringsIgnored,
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
		name: "copies-all", doc: "all that is in a folder is copied: \"dir/.\", \"dir/*\", -T",
		call: (*match).copiesAll,
	},
	{
		name: "copies-example", about: []string{"cp", "install"}, doc: "a file that is not there yet, or the same already, is made from its example",
		call: (*match).copiesExample,
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
		name: "data-target", doc: "what is replaced is data by its name, or by what a program writes that makes nothing by itself: no build makes it again",
		effect: (*match).dataTarget,
	},
	{
		name: "derived-name", doc: "the path is a found name with something behind it",
		effect: func(m *match, e *effect) bool { return derivedName(e) },
	},
	{
		name: "edits-many", doc: "ten edits at once, or within a minute of the session",
		call: func(m *match) bool { return m.call.edits >= manyFiles },
	},
	{
		name: "finds-build", doc: "find picks by names that a build makes again",
		call: (*match).findsBuild,
	},
	{
		name: "finds-caches", about: []string{"find"}, doc: "a search picks by a name that only files which programs make again have",
		call: (*match).findsCaches,
	},
	{
		name: "found-target", doc: "the path is one that a search printed or a file holds",
		effect: func(m *match, e *effect) bool {
			// A name that a listing printed or a file holds, whoever hands it on.
			return e.word.Listed() || reachedThrough(m.call, "find", "fd")
		},
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
		name: "glob-target", doc: "the path is a pattern",
		effect: func(m *match, e *effect) bool { return e.glob },
	},
	{
		name: "handed-on", doc: "the path comes from what the line reads: read, mapfile, $(cat list)",
		effect: func(m *match, e *effect) bool { return handedOn(e) },
	},
	{
		name: "holds-repository", doc: "a folder that a build makes again, with a work tree in it that has commits or changes which nothing else holds",
		effect: (*match).holdsRepository,
	},
	{
		name: "holds-something", doc: "the folder is there, and something is in it",
		effect: (*match).holdsSomething,
	},
	{
		name: "in-own-tree", doc: "the path lies in another work tree of the project's own repository",
		effect: func(m *match, e *effect) bool {
			t := m.c.locate(m.call, e)
			return !m.call.away() && m.c.treeBeside(cmp.Or(t.Pattern, t.Path)) != ""
		},
	},
	{
		name: "into-temp", doc: "what is moved ends where it will be thrown away",
		call: (*match).intoTemp,
	},
	{
		name: "kept-data", doc: "the file is among the project's data, in no folder for examples, and Git ignores it",
		effect: func(m *match, e *effect) bool {
			p := m.c.locate(m.call, e).Path
			return !m.call.away() && m.c.keptData(p) && !m.c.amongExamples(m.c.rel(p))
		},
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
		name: "listed-target", doc: "the path stands for a list of them",
		effect: func(m *match, e *effect) bool { return e.word.Many },
	},
	{
		name: "made-again", doc: "a compiler writes over a program, as it did before",
		effect: (*match).madeAgain,
	},
	{
		name: "main-tree", doc: "the main work tree of the project's repository is, or is in, the path: it has the repository itself",
		effect: (*match).mainTree,
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
		name: "mode-shown", about: []string{"chmod"}, doc: "chmod lets everybody read: o+r, 644",
		call: (*match).modeShown,
	},
	{
		name: "named-beyond", doc: "names that a list, a listing or printed words give, which lie outside the project or may",
		effect: (*match).namedBeyond,
	},
	{
		name: "nothing-there", doc: "nothing is at the path, and nothing on the line puts something there",
		effect: (*match).nothingThere,
	},
	{
		name: "onto-one", doc: "it runs for each of several files, and gives all of them one name that is no folder",
		effect: (*match).ontoOne,
	},
	{
		name: "own-write", doc: "a tool of the client's session left the file as it is",
		effect: (*match).ownWrite,
	},
	{
		name: "programs-alone", doc: "programs that compilers made and Git ignores, or a folder with nothing else in it",
		effect: (*match).programsAlone,
	},
	{
		name: "reaches-far", doc: "a search of a home, or of more than a project",
		call: (*match).reachesFar,
	},
	{
		name: "replaces-file", doc: "a file is there which would be replaced",
		effect: (*match).replacesFile,
	},
	{
		name: "replaces-what-it-reads", doc: "what the call writes is what it reads, by the same name",
		effect: func(m *match, e *effect) bool {
			return slices.ContainsFunc(m.call.effects, func(r effect) bool { return r.kind&rule.Read != 0 && r.text == e.text })
		},
	},
	{
		name: "saved-file", doc: "a plain file whose content Git holds",
		effect: (*match).savedFile,
	},
	{
		name: "text-target", doc: "the file that is there is text, as people write it",
		effect: (*match).textTarget,
	},
	{
		name: "tracked-work", doc: "a folder in which a file that Git tracks was changed",
		effect: (*match).trackedWork,
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
		name: "users-work", doc: "the content at the path is not held by Git, and no tool of the session wrote it",
		effect: func(m *match, e *effect) bool {
			// the cheap question first
			return !m.ownWrite(e) && m.unsaved(e)
		},
	},
	{
		name: "whole-project", doc: "the path is a whole repository",
		effect: (*match).wholeProject,
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
}
