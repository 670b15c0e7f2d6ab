package handle

import (
	"os/exec"
	"testing"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// A branch that is not there needs no snapshot before it is deleted; whatever cannot be told gets one.
func TestMovesNothing(t *testing.T) {
	_, dir := testHandlers(t, nil)
	if out, err := exec.Command("git", "-C", dir, "update-ref", "refs/remotes/origin/topic", "HEAD").CombinedOutput(); err != nil {
		t.Fatalf("git: %v\n%s", err, out)
	}
	branch, other := rule.Risk{Operation: "branch-delete", Pins: rule.PinNamed | rule.PinHeads}, rule.Risk{Operation: "rm"}
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
		{"git branch -D nosuch -", &branch, false},
		{"git checkout -B nosuch", &branch, true},
		{"git checkout -Bnosuch", &branch, true},
		{"git checkout -B main", &branch, false},
		{"git checkout -qBmain", &branch, false},
		{"git switch --force-create=main", &branch, false},
		{"git switch -C nosuch main", &branch, false},
		{"git branch -D nosuch", &other, false},
	} {
		v := &risk.Verdict{Hits: []risk.Hit{{Rule: row.rule, Text: row.text}}}
		if got := movesNothing(dir, v); got != row.want {
			t.Errorf("movesNothing(%q, %s) = %t, want %t", row.text, row.rule.Operation, got, row.want)
		}
	}
}

// A pattern for names that begin with a dot takes the history along, and with it every snapshot.
func TestPickedHistories(t *testing.T) {
	_, dir := testHandlers(t, nil)
	tree, file := rule.Risk{When: rule.When{Effect: rule.DeleteTree}}, rule.Risk{When: rule.When{Effect: rule.Write}}
	for _, row := range []struct {
		pattern string
		rule    *rule.Risk
		want    bool
	}{
		{dir + "/.[!.]*", &tree, true},
		{dir + "/.*", &tree, true},
		{dir + "/.g*", &tree, true},
		{dir + "/.[a-z]*", &tree, true},
		{dir + "/*", &tree, false},
		{dir + "/.e*", &tree, false},
		{dir + "/src/.*", &tree, false},
		{dir + "/.*", &file, false},
	} {
		v := &risk.Verdict{Hits: []risk.Hit{{Rule: row.rule, Targets: []risk.Target{{Path: dir, Pattern: row.pattern}}}}}
		if got := len(pickedHistories(v)) == 1; got != row.want {
			t.Errorf("pickedHistories(%q) = %t, want %t", row.pattern, got, row.want)
		}
	}
}
