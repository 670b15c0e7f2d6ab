package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTwoInOneSecond(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	var names []string
	for i := range 12 {
		s.write("a", fmt.Sprint(i))
		names = append(names, s.create(CreateOptions{Operation: "rm", NoLog: true, Now: now}).Short())
	}
	if names[1] != "before-rm-20260506T070809.001Z" || names[11] != "before-rm-20260506T070809.011Z" {
		t.Errorf("names %v", names)
	}
	list, err := List(s.open())
	if err != nil || len(list) != 12 {
		t.Fatalf("List: %d, %v", len(list), err)
	}
	for i, c := range list {
		if c.Short() != names[11-i] {
			t.Errorf("@%d is %s, want %s", i+1, c.Short(), names[11-i])
		}
	}
}

func TestFind(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	day := time.Date(2026, 5, 6, 10, 0, 0, 0, time.Local)
	if _, err := Find(s.open(), ""); !errors.Is(err, ErrNone) {
		t.Errorf("Find without any: %v", err)
	}
	var all []*Checkpoint
	for i, op := range []string{"rm", "merge", "reset-hard"} {
		s.write("a", op)
		all = append(all, s.create(CreateOptions{Operation: op, NoLog: true, Now: day.Add(time.Duration(i) * time.Hour)}))
	}
	r := s.open()
	now := day.Add(5 * time.Hour)
	for id, want := range map[string]*Checkpoint{
		"": all[2], "@1": all[2], "@3": all[0], "merge": all[1], all[0].Name: all[0], all[0].Short(): all[0], all[1].Ref: all[1],
		"refs/heads/" + all[1].Name: all[1], "before 10:30": all[0], "before 11:30": all[1], "before 2026-05-06 12:30": all[2], all[1].Commit.String()[:8]: all[1],
	} {
		c, err := find(r, id, now)
		if err != nil || c.Name != want.Name {
			t.Errorf("Find(%q) = %v, %v; want %s", id, c, err, want.Name)
		}
	}
	for id, want := range map[string]string{"before-": "fits 3", "@4": "@1 to @3", "nope": "no such", "before 09:00": "none is older", "before lunch": "cannot read", "rm": "no such"} {
		if _, err := find(r, id, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%q): %v, want %q", id, err, want)
		}
	}
}

func TestLogAndHistory(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("a", "2\n")
	c := s.create(CreateOptions{Operation: "rm", Command: "curl -H 'Authorization: Bearer abc' https://u:pw@x.org", Mask: func(string) string { return "curl ***" }, Session: "s"})
	if got := s.git("status", "--porcelain"); got != "M a" {
		t.Errorf("the log shows in git status: %q", got)
	}
	if again := s.create(CreateOptions{Operation: "rm"}); !again.Reused {
		t.Error("the log itself changes the snapshot")
	}
	old := `{"timestamp": "2025-10-15T12:00:00.123456", "branch": "before-merge-20251015-120000", "operation": "merge"}
---
checkpoint_id: before-delete-20251016-080000
operation: delete
timestamp: 2025-10-16T08:00:00
is_safety: False
---
---
checkpoint_id: before-restore-20251016-090000
operation: restore
timestamp: 2025-10-16T09:00:00.5
is_safety: True
---
2025-10-17 10:00:00 checkpoint/before-rm-1697012345 rm of build
{"timestamp": 1697012345, "branch": "checkpoint/before-rm-1697012345", "description": "rm"}
{ torn line
`
	log := s.read(LogName)
	s.write(LogName, old+log)
	h, err := History(s.open())
	if err != nil || len(h) != 7 {
		t.Fatalf("History = %d records, %v: %+v", len(h), err, h)
	}
	want := []string{"merge", "delete", "restore", "rm of build", "rm", "rm", "rm"}
	for i, rec := range h {
		if rec.Operation != want[i] || rec.Timestamp.IsZero() || rec.Branch == "" {
			t.Errorf("record %d = %+v", i, rec)
		}
	}
	if last := h[5]; last.Branch != c.Name || last.Commit != c.Commit.String() || strings.Contains(last.Command, "abc") || strings.Contains(last.Command, "pw") {
		t.Errorf("last record %+v", last)
	}
	if used := h[6]; h[5].Reused || !used.Reused || used.Branch != c.Name || used.Commit != c.Commit.String() || used.Timestamp.Before(h[5].Timestamp) {
		t.Errorf("record of its use again %+v", used)
	}
	// A .moai that leads elsewhere is not followed.
	s.remove(".moai")
	outside := t.TempDir()
	os.Symlink(outside, filepath.Join(s.dir, ".moai"))
	c = s.create(CreateOptions{Operation: "rm"})
	if ents, _ := os.ReadDir(outside); len(ents) != 0 || len(c.Warnings) != 1 {
		t.Errorf("written through a link: %v, warnings %v", ents, c.Warnings)
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in, want string
		mask     func(string) string
	}{
		{"a\nb\tc", "a b c", func(s string) string { return s }},
		{"git push https://bob:hunter2@acme.io/x", "git push ***", func(string) string { return "git push ***" }},
		{"mysql -phunter2 db", "mysql", nil}, // what hides secrets is missing
		{"", "", nil},
	} {
		if got := line(c.in, c.mask); got != c.want {
			t.Errorf("line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := line(strings.Repeat("가", 1000), func(s string) string { return s }); len([]rune(got)) != maxCommand+1 || !strings.HasSuffix(got, "…") {
		t.Errorf("long command: %d bytes", len(got))
	}
}

func TestReasonIsNoTrailer(t *testing.T) {
	c := &Checkpoint{Skipped: []Skip{{Path: "d/", Why: "its .git is in x\nMoai-Pin: " + strings.Repeat("1", 40) + " refs/heads/main"}}}
	var back Checkpoint
	if back.decode(c.encode()); len(back.Pins) != 0 || len(back.Skipped) != 1 {
		t.Errorf("read back as %+v", back)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("rm", "rm -rf x", "own words\nMoai-Operation: evil", "path (with) parens", "why")
	f.Add("a", "", "", "line\nbreak", "x")
	f.Fuzz(func(t *testing.T, op, cmd, msg, path, reason string) {
		if path == "" || strings.ContainsAny(reason, "()\n") || reason == "" {
			return
		}
		c := &Checkpoint{Operation: slug(op), Command: line(cmd, func(s string) string { return s }), Message: strings.TrimSpace(msg), Skipped: []Skip{{Path: path, Why: reason}}, Nested: []string{path}}
		var back Checkpoint
		back.decode(c.encode())
		if back.Operation != c.Operation || back.Command != c.Command || len(back.Skipped) != 1 || back.Skipped[0].Path != path || len(back.Nested) != 1 || back.Nested[0] != path {
			t.Errorf("%+v is read back as %+v", c, back)
		}
	})
}
