// Package rule holds the types of all rule families and reads them from TOML.
//
// It is not an engine: nothing here judges, detects or matches. Its invariant is
// strictness: a key that no type knows, a missing field or a duplicate id is a
// Problem that names file, line and rule, never a silently shorter table.
package rule

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/toml"
)

// Problem is one thing wrong with a rule file, at a place a person can go to.
type Problem struct {
	File string // slash-separated, relative to the folder that holds rules/
	Line int    // 1-based; 0 when the whole file is meant
	ID   string // the rule's id; empty when the file has no readable rule there
	Text string
	Cost Cost // what does not count because of it
}

// Cost is what does not count because of a problem.
type Cost uint8

// The costs. Of moai's own rules every problem is a Loss.
const (
	Loss      Cost = iota // something that may protect
	Exempting             // only what would have loosened the guard
	Waiting               // what a person has not approved yet: no mistake
	Nothing               // the rule counts all the same
)

// Costly are the problems of an error that cost at least so much as most; nil where there are none.
func Costly(err error, most Cost) error {
	if err == nil {
		return nil
	}
	var list []error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			list = append(list, Costly(one, most))
		}
		return errors.Join(list...)
	}
	if p, ok := err.(*Problem); ok && p.Cost > most {
		return nil
	}
	return err
}

// Error formats the problem as file:line: id: text.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.ID != "" {
		b.WriteString(p.ID + ": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// unjoin takes the problems out of an error of Decode or Join.
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

// Join turns problems into one error, a line each, in order of place; nil when
// there are none. errors.As finds each *Problem in it.
func Join(problems []*Problem) error {
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line
	})
	list := make([]error, len(problems))
	for i, p := range problems {
		list[i] = p
	}
	return errors.Join(list...)
}

// Decode reads one TOML document into v. An unknown key, a syntax error or a
// value of the wrong type is returned as *Problem (or several, joined).
func Decode(file string, data []byte, v any) error {
	doc, err := toml.Parse(data)
	if err != nil {
		return unread(file, err)
	}
	return fill(file, doc, v)
}

// fill reads a document into v, as Decode does.
func fill(file string, doc *toml.Document, v any) error {
	// Unknown keys are refused: a misspelt condition would make a rule that holds for more than its author meant.
	faults := doc.Decode(v)
	problems := make([]*Problem, len(faults))
	for i, f := range faults {
		problems[i] = &Problem{File: file, Line: f.Line, Text: f.Text}
	}
	return Join(problems)
}

// unread is the problem of a document that is not read.
func unread(file string, err error) error {
	var at *toml.Fault
	if errors.As(err, &at) {
		return &Problem{File: file, Line: at.Line, Text: at.Text}
	}
	return &Problem{File: file, Text: err.Error()}
}

// report gathers what is wrong with the files of a family. The place is that of the row at hand; line 0 and no id mean the file.
type report struct {
	file     string
	data     []byte
	line     int
	id       string
	seen     map[string]string // see once
	problems []*Problem
}

func (r *report) add(file string, line int, id, format string, args ...any) {
	r.problems = append(r.problems, &Problem{File: file, Line: line, ID: id, Text: fmt.Sprintf(format, args...)})
}

// problem is about the row at hand.
func (r *report) problem(format string, args ...any) {
	r.add(r.file, r.line, r.id, format, args...)
}

// once wants a key to be there a single time in a family.
func (r *report) once(key string) {
	if first := r.seen[key]; first != "" {
		r.problem("%s is there already, at %s", key, first)
		return
	}
	if r.seen == nil {
		r.seen = map[string]string{}
	}
	r.seen[key] = fmt.Sprintf("%s:%d", r.file, r.line)
}

// named begins a row whose id tells its file.
func (r *report) named(id string) {
	r.id = id
	if prefix := strings.TrimSuffix(path.Base(r.file), ".toml") + "."; !strings.HasPrefix(id, prefix) || !validID(id) {
		r.problem("id must be %s followed by lower-case words joined by hyphens", prefix)
	}
}

func (r *report) err() error { return Join(r.problems) }

// read decodes a file strictly, which then is the one at hand.
func (r *report) read(fsys fs.FS, file string, into any) bool {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		r.problems = append(r.problems, unjoin(file, err)...)
		return false
	}
	return r.decode(file, data, into)
}

// decode is read for a file whose content is there already.
func (r *report) decode(file string, data []byte, into any) bool {
	if err := Decode(file, data, into); err != nil {
		r.problems = append(r.problems, unjoin(file, err)...)
		return false
	}
	r.file, r.data, r.line, r.id = file, data, 0, ""
	return true
}

// load hands on every file of a family that can be read. Its error is that of a family without files.
func load[T any](r *report, fsys fs.FS, family string, each func(raw *T)) error {
	files, err := Files(fsys, family)
	for _, file := range files {
		var raw T
		if r.read(fsys, file, &raw) {
			each(&raw)
		}
	}
	return err
}

// rows hands on the tables of one name, each with its place: the decoder knows no lines for values that are well-formed and wrong.
func rows[T any](r *report, table string, list []T, read func(*T)) {
	lines := Headers(r.data, table)
	for i := range list {
		if r.line, r.id = 0, ""; i < len(lines) {
			r.line = lines[i]
		}
		read(&list[i])
	}
	r.line, r.id = 0, ""
}

// extend appends the lists of one to those of all.
func extend[T any](all, one *T) {
	from := reflect.ValueOf(one).Elem()
	for f, to := range reflect.ValueOf(all).Elem().Fields() {
		if to.Kind() == reflect.Slice {
			to.Set(reflect.AppendSlice(to, from.FieldByIndex(f.Index)))
		}
	}
}

// Headers lists the lines (1-based) of the [[table]] headers in order: the n-th
// line belongs to the n-th element that Decode yields. TOML decoders do not
// keep places, and a message without one sends people searching.
func Headers(data []byte, table string) []int {
	var lines []int
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(toml.Mark))) {
		n++
		text := strings.TrimSpace(string(line))
		rest, ok := strings.CutPrefix(text, "[[")
		if !ok {
			continue
		}
		name, _, ok := strings.Cut(rest, "]]")
		if ok && strings.TrimSpace(name) == table {
			lines = append(lines, n)
		}
	}
	return lines
}

// oneOf is what the field of a row may hold, as its tag "one" says; "-" stands for nothing.
func oneOf(row any, field string) []string {
	f, _ := reflect.TypeOf(row).FieldByName(field)
	list := strings.Fields(f.Tag.Get("one"))
	for i := range list {
		list[i] = strings.TrimPrefix(list[i], "-")
	}
	return list
}

// Files lists the .toml files of one family in name order, as paths relative to
// fsys such as "rules/risks/git.toml". A family without any file is an error:
// a wrong root would otherwise produce an empty table.
func Files(fsys fs.FS, family string) ([]string, error) {
	dir := path.Join("rules", family)
	names, err := fs.Glob(fsys, path.Join(dir, "*.toml"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	if len(names) == 0 {
		return nil, &Problem{File: dir, Text: "no rule files here"}
	}
	// Names in order, so that the same rules give the same tables on every file system.
	sort.Strings(names)
	return names, nil
}
