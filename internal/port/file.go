package port

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/spec"
)

// A port's file is front matter with sorted keys, a line for each entry of a list, and text: what two clones add to it, Git merges.
// It is read by the reader that SPECs have, and written by its lines, so that what people put there stays.

// fence is the line above and below the front matter.
const fence = "---"

// Broken says that a file is none of a port's, and where.
type Broken struct {
	Path string
	Line int
	Text string
}

func (b *Broken) Error() string { return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Text) }

// document is a file as it stands: its fields with all that belongs to them, and the text behind.
type document struct {
	above  []string // comments before the first field
	fields []chunk
	body   string
}

// chunk is a field: its line and those up to the next one.
type chunk struct {
	key   string
	lines []string
}

// parse reads a file. Name is the id where the file has none.
func parse(path, name, data string) (*Port, error) {
	broken := func(line int, format string, a ...any) error { return &Broken{path, line, fmt.Sprintf(format, a...)} }
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n"), "\n")
	if strings.TrimRight(lines[0], " \t") != fence {
		return nil, broken(1, "a port begins with %s, and here is %q", fence, clip(lines[0]))
	}
	end := 1 + slices.IndexFunc(lines[1:], func(l string) bool { return strings.TrimRight(l, " \t") == fence })
	if end == 0 {
		return nil, broken(len(lines), "the %s that ends the front matter is missing", fence)
	}
	fields, faults := spec.ParseFront(strings.Join(lines[1:end], "\n"), 2)
	for _, f := range faults {
		if !f.Note {
			return nil, broken(f.Line, "%s", f.Text)
		}
	}
	d := &document{body: strings.Join(lines[end+1:], "\n")}
	p := &Port{ID: name, Status: Pending, Path: path, Text: strings.TrimSpace(d.body), doc: d}
	d.above = lines[1:end]
	for i := range fields {
		f := &fields[i]
		to := end
		if i+1 < len(fields) {
			to = fields[i+1].Line - 1
		}
		if i == 0 {
			d.above = lines[1 : f.Line-1]
		}
		d.fields = append(d.fields, chunk{f.Key, lines[f.Line-1 : to]})
		if err := p.read(f); err != nil {
			return nil, broken(f.Line, "%s", err)
		}
	}
	if _, err := CheckID(p.ID); err != nil {
		return nil, broken(1, "%s", err)
	}
	return p, nil
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return s
}

// read takes over one field.
func (p *Port) read(f *spec.Field) error {
	text := f.Value.String()
	proof := func() *Proof {
		if p.Proof == nil {
			p.Proof = &Proof{}
		}
		return p.Proof
	}
	number := func(into *int) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("%s is %q, want a whole number", f.Key, clip(text))
		}
		*into = n
		return nil
	}
	moment := func(into *time.Time) (err error) {
		if *into, err = time.Parse(time.RFC3339, text); err != nil {
			return fmt.Errorf("%s is %q, want a time such as 2026-11-23T18:00:00Z", f.Key, clip(text))
		}
		return nil
	}
	switch f.Key {
	case "id":
		p.ID = text
	case "title":
		p.Title = text
	case "why":
		p.Why = text
	case "parent":
		p.Parent = text
	case "found-in":
		p.Found = text
	case "needs":
		p.Needs = f.Value.Strings()
	case "files":
		p.Files = f.Value.Strings()
	case "missing":
		proof().Missing = f.Value.Strings()
	case "created":
		return moment(&p.Created)
	case "ended":
		return moment(&p.Ended)
	case "verified":
		if text != "true" && text != "false" {
			return fmt.Errorf("verified is %q, want true or false", clip(text))
		}
		proof().Verified = text == "true"
	case "seconds":
		return number(&proof().Seconds)
	case "turns":
		return number(&proof().Turns)
	case "tokens":
		return number(&proof().Tokens)
	case "changed":
		return number(&proof().Changed)
	case "commits":
		return number(&proof().Commits)
	case "snapshots":
		return number(&proof().Saved)
	case "status":
		p.Status = Status(text)
		if !slices.Contains([]Status{Pending, Blocked, Complete, Dropped}, p.Status) {
			return fmt.Errorf("status is %q, want pending, blocked, complete or dropped", clip(text))
		}
	}
	return nil
}

// says is what a port has to say for each key, as lines; keys without any are left out.
func (p *Port) says() map[string][]string {
	m := map[string][]string{}
	text := func(key, s string) {
		if s != "" {
			m[key] = []string{key + ": " + scalar(s)}
		}
	}
	list := func(key string, all []string) {
		if len(all) == 0 {
			return
		}
		m[key] = []string{key + ":"}
		for _, one := range all {
			m[key] = append(m[key], "  - "+scalar(one))
		}
	}
	number := func(key string, n int) { m[key] = []string{key + ": " + strconv.Itoa(n)} }
	text("id", p.ID)
	text("title", p.Title)
	text("status", string(p.Status))
	text("why", p.Why)
	text("parent", p.Parent)
	text("found-in", p.Found)
	list("needs", p.Needs)
	list("files", p.Files)
	for key, at := range map[string]time.Time{"created": p.Created, "ended": p.Ended} {
		if !at.IsZero() {
			m[key] = []string{key + ": " + at.UTC().Format("2006-01-02T15:04:05.999Z07:00")}
		}
	}
	if f := p.Proof; f != nil {
		m["verified"] = []string{"verified: " + strconv.FormatBool(f.Verified)}
		list("missing", f.Missing)
		number("seconds", f.Seconds)
		number("turns", f.Turns)
		number("tokens", f.Tokens)
		number("changed", f.Changed)
		number("commits", f.Commits)
		number("snapshots", f.Saved)
	}
	return m
}

// scalar is a text as a value: plain where every reader takes it for that text, else in quotes, as short words are that mean yes or
// no to some.
func scalar(s string) string {
	letter := func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
	odd := func(r rune) bool { return !letter(r) && (r < '0' || r > '9') && !strings.ContainsRune("-_./", r) }
	if len(s) > len("false") && letter(rune(s[0])) && !strings.ContainsFunc(s, odd) {
		return s
	}
	return strconv.Quote(s)
}

// render is the file. Of a field that says what it said, and of all that is unknown, every byte stays.
func (p *Port) render() string {
	want := p.says()
	var was map[string][]string
	d := p.doc
	if d == nil {
		d = &document{}
	} else if old, err := parse(p.Path, p.ID, d.text()); err == nil {
		was = old.says()
	}
	fields := []chunk{}
	for _, c := range d.fields {
		lines, said := want[c.key], was[c.key]
		switch {
		case slices.Equal(lines, said):
			fields = append(fields, c)
		case lines != nil:
			fields = append(fields, chunk{c.key, append(slices.Clone(lines), comments(c.lines[1:])...)})
		default:
			if left := comments(c.lines[1:]); len(left) > 0 {
				d.above = append(slices.Clone(d.above), left...)
			}
		}
		delete(want, c.key)
	}
	for key, lines := range want {
		if slices.Equal(lines, was[key]) { // it goes without saying
			continue
		}
		at := sort.Search(len(fields), func(i int) bool { return fields[i].key >= key })
		fields = slices.Insert(fields, at, chunk{key, lines})
	}
	body := d.body
	if p.Text != strings.TrimSpace(body) {
		body = "\n" + p.Text + "\n"
	}
	return (&document{d.above, fields, body}).text()
}

// comments are the lines of a field that are none of its value.
func comments(lines []string) (list []string) {
	for _, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "#") {
			list = append(list, l)
		}
	}
	return list
}

func (d *document) text() string {
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, l := range d.above {
		b.WriteString(l + "\n")
	}
	for _, c := range d.fields {
		for _, l := range c.lines {
			b.WriteString(l + "\n")
		}
	}
	b.WriteString(fence + "\n" + d.body)
	return b.String()
}
