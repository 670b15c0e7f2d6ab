package lang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/lang"
)

// TestJoin: the answer does not depend on the number of processors.
func TestJoin(t *testing.T) {
	dir, _ := lang.ManyTracked(t)
	for i := range 2 * lang.SplitFrom { // every file has a size, and some a claim
		if i%3 == 2 && i%5 != 0 {
			continue
		}
		name := fmt.Sprintf("%s/src/%c/f%06d%s", dir, 'a'+i/(lang.SplitFrom*2/3), i, []string{".go", ".h", ".py"}[i%3])
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("class Shape {\npublic:\n  int sides;\n};\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report := func(processors int) *lang.Report {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		r, err := lang.Detect(t.Context(), &languages.Table, dir, lang.Options{Projects: true})
		if err != nil {
			t.Fatal(err)
		}
		r.Scan.Opened = 0 // each half opens the first files of its own
		return r
	}
	want, got := report(1), report(4)
	if len(want.Languages) < 3 || len(want.Projects) < 2 {
		t.Fatalf("%d languages, %d projects: the tree is too plain", len(want.Languages), len(want.Projects))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("on one processor (-) and on four (+):\n%s", diff)
	}
}
