package rule

import (
	"slices"
	"sort"
	"strings"
	"time"
)

// What a rule file says beside rules: how programs are read, families of names,
// formats of keys, exceptions.

func (d *riskDecoder) program(raw *rawProgram) {
	// Lower case for cmdlets, so that a rule and the engine spell them alike.
	names := cmdlets(d.list("name", raw.Name))
	if len(names) == 0 || names[0] == "" {
		d.problem("a program needs a name")
		return
	}
	d.id = names[0]
	if known := oneOf(*raw, "Dash"); !slices.Contains(known, raw.Dash) {
		d.problem("dash %q is none of %s", raw.Dash, strings.Join(known[1:], ", "))
	}
	p := Program{
		Names: NewTexts(names...), Global: NewTexts(raw.Global...), Folder: raw.Folder, Long: NewTexts(raw.Long...), Abbreviate: raw.Abbreviate, Dash: raw.Dash,
		Plain: raw.Plain, Expands: raw.Expands, First: raw.First, Harmless: NewTexts(raw.Harmless...), Standin: NewTexts(raw.Standin...), Text: NewTexts(raw.Text...), Network: raw.Network, File: d.file, Line: d.line,
	}
	subs := make([]string, 0, len(raw.Values))
	for sub := range raw.Values {
		subs = append(subs, sub)
	}
	// Maps have no order; "all" and the subcommands do not depend on it, the generated table does.
	sort.Strings(subs)
	for _, sub := range subs {
		v := Values{Sub: sub, Options: d.joined("values", raw.Values[sub])}
		// The empty subcommand fits every call, so that looking options up needs no special case.
		if sub == "all" {
			v.Sub = ""
		}
		p.Values = append(p.Values, v)
	}
	for _, e := range raw.Effect {
		effect := Effect{
			Kind: Kind(d.set("kind", e.Kind, kindNames[:])), Sub: d.joined("subcommand", e.Sub), On: d.joined("on", e.On),
			Flags: d.groups("flags", e.Flags), Without: d.joined("without", e.Without), In: d.joined("in", e.In),
		}
		// Half an entry would do nothing, and nothing would tell.
		if effect.Kind == 0 || len(effect.On) == 0 {
			d.problem("an effect needs a kind and what it is on")
		}
		p.Effects = append(p.Effects, effect)
	}
	for _, a := range raw.Alias {
		alias := SubAlias{Sub: a.Sub, Words: d.joined("words", a.Words), Names: d.joined("of", a.Of)}
		if alias.Sub == "" || alias.Words == "" || strings.ContainsAny(alias.Sub, " *|") {
			d.problem("an alias needs a subcommand of one word, and words that stand for it")
		}
		for name := range alias.Names.All() {
			if !slices.Contains(names, name) {
				d.problem("an alias is of %q, which is none of the program's names", name)
			}
		}
		p.Aliases = append(p.Aliases, alias)
	}
	d.out.Programs = append(d.out.Programs, p)
}

func (d *riskDecoder) files(raw *rawFiles) {
	d.id = raw.Is
	// The families are a closed list: rules ask for them by bit, and a new one needs a reader.
	is := Names(d.set("is", raw.Is, fileNames[:]))
	globs := lower(d.list("globs", raw.Globs))
	if is == 0 || len(globs) == 0 {
		d.problem("a file family needs its name and globs")
	}
	d.out.Files = append(d.out.Files, NewFileSet(is, globs, lower(d.list("except", raw.Except))))
}

func (d *riskDecoder) restored(raw *Restored) {
	d.id = raw.Folder
	if raw.Folder == "" || strings.ContainsAny(raw.Folder, "/*?[") || len(raw.Beside) == 0 || slices.Contains(raw.Beside, "") {
		d.problem("a folder that is restored needs one name, and what stands beside it")
		return
	}
	d.out.Restored = append(d.out.Restored, *raw)
}

func (d *riskDecoder) mode(raw *Mode) {
	d.id = raw.Name
	switch {
	case raw.Name == "":
		d.problem("a mode needs the name that the client gives it")
		return
	case !raw.Unattended && strings.TrimSpace(raw.Loses) == "":
		d.problem("a mode needs unattended or loses: one without is asked in as ever")
		return
	}
	raw.File, raw.Line = d.file, d.line
	d.out.Modes = append(d.out.Modes, *raw)
}

// lower prepares patterns for names whose case does not matter.
func lower(list []string) []string {
	for i, s := range list {
		list[i] = strings.ToLower(s)
	}
	return list
}

func (d *riskDecoder) group(raw *rawGroup) {
	d.id = raw.ID
	switch {
	case raw.ID == "" || raw.Why == "":
		d.problem("a group of programs needs id and why")
	case len(raw.Programs) == 0 && len(raw.Words) == 0 || len(raw.Programs) > 0 && len(raw.Words) > 0:
		d.problem("a group needs programs, or words")
	// Group.Has searches by halves.
	case !slices.IsSorted(raw.Programs) || !slices.IsSorted(raw.Words):
		d.problem("programs and words of a group are sorted by name, so that each has one place")
	default:
		d.out.Groups = append(d.out.Groups, Group{ID: raw.ID, Words: NewTexts(append(raw.Programs, raw.Words...)...)})
	}
}

// exempting is a problem with what would only loosen the guard.
func (d *riskDecoder) exempting(format string, args ...any) {
	d.problem(format, args...)
	d.problems[len(d.problems)-1].Cost = Exempting
}

// waiting is about what counts once a person has approved the file.
func (d *riskDecoder) waiting(format string, args ...any) {
	d.problem(format, args...)
	d.problems[len(d.problems)-1].Cost = Waiting
}

func (d *riskDecoder) allow(raw *Allowed) {
	d.id = raw.Rule
	switch {
	// A cloned repository must not be able to let anything through.
	case d.from == ByProject:
		d.waiting("exceptions of a project count once you have approved them: moai rules trust %s", quoted(d.file))
		return
	case d.from != ByUser:
		d.exempting("exceptions belong in your own rules folder")
		return
	case raw.Rule == "":
		d.exempting("an exception needs a rule")
		return
	case strings.TrimSpace(raw.Reason) == "":
		d.exempting("an exception needs a reason")
		return
	case raw.Until != "" && !isEnd(raw.Until): // never ending would be the worst way to read it
		d.exempting("until is %q, want a day such as 2027-01-31, or a moment such as 2027-01-31T18:00:00+01:00", raw.Until)
		return
	}
	for key, pattern := range map[string]string{"rule": raw.Rule, "path": raw.Path, "argument": raw.Argument} {
		d.braces(key, pattern)
	}
	raw.File, raw.Line = d.file, d.line
	d.out.Allows = append(d.out.Allows, *raw)
}

// quoted is a name as a shell takes it.
func quoted(name string) string {
	if strings.ContainsAny(name, " \t'\"$&;|<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

func isEnd(s string) bool {
	for _, layout := range [...]string{time.DateOnly, time.RFC3339} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}
