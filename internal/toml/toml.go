// Package toml reads TOML that strangers may have written, and says where a mistake is.
//
// It decides nothing about what is read. Its invariants: what a document may cost is counted before the
// parser sees it, no document makes it panic, and a key without a place or a value of the wrong type is a
// Fault with a line, never a value that is silently missing.
//
// BurntSushi/toml has no word on unknown keys or wrong types in maps and says where the last key of a name stands, so
// what it has read is held to the types here. What it cannot bound (names of tables repeated for every key, depth) is
// counted first. With e2e/chaos, which reads a file of its own, this package alone imports it. It imports no other
// package of moai's, so that it cuts its messages itself: rule and secret, which read by it, may not hold term.
package toml

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	burnt "github.com/BurntSushi/toml"
)

// Fault is one thing wrong with a document.
type Fault struct {
	Line int // 1-based; 0 when the whole document is meant
	Text string
}

// Error says what is wrong, and in which line.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Text
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Text)
}

// ErrUnread is wrapped by the error of a document that may well be TOML: it would cost too much, or the parser fails on it.
var ErrUnread = errors.New("not read")

// unread is a Fault that is ErrUnread.
type unread struct{ Fault }

func (u *unread) Error() string   { return u.Fault.Error() }
func (u *unread) Unwrap() []error { return []error{&u.Fault, ErrUnread} }

// Document is a document that is valid TOML.
type Document struct {
	text []byte
	meta burnt.MetaData
	raw  burnt.Primitive
	tree any
}

// Mark is the byte order mark. Editors on Windows write one, and no editor shows it.
const Mark = "\ufeff"

// Parse reads a document. Its error is a *Fault, and ErrUnread too where it is not known whether the document is TOML.
func Parse(data []byte) (doc *Document, err error) {
	data = bytes.TrimPrefix(data, []byte(Mark))
	if err := afford(data); err != nil {
		return nil, err
	}
	// The parser panics where it finds a mistake of its own.
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, &unread{Fault{Text: clip(fmt.Sprint("cannot be read: ", r))}}
		}
	}()
	doc = &Document{text: data}
	if doc.meta, err = burnt.Decode(string(data), &doc.raw); err != nil {
		return nil, fault(data, err)
	}
	if err := doc.meta.PrimitiveDecode(doc.raw, &doc.tree); err != nil {
		return nil, fault(data, err)
	}
	return doc, nil
}

// Tree is what the document holds: map[string]any, []any, []map[string]any for arrays of tables, string, bool,
// int64, float64 and time.Time.
func (d *Document) Tree() map[string]any {
	tree, _ := d.tree.(map[string]any)
	return tree
}

// Decode fills v, a pointer to a struct. Keys that v has no field for, two that have the same field, and values
// of the wrong type are faults, in order of the document; v is to be thrown away then.
func (d *Document) Decode(v any) (faults []*Fault) {
	t := reflect.TypeOf(v)
	w := walk{}
	if w.value(d.tree, t, nil, "is"); w.wrong > 0 {
		w = walk{lines: d.lines(), seen: map[string]int{}}
		w.value(d.tree, t, nil, "is")
		sort.SliceStable(w.faults, func(i, j int) bool {
			a, b := w.faults[i], w.faults[j]
			return a.Line < b.Line || a.Line == b.Line && a.Text < b.Text
		})
		return slices.CompactFunc(w.faults, func(a, b *Fault) bool { return *a == *b })
	}
	defer func() {
		if r := recover(); r != nil {
			faults = []*Fault{{Text: clip(fmt.Sprint("cannot be read: ", r))}}
		}
	}()
	if err := d.meta.PrimitiveDecode(d.raw, v); err != nil {
		return []*Fault{fault(d.text, err)}
	}
	return nil
}

// Strange counts the keys, with those below them, that a value of type t has no place for.
func (d *Document) Strange(t reflect.Type) int {
	w := walk{}
	w.value(d.tree, t, nil, "is")
	return w.strange
}

// Line is where a key stands first, or the first one below it; 0 where there is none.
func (d *Document) Line(key ...string) int {
	lines := places(d.text)
	for i, k := range d.meta.Keys() {
		if i < len(lines) && len(k) >= len(key) && equal(k[:len(key)], key) {
			return lines[i]
		}
	}
	return 0
}

// lines are those of every key, by its whole name, in order.
func (d *Document) lines() map[string][]int {
	at, all := places(d.text), map[string][]int{}
	for i, k := range d.meta.Keys() {
		if i < len(at) {
			name := joined(k)
			all[name] = append(all[name], at[i])
		}
	}
	// A table that only its keys make begins with the first of them.
	for i, k := range d.meta.Keys() {
		for n := 1; n < len(k) && i < len(at); n++ {
			if name := joined(k[:n]); all[name] == nil {
				all[name] = []int{at[i]}
			}
		}
	}
	return all
}

// joined is a key as the key of a map: no part of one holds a NUL.
func joined(key []string) string { return strings.Join(key, "\x00") }

func equal(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// fault says an error of the parser as the others are said. The parser has read on to a line's end where it counts lines.
func fault(data []byte, err error) *Fault {
	var at burnt.ParseError
	if errors.As(err, &at) {
		last := max(0, min(at.Position.Start+at.Position.Len-1, len(data)))
		return &Fault{Line: 1 + bytes.Count(data[:last], []byte("\n")), Text: clip(strings.TrimSuffix(at.Message, "."))}
	}
	return &Fault{Text: clip(strings.TrimPrefix(err.Error(), "toml: "))}
}

// clip cuts a message that quotes a document.
func clip(text string) string {
	const most = 200
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
