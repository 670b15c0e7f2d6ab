package risk_test

import (
	"slices"
	"testing"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// GIT_DIR and GIT_WORK_TREE make git work elsewhere, from the line or inherited: what is
// saved is there, and here.
func TestGitVariables(t *testing.T) {
	for _, row := range []struct {
		command string
		env     map[string]string
		want    []string
	}{
		{"git reset --hard", nil, nil},
		{"git reset --hard", map[string]string{"GIT_DIR": "/srv/other/.git"}, []string{"/srv/other", "/home/dev/app"}},
		{"GIT_DIR=/srv/other/.git git reset --hard", nil, []string{"/srv/other", "/home/dev/app"}},
		{"GIT_DIR=/srv/a/.git git reset --hard", map[string]string{"GIT_DIR": "/srv/b/.git"}, []string{"/srv/a", "/home/dev/app"}},
		{"git reset --hard", map[string]string{"GIT_WORK_TREE": "/srv/tree"}, []string{"/srv/tree", "/home/dev/app"}},
		{"git reset --hard", map[string]string{"GIT_WORK_TREE": "/srv/tree", "GIT_DIR": "/srv/other/.git"}, []string{"/srv/tree", "/srv/other", "/home/dev/app"}},
		// A place for throw-away files does not make the work here one.
		{"git reset --hard", map[string]string{"GIT_DIR": "/tmp/x/.git"}, []string{"/tmp/x", "/home/dev/app"}},
		{"export GIT_DIR=/tmp/x/.git; git reset --hard", nil, []string{"/tmp/x", "/home/dev/app"}},
		{"ls", map[string]string{"GIT_DIR": "/srv/other/.git"}, nil},
	} {
		v := risktable.Set().Check(&risk.Input{
			Tool: "Bash", Command: row.command, Dir: "/home/dev/app", Root: "/home/dev/app", Home: "/home/dev",
			Env: func(name string) (string, bool) { v, ok := row.env[name]; return v, ok },
		})
		if action := v.Action; (action == risk.Checkpoint) != (row.command != "ls") {
			t.Errorf("%s with %v: %v", row.command, row.env, action)
		}
		var got []string
		for _, h := range v.Hits {
			for _, target := range h.Targets {
				got = append(got, target.Path)
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s with %v: %q, want %q", row.command, row.env, got, row.want)
		}
	}
}

// Where a call can mean two things, the stricter answer counts, and all that is in danger.
func TestEither(t *testing.T) {
	check := func(command, home string, allows ...rule.Allowed) risk.Verdict {
		set := risktable.Set()
		set.More = risk.NewSet(&rule.Risks{Allows: allows})
		return set.Check(&risk.Input{
			Tool: "Bash", Command: command, Dir: "/home/dev/app", Root: "/home/dev/app", Home: home,
			Exists: func(string) bool { return true },
		})
	}
	for _, row := range []struct {
		command string
		want    risk.Action
	}{
		{"rm -rf ~", risk.Deny},
		{"rm -rf /data/me", risk.Deny}, // the one home
		{"rm -rf /home/dev/app/h", risk.Deny},
		{"ls ~", risk.Allow},
	} {
		one, two := check(row.command, "/data/me"), check(row.command, "/home/dev/app/h")
		for _, v := range []risk.Verdict{risk.Either(one, two), risk.Either(two, one)} {
			if v.Action != row.want {
				t.Errorf("%s: %v, want %v", row.command, v.Action, row.want)
			}
			if len(v.Hits) > 1 && v.Hits[0].Rule.ID == v.Hits[1].Rule.ID && v.Hits[0].Span == v.Hits[1].Span {
				t.Errorf("%s: %s is told twice", row.command, v.Hits[0].Rule.ID)
			}
		}
	}
	// An exception that is for one of the two does not let the other through.
	allow := rule.Allowed{Rule: "fs.*", Path: "/home/dev/app/**", Reason: "test"}
	if v := risk.Either(check("rm -rf ~/x", "/home/dev/app", allow), check("rm -rf ~/x", "/data/me", allow)); v.Action < risk.Ask {
		t.Errorf("an exception for one of two: %v", v.Action)
	}
}
