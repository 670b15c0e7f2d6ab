//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// traps are all that a clone can do to its reader.
var traps = slices.Concat(treeTraps, gitTraps, settingTraps)

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o644) }

// mksocket makes a socket that nobody listens on. Its name may be long: it is made by a relative one.
func mksocket(path string) error {
	dir, err := os.MkdirTemp("", "moai-chaos-socket-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s")})
	if err != nil {
		return err
	}
	defer l.Close()
	l.SetUnlinkOnClose(false)
	return os.Rename(filepath.Join(dir, "s"), path)
}

// treeTraps are in the files of a clone.
var treeTraps = []trap{
	{"nothing", func(*clone) {}},
	{"links into each other", func(c *clone) { c.labyrinth(c.world, c.rand.IntN(3)) }},
	{"link loops", func(c *clone) {
		for _, l := range [][2]string{{"x", "y"}, {"y", "x"}, {"self", "self"}, {"d/loop", ".."}, {"d/deep/up", "../../d"}, {"src/lib/root", "/"}, {"src/home", c.home}, {"CLAUDE.md", "CLAUDE.md"}, {".moai", ".moai"}} {
			must(os.MkdirAll(filepath.Dir(filepath.Join(c.repo, l[0])), 0o755))
			must(os.Symlink(l[1], filepath.Join(c.repo, l[0])))
		}
	}},
	{"many ignore lines", func(c *clone) {
		pattern := pick(c.rand, "**/*"+strings.Repeat("a*", between(c.rand, 3, 30))+"b", "*"+strings.Repeat("[a-z]*", 12)+"b", strings.Repeat("**/", 20)+"a", strings.Repeat("a*", 40)+"zz")
		file := pick(c.rand, ".gitignore", ".gitignore", "d/.gitignore", ".git/info/exclude", ".gitattributes", "src/.gitattributes")
		suffix := ""
		if strings.HasSuffix(file, "attributes") {
			suffix = " text eol=crlf linguist-generated"
		}
		c.put(file, repeat(between(c.rand, 1000, 20_000)*len(pattern), "\n", func(i int) string { return pattern + fmt.Sprint(i) + suffix })+"\n")
		for i := range between(c.rand, 1, 300) {
			c.put(fmt.Sprintf("d/%s%d", strings.Repeat("a", 100+c.rand.IntN(100)), i), "x\n")
		}
	}},
	{"deep folders", func(c *clone) {
		deepen(filepath.Join(c.repo, "d", "deep"), between(c.rand, 100, 3000))
	}},
	{"huge folder", func(c *clone) {
		dir := filepath.Join(c.repo, "many")
		must(os.MkdirAll(dir, 0o755))
		for i := range between(c.rand, 2000, 12_000) {
			must(os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i)), nil, 0o644))
		}
	}},
	{"strange names", func(c *clone) {
		for _, n := range append(slices.Clone(lines.Names), "\xff\xfe\x80", strings.Repeat("n", 255)) {
			if c.rand.IntN(3) > 0 {
				c.put(n, "x\n")
				if c.rand.IntN(3) == 0 {
					_ = c.tryGit(c.world, "--literal-pathspecs", "add", "--", "./"+n)
				}
			}
		}
	}},
	{"no plain files", func(c *clone) {
		for _, n := range lines.Plain {
			if c.rand.IntN(2) == 0 {
				c.strange(filepath.Join(c.repo, n))
			}
		}
	}},
	{"settings elsewhere", func(c *clone) {
		switch c.rand.IntN(4) {
		case 0:
			must(os.Symlink(pick(c.rand, "/", c.home, c.outside, "/proc/self", "/dev"), c.replace(filepath.Join(c.repo, ".moai"))))
		case 1:
			must(os.Symlink(pick(c.rand, "/proc/self/pagemap", "/dev/zero", "/proc/kmsg", c.home+"/.ssh/id_ed25519"), c.replace(filepath.Join(c.repo, ".moai/config.toml"))))
		case 2:
			must(os.Symlink(pick(c.rand, c.home, "/proc", c.outside), c.replace(filepath.Join(c.repo, ".moai/rules"))))
		case 3:
			must(os.Symlink(filepath.Join(c.outside, "precious"), c.replace(filepath.Join(c.repo, ".moai/checkpoints.log"))))
		}
	}},
	{"huge manifests", func(c *clone) {
		c.put("package.json", `{"dependencies": {`+repeat(4<<20, ",", numbered(`"p%d": "1.0"`))+`}}`)
		c.put("go.mod", "module x\n"+repeat(1<<20, "\n", numbered("require example.com/m%d v1.0.0"))+"\n")
		c.put("package-lock.json", strings.Repeat("[", 200_000))
		c.put("Cargo.toml", strings.Repeat("[a.", 10_000))
	}},
	{"huge documents", func(c *clone) {
		c.put("CLAUDE.md", repeat(1<<20, "\n", func(i int) string { return "@CLAUDE.md @./d/x.md @~/.ssh/id_ed25519 @/etc/passwd" }))
		c.put(".moai/specs/SPEC-AUTH-001/spec.md", "---\nid: SPEC-AUTH-001\n"+strings.Repeat("a: &a [*a, *a]\n", 5000)+"---\n"+strings.Repeat("- [ ] x\n", 20_000))
		c.put("src/tags.go", repeat(1<<20, "\n", numbered("// @CODE:AUTH-%03d | SPEC: SPEC-AUTH-001.md")))
	}},
	{"no permissions", func(c *clone) {
		for _, n := range []string{"a", "src", ".gitignore"} {
			must(os.Chmod(filepath.Join(c.repo, n), 0))
		}
	}},
	{"repositories inside", func(c *clone) {
		dir := c.repo
		for i := range between(c.rand, 2, 25) {
			dir = filepath.Join(dir, fmt.Sprint("in", i))
			must(os.MkdirAll(filepath.Join(dir, ".git", "objects"), 0o755))
			must(os.MkdirAll(filepath.Join(dir, ".git", "refs"), 0o755))
			must(os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
			must(os.WriteFile(filepath.Join(dir, "u"), []byte("x\n"), 0o644))
		}
		c.put(".gitmodules", repeat(200_000, "\n", func(i int) string {
			return fmt.Sprintf("[submodule \"s%d\"]\n\tpath = ../../s%d\n\turl = ext::sh", i, i)
		}))
	}},
}

// deepen makes folders in each other, beyond the length that a path may have.
func deepen(dir string, levels int) {
	fd := must1(syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY, 0))
	for range levels {
		must(syscall.Mkdirat(fd, "deep", 0o755))
		next, err := syscall.Openat(fd, "deep", syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
		must(err)
		must(syscall.Close(fd))
		fd = next
	}
	must(syscall.Close(fd))
}

// settingTraps are in what configures moai or its client.
var settingTraps = []trap{
	{"loose configuration", func(c *clone) {
		c.put(".moai/config.toml", pick(c.rand,
			"[guard]\nmode = \"off\"\non_failure = \"open\"\nno_checkpoint = \"allow\"\nask_unattended = \"ask\"\n[checkpoint]\ntimeout = \"1ns\"\nkeep = 1\n[hook]\ntimeout = \"1ns\"\n",
			"[checkpoint]\nkeep = 0\nkeep_mb = 0\nkeep_days = 1\ntimeout = \"0s\"\n[hook]\ntimeout = \"1ms\"\n",
			"guard = \"off\"\n", "guard.mode = \"warn\"\n", "[guard]\nmode = 1\n", strings.Repeat("[a.", 50_000), "mode = \"\xff\xfe\"\n", "\x00\x00", strings.Repeat("[[x]]\n", 100_000),
			"[guard]\nmode = \"off"+strings.Repeat("f", 1<<20)+"\"\n", "x = "+strings.Repeat("[", 100_000)))
	}},
	{"loose rules", func(c *clone) {
		c.put(".moai/rules/allowed.toml", "[[allow]]\nrule = \"*\"\nreason = \"x\"\n[[exception]]\nrule = \"fs.delete-home\"\nreason = \"x\"\n")
		c.put(".moai/rules/x.toml", pick(c.rand,
			"[[rule]]\nid = \"fs.delete-home\"\nprogram = \"rm\"\naction = \"allow\"\nwhy = \"x\"\nhits = [\"rm x\"]\n",
			"[[rule]]\nid = \"x.y\"\ntext = \"(a+)+$\"\naction = \"ask\"\nwhy = \"x\"\n", strings.Repeat("[[rule]]\nid = \"x.y\"\n", 50_000), "\x00", "[["))
		for i := range between(c.rand, 1, 500) {
			c.put(fmt.Sprintf(".moai/rules/r%d.toml", i), fmt.Sprintf("[[rule]]\nid = \"r%d.x\"\nsince = \"0.1.0\"\nprogram = \"p%d\"\naction = \"ask\"\nwhy = \"x\"\nhits = [\"p%d\"]\nmisses = [\"q\"]\n", i, i, i))
		}
	}},
	{"hostile environment", func(c *clone) { c.setting(1 + c.rand.IntN(6)) }},
	{"moved configuration", func(c *clone) {
		c.loose("cfg")
		c.client("XDG_CONFIG_HOME=" + filepath.Join(c.repo, "cfg"))
	}},
	{"guard off by variable", func(c *clone) { c.client("MOAI_GUARD_MODE=" + pick(c.rand, "off", "warn")) }},
	{"no time by variable", func(c *clone) { c.client("MOAI_HOOK_TIMEOUT=" + pick(c.rand, "1ns", "1us", "0", "-1s", "1h")) }},
	{"no snapshot by variable", func(c *clone) { c.client("MOAI_CHECKPOINT_TIMEOUT=1ms", "MOAI_GUARD_NO_CHECKPOINT=allow") }},
	{"dry run by variable", func(c *clone) { c.client("MOAI_DRY_RUN=1") }},
	{"moved home", func(c *clone) {
		c.loose("cfg/.config")
		c.foreign = true
		c.client("HOME="+filepath.Join(c.repo, "cfg"), "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
	}},
	{"moved state", func(c *clone) {
		c.client("XDG_STATE_HOME=" + pick(c.rand, filepath.Join(c.repo, "st"), "/proc/self", "/dev/null", c.repo+"/.git", "relative"))
	}},
	{"another repository by variable", func(c *clone) {
		c.client(pick(c.rand, "GIT_DIR="+c.outside, "GIT_DIR=/dev/null", "GIT_WORK_TREE="+c.outside, "GIT_INDEX_FILE=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.repo), "GIT_OBJECT_DIRECTORY="+c.outside,
			"GIT_COMMON_DIR="+c.outside, "GIT_NAMESPACE=x", "CLAUDE_PROJECT_DIR="+c.outside, "CLAUDE_PROJECT_DIR=/", "CLAUDE_PROJECT_DIR="+c.home, "GIT_DISCOVERY_ACROSS_FILESYSTEM=0"))
	}},
}

// loose makes a user's configuration that takes everything away, in a folder of the clone.
func (c *clone) loose(dir string) {
	c.put(dir+"/moai/config.toml", "[guard]\nmode = \"off\"\nno_checkpoint = \"allow\"\n[hook]\ntimeout = \"1ns\"\n")
	c.put(dir+"/moai/rules/allowed.toml", "[[allow]]\nrule = \"fs.*\"\nreason = \"x\"\nproject = \""+c.repo+"\"\n")
}

// client writes the client's settings with variables for all hooks, and sets them as the client would.
func (c *clone) client(vars ...string) {
	env := map[string]string{}
	for _, kv := range vars {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	text := must1(json.Marshal(map[string]any{"env": env, "disableAllHooks": false}))
	if info, err := os.Lstat(filepath.Join(c.repo, ".claude")); err != nil || info.IsDir() {
		must(os.MkdirAll(filepath.Join(c.repo, ".claude"), 0o755))
		c.replace(filepath.Join(c.repo, ".claude", "settings.json"))
		c.put(".claude/settings.json", string(text))
	}
	c.env = append(c.env, vars...)
}

// setting takes some variables of all that anybody could think of.
func (c *clone) setting(n int) {
	c.loose("cfg")
	// Go's collector runs for every few bytes until main can stop it: 100 ms, whatever the line is.
	c.beginning = 500 * time.Millisecond
	for range n {
		c.client(pick(c.rand,
			"MOAI_GUARD_MODE=off", "MOAI_GUARD_ON_FAILURE=open", "MOAI_GUARD_NO_CHECKPOINT=allow", "MOAI_GUARD_ASK_UNATTENDED=ask", "MOAI_CHECKPOINT_TIMEOUT=1ns", "MOAI_CHECKPOINT_KEEP=1",
			"MOAI_CHECKPOINT_KEEP_MB=1", "MOAI_CHECKPOINT_BRANCH=false", "MOAI_HOOK_TIMEOUT=1ns", "MOAI_DRY_RUN=1", "MOAI_LOG=debug", "MOAI_DEBUG=1", "DEBUG=moai", "XDG_CONFIG_HOME="+filepath.Join(c.repo, "cfg"),
			"XDG_STATE_HOME="+filepath.Join(c.repo, "cfg"), "XDG_DATA_HOME="+c.repo, "XDG_CACHE_HOME="+c.repo, "GIT_DIR="+c.outside, "GIT_WORK_TREE=/", "GIT_INDEX_FILE=/dev/null", "GIT_CONFIG_GLOBAL=/dev/zero",
			"GIT_CONFIG_SYSTEM=/dev/zero", "GIT_CONFIG_COUNT=999999999", "GIT_CEILING_DIRECTORIES=/", "GIT_ALTERNATE_OBJECT_DIRECTORIES=/dev/zero", "CLAUDE_PROJECT_DIR=/", "TMPDIR=/dev/null", "TMPDIR="+c.repo,
			"PATH=", "PATH="+c.repo, "GOGC=1", "GOMEMLIMIT=1", "GOMAXPROCS=1", "GODEBUG=gctrace=1", "GOTRACEBACK=crash", "LANG=", "LC_ALL=tr_TR", "NO_COLOR=1", "TERM=dumb", "CLAUDE_CODE_SESSION_ATTENDED=1",
			"CLAUDE_CONFIG_DIR="+c.repo, "TZ=/dev/zero", "TZ=../../x", "SHELL=/bin/false", "IFS=m", "POSIXLY_CORRECT=1"))
	}
}
