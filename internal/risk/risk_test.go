package risk

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

func check(t testing.TB, set *Set, change func(*Input), command string) Verdict {
	t.Helper()
	in := World()
	in.Command = command
	if change != nil {
		change(&in)
	}
	return set.Check(&in)
}

// TestActions is the short list of what must never change: one line for each
// promise of the guard.
func TestActions(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		command string
		want    Action
		rule    string
	}{
		{"ls -la", Allow, ""},
		{"git status --short && ls -la src | head -20", Allow, ""},
		{"rm -rf /", Deny, "fs.delete-root"},
		{"rm -rf ~", Deny, "fs.delete-home"},
		{"sudo -u root -- rm -r -f $HOME", Deny, "fs.delete-home"},
		{"rm -rf src", Checkpoint, "fs.delete-tree"},
		{"rm -rf node_modules", Allow, ""},
		{"rm -rf ../other-app", Ask, "fs.delete-outside"},
		{"cd / && rm -rf home", Deny, "fs.delete-home"},
		{"git reset --hard HEAD~3", Checkpoint, "git.reset-hard"},
		{"git merge topic", Checkpoint, "git.merge"},
		{"git push --force", Ask, "git.push-force"},
		{"git push --force origin main", Deny, "git.push-force-protected"},
		{"dd if=x of=/dev/sda", Deny, "fs.write-device"},
		{"echo 'rm -rf /'", Allow, ""},
		{"git commit -m 'explain git reset --hard and rm -rf /'", Allow, ""},
		{"cat <<'EOF' > notes.md\nrm -rf /\nEOF", Allow, ""},
		{"bash <<'EOF'\nrm -rf /\nEOF", Deny, "fs.delete-root"},
		{"python3 -c 'import os; os.system(\"rm -rf ~\")'", Deny, "fs.delete-home"},
		{"moai risk check 'rm -rf /'", Allow, ""},
		{"moai risk allow list --json", Allow, ""},
		{"moai risk allow --reason list fs.delete-root", Deny, "agent.guard-off"},
		{"moai risk allow fs.delete-root --reason --dry-run", Deny, "agent.guard-off"},
		{"rm -rf '/home/dev/code/app/한글 폴더'", Checkpoint, "fs.delete-tree"},
	} {
		v := check(t, set, nil, c.command)
		rule := ""
		if h := v.First(); h != nil {
			rule = h.Rule.ID
		}
		if v.Action != c.want || rule != c.rule {
			t.Errorf("Check(%q) = %s by %q, want %s by %q", c.command, v.Action, rule, c.want, c.rule)
		}
	}
}

func TestSpanAndTargets(t *testing.T) {
	set := NewSet(builtin(t))
	v := check(t, set, nil, "cd src && rm -rf lib ../docs; git push -f")
	if v.Action != Ask || v.First().Text != "git push -f" {
		t.Errorf("first hit is %q (%s), want the push", v.First().Text, v.Action)
	}
	want := []string{"/home/dev/code/app/src/lib", "/home/dev/code/app/docs"}
	if diff := cmp.Diff(want, v.Targets); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if got := v.Span(); got != [2]int{30, 41} {
		t.Errorf("span = %v, want [30 41]", got)
	}
	if v.Operation != "rm" {
		t.Errorf("operation = %q, want rm", v.Operation)
	}
}

// TestElsewhere: a command on another repository names it, so that the snapshot
// is taken there and not in the project.
func TestElsewhere(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"git reset --hard", nil},
		{"git -C src reset --hard", nil},
		{"git -C ../other-app reset --hard", []string{"/home/dev/code/other-app"}},
		{"cd /srv/site && git merge x", []string{"/srv/site"}},
		{"git -C /srv -C site merge x", []string{"/srv/site"}},
		{"git --git-dir=/srv/site/.git reset --hard", []string{"/srv/site"}},
	} {
		v := check(t, set, nil, c.command)
		if v.Action != Checkpoint {
			t.Errorf("Check(%q) = %s, want checkpoint", c.command, v.Action)
		}
		if diff := cmp.Diff(c.want, v.Targets); diff != "" {
			t.Errorf("Check(%q): targets (-want +got):\n%s", c.command, diff)
		}
	}
}

func TestModes(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		name    string
		change  func(*Input)
		command string
		want    Action
		warned  Action
	}{
		{"off", func(in *Input) { in.Mode = Off }, "rm -rf /", Allow, Allow},
		{"warn on deny", func(in *Input) { in.Mode = Warn }, "rm -rf /", Allow, Deny},
		{"warn keeps checkpoints", func(in *Input) { in.Mode = Warn }, "rm -rf src", Checkpoint, Allow},
		{"unattended", func(in *Input) { in.Unattended = true }, "git push --force", Deny, Allow},
		{"unattended leaves checkpoints", func(in *Input) { in.Unattended = true }, "git merge x", Checkpoint, Allow},
		{"strict asks about the unknown", func(in *Input) { in.Mode = Strict }, `rm -rf "$X"`, Ask, Allow},
		{"standard snapshots the unknown", nil, `rm -rf "$X"`, Checkpoint, Allow},
		{"strict asks about what does not parse", func(in *Input) { in.Mode = Strict }, "if then (", Ask, Allow},
	} {
		v := check(t, set, c.change, c.command)
		if v.Action != c.want || v.Warned != c.warned {
			t.Errorf("%s: Check(%q) = %s (warned %s), want %s (%s)", c.name, c.command, v.Action, v.Warned, c.want, c.warned)
		}
	}
}

func TestTools(t *testing.T) {
	set := NewSet(builtin(t))
	ten := strings.Repeat(`{"new_string":"x"},`, 9) + `{"new_string":"x"}`
	for _, c := range []struct {
		tool, args string
		change     func(*Input)
		want       Action
		rule       string
	}{
		{"Write", `{"file_path":"/home/dev/code/app/CLAUDE.md","content":"x"}`, nil, Checkpoint, "agent.critical-file"},
		{"Edit", `{"file_path":"tsconfig.json","new_string":"x"}`, nil, Allow, ""},
		{"Write", `{"file_path":".env","content":"A=1"}`, nil, Ask, "agent.write-secret-file"},
		{"MultiEdit", `{"file_path":"a.go","edits":[` + ten + `]}`, nil, Checkpoint, "agent.many-edits"},
		{"Edit", `{"file_path":"a.go","new_string":"x"}`, func(in *Input) { in.Edits = 10 }, Checkpoint, "agent.many-edits"},
		{"NotebookEdit", `{"notebook_path":"/etc/x.ipynb","new_source":"x"}`, nil, Ask, "fs.write-system"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Delete File: CLAUDE.md\n*** End Patch"}`, nil, Checkpoint, "agent.critical-file"},
		{"shell", `{"command":["bash","-lc","rm -rf ~"]}`, nil, Deny, "fs.delete-home"},
		{"Bash", `{"command":"rm -rf ~"}`, nil, Deny, "fs.delete-home"},
		{"Grep", `{"pattern":"rm -rf /"}`, nil, Allow, ""},
		{"mcp__postgres__query", `{"sql":"DROP TABLE users"}`, nil, Ask, "sql.drop"},
		{"mcp__postgres__query", `{"sql":"SELECT 1"}`, nil, Allow, ""},
		{"Write", `not json`, nil, Ask, "shell.not-understood"},
	} {
		in := World()
		in.Tool, in.Args = c.tool, []byte(c.args)
		if c.change != nil {
			c.change(&in)
		}
		v := set.Check(&in)
		got := ""
		if h := v.First(); h != nil {
			got = h.Rule.ID
		}
		if v.Action != c.want || got != c.rule {
			t.Errorf("Check(%s %s) = %s by %q, want %s by %q", c.tool, c.args, v.Action, got, c.want, c.rule)
		}
	}
}

func TestVault(t *testing.T) {
	v := check(t, NewSet(builtin(t)), nil, "echo A=1 >> .env")
	if diff := cmp.Diff([]string{"/home/dev/code/app/.env"}, v.Vault); diff != "" {
		t.Errorf("vault (-want +got):\n%s", diff)
	}
}

func TestPathClasses(t *testing.T) {
	for _, c := range []struct {
		path string
		want rule.Class
	}{
		{"/", rule.Root},
		{"//", rule.Root},
		{"/.", rule.Root},
		{"C:/", rule.Root},
		{"/home/dev", rule.Home},
		{"/home", rule.Home},
		{"/Users/kim", rule.Home},
		{"/root", rule.Home},
		{"/etc/hosts", rule.System},
		{"/usr/local/bin/tool", rule.Outside},
		{"/home/dev/code/app", rule.Project},
		{"/home/dev/code/app/.", rule.Project},
		{"/home/dev/code/app/x/../y", rule.Inside},
		{"/home/dev/code/app/.git/HEAD", rule.Inside | rule.Dotgit},
		{"/home/dev/code/app/.github", rule.Inside},
		{"/home/dev/code/apple", rule.Outside},
		{"/home/dev/code", rule.Parent},
		{"/home/dev/code/other-app/x", rule.Other},
		{"/tmp/x", rule.Temp},
		{"/tmpfile", rule.Outside},
		{"/private/var/folders/ab/x", rule.Temp},
		{"/dev/null", rule.Drop},
		{"/dev/sda", rule.Device},
		{"/dev/shm/x", rule.Temp},
		{"src", rule.Inside},
		{"..", rule.Parent},
		{"../../..", rule.Home},
	} {
		in := World()
		k := checker{named: predicates[:], set: &Set{Groups: builtin(t).Groups}, in: &in}
		abs, ok := k.absolute(nil, c.path)
		if !ok {
			t.Errorf("absolute(%q) is not known", c.path)
			continue
		}
		if got := k.classify(abs, false); got != c.want {
			t.Errorf("classify(%q) = %s, want %s", c.path, got, c.want)
		}
	}
}

func TestPathSpellings(t *testing.T) {
	in := World()
	in.Root = "/home/dev/\u110f\u1169\u1103\u1173" // 코드, decomposed as macOS hands it out
	c := checker{named: predicates[:], set: &Set{Groups: builtin(t).Groups}, in: &in}
	if got := c.classify("/home/dev/코드/x", false); got != rule.Inside {
		t.Errorf("a decomposed path below a composed root is %s, want inside", got)
	}
	in.Home = "/Users/\u1100\u1175\u11b7" // 김
	if got := c.classify("/Users/김", false); got != rule.Home {
		t.Errorf("a composed spelling of a decomposed home is %s, want home", got)
	}
	in.Root, in.Fold = "/Users/Kim/App", true
	if got := c.classify("/users/kim/app/x", false); got != rule.Inside {
		t.Errorf("another case is %s, want inside where case does not matter", got)
	}
}

// TestGitFolderSpellings: what a file system takes for .git is guarded as .git.
func TestGitFolderSpellings(t *testing.T) {
	set := NewSet(builtin(t))
	for _, name := range []string{".git", ".GIT", ".Git", "git~1"} {
		if v := check(t, set, nil, "rm -rf "+name+"/objects"); v.Action != Deny {
			t.Errorf("Check(rm -rf %s/objects) = %s %v, want deny", name, v.Action, v.IDs())
		}
	}
}

// TestMountsAreOutside: what is mounted in the project belongs to more than it.
func TestMountsAreOutside(t *testing.T) {
	set := NewSet(builtin(t))
	mount := func(in *Input) {
		in.Mounted = func(p string) bool { return p == "/home/dev/code/app/share" }
	}
	for _, c := range []struct {
		command string
		want    Action
	}{
		{"rm -rf share", Ask},
		{"find share -delete", Ask},
		{"rm -rf src", Checkpoint},
		{"ls share", Allow},
	} {
		if v := check(t, set, mount, c.command); v.Action != c.want {
			t.Errorf("Check(%q) = %s %v, want %s", c.command, v.Action, v.IDs(), c.want)
		}
	}
}

// TestLinkedProject: a project, or a home, that is itself reached through a link is
// not outside of itself.
func TestLinkedProject(t *testing.T) {
	set := NewSet(builtin(t))
	links := func(in *Input) {
		in.Follow = func(p string) string { return strings.Replace(p, "/home/dev", "/data/users/dev", 1) }
	}
	for _, c := range []struct {
		command string
		want    Action
	}{
		{"rm -rf src/", Checkpoint},
		{"rm -rf ./node_modules/", Allow},
		{"rm -rf ~/", Deny},
		{"rm -rf ~/Documents/", Ask},
	} {
		if v := check(t, set, links, c.command); v.Action != c.want {
			t.Errorf("Check(%q) = %s %v, want %s", c.command, v.Action, v.IDs(), c.want)
		}
	}
}

func TestLinksAreFollowed(t *testing.T) {
	set := NewSet(builtin(t))
	links := func(in *Input) {
		in.Follow = func(p string) string {
			return strings.Replace(p, "/home/dev/code/app/link", "/home/dev", 1)
		}
		in.Exists = nil
	}
	for _, c := range []struct {
		command string
		want    Action
	}{
		{"rm -rf link/", Deny},          // what it points to
		{"rm -rf link", Checkpoint},     // the link itself
		{"rm -rf link/Documents", Ask},  // outside after all
		{"echo x > link/.bashrc", Ask},  // the profile
		{"echo x > src/new.txt", Allow}, // nothing to do with it
	} {
		if v := check(t, set, links, c.command); v.Action != c.want {
			t.Errorf("Check(%q) = %s %v, want %s", c.command, v.Action, v.IDs(), c.want)
		}
	}
}

func TestExceptions(t *testing.T) {
	base := NewSet(builtin(t))
	day := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		allow   rule.Allowed
		command string
		want    Action
	}{
		{"rule", rule.Allowed{Rule: "git.push-force"}, "git push -f", Allow},
		{"family", rule.Allowed{Rule: "git.*"}, "git push -f", Allow},
		{"another rule", rule.Allowed{Rule: "git.merge"}, "git push -f", Ask},
		{"path", rule.Allowed{Rule: "fs.delete-outside", Path: "~/scratch"}, "rm -rf ~/scratch/x", Allow},
		{"path and more", rule.Allowed{Rule: "fs.delete-outside", Path: "~/scratch"}, "rm -rf ~/scratch/x ~/Documents", Ask},
		{"path escape", rule.Allowed{Rule: "fs.delete-outside", Path: "~/scratch"}, "rm -rf ~/scratch/../Documents", Ask},
		{"argument", rule.Allowed{Rule: "git.push-force", Argument: "topic"}, "git push -f origin topic", Allow},
		{"other argument", rule.Allowed{Rule: "git.push-force", Argument: "topic"}, "git push -f origin other", Ask},
		{"rules in braces", rule.Allowed{Rule: "git.{merge,push-*}"}, "git push -f", Allow},
		{"argument in braces", rule.Allowed{Rule: "git.push-force", Argument: "{topic,feat/**}"}, "git push -f origin feat/x", Allow},
		{"argument in no brace", rule.Allowed{Rule: "git.push-force", Argument: "{topic,feat/**}"}, "git push -f origin other", Ask},
		{"path in braces", rule.Allowed{Rule: "fs.delete-outside", Path: "~/{scratch,tries}"}, "rm -rf ~/scratch/x ~/tries/y", Allow},
		{"path in no brace", rule.Allowed{Rule: "fs.delete-outside", Path: "~/{scratch,tries}"}, "rm -rf ~/scratch/x ~/Documents", Ask},
		{"folders or none", rule.Allowed{Rule: "fs.delete-outside", Path: "~/scratch/**/x"}, "rm -rf ~/scratch/x ~/scratch/a/b/x", Allow},
		{"folders in front", rule.Allowed{Rule: "fs.delete-outside", Path: "~/scratch/**/x"}, "rm -rf ~/scratch/y", Ask},
		{"too many braces", rule.Allowed{Rule: "fs.delete-outside", Path: "~/" + strings.Repeat("{scratch,}", 9)}, "rm -rf ~/scratch/x", Ask},
		{"until today", rule.Allowed{Rule: "git.push-force", Until: "2026-11-21"}, "git push -f", Allow},
		{"until yesterday", rule.Allowed{Rule: "git.push-force", Until: "2026-11-20"}, "git push -f", Ask},
		{"this session", rule.Allowed{Rule: "git.push-force", Session: "s1"}, "git push -f", Allow},
		{"that session", rule.Allowed{Rule: "git.push-force", Session: "s2"}, "git push -f", Ask},
		{"that project", rule.Allowed{Rule: "git.push-force", Project: "/elsewhere"}, "git push -f", Ask},
	} {
		set := *base
		set.Allows = []rule.Allowed{c.allow}
		v := check(t, &set, func(in *Input) { in.Now, in.Session = day, "s1" }, c.command)
		if v.Action != c.want {
			t.Errorf("%s: Check(%q) = %s, want %s", c.name, c.command, v.Action, c.want)
		}
		if v.Action == Allow && (len(v.Hits) == 0 || v.Hits[0].Allowed == nil) {
			t.Errorf("%s: the hit does not name the exception that let it through", c.name)
		}
	}
}

func TestSays(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"DROP TABLE|VIEW", "select 1; drop  view x", true},
		{"DROP TABLE", "SELECT 'DROP TABLE x'", false},
		{"DROP TABLE", "-- DROP TABLE x\nSELECT 1", false},
		{"DROP TABLE", "/* DROP */ TABLE", false},
		{"DROP TABLE", "/*! DROP TABLE x */", true},
		{"DELETE FROM !WHERE", "DELETE FROM t", true},
		{"DELETE FROM !WHERE", "DELETE FROM t WHERE a", false},
		{"DELETE FROM !WHERE", "SELECT 1 WHERE a; DELETE FROM t", true},
		{"^ UPDATE * SET !WHERE", "UPDATE t SET a = 1", true},
		{"^ UPDATE * SET !WHERE", "SELECT 1 FOR UPDATE", false},
		{"drop (", "db.users.drop()", true},
		{"DROP TABLE", "", false},
	} {
		if got := says(c.pattern, c.text); got != c.want {
			t.Errorf("says(%q, %q) = %t, want %t", c.pattern, c.text, got, c.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	set := NewSet(builtin(t))
	// Keys are put together here so that no scanner takes this file for a leak.
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"aws", "key = AKIA" + "ZQ7T2LW4X5RNV3KD", true},
		{"aws documented", "AKIA" + "IOSFODNN7EXAMPLE", false},
		{"aws in a longer word", "XAKIA" + "ZQ7T2LW4X5RNV3KD", false},
		{"github", "ghp_" + "q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U", true},
		{"github too short", "ghp_abc", false},
		{"private key", "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx7k2Vn9dQpLw8s3RtYbZ5mEoGfHjUi1C", true},
		{"public key", "-----BEGIN PUBLIC KEY-----\nMIIEpAIBAAKCAQEAx7k2Vn9dQpLw8s3RtYbZ5mEoGfHjUi1C", false},
		{"assigned", `api_key = "` + "k9Lw3VbQ7xN2zRt5Hs8JdMf4Pc1Ya0Te" + `"`, true},
		{"assigned placeholder", `api_key = "your_api_key_goes_here_please"`, false},
		{"assigned variable", `api_key = "${API_KEY_FROM_ENVIRONMENT}"`, false},
		{"prose", "rotate the api_key every month, and the ghp_ tokens", false},
		{"repeated", "ghp_" + strings.Repeat("a", 36), false},
		{"telegram", "token = 712345678:AA" + "HkQ2v9xLz0Wb7Xn2Rk5Hs9Jd4Mf6Pc1-a", true},
		{"time of day", "at 10:AA or later", false},
		{"azure storage", "AccountKey=" + strings.Repeat("q8Zt3Lw0Vb7Xn2Rk5Hs9/d4Mf6Pc1+", 3)[:86] + "==", true},
		{"postman", "PMAK-" + "64b1f0c2d3e4a5968778695a-" + "1b2c3d4e5f60718293a4b5c6d7e8f90a1b", true},
		{"xai", "xai-" + strings.Repeat("q8Zt3Lw0Vb7Xn2Rk5Hs9", 4), true},
		{"api token", "CLOUDFLARE_API_TOKEN=\"q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3Uq8Zt\"", true},
		{"password", "password: \"q8Zt3Lw0Vb7Xn2Rk5H\"", true},
		{"password of a test", "password: \"test-password-1234\"", false},
		{"password from settings", "password = os.environ[\"DATABASE_PASSWORD\"]", false},
		{"token of jwt.io", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", false},
		{"korean", "토큰: ghp_" + "q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U", true},
	} {
		if got := len(set.Secrets(c.text)) > 0; got != c.want {
			t.Errorf("%s: Secrets = %t, want %t", c.name, got, c.want)
		}
	}
}

func TestMessagesKeepSecretsOut(t *testing.T) {
	key := "ghp_" + "q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U"
	in := World()
	in.Tool, in.Args = "Write", []byte(`{"file_path":"a.go","content":"`+key+`"}`)
	v := NewSet(builtin(t)).Check(&in)
	if v.Action != Ask {
		t.Fatalf("action = %s, want ask", v.Action)
	}
	if strings.Contains(v.Reason(), key) {
		t.Errorf("the reason repeats the key: %q", v.Reason())
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true},
		{"a*c", "abc", true},
		{"a*c", "abd", false},
		{"?b", "ab", true},
		{"", "", true},
		{"", "x", false},
		{"*.pem", "x.pem", true},
		{"a**b", "ab", true},
		{"[x]", "[x]", true},
	} {
		if got := glob(c.pattern, c.text); got != c.want {
			t.Errorf("glob(%q, %q) = %t, want %t", c.pattern, c.text, got, c.want)
		}
	}
}

func TestCommandOf(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"command":"ls"}`, "ls"},
		{`{"command":["bash","-lc","ls -la"]}`, "ls -la"},
		{`{"command":["rm","a b"]}`, "rm 'a b'"},
		{`{"command":7}`, ""},
		{`[]`, ""},
	} {
		if got := commandOf([]byte(c.args)); got != c.want {
			t.Errorf("commandOf(%s) = %q, want %q", c.args, got, c.want)
		}
	}
}

// TestSecretFilesOfTools shows that a tool that writes credentials is asked about
// whether or not the file is there; an example of them is not, and neither is
// making the first .env from one.
func TestSecretFilesOfTools(t *testing.T) {
	set := NewSet(builtin(t))
	for _, exists := range []bool{false, true} {
		there := func(in *Input) {
			in.Exists = func(string) bool { return exists }
			in.Regular = in.Exists
		}
		for _, file := range []string{".env", "credentials.json", "config/credentials.json", "id_rsa", "deploy.pem", "/home/dev/.aws/credentials"} {
			for _, tool := range []string{"Write", "Edit", "MultiEdit", "write_file"} {
				in := World()
				there(&in)
				in.Tool, in.Args = tool, []byte(`{"file_path":"`+file+`","content":"x","new_string":"x"}`)
				if v := set.Check(&in); v.Action != Ask {
					t.Errorf("%s of %s (there: %t) = %s, want ask", tool, file, exists, v.Action)
				}
			}
		}
		for _, file := range []string{".env.example", ".env.sample", ".env.template", ".env.dist"} {
			in := World()
			there(&in)
			in.Tool, in.Args = "Write", []byte(`{"file_path":"`+file+`","content":"A="}`)
			if v := set.Check(&in); v.Action != Allow {
				t.Errorf("Write of %s (there: %t) = %s %v, want allow", file, exists, v.Action, v.IDs())
			}
		}
		want := Allow
		if exists {
			want = Checkpoint // a copy is kept
		}
		if v := check(t, set, there, "cp .env.example .env"); v.Action != want {
			t.Errorf("cp .env.example .env (there: %t) = %s %v, want %s", exists, v.Action, v.IDs(), want)
		}
	}
}
