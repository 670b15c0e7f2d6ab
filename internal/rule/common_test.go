package rule

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/common.tsv
var common string

// known is how many of the table's languages, counted from the most common, must
// be in the rules. The first one that is not, RPC (.x), comes behind them.
const known = 130

// TestCommonLanguages: the languages that most people use are known by the names
// that Linguist has for them, with its type and all of its extensions. Where it
// knows an extension for one language alone, so do the rules; where several share
// one, somebody claims it.
func TestCommonLanguages(t *testing.T) {
	list, _, err := LoadLanguages(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	byName, byExt := map[string]*Language{}, map[string][]string{}
	for i := range list {
		l := &list[i]
		for _, n := range append(slices.Clone(l.Aliases), l.Name, l.ID) {
			byName[strings.ToLower(n)] = l
		}
		exts := slices.Clone(l.Extensions)
		for j := range l.Claims {
			exts = append(exts, l.Claims[j].On...)
		}
		for _, e := range exts {
			byExt[e] = append(byExt[e], l.ID)
		}
	}
	rows := 0
	for line := range strings.Lines(common) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if rows++; rows > known {
			break
		}
		name, now, kind, own, shared := f[0], f[1], f[2], strings.Fields(f[3]), strings.Fields(f[4])
		l := byName[strings.ToLower(now)]
		if l == nil {
			t.Errorf("%s, the %d. most common language, is in no rule under the name %q", name, rows, now)
			continue
		}
		if byName[strings.ToLower(name)] != l {
			t.Errorf("%s is not found under its older name %q", now, name)
		}
		if l.Kind != kind {
			t.Errorf("%s is %s, for Linguist %s", l.ID, l.Kind, kind)
		}
		for _, e := range own {
			if !slices.Contains(byExt[strings.ToLower(e)], l.ID) {
				t.Errorf("%s, which is %s for Linguist, is %q here", e, now, byExt[strings.ToLower(e)])
			}
		}
		for _, e := range shared {
			// Few files have these, and most of them are in none of the languages.
			if byExt[strings.ToLower(e)] == nil && e != ".tst" && e != ".w" {
				t.Errorf("nobody claims %s, which may be %s", e, now)
			}
		}
	}
	if rows < known {
		t.Errorf("%d rows, want %d and more", rows, known)
	}
}
