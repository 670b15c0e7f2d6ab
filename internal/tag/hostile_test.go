package tag

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// A line made to be slow is not: what one TAG has found out about its line the next one need not. When every
// TAG searched its line anew, it cost sixty times what it costs on a line of its own.
func TestFileBounded(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	took := func(name, text string) time.Duration {
		start := time.Now()
		if len(g.File(name, []byte(text), syntaxOf)) == 0 {
			t.Errorf("%s: no TAG in %q, want the test to look at some", name, text[:100])
		}
		return time.Since(start)
	}
	const size = 1 << 19
	for _, name := range []string{"a.py", "a.md", "a.unknown"} {
		usual := took(name, strings.Repeat("# @CODE:A-001\n", size/14))
		for _, unit := range []string{
			"@CODE:A-001 ", "/* @CODE:A-001 ", "/* @CODE:A-001 */ ", "\"@CODE:A-001 ", "'\\'@CODE:A-001 ", "` @CODE:A-001 ", "\"\"\" @CODE:A-001 ",
			"# @CODE:A-001 ", "<!-- @CODE:A-001 ", strings.Repeat("\"", 50) + "@CODE:A-001", strings.Repeat(" ", 100) + "@CODE:A-001", "x\n@CODE:A-001 `\"\"\"'''",
		} {
			if d := took(name, strings.Repeat(unit, size/len(unit))); d > 20*usual+100*time.Millisecond {
				t.Errorf("%s: half a megabyte of %q took %v, want about the %v of TAGs on lines of their own", name, unit, d, usual)
			}
		}
	}
}

// The memory that a tree takes depends neither on the size of its files nor on the length of their lines, and
// a TAG that was found takes some thirty bytes.
func TestCollectMemory(t *testing.T) {
	const size = 48 << 20
	line := strings.Repeat("x", size) + " // @CODE:LONG-001\n"
	for _, c := range []struct {
		name, text string
		tags       int
		most       uint64 // bytes allocated while looking
	}{
		{"log.txt", strings.Repeat("2026-11-21 user@example.com was here\n", size/37), 0, 8 << 20},
		{"line.js", line, 1, 8 << 20},
		{"many.go", strings.Repeat("// @CODE:MANY-001\n", 200000), 200000, 24 << 20},
	} {
		root := t.TempDir()
		kit.Tree(t, root, map[string]string{c.name: c.text})
		var before, after, kept runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := collect(t, root, "")
		runtime.ReadMemStats(&after)
		runtime.GC()
		runtime.ReadMemStats(&kept)
		if got := after.TotalAlloc - before.TotalAlloc; got > c.most {
			t.Errorf("%s: looking took %d KB, want %d at most", c.name, got>>10, c.most>>10)
		}
		if got := int64(kept.HeapAlloc) - int64(before.HeapAlloc); got > int64(c.tags*40+1<<20) {
			t.Errorf("%s: %d TAGs take %d KB", c.name, c.tags, got>>10)
		}
		n := 0
		for range r.All() {
			n++
		}
		if n != c.tags {
			t.Errorf("%s: %d TAGs, want %d", c.name, n, c.tags)
		}
	}
}

// What opens in one piece of a large file is still open in the next.
func TestCollectLargeLiteral(t *testing.T) {
	root := t.TempDir()
	filler := strings.Repeat("text\n", (chunk+chunk/2)/5)
	kit.Tree(t, root, map[string]string{
		"a.go": "var s = `\n" + filler + "// @CODE:IN-001\n`\n// @CODE:OUT-001\n",
		"b.md": "```\n" + filler + "# @DOC:IN-001\n```\n# @DOC:OUT-001\n",
	})

	for tag := range collect(t, root, "").All() {
		if want := tag.ID == "OUT-001"; tag.Definition != want {
			t.Errorf("%s:%d %s: definition %t, want %t", tag.Path, tag.Line, &tag, tag.Definition, want)
		}
	}
}

func TestCollectOddFiles(t *testing.T) {
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{
		"nulls.go": "// @CODE:A-001\n\x00",
		"late.go":  "// @CODE:A-002\n" + strings.Repeat("x", nulWithin) + "\x00\n// @CODE:A-003\n",
		"utf8.go":  "// @CODE:A-004 \xff\xfe\n\xc3\x28 // @CODE:A-005\n",
		"cr.go":    "// @CODE:A-006\r\n\r// @CODE:A-007\r\n",
		"utf16.go": "\xff\xfe/\x00/\x00 \x00@\x00C\x00",
		"end.go":   "// @CODE:A-008",
	})

	var got []string
	for tag := range collect(t, root, "").All() {
		got = append(got, fmt.Sprintf("%s:%d %s %t", tag.Path, tag.Line, &tag, tag.Definition))
	}
	want := "cr.go:1 @CODE:A-006 true, cr.go:2 @CODE:A-007 true, end.go:1 @CODE:A-008 true, late.go:1 @CODE:A-002 true, late.go:3 @CODE:A-003 true, utf8.go:1 @CODE:A-004 true, utf8.go:2 @CODE:A-005 true"
	if have := strings.Join(got, ", "); have != want {
		t.Errorf("Collect =\n%s, want\n%s", have, want)
	}
}

// Many processes at once leave a whole index behind.
func TestIndexByMany(t *testing.T) {
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("d%d/f.go", i)] = fmt.Sprintf("// @CODE:A-%03d\n", i)
	}
	kit.Tree(t, root, files)
	want := len(found(collect(t, root, "")))
	done := make(chan int)
	for range 8 {
		go func() {
			r, err := Collect(Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(tags(t).Kinds), Index: index})
			if err != nil {
				done <- 0
				return
			}
			done <- len(found(r))
		}()
	}
	for range 8 {
		if got := <-done; got != want {
			t.Errorf("one of many found %d TAGs, want %d", got, want)
		}
	}
	if names, _ := os.ReadDir(filepath.Dir(index)); len(names) != 1 {
		t.Errorf("%d files are left, want the index alone", len(names))
	}
	settle(t)
	collect(t, root, index)
	if r := collect(t, root, index); r.Read != 0 {
		t.Errorf("after many writers %d files are read, want 0", r.Read)
	}
}
