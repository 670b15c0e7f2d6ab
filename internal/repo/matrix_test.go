package repo

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// TestMatrix has one case for each situation in which Git libraries are known to answer
// wrongly or not at all. Each is set up by git and compared with git.
func TestMatrix(t *testing.T) {
	home := sandbox(t)
	for _, c := range matrix {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if c.unix && runtime.GOOS == "windows" {
				t.Skip("needs a Unix file system")
			}
			m := c.build(t, home)
			want, err := gitStatus(m.at)
			kit.Must(t, err)
			got, st, err := ourStatus(m.at, StatusOptions{UseConfig: true})
			kit.Must(t, err)
			if c.approximate {
				if len(st.Approximate) == 0 {
					t.Errorf("Status of %s is not marked as approximate: %q", c.name, got)
				}
				return
			}
			if d := diffLines(got, want); d != "" {
				t.Errorf("Status differs:\n%s", d)
			}
			if len(st.Notes) > 0 || st.Partial || len(st.Approximate) > 0 {
				t.Errorf("Status has notes %q, partial %v, approximate %q", st.Notes, st.Partial, st.Approximate)
			}
			if c.lines != "" && strings.Join(got, ",") != c.lines {
				t.Errorf("Status = %q, want %q", strings.Join(got, ","), c.lines)
			}
		})
	}
}

type situation struct {
	testing.TB
	home string
	dir  string // where it is built
	at   string // where the status is asked
	past time.Time
}

func (m *situation) git(args ...string) { m.Helper(); git(m, m.dir, args...) }

// gitIn is git with something on its standard input.
func (m *situation) gitIn(in string, args ...string) {
	m.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Stdin = m.dir, strings.NewReader(in)
	if out, err := c.CombinedOutput(); err != nil {
		m.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (m *situation) write(rel, text string) { m.Helper(); write(m, filepath.Join(m.dir, rel), text) }
func (m *situation) path(rel string) string { return filepath.Join(m.dir, rel) }

func (m *situation) must(err error) {
	m.Helper()
	kit.Must(m, err)
}

func (m *situation) touch(rel string) { m.Helper(); m.must(os.Chtimes(m.path(rel), m.past, m.past)) }

func (m *situation) commit() { m.Helper(); m.git("add", "-A"); m.git("commit", "-qm", "x") }

// ignoring writes and stages a .gitignore.
func (m *situation) ignoring(text string) {
	m.Helper()
	m.write(".gitignore", text)
	m.git("add", ".gitignore")
}

// submodule adds one called sub.
func (m *situation) submodule() {
	m.Helper()
	src := m.dir + "_src"
	write(m, filepath.Join(src, "s"), "s\n")
	git(m, src, "init", "-q", "--template=", ".")
	git(m, src, "add", "-A")
	git(m, src, "commit", "-qm", "s")
	m.git("submodule", "add", "-q", src, "sub")
	m.git("commit", "-qm", "sub")
}

func (m *situation) sparse(index string) {
	m.Helper()
	for _, d := range []string{"sp0", "sp1", "sp2"} {
		m.write(d+"/x", "x\n")
	}
	m.commit()
	m.git("sparse-checkout", "set", "--cone", index, "d")
}

type matrixCase struct {
	name        string
	setup       func(m *situation)
	lines       string // what both must say, where a case could otherwise be empty by mistake
	approximate bool
	unix        bool
}

// build makes the situation below home.
func (c *matrixCase) build(t testing.TB, home string) *situation {
	m := &situation{TB: t, home: home, dir: filepath.Join(home, "m", strings.Map(func(r rune) rune {
		if r == ' ' || r == '/' || r == '*' || r == ':' {
			return '_'
		}
		return r
	}, c.name)), past: time.Unix(1_000_000_000, 0)}
	m.at = m.dir
	write(t, filepath.Join(m.dir, "a.txt"), "hello\n")
	write(t, filepath.Join(m.dir, "d/b.txt"), "b\n")
	m.git("init", "-q", "--template=", ".")
	m.git("add", "-A")
	m.git("commit", "-qm", "i")
	c.setup(m)
	return m
}

var matrix = []matrixCase{
	{name: "clean", setup: func(m *situation) {}},
	{name: "modified", setup: func(m *situation) { m.write("a.txt", "hellp\n") }, lines: " M a.txt"},
	{name: "untracked file", setup: func(m *situation) { m.write("n.txt", "") }, lines: "?? n.txt"},
	{name: "untracked dir collapse", setup: func(m *situation) { m.write("nd/x/1", ""); m.write("nd/x/2", "") }, lines: "?? nd/"},
	{name: "empty untracked dir", setup: func(m *situation) { m.must(os.MkdirAll(m.path("nd/e"), 0o755)) }},
	{name: "ignored dir", setup: func(m *situation) { m.ignoring("nd/\n"); m.write("nd/x", ""); m.write("d/nd/y", "") }, lines: "A  .gitignore"},
	{name: "negation", setup: func(m *situation) { m.ignoring("*.o\n!keep.o\n"); m.write("z.o", ""); m.write("keep.o", "") }, lines: "A  .gitignore,?? keep.o"},
	{name: "ignore bang class", setup: func(m *situation) { m.ignoring("[!a]x\n"); m.write("ax", ""); m.write("bx", "") }, lines: "A  .gitignore,?? ax"},
	{name: "ignore posix class", setup: func(m *situation) { m.ignoring("*[[:digit:]]\n"); m.write("f1", ""); m.write("fx", "") }, lines: "A  .gitignore,?? fx"},
	{name: "ignore ** backtrack", setup: func(m *situation) { m.ignoring("a/**/b/c\n"); m.write("a/b/x/b/c", ""); m.write("a/b/d", "") }},
	{name: "ignore inner **", setup: func(m *situation) { m.ignoring("foo**bar\n"); m.write("fooXbar", ""); m.write("foo", "") }},
	{name: "ignore escapes", unix: true, setup: func(m *situation) {
		m.ignoring("\\#x\n\\!y\nsp\\ \ntr   \n")
		for _, n := range []string{"#x", "!y", "sp ", "tr"} {
			m.write(n, "")
		}
	}, lines: "A  .gitignore"},
	{name: "ignore anchored", setup: func(m *situation) { m.ignoring("/build\n"); m.write("build/x", ""); m.write("d/build/y", "") }},
	{name: "ignore reinclude", setup: func(m *situation) {
		m.ignoring("logs/*\n!logs/keep\n")
		m.write("logs/a", "")
		m.write("logs/keep", "")
	}},
	{name: "ignore parent excluded", setup: func(m *situation) { m.ignoring("out/\n!out/keep\n"); m.write("out/a", ""); m.write("out/keep", "") }, lines: "A  .gitignore"},
	{name: "ignore BOM", setup: func(m *situation) { m.ignoring("\xef\xbb\xbf*.bom\n"); m.write("x.bom", "") }, lines: "A  .gitignore"},
	{name: "ignore CRLF file", setup: func(m *situation) { m.ignoring("*.crlf\r\n"); m.write("x.crlf", "") }, lines: "A  .gitignore"},
	{name: "ignore CRLF without last line feed", setup: func(m *situation) { m.ignoring("a\n*.crlf\r"); m.write("x.crlf", "") }, lines: "A  .gitignore"},
	{name: "tracked in ignored dir", setup: func(m *situation) { m.ignoring("d\n"); m.write("d/b.txt", "mod\n"); m.write("d/new", "") }, lines: "A  .gitignore, M d/b.txt"},
	{name: "info/exclude", setup: func(m *situation) { m.write(".git/info/exclude", "*.ex\n"); m.write("x.ex", ""); m.write("d/y.ex", "") }},
	{name: "global excludesFile", setup: func(m *situation) { m.write("x.glob", ""); m.write("y.globe", "") }, lines: "?? y.globe"},
	{name: "XDG ignore", setup: func(m *situation) {
		global := filepath.Join(m.home, "without")
		write(m, global, "[user]\n\tname = t\n\temail = t\n")
		write(m, filepath.Join(m.home, ".config/git/ignore"), "*.xdg\n")
		m.Cleanup(func() { os.RemoveAll(filepath.Join(m.home, ".config")) })
		m.Setenv("GIT_CONFIG_GLOBAL", global)
		m.write("x.xdg", "")
		m.write("x.glob", "")
	}, lines: "?? x.glob"},
	{name: "include.path excludes", setup: func(m *situation) {
		write(m, m.dir+"_inc", "[core]\n\texcludesFile = "+m.dir+"_gi\n")
		write(m, m.dir+"_gi", "*.inc\n")
		m.git("config", "include.path", m.dir+"_inc")
		m.write("x.inc", "")
	}, lines: ""},
	{name: "includeIf gitdir", setup: func(m *situation) {
		write(m, m.dir+"_inc", "[core]\n\texcludesFile = "+m.dir+"_gi\n")
		write(m, m.dir+"_gi", "*.inc\n")
		m.git("config", "includeIf.gitdir:**/m/includeIf_gitdir/.path", m.dir+"_inc")
		m.write("x.inc", "")
	}},
	{name: "includeIf onbranch", setup: func(m *situation) {
		write(m, m.dir+"_inc", "[core]\n\texcludesFile = "+m.dir+"_gi\n")
		write(m, m.dir+"_gi", "*.inc\n")
		m.git("config", "includeIf.onbranch:ma*.path", m.dir+"_inc")
		m.write("x.inc", "")
	}},
	{name: "autocrlf touched", setup: func(m *situation) {
		m.git("config", "core.autocrlf", "true")
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.touch("c.txt")
	}},
	{name: "autocrlf with CRLF stored", setup: func(m *situation) {
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.git("config", "core.autocrlf", "true")
		m.touch("c.txt")
	}},
	{name: "text with CRLF stored", setup: func(m *situation) {
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.write(".gitattributes", "*.txt text\n")
		m.git("add", ".gitattributes")
		m.touch("c.txt")
	}, lines: "A  .gitattributes, M c.txt"},
	{name: "eol=crlf touched", setup: func(m *situation) {
		m.write(".gitattributes", "*.txt text eol=crlf\n")
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.touch("c.txt")
	}},
	{name: "ident touched", setup: func(m *situation) {
		m.write(".gitattributes", "*.txt ident\n")
		m.write("c.txt", "$Id$\n")
		m.commit()
		m.must(os.Remove(m.path("c.txt")))
		m.git("checkout", "c.txt")
		m.touch("c.txt")
	}},
	{name: "attributes from the index", setup: func(m *situation) {
		m.write(".gitattributes", "*.txt text\n")
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.must(os.Remove(m.path(".gitattributes")))
		m.touch("c.txt")
	}, lines: " D .gitattributes"},
	{name: "attributes file replaced by a directory", setup: func(m *situation) {
		m.write(".gitattributes", "*.txt text\n")
		m.write("c.txt", "l1\r\nl2\r\n")
		m.commit()
		m.must(os.Remove(m.path(".gitattributes")))
		m.write(".gitattributes/x", "")
		m.touch("c.txt")
	}, lines: " D .gitattributes, M c.txt"},
	{name: "touched only", setup: func(m *situation) { m.touch("a.txt") }},
	{name: "fileMode false chmod", setup: func(m *situation) {
		m.git("config", "core.fileMode", "false")
		m.must(os.Chmod(m.path("a.txt"), 0o755))
	}},
	{name: "fileMode true chmod", unix: true, setup: func(m *situation) { m.must(os.Chmod(m.path("a.txt"), 0o755)) }, lines: " M a.txt"},
	{name: "chmod 600", unix: true, setup: func(m *situation) { m.must(os.Chmod(m.path("a.txt"), 0o600)) }},
	{name: "symlink clean", unix: true, setup: func(m *situation) { m.must(os.Symlink("a.txt", m.path("l"))); m.commit() }},
	{name: "symlink retarget", unix: true, setup: func(m *situation) {
		m.must(os.Symlink("a.txt", m.path("l")))
		m.commit()
		m.must(os.Remove(m.path("l")))
		m.must(os.Symlink("d", m.path("l")))
	}, lines: " M l"},
	{name: "typechange", unix: true, setup: func(m *situation) {
		m.must(os.Remove(m.path("a.txt")))
		m.must(os.Symlink("d/b.txt", m.path("a.txt")))
	}, lines: " T a.txt"},
	{name: "staged typechange", unix: true, setup: func(m *situation) {
		m.must(os.Remove(m.path("a.txt")))
		m.must(os.Symlink("d/b.txt", m.path("a.txt")))
		m.git("add", "-A")
	}, lines: "T  a.txt"},
	{name: "core.symlinks false", unix: true, setup: func(m *situation) {
		m.must(os.Symlink("a.txt", m.path("l")))
		m.commit()
		m.git("config", "core.symlinks", "false")
		m.must(os.Remove(m.path("l")))
		m.write("l", "a.txt")
	}},
	{name: "dangling symlink", unix: true, setup: func(m *situation) { m.must(os.Symlink("/nonexistent/x", m.path("l"))); m.commit() }},
	{name: "dir replaced by symlink", unix: true, setup: func(m *situation) {
		m.must(os.RemoveAll(m.path("d")))
		m.must(os.Symlink(m.home, m.path("d")))
	}, lines: " D d/b.txt,?? d"},
	{name: "clean filter touched", approximate: true, setup: func(m *situation) {
		m.git("config", "filter.up.clean", "tr a-z A-Z")
		m.write(".gitattributes", "*.up filter=up\n")
		m.write("q.up", "abc\n")
		m.commit()
		m.touch("q.up")
	}},
	{name: "working-tree-encoding touched", approximate: true, setup: func(m *situation) {
		m.write(".gitattributes", "*.u16 working-tree-encoding=UTF-16LE\n")
		m.write("q.u16", "a\x00\n\x00")
		m.commit()
		m.touch("q.u16")
	}},
	{name: "odd names", unix: true, setup: func(m *situation) {
		m.write("tab\there", "1")
		m.write("line\nend", "2")
		m.write("lat\xe9in", "3")
		m.write("\"quoted\"", "4")
		m.write("back\\slash", "5")
		m.git("add", "-A")
		m.write("lat\xe9in", "33")
	}, lines: "A  \"quoted\",A  back\\slash,AM lat\xe9in,A  line\nend,A  tab\there"},
	{name: "merge in progress, resolved", setup: func(m *situation) {
		m.git("checkout", "-q", "-b", "other")
		m.write("a.txt", "theirs\n")
		m.commit()
		m.git("checkout", "-q", "-")
		m.write("a.txt", "ours\n")
		m.commit()
		_, _ = gitTry(m.path(""), "merge", "other")
		m.write("a.txt", "both\n")
		m.git("add", "a.txt")
	}, lines: "M  a.txt"},
	{name: "index.lock held", setup: func(m *situation) { m.write(".git/index.lock", ""); m.write("a.txt", "mm\n") }, lines: " M a.txt"},
	{name: "LFS touched", setup: func(m *situation) {
		// The clean filter of git-lfs, in shell, under its name, so that git can run it here.
		script := `sh -c 'f=$(mktemp); cat >$f; printf "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n" $(sha256sum <$f | cut -c1-64) $(wc -c <$f); rm $f' git-lfs clean`
		m.git("config", "filter.lfs.clean", script)
		m.write(".gitattributes", "*.bin filter=lfs -text\n")
		m.write("m.bin", "content\n")
		m.commit()
		m.touch("m.bin")
	}},
	{name: "submodule clean", setup: func(m *situation) { m.submodule() }},
	{name: "submodule dirty content", setup: func(m *situation) { m.submodule(); m.write("sub/s", "dirty\n") }, lines: " M sub"},
	{name: "submodule untracked", setup: func(m *situation) { m.submodule(); m.write("sub/u", "u\n") }, lines: " M sub"},
	{name: "submodule new commit", setup: func(m *situation) {
		m.submodule()
		m.write("sub/s", "n\n")
		git(m, m.path("sub"), "commit", "-qam", "n")
	}, lines: " M sub"},
	{name: "submodule staged commit", setup: func(m *situation) {
		m.submodule()
		m.write("sub/s", "n\n")
		git(m, m.path("sub"), "commit", "-qam", "n")
		m.git("add", "sub")
	}, lines: "M  sub"},
	{name: "submodule ignore all", setup: func(m *situation) {
		m.submodule()
		m.git("config", "submodule.sub.ignore", "all")
		m.write("sub/s", "dirty\n")
	}},
	{name: "submodule ignore untracked", setup: func(m *situation) {
		m.submodule()
		m.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "untracked")
		m.git("commit", "-qam", "ignore")
		m.write("sub/u", "u\n")
	}},
	{name: "submodule removed", setup: func(m *situation) { m.submodule(); m.must(os.RemoveAll(m.path("sub"))) }, lines: " D sub"},
	{name: "submodule uninit", setup: func(m *situation) {
		m.submodule()
		m.git("clone", "-q", m.dir, m.dir+"_clone")
		m.at = m.dir + "_clone"
	}},
	{name: "inside a submodule", setup: func(m *situation) { m.submodule(); m.write("sub/s", "dirty\n"); m.at = m.path("sub") }, lines: " M s"},
	{name: "linked worktree", setup: func(m *situation) {
		m.at = m.dir + "_wt"
		m.git("worktree", "add", "-q", m.at, "-b", "br")
		write(m, filepath.Join(m.at, "new"), "")
	}, lines: "?? new"},
	{name: "index v2", setup: func(m *situation) { m.git("update-index", "--index-version", "2"); m.write("a.txt", "m\n") }, lines: " M a.txt"},
	{name: "index v3", setup: func(m *situation) { m.write("i", ""); m.git("add", "-N", "i"); m.write("a.txt", "m\n") }},
	{name: "index v4", setup: func(m *situation) { m.git("update-index", "--index-version", "4"); m.write("a.txt", "m\n") }, lines: " M a.txt"},
	{name: "split index", setup: func(m *situation) {
		m.git("config", "core.splitIndex", "true")
		m.git("update-index", "--split-index")
		m.write("n", "")
		m.git("add", "n")
		m.git("rm", "-q", "--cached", "d/b.txt")
		m.write("a.txt", "x\n")
		m.git("add", "a.txt")
	}, lines: "M  a.txt,D  d/b.txt,A  n,?? d/"},
	{name: "sparse index", setup: func(m *situation) { m.sparse("--sparse-index") }},
	{name: "sparse index with as many untracked directories", setup: func(m *situation) {
		m.sparse("--sparse-index")
		m.write("n0/x", "")
		m.write("n1/x", "")
		m.write("n2/x", "")
	}, lines: "?? n0/,?? n1/,?? n2/"},
	{name: "sparse index with a directory present", setup: func(m *situation) {
		m.sparse("--sparse-index")
		m.write("sp1/x", "changed\n")
		m.write("sp1/new", "")
	}},
	{name: "sparse index staged", setup: func(m *situation) {
		m.sparse("--sparse-index")
		m.git("commit", "-q", "--allow-empty", "-m", "same")
		m.git("reset", "-q", "--soft", "HEAD~2")
	}},
	{name: "sparse checkout", setup: func(m *situation) { m.sparse("--no-sparse-index") }},
	{name: "sparse checkout with a file present", setup: func(m *situation) { m.sparse("--no-sparse-index"); m.write("sp0/x", "changed\n") }, lines: " M sp0/x"},
	{name: "sparse checkout, ext removed", setup: func(m *situation) {
		m.sparse("--no-sparse-index")
		m.git("config", "--unset", "extensions.worktreeConfig")
	}},
	{name: "gitignore from the index when skip-worktree", setup: func(m *situation) {
		m.write("e/.gitignore", "*.o\n")
		m.write("e/f", "")
		m.commit()
		m.git("update-index", "--skip-worktree", "e/.gitignore")
		m.must(os.Remove(m.path("e/.gitignore")))
		m.write("e/x.o", "")
		m.write("e/y", "")
	}, lines: "?? e/y"},
	{name: "untracked cache", setup: func(m *situation) { m.git("update-index", "--untracked-cache"); m.git("status"); m.write("n", "") }, lines: "?? n"},
	{name: "fsmonitor ext", setup: func(m *situation) { m.git("update-index", "--fsmonitor"); m.write("n", "") }, lines: "?? n"},
	{name: "EOIE and IEOT extensions", setup: func(m *situation) {
		m.git("-c", "index.threads=2", "update-index", "--force-write-index")
		b, err := os.ReadFile(m.path(".git/index"))
		m.must(err)
		if !bytes.Contains(b, []byte("EOIE")) || !bytes.Contains(b, []byte("IEOT")) {
			m.Fatal("git wrote an index without these extensions")
		}
		m.write("n", "")
	}, lines: "?? n"},
	{name: "index.skipHash", setup: func(m *situation) {
		b, err := os.ReadFile(m.path(".git/index"))
		m.must(err)
		clear(b[len(b)-20:])
		m.must(os.WriteFile(m.path(".git/index"), b, 0o644))
		m.write("n", "")
	}, lines: "?? n"},
	{name: "sha256", setup: func(m *situation) {
		m.at = m.dir + "_256"
		write(m, filepath.Join(m.at, "a"), "a\n")
		write(m, filepath.Join(m.at, "e/b"), "b\n")
		git(m, m.at, "init", "-q", "--template=", "--object-format=sha256", ".")
		git(m, m.at, "add", "-A")
		git(m, m.at, "commit", "-qm", "x")
		write(m, filepath.Join(m.at, "e/b"), "c\n")
		git(m, m.at, "add", "-A")
		write(m, filepath.Join(m.at, "a"), "b\n")
		write(m, filepath.Join(m.at, "n"), "")
	}, lines: " M a,M  e/b,?? n"},
	{name: "partial clone", setup: func(m *situation) {
		m.git("config", "uploadpack.allowFilter", "true")
		m.at = m.dir + "_pc"
		m.git("clone", "-q", "--filter=blob:none", "file://"+m.dir, m.at)
	}},
	{name: "worktreeConfig v0", setup: func(m *situation) { m.git("config", "extensions.worktreeConfig", "true") }},
	{name: "worktreeConfig v1", setup: func(m *situation) {
		m.git("config", "core.repositoryformatversion", "1")
		m.git("config", "extensions.worktreeConfig", "true")
		m.git("config", "--worktree", "core.fileMode", "false")
		m.must(os.Chmod(m.path("a.txt"), 0o755))
	}},
	{name: "preciousObjects", setup: func(m *situation) {
		m.git("config", "extensions.preciousObjects", "true")
		m.git("config", "core.repositoryformatversion", "1")
		m.write("n", "")
	}, lines: "?? n"},
	{name: "packed-refs", setup: func(m *situation) { m.git("pack-refs", "--all"); m.write("a.txt", "m\n") }, lines: " M a.txt"},
	{name: "packed objects", setup: func(m *situation) { m.git("repack", "-adq"); m.write("a.txt", "m\n"); m.git("add", "-A") }, lines: "M  a.txt"},
	{name: "alternates", setup: func(m *situation) {
		m.at = m.dir + "_alt"
		m.git("clone", "-q", "--shared", m.dir, m.at)
		write(m, filepath.Join(m.at, "a.txt"), "m\n")
		git(m, m.at, "add", "-A")
	}, lines: "M  a.txt"},
	{name: "shallow clone", setup: func(m *situation) {
		m.git("commit", "-q", "--allow-empty", "-m", "2")
		m.at = m.dir + "_sh"
		m.git("clone", "-q", "--depth", "1", "file://"+m.dir, m.at)
	}},
	{name: "midx and commit-graph", setup: func(m *situation) {
		m.git("repack", "-adq")
		m.git("multi-pack-index", "write")
		m.git("commit-graph", "write", "--reachable")
		m.write("a.txt", "m\n")
		m.git("add", "-A")
	}, lines: "M  a.txt"},
	{name: "bitmap and reverse index", setup: func(m *situation) {
		m.git("-c", "pack.writeReverseIndex=true", "repack", "-adbq")
		for _, kind := range []string{"bitmap", "rev"} {
			if list, _ := filepath.Glob(m.path(".git/objects/pack/*." + kind)); len(list) != 1 {
				m.Fatalf("git wrote %v for %s", list, kind)
			}
		}
		m.write("a.txt", "m\n")
		m.git("add", "-A")
	}, lines: "M  a.txt"},
	{name: "assume-unchanged", setup: func(m *situation) { m.git("update-index", "--assume-unchanged", "a.txt"); m.write("a.txt", "mm\n") }},
	{name: "skip-worktree missing", setup: func(m *situation) {
		m.git("update-index", "--skip-worktree", "a.txt")
		m.must(os.Remove(m.path("a.txt")))
	}},
	{name: "skip-worktree present", setup: func(m *situation) { m.git("update-index", "--skip-worktree", "a.txt"); m.write("a.txt", "mm\n") }},
	{name: "intent-to-add", setup: func(m *situation) { m.write("i.txt", "x\n"); m.git("add", "-N", "i.txt") }, lines: " A i.txt"},
	{name: "intent-to-add renamed", setup: func(m *situation) {
		m.must(os.Rename(m.path("a.txt"), m.path("z.txt")))
		m.git("add", "-N", "z.txt")
	}, lines: " R z.txt <- a.txt"},
	{name: "unmerged conflict", setup: func(m *situation) {
		m.git("checkout", "-qb", "o")
		m.write("a.txt", "o\n")
		m.git("commit", "-qam", "o")
		m.git("checkout", "-q", "main")
		m.write("a.txt", "m\n")
		m.git("commit", "-qam", "m")
		_, _ = tryGit(m.dir, "merge", "o")
	}, lines: "UU a.txt"},
	{name: "unmerged delete and modify", setup: func(m *situation) {
		m.git("checkout", "-qb", "o")
		m.git("rm", "-q", "a.txt")
		m.git("commit", "-qam", "o")
		m.git("checkout", "-q", "main")
		m.write("a.txt", "m\n")
		m.git("commit", "-qam", "m")
		_, _ = tryGit(m.dir, "merge", "o")
	}, lines: "UD a.txt"},
	{name: "unmerged in every way", setup: func(m *situation) {
		blob := strings.TrimSpace(git(m, m.dir, "hash-object", "-w", "a.txt"))
		var info strings.Builder
		for stages := 1; stages < 8; stages++ { // one bit for base, ours and theirs each
			for k := range 3 {
				if stages>>k&1 != 0 {
					fmt.Fprintf(&info, "100644 %s %d\tu%d\n", blob, k+1, stages)
				}
			}
			if stages%2 == 0 {
				m.write(fmt.Sprint("u", stages), "left\n")
			}
		}
		m.gitIn(info.String(), "update-index", "--index-info")
	}, lines: "DD u1,AU u2,UD u3,UA u4,DU u5,AA u6,UU u7"},
	{name: "staged rename exact", setup: func(m *situation) { m.git("mv", "a.txt", "z.txt") }, lines: "R  z.txt <- a.txt"},
	{name: "staged rename inexact", setup: func(m *situation) {
		m.write("big.txt", strings.Repeat("line\n", 40)+strings.Repeat("other line\n", 40))
		m.commit()
		m.git("mv", "big.txt", "big2.txt")
		m.write("big2.txt", strings.Repeat("line\n", 40)+strings.Repeat("other line\n", 40)+"more\n")
		m.git("add", "-A")
	}, lines: "R  big2.txt <- big.txt"},
	{name: "staged renames off", setup: func(m *situation) { m.git("config", "status.renames", "false"); m.git("mv", "a.txt", "z.txt") }, lines: "D  a.txt,A  z.txt"},
	{name: "staged copies", setup: func(m *situation) {
		m.git("config", "status.renames", "copies")
		m.write("big.txt", strings.Repeat("some line\n", 40))
		m.commit()
		m.write("copy.txt", strings.Repeat("some line\n", 40))
		m.write("big.txt", strings.Repeat("some line\n", 40)+"x\n")
		m.git("add", "-A")
	}, lines: "M  big.txt,C  copy.txt <- big.txt"},
	{name: "staged and worktree", setup: func(m *situation) { m.write("a.txt", "s\n"); m.git("add", "a.txt"); m.write("a.txt", "w\n") }, lines: "MM a.txt"},
	{name: "rm --cached", setup: func(m *situation) { m.git("rm", "-q", "--cached", "a.txt") }, lines: "D  a.txt,?? a.txt"},
	{name: "deleted", setup: func(m *situation) { m.must(os.Remove(m.path("a.txt"))) }, lines: " D a.txt"},
	{name: "nested repo", setup: func(m *situation) {
		write(m, m.path("nest/f"), "")
		git(m, m.path("nest"), "init", "-q", "--template=", ".")
		git(m, m.path("nest"), "add", "-A")
		git(m, m.path("nest"), "commit", "-qm", "n")
	}, lines: "?? nest/"},
	{name: "nested repo without files", setup: func(m *situation) { m.must(os.Mkdir(m.path("nest"), 0o755)); git(m, m.path("nest"), "init", "-q", ".") }, lines: "?? nest/"},
	{name: "file replaced by a repository", setup: func(m *situation) {
		m.must(os.Remove(m.path("a.txt")))
		write(m, m.path("a.txt/f"), "")
		git(m, m.path("a.txt"), "init", "-q", "--template=", ".")
		git(m, m.path("a.txt"), "add", "-A")
		git(m, m.path("a.txt"), "commit", "-qm", "n")
	}, lines: " T a.txt"},
	{name: "file replaced by a repository, all untracked", setup: func(m *situation) {
		m.git("config", "status.showUntrackedFiles", "all")
		m.must(os.Remove(m.path("a.txt")))
		write(m, m.path("a.txt/f"), "")
		git(m, m.path("a.txt"), "init", "-q", "--template=", ".")
		git(m, m.path("a.txt"), "add", "-A")
		git(m, m.path("a.txt"), "commit", "-qm", "n")
	}, lines: " T a.txt"},
	{name: "detached", setup: func(m *situation) { m.git("checkout", "-q", "--detach"); m.write("n", "") }, lines: "?? n"},
	{name: "unborn", setup: func(m *situation) {
		m.at = m.dir + "_u"
		write(m, filepath.Join(m.at, "f"), "")
		write(m, filepath.Join(m.at, "g"), "")
		git(m, m.at, "init", "-q", "--template=", ".")
		git(m, m.at, "add", "f")
	}, lines: "A  f,?? g"},
	{name: "unicode and space names", setup: func(m *situation) {
		m.write("ümlaut ä.txt", "")
		m.write("한국어/파일.txt", "")
		m.write("sp ace", "")
	}},
	{name: "decomposed and composed names", unix: true, setup: func(m *situation) {
		m.write("한글", "")
		m.git("add", "-A")
		m.write("\u1112\u1161\u11ab\u1100\u1173\u11af", "")
	}},
	{name: "fifo and socket", unix: true, setup: func(m *situation) {
		mkfifo(m, m.path("fifo"))
		// Its path is too long for a socket's address, so it is made elsewhere.
		short, err := os.MkdirTemp("", "s")
		m.must(err)
		m.Cleanup(func() { os.RemoveAll(short) })
		l, err := net.Listen("unix", filepath.Join(short, "s"))
		m.must(err)
		m.Cleanup(func() { l.Close() })
		m.must(os.Rename(filepath.Join(short, "s"), m.path("sock")))
		m.write("n", "")
	}, lines: "?? n"},
	{name: "file replaced by a fifo", unix: true, setup: func(m *situation) {
		m.must(os.Remove(m.path("a.txt")))
		mkfifo(m, m.path("a.txt"))
	}, lines: " M a.txt"},
	{name: "same-size quick edit", setup: func(m *situation) { m.write("a.txt", "hellO\n") }, lines: " M a.txt"},
	{name: "core.worktree", setup: func(m *situation) {
		m.at = m.dir + "_w"
		m.git("config", "core.worktree", m.at)
		write(m, m.at+"/.git", "gitdir: "+filepath.Join(m.dir, ".git")+"\n")
		write(m, m.at+"/a.txt", "hello\n")
	}, lines: " D d/b.txt"},
	{name: "separate-git-dir", setup: func(m *situation) {
		m.at = m.dir + "_sw"
		write(m, filepath.Join(m.at, "f"), "")
		git(m, m.at, "init", "-q", "--template=", "--separate-git-dir="+m.dir+"_sep", ".")
	}, lines: "?? f"},
	{name: "status.showUntrackedFiles=no", setup: func(m *situation) { m.git("config", "status.showUntrackedFiles", "no"); m.write("n", "") }},
	{name: "status.showUntrackedFiles=all", setup: func(m *situation) { m.git("config", "status.showUntrackedFiles", "all"); m.write("nd/n", "") }, lines: "?? nd/n"},
	{name: "tracked ignored file modified", setup: func(m *situation) {
		m.write("ig.o", "")
		m.write(".gitignore", "*.o\n")
		m.git("add", "-f", "ig.o", ".gitignore")
		m.git("commit", "-qm", "x")
		m.write("ig.o", "changed\n")
	}, lines: " M ig.o"},
	{name: "file to directory", setup: func(m *situation) { m.must(os.Remove(m.path("a.txt"))); m.write("a.txt/inner", "") }, lines: " D a.txt"},
	{name: "directory to file", setup: func(m *situation) { m.must(os.RemoveAll(m.path("d"))); m.write("d", "") }},
	{name: "ignored dir with tracked", setup: func(m *situation) {
		m.write(".gitignore", "build\n")
		m.write("build/x.c", "")
		m.git("add", "-f", ".gitignore", "build/x.c")
		m.git("commit", "-qm", "x")
		m.write("build/x.c", "2\n")
		m.write("build/new", "")
	}, lines: " M build/x.c"},
	{name: "untracked dir all ignored inside", setup: func(m *situation) { m.write("x/.gitignore", "*\n"); m.write("x/y", "") }},
	{name: "untracked dir with own gitignore", setup: func(m *situation) { m.write("x/.gitignore", "*.o\n"); m.write("x/y.o", "") }, lines: "?? x/"},
	{name: "gitignore is a link", unix: true, setup: func(m *situation) {
		m.write("rules", "*.o\n")
		m.must(os.Symlink("rules", m.path(".gitignore")))
		m.write("x.o", "")
	}, lines: "?? .gitignore,?? rules,?? x.o"},
	{name: "ignoreStat", setup: func(m *situation) { m.git("config", "core.ignoreStat", "true"); m.write("n", "") }, lines: "?? n"},
	{name: "ignoreCase", setup: func(m *situation) {
		m.git("config", "core.ignoreCase", "true")
		m.ignoring("*.OBJ\nBuild/\n[A-C]x\n")
		for _, n := range []string{"x.obj", "build/y", "bx", "dx", "A.TXT"} {
			m.write(n, "")
		}
	}},
	{name: "checkStat minimal", setup: func(m *situation) {
		m.git("config", "core.checkStat", "minimal")
		fi, err := os.Stat(m.path("a.txt"))
		m.must(err)
		m.must(os.Remove(m.path("a.txt")))
		m.write("a.txt", "hello\n")
		m.must(os.Chtimes(m.path("a.txt"), fi.ModTime(), fi.ModTime()))
	}},
}
