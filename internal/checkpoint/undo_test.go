package checkpoint

import "testing"

// The undo of a restore is as if nothing had been restored: what the restore had made goes again, what came later stays.
func TestUndoDeletesWhatTheRestoreMade(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("new/one", "1\n")
	s.write("new/two", "2\n")
	c := s.create(CreateOptions{Operation: "clean", NoLog: true})
	s.git("clean", "-qfd")
	s.write("a", "in between\n")
	before := s.git("status", "--porcelain", "-uall")
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
	s.write("new/two", "changed since\n")
	s.write("later", "2\n")
	undo := s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{NoLog: true})
	if got := s.git("status", "--porcelain", "-uall"); got != "M a\n?? later\n?? new/two" || len(undo.Deleted) != 1 {
		t.Errorf("status %q, deleted %v; want new/one gone", got, undo.Deleted)
	}
	s.remove("later")
	s.remove("new")
	if got := s.git("status", "--porcelain", "-uall"); got != before {
		t.Errorf("status %q, want %q", got, before)
	}
	s.restore(mustFind(t, s, undo.Safety.Name), RestoreOptions{NoLog: true})
	if got := s.read("new/one") + s.read("new/two") + s.read("later"); got != "1\nchanged since\n2\n" {
		t.Errorf("after the undo of the undo the files hold %q", got)
	}
	// A checkpoint that only says so names no other.
	c.Operation, c.Command = "restore", restoreWords+"../../heads/main"
	if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{NoLog: true}); err != nil || len(p.Delete) != 0 {
		t.Errorf("would delete %v, %v", p.Delete, err)
	}
}
