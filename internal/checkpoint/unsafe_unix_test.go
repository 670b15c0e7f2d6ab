//go:build unix

package checkpoint

import (
	"runtime"
	"testing"
)

// What a restore refuses to write for its name is named when the snapshot is taken, and counts as lost where it is in danger.
func TestUnsafeNamesAreLeftOut(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("some of the names mean .git here")
	}
	s := newSandbox(t)
	s.commit("a")
	names := []string{"git~1/z", "z/.GIT/config", "y/.git /x"}
	for _, name := range names {
		s.write(name, "z\n")
	}
	s.write("plain", "1\n")
	c := s.create(CreateOptions{Operation: "clean", NoLog: true, InDanger: func(Skip) bool { return true }})
	for _, name := range names {
		found := 0
		for _, k := range append(c.Skipped[:len(c.Skipped):len(c.Skipped)], c.Lost...) {
			if k.Path == name {
				found++
			}
		}
		if found != 2 {
			t.Errorf("%s is not named as left out and lost: %v, %v", name, c.Skipped, c.Lost)
		}
	}
	if len(c.Skipped) != len(names) || c.Stats.Untracked != 1 {
		t.Errorf("left out %v, %d untracked", c.Skipped, c.Stats.Untracked)
	}
}
