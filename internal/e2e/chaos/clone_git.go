//go:build linux

package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// gitTraps are in the repository itself.
var gitTraps = []trap{
	{"huge index", func(c *clone) {
		var b strings.Builder
		blob := strings.TrimSpace(c.git(c.world, "rev-parse", "HEAD:a"))
		for i := range between(c.rand, 5000, 60_000) {
			fmt.Fprintf(&b, "100644 %s\tbig/%d/f%d\n", blob, i%100, i)
		}
		r := c.start(c.ctx, []byte(b.String()), "git", "update-index", "--index-info")
		if r.exit != 0 {
			c.fail("the case could not be made", "%s", r.err)
		}
	}},
	{"broken index", func(c *clone) { c.damage(c.dot("index")) }},
	{"broken HEAD", func(c *clone) {
		p := c.dot("HEAD")
		if c.rand.IntN(4) == 0 {
			c.strange(p)
			return
		}
		must(os.WriteFile(p, []byte(pick(c.rand, "", "garbage", "ref: refs/heads/none\n", "ref: ../../../../etc/passwd\n", "ref: HEAD\n", "ref: refs/heads/"+strings.Repeat("x/", 5000)+"\n", strings.Repeat("0", 40)+"\n",
			strings.Repeat("f", 40)+"\n", "ref: refs/heads/\x1b[2J\n", "ref:", "ref: refs/heads/main", strings.Repeat("a", 1<<20))), 0o644))
	}},
	{"loops of references", func(c *clone) {
		c.write(c.repo, ".git/refs/heads/one", "ref: refs/heads/two\n")
		c.write(c.repo, ".git/refs/heads/two", "ref: refs/heads/one\n")
		c.write(c.repo, ".git/HEAD", "ref: refs/heads/one\n")
	}},
	{"broken packed-refs", func(c *clone) {
		c.git(c.world, "pack-refs", "--all")
		c.damage(c.dot("packed-refs"))
	}},
	{"huge packed-refs", func(c *clone) {
		head := strings.TrimSpace(c.git(c.world, "rev-parse", "HEAD"))
		c.write(c.repo, ".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+repeat(between(c.rand, 1<<20, 6<<20), "\n", func(i int) string { return fmt.Sprintf("%s refs/heads/b%08d", head, i) })+"\n")
	}},
	{"broken references", func(c *clone) { c.damage(c.dot("refs/heads/main")) }},
	{"missing objects", func(c *clone) {
		if c.rand.IntN(2) == 0 {
			must(os.RemoveAll(c.dot("objects")))
			must(os.MkdirAll(c.dot("objects"), 0o755))
			return
		}
		what := pick(c.rand, "HEAD", "HEAD^{tree}", "HEAD:a", "HEAD:src", "HEAD~1")
		must(os.Remove(c.loose1(what)))
	}},
	{"broken objects", func(c *clone) {
		p := c.loose1(pick(c.rand, "HEAD", "HEAD^{tree}", "HEAD:a"))
		must(os.Chmod(p, 0o644))
		c.damage(p)
	}},
	{"swollen objects", func(c *clone) {
		p := c.loose1(pick(c.rand, "HEAD", "HEAD^{tree}", "HEAD:a", "HEAD:.gitignore"))
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		_, _ = fmt.Fprintf(z, "%s %d\x00", pick(c.rand, "blob", "tree", "commit"), pick(c.rand, 1<<30, 1<<62, -1, 64<<20))
		zeros := make([]byte, 1<<20)
		for range 64 {
			_, _ = z.Write(zeros)
		}
		must(z.Close())
		must(os.Chmod(p, 0o644))
		must(os.WriteFile(p, b.Bytes(), 0o644))
	}},
	{"broken pack", func(c *clone) {
		c.git(c.world, "gc", "-q", "--prune=now")
		files := must1(filepath.Glob(c.dot("objects/pack/pack-*" + pick(c.rand, ".pack", ".idx"))))
		for _, f := range files {
			must(os.Chmod(f, 0o644))
			c.damage(f)
		}
	}},
	{"alternates", func(c *clone) {
		c.write(c.repo, ".git/objects/info/alternates", pick(c.rand, ".\n", c.dot("objects")+"\n", "/dev/zero\n", "/proc/self/fd\n", repeat(1<<20, "\n", numbered("/x%d")), "\"\\\n", "../../../outside\n")+c.outside+"\n")
		c.write(c.outside, "info/alternates", c.dot("objects")+"\n")
	}},
	{"extensions", func(c *clone) {
		text := pick(c.rand,
			"[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n", "[core]\n\trepositoryformatversion = 99\n", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tunheardof = true\n",
			"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = md5\n", "[core]\n\trepositoryformatversion = -1\n",
			"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialclone = origin\n", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeconfig = true\n", "[core]\n\trepositoryformatversion = x\n")
		c.appendConfig(text)
		if strings.Contains(text, "reftable") {
			c.write(c.repo, ".git/HEAD", "ref: refs/heads/.invalid\n")
			c.write(c.repo, ".git/reftable/tables.list", "0x000000000001-0x000000000001-aaaaaaaa.ref\n")
			must(os.RemoveAll(c.dot("refs/heads")))
			c.write(c.repo, ".git/refs/heads", "this repository uses the reftable format\n")
		}
	}},
	{"hostile git configuration", func(c *clone) {
		c.appendConfig(pick(c.rand,
			"[include]\n\tpath = config\n", "[include]\n\tpath = /dev/zero\n", "[includeIf \"gitdir:/**\"]\n\tpath = ../../outside/loop\n", "[core]\n\tworktree = /\n", "[core]\n\tworktree = "+c.home+"\n", "[core]\n\tworktree = ../../outside\n",
			"[core]\n\tbare = true\n", "[core]\n\tfsmonitor = touch "+c.outside+"/started\n", "[core]\n\tfsmonitor = true\n\tuntrackedCache = true\n", "[core]\n\texcludesFile = /dev/zero\n", "[core]\n\tattributesFile = /proc/kmsg\n",
			"[filter \"x\"]\n\tclean = touch "+c.outside+"/started\n\tprocess = touch "+c.outside+"/started\n\trequired\n[core]\n\tattributesFile = "+c.repo+"/attr\n", "[core]\n\thooksPath = /dev/zero\n", "[a",
			repeat(2<<20, "\n", numbered("[s%d]\n\tk = v")), "[core]\n\tsharedRepository = 0xzz\n", "[core]\n\tsparseCheckout = true\n\tsparseCheckoutCone = true\n", "[core]\n\tautocrlf = input\n\teol = crlf\n", "[index]\n\tversion = 4\n\tsparse = true\n",
			"[core]\n\tignoreCase = true\n\tprecomposeUnicode = true\n", "[core]\n\tfileMode = false\n\tsymlinks = false\n"))
		c.put("attr", "* filter=x\n")
		c.write(c.outside, "loop", "[include]\n\tpath = loop2\n")
		c.write(c.outside, "loop2", "[include]\n\tpath = loop\n")
	}},
	{"no plain files in .git", func(c *clone) {
		for _, n := range lines.GitPlain {
			if c.rand.IntN(4) == 0 {
				c.strange(c.dot(n))
			}
		}
	}},
	{".git is a file", func(c *clone) {
		must(os.RemoveAll(filepath.Join(c.repo, ".git")))
		c.put(".git", pick(c.rand, "gitdir: .git\n", "gitdir: "+c.outside+"\n", "gitdir: /dev/zero\n", "gitdir: ../nowhere\n", "gitdir: "+strings.Repeat("x/", 3000)+"\n", "", "\x00", "gitdir:\n", strings.Repeat("gitdir: a\n", 100_000)))
	}},
	{".git is strange", func(c *clone) {
		c.strange(filepath.Join(c.repo, ".git"))
		c.none = true
	}},
	{"worktree that leads round", func(c *clone) {
		c.write(c.repo, ".git/commondir", pick(c.rand, ".\n", "../.git\n", "/\n", "../../outside\n", c.repo+"/.git\n"))
		c.write(c.repo, ".git/gitdir", c.repo+"/.git\n")
	}},
	{"under way", func(c *clone) {
		for _, n := range lines.GitUnderway {
			if c.rand.IntN(2) == 0 {
				c.write(c.repo, ".git/"+n, pick(c.rand, "", "garbage\n", strings.Repeat("f", 40)+"\n", "ref: HEAD\n", strings.Repeat("x", 1<<20), "\x1b[2J\n"))
			}
		}
	}},
	{"locks of others", func(c *clone) {
		for _, n := range lines.GitLocks {
			if c.rand.IntN(2) == 0 {
				c.write(c.repo, ".git/"+n, "")
			}
		}
	}},
	{"references in the way", func(c *clone) { // where checkpoints want to be
		switch c.rand.IntN(4) {
		case 0:
			c.write(c.repo, ".git/refs/moai", "x")
		case 1:
			c.write(c.repo, ".git/refs/heads/checkpoint", strings.TrimSpace(c.git(c.world, "rev-parse", "HEAD"))+"\n")
		case 2:
			must(os.Symlink(c.outside, c.replace(c.dot("refs/moai"))))
		case 3:
			must(os.Symlink(c.outside, c.replace(c.dot("refs/heads/checkpoint"))))
		}
	}},
	{"forged checkpoints", func(c *clone) {
		head := strings.TrimSpace(c.git(c.world, "rev-parse", "HEAD"))
		for i := range 50 {
			c.write(c.repo, fmt.Sprintf(".git/refs/moai/checkpoints/before-rm-20300101T00000%d.000Z", i%10+i/10*100), pick(c.rand, head, strings.Repeat("f", 40), "x")+"\n")
		}
		c.put(".moai/checkpoints.log", repeat(100_000, "\n", func(i int) string {
			return pick(c.rand, "{}", "x", `{"branch":"checkpoint/../../x"}`, `{"timestamp":"9999-01-01T00:00:00Z"}`)
		}))
	}},
}

// appendConfig adds to the repository's own configuration.
func (c *clone) appendConfig(text string) {
	f := must1(os.OpenFile(c.dot("config"), os.O_APPEND|os.O_WRONLY, 0))
	_, err := f.WriteString(text)
	must(err)
	must(f.Close())
}

// loose1 is the file of one object.
func (c *clone) loose1(object string) string {
	id := strings.TrimSpace(c.git(c.world, "rev-parse", object))
	return c.dot("objects/" + id[:2] + "/" + id[2:])
}

// damage breaks a file in one of many ways.
func (c *clone) damage(path string) {
	data, err := os.ReadFile(path)
	must(err)
	switch c.rand.IntN(7) {
	case 0:
		data = nil
	case 1:
		data = data[:c.rand.IntN(len(data)+1)]
	case 2:
		for range 1 + c.rand.IntN(8) {
			data[c.rand.IntN(len(data))] ^= byte(1 << c.rand.IntN(8))
		}
	case 3: // a number that is far too large
		for i := c.rand.IntN(min(len(data), 20)); i < min(len(data), 24); i++ {
			data[i] = 0xff
		}
	case 4:
		for i := range data {
			data[i] = byte(c.rand.IntN(256))
		}
	case 5:
		data = append(data, bytes.Repeat([]byte("x"), 1<<20)...)
	case 6:
		c.strange(path)
		return
	}
	must(os.WriteFile(path, data, 0o644))
}
