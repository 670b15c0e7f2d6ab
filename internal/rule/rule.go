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
