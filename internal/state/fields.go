package state

import (
	"reflect"
	"strings"
	"sync"
)

// field is one of a struct, as its tag says.
type field struct {
	name                string // "" for one that is in no file
	omitEmpty, omitZero bool
}

// layout is what is known of a struct: its fields in their order.
type layout struct {
	of     reflect.Type
	fields []field
	plain  bool // none of them is beyond this package
}

// layouts are the structs that were met; few, so that a list is the quickest.
var layouts struct {
	sync.Mutex
	list []layout
}

// fieldsOf are the fields of a struct; ok is false for one that is left to the standard library.
func fieldsOf(t reflect.Type) (fields []field, ok bool) {
	layouts.Lock()
	defer layouts.Unlock()
	for i := range layouts.list {
		if l := &layouts.list[i]; l.of == t {
			return l.fields, l.plain
		}
	}
	l := layout{of: t, fields: make([]field, t.NumField()), plain: !custom(t)}
	for i := range l.fields {
		f := t.Field(i)
		if f.Anonymous {
			l.plain = false
		}
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(tagged(f.Tag), ",")
		switch {
		case name == "-" && options == "":
			continue
		case name == "":
			name = f.Name
		}
		l.plain = l.plain && simple(name)
		one := &l.fields[i]
		one.name = name
		switch options { // no field of ours has two
		case "":
		case "omitempty":
			one.omitEmpty = true
		case "omitzero":
			one.omitZero = true
		default:
			l.plain = false
		}
	}
	layouts.list = append(layouts.list, l)
	return l.fields, l.plain
}

// tagged is what a tag says of JSON. Nearly every tag says nothing else, and a hook call asks it of a hundred and more.
func tagged(tag reflect.StructTag) string {
	text, first := strings.CutPrefix(string(tag), `json:"`)
	if said, rest, ok := strings.Cut(text, `"`); first && ok && rest == "" && !strings.Contains(said, `\`) {
		return said
	}
	return tag.Get("json")
}

// simple reports a name that is written as it is. Each call of a hook asks it of a hundred names.
func simple(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}
