package risk_test

import (
	"fmt"
	"testing"

	"github.com/modu-ai/moai/generated/risks"
)

// What a line may print of files, as whoever ran it has read it.
func TestShows(t *testing.T) {
	set := risks.Set()
	for line, want := range map[string]string{
		"cat a.go":                            "[{[/w/a.go]}]",
		"cat a.go b.go | head -50":            "[{[/w/a.go /w/b.go]}]",
		"cd sub && sed -n 1,20p a.go":         "[{[/w/sub/1,20p /w/sub/a.go]}]",
		"cat < a.go":                          "[{[/w/a.go]}]",
		"git diff":                            "[{[]}]",
		"git diff HEAD -- a.go":               "[{[/w/HEAD /w/a.go]}]",
		"ls a.go":                             "[]",
		"git status; git diff --stat; pwd":    "[]",
		"git diff --stat -p":                  "[{[]}]",
		"git log --oneline -5":                "[]",
		"git log --oneline -p":                "[{[]}]",
		"cat *.go":                            "[{[]}]",
		"cat $F":                              "[{[]}]",
		"git diff --name-only | xargs cat":    "[{[]}]",
		"for f in a b; do cat \"$f\"; done":   "[{[/w/a]} {[/w/b]}]",
		"go test ./...":                       "[{[]}]",
		"python3 -c 'print(open(\"a\"))'":     "[{[]}]",
		"grep -rn foo":                        "[{[/w/foo]}]",
		"echo ok && go vet ./... && cat a.go": "[{[]}]",
		"if":                                  "[{[]}]",
		// nothing of the file is printed
		"head -c0 a.go":                       "[]",
		"head -c 0 a.go; tail -n0 a.go":       "[]",
		"head --lines=0 a.go; head -0 a.go":   "[]",
		"head -n5 a.go":                       "[{[/w/a.go]}]",
		"false && cat a.go":                   "[]",
		"true || cat a.go; echo ok || cat b":  "[]",
		"false || cat a.go":                   "[{[/w/a.go]}]",
		"test -f x && cat a.go":               "[{[/w/a.go]}]",
		"cat a.go > /dev/null":                "[]",
		"cat a.go &>/dev/null":                "[]",
		"cat a.go 2> /dev/null":               "[{[/w/a.go]}]",
		"grep -q x a.go; grep -rl x .":        "[]",
		"grep -c x a.go; rg -l x; rg --files": "[]",
		"grep -n x a.go":                      "[{[/w/x /w/a.go]}]",
	} {
		if got := fmt.Sprint(set.Shows(line, "/w", "/h")); got != want {
			t.Errorf("%s shows %s, want %s", line, got, want)
		}
	}
}
