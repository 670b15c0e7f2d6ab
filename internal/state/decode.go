package state

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// unmarshal is json.Unmarshal for state; see marshal. One thing is stricter: a name counts as it is written, and not in
// other cases.
func unmarshal(data []byte, v any) error {
	d := decoder{data: data}
	err := d.value(reflect.ValueOf(v).Elem(), 0)
	if err == nil && d.next() != 0 {
		err = errDamaged
	}
	if errors.Is(err, errUnknown) {
		into := reflect.ValueOf(v).Elem()
		into.SetZero()
		return json.Unmarshal(data, v)
	}
	return err
}

var (
	errDamaged = errors.New("damaged")
	errUnknown = errors.New("left to the standard library")
)

// maxNesting is where the standard library stops, too.
const maxNesting = 10000

// decoder reads one document.
type decoder struct {
	data []byte
	at   int
}

// next is the next byte that is no white space, 0 at the end. It is not taken.
func (d *decoder) next() byte {
	for d.at < len(d.data) {
		switch c := d.data[d.at]; c {
		case ' ', '\t', '\n', '\r':
			d.at++
		case 0:
			return 1 // nothing that a document can have
		default:
			return c
		}
	}
	return 0
}

// take takes the next byte if it is c.
func (d *decoder) take(c byte) bool {
	if d.next() != c {
		return false
	}
	d.at++
	return true
}

// value reads into v.
func (d *decoder) value(v reflect.Value, depth int) error {
	if depth > maxNesting {
		return errDamaged
	}
	c := d.next()
	if v.Kind() != reflect.Struct && custom(v.Type()) {
		return errUnknown
	}
	if c == 'n' {
		return d.null(v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.value(v.Elem(), depth)
	case reflect.String:
		s, err := d.text()
		if err == nil {
			v.SetString(s)
		}
		return err
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return d.scalar(v)
	case reflect.Slice, reflect.Array:
		return d.list(v, depth+1)
	case reflect.Map:
		return d.entries(v, depth+1)
	case reflect.Struct:
		return d.object(v, depth+1)
	}
	return errUnknown
}

// null leaves what cannot be nil as it is.
func (d *decoder) null(v reflect.Value) error {
	raw, err := d.raw(0)
	if err != nil || string(raw) != "null" {
		return errDamaged
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		v.SetZero()
	}
	return nil
}

// text reads a string.
func (d *decoder) text() (string, error) {
	if d.next() != '"' {
		return "", errDamaged
	}
	start, plain := d.at, true
	for d.at++; d.at < len(d.data); d.at++ {
		switch c := d.data[d.at]; {
		case c == '"':
			d.at++
			raw := d.data[start:d.at]
			if plain && utf8.Valid(raw) {
				return string(raw[1 : len(raw)-1]), nil
			}
			var s string
			err := json.Unmarshal(raw, &s)
			if text, ok := strings.CutPrefix(s, bytesMark); ok && err == nil {
				s, err = strconv.Unquote(text)
			}
			return s, err
		case c == '\\':
			plain = false
			d.at++
		case c < ' ':
			return "", errDamaged
		}
	}
	return "", errDamaged
}

// scalar reads a number, or true or false.
func (d *decoder) scalar(v reflect.Value) error {
	raw, err := d.raw(0)
	if err != nil {
		return err
	}
	switch {
	case v.Kind() == reflect.Bool:
		if v.SetBool(raw[0] == 't'); raw[0] != 't' && raw[0] != 'f' {
			return errDamaged
		}
		return nil
	case v.CanInt():
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || v.OverflowInt(n) {
			return errDamaged
		}
		v.SetInt(n)
		return nil
	}
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || v.OverflowUint(n) {
		return errDamaged
	}
	v.SetUint(n)
	return nil
}

// raw takes the next value as it stands.
func (d *decoder) raw(depth int) ([]byte, error) {
	if depth > maxNesting {
		return nil, errDamaged
	}
	c := d.next()
	start := d.at
	switch c {
	case '"':
		_, err := d.text()
		return d.data[start:d.at], err
	case '[':
		err := d.each('[', ']', func() error { _, err := d.raw(depth + 1); return err })
		return d.data[start:d.at], err
	case '{':
		err := d.members(func(string) error { _, err := d.raw(depth + 1); return err })
		return d.data[start:d.at], err
	}
	for d.at < len(d.data) && !ends(d.data[d.at]) {
		d.at++
	}
	raw := d.data[start:d.at]
	if !json.Valid(raw) {
		return nil, errDamaged
	}
	return raw, nil
}

// ends reports what can stand behind a number or a word.
func ends(c byte) bool {
	switch c {
	case ',', ']', '}', ':', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// each calls read for each element between two brackets.
func (d *decoder) each(open, shut byte, read func() error) error {
	if !d.take(open) {
		return errDamaged
	}
	if d.take(shut) {
		return nil
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if d.take(shut) {
			return nil
		}
		if !d.take(',') {
			return errDamaged
		}
	}
}

// members calls read for each member of an object, with its name and in front of its value.
func (d *decoder) members(read func(name string) error) error {
	return d.each('{', '}', func() error {
		name, err := d.text()
		if err != nil {
			return err
		}
		if !d.take(':') {
			return errDamaged
		}
		return read(name)
	})
}

func (d *decoder) list(v reflect.Value, depth int) error {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return errUnknown // a text
	}
	n := 0
	err := d.each('[', ']', func() error {
		if n++; v.Kind() == reflect.Array && n > v.Len() {
			_, err := d.raw(depth)
			return err
		}
		if v.Kind() == reflect.Slice {
			if n > v.Cap() {
				v.Grow(1)
			}
			v.SetLen(max(n, v.Len())) // a name that comes twice adds to what is there
		}
		return d.value(v.Index(n-1), depth)
	})
	if err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		if v.SetLen(n); n == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
	}
	for ; v.Kind() == reflect.Array && n < v.Len(); n++ {
		v.Index(n).SetZero()
	}
	return nil
}

func (d *decoder) entries(v reflect.Value, depth int) error {
	t := v.Type()
	if !isString(t.Key()) {
		return errUnknown
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	return d.members(func(name string) error {
		one := reflect.New(t.Elem()).Elem()
		if err := d.value(one, depth); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name), one)
		return nil
	})
}

func (d *decoder) object(v reflect.Value, depth int) error {
	if at, ok := v.Addr().Interface().(*time.Time); ok {
		raw, err := d.raw(depth)
		if err != nil {
			return err
		}
		return at.UnmarshalJSON(raw)
	}
	fields, ok := fieldsOf(v.Type())
	if !ok {
		return errUnknown
	}
	return d.members(func(name string) error {
		for i := range fields {
			if fields[i].name == name && name != "" {
				return d.value(v.Field(i), depth)
			}
		}
		_, err := d.raw(depth)
		return err
	})
}
