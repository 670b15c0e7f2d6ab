package state

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

type inner struct {
	Path string    `json:"path"`
	At   time.Time `json:"at"`
	Zero time.Time `json:"zero,omitzero"`
	N    int       `json:"n,omitempty"`
}

type named string

// everything has each kind that state is made of.
type everything struct {
	ID     string            `json:"id"`
	Kind   named             `json:"kind,omitempty"`
	Count  int               `json:"count"`
	Small  int8              `json:"small,omitempty"`
	Size   uint32            `json:"size"`
	Flag   bool              `json:"flag,omitempty"`
	List   []inner           `json:"list,omitempty"`
	Words  []string          `json:"words"`
	Pair   [2]int            `json:"pair"`
	Map    map[string]string `json:"map,omitempty"`
	Counts map[string]inner  `json:"counts"`
	Link   *inner            `json:"link,omitempty"`
	Whole  inner             `json:"whole,omitzero"`
	Out    string            `json:"-"`
	Bare   string
	//lint:ignore U1000 what is not exported has to be passed over
	hidden string
}

// Generate makes random values of it; times as JSON keeps them.
func (everything) Generate(r *rand.Rand, size int) reflect.Value {
	word := func() string {
		const letters = "ab/. <>&\"\\\x00\n\u2028é한\xff\U0001f600"
		var b strings.Builder
		all := []rune(letters)
		for range r.Intn(6) {
			b.WriteRune(all[r.Intn(len(all))])
		}
		return b.String()
	}
	one := func() inner {
		return inner{word(), time.Unix(r.Int63n(4e9), r.Int63n(1e9)).UTC(), time.Time{}, r.Intn(3) - 1}
	}
	e := everything{
		ID: word(), Kind: named(word()), Count: int(r.Uint64()), Small: int8(r.Int()), Size: r.Uint32(), Flag: r.Intn(2) == 0,
		Pair: [2]int{r.Int(), -r.Int()}, Bare: word(),
	}
	for range r.Intn(3) {
		e.List, e.Words = append(e.List, one()), append(e.Words, word())
	}
	for range r.Intn(3) {
		if e.Map == nil {
			e.Map, e.Counts = map[string]string{}, map[string]inner{}
		}
		e.Map[word()], e.Counts[word()] = word(), one()
	}
	if r.Intn(2) == 0 {
		link := one()
		e.Link, e.Whole = &link, one()
	}
	return reflect.ValueOf(e)
}

// TestCodec holds what is written, and what is read, to the standard library's.
func TestCodec(t *testing.T) {
	same := func(e everything) bool {
		want, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := encoder{}.value(nil, reflect.ValueOf(&e))
		if !ok || !bytes.Equal(got, want) {
			t.Logf("\ngot  %s\nwant %s", got, want)
			return false
		}
		asIs, err := plain(&e)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := (encoder{plain: true}).value(nil, reflect.ValueOf(&e)); !ok || !bytes.Equal(got, asIs) {
			t.Logf("a line\ngot  %s\nwant %s", got, asIs)
			return false
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, want, "", "\t"); err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{want, indented.Bytes()} {
			var a, b everything
			if unmarshal(text, &a) != nil || json.Unmarshal(text, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Logf("\ngot  %+v\nwant %+v", a, b)
				return false
			}
		}
		return true
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 3000}); err != nil {
		t.Error(err)
	}
}

// TestCodecLeaves: what this package does not know, the standard library writes and reads.
func TestCodecLeaves(t *testing.T) {
	type base struct {
		A int `json:"a"`
	}
	type odd struct {
		base
		Raw   json.RawMessage `json:"raw"`
		Any   any             `json:"any"`
		Bytes []byte          `json:"bytes"`
		Float float64         `json:"float"`
		Quote int             `json:"quote,string"`
		Keys  map[int]string  `json:"keys"`
	}
	v := odd{Raw: json.RawMessage(`{"x":1}`), Any: "y", Bytes: []byte("z"), Float: 1.5, Quote: 7, Keys: map[int]string{1: "a"}}
	for _, v := range []any{&v, &v.Raw, &v.Any, &v.Bytes, &v.Float, &v.Keys, &map[string]any{"a": 1.0}, &[]any{"b"}} {
		want, _ := json.Marshal(v)
		got, err := marshal(v)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("marshal(%T) = %s, %v, want %s", v, got, err, want)
		}
		asIs, _ := plain(v)
		if got, err := Line(v); err != nil || !bytes.Equal(got, asIs) {
			t.Errorf("Line(%T) = %s, %v, want %s", v, got, err, asIs)
		}
		back := reflect.New(reflect.TypeOf(v).Elem())
		if err := unmarshal(got, back.Interface()); err != nil || !reflect.DeepEqual(back.Interface(), v) {
			t.Errorf("unmarshal(%s) = %+v, %v", got, back.Elem(), err)
		}
	}
	if _, err := marshal(struct{ At time.Time }{time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("a year of five digits was written")
	}
}

// TestLineOfRaw: text that is JSON already is a part of the line as it is, but for its blanks; what is none is an error, as for the
// standard library.
func TestLineOfRaw(t *testing.T) {
	type event struct {
		ID      string          `json:"id"`
		Details json.RawMessage `json:"details,omitempty"`
		After   json.RawMessage `json:"after"`
	}
	for _, raw := range []string{`{"a":"<b> & \u003cc\u003e"}`, ` { "a" : [ 1 , 2 ],"n":null } `, "\"\u2028\"", `"x"`, "", `{`, `x`, `{} {}`} {
		v := &event{ID: "<1>", Details: json.RawMessage(raw)}
		want, wrong := plain(v)
		got, err := Line(v)
		if (err == nil) != (wrong == nil) || !bytes.Equal(got, want) {
			t.Errorf("Line of %q = %s, %v, want %s, %v", raw, got, err, want, wrong)
		}
		if _, ok := (encoder{plain: true}).value(nil, reflect.ValueOf(v)); ok != (wrong == nil) {
			t.Errorf("%q was left to the standard library: %t", raw, !ok)
		}
	}
}

// FuzzDecode: a file is damaged for this package where it is for the standard library, and says the same where it is not.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"id":"a","count":-1,"list":[{"path":"p","at":"2026-01-02T03:04:05Z"}],"map":{"a":"b"},"pair":[1,2,3]}`,
		`{"id":null,"words":null,"link":null,"map":null,"count":null,"list":[null],"pair":[]}`,
		`{"unknown":{"a":[1,-2.5e3,true,false,null,"\u00e9"]},"words":[]}`,
		`{"count":1.0}`, `{"count":99999999999999999999}`, `{"size":-1}`, `{"small":300}`, `{"id":1}`, `{"words":{}}`, `{"flag":"true"}`,
		`{"id":"a"`, `{"id":"a",}`, `{"id" "a"}`, `[]`, ``, `null`, ` {} `, `{}x`, `{"id":"\ud800"}`, "{\"id\":\"\xff\"}", "{\"id\":\"\n\"}", `{"x":01}`, `{"x":tru}`,
		`{"whole":{"at":"yesterday"}}`, `{"whole":{"at":null}}`, `{"id":"a","id":"b","list":[{"n":1}],"list":[{"path":"x"}]}`, "{}\x00",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want everything
		gotErr, wantErr := unmarshal(data, &got), json.Unmarshal(data, &want)
		if otherCase(data) {
			return
		}
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v, %v\nwant %+v, %v", data, got, gotErr, want, wantErr)
		}
	})
}

// otherCase reports a document with a name that the standard library takes for one of ours in other letters.
func otherCase(data []byte) bool {
	names := map[string]bool{}
	for _, t := range []reflect.Type{reflect.TypeFor[everything](), reflect.TypeFor[inner]()} {
		fields, _ := fieldsOf(t)
		for _, f := range fields {
			names[f.name] = true
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		if s, ok := token.(string); ok && !names[s] {
			for name := range names {
				if strings.EqualFold(name, s) {
					return true
				}
			}
		}
	}
}

// TestNamesOfBytes holds that names which are no UTF-8 come back as they were, each by itself.
func TestNamesOfBytes(t *testing.T) {
	in := everything{
		Words: []string{"b\xff.csv", "b\xfe.csv", "plain", bytesMark + `"x"`},
		Map:   map[string]string{"k\xff": "1", "k\xfe": "2"},
	}
	b, err := marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out everything
	if err := unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in.Words, out.Words) || !maps.Equal(in.Map, out.Map) {
		t.Errorf("%q %q, want %q %q", out.Words, out.Map, in.Words, in.Map)
	}
}
