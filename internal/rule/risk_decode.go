package rule

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"time"
)

// Source tells where a rule file comes from, and so what it may say.
type Source uint8

// The sources.
const (
	Builtin   Source = iota // rules/risks: everything but exceptions
	ByProject               // .moai/rules: rules only, they tighten
	ByUser                  // the user's own folder: rules and exceptions
)

type rawRisks struct {
	Rule    []rawRisk    `toml:"rule"`
	Program []rawProgram `toml:"program"`
	Files   []rawFiles   `toml:"files"`
	Secret  []rawKey     `toml:"secret"`
	Group   []rawGroup   `toml:"group"`
	Tool    []rawTool    `toml:"tool"`
	Allow   []rawAllow   `toml:"allow"`
	Known   []string     `toml:"known_examples"`
}

type rawGroup struct {
	ID       string   `toml:"id"`
	Why      string   `toml:"why"`
	Programs []string `toml:"programs"`
}

type rawRisk struct {
	ID        string   `toml:"id"`
	Since     string   `toml:"since"`
	Program   any      `toml:"program"`
	Tool      any      `toml:"tool"`
	Args      rawWhen  `toml:"args"`
	Action    string   `toml:"action"`
	Operation string   `toml:"operation"`
	Why       string   `toml:"why"`
	Instead   string   `toml:"instead"`
	Hits      []string `toml:"hits"`
	Misses    []string `toml:"misses"`
	KnownMiss []string `toml:"known_miss"`
}

type rawWhen struct {
	Sub         any            `toml:"subcommand"`
	NotSub      any            `toml:"not_subcommand"`
	Flags       any            `toml:"flags"`
	Without     any            `toml:"without"`
	Operands    any            `toml:"operands"`
	NotOperands any            `toml:"not_operands"`
	Words       any            `toml:"words"`
	NotWords    any            `toml:"not_words"`
	Min         int            `toml:"min_operands"`
	Max         *int           `toml:"max_operands"`
	Effect      any            `toml:"effect"`
	Path        any            `toml:"path"`
	NotPath     any            `toml:"not_path"`
	Files       any            `toml:"files"`
	NotFiles    any            `toml:"not_files"`
	Exists      bool           `toml:"exists"`
	Fed         any            `toml:"fed_by"`
	NotFed      any            `toml:"not_fed_by"`
	PipeTo      any            `toml:"pipe_to"`
	Env         any            `toml:"env"`
	Says        any            `toml:"says"`
	Is          any            `toml:"is"`
	Not         any            `toml:"not"`
	Argument    map[string]any `toml:"argument"`
}

type rawProgram struct {
	Name       any            `toml:"name"`
	Global     []string       `toml:"global"`
	Values     map[string]any `toml:"values"`
	Long       []string       `toml:"long"`
	Abbreviate bool           `toml:"abbreviate"`
	Dash       string         `toml:"dash"`
	Plain      bool           `toml:"plain"`
	Harmless   []string       `toml:"harmless"`
	Text       []string       `toml:"text"`
	Effect     []rawEffect    `toml:"effect"`
	Network    bool           `toml:"network"`
}

type rawEffect struct {
	Kind    any `toml:"kind"`
	Sub     any `toml:"subcommand"`
	On      any `toml:"on"`
	Flags   any `toml:"flags"`
	Without any `toml:"without"`
}

type rawFiles struct {
	Is     string   `toml:"is"`
	Globs  []string `toml:"globs"`
	Except []string `toml:"except"`
}

type rawKey struct {
	ID       string   `toml:"id"`
	Word     string   `toml:"word"`
	Prefixes []string `toml:"prefixes"`
	Chars    string   `toml:"chars"`
	Min      int      `toml:"min"`
	Max      int      `toml:"max"`
	Entropy  float64  `toml:"entropy"`
	What     string   `toml:"what"`
}

type rawAllow struct {
	Rule     string `toml:"rule"`
	Path     string `toml:"path"`
	Argument string `toml:"argument"`
	Until    string `toml:"until"`
	Session  string `toml:"session"`
	Once     bool   `toml:"once"`
	Project  string `toml:"project"`
	Reason   string `toml:"reason"`
	Given    string `toml:"given"`
}

// LoadRisks reads rules/risks/*.toml below fsys. The problems of all files are
// reported at once, each as file:line: id: text.
func LoadRisks(fsys fs.FS) (*Risks, error) {
	names, err := Files(fsys, "risks")
	if err != nil {
		return nil, err
	}
	all := &Risks{}
	var problems []*Problem
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		one, err := DecodeRisks(name, data, Builtin)
		if err != nil {
			problems = append(problems, unjoin(name, err)...)
		}
		if one != nil {
			all.Add(one)
		}
	}
	problems = append(problems, all.duplicates()...)
	all.Sort()
	if _, err := fs.Stat(fsys, "rules/shells"); err == nil { // a folder of risks alone will do
		if all.Shells, err = LoadShells(fsys); err != nil {
			problems = append(problems, unjoin("rules/shells", err)...)
		}
	}
	return all, Join(problems)
}

// DecodeRisks reads one file of risk rules. Problems are joined into the error;
// the result then holds what was readable.
func DecodeRisks(file string, data []byte, from Source) (*Risks, error) {
	var raw rawRisks
	if err := Decode(file, data, &raw); err != nil {
		return nil, err
	}
	d := &riskDecoder{file: file, from: from, out: &Risks{Known: raw.Known}}
	d.lines = Headers(data, "rule")
	for i := range raw.Rule {
		d.rule(i, &raw.Rule[i])
	}
	if from == ByProject && len(raw.Program)+len(raw.Files)+len(raw.Secret)+len(raw.Group)+len(raw.Tool)+len(raw.Known) > 0 {
		// They could blind built-in rules: "rm" without effects, "src" as a build folder.
		d.problem("a project may add rules only; programs, files and secrets count after: moai rules trust %s", file)
		d.out.Known, raw.Program, raw.Files, raw.Secret, raw.Group, raw.Tool = nil, nil, nil, nil, nil, nil
	}
	d.lines = Headers(data, "group")
	for i := range raw.Group {
		d.group(i, &raw.Group[i])
	}
	d.lines = Headers(data, "tool")
	for i := range raw.Tool {
		d.tool(i, &raw.Tool[i])
	}
	d.lines = Headers(data, "program")
	for i := range raw.Program {
		d.program(i, &raw.Program[i])
	}
	d.lines = Headers(data, "files")
	for i := range raw.Files {
		d.files(i, &raw.Files[i])
	}
	d.lines = Headers(data, "secret")
	for i := range raw.Secret {
		d.key(i, &raw.Secret[i])
	}
	d.lines = Headers(data, "allow")
	for i := range raw.Allow {
		d.allow(i, &raw.Allow[i])
	}
	return d.out, Join(d.problems)
}

// riskDecoder turns raw tables of one file into rules and gathers problems.
type riskDecoder struct {
	file     string
	from     Source
	lines    []int
	line     int
	id       string
	out      *Risks
	problems []*Problem
}

func (d *riskDecoder) at(i int, id string) {
	d.line, d.id = 0, id
	if i < len(d.lines) {
		d.line = d.lines[i]
	}
}

func (d *riskDecoder) problem(format string, args ...any) {
	d.problems = append(d.problems, &Problem{File: d.file, Line: d.line, ID: d.id, Text: fmt.Sprintf(format, args...)})
}

func (d *riskDecoder) group(i int, raw *rawGroup) {
	d.at(i, raw.ID)
	switch {
	case raw.ID == "" || raw.Why == "":
		d.problem("a group of programs needs id and why")
	case len(raw.Programs) == 0:
		d.problem("a group needs programs")
	case !slices.IsSorted(raw.Programs):
		d.problem("programs of a group are sorted by name, so that each has one place")
	default:
		d.out.Groups = append(d.out.Groups, Group{ID: raw.ID, Programs: raw.Programs})
	}
}

func (d *riskDecoder) rule(i int, raw *rawRisk) {
	d.at(i, raw.ID)
	family := strings.TrimSuffix(path.Base(d.file), ".toml")
	switch {
	case raw.ID == "":
		d.problem("missing id")
	case d.from == Builtin && !strings.HasPrefix(raw.ID, family+"."):
		d.problem("id must start with %q, the name of its file", family+".")
	case !validID(raw.ID):
		d.problem("id must look like family.hazard-in-words")
	}
	action, ok := ParseAction(raw.Action)
	if !ok {
		d.problem("action %q is not checkpoint, ask or deny", raw.Action)
	}
	for _, field := range [...]struct{ name, value string }{{"since", raw.Since}, {"why", raw.Why}, {"instead", raw.Instead}} {
		if strings.TrimSpace(field.value) == "" && (field.name != "since" || d.from == Builtin) {
			d.problem("missing %s", field.name)
		}
	}
	if len(raw.Hits) < 2 {
		d.problem("needs at least two hits, has %d", len(raw.Hits))
	}
	if len(raw.Misses) < 2 {
		d.problem("needs at least two near misses, has %d", len(raw.Misses))
	}
	r := Risk{
		ID: raw.ID, Since: raw.Since, Action: action, Operation: raw.Operation, Why: raw.Why, Instead: raw.Instead,
		Hits: raw.Hits, Misses: raw.Misses, KnownMiss: raw.KnownMiss, File: d.file, Line: d.line,
		Programs: cmdlets(d.list("program", raw.Program)), Tools: d.list("tool", raw.Tool),
	}
	w := &raw.Args
	r.When = When{
		Sub: d.list("subcommand", w.Sub), NotSub: d.list("not_subcommand", w.NotSub),
		Flags: d.groups("flags", w.Flags), Without: d.list("without", w.Without),
		Operands: d.list("operands", w.Operands), NotOperands: d.list("not_operands", w.NotOperands),
		Words: d.list("words", w.Words), NotWords: d.list("not_words", w.NotWords),
		Min: w.Min, Exists: w.Exists,
		Effect: Kind(d.set("effect", w.Effect, kindNames[:])),
		Path:   Class(d.set("path", w.Path, classNames[:])), NotPath: Class(d.set("not_path", w.NotPath, classNames[:])),
		Files: Names(d.set("files", w.Files, fileNames[:])), NotFiles: Names(d.set("not_files", w.NotFiles, fileNames[:])),
		Fed: cmdlets(d.list("fed_by", w.Fed)), NotFed: cmdlets(d.list("not_fed_by", w.NotFed)), PipeTo: cmdlets(d.list("pipe_to", w.PipeTo)),
		Env: d.list("env", w.Env), Says: d.list("says", w.Says), Is: d.list("is", w.Is), Not: d.list("not", w.Not),
		Args: d.arguments(w.Argument),
	}
	if w.Max != nil {
		r.When.Max = *w.Max + 1
	}
	d.judge(&r)
	d.out.Rules = append(d.out.Rules, r)
}

// runsLines tells the tools whose only argument of concern is a command line.
func runsLines(tool string) bool {
	return tool == "Bash" || tool == "PowerShell" || tool == "Monitor"
}

// judge finds rules that would fire on everything or never.
func (d *riskDecoder) judge(r *Risk) {
	w := &r.When
	mcp := len(r.Tools) > 0 && strings.HasPrefix(r.Tools[0], "mcp__")
	if len(r.Programs) == 0 && w.Effect == 0 && len(w.Is) == 0 && len(w.Env) == 0 && len(w.Args) == 0 && !mcp {
		d.problem("names no program, effect, variable or predicate: it would fire on everything")
	}
	if (w.Path != 0 || w.Files != 0 || w.Exists) && w.Effect == 0 {
		d.problem("path, files and exists need an effect")
	}
	if len(w.Args) > 0 && (len(r.Tools) == 0 || slices.ContainsFunc(r.Tools, runsLines)) {
		d.problem("argument conditions are for tools other than shells; name them in tool")
	}
	if r.Action == Checkpoint && r.Operation == "" {
		d.problem("a checkpoint needs an operation, the word in its name")
	}
}

func (d *riskDecoder) program(i int, raw *rawProgram) {
	names := cmdlets(d.list("name", raw.Name))
	id := ""
	if len(names) > 0 {
		id = names[0]
	}
	d.at(i, id)
	if id == "" {
		d.problem("a program needs a name")
		return
	}
	switch raw.Dash {
	case "", "gnu", "long", "slash", "none", "bundle", "mode":
	default:
		d.problem("dash %q is not gnu, long, slash, none, bundle or mode", raw.Dash)
	}
	p := Program{
		Names: names, Global: raw.Global, Long: raw.Long, Abbreviate: raw.Abbreviate, Dash: raw.Dash,
		Plain: raw.Plain, Harmless: raw.Harmless, Text: raw.Text, Network: raw.Network, File: d.file, Line: d.line,
	}
	subs := make([]string, 0, len(raw.Values))
	for sub := range raw.Values {
		subs = append(subs, sub)
	}
	sort.Strings(subs)
	for _, sub := range subs {
		v := Values{Sub: sub, Options: d.list("values", raw.Values[sub])}
		if sub == "all" {
			v.Sub = ""
		}
		p.Values = append(p.Values, v)
	}
	for _, e := range raw.Effect {
		effect := Effect{
			Kind: Kind(d.set("kind", e.Kind, kindNames[:])), Sub: d.list("subcommand", e.Sub), On: d.list("on", e.On),
			Flags: d.groups("flags", e.Flags), Without: d.list("without", e.Without),
		}
		if effect.Kind == 0 || len(effect.On) == 0 {
			d.problem("an effect needs a kind and what it is on")
		}
		p.Effects = append(p.Effects, effect)
	}
	d.out.Programs = append(d.out.Programs, p)
}

func (d *riskDecoder) files(i int, raw *rawFiles) {
	d.at(i, raw.Is)
	is := Names(d.set("is", raw.Is, fileNames[:]))
	if is == 0 || len(raw.Globs) == 0 {
		d.problem("a file family needs its name and globs")
	}
	d.out.Files = append(d.out.Files, FileSet{Is: is, Globs: lower(raw.Globs), Except: lower(raw.Except)})
}

// lower prepares patterns for names whose case does not matter.
func lower(list []string) []string {
	for i, s := range list {
		list[i] = strings.ToLower(s)
	}
	return list
}

func (d *riskDecoder) key(i int, raw *rawKey) {
	d.at(i, raw.ID)
	switch raw.Chars {
	case "base62", "base64", "hex", "url", "upper", "pem", "text":
	default:
		d.problem("chars %q is not base62, base64, hex, url, upper, pem or text", raw.Chars)
	}
	if raw.ID == "" || raw.Word == "" || raw.What == "" || raw.Min <= 0 || raw.Max < raw.Min {
		d.problem("a secret needs id, word, what, and 0 < min <= max")
	}
	if len(raw.Prefixes) == 0 && raw.Entropy == 0 {
		d.problem("a secret without a prefix needs an entropy, or every value would be one")
	}
	d.out.Tokens = append(d.out.Tokens, Token{
		ID: raw.ID, Word: strings.ToLower(raw.Word), Prefixes: raw.Prefixes, Chars: raw.Chars,
		Min: raw.Min, Max: raw.Max, Entropy: raw.Entropy, What: raw.What,
	})
}

func (d *riskDecoder) allow(i int, raw *rawAllow) {
	d.at(i, raw.Rule)
	switch {
	case d.from != ByUser:
		d.problem("exceptions belong in your own rules folder, or run: moai rules trust %s", d.file)
		return
	case raw.Rule == "":
		d.problem("an exception needs a rule")
		return
	case strings.TrimSpace(raw.Reason) == "":
		d.problem("an exception needs a reason")
		return
	case raw.Until != "" && !isDay(raw.Until): // never ending would be the worst way to read it
		d.problem("until is %q, want a day such as 2027-01-31", raw.Until)
		return
	}
	d.out.Allows = append(d.out.Allows, Allowed{
		Rule: raw.Rule, Path: raw.Path, Argument: raw.Argument, Until: raw.Until, Session: raw.Session,
		Once: raw.Once, Project: raw.Project, Reason: raw.Reason, Given: raw.Given, File: d.file, Line: d.line,
	})
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// list accepts one string or several.
func (d *riskDecoder) list(key string, v any) []string {
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
func (d *riskDecoder) groups(key string, v any) [][]string {
	var groups [][]string
	for _, one := range d.list(key, v) {
		groups = append(groups, strings.Split(one, "|"))
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
	sort.Slice(args, func(i, j int) bool { return args[i].Name < args[j].Name })
	return args
}

// validID reports whether id is family.hazard in lower case with dashes.
func validID(id string) bool {
	left, right, ok := strings.Cut(id, ".")
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

// Add appends the tables of another file.
func (r *Risks) Add(one *Risks) {
	r.Rules = append(r.Rules, one.Rules...)
	r.Programs = append(r.Programs, one.Programs...)
	r.Files = append(r.Files, one.Files...)
	r.Tokens = append(r.Tokens, one.Tokens...)
	r.Groups = append(r.Groups, one.Groups...)
	r.Tools = append(r.Tools, one.Tools...)
	r.Allows = append(r.Allows, one.Allows...)
	r.Known = append(r.Known, one.Known...)
}

// Sort gives the tables the order that lookups and generated files rely on.
func (r *Risks) Sort() {
	sort.SliceStable(r.Rules, func(i, j int) bool { return r.Rules[i].ID < r.Rules[j].ID })
	sort.SliceStable(r.Programs, func(i, j int) bool { return r.Programs[i].Names[0] < r.Programs[j].Names[0] })
	sort.SliceStable(r.Files, func(i, j int) bool { return r.Files[i].Is < r.Files[j].Is })
	sort.SliceStable(r.Tokens, func(i, j int) bool { return r.Tokens[i].ID < r.Tokens[j].ID })
	sort.SliceStable(r.Tools, func(i, j int) bool { return r.Tools[i].Names[0] < r.Tools[j].Names[0] })
	sort.SliceStable(r.Groups, func(i, j int) bool { return r.Groups[i].ID < r.Groups[j].ID })
	sort.Strings(r.Known)
}

func (r *Risks) duplicates() []*Problem {
	var problems []*Problem
	rules := map[string]*Risk{}
	for i := range r.Rules {
		one := &r.Rules[i]
		if first := rules[one.ID]; first != nil {
			problems = append(problems, &Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("duplicate id, first in %s:%d", first.File, first.Line)})
			continue
		}
		rules[one.ID] = one
	}
	programs := map[string]*Program{}
	for i := range r.Programs {
		one := &r.Programs[i]
		for _, name := range one.Names {
			if first := programs[name]; first != nil {
				problems = append(problems, &Problem{File: one.File, Line: one.Line, ID: name, Text: fmt.Sprintf("duplicate program, first in %s:%d", first.File, first.Line)})
				continue
			}
			programs[name] = one
		}
	}
	return problems
}

// unjoin takes the problems out of a joined error.
func unjoin(file string, err error) []*Problem {
	switch e := err.(type) {
	case *Problem:
		return []*Problem{e}
	case interface{ Unwrap() []error }:
		var list []*Problem
		for _, one := range e.Unwrap() {
			list = append(list, unjoin(file, one)...)
		}
		return list
	}
	return []*Problem{{File: file, Text: err.Error()}}
}
