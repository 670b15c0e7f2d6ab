package jit

import (
	"os"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// contexts is the real table, read from the rules.
func contexts(t testing.TB) []rule.Context {
	t.Helper()
	table, err := rule.LoadContexts(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRules(t *testing.T) {
	table := contexts(t)
	for i := range table {
		r := &table[i]
		for _, f := range Check(table, i) {
			t.Errorf("%s:%d: %s: %s", r.File, r.Line, r.ID, f)
		}
	}
}
