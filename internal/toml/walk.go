package toml

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// walk holds a document to a type. The library alone is no judge of that: it passes over unknown keys, takes anything for
// a map, names the last key of a name where any of them is wrong, and takes whichever of id and ID comes last from a map of Go.
type walk struct {
	types   map[reflect.Type]map[string]reflect.Type
	wrong   int // faults
	strange int // keys without a place, and those below them
	// Where lines is set, faults are made, each with its place: the n-th value of a name has the n-th line.
	lines  map[string][]int
	seen   map[string]int
	faults []*Fault
}

// value looks at one value, whose key is path; verb is what its key does with it.
func (w *walk) value(v any, t reflect.Type, path []string, verb string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Interface:
		return
	case reflect.Struct, reflect.Map:
		table, ok := v.(map[string]any)
		if !ok {
			w.mismatch(v, "a table", path, verb)
			return
		}
		w.table(table, t, path)
	case reflect.Slice, reflect.Array:
		switch list := v.(type) {
		case []any:
			for _, one := range list {
				w.value(one, t.Elem(), path, "holds")
			}
		case []map[string]any:
			for _, one := range list {
				w.value(one, t.Elem(), path, "holds")
			}
		default:
			w.mismatch(v, "a list", path, verb)
		}
	default:
		if want, ok := plain(v, t.Kind()); !ok {
			w.mismatch(v, want, path, verb)
		}
	}
}

// table looks at the keys of a table.
func (w *walk) table(table map[string]any, t reflect.Type, path []string) {
	var taken map[string]string // field → the key that has it, where that is spelt in another way
	if w.lines == nil {
		for key := range table {
			w.key(table, key, t, nil, &taken)
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(table)) { // so that the same is said each time
		w.key(table, key, t, append(path[:len(path):len(path)], key), &taken)
	}
}

// key looks at one key of a table.
func (w *walk) key(table map[string]any, key string, t reflect.Type, path []string, taken *map[string]string) {
	w.came(path)
	if t.Kind() == reflect.Map {
		w.value(table[key], t.Elem(), path, "is")
		return
	}
	if of, ok := w.exact(t)[key]; ok {
		w.value(table[key], of, path, "is")
		return
	}
	f, ok := field(t, key)
	if !ok {
		w.strange += 1 + keysIn(table[key])
		if w.wrong++; w.lines != nil {
			w.fault(path, fmt.Sprintf("unknown key %q", shown(path)))
		}
		return
	}
	first, both := (*taken)[f.Name]
	if _, exact := table[f.spelt()]; exact {
		first, both = f.spelt(), true
	}
	if both {
		if w.wrong++; w.lines != nil {
			w.fault(path, fmt.Sprintf("the keys %q and %q are the same", first, key))
		}
		return
	}
	if *taken == nil {
		*taken = map[string]string{}
	}
	(*taken)[f.Name] = key
	w.value(table[key], f.Type, path, "is")
}

// exact are the types of the fields of t, by their keys as the type spells them.
func (w *walk) exact(t reflect.Type) map[string]reflect.Type {
	if types := w.types[t]; types != nil {
		return types
	}
	types := map[string]reflect.Type{}
	spell(t, types)
	if w.types == nil {
		w.types = map[reflect.Type]map[string]reflect.Type{}
	}
	w.types[t] = types
	return types
}

func spell(t reflect.Type, types map[string]reflect.Type) {
	for i := range t.NumField() {
		switch p := (place{t.Field(i)}); {
		case p.Anonymous && p.Tag.Get("toml") == "":
			spell(p.Type, types)
		case p.IsExported():
			types[p.spelt()] = p.Type
		}
	}
}

// came notes that a key has come once more.
func (w *walk) came(path []string) {
	if w.lines != nil {
		w.seen[joined(path)]++
	}
}

func (w *walk) mismatch(v any, want string, path []string, verb string) {
	if w.wrong++; w.lines != nil {
		w.fault(path, fmt.Sprintf("%s %s %s, not %s", shown(path), verb, kind(v), want))
	}
}

func (w *walk) fault(path []string, text string) {
	name, line := joined(path), 0
	if at := w.lines[name]; len(at) > 0 {
		line = at[min(max(w.seen[name], 1), len(at))-1]
	}
	w.faults = append(w.faults, &Fault{Line: line, Text: clip(text)})
}

// shown is a key as people write it.
func shown(path []string) string { return strings.Join(path, ".") }

// plain says whether v fits a field of a plain kind, and what the field wants.
func plain(v any, k reflect.Kind) (want string, ok bool) {
	switch k {
	case reflect.String:
		_, ok = v.(string)
		return "text", ok
	case reflect.Bool:
		_, ok = v.(bool)
		return "true or false", ok
	case reflect.Float32, reflect.Float64:
		_, whole := v.(int64)
		_, ok = v.(float64)
		return "a number", ok || whole
	}
	_, ok = v.(int64)
	return "a whole number", ok
}

// kind names the kind of a value.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	}
	return "a list"
}

// place is the field that a key goes to.
type place struct{ reflect.StructField }

// Key is the key of a field, see [place.spelt].
func Key(f reflect.StructField) string { return place{f}.spelt() }

// spelt is the field's key: as its tag writes it, or its name in lower case.
func (p place) spelt() string {
	name, _, _ := strings.Cut(p.Tag.Get("toml"), ",")
	if name == "" {
		return strings.ToLower(p.Name)
	}
	return name
}

// field is the field for a key that no field has as it is: the decoder takes one in other case.
func field(t reflect.Type, key string) (found place, ok bool) {
	for f := range t.Fields() {
		p := place{f}
		if p.Anonymous && p.Tag.Get("toml") == "" {
			if p, ok = field(p.Type, key); ok {
				return p, true
			}
			continue
		}
		if p.IsExported() && strings.EqualFold(p.spelt(), key) {
			return p, true
		}
	}
	return found, false
}

// keysIn counts all keys in a value.
func keysIn(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			n += keysIn(one)
		}
	case []map[string]any:
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
