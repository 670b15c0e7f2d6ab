package rule

import (
	"bytes"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/modu-ai/moai/internal/toml"
)

// Bounds of how many rules of a file with a mistake are read one by one.
const (
	maxStanzas = 200
	maxBroken  = 20 // of those that have a mistake themselves
)

// salvage reads a file of the user's or of a project that is no TOML, or has keys that no rule has, stanza by stanza, so that a
// typing error or the marks of a merge take no protection away. A stanza that is right by itself counts as it is; of one that is not
// counts what can be read, and it asks. Exceptions, and whatever else could loosen the guard, do not count from such a file.
func (t *RiskText) salvage(from Source, whole error) (*Risks, error) {
	d := &riskDecoder{report: report{file: t.file, data: t.data, problems: unjoin(t.file, whole)}, from: from, out: &Risks{}}
	broken := 0
	for _, one := range stanzas(t.data) {
		var raw rawRisks
		doc, err := toml.Parse(one.text)
		if err == nil && doc.Strange(reflect.TypeFor[rawRisks]()) == 0 && len(doc.Decode(&raw)) == 0 && len(raw.Rule) == 1 {
			d.line = one.line
			d.rule(&raw.Rule[0])
			continue
		}
		if broken++; broken > maxBroken {
			continue
		}
		rest := readable(one.text)
		d.line, d.id = one.line, rest.ID
		d.asks(&rest)
	}
	return d.out, d.err()
}

// stanza is a rule as it stands in a file.
type stanza struct {
	line int // of its header
	text []byte
}

// stanzas are the rules of a file, each with all up to the next header of a list, without the marks that a merge leaves.
func stanzas(data []byte) (list []stanza) {
	open, n := false, 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(toml.Mark))) {
		n++
		text := bytes.TrimSpace(line)
		if bytes.HasPrefix(text, []byte("[[")) {
			name, _, _ := strings.Cut(string(text[2:]), "]]")
			if open = strings.TrimSpace(name) == "rule"; open && len(list) == maxStanzas {
				return list
			} else if open {
				list = append(list, stanza{line: n})
			}
		}
		marks := len(text) >= 7 && bytes.IndexByte([]byte("<|=>"), text[0]) >= 0 && bytes.Count(text[:7], text[:1]) == 7
		if last := len(list) - 1; open && !marks {
			list[last].text = append(list[last].text, line...)
		}
	}
	return list
}

// readable is what the lines of a rule say, each by itself, up to a table of its own. Of the two sides of a merge a condition that
// both have is none, the programs of both count, and else the first.
func readable(text []byte) (rule rawRisk) {
	const most = 64 // lines that are looked at; what people write has a dozen
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		key, _, ok := strings.Cut(string(line), "=")
		key = strings.TrimSpace(key)
		if strings.HasPrefix(key, "[") && len(seen) > 0 || len(seen) == most {
			break
		}
		if !ok || strings.Contains(key, ".") {
			continue
		}
		var one rawRisk
		doc, err := toml.Parse(line)
		if err != nil || doc.Strange(reflect.TypeFor[rawRisk]()) > 0 || len(doc.Decode(&one)) > 0 {
			continue
		}
		switch {
		case key == "program" && seen[key]:
			rule.Program = append(listed(rule.Program), listed(one.Program)...)
		case key == "args" && seen[key]:
			rule.Args = rawWhen{}
		case !seen[key]:
			_ = doc.Decode(&rule)
		}
		seen[key] = true
	}
	return rule
}

// listed is one value or several as a list.
func listed(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// asks keeps a rule that has a mistake as far as it can be read: it asks about what it is about, or takes the snapshot that it is to
// take. A condition with a mistake is left out, but a rule that would be about everything then is lost.
func (d *riskDecoder) asks(raw *rawRisk) {
	try := riskDecoder{report: report{file: d.file}, from: d.from, out: &Risks{}}
	r := Risk{
		ID: raw.ID, Action: Ask, Why: raw.Why, Instead: raw.Instead, File: d.file, Line: d.line,
		Programs: NewTexts(cmdlets(try.list("program", raw.Program))...), Tools: try.list("tool", raw.Tool), When: try.when(&raw.Args),
	}
	if raw.Action == "checkpoint" && raw.Operation != "" {
		r.Action, r.Operation = Checkpoint, raw.Operation
	}
	if try.judge(&r); len(try.problems) > 0 {
		r.When, try.problems = When{}, nil
		if r.Programs == "" { // a tool of a server answers most of what it is asked
			return
		}
		if try.judge(&r); len(try.problems) > 0 {
			return
		}
	}
	if !validID(r.ID) {
		r.ID = "rules.with-mistake"
	}
	if r.Why != "" {
		r.Why += "; "
	}
	r.Why += fmt.Sprintf("the rule in line %d of %s has a mistake, so that it counts as far as it can be read", d.line, path.Base(d.file))
	if r.Instead == "" {
		r.Instead = "mend the rule: `moai rules check` says what is wrong"
	}
	d.out.Rules = append(d.out.Rules, r)
}
