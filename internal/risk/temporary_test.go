package risk

import "testing"

// Containers and build machines have the home, moai's folders and the project below
// /tmp. What is the user's there is still the user's, and what a line makes by mktemp
// is nobody's.
func TestWhatLiesBelowTemp(t *testing.T) {
	set := NewSet(builtin(t))
	below := func(in *Input) {
		in.Home, in.Dir, in.Root = "/tmp/u", "/tmp/work/app", "/tmp/work/app"
		in.Unsaved = nil // Git holds nothing
		in.Own = []string{"/tmp/state/moai"}
		in.Exists = func(p string) bool { return p == "/tmp/work/app" || p == "/tmp/work/app/src" || p == "/tmp/u/x.txt" }
	}
	for _, c := range []struct {
		line string
		want Action
	}{
		{"rm -rf ~", Deny},
		{"rm -rf /tmp/u", Deny},
		{"rm -rf ~/projects", Ask},
		{"rm ~/x.txt", Ask},
		{"rm ~/.bashrc", Ask},
		{"cat ~/.ssh/id_rsa", Ask},
		{"rm -f ~/.local/bin/moai", Deny},
		{"rm -rf ~/.local/state/moai", Ask},
		{"rm -rf /tmp/state/moai", Deny},
		{"rm -rf ~/.cache/pip", Allow},
		{"rm -rf src", Checkpoint},
		{"mv src lib", Allow},
		{"mv src /tmp", Checkpoint},
		{"mv src ~/.Trash/", Checkpoint},
		{"rm -rf /tmp/work", Deny},
		{"rm -rf /tmp/w*", Deny},
		{"rm -rf /tmp/*", Deny},
		{"rm -f *.log /tmp/*.out", Allow},
		{"rm -rf /tmp/x", Allow},
		{`d=$(mktemp -d); cp -r src "$d"/; rm -rf "$d"`, Allow},
		{"rm -rf $(mktemp -d)/x", Allow},
		{"rm -rf $(mktemp -d)/../work", Deny},
		{`rm -rf "/tmp/$X"`, Deny}, // it may be the folder that holds the project
		{`python3 -c "import shutil,tempfile; d=tempfile.mkdtemp(); shutil.rmtree(d)"`, Allow},
		{`node -e "const fs=require('fs'),os=require('os');const d=fs.mkdtempSync(os.tmpdir()+'/x');fs.rmSync(d,{recursive:true})"`, Allow},
		{`ruby -e 'require "tmpdir"; d=Dir.mktmpdir; FileUtils.rm_rf(d)'`, Allow},
		{`python3 -c "import shutil,os; shutil.rmtree(os.environ['HOME'])"`, Deny},
		{`export PATH="$HOME/.local/bin:$PATH"`, Allow},
		{`export PATH="$PWD/node_modules/.bin:$PATH"`, Allow},
		{`export PATH="/tmp/x:$PATH"`, Allow},
		{`export PATH="/tmp:$PATH"`, Ask},
		{`export PATH="/tmp/x:$PATH"; cp y /tmp/x/git; git status`, Ask},
	} {
		if v := check(t, set, below, c.line); v.Action != c.want {
			t.Errorf("Check(%s) = %s %v, want %s", c.line, v.Action, v.IDs(), c.want)
		}
	}
}

// A linked work tree of the session's own repository is no scratch, wherever it lies.
func TestOwnWorkTreeBelowTemp(t *testing.T) {
	set := NewSet(builtin(t))
	linked := func(in *Input) { in.Worktrees = func(string, []string) []string { return []string{"/tmp/fix"} } }
	for line, want := range map[string]Action{
		"git -C /tmp/fix reset --hard": Checkpoint, "cd /tmp/fix && git clean -fd": Checkpoint, "git -C /tmp/fix2 reset --hard": Allow,
		"mv /tmp/fix /tmp/other": Ask, "mv /tmp/f* ~/other": Ask, "mv /tmp/fix2 /tmp/other": Allow,
	} {
		if v := check(t, set, linked, line); v.Action != want {
			t.Errorf("Check(%s) = %s %v, want %s", line, v.Action, v.IDs(), want)
		}
	}
}

// Where the home is /tmp itself, nothing there can be told from what may be thrown away.
func TestHomeIsTemp(t *testing.T) {
	set := NewSet(builtin(t))
	for line, want := range map[string]Action{"rm -rf /tmp/x": Allow, "rm -rf ~": Deny} {
		if v := check(t, set, func(in *Input) { in.Home = "/tmp" }, line); v.Action != want {
			t.Errorf("Check(%s) = %s %v, want %s", line, v.Action, v.IDs(), want)
		}
	}
}
