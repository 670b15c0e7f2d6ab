package settings

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

const (
	bom = "\ufeff"
	// maxDepth keeps a hostile file from overflowing the parser's stack, which
	// no recover can catch. Real settings are some ten levels deep.
	maxDepth = 200
)

// document is a parsed file together with the edits planned on it.
type document struct {
	marked bool // a byte-order mark was cut off
	text   []byte
	root   hujson.Value
	object *hujson.Object
	edits  []edit
	ends   []int // offsets of line ends, found when a line is asked for
}

// edit replaces text[at:end] by with.
type edit struct {
	at, end int
	with    string
}

func parse(data []byte) (*document, error) {
	d := &document{text: data}
	if rest, ok := bytes.CutPrefix(data, []byte(bom)); ok {
		d.text, d.marked = rest, true
	}
	if at := tooDeep(d.text); at >= 0 {
		return nil, &ShapeError{d.line(at), fmt.Sprintf("nested more than %d levels deep", maxDepth)}
	}
	var err error
	if d.root, err = hujson.Parse(d.text); err != nil {
		return nil, fmt.Errorf("not valid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	obj, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, d.wrong(d.root, "the file", "an object")
	}
	d.object = obj
	return d, d.unique(obj, func(name string) bool { return name == "hooks" })
}

// applied returns the document with its edits made.
func (d *document) applied() (*document, error) {
	if len(d.edits) == 0 {
		return d, nil
	}
	slices.SortStableFunc(d.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	if d.marked {
		out = append(out, bom...)
	}
	last := 0
	for _, e := range d.edits {
		out = append(out, d.text[last:e.at]...)
		out = append(out, e.with...)
		last = e.end
	}
	return parse(append(out, d.text[last:]...))
}

// bytes returns the text of a document without pending edits.
func (d *document) bytes() []byte {
	if d.marked {
		return append([]byte(bom), d.text...)
	}
	return d.text
}

// hooks returns the value of "hooks", nil when there is none.
func (d *document) hooks() (*hujson.Object, error) {
	v := member(d.object, "hooks")
	if v == nil {
		return nil, nil
	}
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.wrong(*v, `"hooks"`, "an object")
	}
	return obj, nil
}

// entry is one entry of moai with the way to it.
// Pointers and numbers are those of the parsed tree: edits need both the bytes
// of an element and its place among its siblings.
type entry struct {
	event   string
	matcher string
	call    call
	groups  *hujson.Array  // the list of the event
	group   *hujson.Object // the element of groups, number inGroups
	list    *hujson.Array  // the group's "hooks"
	value   *hujson.Value  // the element of list, number inList

	inGroups, inList int
}

func (e entry) timeout() float64 {
	obj, ok := e.value.Value.(*hujson.Object)
	if !ok {
		return 0
	}
	v := member(obj, "timeout")
	if v == nil || v.Value.Kind() != '0' {
		return 0
	}
	return v.Value.(hujson.Literal).Float()
}

// own finds the entries of moai. Lists of the wrong shape that could not be
// edited are errors; what is odd inside a foreign entry is not our business.
func (d *document) own() ([]entry, error) {
	hooks, err := d.hooks()
	if hooks == nil || err != nil {
		return nil, err
	}
	if err := d.unique(hooks, func(string) bool { return true }); err != nil {
		return nil, err
	}
	var found []entry
	for i := range hooks.Members {
		m := &hooks.Members[i]
		event := text(&m.Name)
		groups, ok := m.Value.Value.(*hujson.Array)
		if !ok {
			return nil, d.wrong(m.Value, fmt.Sprintf("%q", event), "a list")
		}
		for g := range groups.Elements {
			group, ok := groups.Elements[g].Value.(*hujson.Object)
			if !ok {
				continue // somebody else's mistake; Check names it
			}
			v := member(group, "hooks")
			if v == nil {
				continue
			}
			list, ok := v.Value.(*hujson.Array)
			if !ok {
				continue
			}
			for n := range list.Elements {
				if c, ok := ownCall(&list.Elements[n]); ok {
					found = append(found, entry{
						event: event, matcher: text(member(group, "matcher")), call: c,
						groups: groups, group: group, list: list, value: &list.Elements[n],
						inGroups: g, inList: n,
					})
				}
			}
		}
	}
	return found, nil
}

// unique refuses a name that is there twice: parsers differ in which one
// counts, so that an edit of either could be without effect.
func (d *document) unique(obj *hujson.Object, matters func(name string) bool) error {
	seen := map[string]bool{}
	for i := range obj.Members {
		name := text(&obj.Members[i].Name)
		if seen[name] && matters(name) {
			return &ShapeError{d.line(obj.Members[i].Name.StartOffset), fmt.Sprintf("%q is there twice", name)}
		}
		seen[name] = true
	}
	return nil
}

// wrong is the error for a value of the wrong shape.
func (d *document) wrong(v hujson.Value, what, want string) error {
	return &ShapeError{d.line(v.StartOffset), fmt.Sprintf("%s must be %s, it is %s", what, want, kindName(v))}
}

// line is the number of an offset's line, from 1.
func (d *document) line(offset int) int {
	if d.ends == nil {
		d.ends = []int{}
		for i, c := range d.text {
			if c == '\n' {
				d.ends = append(d.ends, i)
			}
		}
	}
	n, _ := slices.BinarySearch(d.ends, offset)
	return n + 1
}

// kindName is the kind of a value in plain words.
func kindName(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}

// member returns the value of the first member with that name.
func member(obj *hujson.Object, name string) *hujson.Value {
	for i := range obj.Members {
		if text(&obj.Members[i].Name) == name {
			return &obj.Members[i].Value
		}
	}
	return nil
}

// text returns the content of a string, "" for anything else.
func text(v *hujson.Value) string {
	if v == nil || v.Value.Kind() != '"' {
		return ""
	}
	return v.Value.(hujson.Literal).String()
}

// stringList returns a list of texts; ok is false if anything else is in it.
func stringList(v *hujson.Value) ([]string, bool) {
	arr, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	list := make([]string, 0, len(arr.Elements))
	for i := range arr.Elements {
		if arr.Elements[i].Value.Kind() != '"' {
			return nil, false
		}
		list = append(list, text(&arr.Elements[i]))
	}
	return list, true
}

// tooDeep returns the offset where brackets outside of strings and comments
// nest too deep, or -1.
func tooDeep(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '/':
			end := ""
			switch {
			case bytes.HasPrefix(b[i:], []byte("//")):
				end = "\n"
			case bytes.HasPrefix(b[i:], []byte("/*")):
				end = "*/"
			default:
				continue
			}
			n := bytes.Index(b[i+2:], []byte(end))
			if n < 0 {
				return -1
			}
			i += 2 + n + len(end) - 1
		}
	}
	return -1
}
