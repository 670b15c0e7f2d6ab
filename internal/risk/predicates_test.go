package risk

import (
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// TestPredicates holds the table to what its readers count on: sorted, since names are searched for; said in words; used.
func TestPredicates(t *testing.T) {
	used := map[string]bool{}
	rules := builtin(t)
	for i := range rules.Rules {
		w := &rules.Rules[i].When
		for _, name := range slices.Concat(w.Is, w.Not) {
			used[name] = true
		}
	}
	for _, list := range predicates {
		for i := range list {
			if i > 0 && strings.Compare(list[i-1].name, list[i].name) >= 0 {
				t.Errorf("%s stands behind %s", list[i].name, list[i-1].name)
			}
		}
	}
	all, names := slices.Concat(predicates[:]...), map[string]bool{}
	for i := range all {
		p := &all[i]
		if names[p.name] {
			t.Errorf("%s stands in two parts", p.name)
		}
		names[p.name] = true
		if p.doc == "" || (p.call == nil) == (p.effect == nil) {
			t.Errorf("%s: a predicate is said in words and has one of two functions", p.name)
		}
		if !used[p.name] {
			t.Errorf("%s: no rule names it", p.name)
		}
	}
}

func TestMisused(t *testing.T) {
	for _, c := range []struct {
		programs, is, not []string
		want              string
	}{
		{[]string{"git"}, []string{"pathspec"}, nil, ""},
		{[]string{"hg", "git"}, []string{"pathspec"}, nil, ""},
		{[]string{"hg"}, []string{"pathspec"}, nil, `the predicate "pathspec" is about git`},
		{[]string{"hg"}, nil, []string{"pathspec"}, `the predicate "pathspec" is about git`},
		{nil, []string{"pathspec"}, nil, `the predicate "pathspec" is about git`},
		{nil, nil, []string{"adds-to-git"}, ""},
		{[]string{"hg"}, []string{"unsaved"}, nil, ""},
		{[]string{"hg"}, []string{"unsafed"}, nil, `no predicate is named "unsafed"`},
	} {
		r := &rule.Risk{Programs: rule.NewTexts(c.programs...), When: rule.When{Is: c.is, Not: c.not}}
		if got := strings.Join(Misused(r), "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v is %v not %v: %q, want %q", c.programs, c.is, c.not, got, c.want)
		}
	}
}
