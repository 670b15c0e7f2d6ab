package risk

import (
	"cmp"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Set is the tables that judge. [NewSet] makes one from rule files; generated
// tables fill it directly, with switches for the two lookups.
type Set struct {
	Rules    []rule.Row[rule.Risk] // sorted by ID
	Programs []rule.Program
	Groups   []rule.Group
	Files    []rule.FileSet
	Keys     *secret.Table // what keys look like; nil: none is known
	Tools    []rule.ClientTool
	Modes    []rule.Mode
	Shells   *rule.Shells
	// ByProgram lists the rules (indexes into Rules) that name a program,
	// Program is the index of its entry in Programs, -1 if there is none.
	ByProgram func(name string) []uint16
	Program   func(name string) int
	// General are the rules that name no program.
	General []General
	// Allows are the user's exceptions; those that Sealed knows count, all without it.
	Allows []rule.Allowed
	Sealed func(e *rule.Allowed) bool
	// Branched are the operations whose checkpoint is a branch, too.
	Branched []string
	// Moves are the kinds of calls that move references.
	Moves []rule.Mover
	// Settings are the variables of Git's that a restore may set again.
	Settings []rule.Settings
	// Restored are folders that a package manager fills again by what stands beside them.
	Restored []rule.Restored
	// More is a further set, of the project or the user; nil mostly.
	More *Set
	// Project marks rules that a cloned repository may have written. They are
	// tried last, within limits, and add hits to a verdict that stands without them.
	Project bool
}

// Input is one call to judge. Only Tool with Command or Args is needed; what is
// left empty counts as unknown, and nil callbacks as "cannot tell".
type Input struct {
	Tool    string // the client's tool name; "" is Bash
	Command string // command line of Bash, PowerShell, Monitor
	Args    []byte // the tool's input as JSON, for every other tool
	// Values gives Args as encoding/json makes them of any, anew each time, and whether they could be read. nil: encoding/json does it,
	// which goes over a text three times.
	Values func() (any, bool)

	Dir  string // working directory, absolute
	Root string // the project's root, absolute; "" if there is none
	Home string

	Mode         Mode
	Denied, Only []string // patterns of names of tools: these never run; where some are given, only these do
	Verifiers    []string // names of further sub-agents whose look at changes counts, as verify.agents has them
	Unattended   bool     // nobody can be asked: ask becomes deny
	Permission   string   // the client's permission mode, for the modes that lose questions
	Edits        int      // edits of this session within the last minute, this one included
	Session      string
	Fold         bool      // file names ignore case here
	Windows      bool      // paths have drives and backslashes; the shell may write /c/Users
	Now          time.Time // for exceptions with a date; zero: they hold

	// Own are moai's folders of settings and state, absolute: variables may have put
	// them where their names do not tell.
	Own []string
	// Program are the names of this very program, absolute: as it was called, and where
	// that leads.
	Program func() []string // nil: not known; asked only where a call names what could be it
	// Registers tells a file of an agent's settings in which moai is registered. Without
	// it every such file counts.
	Registers func(path string) bool
	// Settings reads a file of settings, or a patch, that may come into one. there is false for what is no file, or is not read.
	Settings func(path string) (text string, there bool)
	// Head is how a plain file begins, "" where it is not read.
	Head func(path string) string
	// SettingsAt is Settings for a commit of the repository around dir, as a call of git names it; path is absolute, in its work
	// tree, or for the index (":"). known is false where no commit is called so, or the index has no such file; text is "" where a commit has none.
	SettingsAt func(dir, revision, path string) (text string, known bool)

	// Alias is what a name stands for as a subcommand of Git in a folder, by the settings of the user and of the repository there; "" for
	// nothing. known is false where they could not be read.
	Alias func(dir, name string) (text string, known bool)
	// Holds lists what an archive or a folder would bring, by the paths in it. known is false where that cannot be told.
	Holds func(path string) (names []string, known bool)
	// Replaced lists what stands where such a commit has files that HEAD has not: what Git ignores there is written over.
	Replaced func(dir, revision string) []string

	// Looks is what the callbacks below charge, nil if they cost nothing. Once it is over,
	// their answers are guesses.
	Looks *work.Account
	// Unseen says that nobody looks at the disk for this judgement; see [Input.Blind].
	Unseen bool

	// Setting is the action that the user's settings have for a key; nil: every rule's own.
	Setting func(key string) Action
	Env     func(name string) (string, bool) // inherited variables
	Exists  func(path string) bool
	Ignored func(path string) bool // Git ignores it
	// Unsaved tells files inside the project whose content Git does not hold: changed
	// since they were added, never added, or ignored. path may be a pattern, for which one such
	// file is enough. It is asked last, since the answer costs reading the index.
	Unsaved func(path string) bool
	// Dirty tells folders inside the project that hold a file as Unsaved means it, but for
	// those in except. It may walk the folder, so it is asked where a line does not tell
	// which files it writes, and nowhere else.
	Dirty func(dir string, except []string) bool
	// Changed tells folders inside the project that hold a tracked file which was changed
	// since it was added, or are one. What was never added does not count.
	Changed func(dir string) bool
	// Names lists what fits a pattern, as base names. ok is false where nobody looked.
	Names func(pattern string) (names []string, ok bool)
	// Waiting tells folders in whose work tree an operation of Git's, such as a rebase, waits to be finished.
	Waiting func(dir string) bool
	// Unlogged tells folders in whose repository no log keeps where HEAD stands when it moves; with detached, no branch does either.
	Unlogged func(dir string, detached bool) bool
	// Adrift tells folders in whose repository HEAD is on no branch, and those in which it stands on a commit that no reference leads to.
	Adrift func(dir string) (detached, lost bool)
	// AdriftInside tells folders in whose repository the HEAD of a submodule stands on a commit that no reference leads to, and that the
	// repository around it does not name.
	AdriftInside func(dir string) bool
	// Displaced tells folders in whose work tree something that Git does not hold stands where the index has a file, or a folder of files, or
	// is in a file that Git was told not to look at.
	Displaced func(dir string) bool
	// Strays tells folders in whose repository a linked work tree, named by one of the words, or gone where there are none, stands on a
	// commit that no reference leads to.
	Strays func(dir string, words []string) bool
	// Worktrees lists the folders of the linked work trees, of the repository in dir, that words mean; "" may mean any.
	Worktrees func(dir string, words []string) []string
	// As answers an input as if root were the project.
	As func(in *Input, root string)
	// Beside lists the folders of the other work trees of the repository around a folder, the main one among them.
	Beside func(dir string) []string
	// Submodules lists the folders of the submodules that the repository in dir has checked out, with deep those in them as well.
	Submodules func(dir string, deep bool) []string
	Regular    func(path string) bool // a plain file, not a folder, a link or a device
	// OwnersAlone tells a plain file that nobody but its owner may read.
	OwnersAlone func(path string) bool
	// Compiled tells a file that begins as what compilers and linkers make.
	Compiled func(path string) bool
	// Text tells a plain file that begins as what people write does: no zero byte is in it.
	Text func(path string) bool
	// Configured lists Git's settings of a section that hold in a folder, as "key value"; ok is false where nobody can tell.
	Configured func(dir, section string) (list []string, ok bool)
	// Written tells text that Git neither holds nor ignores: the file at path is such, or one in the folder there. made says by its name
	// what is a program's.
	Written func(path string, made func(name string, dir bool) bool) bool
	// Treasures tells that below a folder lies a file that is calls worth keeping and that Git does not hold; enter says which folders are
	// gone into. Some thousand names are looked at.
	Treasures func(dir string, enter, is func(path string) bool) bool
	// Inner lists work trees at or below a folder that go, with commits or changes that nothing else holds, most of them at most. enter
	// says which folders are gone into.
	Inner func(dir string, most int, enter, goes func(dir string) bool) []string
	// Staged tells that the index holds content at or below one of paths, or anywhere for none, that neither HEAD nor the file has; with
	// gone, where no file is left.
	Staged func(paths []string, gone bool) bool
	// Differs tells that a file of the project's index that is says is not as HEAD has it, in the index or in its folder.
	Differs func(is func(path string) bool) bool
	// Publishes tells that settings of the repository in dir make a push to a remote take hidden references of checkpoints along, if
	// there are any. remote is its name or address, "" for the one that git picks by itself, "*" for any.
	Publishes func(dir, remote string) bool
	// Pushed names the branch that a push from dir writes when none is named; "" where that is not known.
	Pushed func(dir string) string
	// Wrote tells a file that is still as a tool of this session left it.
	Wrote   func(path string) bool
	Mounted func(path string) bool // on another file system than the project
	// Source is the text of a file of the project that a line runs; ok is false for what is no plain file there, holds no text, or is too long.
	Source func(path string) (text string, ok bool)
	// Unkept asks what files that the line runs destroy in the project, as if it stood on the line: nothing else that brings it back is there. The
	// verdict is about that alone.
	Unkept bool
	// Hooks is what Git runs by itself at some events when it works in a folder; see [shell.Options.Hooks].
	Hooks  func(dir, given string, events []string) (top, folder string, there, lines []string)
	Follow func(path string) string
	Used   func(e *rule.Allowed) bool // a "once" exception is used up
}

// Hit is one rule that fired at one place.
type Hit struct {
	Rule    *rule.Risk
	Action  Action   // after mode and doubts
	Span    [2]int   // bytes of Input.Command; both 0 for tools
	Targets []Target // paths in danger, if the rule is about paths
	Text    string   // what fired, as the line writes it
	Via     []shell.Step
	Away    bool          // it happens on another machine or in a container: nothing here is in danger
	Detail  string        // what was seen, where the rule alone does not tell
	Host    string        // the machine that files are copied to, as the line names it: "me@host"
	Advice  string        // what to do instead, where it is something else than the rule says; see [Hit.Instead]
	Allowed *rule.Allowed // the exception that lets it through; Action is Allow then
	// Unsealed is an exception that would let it through if a person had confirmed it.
	Unsealed *rule.Allowed
	// File is the file that the line runs and that says so, absolute, and Line where in it; "" for what the line says itself.
	File string
	Line int

	// Named are the paths that a call of Git's is about and no other ones, absolute; Staging says that it changes the index there as well.
	Named   []string
	Staging bool
	Spared  []string // names that a call which takes what they are about leaves alone: git clean -e NAME

	index int // of the call in the line
}

// Target is a path that a call would touch.
type Target struct {
	// Pattern is set where a wildcard picks what is meant: absolute, for all that
	// Path stands for. "dir/*" leaves the folder itself, and what begins with a dot.
	Pattern string
	Path    string // absolute where it could be told, else as written
	Through string // the path by which the line has it, where links lead from there
	Class   rule.Class
	Names   rule.Names
	Ignored bool // Git does not hold it, so a checkpoint does not either

	mine  int8 // what ownWork found
	takes func(dir string) bool
	picks func(file string) bool
	guess bool // picks says what may go, and not what does
	own   bool // a program lists it of a folder that it names itself
	whole bool // of a folder, all that is in it
	kept  bool // copied though a build makes it again
}

// Verdict is the judgement of one call.
type Verdict struct {
	Action    Action
	Hits      []Hit // every rule that fired, greatest action first, then by place
	Operation string
	// Targets are the paths inside the project that would be changed, or the
	// folder of another repository that a command works on as a whole. Empty
	// with a checkpoint means the project as a whole.
	Targets []string
	// Touched are other paths in the project that a call with a snapshot changes or deletes. Git holds what is there: they are no reason for
	// a snapshot, but where one is taken it is to bring back all that the call took.
	Touched []string
	// Moved are what the line gives another name, of a call with a snapshot.
	Moved []Target
	// Changed are all paths in the project that the line says it changes or deletes, of a call with a snapshot; Untold that it does so to others as well.
	Changed []Target
	Untold  bool
	// Whole says that a part of the call is about the project as a whole, whatever Targets has of other parts.
	Whole bool
	// Pins are the references that the call moves or drops, in whatever part of it.
	Pins rule.Pins
	// Drops says that the call does no more to references than to delete some, and at most goes to another branch.
	Drops bool
	// Unnamed says that a part of the line of which no rule speaks deletes some, too, and names none (git fetch --prune).
	Unnamed bool
	// Vault are files that no checkpoint holds (ignored, secret): copy them.
	Vault []string
	taken
	Doubts []string // what could not be told
	// Failed says what kept moai itself from reading a part of the call, "" where nothing did: what the verdict says rests on the rest alone.
	Failed string
	// Adds says that the line hands untracked files to Git, so that what throws tracked
	// changes away takes them along.
	Adds bool
	// Unignores says that a part of the line may change which files Git ignores, so that another part takes files along that were
	// ignored before.
	Unignores bool
	// Lost says why nobody would be asked about this call; "" where a question reaches somebody.
	Lost string
	// Warned is what Action would be if the mode were not warn.
	Warned Action
	// Commits are those that the line makes with Git, in their order.
	Commits []Commit
	// again judges the same call with other answers of Input.Used; nil when the
	// verdict rests on no single-use exception.
	again func(used func(*rule.Allowed) bool) Verdict
}

// Check judges one call.
func (s *Set) Check(in *Input) Verdict {
	if in.Mode == Off {
		return Verdict{}
	}
	if in.Windows {
		in = onWindows(in)
	}
	c := checker{set: s, named: predicates[:], in: in}
	switch {
	case s.RunsCommand(in.Tool):
		c.line()
	default:
		c.tool()
	}
	c.settle()
	if r := c.listed(); r != nil {
		c.add(Hit{Rule: r, Action: Deny, Text: cmp.Or(in.Tool, "Bash")})
	}
	c.own = len(c.hits)
	c.project()
	c.blind = c.unlooked() // before files use up what can be looked at
	c.behind = c.takesOpen()
	c.inside()
	if in.Unkept {
		c.hits, c.doubts, c.blind, c.cutOff = slices.DeleteFunc(c.hits, func(h Hit) bool { return h.File == "" }), nil, false, false
	}
	v := c.verdict()
	v.Commits = c.commits()
	if v.Once() != nil {
		v.again = func(used func(*rule.Allowed) bool) Verdict {
			call := *in
			call.Used = used
			return s.Check(&call)
		}
	}
	return v
}

// Instead is what to do instead.
func (h *Hit) Instead() string { return cmp.Or(h.Advice, h.Rule.Instead) }
