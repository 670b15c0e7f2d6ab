package risk_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	table "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
)

func TestCommits(t *testing.T) {
	const at = "/home/dev/code/app"
	one := func(c risk.Commit) []risk.Commit {
		if c.Dir == "" {
			c.Dir = at
		}
		return []risk.Commit{c}
	}
	rows := map[string][]risk.Commit{
		"git commit -m x":                                            one(risk.Commit{Sure: true, After: true}),
		"git status\ngit commit -m x":                                one(risk.Commit{Sure: true}),
		"cd src && git commit -m 'a; b' ":                            one(risk.Commit{Dir: at + "/src", Sure: true}),
		"git -C src commit -qm x":                                    one(risk.Commit{Dir: at + "/src", Sure: true, After: true}),
		"git add -A && git commit -m x":                              one(risk.Commit{Every: true, Sure: true, After: true}),
		"git add . && git commit -m x":                               one(risk.Commit{Paths: []string{at}, Sure: true, After: true}),
		"git add src/a.go src/b.go && git commit -m x":               one(risk.Commit{Paths: []string{at + "/src/a.go", at + "/src/b.go"}, Sure: true, After: true}),
		"git add -u && git commit -m x":                              one(risk.Commit{All: true, Sure: true, After: true}),
		"git commit -am x":                                           one(risk.Commit{All: true, Sure: true, After: true}),
		"git commit -m x main.go":                                    one(risk.Commit{Tracked: []string{at + "/main.go"}, Only: true, Sure: true, After: true}),
		"git commit -i main.go -m x":                                 one(risk.Commit{Tracked: []string{at + "/main.go"}, Sure: true, After: true}),
		"git add -p && git commit -m x":                              one(risk.Commit{After: true}),
		"git commit -p -m x":                                         one(risk.Commit{After: true}),
		"git switch -c x && git add -A && git commit -m y":           one(risk.Commit{Every: true, Sure: true, After: true}),
		"git checkout -b x && git commit -am y":                      one(risk.Commit{All: true, Sure: true, After: true}),
		"git branch x && git commit -am y":                           one(risk.Commit{All: true, Sure: true, After: true}),
		"git switch -c x main && git commit -am y":                   one(risk.Commit{All: true, After: true}),
		"git switch -c $B && git commit -am y":                       one(risk.Commit{All: true, After: true}),
		"git checkout main && git add -A && git commit -m y":         one(risk.Commit{Every: true, After: true}),
		"sed -i s/a/b/ main.go && git commit -am x":                  one(risk.Commit{All: true, After: true}),
		"git add '*.go' && git commit -m x":                          one(risk.Commit{After: true}),
		"bash -c 'git commit -m x'":                                  one(risk.Commit{After: true}),
		"echo git commit -m x":                                       nil,
		"git log --grep 'git commit'":                                nil,
		"git commit --dry-run":                                       nil,
		"git commit --help":                                          nil,
		"ssh host git commit -m x":                                   nil,
		"git stash -m 'before commit'":                               nil,
		"cat <<'E'\ngit commit -m x\nE":                              nil,
		"git commit -m \"$(cat <<'E'\nfix: it\n\ngit commit\nE\n)\"": one(risk.Commit{Sure: true}),
	}
	for line, want := range rows {
		in := risk.World()
		in.Command = line
		got := table.Set().Check(&in).Commits
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
	two := risk.World()
	two.Command = "git commit -am a; git commit --allow-empty -m b"
	got := table.Set().Check(&two).Commits
	if len(got) != 2 || got[1].Sure || !slices.ContainsFunc(got, func(c risk.Commit) bool { return c.All }) {
		t.Errorf("two commits: %+v", got)
	}
}

func TestNoVerifyIsASetting(t *testing.T) {
	for _, action := range []risk.Action{risk.Allow, risk.Ask, risk.Deny} {
		for _, line := range []string{"git commit --no-verify -m x", "git commit -nm x", "git push --no-verify"} {
			in := risk.World()
			in.Command = line
			in.Setting = func(string) risk.Action { return action }
			v := table.Set().Check(&in)
			got := risk.Allow
			for _, h := range v.Hits {
				if h.Rule.Setting != "" {
					got = h.Action
				}
			}
			if got != action {
				t.Errorf("%s with %s: %s", line, action, got)
			}
		}
	}
}
