package handle

import (
	"os/exec"
	"testing"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// A branch that is not there needs no snapshot before it is deleted; whatever cannot be told gets one.
func TestDeletesNothing(t *testing.T) {
	_, dir := testHandlers(t, nil)
	if out, err := exec.Command("git", "-C", dir, "update-ref", "refs/remotes/origin/topic", "HEAD").CombinedOutput(); err != nil {
		t.Fatalf("git: %v\n%s", err, out)
	}
	branch, other := rule.Risk{Operation: "branch-delete"}, rule.Risk{Operation: "rm"}
	for _, row := range []struct {
		text string
		rule *rule.Risk
		want bool
	}{
		{"git branch -D nosuch", &branch, true},
		{"git branch -D nosuch neither", &branch, true},
		{"git branch -D main", &branch, false},
		{"git branch -D nosuch main", &branch, false},
		{"git branch -D $(cat names)", &branch, false},
		{"git -C elsewhere branch -D nosuch", &branch, false},
		{"git branch -rD origin/topic", &branch, false},
		{"git branch -rD origin/nosuch", &branch, true},
		{"git branch -D", &branch, false},
		{"git branch -D nosuch", &other, false},
	} {
		v := &risk.Verdict{Hits: []risk.Hit{{Rule: row.rule, Text: row.text}}}
		if got := deletesNothing(dir, v); got != row.want {
			t.Errorf("deletesNothing(%q, %s) = %t, want %t", row.text, row.rule.Operation, got, row.want)
		}
	}
}
