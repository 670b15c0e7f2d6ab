package rule

import (
	"strings"
	"time"
)

// Action is what is done about a call; a greater one wins.
type Action uint8

// The actions, in rising order. rules/README.md says what earns which.
const (
	Allow      Action = iota // nothing is said
	Checkpoint               // snapshot first, then go on
	Ask                      // a person decides
	Deny                     // it does not run
)

// String returns the action as rules and answers write it.
func (a Action) String() string {
	switch a {
	case Checkpoint:
		return "checkpoint"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "allow"
}

// ParseAction is the inverse of String for the actions that a rule may have.
func ParseAction(s string) (Action, bool) {
	switch s {
	case "checkpoint":
		return Checkpoint, true
	case "ask":
		return Ask, true
	case "deny":
		return Deny, true
	}
	return Allow, false
}

// Kind is a set of things that a call does to a path, one bit each.
type Kind uint16

// The kinds of effects.
const (
	Read       Kind = 1 << iota // its content is read
	Write                       // created or replaced
	Append                      // grows
	Delete                      // one file
	DeleteTree                  // a folder with all that is in it
	Move                        // leaves this name
	Chmod                       // permissions or owner of one file
	ChmodTree                   // … of a whole tree
	Send                        // its content leaves the machine
	Run                         // is executed
	Link                        // a new name points to it
	Look                        // only its name, size or dates are read
	WriteTree                   // files whose names the line does not tell are written below it
	Rename                      // leaves this name, and its content stays by a new one
	NewName                     // the name, or the folder, that it has then
)

var kindNames = [...]string{"read", "write", "append", "delete", "delete-tree", "move", "mode", "mode-tree", "send", "run", "link", "look", "write-tree", "rename", "new-name"}

// Class is a set of places a path may lie in, one bit each.
type Class uint16

// The classes. A path has exactly one of the first nine, and may have the rest too.
const (
	Root    Class = 1 << iota // the root of a file system or drive
	Home                      // a home directory itself, or all that is in it
	System                    // what the operating system needs
	Parent                    // a directory that contains the project
	Other                     // another project
	Outside                   // elsewhere
	Project                   // the project's root itself
	Inside                    // below it
	Temp                      // a place for throw-away files
	Device                    // a device file
	Unknown                   // cannot be told from the line
	Dotgit                    // the repository's own data
	Ignored                   // ignored by Git: a checkpoint does not hold it
	Drop                      // /dev/null and friends: nothing is stored
)

var classNames = [...]string{"root", "home", "system", "parent", "other", "outside", "project", "inside", "temp", "device", "unknown", ".git", "ignored", "drop"}

// Names is a set of families of file names, one bit each.
type Names uint32

// The families; their patterns are data ([[files]] tables).
const (
	Secret       Names = 1 << iota // files that hold credentials or private keys
	SecretDir                      // folders made of such files
	Guard                          // moai's own settings, rules, references and hooks
	Agent                          // what tells agents how to work
	Critical                       // what every session depends on
	Build                          // what a build makes again
	Profile                        // shell start-up files and schedules
	Database                       // database files
	Boot                           // accounts, privileges, boot
	CI                             // pipelines
	Key                            // private keys and certificates of a person
	Hook                           // scripts that Git runs by itself
	Deploy                         // production configuration
	Sysrq                          // the kernel's emergency keys
	Environ                        // the variables of running programs
	Browser                        // what a browser keeps
	State                          // the record that infrastructure tools keep
	Cache                          // what programs fetch or make again
	AgentDir                       // the folder of an agent's settings, as a whole
	Instructions                   // what agents are told beside the critical files
	History                        // what was typed before
	Exclude                        // what one clone alone ignores
	Protected                      // what a client protects itself, see Mode.Loses
	Private                        // what often holds credentials: everyday to read, and not to publish
	Scratch                        // of Build: folders in which people keep things of their own as well
	Software                       // where software is unpacked by hand
	AgentNotes                     // what a client's model keeps for itself
	Underway                       // what Git keeps of an operation that waits to be finished
	Ignoring                       // what says which files Git ignores
	Product                        // of Build: files that are a program's only where they are no text
	Results                        // of Build: folders in which people keep text of their own beside what programs write
	Generated                      // text that programs write, by its name
)

var fileNames = [...]string{"secret", "secret-dir", "guard", "agent", "critical", "build", "profile", "database", "boot", "ci", "key", "hook", "deploy", "sysrq", "environ", "browser", "state", "cache", "agent-dir", "instructions", "history", "exclude", "protected", "private", "scratch", "software", "agent-notes", "underway", "ignoring", "product", "results", "generated"}

// Risk is one rule: when it holds, what to do, and the words for people.
type Risk struct {
	ID        string
	Since     string
	Programs  Texts    // empty: any; "?" is a program whose name is not known
	Tools     []string // empty: Bash and everything that runs commands or writes files
	When      When
	Action    Action
	Unasked   Action // Deny: in a permission mode that loses questions it does not run; Allow: the question is tried
	Setting   string // the key whose value says the action in place of Action: allow, ask, deny
	Operation string // name in a checkpoint's reference
	Pins      Pins   // the references that it moves or drops: the checkpoint before it keeps them
	Drops     bool   // it deletes references and moves none: the way back brings those that are missing, and nothing else
	Adds      bool   // it adds commits to those that are there: without changes nothing is in danger, and the checkpoint is not told
	Quiet     bool   // the checkpoint is taken, and the user is not told: Git keeps or refuses what is at risk, or `moai undo` brings it back
	Aside     bool   // what it takes from the work tree goes into the stash, also what a snapshot leaves out
	Beyond    string // what the way back does not bring, and what does
	Keeps     string // for a question about what destroys nothing here: what the snapshot before it keeps; "" takes none
	Written   bool   // it is about what the line itself says; in a file that the line runs the same is everyday
	Here      bool   // what it destroys may all be here: where an undo brings back what went, nothing of it is lasting
	Called    bool   // it goes by what a file or a task is called: where all that it runs was read and takes away only what builds make again, it says nothing
	Undone    bool   // an undo of the turn takes back what the call does, or that is over with the call
	Why       string
	Instead   string
	Advice    []Advice // in the words of one program, where a rule is about several
	Hits      Texts
	Misses    Texts
	KnownMiss Texts
	File      string
	Line      int
}

// Examples is the number of lines that the rule is tried on.
func (r *Risk) Examples() int { return r.Hits.Len() + r.Misses.Len() + r.KnownMiss.Len() }

// Advice is what to do instead of a call of one program.
type Advice struct {
	Program string
	Instead string
}

// When is a rule's condition: all fields that are set must hold.
type When struct {
	Sub         Texts   // one of these subcommands; several words: "stash drop"
	NotSub      Texts   // none of these
	Flags       []Texts // each group has a member that is given; "-X=DELETE" compares the value
	Without     Texts   // none of these flags is given
	Operands    Texts   // an operand matches one of these globs
	NotOperands Texts   // no operand does
	Words       Texts   // one of these words, or rows of words in this order, is among the arguments
	NotWords    Texts   // none is
	Min         int     // at least so many operands after the subcommand
	Max         int     // fewer operands than this; 0: any number
	Effect      Kind    // it does one of these …
	Path        Class   // … to a path of one of these classes …
	NotPath     Class
	Files       Names // … and of one of these families
	NotFiles    Names
	Exists      bool     // that exists now
	Absent      bool     // that does not exist yet
	Fed         []string // its input or program text comes from one of these programs
	NotFed      []string
	PipeTo      []string // its output goes to one of these
	Env         []string // NAME or NAME=glob set for it
	Says        []string // statements in its program text (SQL, redis, JavaScript)
	Is          []string // named predicates that hold
	Not         []string // named predicates that do not
	Args        []Arg    // conditions on arguments of an MCP tool
}

// Arg is a condition on one argument of a tool call.
type Arg struct {
	Name  string // dots lead into objects
	Globs []string
}

// Program says how the arguments of a program are to be read.
type Program struct {
	Names      Texts    // the first is its name, the rest are aliases
	Global     Texts    // options before the subcommand; a trailing "=" takes a value
	Folder     []string // options before the first operand whose value is the folder in which it works
	Values     []Values // options that take a value
	Long       Texts    // further whole long options, which are no abbreviations
	Abbreviate bool     // long options may be shortened
	Dash       string   // "gnu" (default), "long" (-force is one option), "slash" (/s too), "none", "bundle" (tar xzf), "mode" (chmod -x), "plus" (vim +cmd is -c cmd), "toolchain" (cargo +nightly)
	Plain      bool     // has no subcommands: all operands count
	Expands    bool     // takes patterns in its operands itself, quoted or not
	First      bool     // some systems end its options at the first operand: what looks like one behind it may be a name
	Harmless   Texts    // with one of these options, or with such a word at the end, it changes nothing
	Standin    Texts    // what has it work with a stand-in on this machine: "--endpoint-url" and "$NAME" with an address, "-s emulator-*" with such a value, "=NAME" by its name
	Text       Texts    // where program text in its own language is: "-c", "2..", "stdin"
	Effects    []Effect
	Network    bool // talks to other machines
	Aliases    []SubAlias
	File       string
	Line       int
}

// SubAlias is what other words stand for a subcommand, where the program is called by one of Names; no names: by any.
type SubAlias struct {
	Sub   string
	Words Texts
	Names Texts
}

// StandsFor reports whether a word of a program called by name is another one for the subcommand.
func (p *Program) StandsFor(name, word, sub string) bool {
	for i := range p.Aliases {
		a := &p.Aliases[i]
		if a.Sub == sub && a.Words.Has(word) && (a.Names == "" || a.Names.Has(name)) {
			return true
		}
	}
	return false
}

// Values lists options that take a value under one subcommand ("" for all).
type Values struct {
	Sub     string
	Options Texts
}

// Effect is what a program does to the paths among its arguments.
type Effect struct {
	Kind    Kind
	Sub     Texts
	On      Texts // "1..", "2", "last", "not-last", "-o" (an option's value), "of=" (a key's value)
	Flags   []Texts
	Without Texts
	In      Texts // options whose value is the folder in which the names are
}

// FileSet gives one family of file names its patterns: a base name with "*", or
// a path with "/" that is compared from its end.
type FileSet struct {
	Is     Names
	Globs  []string
	Any    int    // so many of Globs, the first ones, begin with a pattern
	Heads  uint64 // how the others begin
	Except []string
}

// NewFileSet puts the patterns that may begin with any byte first, so that the others need a look only where their heads are.
func NewFileSet(is Names, globs, except []string) FileSet {
	f := FileSet{Is: is, Except: except}
	var rest []string
	for _, glob := range globs {
		if head := Head(glob); head != ^uint64(0) {
			f.Heads |= head
			rest = append(rest, glob)
		} else {
			f.Globs = append(f.Globs, glob)
		}
	}
	f.Any = len(f.Globs)
	f.Globs = append(f.Globs, rest...)
	return f
}

// Head is the first byte of a part of a path as one bit of 64. A pattern that may begin with any byte has them all, so that
// this alone tells nearly every pattern from nearly every path.
func Head(name string) uint64 {
	if name == "" || name[0] == '*' || name[0] == '?' {
		return ^uint64(0)
	}
	return 1 << (name[0] & 63)
}

// Mode is a permission mode of the client in which questions do not reach a person as they should.
type Mode struct {
	Name       string
	Unattended bool   // nobody sits there: guard.ask_unattended decides
	Loses      string // what becomes of a question about a call that changes a Protected file; "" where it is asked
	File       string `toml:"-"`
	Line       int    `toml:"-"`
}

// Group is a class of programs, or of words, that a named predicate asks about.
type Group struct {
	ID    string
	Words Texts // sorted
}

// Has reports whether a word is in the group.
func (g *Group) Has(word string) bool {
	return g.Words.HasSorted(word)
}

// Pins is a set of references, one bit each.
type Pins uint32

// The references that a call can move or drop.
const (
	PinHead    Pins = 1 << iota // where HEAD stands
	PinBranch                   // the branch that is checked out
	PinNamed                    // branches that the call names
	PinHeads                    // all branches
	PinRemotes                  // branches of remotes, as they were fetched
	PinTags
	PinNotes
	PinReplaces // what Git shows in place of other objects (git replace)
	PinStash    // every entry of the stash
	PinReflogs  // all commits that reflogs hold
	PinIndex    // what is staged
	PinUnderway // what Git keeps of an operation that waits to be finished
	PinNone     // a rule says that it moves none
	PinBranchSettings
	PinRemoteSettings
	PinSubmoduleSettings
	PinWorktrees // the commits on which other work trees of the repository stand
)

var pinNames = [...]string{"HEAD", "branch", "named-branches", "heads", "remotes", "tags", "notes", "replaces", "stash", "reflogs", "index", "operation", "none", "branch-settings", "remote-settings", "submodule-settings", "worktrees"}

// Settings are the variables of Git's that a restore may set again in the sections of one kind. Every other one may run programs, or lead
// them elsewhere.
type Settings struct {
	Pin     Pins `toml:"-"`
	Section string
	Keys    []string
}

// Mover is a kind of call that moves references: rules about it say which, and beside another part of a line that is
// risky the checkpoint keeps Pins.
type Mover struct {
	Programs Texts
	When     When
	Pins     Pins
	Drops    bool // as of a rule
	File     string
	Line     int
}

// Risks is everything that rules/risks says.
type Risks struct {
	Rules    []Risk
	Programs []Program
	Groups   []Group
	Files    []FileSet
	Tools    []ClientTool
	Modes    []Mode
	Shells   *Shells  // nil for the rules of a project or a user
	Secrets  *Secrets // nil where no format of a key is given
	Branched []string // operations whose checkpoint is a branch, too
	Moves    []Mover  // what moves references, whether a rule speaks of it or not
	Settings []Settings
	Restored []Restored
	Allows   []Allowed // only where exceptions are accepted
}

// Restored is a folder that a package manager fills again, exactly as it was, by what stands beside it.
type Restored struct {
	Folder string   `toml:"folder"`
	Beside []string `toml:"beside"` // all of them, below the folder around it
}

// Allowed is an exception: one rule, perhaps only for some paths or arguments.
type Allowed struct {
	Rule     string // an id, or "git.*"
	Path     string // glob over the target
	Argument string // glob over each argument
	Until    string // YYYY-MM-DD, the last day, or a moment as RFC 3339 writes it
	Session  string // only in this session
	Once     bool
	Project  string // only in this project's root
	Reason   string
	Given    string // when, so that a second "once" is another one; free text
	File     string `toml:"-"`
	Line     int    `toml:"-"`
}

// Over reports whether an exception has ended.
func (a *Allowed) Over(now time.Time) bool {
	if a.Until == "" || len(a.Until) == len(time.DateOnly) {
		return a.Until != "" && now.Format(time.DateOnly) > a.Until
	}
	end, err := time.Parse(time.RFC3339, a.Until)
	return err != nil || !now.Before(end)
}

// bits translates names to a set; the first unknown name is returned.
func bits(names []string, list []string) (set uint32, unknown string) {
next:
	for _, name := range list {
		for i, known := range names {
			if known == name {
				set |= 1 << i
				continue next
			}
		}
		return set, name
	}
	return set, ""
}

// text translates a set back to names.
func text(names []string, set uint32) string {
	var list []string
	for i, name := range names {
		if set&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// String lists the kinds.
func (k Kind) String() string { return text(kindNames[:], uint32(k)) }

// String lists the references.
func (p Pins) String() string { return text(pinNames[:], uint32(p)) }

// String lists the classes.
func (c Class) String() string { return text(classNames[:], uint32(c)) }

// String lists the families.
func (n Names) String() string { return text(fileNames[:], uint32(n)) }
