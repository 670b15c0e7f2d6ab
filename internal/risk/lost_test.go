package risk

import "testing"

// TestLostQuestions: in some modes the client answers a question itself. What guards the
// guard stops there, and so does every question about a call that touches a file which
// makes the client do that.
func TestLostQuestions(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		mode, command string
		want          Action
	}{
		{"bypassPermissions", "echo '{\"disableAllHooks\":true}' > .claude/settings.json", Deny},
		{"bypassPermissions", "cd .claude && echo '{}' > settings.json", Deny}, // the client does not see it and would ask: no harm in a no
		{"bypassPermissions", "echo x >> ~/.bashrc", Deny},
		{"bypassPermissions", "cp run.sh .git/hooks/pre-push", Deny},
		{"bypassPermissions", "echo '[[allow]]' >> ~/.config/moai/rules/mine.toml", Deny},
		{"bypassPermissions", "rm -rf .claude", Deny},
		{"bypassPermissions", "git push --force", Ask},
		{"bypassPermissions", "git push --force; echo x > .vscode/tasks.json", Deny},
		{"bypassPermissions", "git push --force && touch .GIT/x", Deny},
		{"bypassPermissions", "git push --force; mv a .husky/b", Deny},
		{"bypassPermissions", "git push --force; rm ~/.npmrc", Deny},
		{"bypassPermissions", "git push --force; cat .git/config", Ask}, // reading changes nothing, and is asked about
		{"bypassPermissions", "echo x > .vscode/tasks.json", Allow},
		{"auto", "git push --force; echo x > .vscode/tasks.json", Deny},
		{"auto", "git push --force", Ask},
		{"plan", "echo x >> .claude/settings.json", Deny},
		{"dontAsk", "echo x >> .claude/settings.json", Ask}, // the client says no by itself
		{"default", "echo x >> .claude/settings.json", Ask},
		{"acceptEdits", "git push --force; echo x > .vscode/tasks.json", Ask},
		{"", "echo x >> .claude/settings.json", Ask},
		{"a mode of next year", "echo x >> .claude/settings.json", Ask},
	} {
		v := check(t, set, func(in *Input) {
			in.Permission = c.mode
			// Where moai is at home there, a rule says no in every mode.
			in.Own, in.Registers = nil, func(string) bool { return false }
		}, c.command)
		if v.Action != c.want {
			t.Errorf("Check(%q) in mode %q = %s by %v, want %s", c.command, c.mode, v.Action, v.IDs(), c.want)
		}
		if lost := v.Lost != ""; lost != (c.want == Deny) {
			t.Errorf("Check(%q) in mode %q: lost is %q", c.command, c.mode, v.Lost)
		}
	}
}

// A tool's call is one like any other, and what a person has allowed is not asked about at all.
func TestLostQuestionsOfTools(t *testing.T) {
	set := NewSet(builtin(t))
	in := Example(`Write {"file_path": ".claude/settings.json", "content": "{\"disableAllHooks\":true}"}`)
	in.Permission = "bypassPermissions"
	if v := set.Check(&in); v.Action != Deny {
		t.Errorf("Write of settings = %s, want deny", v.Action)
	}
	in.Mode = Warn
	if v := set.Check(&in); v.Action >= Ask || v.Warned != Deny {
		t.Errorf("Write of settings in mode warn = %s, warned %s", v.Action, v.Warned)
	}
}

// Where a bound was met nobody can tell whether such a file stands behind it.
func TestLostQuestionBehindABound(t *testing.T) {
	set := NewSet(builtin(t))
	line := "echo a"
	for len(line) < 70_000 {
		line += "; echo a"
	}
	for mode, want := range map[string]Action{"default": Ask, "bypassPermissions": Deny} {
		v := check(t, set, func(in *Input) { in.Permission = mode }, line+"; rm -rf src")
		if len(v.Doubts) == 0 {
			t.Skip("no bound was met")
		}
		if v.Action != want {
			t.Errorf("a line past its bound in mode %s = %s by %v, want %s", mode, v.Action, v.IDs(), want)
		}
	}
}
