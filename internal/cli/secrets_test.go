package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
)

// planted is a text and the parts of it that must not be seen again.
type planted struct {
	id, text string
	parts    []string
}

// plantedSecrets are the examples of rules/secrets, each with a secret of its own: a key of every format that has a prefix, and every hit.
func plantedSecrets(t *testing.T) (formats, lines []planted) {
	t.Helper()
	all, err := rule.LoadSecrets(os.DirFS("../.."))
	kit.Must(t, err)
	for i := range all.Formats {
		f := &all.Formats[i]
		if len(f.Prefixes) == 0 || f.Dots != "" || f.Back > 0 || len(f.Near) > 0 || f.Chars == "login" || f.Chars == "dsn" || f.Chars == "basic" || f.Chars == "slash" || f.Chars == "colons" {
			continue // these have hits
		}
		// Not the same characters as those of another format.
		text, parts := secret.Expand(strings.Repeat(" ", i) + f.Prefixes[0] + fmt.Sprintf("{%s:%d}", f.Chars, max(f.Min, f.Mask)))
		formats = append(formats, planted{f.ID, strings.TrimSpace(text), parts})
	}
	for i, e := range all.Examples {
		switch {
		case e.Hit && e.Format:
			text, parts := secret.Expand(strings.Repeat(" ", i) + e.Text)
			var long []string
			for _, p := range parts {
				if len(p) > 8 {
					long = append(long, p)
				}
			}
			formats = append(formats, planted{e.ID, strings.TrimSpace(text), long})
		case e.Hit:
			word := fmt.Sprintf("hunter%dXq", 1000+i)
			lines = append(lines, planted{e.ID, strings.ReplaceAll(e.Text, "HIDDEN", word), []string{word}})
		}
	}
	return formats, lines
}

// share is what a test takes of the secrets that several tests send through moai: every third, beginning with the n-th, so that together
// they send all of them. MOAI_SECRETS=all, the nightly run, has each test send all.
func share(all []planted, n int) (list []planted) {
	if os.Getenv("MOAI_SECRETS") == "all" {
		return all
	}
	for i := n; i < len(all); i += 3 {
		list = append(list, all[i])
	}
	return list
}

// plantedFiles are the files that must not be published for what is in them, each with a secret of its own.
func plantedFiles(t *testing.T) (list []planted) {
	t.Helper()
	a, err := txtar.ParseFile("../secret/testdata/withheld.txtar")
	kit.Must(t, err)
	for i, f := range a.Files {
		word, digits := fmt.Sprintf("hunter%dXq", 5000+i), fmt.Sprint(84730000+i)
		text := strings.NewReplacer("HIDDEN", word, "DIGITS", digits).Replace(string(f.Data))
		p := planted{id: f.Name, text: text}
		for _, part := range []string{word, digits} {
			if strings.Contains(text, part) {
				p.parts = append(p.parts, part)
			}
		}
		list = append(list, p)
	}
	// Words as people choose them, where others reach the server.
	for i, line := range []string{"DATABASE_URL=postgres://app:%s@db.prod.acme.com/x", "broker = kafka://:%s@k1.acme.io:9093", `{"url": "amqp:\/\/app:%s@mq.acme.io\/x"}`, "dsn = app:%s@tcp(db.prod.acme.com:3306)/x", "password：%s"} {
		word := []string{"correcthorse", "tigertiger", "summerrain", "winterwind", "springleaf"}[i]
		list = append(list, planted{fmt.Sprintf("settings%d.ini", i), fmt.Sprintf(line, word) + "\n", []string{word}})
	}
	if len(list) < 80 {
		t.Fatalf("%d files", len(list))
	}
	return list
}

// secretNames are the names of files that must not be published whatever is in them.
func secretNames(t *testing.T) (list []string) {
	t.Helper()
	all, err := rule.LoadSecrets(os.DirFS("../.."))
	kit.Must(t, err)
	for _, e := range all.Examples {
		if e.Name && e.Hit {
			list = append(list, "n/"+e.Text)
		}
	}
	// Copies of what is known by its whole name.
	list = append(list, "wp-config.php.bak", "config/database.yml.orig", "settings/local_settings.py~", ".netrc.old", "my.cnf.save", "config copy/master.key")
	if len(list) < 50 {
		t.Fatalf("%d names", len(list))
	}
	return list
}

// patient are settings with long time limits: these tests look at snapshots, and a busy machine takes them late. With tellAll the user is told of
// each snapshot.
const (
	patient = "[hook]\ntimeout = \"3m\"\n[checkpoint]\ntimeout = \"2m\"\n"
	tellAll = "tell = \"all\"\n"
)

// shop is a repository with a session of its own.
type shop struct {
	t       *testing.T
	e       *env
	dir     string
	out     *bytes.Buffer
	err     *bytes.Buffer
	session string
	env     []string // of Git, beside what every test has
}

func newShop(t *testing.T) *shop {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	e, out, errs := testEnv(t, nil, nil)
	dir := filepath.Join(e.dir, "app")
	kit.Must(t, os.MkdirAll(filepath.Join(dir, "src"), 0o755))
	e.dir = dir
	s := &shop{t, e, dir, out, errs, "s1", nil}
	s.settings(patient + tellAll)
	s.write("src/a.go", "package a\n")
	s.write("README.md", "hello\n")
	s.git("init", "-q", "-b", "main")
	s.git("config", "user.name", "t")
	s.git("config", "user.email", "t@example.invalid")
	s.git("config", "commit.gpgsign", "false")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "start")
	return s
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	p := filepath.Join(s.dir, filepath.FromSlash(name))
	kit.Write(s.t, p, text)
}

func (s *shop) git(args ...string) string {
	s.t.Helper()
	out, err := s.tryGit(args...)
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (s *shop) tryGit(args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = s.dir
	c.Env = s.environ()
	out, err := c.CombinedOutput()
	return string(out), err
}

// environ is the environment of the programs that a test starts. Git reads no configuration file there. Its two settings, which come as
// variables, make tests faster: no maintenance after each commit and push, and no waiting until the disk has written.
func (s *shop) environ() []string {
	return append(append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false", "GIT_CONFIG_KEY_1=core.fsync", "GIT_CONFIG_VALUE_1=none"), s.env...)
}

// hook sends one event and gives the answer.
func (s *shop) hook(fields map[string]any) string {
	s.t.Helper()
	fields["session_id"], fields["cwd"] = s.session, s.dir
	raw, err := json.Marshal(fields)
	kit.Must(s.t, err)
	s.out.Reset()
	s.err.Reset()
	s.e.in = bytes.NewReader(raw)
	s.e.hookHere(nil)
	return s.out.String() + s.err.String()
}

func (s *shop) bash(command string) string {
	return s.hook(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": command}})
}

// TestSecretsStay sends examples through the hook, as a prompt, a task and a command with a checkpoint, and looks for it in
// everything that moai has written.
func TestSecretsStay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	formats, lines := plantedSecrets(t)
	t.Logf("%d formats, %d lines", len(formats), len(lines))
	if len(formats) < 150 || len(lines) < 80 {
		t.Fatalf("%d formats and %d lines: the examples are gone", len(formats), len(lines))
	}
	all := share(append(formats, lines...), 0)
	shots := 0
	for i, p := range all {
		s.session = fmt.Sprint("s", i/3) // a session remembers three prompts
		s.write("src/a.go", fmt.Sprint("package a // ", i, "\n"))
		s.hook(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "please use " + p.text})
		s.hook(map[string]any{"hook_event_name": "PreCompact", "trigger": "manual", "custom_instructions": p.text})
		s.hook(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "TaskCreate", "tool_input": map[string]any{"subject": p.text}, "tool_response": map[string]any{"task": map[string]any{"id": "1"}}})
		s.hook(map[string]any{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": p.text, "tool_input": map[string]any{"command": p.text}})
		answer := s.bash("git reset --hard\n" + p.text)
		if strings.Contains(answer, "snapshot checkpoint/") {
			shots++
		}
		for _, part := range p.parts {
			if strings.Contains(answer, part) {
				t.Errorf("%s: the answer to the hook holds it: %s", p.id, answer)
			}
		}
	}
	if shots < len(all)/2 {
		t.Errorf("%d snapshots for %d commands", shots, len(all))
	}
	kept := map[string]string{
		"messages of hidden references": s.git("log", "--format=%B", "--glob=refs/moai/checkpoints/*"),
		"messages of branches":          s.git("log", "--format=%B", "--branches"),
	}
	for _, root := range []string{filepath.Join(filepath.Dir(s.dir), "state"), filepath.Join(s.dir, ".moai")} {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				kept[name] = string(data)
			}
			return nil
		})
	}
	if len(kept) < 10 {
		t.Errorf("looked into %d texts", len(kept))
	}
	for name, text := range kept {
		for _, p := range all {
			for _, part := range p.parts {
				if i := strings.Index(text, part); i >= 0 {
					t.Errorf("%s stands in %s: …%q", p.id, name, text[max(0, i-60):i+len(part)])
				}
			}
		}
	}
	if got := kept["messages of branches"]; strings.Contains(got, "git reset") || !strings.Contains(got, "Moai-Program: git") {
		t.Errorf("branches say more than program and operation:\n%s", got)
	}
}

// TestNothingSecretIsPushed takes snapshots of every kind in repositories full of secrets and pushes all branches.
func TestNothingSecretIsPushed(t *testing.T) {
	formats, lines := plantedSecrets(t)
	const marker = "private-marker-7c1f"
	names := []string{
		"credentials", "gcp-key.json", "secret.tfvars", "appsettings.json", "local.settings.json", "wp-config.php", "database.yml", ".env", "prod.env", "id_rsa", "deploy.key", "config/database.yml",
		"secrets.yml", "application-prod.yml", "terraform.tfvars", ".netrc", ".pgpass", "service-account.json", "settings/secrets.json", "kubeconfig", "my.cnf", "client.ovpn", ".npmrc", "한글/credentials",
	}
	files := plantedFiles(t)
	names = append(names, secretNames(t)...)
	planted := slices.Concat(formats, lines, files)
	fill := func(s *shop) {
		for _, f := range files {
			s.write("new/"+f.id, f.text)
		}
		for i, p := range append(formats, lines...) {
			s.write(fmt.Sprintf("new/file%d.txt", i), "# notes\n"+p.text+"\n")
		}
		for _, name := range names {
			s.write(name, marker+"\n")
		}
		s.write("big.txt", strings.Repeat("text of a large file\n", 60_000)+"ghp_"+marker+"q8Zt3Lw0Vb7Xn2Rk5Hs9\n")
		s.write("public.txt", "nobody minds this\n")
		s.write("README.md", "hello\n"+lines[0].text+"\n")
		// The name of a file, and where a link leads, are as public as what is in it.
		for i, p := range formats {
			if name := p.text; len(name) < 120 && !strings.ContainsAny(name, "/\\\n\x00") {
				s.write("named/"+name, "nothing\n")
				_ = os.Symlink("to "+name, filepath.Join(s.dir, "named", fmt.Sprint("link", i)))
			}
		}
		s.write(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = https://bob:"+marker+"9@x.io/a.git\n")
	}
	undo := func(s *shop) { s.git("reset", "-q", "--hard", "HEAD~1") }
	told := func(s *shop) {
		s.write("src/b.go", "package a\n\nconst k = \""+formats[3].text+"\"\n")
		s.git("add", "src/b.go")
	}
	for _, c := range []struct {
		name    string
		prepare func(s *shop)
		command string
		want    bool // a branch
		after   func(s *shop)
	}{
		{"reset", func(*shop) {}, "git reset --hard", true, nil},
		{"delete", func(*shop) {}, "rm -rf src", true, nil},
		{"clean", func(*shop) {}, "git clean -fd", true, nil},
		{"merge", func(s *shop) { s.git("branch", "topic") }, "git merge topic", true, nil},
		{"rebase", func(s *shop) { s.git("branch", "topic") }, "git rebase topic", true, nil},
		{"branch", func(s *shop) { s.git("branch", "topic") }, "git branch -D topic", true, nil},
		{"checkout", func(*shop) {}, "git checkout -- README.md", false, nil},
		{"staged", func(s *shop) { s.git("add", "-A", "-f") }, "git reset --hard", true, nil},
		{"intent", func(s *shop) { s.git("add", "-N", "new") }, "git reset --hard", true, nil},
		{"detached", func(s *shop) { s.git("checkout", "-q", "--detach") }, "git reset --hard", true, nil},
		{"stash", func(s *shop) { s.git("stash", "-q", "-u"); fill(s) }, "git reset --hard && git stash drop", true, nil},
		{"conflict", func(s *shop) {
			parted(s)
			_, _ = s.tryGit("merge", "-q", "other")
			fill(s)
			s.write("src/a.go", "<<<<<<< "+lines[0].text+"\n")
		}, "git reset --hard", true, nil},
		{"renamed", func(s *shop) { s.git("mv", "README.md", "LIESMICH.md"); s.git("add", "-A", "-f") }, "rm -rf new", true, nil},
		{"nested", func(s *shop) { s.git("init", "-q", "inner"); s.write("inner/x.txt", formats[0].text) }, "rm -rf src", true, nil},
		// What somebody takes back because of a secret must not be kept by a branch of ours, now or later.
		{"undone", func(s *shop) { told(s); s.git("commit", "-qm", "more") }, "git reset --hard HEAD~1", false, undo},
		{"undone later", func(s *shop) { told(s); s.git("commit", "-qm", "more") }, "rm -rf new", false, undo},
		{"undone below", func(s *shop) {
			told(s)
			s.git("commit", "-qm", "more")
			s.git("commit", "-q", "--allow-empty", "-m", "and more")
		}, "git reset --hard HEAD~2", false, func(s *shop) { undo(s); undo(s) }},
		{"amended", func(s *shop) { told(s); s.git("commit", "-qm", "more") }, "rm -rf new", false, func(s *shop) {
			s.git("rm", "-qf", "src/b.go")
			s.git("commit", "-q", "--amend", "--allow-empty", "-m", "less")
		}},
		{"undone message", func(s *shop) { s.git("commit", "-q", "--allow-empty", "-m", "use "+formats[5].text) }, "git reset --hard HEAD~1", false, undo},
		{"undone name", func(s *shop) { s.git("add", "-f", "credentials"); s.git("commit", "-qm", "more") }, "git reset --hard HEAD~1", false, undo},
		{"undone merge", func(s *shop) {
			s.git("checkout", "-q", "-b", "other")
			told(s)
			s.git("commit", "-qm", "more")
			s.git("checkout", "-q", "main")
			s.git("merge", "-q", "--no-ff", "-m", "merged", "other")
			s.git("branch", "-qD", "other")
		}, "git reset --hard HEAD~1", false, undo},
		{"published", func(s *shop) {
			s.git("commit", "-q", "--allow-empty", "-m", "more")
			s.git("update-ref", "refs/remotes/origin/main", "HEAD")
			s.git("commit", "-q", "--allow-empty", "-m", "harmless")
		}, "git reset --hard", true, nil},
		{"ignored later", func(s *shop) { s.bash("rm -rf src"); s.write(".gitignore", "new\nnamed\n.env\n") }, "git reset --hard", true, nil},
		{"manual", func(s *shop) { Run([]string{"checkpoint", "create", "-m", formats[1].text}, s.e) }, "git reset --hard", true, nil},
		{"staged only", func(s *shop) {
			s.write("src/b.go", "package a // "+formats[7].text+"\n")
			s.write("README.md", "hello "+lines[2].text+"\n")
			s.git("add", "-f", "src/b.go", "README.md", ".env")
			s.write("src/b.go", "package a\n")
			s.write("README.md", "hello\n")
			s.write(".env", "")
		}, "git reset --hard", true, nil},
		{"submodule", func(s *shop) {
			from := filepath.Join(s.e.getenv("HOME"), "from")
			s.git("init", "-q", "-b", "main", from)
			s.git("-C", from, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "inside")
			s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, "sub")
			s.git("commit", "-q", "-m", "more", "--", "sub")
			s.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = https://bob:"+marker+"9@x.io/a.git\n")
			for i, p := range formats[:20] {
				s.write(fmt.Sprintf("sub/file%d.txt", i), p.text+"\n")
			}
			s.write("sub/credentials", marker+"\n")
		}, "git reset --hard && rm -rf sub/credentials", true, nil},
		{"restored", func(s *shop) {
			s.bash("git reset --hard")
			s.write("src/a.go", "package z\n")
			Run([]string{"checkpoint", "restore", "--yes"}, s.e)
		}, "rm -rf src", true, nil},
		{"undone restore", func(s *shop) {
			s.bash("git reset --hard")
			s.write("src/a.go", "package z\n")
			Run([]string{"checkpoint", "restore", "--yes"}, s.e)
			Run([]string{"checkpoint", "restore", "--undo", "--yes"}, s.e)
		}, "git reset --hard", true, nil},
		{"vault", func(s *shop) {
			s.write(".gitignore", ".env\ncredentials\nid_rsa\nlogs\n")
			s.write("logs/x.log", formats[2].text)
		}, "rm -rf .env credentials logs id_rsa src", true, nil},
		{"ignored and clean", func(s *shop) { s.write(".gitignore", "named\n*.pem\n"); s.write("x.pem", marker) }, "git clean -fdx", true, nil},
		{"rebase under way", func(s *shop) {
			parted(s)
			_, _ = s.tryGit("rebase", "-q", "other")
			fill(s)
			s.write(".git/rebase-merge/message", "use "+formats[4].text+"\n")
		}, "git rebase --skip", true, nil},
		{"worktree", func(s *shop) {
			s.git("worktree", "add", "-q", "-b", "side", "../side")
			s.e.dir, s.dir = filepath.Join(s.dir, "../side"), filepath.Join(s.dir, "../side")
			fill(s)
		}, "git reset --hard", true, nil},
		{"tagged", func(s *shop) { s.git("tag", "v1"); s.git("tag", "-a", "-m", "first", "v2") }, "git tag -d v1 && git reset --hard", true, nil},
		{"all", func(s *shop) { s.settings(patient + "branch = \"all\"\n") }, "git checkout -- README.md", true, nil},
		{"off", func(s *shop) { s.settings(patient + "branch = \"off\"\n") }, "git reset --hard", false, nil},
		{"old true", func(s *shop) { s.settings(patient + "branch = true\n") }, "git reset --hard", true, nil},
		{"old true and no risk", func(s *shop) { s.settings(patient + "branch = true\n") }, "git checkout -- README.md", false, nil},
		{"old false", func(s *shop) { s.settings(patient + "branch = false\n") }, "git reset --hard", false, nil},
		{"six", func(s *shop) {
			s.settings(patient + "branch = \"all\"\n")
			for i := range 6 {
				s.write("src/a.go", fmt.Sprint("package a // ", i, "\n"))
				s.bash("git reset --hard")
			}
		}, "rm -rf src", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			fill(s)
			c.prepare(s)
			answer := s.bash(c.command)
			branches := strings.Fields(s.git("for-each-ref", "--format=%(refname)", "refs/heads/checkpoint"))
			if got := len(branches) > 0; got != c.want {
				t.Fatalf("branches %v, want one: %t; the answer was %s", branches, c.want, answer)
			}
			if len(branches) > 3 {
				t.Errorf("%d branches", len(branches))
			}
			if c.after != nil {
				c.after(s)
			}
			if s.isRepository("sub") {
				if got := s.git("-C", "sub", "for-each-ref", "refs/moai"); got == "" {
					t.Error("the repository inside has no checkpoint")
				}
			}
			pushed := s.pushed(s.pushEverything(t.TempDir()))
			if c.want && !strings.Contains(pushed, "nobody minds this") {
				t.Error("what nobody minds was left out, too")
			}
			for _, p := range planted {
				for _, part := range p.parts {
					if i := strings.Index(pushed, part); i >= 0 {
						t.Errorf("%s was pushed: …%q", p.id, pushed[max(0, i-60):i+len(part)])
					}
				}
			}
			if i := strings.Index(pushed, marker); i >= 0 {
				t.Errorf("a file with the name of credentials was pushed: …%q", pushed[max(0, i-80):i])
			}
			if hidden := s.git("log", "--format=%H", "--glob=refs/moai/checkpoints/*"); hidden == "" {
				t.Error("there is no hidden reference")
			}
			held := ""
			for ref := range strings.FieldsSeq(s.git("for-each-ref", "--format=%(objectname)", "refs/moai/checkpoints")) {
				held += s.git("ls-tree", "-r", "--name-only", ref)
			}
			if !strings.Contains(held, "new/file0.txt") {
				t.Error("the hidden reference lacks what the branch leaves out")
			}
		})
	}
}

// parted gives the shop a branch "other" that a merge or a rebase stops at, and nothing else.
func parted(s *shop) {
	s.git("stash", "-q", "-u")
	s.git("checkout", "-q", "-b", "other")
	s.write("src/a.go", "package b\n")
	s.git("commit", "-qam", "b")
	s.git("checkout", "-q", "main")
	s.write("src/a.go", "package c\n")
	s.git("commit", "-qam", "c")
}

// isRepository reports that a folder below the shop's is a repository of its own.
func (s *shop) isRepository(name string) bool {
	_, err := os.Lstat(filepath.Join(s.dir, name, ".git"))
	return err == nil
}

// pushEverything pushes all branches, all tags, and all references as README says for mirrors, to a repository in a folder, and what a
// repository inside has to another.
func (s *shop) pushEverything(to string) (bare []string) {
	s.t.Helper()
	for _, from := range []string{".", "sub"} {
		if from != "." && !s.isRepository(from) {
			continue
		}
		s.git("-C", from, "tag", "-f", "pushed") // without one, --tags pushes nothing and fails
		dir := filepath.Join(to, filepath.Join("bare", from)+".git")
		s.git("init", "-q", "--bare", dir)
		s.git("-C", from, "push", "-q", "-f", "--all", dir)
		s.git("-C", from, "push", "-q", "-f", "--tags", dir)
		s.pushMirror(from, dir)
		bare = append(bare, dir)
	}
	return bare
}

// pushMirror pushes all references but moai's own and the stash. What --all and --tags push is among them.
func (s *shop) pushMirror(from, to string) {
	s.t.Helper()
	s.git("-C", from, "push", "-q", "-f", to, "refs/*:refs/*", "^refs/moai/*", "^refs/stash")
}

// pushed is every object that has arrived.
func (s *shop) pushed(bare []string) string {
	s.t.Helper()
	var all strings.Builder
	for _, dir := range bare {
		if got := s.git("--git-dir="+dir, "for-each-ref", "refs/moai"); got != "" {
			s.t.Errorf("hidden references were pushed: %s", got)
		}
		all.WriteString(s.git("--git-dir="+dir, "cat-file", "--batch-all-objects", "--batch", "--unordered"))
	}
	return all.String()
}

// TestNoOperationPushesSecrets takes a checkpoint before a hit of each rule that has one, and by hand before each operation that
// rules name, all with branches, and pushes after each.
func TestNoOperationPushesSecrets(t *testing.T) {
	t.Parallel()
	formats, lines := plantedSecrets(t)
	all, err := rule.LoadRisks(os.DirFS("../.."))
	kit.Must(t, err)
	s := newShop(t)
	s.settings(patient + "branch = \"all\"\n")
	const marker = "private-marker-7c1f"
	var planted []planted
	for i := 0; i < len(formats); i += 6 {
		planted = append(planted, formats[i])
	}
	for i := 0; i < len(lines); i += 6 {
		planted = append(planted, lines[i])
	}
	for i, p := range planted {
		s.write(fmt.Sprintf("new/file%d.txt", i), p.text+"\n")
	}
	for _, name := range []string{"credentials", ".env", "id_rsa", "config/database.yml"} {
		s.write(name, marker+"\n")
	}
	s.write("README.md", planted[0].text+"\n")
	s.write("src/staged.go", "package a // "+planted[1].text+"\n")
	s.git("add", "-f", "src/staged.go")
	s.write("src/staged.go", "package a\n")
	s.git("branch", "topic")
	s.git("stash", "push", "-q", "--", "README.md")
	s.write("README.md", planted[2].text+"\n")
	// Branches are pruned, so what is there is pushed after each snapshot; every way to push is tried at the end.
	mirror := filepath.Join(t.TempDir(), "mirror.git")
	s.git("init", "-q", "--bare", mirror)
	operations, shots, n := map[string]bool{}, 0, 0
	taken := func() {
		t.Helper()
		n++
		s.pushMirror(".", mirror)
	}
	change := func() { s.write("src/a.go", fmt.Sprint("package a // ", n, "\n")); n++ }
	for i := range all.Rules {
		r := &all.Rules[i]
		if r.Operation != "" {
			operations[r.Operation] = true
		}
		if r.Action != rule.Checkpoint || r.Hits == "" {
			continue
		}
		change()
		if answer := s.bash(r.Hits.First()); strings.Contains(answer, "snapshot checkpoint/") {
			shots++
			taken()
		}
	}
	for op := range operations {
		change()
		if code := Run([]string{"checkpoint", "create", "--operation", op, "-m", planted[3].text}, s.e); code != 0 {
			t.Errorf("create --operation %s: %d %s", op, code, s.err)
		}
		taken()
	}
	t.Logf("%d rules took a snapshot, %d operations", shots, len(operations))
	if shots < 60 || len(operations) < 40 {
		t.Errorf("%d rules took a snapshot, and there are %d operations", shots, len(operations))
	}
	pushed := s.pushed(append(s.pushEverything(t.TempDir()), mirror))
	if !strings.Contains(pushed, "checkpoint: before reset-hard") || !strings.Contains(pushed, "checkpoint: before rm") {
		t.Error("no branches of checkpoints arrived")
	}
	for _, p := range planted {
		for _, part := range p.parts {
			if i := strings.Index(pushed, part); i >= 0 {
				t.Errorf("%s was pushed: …%q", p.id, pushed[max(0, i-80):i+len(part)])
			}
		}
	}
	if i := strings.Index(pushed, marker); i >= 0 {
		t.Errorf("a file with the name of credentials was pushed: …%q", pushed[max(0, i-80):i])
	}
}

// settings are the user's own.
func (s *shop) settings(text string) {
	s.t.Helper()
	name := filepath.Join(s.e.getenv("XDG_CONFIG_HOME"), "moai", config.FileName)
	kit.Must(s.t, os.MkdirAll(filepath.Dir(name), 0o700))
	kit.Must(s.t, os.WriteFile(name, []byte(text), 0o600))
}
