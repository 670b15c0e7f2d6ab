package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"
	"github.com/go-enry/go-enry/v2/data"
)

// TestCommonTable: the table of common languages that the rules are tested against
// says what Linguist's data says.
func TestCommonTable(t *testing.T) {
	b, err := os.ReadFile("../../internal/rule/testdata/common.tsv")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]enry.Type{"data": enry.Data, "programming": enry.Programming, "markup": enry.Markup, "prose": enry.Prose}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if now, ok := enry.GetLanguageByAlias(f[0]); !ok || now != f[1] {
			t.Errorf("%s is called %q, not %q", f[0], now, f[1])
		}
		if got := enry.GetLanguageType(f[1]); got != types[f[2]] {
			t.Errorf("%s: type %v, not %s", f[1], got, f[2])
		}
		var own, shared []string
		for _, e := range data.ExtensionsByLanguage[f[1]] {
			if len(data.LanguagesByExtension[e]) == 1 {
				own = append(own, e)
			} else {
				shared = append(shared, e)
			}
		}
		slices.Sort(own)
		slices.Sort(shared)
		if strings.Join(own, " ") != f[3] || strings.Join(shared, " ") != f[4] {
			t.Errorf("%s: its own %q, shared %q; not %q, %q", f[1], own, shared, f[3], f[4])
		}
	}
}
