package rule

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Language is one file of rules/languages: how to recognise a language, how to
// read its version, and which tools a project in it uses.
type Language struct {
	ID      string   `toml:"id"` // the file's name; lower case; never reused
	Name    string   `toml:"name"`
	Aliases []string `toml:"aliases"`                                  // other spellings that a person or a .gitattributes file may use
	Kind    string   `toml:"kind" one:"programming markup data prose"` // the first two count in shares
	// Primary promises that moai knows how projects in the language are worked on, which examples and project trees show.
	// Named as a project's primary one is any language that leads.
	Primary bool `toml:"primary"`
	// Lead lets a language of pages or data be a project's primary one where there is no program (TeX, Typst), and one that else
	// helps to build where a manifest of its own is.
	Lead bool `toml:"lead"`
	// Bundled marks what projects in other languages bring along or are bound to, so that the manifest of another language
	// counts more than any number of its bytes (C, C++).
	Bundled bool `toml:"bundled"`
	// Stored marks what other programs keep and restore (dialects of SQL): its bytes are dumps and fixtures where a manifest speaks for another
	// language with files here.
	Stored bool `toml:"stored"`
	// Support marks what helps to build other languages (Makefile, Dockerfile): it
	// counts in shares, and half when the primary language is chosen.
	Support bool `toml:"support"`
	// Group is the id of the language whose share this one counts into (TSX → typescript).
	Group string `toml:"group"`
	// Folds names languages one of which may get this one's bytes when the primary
	// language is chosen (Jupyter → python): the one with most bytes of its own.
	Folds []string `toml:"folds"`
	// Runtime is the id of the language whose version says what runs this one
	// (TypeScript runs on the Node of javascript).
	Runtime      string   `toml:"runtime"`
	Extensions   []string `toml:"extensions"` // with the dot, lower case; ".html.erb" is one
	Filenames    []string `toml:"filenames"`
	Interpreters []string `toml:"interpreters"` // as in #!, without a version number
	Tools        []string `toml:"tools"`        // names in .tool-versions and mise.toml
	Comment      Comment  `toml:"comment"`
	Quotes       Quotes   `toml:"quotes"`

	Manifests []Manifest `toml:"manifest"`
	Claims    []Claim    `toml:"claim"`
	Needs     []Needs    `toml:"needs"`
	Versions  []Version  `toml:"version"`
	Toolset

	Examples []LanguageExample `toml:"example"`
	Near     []LanguageExample `toml:"near"`
}

// Comment is a language's comment syntax. Block holds pairs of open and close.
type Comment struct {
	Line  []string    `toml:"line"`
	First []string    `toml:"first"` // as Line, but only where nothing stands before it on the line
	Block [][2]string `toml:"block"`
}

// Quotes is what a language's quotes mean beyond the strings of a line.
type Quotes struct {
	Texts string `toml:"texts"` // they open literals that may run over lines: ` alone, " and ' tripled
	Bare  string `toml:"bare"`  // they open no string: they stand for lifetimes, symbols, apostrophes
}

// Syntax is how a file is commented and quoted; prose (Markdown, text) has headings instead of comments.
type Syntax struct {
	Comment
	Quotes
	Prose bool
}

// Manifest is a file at the root of a project that speaks for a language.
type Manifest struct {
	File string `toml:"file"` // name, or a pattern such as "*.csproj"
	// Weight: 3 the language beyond doubt (go.mod), 2 one of a family that
	// shares the file (package.json, pom.xml), 1 a hint (Makefile).
	Weight int      `toml:"weight"`
	Alone  bool     `toml:"alone"`  // a hint that tells the language where there is no source and no stronger file, such as a lock file
	Whole  bool     `toml:"whole"`  // the folder is laid out as this file's tool wants it: sources in other languages are parts of it
	When   []string `toml:"when"`   // conditions, any of which must hold
	Unless []string `toml:"unless"` // conditions, none of which may hold
}

// Needs says how manifests list what a project needs, for conditions such as "go.mod uses NAME". All others name it in quotes.
type Needs struct {
	Files []string `toml:"files"` // names, or patterns such as "*.cabal", of which every name is asked before
	// Form is go (lines of go.mod), fields (that list packages), toml (tables of dependencies), list (one a line), text (the name
	// between two texts) or quoted.
	Form string `toml:"form" one:"go fields toml list text quoted"`
	// Words are the fields, further tables, the two texts and what lines hold that do not count, or what stands before a quoted name.
	Words []string `toml:"words"`
}

// Claim decides between languages that share an extension or a file name, from
// the first kilobytes of the file. The claim holds when any of Line, Text, Word
// and Start is found, all of With and none of Not.
type Claim struct {
	On    []string `toml:"on"`    // extensions or file names
	Order int      `toml:"order"` // claims on one extension are tried in this order, lowest first
	In    []string `toml:"in"`    // the file is looked at only below folders with such a word in their name
	Fold  bool     `toml:"fold"`  // letters match in either case; texts are written in lower case
	Line  []string `toml:"line"`  // a line begins so; a blank stands for any run of blanks
	Text  []string `toml:"text"`
	Word  []string `toml:"word"` // as Text, but not as a part of a longer word
	Start []string `toml:"start"`
	With  []string `toml:"with"`
	Not   []string `toml:"not"`
}

// Version names a field that states a language's version. Sources are asked in
// order, pins before floors, and hints last.
type Version struct {
	File   string `toml:"file"`   // name, path or pattern below the project
	Kind   string `toml:"kind"`   // pin: exactly this toolchain; floor: declared minimum or range; hint: what says little of it
	Format string `toml:"format"` // first-line, toml, json, yaml, xml, line, yarn-lock
	Field  string `toml:"field"`  // path for toml, json, yaml; tag for xml; package for yarn-lock; line: what to call the place, if not by the texts below
	Within string `toml:"within"` // xml: a text in the same element as the field: "<artifactId>maven-compiler-plugin</artifactId>"
	After  string `toml:"after"`  // line: search starts after this text
	Match  string `toml:"match"`  // line: {} stands for the version, a blank for any blanks, a quote for either
	Show   string `toml:"show"`   // how to print it, with {}: "Node {}"; default {}
	// Lookup makes the first place decide that sets what Match names (line): when no
	// version can be read there, none is shown. A name in place of the version is
	// looked up in these files.
	Lookup []string `toml:"lookup"`
	// Agree shows nothing when several places differ or cannot be read (line): compilers
	// are called with one standard here and another there.
	Agree bool `toml:"agree"`
	// Least shows the oldest of several standards by their years, 98 before 11 (line): what all parts of a library need at least.
	Least bool `toml:"least"`
	// Inherit are conditions, one of which must hold in a project below for the
	// version to hold there too. None: it holds there.
	Inherit []string `toml:"inherit"`
}

// Manager is a package manager, told by its lock files in order.
type Manager struct {
	Name   string   `toml:"name"`
	When   []string `toml:"when"`
	With   []string `toml:"with"`   // conditions, any of which must hold as well
	Unless []string `toml:"unless"` // conditions, none of which may hold
	Run    string   `toml:"run"`    // what starts an installed tool: "uv run", "pnpm exec"
	Script string   `toml:"script"` // what starts a named script: "npm run"
	Add    string   `toml:"add"`    // what installs the dependencies: "uv sync"
	Build  string   `toml:"build"`  // what builds a package, where a tool says {build}: "uv build"
	// Loose are programs that work without the project around them. One that none of Listed says the project needs ({} is its name) is
	// started by Apart, or as it stands: Run would not find it.
	Loose  []string `toml:"loose"`
	Listed []string `toml:"listed"`
	Apart  string   `toml:"apart"`
	// Lends are conditions, one of which holds where the manager has something to install for a language that has none of its own.
	Lends []string `toml:"lends"`
	// Weak marks what a manifest alone says, without a lock file or a wrapper: in a
	// project below the root, a stronger sign in a folder above is the one that counts.
	Weak bool `toml:"weak"`
	// Beside marks one that is named as well where another one of the language comes first: two builds of the same project.
	Beside bool `toml:"beside"`
}

// Tool is a formatter, linter, type check, test runner or build command. In commands {run}
// and {script} stand for the package manager's own, {file} for one path.
type Tool struct {
	Name    string   `toml:"name"`
	Command string   `toml:"command"` // for the whole project
	File    string   `toml:"file"`    // for one file, where the tool can
	One     string   `toml:"one"`     // for one test: {name} is its name, {file}, {dir} and {project} where it lies
	Lines   string   `toml:"lines"`   // the same for the whole project, with a line for each finding that names file and line
	When    []string `toml:"when"`    // conditions, any of which must hold; empty: what the language itself brings
	With    []string `toml:"with"`    // conditions, any of which must hold as well
	Unless  []string `toml:"unless"`  // conditions, none of which may hold
	// Bound: with conditions, it needs a manifest of the language all the same.
	Bound bool `toml:"bound"`
	// Anywhere: without conditions, it works without a manifest of the language, too.
	Anywhere bool `toml:"anywhere"`
	// Vague: what the program is to look at, the project says where a service calls it.
	Vague bool `toml:"vague"`
	// Flags are words with which a service may call it though they name nothing that it is to look at: how strict it is, how much of the project.
	Flags []string `toml:"flags"`
	// Said is how scripts of a manifest call it for this purpose: the program, words that stand behind it, and with ! those that do not.
	Said []string `toml:"said"`
	// Keeps are options of the program, each with a value, that one test is run with where a script of the project runs all of them so.
	Keeps []string `toml:"keeps"`
	// Programs are where a project lists what it can start. {program}, {found} and {folder} of the command are the only one of them, or the one
	// that is called as the project (Called); where the command names none, there must be no other.
	Programs []Start `toml:"programs"`
	// Called says where the project's own name stands: FILE#FIELD, FILE: TEXT with {}, or a pattern of files that are called so.
	Called []string `toml:"called"`
	// Namesake: no other program counts than one that is called as the project.
	Namesake bool `toml:"namesake"`
	// Also is another purpose for which it serves, where nothing else is named for that: a server that reads changes again is for "dev", too.
	Also string `toml:"also" one:"- dev typecheck"`
}

// Start is a place that lists programs: the members of a table, names in a text, or files.
type Start struct {
	File    string `toml:"file"`    // name or pattern; {called} is the project's name
	Keys    string `toml:"keys"`    // the table or object whose members are programs
	Each    string `toml:"each"`    // TABLE.KEY: the values of this key in all tables of a list: [[bin]] of Cargo
	Value   bool   `toml:"value"`   // not the members' names are programs, but what they name: files that are there
	Text    string `toml:"text"`    // what stands around a name, with {}; without, the program is called as the project
	List    string `toml:"list"`    // names stand behind this text, to the end of the line; with has, they are targets with such a recipe
	Entries string `toml:"entries"` // entries NAME = MODULE:FUNCTION stand behind this text
	Bare    bool   `toml:"bare"`    // with text: what stands in double quotes is left out before
	Has     string `toml:"has"`     // a file that is a program holds this text
	Lacks   string `toml:"lacks"`   // and not this one
	Beside  string `toml:"beside"`  // and this file is beside it
	Name    string `toml:"name"`    // the field with its name: else that of its folder, or, of a pattern of names, its own
}

// Framework is a name worth showing beside the language.
type Framework struct {
	Name   string   `toml:"name"`
	When   []string `toml:"when"`
	Unless []string `toml:"unless"` // conditions, none of which may hold
}

// LanguageExample is a file that must be seen as the language (an example), or
// must not (a near miss), in which case Is names what it is instead, if anything.
type LanguageExample struct {
	Path       string `toml:"path"`
	Head       string `toml:"head"`
	Executable bool   `toml:"executable"`
	Is         string `toml:"is"`
}

// LanguagePaths is rules/languages/_paths.toml: which paths do not count because
// somebody else wrote them, a program did, or they only explain. Patterns: a
// trailing slash means a folder, a leading one the root, "*" a run without "/",
// "~" one without "/" and ".", "#" digits; "{a,b}" alternatives.
type LanguagePaths struct {
	Vendored      []string `toml:"vendored"`
	Generated     []string `toml:"generated"`
	Documentation []string `toml:"documentation"`
	// Ignored folders hold build output and dependencies; a walk does not enter
	// them and a project is never rooted there.
	Ignored []string `toml:"ignored"`
	// Scripts are beginnings of folder names below which a .js file is vendored when
	// the way to it, and its name up to the extension, has no dot.
	Scripts []string `toml:"scripts"`
	// Minified are extensions of which a file with very long lines is generated.
	Minified []string        `toml:"minified"`
	Comment  Comment         `toml:"comment"` // of a file that no language takes
	Heads    []GeneratedHead `toml:"head"`

	Projects LanguageProjects `toml:"-"`
	Work     LanguageTasks    `toml:"-"`
	Systems  Ecosystems       `toml:"-"`
	Facts    Facts            `toml:"-"`

	Examples []PathExample `toml:"example"`
}

// LanguageProjects is rules/languages/_projects.toml: what projects state in files of no single language.
type LanguageProjects struct {
	Files, Fields   []string // where a project may state its language
	Spoken          []string // codes of human languages that are names of programming ones as well
	Pins            []string // files that pin any tool by its name, in order of strength
	Prefixes        []string // before a version
	Releases        []string // words that are one
	Implementations []string // names before a version that belong to it
	Upward          []string // programs that find the project's root themselves from a folder in it
	Launchers       []string // words before a program that is started where they are called
	Samples         []string // folders below which no project is one of this repository
	Helpers         []string // words in names of programs that people who use the project do not start
	Trials          []string // folders of tests: what lies deeper in them than one folder is a sample
	Workspaces      []string // files at the root that name the folders of its projects, examples and documents among them
	Parts           []string // files that make no project of a folder where the project around it has one, too
	Platforms       []string // conditions of packages that hold what was built for one platform, and no source
	Hosts           []Host   `toml:"host"`
	Images, Setups  []string // files that name images of containers, and steps that set a language up: hints at versions
	Triggers        []string // words that a step's file has which runs with changes of the code: others' steps hint at nothing
	Opaque          []string // extensions of what is no program though it can be run
}

// Host is a project whose tool keeps projects in folders of its own in it: they are the tool's, and none of the repository.
type Host struct {
	When    []string `toml:"when"`    // conditions on the project around them, any of which must hold
	Folders []string `toml:"folders"` // below it
}

// LanguageTasks is rules/languages/_tasks.toml: what a project itself calls its work.
type LanguageTasks struct {
	Runners  []Runner   `toml:"runner"` // the first that names a task for a purpose counts
	Tasks    []TaskName `toml:"task"`
	Services []Service  `toml:"service"` // whose steps are asked where nothing else names a command
	Steps    []TaskName `toml:"step"`    // what steps for a purpose are called, beyond what tasks are
	Told     []TaskName `toml:"told"`    // how names of tasks begin that documents tell people to type, and with aside words of those that do only a part
	// Documents are files that tell those who work on the project what to type.
	Documents []string
	Before    []string // words before that: "Run tests"
	Asks      []string // last words of commands that only ask which version a program is
	Prints    []string // programs that only say something: a target with nothing else does nothing
	Carriers  []string // words before a program in a script that only start it
	Launches  []string `toml:"launches"` // last words of what starts a program that stands behind it
	Papers    []string // words of commands and of names of tasks that are about documents, examples or pages
	Hooks     []string // what names of scripts begin with, or have behind a colon, that run by themselves or publish
}

// Runner is a kind of file in which a project gives tasks names.
type Runner struct {
	Name    string   `toml:"name"`
	Files   []string `toml:"files"`
	Form    string   `toml:"form" one:"make just json toml yaml edn text decorated"`
	Field   string   `toml:"field"`   // whose members are the tasks; text: what stands around a name, with {}
	Command string   `toml:"command"` // {task} is the name, {script} how the language's package manager runs one
	Never   []string `toml:"never"`   // names that mean something else here
	Signs   []string `toml:"signs"`   // texts, one of which the file has: of programs that read files of the same name, each in a language of its own
	Runs    []string `toml:"runs"`    // toml, yaml: keys whose values are the commands of a task that is a table
	Common  bool     `toml:"common"`  // its tasks are of every language, though the file is a manifest of some

	Plain []string `toml:"plain"` // names that the command leaves out where theirs is the first task: it runs that by itself
	// Configure is the script that writes what the file includes, where that is not there yet.
	Configure string `toml:"configure"`
	// Yields are the programs of build systems that come first where the project's tests are theirs, and a service calls them before this runner.
	Yields []string   `toml:"yields"`
	Also   []TaskName `toml:"also"` // names that mean it here alone, behind those of all
}

// Service tests a project by the commands of a file.
type Service struct {
	Name     string   `toml:"name"`
	Files    []string `toml:"files"`
	Run      string   `toml:"run"`      // the key of a step's command, in lists of steps with names
	Script   string   `toml:"script"`   // the key of a job's commands, where jobs are the outermost keys
	Lines    bool     `toml:"lines"`    // each line is a command: a script of the project's own, which people call by its manager
	Begins   string   `toml:"begins"`   // the text before a command that starts the project, of which the last one in the file counts
	Programs []string `toml:"programs"` // and what such a command may be: others are of the place where it runs
	Managed  []string `toml:"managed"`  // those of them that the package manager runs
	Folder   string   `toml:"folder"`   // the key with which a step is in another folder
	Paths    string   `toml:"paths"`    // the key of a list of files for which alone the service runs
	Defaults string   `toml:"defaults"` // the key below which that is said of all steps
	Except   []string `toml:"except"`   // words in names of files that bring the project to where it runs, and say nothing of work on it
}

// TaskName are the names that tasks for one purpose have.
type TaskName struct {
	Purpose string   `toml:"purpose" one:"test build lint format typecheck start dev install clean coverage migrate"`
	Names   []string `toml:"names"`
	Starts  []string `toml:"starts"`  // of a step: a command that begins with these words is one
	Whole   bool     `toml:"whole"`   // of a step: so is a command that is those words alone
	Alone   bool     `toml:"alone"`   // of a step: the last word of its command says it where it has no name
	Aside   []string `toml:"aside"`   // of a task: words of a command by which it is about something beside the project
	Unless  []string `toml:"unless"`  // of a task: where its last command begins with these words, it is something else; with $ at their end: is these words
	Only    []string `toml:"only"`    // of a task: words one of which a command of it must have; it is judged by its own words alone
	Prints  []string `toml:"prints"`  // of a task: programs that without one of writes only print
	Checks  []string `toml:"checks"`  // of a task: where it has one of these words, and none of writes, it only looks
	Writes  []string `toml:"writes"`  // of a task: words that change files
	Needs   []string `toml:"needs"`   // of a task: programs for which something has to run beside the project
	Lighter []string `toml:"lighter"` // of a task that needs one: names of what does a part of it without
	Fixers  []string `toml:"fixers"`  // of a task: programs that change files, with the words that they need for it, and with ! those with which they only look
}

// GeneratedHead tells by a text near its start that a program wrote a file. Only
// large files, and those that are opened anyway, are asked.
type GeneratedHead struct {
	On   []string `toml:"on"` // extensions
	Text []string `toml:"text"`
}

// PathExample is a path and what the lists must say of it: vendored, generated,
// documentation, or empty when it counts.
type PathExample struct {
	Path string `toml:"path"`
	Is   string `toml:"is" one:"- vendored generated documentation"`
}

// Counts reports whether the language takes part in shares.
func (l *Language) Counts() bool { return l.Kind == "programming" || l.Kind == "markup" }

// Leads reports whether a project may be said to be written in the language: all for programming but what only helps to build others.
func (l *Language) Leads() bool { return l.Kind == "programming" && !l.Support || l.Lead }

// The files of the family that are no language.
const (
	pathsFile    = "rules/languages/_paths.toml"
	projectsFile = "rules/languages/_projects.toml"
	tasksFile    = "rules/languages/_tasks.toml"
	systemsFile  = "rules/languages/_ecosystems.toml"
	factsFile    = "rules/languages/_facts.toml"
)

// LoadLanguages reads the family: every language sorted by id, and the path
// lists. Everything wrong is reported at once, as joined *Problem values.
func LoadLanguages(fsys fs.FS) ([]Language, *LanguagePaths, error) {
	files, err := Files(fsys, "languages")
	if err != nil {
		return nil, nil, err
	}
	var list []Language
	paths, found := &LanguagePaths{}, false
	c := &languageChecks{systemsIn: systemsFile}
	for _, file := range files {
		var l Language
		switch {
		case file == pathsFile:
			if found = true; c.read(fsys, file, paths) {
				c.paths(paths)
			}
		case file == projectsFile:
			c.read(fsys, file, &paths.Projects)
		case file == tasksFile:
			if c.read(fsys, file, &paths.Work) {
				c.tasks(&paths.Work)
			}
		case file == systemsFile:
			if c.read(fsys, file, &paths.Systems) {
				c.systems(&paths.Systems)
			}
		case file == factsFile:
			if c.read(fsys, file, &paths.Facts) {
				c.facts(&paths.Facts)
			}
		case c.read(fsys, file, &l):
			c.one(&l)
			list = append(list, l)
		}
	}
	// Without the lists every vendored file would count as the project's own.
	if !found {
		c.add(pathsFile, 0, "", "missing: the lists of vendored, generated and documentation paths")
	}
	c.all(list, nil)
	c.known(list, &paths.Systems)
	// By id, not by file name: "html" comes before "html-erb", "html.toml" after it.
	slices.SortFunc(list, func(a, b Language) int { return strings.Compare(a.ID, b.ID) })
	return list, paths, c.err()
}

// LanguageStub renders the file of a new language, with its required fields
// empty so that loading it says what to fill in.
func LanguageStub(id string) string {
	name := id
	if name != "" {
		name = strings.ToUpper(id[:1]) + id[1:]
	}
	return fmt.Sprintf(languageStub, id, name)
}

// LanguageFile is where the file of a language belongs, relative to the root.
func LanguageFile(id string) string { return path.Join("rules/languages", id+".toml") }

const languageStub = `id         = %q
name       = %q
aliases    = []
kind       = "programming"    # programming, markup, data or prose
extensions = []               # ".zig"
filenames  = []
interpreters = []             # as in #!/usr/bin/env NAME
tools      = []               # names in .tool-versions and mise.toml
comment    = { line = [], block = [] }

# [[manifest]]
# file   = "build.zig"
# weight = 3                  # 3 beyond doubt, 2 shared with relatives, 1 a hint

# [[version]]
# file   = "build.zig.zon"
# kind   = "floor"            # pin, floor or hint
# format = "line"
# match  = '.minimum_zig_version = "{}"'

# [[test]]
# name    = "zig"
# command = "zig build test"

[[example]]                   # a file that is this language
path = ""

[[near]]                      # a file that looks like it and is not; is = "what it is"
path = ""
`
