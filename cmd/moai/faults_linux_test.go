package main

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// faultyWork is a repository with work in it that is nowhere else, in each of the forms in which moai saves it.
const faultyWork = `
git init -q -b main . && git config core.fsync none
mkdir -p src/deep && echo one >tracked && echo one >src/deep/gone && echo one >src/crlf && echo one >both && printf '*.log\n' >.gitignore
echo 'src/crlf text eol=crlf' >.gitattributes
git add -A && git commit -qm one && git branch other && git tag t
git init -q inner && (cd inner && git config core.fsync none && echo inner >file && git add -A && git commit -qm inner && echo precious inner >file)
echo precious stashed >tracked && git stash -q
git pack-refs --all && git gc -q
echo two >both && git commit -qam two
echo precious staged >both && git add both && echo precious change >both
echo precious tracked >tracked && rm src/deep/gone && ln -s tracked link
echo precious new >'src/new file' && chmod 600 'src/new file' && echo precious ignored >a.log && mkdir -m 750 empty
`

// lost is what an agent did to it, after a snapshot, and what came later.
const lost = `
echo '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"'"$PWD"'","tool_name":"Bash","tool_input":{"command":"git reset --hard HEAD^; git stash drop; git branch -D other; rm -rf a.log src empty; git -C inner reset --hard"}}' | moai hook >answer || true
grep -q '"deny"\|"ask"' answer && cat answer && exit 1; rm answer
git reset -q --hard HEAD^ && git stash drop -q && git branch -qD other && rm -rf a.log src empty && git -C inner reset -q --hard
echo precious later >tracked
`

const question = `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"$PWD","tool_name":"Bash","tool_input":{"command":"git reset --hard; git stash drop; git -C inner reset --hard"}}`

var faultyActs = []struct {
	name, before, stdin string
	args                []string
	keeps               bool // it is about saving what is precious
}{
	{name: "create", before: "rm a.log", args: []string{"checkpoint", "create"}, keeps: true},
	{name: "hook", before: "rm a.log", args: []string{"hook", "pre-tool"}, stdin: question, keeps: true},
	{name: "restore", before: lost, args: []string{"checkpoint", "restore", "--refs", "--index", "--delete-new", "-y"}},
	{name: "undo", before: lost + "moai checkpoint restore --refs -y", args: []string{"checkpoint", "restore", "@1", "--refs", "--delete-new", "-y"}},
	{name: "drop", before: lost, args: []string{"checkpoint", "drop", "@1", "-y"}},
	{name: "prune", before: lost + "moai checkpoint create; echo precious last >last; moai checkpoint create; rm last", args: []string{"checkpoint", "prune", "--keep", "1", "-y"}},
	{name: "show", before: lost, args: []string{"checkpoint", "show", "-p"}},
	{name: "diff", before: lost, args: []string{"checkpoint", "diff"}},
	{name: "list", before: lost, args: []string{"checkpoint", "list"}},
	{name: "usage", before: lost, args: []string{"checkpoint", "usage"}},
	{name: "export", before: lost, args: []string{"checkpoint", "export"}},
}

// faults are what the kernel may answer to calls that moai cannot do without.
var faults = []struct{ calls, err string }{
	{"openat", "EACCES"},
	{"read,pread64,getdents64,readlinkat", "EIO"},
	{"write,pwrite64,mkdirat,symlinkat,fsync,linkat", "ENOSPC"},
	{"renameat,renameat2,fchmodat,fchmod,utimensat,ftruncate,flock", "EPERM"},
	{"unlinkat", "EPERM"},
	{"newfstatat,fstat", "EIO"},
}

// One system call after another is made to fail, as on a full or broken disk or in a folder that may not be read. Whatever moai was doing,
// it does not panic, it says that it failed, it leaves no temporary files, and the user's work is in its place or in a checkpoint.
func TestFaults(t *testing.T) {
	if err := exec.Command("strace", "-e", "inject=getcwd:error=EIO", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("strace cannot be used: ", err)
	}
	self, err := os.Executable()
	kit.Must(t, err)
	step, err := strconv.Atoi(cmp.Or(os.Getenv("MOAI_FAULTS_STEP"), "60"))
	kit.Must(t, err)
	for _, act := range faultyActs {
		t.Run(act.name, func(t *testing.T) {
			t.Parallel()
			f := faulty{T: t, top: t.TempDir()}
			home := f.path("home")
			f.env = []string{
				asMoai + "=1", "TEST_ACCOUNT=" + home, "HOME=" + home, "PATH=" + f.path("bin") + ":" + os.Getenv("PATH"), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
				"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
			}
			stdin := strings.ReplaceAll(act.stdin, "$PWD", f.path("home/w"))
			f.shell(".", "mkdir -p home/w home/.config/moai bin && ln -s "+self+" bin/moai && printf 'hook.timeout = \"60s\"\ncheckpoint.timeout = \"60s\"\n' >home/.config/moai/config.toml")
			f.shell("home/w", faultyWork+act.before)
			f.shell(".", "cp -a home saved")
			f.shell("home/w", "moai "+strings.Join(act.args, " ")+" <<'E'\n"+stdin+"\nE\n")
			precious := f.precious()
			want := f.files()
			for _, fault := range faults {
				for n := 1; ; n += step {
					f.shell(".", "rm -rf home && cp -a saved home")
					said, code, hit := f.run(fault.calls, fault.err, n, stdin, act.args)
					if !hit {
						break
					}
					if code == notOurs {
						continue
					}
					when := fmt.Sprintf("%s of call %d of %s: exit %d, %s", fault.err, n, fault.calls, code, said)
					if code > 3 || code < 0 || strings.Contains(said, "panic:") || strings.Contains(said, "goroutine ") || code == 3 && !strings.Contains(said, "moai: error: ") {
						t.Errorf("failed wrongly: %s", when)
					}
					for _, text := range precious {
						if !f.kept(text, act.keeps && code == 0 && !strings.Contains(said, "not saved") && !strings.Contains(said, `"ask"`) && !strings.Contains(said, `"deny"`)) {
							t.Errorf("%q is lost: %s", text, when)
						}
					}
					if left := f.left(); left != "" && fault.calls != "unlinkat" {
						t.Errorf("left behind %s: %s", left, when)
					}
					if code == 0 && !act.keeps {
						for name, is := range f.files() {
							if was, there := want[name]; was != is && (there || !strings.HasPrefix(is, "d")) && !strings.Contains(said, name) {
								t.Errorf("%s is %q, want %q: %s", name, is, want[name], when)
							}
						}
					}
				}
			}
		})
	}
}

// unsaid is a failure that moai cannot tell of: writing to standard output or error, and the write with which Go's runtime wakes itself.
var unsaid = regexp.MustCompile(`write\((?:[12],|\d+, "\\1\\0).*INJECTED`)

// notOurs is the exit code of a loader that fails before any program runs.
const notOurs = 127

// faulty is a world that breaks.
type faulty struct {
	*testing.T
	top string
	env []string
}

func (f faulty) path(name string) string { return filepath.Join(f.top, name) }

func (f faulty) shell(dir, script string) string {
	f.Helper()
	c := exec.Command("sh", "-ec", script)
	c.Dir, c.Env = f.path(dir), f.env
	out, err := c.CombinedOutput()
	if err != nil {
		f.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// run starts moai, for which the n-th of some calls of a thread fails; hit says that it did.
func (f faulty) run(calls, answer string, n int, stdin string, args []string) (said string, code int, hit bool) {
	c := exec.Command("strace", append([]string{
		"-f", "-qq", "--seccomp-bpf", "-o", f.path("trace"), "-e", "trace=" + calls, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", calls, answer, n), "moai",
	}, args...)...)
	c.Dir, c.Env, c.Stdin = f.path("home/w"), f.env, strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	if _, exit := err.(*exec.ExitError); err != nil && !exit {
		f.Fatal(err)
	}
	trace, err := os.ReadFile(f.path("trace"))
	kit.Must(f, err)
	code = c.ProcessState.ExitCode()
	if unsaid.Match(trace) {
		code = notOurs
	}
	return string(out), code, bytes.Contains(trace, []byte("(INJECTED)"))
}

// files is what the work tree holds.
func (f faulty) files() map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(f.path("home/w"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" || d.Name() == ".moai" {
			return cmp.Or(err, fs.SkipDir)
		}
		name, _ := filepath.Rel(f.path("home/w"), path)
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			files[name] = string(b)
			return err
		}
		files[name] = d.Type().String()
		return nil
	})
	kit.Must(f, err)
	return files
}

// precious is a content that the test looks for in files and snapshots.
func (f faulty) precious() (list []string) {
	for _, kind := range []string{"inner", "stashed", "staged", "change", "tracked", "new", "ignored", "later", "last"} {
		if text := "precious " + kind + "\n"; f.kept(text, false) {
			list = append(list, text)
		}
	}
	return list
}

// kept says whether a text is in a file, or in Git's or moai's own keeping; saved, whether it is in the latter.
func (f faulty) kept(text string, saved bool) bool {
	if !saved {
		for _, is := range f.files() {
			if is == text {
				return true
			}
		}
	}
	name := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)))
	git := "git rev-list --objects --reflog --all --indexed-objects; git -C inner rev-list --objects --reflog --all --indexed-objects || true"
	return strings.Contains(f.shell("home/w", "("+git+") 2>&1; grep -rl '"+strings.TrimSpace(text)+"' ../.local >/dev/null && echo "+name+" || true"), name)
}

// left is what no process that has ended leaves behind.
func (f faulty) left() string {
	return f.shell("home", `find . -name '*.lock' ! -path './.local/*' -o -name '.tmp-*' -o -name 'tmp_*'`)
}
