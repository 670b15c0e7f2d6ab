package state

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The standard library builds an encoder of every type that a value could hold before it writes or reads the first byte. In a
// process that handles three small files and ends, that takes longer than all the rest (0.6 ms of 2.8). So state goes through
// its own: it looks at the types of what is there, and at nothing else. What it does not know is left to the standard library;
// the bytes are the same (TestCodec), but for names that are no UTF-8.

// marshal is json.Marshal for state.
func marshal(v any) ([]byte, error) {
	if b, ok := (encoder{}).value(make([]byte, 0, 1024), reflect.ValueOf(v)); ok {
		return b, nil
	}
	return json.Marshal(v)
}

// Line is v as a line of JSON without its end, with <, > and & as they are: people look for commands with grep.
func Line(v any) ([]byte, error) {
	if b, ok := (encoder{plain: true}).value(make([]byte, 0, 1024), reflect.ValueOf(v)); ok {
		return b, nil
	}
	return plain(v)
}

// plain is the standard library's Line.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// bytesMark begins a text that stands for bytes which are no UTF-8, as names of files may be: JSON would make the same text of all of them.
const bytesMark = "\x00bytes:"

type encoder struct {
	plain bool // <, > and & as they are
}

// value appends v; it reports false for one that is to be left to the standard library.
func (e encoder) value(b []byte, v reflect.Value) (_ []byte, ok bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...), true
		}
		return e.value(b, v.Elem())
	case reflect.String:
		if custom(v.Type()) {
			return nil, false
		}
		return e.text(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), !custom(v.Type())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), !custom(v.Type())
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64: // a list of bytes is a text of its own kind
		return strconv.AppendUint(b, v.Uint(), 10), !custom(v.Type())
	case reflect.Slice:
		if v.IsNil() {
			return append(b, "null"...), true
		}
		if e.plain && v.Type() == reflect.TypeFor[json.RawMessage]() {
			text := bytes.NewBuffer(b)
			err := json.Compact(text, v.Bytes())
			return text.Bytes(), err == nil
		}
		return e.list(b, v)
	case reflect.Array:
		return e.list(b, v)
	case reflect.Map:
		return e.pairs(b, v)
	case reflect.Struct:
		return e.fields(b, v)
	}
	return nil, false
}

func (e encoder) text(b []byte, s string) (_ []byte, ok bool) {
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c <= '~' && c != '"' && c != '\\' && (e.plain || c != '<' && c != '>' && c != '&') {
			continue
		}
		quote := json.Marshal
		if e.plain {
			quote = plain
		}
		if !e.plain && (strings.HasPrefix(s, bytesMark) || !utf8.ValidString(s)) {
			s = bytesMark + strconv.Quote(s)
		}
		quoted, err := quote(s)
		return append(b, quoted...), err == nil
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"'), true
}

func (e encoder) list(b []byte, v reflect.Value) (_ []byte, ok bool) {
	if custom(v.Type()) {
		return nil, false
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = e.value(b, v.Index(i)); !ok {
			return nil, false
		}
	}
	return append(b, ']'), true
}

func (e encoder) pairs(b []byte, v reflect.Value) (_ []byte, ok bool) {
	if !isString(v.Type().Key()) || custom(v.Type()) {
		return nil, false
	}
	if v.IsNil() {
		return append(b, "null"...), true
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = e.text(b, k.String()); !ok {
			return nil, false
		}
		if b, ok = e.value(append(b, ':'), v.MapIndex(k)); !ok {
			return nil, false
		}
	}
	return append(b, '}'), true
}

func (e encoder) fields(b []byte, v reflect.Value) (_ []byte, ok bool) {
	if t, is := v.Interface().(time.Time); is {
		text, err := t.AppendText(append(b, '"'))
		return append(text, '"'), err == nil
	}
	fields, ok := fieldsOf(v.Type())
	if !ok {
		return nil, false
	}
	b = append(b, '{')
	for i := range fields {
		f := &fields[i]
		value := v.Field(i)
		if f.name == "" || f.omitEmpty && empty(value) || f.omitZero && zero(value) {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, f.name...)
		if b, ok = e.value(append(b, '"', ':'), value); !ok {
			return nil, false
		}
	}
	return append(b, '}'), true
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero is what omitzero leaves out.
func zero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// isString reports the type string itself.
func isString(t reflect.Type) bool { return t == reflect.TypeFor[string]() }

// custom reports a type that has its own way to be written or read.
func custom(t reflect.Type) bool {
	if t.PkgPath() == "" {
		return false // has no name, and no methods
	}
	p := reflect.PointerTo(t)
	return p.NumMethod() > 0 && (p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) ||
		p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()))
}
