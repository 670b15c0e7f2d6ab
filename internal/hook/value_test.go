package hook

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValue(t *testing.T) {
	v, err := Parse(` {"a": "x\n\u00e9\ud83d\ude00", "n": -12.75e1, "big": 123456789012, "yes": true, "none": null,
		"list": [1, "two", {"three": 3}], "a\u0062": "escaped name", "twice": 1, "twice": 2, "bad": "\ud800x\udc00", "huge": 1e999} `)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, got, want string }{
		{"text", v.Get("a").Text(), "x\né😀"},
		{"escaped name", v.Get("ab").Text(), "escaped name"},
		{"half pairs", v.Get("bad").Text(), "\ufffdx\ufffd"},
		{"text of a number", v.Get("n").Text(), ""},
		{"text of nothing", v.Get("nope").Get("deeper").Text(), ""},
		{"last of two", string(v.Get("twice")), "2"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %q, want %q", c.name, c.got, c.want)
		}
	}
	if got := v.Get("n").Int(); got != -127 {
		t.Errorf("Int = %d, want -127", got)
	}
	if got := v.Get("big").Int(); got != 123456789012 {
		t.Errorf("Int = %d, want 123456789012", got)
	}
	if got := v.Get("huge").Int() + v.Get("a").Int() + v.Get("list").Int(); got != 0 {
		t.Errorf("Int of what is no number = %d, want 0", got)
	}
	if got := v.Get("n").Float(); got != -127.5 {
		t.Errorf("Float = %g, want -127.5", got)
	}
	if !v.Get("yes").Bool() || v.Get("a").Bool() || v.Get("none").Present() || !v.Get("yes").Present() || v.Get("nope").Present() {
		t.Error("Bool or Present is wrong")
	}
	var items []string
	for item := range v.Get("list").Items() {
		items = append(items, string(item))
	}
	if want := []string{"1", `"two"`, `{"three": 3}`}; !reflect.DeepEqual(items, want) {
		t.Errorf("Items = %q, want %q", items, want)
	}
	for range v.Get("list").Items() {
		break // stopping early must not panic
	}
	var list []any
	if err := v.Get("list").Decode(&list); err != nil || len(list) != 3 {
		t.Errorf("Decode = %v, %v", list, err)
	}
}

func TestParseSaysWhereItBroke(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": }`:         "byte 6: '}' where a value should begin",
		`{"a": 1,}`:       "byte 8: '}' where a name in quotes should begin",
		`{"a" 1}`:         "byte 5: '1' where a colon should be",
		`{"a": "x`:        "byte 8: the input ends inside a string",
		`{"a": 1} {}`:     "byte 9: '{' after the end of the JSON object",
		`["a"]`:           "byte 0: '[' where a JSON object should begin",
		`{"a": tru}`:      "byte 6: 't' where a value should begin",
		"{\"a\": \"\x01":  "byte 7: '\\x01' inside a string, where it must be escaped",
		`{"a": "\x"}`:     "byte 8: 'x' after a backslash",
		`{"a": -}`:        "byte 7: '}' where a digit should be",
		`{"한": 1 "글": 2}`: "byte 10: '\"' where a comma or the end of an object should be",
	} {
		if _, err := Members(in, nil); err == nil || err.Error() != want {
			t.Errorf("Members(%q) = %v, want %q", in, err, want)
		}
	}
}

func TestNesting(t *testing.T) {
	for depth, want := range map[int]bool{100: true, maxDepth: true, maxDepth + 1: false, 2_000_000: false} {
		deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, err := Parse(deep); (err == nil) != want {
			t.Errorf("Parse of depth %d: %v", depth, err)
		}
	}
}

// A value that no parser has seen must not break anything.
func TestBrokenValues(t *testing.T) {
	for _, v := range []Value{`{`, `{"a"`, `{"a":`, `[`, `[1`, `"`, `"\`, `"\u12"`, `-`, `{"a":1,"b"`, "\xff"} {
		_ = v.Text() + v.Get("a").Text()
		_ = v.Int() + int64(v.Float())
		for range v.Items() {
		}
		if text, err := json.Marshal(v); err != nil || string(text) != "null" {
			t.Errorf("Marshal(%q) = %s, %v, want null", string(v), text, err)
		}
	}
	if text, err := json.Marshal(map[string]Value{"a": `{"b": 1}`, "c": `"\"\u0000한\n\\"`, "d": ""}); err != nil || string(text) != `{"a":{"b":1},"c":"\"\u0000한\n\\","d":null}` {
		t.Errorf("Marshal = %s, %v", text, err)
	}
}

// Any agrees with encoding/json on every value, and with it refuses numbers that are too large.
func TestAny(t *testing.T) {
	deep := strings.Repeat(`[{"a":`, maxAny) + `[1, "\u00e9", null]` + strings.Repeat(`}]`, maxAny)
	for _, in := range []string{
		`{}`, `[]`, `null`, `true`, `false`, `-12.5e3`, `0`, `"x\n"`, `{"a":{"b":[1,"two",null,true,{}]},"a":2,"\u0062":"\ud83d\ude00\ud800x"}`, deep, `[1e999]`, `{"a":1e-999}`,
		strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
	} {
		var want any
		errWant := json.Unmarshal([]byte(in), &want)
		v, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := v.Any(); ok != (errWant == nil) || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("Any of %.80s = %v, %v, want %v, %v", in, got, ok, want, errWant)
		}
	}
}

// A text ends, or is refused, at the same byte wherever that stands among the eight that are looked at together.
func TestPlain(t *testing.T) {
	for _, filler := range []string{"a", " ", "\x7f", "\x80", "\xff", "#", "[", "!", "]"} {
		for length := range 40 {
			for at := range length + 1 {
				for _, c := range []string{"", `"`, `\`, "\x00", "\x1f", " ", "\xa2", "\xdc", "!"} {
					s := strings.Repeat(filler, at) + c + strings.Repeat(filler, length-at) + `"`
					want := strings.IndexFunc(s, func(r rune) bool { return r == '"' || r == '\\' || r < ' ' })
					if got := plain(s, 0); got != want {
						t.Fatalf("plain(%q) = %d, want %d", s, got, want)
					}
				}
			}
		}
	}
}

// FuzzMembers compares with encoding/json: the same texts are objects, with the same members and the same texts in them.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, `{"a":{"b":[1,2.5e-3,"x",null,true]},"a":"\u00e9\n"}`, `[]`, `"x"`, `{"a":01}`, `{"a":"\ud83d\ude00\ud800"}`, ` {"x" : [ ] } `,
		`{"a":"` + "\x7f" + `"}`, `{"":""}`, `{"a":-0}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"\u0061":"b"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if !utf8.ValidString(in) {
			return // the decoder replaces it before anything is parsed
		}
		var want map[string]json.RawMessage
		errWant := json.Unmarshal([]byte(in), &want)
		got, err := Members(in, nil)
		blank := strings.Trim(in, " \t\r\n")
		if blank == "" || blank == "null" {
			return // empty input is an empty payload
		}
		if (err == nil) != (errWant == nil) {
			t.Fatalf("Members(%q): %v, encoding/json: %v", in, err, errWant)
		}
		if err != nil {
			return
		}
		last := map[string]Value{}
		for _, m := range got {
			last[m.Name] = m.Value
		}
		if len(last) != len(want) {
			t.Fatalf("Members(%q) = %v, want %v", in, got, want)
		}
		for name, v := range last {
			if string(want[name]) != string(v) {
				t.Fatalf("member %q of %q = %s, want %s", name, in, v, want[name])
			}
			var x any
			errX := json.Unmarshal(want[name], &x)
			if got, ok := v.Any(); ok != (errX == nil) || ok && !reflect.DeepEqual(got, x) {
				t.Fatalf("Any of %s = %v, %v, want %v, %v", v, got, ok, x, errX)
			}
			checkValue(t, v)
		}
	})
}

func checkValue(t *testing.T, v Value) {
	t.Helper()
	var want any
	if err := v.Decode(&want); err != nil {
		if strings.Contains(err.Error(), "cannot unmarshal number") {
			return // out of range; 0 is fine
		}
		t.Fatalf("%s: %v", v, err)
	}
	switch want := want.(type) {
	case string:
		if got := v.Text(); got != want {
			t.Fatalf("Text(%s) = %q, want %q", v, got, want)
		}
	case float64:
		if got := v.Float(); got != want {
			t.Fatalf("Float(%s) = %g, want %g", v, got, want)
		}
	case bool:
		if got := v.Bool(); got != want {
			t.Fatalf("Bool(%s) = %v", v, got)
		}
	case []any:
		n := 0
		for item := range v.Items() {
			checkValue(t, item)
			n++
		}
		if n != len(want) {
			t.Fatalf("%s has %d items, want %d", v, n, len(want))
		}
	case map[string]any:
		for name := range want {
			checkValue(t, v.Get(name))
		}
	}
}

func BenchmarkMembers(b *testing.B) {
	in := `{"session_id":"819245e8-3ac4-476d-adec-31dc07216006","cwd":"/home/dev/app","effort":{"level":"medium"},"tool_input":{"command":"` +
		strings.Repeat("echo out; ", 20) + `"}}`
	into := make([]Member, 0, 16)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Members(in, into); err != nil {
			b.Fatal(err)
		}
	}
}
