package rule

import (
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
)

// Source tells where a rule file comes from, and so what it may say.
type Source uint8

// The sources.
const (
	Builtin   Source = iota // rules/risks: everything but exceptions
	ByProject               // .moai/rules: rules only, they tighten
	ByUser                  // the user's own folder: rules and exceptions
)

// LoadRisks reads rules/risks/*.toml below fsys. The problems of all files are
// reported at once, each as file:line: id: text.
func LoadRisks(fsys fs.FS) (*Risks, error) {
	all := &Risks{}
	d := &riskDecoder{from: Builtin, out: all}
	if err := load(&d.report, fsys, "risks", d.tables); err != nil {
		return nil, err
	}
	d.duplicates()
	d.branched()
	d.unpinned()
	all.Sort()
	var err error
	if _, none := fs.Stat(fsys, "rules/shells"); none == nil { // a folder of risks alone will do
		if all.Shells, err = LoadShells(fsys); err != nil {
			d.problems = append(d.problems, unjoin("rules/shells", err)...)
		}
	}
	if _, none := fs.Stat(fsys, "rules/secrets"); none == nil {
		if all.Secrets, err = LoadSecrets(fsys); err != nil {
			d.problems = append(d.problems, unjoin("rules/secrets", err)...)
		}
	}
	return all, d.err()
}

// DecodeRisks reads one file of risk rules. Problems are joined into the error;
// the result then holds what was readable: one mistake in a file of the user's or of a project
// takes no other rule of it along, see salvage.
func DecodeRisks(file string, data []byte, from Source) (*Risks, error) {
	return ReadRisks(file, data).Decode(from)
}

// Decode is DecodeRisks for a file that has been read.
func (t *RiskText) Decode(from Source) (*Risks, error) {
	var raw rawRisks
	err := t.err
	if err == nil {
		err = fill(t.file, t.doc, &raw)
	}
	if err != nil && (from == Builtin || t.dear) {
		return nil, err
	} else if err != nil {
		return t.salvage(from, err)
	}
	d := &riskDecoder{report: report{file: t.file, data: t.data}, from: from, out: &Risks{}}
	d.tables(&raw)
	return d.out, d.err()
}

// riskDecoder turns the tables of files into rules.
type riskDecoder struct {
	report
	from Source
	out  *Risks
}

// tables reads those of one file.
func (d *riskDecoder) tables(raw *rawRisks) {
	rows(&d.report, "rule", raw.Rule, d.rule)
	if d.from == ByProject && len(raw.Program)+len(raw.Files)+len(raw.Secret)+len(raw.Group)+len(raw.Tool)+len(raw.Mode)+len(raw.Known)+len(raw.Branch)+len(raw.Moves)+len(raw.Restore) > 0 {
		// They could blind built-in rules: "rm" without effects, "src" as a build folder.
		d.waiting("a project may add rules only; programs, groups, files, modes and secrets count once you have approved them: moai rules trust %s", quoted(d.file))
		*raw = rawRisks{Setting: raw.Setting, Allow: raw.Allow}
	}
	d.out.Branched = append(d.out.Branched, raw.Branch...)
	rows(&d.report, "tool", raw.Tool, d.tool)
	rows(&d.report, "mode", raw.Mode, d.mode)
	rows(&d.report, "moves", raw.Moves, d.move)
	if d.from != Builtin && len(raw.Setting) > 0 {
		d.problem("which settings come back is not for rules that are added to say")
		raw.Setting = nil
	}
	rows(&d.report, "settings", raw.Setting, d.setting)
	rows(&d.report, "program", raw.Program, d.program)
	rows(&d.report, "files", raw.Files, d.files)
	rows(&d.report, "restored", raw.Restore, d.restored)
	rows(&d.report, "group", raw.Group, d.group)
	if d.from == Builtin && len(raw.Secret)+len(raw.Known) > 0 {
		d.problem("the formats of keys are in rules/secrets")
	}
	d.formats(raw.Secret, raw.Known)
	rows(&d.report, "allow", raw.Allow, d.allow)
}

func (d *riskDecoder) rule(raw *rawRisk) {
	d.id = raw.ID
	known := len(d.problems)
	family := strings.TrimSuffix(path.Base(d.file), ".toml")
	switch {
	case raw.ID == "":
		d.problem("missing id")
	// So that an id in a message tells the file to look into. Users may file theirs as they like.
	case d.from == Builtin && !strings.HasPrefix(raw.ID, family+"."):
		d.problem("id must start with %q, the name of its file", family+".")
	case !validID(raw.ID):
		d.problem("id must look like family.hazard-in-words")
	}
	// allow is no action of a rule: what no rule speaks of is allowed already, and exceptions are a table of their own.
	action, ok := ParseAction(raw.Action)
	if !ok {
		d.problem("action %q is not checkpoint, ask or deny", raw.Action)
	}
	// since says from which version of moai a rule holds, which a project's or user's own rules have no use for.
	for _, field := range [...]struct{ name, value string }{{"since", raw.Since}, {"why", raw.Why}, {"instead", raw.Instead}} {
		if strings.TrimSpace(field.value) == "" && (field.name != "since" || d.from == Builtin) {
			d.finding("missing %s", field.name)
		}
	}
	// One example is a spelling; from two on there is something that a rule has to see in both.
	if len(raw.Hits) < 2 {
		d.finding("needs at least two hits, has %d", len(raw.Hits))
	}
	// Near misses keep a rule narrow: without them the easiest rule to write fires on everything.
	if len(raw.Misses) < 2 {
		d.finding("needs at least two near misses, has %d", len(raw.Misses))
	}
	programs := cmdlets(d.list("program", raw.Program))
	r := Risk{
		ID: raw.ID, Since: raw.Since, Action: action, Operation: raw.Operation, Why: raw.Why, Instead: raw.Instead,
		Hits: NewTexts(raw.Hits...), Misses: NewTexts(raw.Misses...), KnownMiss: NewTexts(raw.KnownMiss...), File: d.file, Line: d.line,
		Programs: NewTexts(programs...), Tools: d.list("tool", raw.Tool),
	}
	if raw.Unasked != nil {
		// A rule that stops anyway has no question to lose.
		if *raw.Unasked != "deny" || action != Ask {
			d.problem("unasked is %q, and may be deny only, for a rule whose action is ask", *raw.Unasked)
		}
		r.Unasked = Deny
	}
	if r.Setting = raw.Setting; r.Setting != "" && (action != Ask || d.from != Builtin) {
		d.problem("setting is for moai's own rules whose action is ask")
	}
	r.When = d.when(&raw.Args)
	r.Drops, r.Adds, r.Quiet, r.Aside, r.Written, r.Undone, r.Here, r.Called = raw.Drops, raw.Adds, raw.Quiet, raw.Aside, raw.Written, raw.Undone, raw.Here, raw.Called
	r.Pins, r.Beyond, r.Keeps = Pins(d.set("pins", raw.Pins, pinNames[:])), strings.TrimSpace(raw.Beyond), strings.TrimSpace(raw.Keeps)
	switch {
	case r.Pins&PinNone != 0 && r.Pins != PinNone:
		d.problem("pins says none and %s", r.Pins&^PinNone)
	case r.Operation == "" && (r.Pins != 0 || r.Beyond != ""):
		d.problem("pins and beyond are about the checkpoint before a call, and without an operation there is none")
	case r.Drops && (r.Pins == 0 || r.Pins&^dropped != 0):
		d.problem("drops is about a call that deletes references, settings of branches or remotes, and nothing else: pins says which")
	case r.Adds && (r.Operation == "" || r.Pins&^(PinHead|PinBranch|PinIndex) != 0):
		d.problem("adds is about a call before which a checkpoint is taken, and which moves HEAD and its branch forward: pins says HEAD, branch or index")
	case r.Quiet && (action != Checkpoint || r.Operation == ""):
		d.problem("quiet is about a checkpoint before a call that passes: the action is checkpoint, and operation the word in its name")
	case r.Aside && r.Pins&PinStash == 0:
		d.problem("aside is about a call that puts something into the stash or takes it out: pins says stash")
	case r.Here && (r.Undone || action != Ask):
		d.problem("here is for a question about what may be lasting")
	case r.Undone && (action != Ask || r.Operation != ""):
		d.problem("undone is for a question before which no checkpoint is taken: with one, an undo has what it holds anyway")
	case r.Keeps != "" && (action != Ask || r.Operation == ""):
		d.problem("keeps is about the checkpoint before a question: the action is ask, and operation the word in its name")
	}
	r.Advice = d.advice(raw.Advice, programs)
	if d.from == Builtin {
		advised := strings.Contains(r.Instead, "`") || slices.ContainsFunc(r.Advice, func(a Advice) bool { return strings.Contains(a.Instead, "`") })
		switch named := strings.TrimSpace(raw.Commandless) != ""; {
		case !advised && !named:
			d.problem("instead advises no command in backticks: name one that passes, or say in commandless why there is none")
		case advised && named:
			d.problem("commandless is for rules that advise no command, and this one does")
		}
	}
	d.judge(&r)
	d.keep(raw, &r, known)
}

// keep takes a rule in, or what can be read of it where one of its problems, those from known on, is more than a finding.
func (d *riskDecoder) keep(raw *rawRisk, r *Risk, known int) {
	if slices.ContainsFunc(d.problems[known:], func(p *Problem) bool { return p.Cost != Nothing }) {
		// Half a condition would fire where nobody meant it to, but a rule that somebody counts on may not be gone without a word.
		if d.from != Builtin {
			d.asks(raw)
		}
		return
	}
	d.out.Rules = append(d.out.Rules, *r)
}

// finding is a problem without which a rule of the user's or of a project counts all the same: it protects as well without words and examples.
func (d *riskDecoder) finding(format string, args ...any) {
	d.problem(format, args...)
	if d.from != Builtin {
		last := d.problems[len(d.problems)-1]
		last.Text, last.Cost = last.Text+"; it counts all the same", Nothing
	}
}

// advice is in the order of the programs' names, each of which the rule must be about.
func (d *riskDecoder) advice(raw map[string]string, programs []string) (list []Advice) {
	for pattern, text := range raw {
		for _, name := range cmdlets(Braces(pattern)) {
			switch {
			case strings.TrimSpace(text) == "":
				d.problem("advice for %s is empty", name)
			case !slices.Contains(programs, name):
				d.problem("advice is for %s, which is none of the rule's programs", name)
			}
			list = append(list, Advice{name, text})
		}
	}
	slices.SortFunc(list, func(a, b Advice) int { return strings.Compare(a.Program, b.Program) })
	for i := range len(list) - 1 {
		if list[i].Program == list[i+1].Program {
			d.problem("advice is twice for %s", list[i].Program)
		}
	}
	return list
}

// when reads the conditions of a rule or of a kind of call.
func (d *riskDecoder) when(w *rawWhen) When {
	out := When{
		Sub: d.joined("subcommand", w.Sub), NotSub: d.joined("not_subcommand", w.NotSub),
		Flags: d.groups("flags", w.Flags), Without: d.joined("without", w.Without),
		Operands: d.joined("operands", w.Operands), NotOperands: d.joined("not_operands", w.NotOperands),
		Words: d.joined("words", w.Words), NotWords: d.joined("not_words", w.NotWords),
		Min: w.Min, Exists: w.Exists != nil && *w.Exists, Absent: w.Exists != nil && !*w.Exists,
		Effect: Kind(d.set("effect", w.Effect, kindNames[:])),
		Path:   Class(d.set("path", w.Path, classNames[:])), NotPath: Class(d.set("not_path", w.NotPath, classNames[:])),
		Files: Names(d.set("files", w.Files, fileNames[:])), NotFiles: Names(d.set("not_files", w.NotFiles, fileNames[:])),
		Fed: cmdlets(d.list("fed_by", w.Fed)), NotFed: cmdlets(d.list("not_fed_by", w.NotFed)), PipeTo: cmdlets(d.list("pipe_to", w.PipeTo)),
		Env: d.list("env", w.Env), Says: d.list("says", w.Says), Is: d.list("is", w.Is), Not: d.list("not", w.Not),
		Args: d.arguments(w.Argument),
	}
	if w.Max != nil {
		out.Max = *w.Max + 1 // so that 0 means any number, and every rule without the key is right
	}
	switch {
	case w.Min < 0 || w.Max != nil && *w.Max < 0:
		d.problem("min_operands and max_operands count operands, so they are not below 0")
	// A rule that never fires looks like protection and is none.
	case w.Max != nil && w.Min > *w.Max:
		d.problem("min_operands = %d is above max_operands = %d: it would never fire", w.Min, *w.Max)
	}
	return out
}

// runsLines tells the tools whose only argument of concern is a command line.
func runsLines(tool string) bool {
	return tool == "Bash" || tool == "PowerShell" || tool == "Monitor"
}

// judge finds rules that would fire on everything or never.
func (d *riskDecoder) judge(r *Risk) {
	w := &r.When
	// A tool may be dangerous by its name alone: WebSearch, mcp__db__drop.
	named := len(r.Tools) > 0 && !slices.Contains(r.Tools, "*")
	if len(r.Programs) == 0 && w.Effect == 0 && len(w.Is) == 0 && len(w.Env) == 0 && len(w.Args) == 0 && !named {
		d.problem("names no program, tool, effect, variable or predicate: it would fire on everything")
	}
	if (w.Path != 0 || w.Files != 0 || w.Exists || w.Absent) && w.Effect == 0 {
		d.problem("path, files and exists need an effect")
	}
	if len(w.Args) > 0 && (len(r.Tools) == 0 || slices.ContainsFunc(r.Tools, runsLines)) {
		d.problem("argument conditions are for tools other than shells; name them in tool")
	}
	if key := lineCondition(r); key != "" && len(r.Tools) > 0 && !slices.ContainsFunc(r.Tools, runsLines) {
		d.problem("%s is about command lines, and %s runs none that it could see: ask about its arguments, as in argument = { sql = \"says:DROP TABLE\" }", key, r.Tools[0])
	}
	// checkpoint/before-{operation}-{time} is the name that the specification gives it.
	if r.Action == Checkpoint && r.Operation == "" {
		d.problem("a checkpoint needs an operation, the word in its name")
	}
}

// lineCondition names a condition of a rule that only a command line can fulfil; "" if
// there is none.
func lineCondition(r *Risk) string {
	w := &r.When
	for _, c := range [...]struct {
		key   string
		given bool
	}{
		{"says", len(w.Says) > 0},
		{"program", len(r.Programs) > 0},
		{"subcommand", len(w.Sub)+len(w.NotSub) > 0},
		{"flags", len(w.Flags)+len(w.Without) > 0},
		{"operands", len(w.Operands)+len(w.NotOperands)+w.Min+w.Max > 0},
		{"words", len(w.Words)+len(w.NotWords) > 0},
		{"fed_by", len(w.Fed)+len(w.NotFed)+len(w.PipeTo) > 0},
		{"env", len(w.Env) > 0},
	} {
		if c.given {
			return c.key
		}
	}
	return ""
}

// list accepts one pattern or several, and spells out what their braces stand for.
func (d *riskDecoder) list(key string, v any) []string {
	texts := d.texts(key, v)
	list := texts[:0:0]
	for _, s := range texts {
		list = append(list, d.braces(key, s)...)
	}
	return list
}

// joined is list for a field that keeps its texts as one.
func (d *riskDecoder) joined(key string, v any) Texts { return NewTexts(d.list(key, v)...) }

// texts accepts one string or several.
func (d *riskDecoder) texts(key string, v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []string{v}
	case []any:
		list := make([]string, 0, len(v))
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				d.problem("%s holds %v, which is not text", key, one)
				continue
			}
			list = append(list, s)
		}
		return list
	}
	d.problem("%s is neither text nor a list of texts", key)
	return nil
}

// braces is [Braces] for a file of rules.
func (d *riskDecoder) braces(key, pattern string) []string {
	list := Braces(pattern)
	if list == nil {
		d.problem("%s: %.40q stands for more than %d patterns; write another row", key, pattern, maxBraces)
	}
	return list
}

// cmdlets gives the names of PowerShell, which ignores case, the spelling in which
// the shell engine names them: Remove-Item is remove-item.
func cmdlets(names []string) []string {
	for i, s := range names {
		verb, noun, ok := strings.Cut(s, "-")
		if ok && verb != "" && noun != "" && verb[0] >= 'A' && verb[0] <= 'Z' && noun[0] >= 'A' && noun[0] <= 'Z' {
			names[i] = strings.ToLower(s)
		}
	}
	return names
}

// groups splits "-f|--force" into the alternatives of one group.
func (d *riskDecoder) groups(key string, v any) []Texts {
	var groups []Texts
	for _, one := range d.texts(key, v) {
		var group []string
		for alternative := range strings.SplitSeq(one, "|") {
			group = append(group, d.braces(key, alternative)...)
		}
		groups = append(groups, NewTexts(group...))
	}
	return groups
}

func (d *riskDecoder) set(key string, v any, names []string) uint32 {
	set, unknown := bits(names, d.list(key, v))
	if unknown != "" {
		d.problem("%s %q is not one of %s", key, unknown, strings.Join(names, ", "))
	}
	return set
}

func (d *riskDecoder) arguments(raw map[string]any) []Arg {
	var args []Arg
	for name, v := range raw {
		args = append(args, Arg{Name: name, Globs: d.list(name, v)})
	}
	// A map has no order, and the generated table needs one.
	sort.Slice(args, func(i, j int) bool { return args[i].Name < args[j].Name })
	return args
}

// validID reports whether id is family.hazard in lower case with dashes.
func validID(id string) bool {
	left, right, ok := strings.Cut(id, ".")
	// The dot parts family and hazard, so exceptions can name a whole family: git.*.
	if !ok || left == "" || right == "" || strings.HasSuffix(id, "-") {
		return false
	}
	for _, c := range left + right {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
