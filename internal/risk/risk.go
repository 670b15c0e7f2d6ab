package risk

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Set is the tables that judge. [NewSet] makes one from rule files; generated
// tables fill it directly, with switches for the two lookups.
type Set struct {
	Rules    []rule.Risk // sorted by ID
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
	General []uint16
	// Allows are the user's exceptions; those that Sealed knows count, all without it.
	Allows []rule.Allowed
	Sealed func(e *rule.Allowed) bool
	// Branched are the operations whose checkpoint is a branch, too.
	Branched []string
	// Moves are the kinds of calls that move references.
	Moves []rule.Mover
	// Settings are the variables of Git's that a restore may set again.
	Settings []rule.Settings
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
	// Displaced tells folders in whose work tree something that Git does not hold stands where the index has a file, or a folder of files, or
	// is in a file that Git was told not to look at.
	Displaced func(dir string) bool
	// Strays tells folders in whose repository a linked work tree, named by one of the words, or gone where there are none, stands on a
	// commit that no reference leads to.
	Strays func(dir string, words []string) bool
	// Worktrees lists the folders of the linked work trees, of the repository in dir, that words mean; "" may mean any.
	Worktrees func(dir string, words []string) []string
	Regular   func(path string) bool // a plain file, not a folder, a link or a device
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

// checker is the state of one judgement.
type checker struct {
	set          *Set
	trial        match         // the rule that is tried; one place for all, since what is called by a pointer takes it away from the stack
	named        [][]Predicate // not the table itself, whose functions judge again: Go allows no such circle
	in           *Input
	res          *shell.Result
	calls        []call
	loaders      []loader // what reads a file with credentials into variables; see loads
	loadersKnown bool
	hits         []Hit
	behind       []Target // what files take that the line runs; see Verdict.Behind
	held         []Hit    // what would be said of it on the line
	doubts       []string
	args         any       // the decoded arguments of a tool
	alias        string    // the client's own tool that another one is alike to
	bash         int8      // whether the tool runs lines as Bash does: 1 yes, -1 no
	snake        string    // the tool's name with "_" between its words, where it is written in another way
	trees        *[]string // linked work trees of the session's repository, once they are listed
	cutOff       bool      // a part of the line was not looked at
	failed       string    // Verdict.Failed
	// protected remembers whether the call changes a file that the client protects itself.
	protected int8
	// installed are the files that the line put into folders of programs so far.
	installed []string
	// carried tells that this checker judges what a program is given to run.
	carried   bool
	kept      []string // what guarded found, programs first
	programs  int
	looked    map[string][]int            // what lookups found
	links     []linked                    // names that the line gives to what is elsewhere
	renamed   []renamed                   // what calls gave other names so far
	offText   remembered                  // what was said last that may switch the guard off
	offLine   remembered                  // the same of the whole line
	dotLine   remembered                  // the same of wildcards and hidden files
	picked    remembered                  // the same of programs that pick names of a folder
	pickedIn  remembered                  // and of those that pick files in and below one
	folders   map[string]*inFolder        // what folders say about the names in them
	said      map[string][][]string       // texts in languages such as SQL, taken apart
	changes   bool                        // a line within this call changes what was not looked at
	own       int                         // hits of rules that are not the project's
	ofProject bool                        // the project's rules are being tried
	source    func(string) (string, bool) // files that the line runs are looked into
	units     int                         // for that, to parse and to judge
	passed    bool                        // a rule was not tried on what files do, since a snapshot brings back what it is about
	heard     bool                        // the files were judged to their end, and have no more to say without a snapshot
	blind     bool                        // what the line changes was not looked at
	budget    *work.Account
}

// line judges a command line.
func (c *checker) line() {
	in := c.in
	line := in.Command
	if line == "" && len(in.Args) > 0 {
		line = commandOf(in.Args)
		in.Command = line
	}
	dialect := shell.Bash
	if strings.EqualFold(in.Tool, "PowerShell") {
		dialect = shell.PowerShell
	}
	c.res = c.parse(line, dialect)
	if c.source != nil {
		in.Command = c.res.Text // spans of what stands in files lead behind the line
	}
	c.calls = make([]call, len(c.res.Commands))
	for i := range c.res.Commands {
		c.calls[i].read(c, i)
	}
	for i := range c.calls {
		c.judge(&c.calls[i])
		c.judgeShifted(&c.calls[i])
		c.judgeAstray(&c.calls[i])
	}
	c.namedFirst()
	for _, d := range c.res.Incomplete {
		c.cutOff = c.cutOff || bounded(d.Reason)
		text := d.Reason.String()
		if d.Text != "" {
			text += ": " + d.Text
		}
		if d.Reason == shell.Failed {
			c.failed = text
		}
		c.doubts = append(c.doubts, text)
	}
}

func (c *checker) parse(line string, dialect shell.Dialect) *shell.Result {
	if strings.IndexByte(line, 0) >= 0 {
		// A shell that reads it leaves the byte out, a program of C that is given it stops there, and clients refuse it.
		c.doubts, c.cutOff = append(c.doubts, "a zero byte is in the line"), true
		line = strings.ReplaceAll(line, "\x00", "") + "\n" + strings.ReplaceAll(line, "\x00", "\n")
	}
	limits := shell.Limits{}
	if c.source != nil {
		limits.Work = c.units
	}
	r := shell.Parse(line, shell.Options{Limits: limits, Dir: c.in.Dir, Home: c.in.Home, Env: c.variable, Dialect: dialect, Tables: c.set.Shells, Alias: c.in.Alias, Hooks: c.in.Hooks, Missing: c.missing(), Top: c.top, Folders: c.foldersFit(), Root: c.in.Root, Source: c.source, Fitting: c.filesFit()})
	if c.carried {
		c.spend(r.Work()) // the line itself has a budget of its own
	}
	return r
}

// bounded reports reasons for which a part of the line was not looked at at all, a fault of ours among them:
// anything may stand there, and somebody may have put it there for that.
func bounded(r shell.Reason) bool {
	switch r {
	case shell.TooDeep, shell.TooLong, shell.TooMany, shell.TooMuch, shell.Failed:
		return true
	}
	return false
}

// variable answers the shell's questions about the inherited environment. HOME
// is the input's own, so that a verdict does not depend on who asks; TMPDIR
// falls back to what every system has.
func (c *checker) variable(name string) (string, bool) {
	in := c.in
	switch name {
	case "HOME":
		return in.Home, in.Home != ""
	case "PWD":
		return in.Dir, in.Dir != ""
	}
	if in.Env != nil && !c.credentialName(name) { // the value of a credential is not read
		if v, ok := in.Env(name); ok {
			return v, true
		}
	}
	if name == "TMPDIR" {
		return "/tmp", true
	}
	return "", false
}

// judge tries every rule that could fire on a call, but for the project's.
func (c *checker) judge(call *call) {
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			c.judgeBy(set, call)
		}
	}
}

func (c *checker) judgeBy(set *Set, call *call) {
	if call.name != "" {
		for _, i := range c.about(set, call) {
			c.try(&set.Rules[i], call)
		}
		c.judgeModule(set, call)
	} else if len(call.cmd.Args) > 0 {
		for _, i := range set.ByProgram("?") {
			c.try(&set.Rules[i], call)
		}
	}
	for _, i := range set.General {
		r := &set.Rules[i]
		if r.When.Effect != 0 && r.When.Effect&call.kinds == 0 {
			continue
		}
		if len(r.When.Env) > 0 && len(call.cmd.Assigns) == 0 {
			continue
		}
		// Most lines name nothing of the guard's, and pay for no try then.
		if len(r.When.Is) == 1 && strings.HasPrefix(r.When.Is[0], "named-") && !c.couldName(call) {
			continue
		}
		// Nor do those without a program's text, where a rule is about that.
		if len(r.When.Is) == 1 && strings.HasPrefix(r.When.Is[0], "code-") && call.programText() == "" {
			continue
		}
		// Nor does one that is about what programs write pay, where the shell writes all, or a copy.
		if slices.Contains(r.When.Not, "by-redirect") && call.onlyRedirects(r.When.Effect) || slices.Contains(r.When.Is, "data-target") && set.In("writes-over-by-name", call.name) {
			continue
		}
		// A rule for tools of servers is told apart by its first letters and costs a line no try.
		if len(r.Tools) > 0 && !c.ofProject && !c.isFor(r.Tools) {
			continue
		}
		c.try(r, call)
	}
}

// try adds a hit if the rule holds for the call.
func (c *checker) try(r *rule.Risk, call *call) {
	if c.source != nil && c.saved(r, call) || c.late() || !c.spend(c.price(r, call)) {
		return
	}
	if len(r.Tools) > 0 && !c.isFor(r.Tools) {
		return
	}
	// A rule that names an alias is about that program alone.
	if len(r.Programs) > 0 && call.name != "" && !r.Programs.Has(call.name) && !r.Programs.Has(call.raw) {
		return
	}
	c.trial = match{c: c, call: call, rule: r}
	m := &c.trial
	if !m.holds() {
		return
	}
	if (r.Action == Checkpoint || r.Operation != "" || r.Keeps != "") && r.When.Effect == 0 && len(m.targets) == 0 && !call.away() {
		m.targets = c.elsewhere(call)
		if r.Action == Checkpoint && len(m.targets) > 0 && m.targets[0].Class&rule.Temp != 0 && !c.set.isWholeTemp(m.targets[0].Path) && !c.ownTree(m.targets[0].Path) {
			return // a repository for throw-away work
		}
	}
	span, action := c.spanOf(r, call), r.Action
	if r.Setting != "" && c.in.Setting != nil {
		if action = c.in.Setting(r.Setting); action == Allow {
			return
		}
	}
	if action == Checkpoint && call.away() {
		// A snapshot here would hold nothing of what is lost there.
		action = Ask
		if m.detail == "" {
			m.detail = "elsewhere, where no snapshot reaches"
		}
	}
	hit := Hit{Rule: r, Action: action, Span: span, Text: cut(c.in.Command, span), Targets: m.targets, Via: call.cmd.Via, Away: call.away(), Detail: m.detail, Host: m.host, Advice: advice(r, call), index: call.index}
	if r.When.Effect == 0 && len(m.targets) == 0 && c.set.namesWhatGoes(call) {
		hit.Named = m.pathspecs()
		hit.Staging = r.Pins&rule.PinIndex != 0 && (!contains(r.When.Is, "pathspec") || len(hit.Named) < len(call.operands)-m.skip)
	}
	c.add(hit)
}

// spanOf is where a rule fired: of what a pipe feeds, the pipe from its beginning, for "sh" alone says nothing.
func (c *checker) spanOf(r *rule.Risk, k *call) [2]int {
	span := k.cmd.Span
	if len(r.When.Fed) == 0 && !contains(r.When.Is, "secret-flow") {
		return span
	}
	from := k.cmd.PipeFrom
	for steps := 0; len(from) > 0 && steps < maxPipe; steps++ {
		i := from[0]
		if i < 0 || i >= len(c.calls) || c.calls[i].cmd.Span[0] >= span[0] {
			break
		}
		span[0] = c.calls[i].cmd.Span[0]
		from = c.calls[i].cmd.PipeFrom
	}
	return span
}

// maxPipe bounds how many programs of a pipe are shown.
const maxPipe = 16

// advice is what a rule says for the program that was called; "" where it says the same for all.
func advice(r *rule.Risk, k *call) string {
	for i := range r.Advice {
		if a := &r.Advice[i]; a.Program == k.name || a.Program == k.raw {
			return a.Instead
		}
	}
	return ""
}

// Instead is what to do instead.
func (h *Hit) Instead() string { return cmp.Or(h.Advice, h.Rule.Instead) }

// add keeps one hit for each rule and place.
func (c *checker) add(h Hit) {
	for i := range c.hits {
		if c.hits[i].Rule == h.Rule && c.hits[i].Span == h.Span {
			was := &c.hits[i]
			was.Targets = append(was.Targets, h.Targets...)
			if was.Staging = was.Staging || h.Staging; len(was.Named) == 0 || len(h.Named) == 0 {
				was.Named = nil // one round of a loop names its paths, and another one does not
			} else {
				was.Named = append(was.Named, h.Named...)
			}
			return
		}
	}
	c.hits = append(c.hits, h)
}

func cut(line string, span [2]int) string {
	if span[0] < 0 || span[1] > len(line) || span[0] >= span[1] {
		return line
	}
	return line[span[0]:span[1]]
}
