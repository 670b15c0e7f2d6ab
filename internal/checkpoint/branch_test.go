package checkpoint

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Branches get pushed: their commits say no more than program and operation, and hold neither the index nor what is secret.
func TestBranchSaysLittle(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("staged", "secret in the index\n")
	s.git("add", "staged")
	s.write("staged", "plain\n")
	s.write("own", "mine\n")
	c := s.create(CreateOptions{
		Operation: "reset-hard", Command: "git reset --hard hunter2", Program: "git", Session: "s1", Message: "own words", Branch: true, NoLog: true,
		Sensitive: func(string, []byte) bool { return false },
	})
	if got, want := s.git("log", "-1", "--format=%B", c.Branch), "checkpoint: before reset-hard\n\nMoai-Operation: reset-hard\nMoai-Program: git\nMoai-Time: "+c.Time.UTC().Format(stampFormat); strings.TrimSpace(got) != want {
		t.Errorf("message of the branch:\n%s\nwant\n%s", got, want)
	}
	if got := s.git("log", "-1", "--format=%B", c.Ref); !strings.Contains(got, "git reset --hard hunter2") || !strings.Contains(got, "own words") {
		t.Errorf("the hidden reference has lost its message:\n%s", got)
	}
	if got, want := s.git("rev-list", "--parents", "-1", c.Branch), 2; len(strings.Fields(got)) != want {
		t.Errorf("the branch has more parents than HEAD: %s", got)
	}
}

// Three branches stay, and the hidden references of all.
func TestBranchesAreFew(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	s.git("branch", "checkpoint/mine")
	var list []*Checkpoint
	for i := range 6 {
		s.write("a", fmt.Sprint(i))
		list = append(list, s.create(CreateOptions{Operation: "rm", Branch: i != 3, NoLog: true, Now: now.Add(time.Duration(i) * time.Minute)}))
		if i == 0 {
			s.git("branch", "-f", list[0].Name, "main") // somebody works on it
		}
	}
	left := strings.Fields(s.git("for-each-ref", "--format=%(refname)", "refs/heads/checkpoint"))
	want := []string{list[0].Branch, list[2].Branch, list[4].Branch, list[5].Branch, "refs/heads/checkpoint/mine"}
	if fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("branches left:\n%v\nwant\n%v", left, want)
	}
	if all, err := List(s.open()); err != nil || len(all) != 6 {
		t.Errorf("List = %d checkpoints, %v", len(all), err)
	}
}
