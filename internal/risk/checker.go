package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

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
	others       *[]string // what beside found
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
	fetches   int8                        // whether a call of the line brings text from elsewhere: 1 yes, -1 no
	units     int                         // for that, to parse and to judge
	passed    bool                        // a rule was not tried on what files do, since a snapshot brings back what it is about
	heard     bool                        // the files were judged to their end, and have no more to say without a snapshot
	blind     bool                        // what the line changes was not looked at
	unjudged  string                      // a program in a file that was not judged to its end
	run       map[string]bool             // the lines of files of recipes that run, nil where that is not known
	tooDeep   bool                        // … since something in it lies too deep
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
		c.judgeMeant(&c.calls[i])
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
	r := shell.Parse(line, shell.Options{Limits: limits, Dir: c.in.Dir, Home: c.in.Home, Env: c.variable, Dialect: dialect, Tables: c.set.Shells, Alias: c.in.Alias, Hooks: c.in.Hooks, Missing: c.missing(), Top: c.top, Folders: c.foldersFit(), Submodules: c.in.Submodules, Root: c.in.Root, Source: c.source, Fitting: c.filesFit()})
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
			c.try(set.Rules[i].Get(), call)
		}
		c.judgeModule(set, call)
	} else if len(call.cmd.Args) > 0 {
		for _, i := range set.ByProgram("?") {
			c.try(set.Rules[i].Get(), call)
		}
	}
	for i := range set.General {
		if g := &set.General[i]; !c.passes(set, g, call) {
			c.try(set.Rules[g.Rule].Get(), call)
		}
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
	if action == Deny && call.cmd.Undecided && r.When.Effect == 0 {
		// It may well not come to that: if os.environ.get("STAGE") == "prod". What takes files away is denied wherever it stands.
		action = Ask
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
		hit.Named, hit.Spared = m.pathspecs(), m.leavesNames()
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

// add keeps one hit for each rule and place.
func (c *checker) add(h Hit) {
	for i := range c.hits {
		if c.hits[i].Rule == h.Rule && c.hits[i].Span == h.Span {
			was := &c.hits[i]
			was.Targets = append(was.Targets, h.Targets...)
			was.Spared = slices.DeleteFunc(was.Spared, func(one string) bool { return !slices.Contains(h.Spared, one) })
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
