package rule

import (
	"slices"
	"strings"
)

// Recipes are files that give work names, and the programs that run what is asked for of them. Options are listed as a [Wrapper]'s.
type Recipes struct {
	Programs []string
	Files    []string // the first of them that is there, where the program stands
	Form     string   // makefile, justfile, rakefile, ini, lines, strings, blocks, cmake, compose, json, toml, yaml
	Every    bool     // all of the files count, not the first
	Field    string   // the members of a manifest that are tasks; {env} is an environment
	Default  string   // the task, or the environment, that is meant where none is named
	Value    string   // options with a value
	Dir      string   // of those the ones that name the folder
	File     string   // of those the ones that name the file
	Apart    string   // options with which it works elsewhere
	Dry      string   // options with which it runs nothing
	Reads    string   // options with which it runs only what it has to know
	Reading  []string // members of a task that hold that; where there are none it is what always runs
	Always   []string // members of the document that hold command lines which run whatever is asked for; of a source with heads patterns of tasks that others run
	Within   string   // the member of a task that names the folder in which it runs
	Imports  string   // the member of a document that names other files
	Scripts  []string // folders in which a file of a task's name is that task
	Up       bool     // it looks in the folders above, too, and works where the file is
	Beside   bool     // so it does with a file that an option names, which that for the folder does not lead to
	Text     string   // options whose value is read in front of the file
	Environ  []string // variables that hold options of a call
	Runs     []string // subcommands behind which the name of a task stands
	Bare     bool     // it may stand without one
	Many     bool     // several names may stand there, and patterns: build:*
	All      bool     // all tasks run, whatever is named
	Alone    string   // the subcommand that a call without one is
	Named    string   // options whose value is the name of a task; without one it runs none
	Chosen   []string // variables whose value is names of tasks, where no option names one
	Picks    string   // options that pick tasks in other ways: any may be meant
	Group    string   // of all tasks those are picked by name whose names begin so; the others hold for each of them
	Whole    []string // names that stand for all of the group
	Listed   []string // members of the document that list which of the group run where none is named
	Idle     []string // subcommands with which it runs nothing
	Marks    []string // what names of tasks have in front of them on the line; the other words are none
	Packs    []string // where a workspace names the folders of its packages, as "package.json workspaces"; without spread and leads it always works there
	Spread   string   // options with which it works in packages; a value of theirs names one
	Leads    []string // words in front of the rest with which it does, "workspace *" with a name; without bare one has to stand there
	Splits   string   // what stands between a project and its task in one word
	Sets     string   // words behind which it writes a task into the manifest: "pkg set"
	Also     []string // what other subcommands run: "test t: pretest test"
	Around   []string // what the names begin with of tasks that run before and behind one
	Steps    []string // members of a task that hold command lines, by their paths with dots: commands.*.run
	Unless   []string // members, as "language pygrep", with which what is beside them is no command line
	Needs    []string // members that name other tasks
	Mark     string   // what stands in front of such a name among command lines, of a command line among lines, or of a task's name
	Words    bool     // the first word of a command line may be one
	Argv     []string // a list of texts is the words of one command, and so is what these members say together
	Heads    []string // what begins a task in a source of strings, with {} for its name; without any its strings count whatever is asked for
	Before   string   // the program of which a string of such a task is what is asked for, where it has no mark; "" where most strings are no command lines
	Linked   bool     // such a task runs as well where it is named elsewhere in the source
	Calls    []string // functions of such a source in a task, with the command line that its texts are the words of: "delete rm -rf --"
	Hands    string   // what of the line the last command of a task is given as well: operands, or all words behind the task's name
	Rest     string   // the name of a blank that holds all words of the line behind a mark: task a -- x
	Blanks   []string // what stands around what only comes out when it runs
	Vars     []string // members of a task, and behind a slash of the document, that give what stands there its values
	Puts     []string // members that put variables into the environment of what runs
	Loads    []string // members that name files of such variables
	Prints   string   // the member of such a value that is a command line which prints it
	Envfile  string   // options that name such files
	Builtin  []string // variables that the program knows, as NAME=value
}

// Makefile is the words of makefiles, and Justfile those of justfiles.
type (
	Makefile struct {
		Conditions Words    // begin what holds under a condition
		Modifiers  Words    // stand in front of an assignment
		Includes   Words    // read other makefiles
		Ignored    Words    // set nothing that is read here
		Automatic  Words    // variables of a rule that are not known, besides its target and the first that it needs
		Silent     Words    // functions that return nothing
		Exports    Words    // of the modifiers the one that puts into the environment
		Functions  []string // NAME=what it does; of one that only changes words how many arguments it has, "names" where no pattern may stand for some, and "picks" where it only leaves words out
		Own        Words    // variables that make sets itself, to what is not known
		Implicit   []string // what makes a file whose name ends so, if its variable is set: ".o=$(CC) -c"
		Passes     string   // the variable by which it tells what it calls that it only prints, with the value
	}
	Justfile struct {
		Modifiers Words // stand in front of an assignment
		Imports   Words // read another file
		Modules   Words // read one as a module
		Ignored   Words // begin lines that are no recipes
		Stands    Words // calls and what they stand for, as an interpreter has them
		Settings  Words // begin a line that is a setting
		Loads     Words // settings by which the variables of a file are loaded, the first of dotenv where they name none
		Dotenv    []string
		Exports   Words // settings by which all variables go into the environment
		Sources   Words // of those the ones that stand for the file that has them, not for the first one
	}
)

type rawRecipes struct {
	Recipes
	claims
}

// recipes adds a row, and marks its programs.
func (d *shellDecoder) recipes(r *rawRecipes) {
	d.id = strings.Join(r.Programs, " ")
	switch {
	case len(r.Programs) == 0 || len(r.Files) == 0:
		d.problem("recipes need programs and files")
	case len(r.Hits) == 0:
		d.problem("recipes need hits: a form that nobody reads shows nowhere else")
	case r.Hands != "" && r.Hands != "operands" && r.Hands != "all":
		d.problem("hands is operands or all, not %q", r.Hands)
	case len(r.Blanks) != 0 && len(r.Blanks) != 2:
		d.problem("blanks are two marks")
	case r.Spread != "" && len(r.Packs) == 0:
		d.problem("spread needs packs")
	case len(r.Heads) > 0 && r.Form != "strings":
		d.problem("only a source of strings has heads")
	case slices.ContainsFunc(r.Heads, func(h string) bool { return len(h) < 4 || strings.HasPrefix(h, "{}") == strings.HasSuffix(h, "{}") }):
		d.problem("a head begins or ends with {}")
	case r.Field != "" && r.Form != "json" && r.Form != "toml" && r.Form != "yaml":
		d.problem("only a manifest has a field")
	}
	d.out.Recipes = append(d.out.Recipes, r.Recipes)
	d.example(d.id, r.claims)
}

// markRecipes notes which programs run recipes, so that others cost one look at what is known of them.
func (s *Shells) markRecipes() {
	for i := range s.Recipes {
		for _, name := range s.Recipes[i].Programs {
			k := slices.IndexFunc(s.Programs, func(p ShellProgram) bool { return p.Name == name })
			if k < 0 {
				k = len(s.Programs)
				s.Programs = append(s.Programs, ShellProgram{Name: name})
			}
			s.Programs[k].Tasks = true
		}
	}
}
