package lang_test

import (
	"os"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/lang"
)

// BenchmarkDetect runs on the repository that MOAI_BENCH_TREE names, or on this one.
func BenchmarkDetect(b *testing.B) {
	dir := os.Getenv("MOAI_BENCH_TREE")
	if dir == "" {
		dir = "../.."
	}
	for _, bm := range []struct {
		name string
		o    lang.Options
	}{{"cold", lang.Options{}}, {"projects", lang.Options{Projects: true}}, {"cached", lang.Options{Cache: b.TempDir()}}} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := lang.Detect(b.Context(), &languages.Table, dir, bm.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
