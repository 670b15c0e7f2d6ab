package rule

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// StrangeKeys counts the keys of a file of risk rules that no such file has. Refusing them
// one by one costs the decoder the size of the file for each, so whoever reads the files of
// others counts first. A file that is no TOML has none: its first mistake ends the reading.
func StrangeKeys(data []byte) int {
	var doc map[string]any
	if toml.Unmarshal(bytes.TrimPrefix(data, []byte(mark)), &doc) != nil {
		return 0
	}
	return strange(doc, reflect.TypeFor[rawRisks]())
}

// strange counts the keys of v that a value of type t has no place for.
func strange(v any, t reflect.Type) (n int) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			n += strange(one, t)
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return 0 // any key will do, or none: then that is the one mistake
		}
		for key, one := range v {
			if f, ok := fieldOf(t, key); ok {
				n += strange(one, f)
			} else {
				n += 1 + keysIn(one)
			}
		}
	}
	return n
}

// fieldOf is the type of the field for a key, by the rules of the decoder.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if name == "" {
			name = f.Name
		}
		if f.Anonymous && f.Tag.Get("toml") == "" {
			if inner, ok := fieldOf(f.Type, key); ok {
				return inner, true
			}
		}
		if strings.EqualFold(name, key) {
			return f.Type, true
		}
	}
	return nil, false
}

// keysIn counts all keys in a value that is strange as a whole.
func keysIn(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			n += keysIn(one)
		}
	case map[string]any:
		for _, one := range v {
			n += 1 + keysIn(one)
		}
	}
	return n
}
