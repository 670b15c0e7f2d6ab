package lang

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"
)

// TestPack: every field of a report comes back, so a field that is added to
// Report and forgotten in pack fails here.
func TestPack(t *testing.T) {
	same := func(r Report) bool {
		w := &pack{}
		w.report(&r)
		p := &pack{in: string(w.out), reading: true}
		var got Report
		p.report(&got)
		diff := cmp.Diff(r, got)
		if diff != "" {
			t.Errorf("(-written +read):\n%s", diff)
		}
		return diff == "" && !p.bad && p.in == ""
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 50}); err != nil {
		t.Error(err)
	}
}

// TestAppendJSON: the hand-written form is the one of the struct tags.
func TestAppendJSON(t *testing.T) {
	same := func(r Report) bool {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(&r); err != nil {
			t.Fatal(err)
		}
		diff := cmp.Diff(want.String(), string(r.AppendJSON(nil)))
		if diff != "" {
			t.Errorf("(-encoding/json +AppendJSON):\n%s", diff)
		}
		return diff == ""
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 50}); err != nil {
		t.Error(err)
	}
	if !same(Report{Dir: "/집/<a> & \"b\"", Languages: []Language{}, Projects: []Project{{}}, Tools: Tools{Test: &Tool{Name: "x"}}, Notes: []string{"\xff", "a\nb"}}) {
		t.Error("special characters differ")
	}
}

// TestPackCut: a kept answer that ends early, or holds other bytes, is never taken
// for one, and never costs more memory than its length.
func TestPackCut(t *testing.T) {
	w := &pack{}
	r := Report{Dir: "/x", Languages: []Language{{ID: "go", Evidence: []string{"a", "b"}}}, Projects: []Project{{Path: "p", Primary: &Primary{ID: "c"}}}}
	w.report(&r)
	for n := range w.out {
		p := &pack{in: string(w.out[:n]), reading: true}
		if p.report(&Report{}); !p.bad {
			t.Errorf("the first %d bytes of %d are read as a whole answer", n, len(w.out))
		}
	}
	g := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := []byte(string(w.out))
		for range 1 + g.IntN(4) {
			data[g.IntN(len(data))] = byte(g.Uint32())
		}
		var got Report
		(&pack{in: string(data), reading: true}).report(&got)
		if len(got.Languages)+len(got.Projects)+len(got.Notes) > len(data) {
			t.Fatalf("%d bytes became %d elements", len(data), len(got.Languages))
		}
	}
}
