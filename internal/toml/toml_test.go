package toml

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

type doc struct {
	Rule []struct {
		ID     string `toml:"id"`
		Hits   []string
		Max    *int           `toml:"max"`
		On     bool           `toml:"on"`
		Share  float64        `toml:"share"`
		Any    any            `toml:"any"`
		Values map[string]any `toml:"values"`
		Args   struct {
			Sub   any                 `toml:"sub"`
			Calls map[string][]string `toml:"calls"`
		} `toml:"args"`
	} `toml:"rule"`
}

// said are the faults of a document, a line each.
func said(text string, into any) string {
	d, err := Parse([]byte(text))
	if err != nil {
		return err.Error()
	}
	var list []string
	for _, f := range d.Decode(into) {
		list = append(list, f.Error())
	}
	return strings.Join(list, "\n")
}

// TestFaults: what is wrong is said with its line, all of it, in order, and the same each time.
func TestFaults(t *testing.T) {
	const good = "[[rule]]\nid = \"a\"\nhits = [\n  \"x = { # }\",\n]\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"good", good + "any = { a = [{ b = 1 }] }\n[rule.values]\nx = 1\n[rule.args.calls]\ntree = [\"rm\"]\n", ""},
		{"mark", Mark + good, ""},
		{"unknown of the second", good + good + "whi = 1\n", `line 11: unknown key "rule.whi"`},
		{"unknown in both", good + "whi = 1\n" + good + "whi = 1\n", "line 6: unknown key \"rule.whi\"\nline 12: unknown key \"rule.whi\""},
		{"unknown inside a table in a line", good + "args = { sub = \"x\",\n  subb = 1 }\n", `line 7: unknown key "rule.args.subb"`},
		{"unknown table", good + "[other]\na = 1\nb = 2\n", `line 6: unknown key "other"`},
		{"unknown dotted", good + "[x]\n", `line 6: unknown key "x"`},
		{"unknown with dots in it", "\n\"a.b\" = 1\n", `line 2: unknown key "a.b"`},
		{"behind text of several lines", "[[rule]]\nid = \"\"\"\n[[rule]]\nid = 1 \\\"\"\"\n\"\"\"\"\"\nhits = '''\n'''\n", "line 6: rule.hits is text, not a list"},
		{"type of the first of two", "[[rule]]\nid = 3\n[[rule]]\nid = \"b\"\n", "line 2: rule.id is a whole number, not text"},
		{"two types", "[[rule]]\non = \"no\"\nmax = 1.5\n", "line 2: rule.on is text, not true or false\nline 3: rule.max is a number, not a whole number"},
		{"map", "[[rule]]\nvalues = 3\n[[rule]]\nvalues = {}\n", "line 2: rule.values is a whole number, not a table"},
		{"map of lists", "[[rule]]\n[rule.args]\ncalls = { tree = \"rm\" }\n", "line 3: rule.args.calls.tree is text, not a list"},
		{"item of a list", "[[rule]]\nhits = [\"a\", 3, 4]\n", "line 2: rule.hits holds a whole number, not text"},
		{"date for text", "[[rule]]\nid = 2026-12-31\n", "line 2: rule.id is a date or time, not text"},
		{"table for a list", "[rule]\nid = \"a\"\n", "line 1: rule is a table, not a list"},
		{"table by its keys alone", "\nrule.id = \"a\"\n", "line 2: rule is a table, not a list"},
		{"whole number for a number", "[[rule]]\nshare = 1\n", ""},
		{"one field twice", "[[rule]]\nid = \"a\"\nID = \"b\"\n", "line 3: the keys \"id\" and \"ID\" are the same"},
		{"one field twice, neither as it is", "[[rule]]\nId = \"a\"\nID = \"b\"\n", "line 2: the keys \"ID\" and \"Id\" are the same"},
		{"other case", "[[rule]]\nID = \"a\"\nhits = []\n", ""},
		{"out of range", "[[rule]]\nmax = 99999999999999999999\n", "line 2: 99999999999999999999 is out of range for int64"},
		{"table twice", "[a]\nx = 1\n\n[a]\n", "line 4: Key 'a' has already been defined"},
		{"key twice", "a = 1\nb = 2\na = 3\n", "line 3: Key 'a' has already been defined"},
		{"unended table", "\n[a\nx = 1\n", "line 2: expected '.' or ']' to end table name, but got '\\n' instead"},
		{"unended text", "a = 1\nb = \"x\nc = 2\n", "line 2: strings cannot contain newlines"},
		{"unended text of lines", "a = '''\n\n", "line 2: unexpected EOF; expected \"'''\""},
		{"bad escape in the middle", "a = \"\"\"\n\n\\q\n\"\"\"\n", "line 3: invalid escape in string '\\q'"},
		{"no UTF-8", "a = 1\nb = \"\xff\"\n", "line 2: is not UTF-8 here"},
		{"UTF-16", "\xff\xfea\x00", "line 1: is not UTF-8 here"},
		{"NUL", "a\x00 = 1\n", "line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 5 { // Go's maps have another order each time
				if got := said(c.text, &doc{}); got != c.want {
					t.Fatalf("%q:\n%s\nwant:\n%s", c.text, got, c.want)
				}
			}
		})
	}
}

func TestDecodeFills(t *testing.T) {
	var d doc
	if got := said("[[rule]]\nID = \"a\"\nhits = [\"b\"]\nmax = 0\nany = [\"x\"]\nvalues = { k = 1 }\nargs.sub = \"s\"\n", &d); got != "" {
		t.Fatal(got)
	}
	r := d.Rule[0]
	if got := fmt.Sprintf("%v %v %v %v %v %v", r.ID, r.Hits, *r.Max, r.Any, r.Values, r.Args.Sub); got != "a [b] 0 [x] map[k:1] s" {
		t.Errorf("decoded %s", got)
	}
}

// hostile are documents that cost a parser more than they weigh, by their size in bytes.
var hostile = map[string]func(size int) string{
	"lists in lists":            func(n int) string { return "a = " + strings.Repeat("[", n) },
	"lists in lists, closed":    func(n int) string { return "a = " + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"tables in tables":          func(n int) string { return "a = " + strings.Repeat("{a=", n/3) },
	"tables in lists":           func(n int) string { return "a = " + strings.Repeat("[{a=", n/4) },
	"a key of many parts":       func(n int) string { return "a" + strings.Repeat(".a", n/2) + " = 1" },
	"quoted parts":              func(n int) string { return "a = {b" + strings.Repeat(".''", n/3) + " = 1}" },
	"a header of many parts":    func(n int) string { return "[a" + strings.Repeat(".a", n/2) + "]" },
	"a list's header of parts":  func(n int) string { return "[[a" + strings.Repeat(" . a", n/4) + "]]" },
	"keys of a long table":      func(n int) string { return "[" + strings.Repeat("a", n/2) + "]\n" + keys(n/2, "%x=1\n") },
	"keys of a long table line": func(n int) string { return strings.Repeat("a", n/2) + "={" + keys(n/2, "%x=1,") + "}" },
	"lists of a long table":     func(n int) string { return strings.Repeat("a", n/2) + "=[" + strings.Repeat("{a=1},", n/12) + "]" },
	"deep tables":               func(n int) string { return keys(n, "[[a"+strings.Repeat(".a", 60)+"]]\nb%x=1\n") },
	"tables twice":              func(n int) string { return strings.Repeat("[a]\n", n/4) },
	"headers":                   func(n int) string { return keys(n, "[a%x]\n") },
	"lists of tables":           func(n int) string { return strings.Repeat("[[a]]\n", n/6) },
	"dotted headers":            func(n int) string { return keys(n, "[a.b.c.d%x]\n") },
	"keys":                      func(n int) string { return keys(n, "%x=1\n") },
	"keys nobody knows":         func(n int) string { return "[[rule]]\n" + keys(n, "k%x=1\n") },
	"spellings":                 func(n int) string { return "[[rule]]\n" + spellings("known_example_of_a_rule", n) },
	"values of a wrong type":    func(n int) string { return strings.Repeat("[[rule]]\nid=1\n", n/14) },
	"one long list":             func(n int) string { return "a = [" + strings.Repeat("1,", n/2) + "]" },
	"comments":                  func(n int) string { return strings.Repeat("#\n", n/2) },
	"comments in a list":        func(n int) string { return "a = [" + strings.Repeat("#\n", n/2) + "]" },
	"a long text":               func(n int) string { return `a = """` + strings.Repeat("\\\n", n/2) + `"""` },
	"escapes":                   func(n int) string { return `a = "` + strings.Repeat(`\u0041`, n/6) + `"` },
	"backslashes":               func(n int) string { return `a = """` + strings.Repeat(`\\`, n/2) + `"""` },
	"quotes":                    func(n int) string { return "a = " + strings.Repeat(`"`, n) },
	"lone quotes":               func(n int) string { return "a = '''" + strings.Repeat(`'' `, n/3) },
	"underscores":               func(n int) string { return "a = 1" + strings.Repeat("_1", n/2) },
	"digits":                    func(n int) string { return "a = 0." + strings.Repeat("1", n) },
	"dots":                      func(n int) string { return strings.Repeat(".", n) },
	"empty lines":               func(n int) string { return strings.Repeat("\r\n", n/2) },
	"a mistake at the end":      func(n int) string { return keys(n, "%x=1\n") + "[" },
}

func keys(size int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// spellings writes one key in capitals and small letters in all ways.
func spellings(key string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size && i < 1<<len(key); i++ {
		for j, c := range key {
			if i&(1<<j) != 0 {
				c = []rune(strings.ToUpper(string(c)))[0]
			}
			b.WriteRune(c)
		}
		b.WriteString("=[]\n")
	}
	return b.String()
}

// TestHostile: what a document costs grows as it does, and never with the square. Memory is counted, since it is the same each time.
func TestHostile(t *testing.T) {
	for name, make := range hostile {
		half, whole := cost(make(32<<10)), cost(make(64<<10))
		t.Logf("%-28s %7d KiB  %.1f times that of half of it", name, whole>>10, float64(whole)/float64(half))
		if whole > 3*half && whole > 4<<20 || whole > 24<<20 {
			t.Errorf("%s: 32 KiB take %d KiB, 64 KiB take %d", name, half>>10, whole>>10)
		}
	}
}

// cost is how many bytes of memory it takes to read a text.
func cost(text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if d, err := Parse([]byte(text)); err == nil {
		d.Decode(&doc{})
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkHostile says what each costs in time.
func BenchmarkHostile(b *testing.B) {
	for name, make := range hostile {
		text := []byte(make(64 << 10))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if d, err := Parse(text); err == nil {
					d.Decode(&doc{})
				}
			}
		})
	}
}

// TestUnread: a text that is not read for what it costs is told from one that is no TOML.
func TestUnread(t *testing.T) {
	for _, name := range []string{"lists in lists, closed", "tables in tables", "a key of many parts", "quoted parts", "a header of many parts", "keys of a long table", "keys of a long table line"} {
		_, err := Parse([]byte(hostile[name](64 << 10)))
		var f *Fault
		if !errors.Is(err, ErrUnread) || !errors.As(err, &f) {
			t.Errorf("%s: %v, want ErrUnread and a Fault", name, err)
		}
	}
	if _, err := Parse([]byte(strings.Repeat("#", MaxSize+1))); !errors.Is(err, ErrUnread) {
		t.Errorf("too large: %v", err)
	}
	if _, err := Parse([]byte("a =")); errors.Is(err, ErrUnread) || err == nil {
		t.Errorf("no TOML: %v", err)
	}
	deep := "a" + strings.Repeat(".a", maxDepth-1) + " = 1"
	if _, err := Parse([]byte(deep)); err != nil {
		t.Errorf("as deep as may be: %v", err)
	}
}

// TestPlaces: the scanner finds the keys that the parser finds, in every rule file of ours.
func TestPlaces(t *testing.T) {
	files, _ := filepath.Glob("../../rules/*/*.toml")
	if len(files) < 100 {
		t.Fatalf("%d rule files", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		compare(t, d)
		s := scanner{text: data, line: 1, most: 1 << 30}
		if s.document(); s.names > 4*len(data) {
			t.Errorf("%s: the names of its keys are %d bytes, of %d", file, s.names, len(data))
		}
	}
}

// compare holds the places to the keys: as many, and the line has the key's last part, where that is written plainly.
func compare(t *testing.T, d *Document) {
	t.Helper()
	at, lines := places(d.text), strings.Split(string(d.text), "\n")
	all := d.meta.Keys()
	if len(at) != len(all) {
		t.Fatalf("%d places of %d keys in %q", len(at), len(all), d.text)
	}
	for i, k := range all {
		last := k[len(k)-1]
		if bare(last) && !strings.Contains(string(d.text), "\\") && !strings.Contains(lines[at[i]-1], last) {
			t.Fatalf("key %v is not in line %d of %q", k, at[i], d.text)
		}
	}
}

func bare(s string) bool {
	for _, c := range s {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// FuzzParse: no text makes it panic or hang, and the scanner and the parser find the same keys.
func FuzzParse(f *testing.F) {
	for _, make := range hostile {
		f.Add(make(200))
	}
	f.Add("a.b = {c = [\n{d=1}, {e.f='''x''''', \"g\" = 2}],\n# c\n}\n[[h.'i']]\nj=1979-05-27T07:32:00Z\n")
	f.Add("[[rule]]\nid = \"\"\"a\\\"\"\"\"\"\nargs = {sub = [\"x\"], calls = {a = []}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "cannot be read: ") {
				t.Logf("the parser fails on %q: %v", text, err)
			}
			return
		}
		compare(t, d)
		var v doc
		first := fmt.Sprint(d.Decode(&v))
		for _, one := range d.Decode(&v) {
			if one.Line < 1 || one.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: %v has no line", text, one)
			}
		}
		if again := fmt.Sprint(d.Decode(&doc{})); strings.Contains(first, "line") && !strings.Contains(again, "line") {
			t.Fatalf("%q: %s, then %s", text, first, again)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var w strings.Builder
	for i := range 50 {
		fmt.Fprintf(&w, "[[rule]]\nid=\"r.x%d\"\nhits=[\"p a\",\"p b\"]\nmax=1\non=true\nany=[\"d\"]\nargs={sub=\"x\",calls={a=[\"x\"]}}\n", i)
	}
	text := []byte(w.String())
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("afford", func(b *testing.B) {
		for b.Loop() {
			if err := afford(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	d, _ := Parse(text)
	b.Run("walk", func(b *testing.B) {
		for b.Loop() {
			d.Strange(reflect.TypeFor[doc]())
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if f := d.Decode(&doc{}); f != nil {
				b.Fatal(f[0])
			}
		}
	})
}
