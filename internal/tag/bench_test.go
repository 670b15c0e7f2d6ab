package tag

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// BenchmarkCollect is a tree of 2,000 small files in 100 directories, a tenth of them with a TAG.
func BenchmarkCollect(b *testing.B) {
	root, index := b.TempDir(), filepath.Join(b.TempDir(), "tags.idx")
	if at := os.Getenv("MOAI_BENCH_TREE"); at != "" {
		root = at
	} else {
		files := map[string]string{}
		for i := range 2000 {
			text := "package x\n\nfunc f() { _ = \"mail@example.com\" }\n"
			if i%10 == 0 {
				text += fmt.Sprintf("// @CODE:BENCH-%03d\n", i%1000)
			}
			files[fmt.Sprintf("d%02d/f%d.go", i%100, i)] = text
		}
		kit.Tree(b, root, files)
		time.Sleep(time.Duration(settled))
	}
	o := Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(tags(b).Kinds)}
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Collect(o); err != nil {
				b.Fatal(err)
			}
		}
	})
	o.Index = index
	if _, err := Collect(o); err != nil {
		b.Fatal(err)
	}
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r, err := Collect(o); err != nil || r.Read > 0 {
				b.Fatal(r.Read, err)
			}
		}
	})
}

// BenchmarkScan is one file of a megabyte with many at signs and few TAGs.
func BenchmarkScan(b *testing.B) {
	g := NewGrammar(tags(b).Kinds)
	var text []byte
	for i := 0; len(text) < 1<<20; i++ {
		text = append(text, "  \"@scope/package\": \"^1.2.3\", // someone@example.com\n"...)
		if i%500 == 0 {
			text = append(text, "// @CODE:BENCH-001 | SPEC: SPEC-BENCH-001.md\n"...)
		}
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		g.File("a.go", text, syntaxOf)
	}
}
