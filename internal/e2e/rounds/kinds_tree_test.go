//go:build linux

package rounds

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// treeKinds have something odd in the work tree, or in what Git is told about it.
var treeKinds = []kind{
	{"sparse cone", and(func(w *world) { w.in("sparse-checkout", "set", "src/lib", "d") })},
	{"sparse patterns", and(func(w *world) { w.in("sparse-checkout", "set", "--no-cone", "/*", "!/docs/", "!c.txt") })},
	{"sparse index", and(func(w *world) { w.in("sparse-checkout", "set", "--sparse-index", "src/lib") })},
	{"skip-worktree", and(func(w *world) {
		w.in("update-index", "--skip-worktree", "a.txt", "src/util.go", "d/kept")
		w.put("a.txt", lines("my own settings"))
		must(os.Remove(filepath.Join(w.project, "d/kept")))
	})},
	{"assume-unchanged", and(func(w *world) {
		w.in("update-index", "--assume-unchanged", "a.txt", "src/lib/x.go")
		w.put("a.txt", lines("my own"))
	})},
	{"intent-to-add", and(func(w *world) {
		w.put("soon.txt", lines("soon"), "src/soon.go", lines("soon too"))
		w.in("add", "-N", "soon.txt", "src/soon.go")
	})},
	{"removed and ignored", and(func(w *world) { // git rm --cached of what should never have been committed, as people do it
		w.put(".gitignore", "*.log\nbuild/\n.env\nrun.sh\ndocs/\nc.txt\nsrc/lib/\n")
		w.in("rm", "-q", "-r", "--cached", "run.sh", "docs", "c.txt", "src/lib")
		w.put("run.sh", "my own\n", "docs/guide.md", lines("my own"), "c.txt", lines("of my own"))
	})},
	{"autocrlf", and(func(w *world) {
		w.in("config", "core.autocrlf", "true")
		w.in("config", "core.safecrlf", "false")
		w.put("a.txt", strings.ReplaceAll(lines("with CRLF"), "\n", "\r\n"), "mixed.txt", "one\r\ntwo\nthree\r\n")
	})},
	{"eol attributes", func(w *world) {
		must(os.MkdirAll(w.project, 0o755))
		w.in("init", "-q")
		w.put(".gitattributes", "*.txt text eol=crlf\n*.md -text\n*.bin binary\ndocs/** text=auto\n", "x.bin", "\x00\x01\r\n\x02")
		w.first()
		w.rest()
		w.put("mixed.txt", "one\r\ntwo\nthree\r\n", "docs/mixed", "one\r\ntwo\n")
	}},
	{"filters", func(w *world) {
		must(os.MkdirAll(w.project, 0o755))
		w.in("init", "-q")
		w.in("config", "filter.upper.clean", "tr a-z A-Z")
		w.in("config", "filter.upper.smudge", "tr A-Z a-z")
		w.put(".gitattributes", "src/*.go filter=upper\n*.id ident\n", "x.id", "$Id$\n")
		w.first()
		w.rest()
	}},
	{"no symlinks", and(func(w *world) {
		w.in("config", "core.symlinks", "false")
		must(os.Remove(filepath.Join(w.project, "link")))
		w.put("link", "a.txt")
	})},
	{"no file mode", and(func(w *world) {
		w.in("config", "core.fileMode", "false")
		must(os.Chmod(filepath.Join(w.project, "b.txt"), 0o755))
	})},
	{"links", and(func(w *world) {
		for name, to := range map[string]string{"to-folder": "src", "broken": "nowhere", "src/up": "..", "out": "../outside.txt", "chain": "link", "self": "self"} {
			must(os.Symlink(to, filepath.Join(w.project, name)))
		}
		w.write(filepath.Join(w.work, "outside.txt"), lines("outside"))
		w.in("add", "to-folder", "src/up")
		w.in("commit", "-q", "-m", "links")
		must(os.Remove(filepath.Join(w.project, "to-folder")))
		must(os.Symlink("docs", filepath.Join(w.project, "to-folder")))
	})},
	{"many files", and(func(w *world) {
		for i := range 1000 {
			w.put(fmt.Sprintf("many/%d/%03d.txt", i%10, i), fmt.Sprintf("file %d\n", i))
		}
		w.in("add", "many")
		w.in("commit", "-q", "-m", "many")
		for i := range 300 {
			w.put(fmt.Sprintf("more/%d/%03d.txt", i%7, i), fmt.Sprintf("new file %d\n", i))
		}
	})},
	{"a big file", and(func(w *world) {
		w.put("big.bin", strings.Repeat("0123456789abcdef", 11<<16), "src/big.dat", strings.Repeat("fedcba9876543210", 11<<16))
	})},
	{"secrets", and(func(w *world) {
		w.put(".gitignore", "*.log\nbuild/\n.env*\nkeys/\n", ".env", "API_KEY=one\n", ".env.local", "API_KEY=two\n", "src/.env", "API_KEY=three\n",
			"keys/id_rsa", "a private key\n", "keys/server.pem", "another\n", "build/out.o", "made again\n", "debug.log", "a log\n")
		must(os.Chmod(filepath.Join(w.project, ".env"), 0o600))
	})},
	{"secrets in results", and(func(w *world) {
		w.put(".gitignore", "*.log\nbuild/\ndist/\nnode_modules/\n", "dist/.env", "API_KEY=one\n", "dist/deep/credentials.json", "{}\n", "dist/app.o", "made again\n",
			"build/id_rsa", "a private key\n", "src/dist/.env.local", "API_KEY=two\n", "node_modules/.env", "API_KEY=three\n", "node_modules/x/index.o", "made again\n")
		must(os.Chmod(filepath.Join(w.project, "dist/.env"), 0o600))
	})},
	{"ignoring case", and(func(w *world) {
		w.put("A.txt", lines("A.txt"), "SRC/main.go", lines("another main"), "SRC/mine.go", lines("mine"), "Docs/guide.md", lines("another guide"))
		w.in("config", "core.ignoreCase", "true")
		must(os.Rename(filepath.Join(w.project, "b.txt"), filepath.Join(w.project, "B.TXT")))
	})},
	{"announced modes", and(func(w *world) {
		w.put("soon.sh", lines("soon"), "src/plain.sh", lines("plain"))
		must(os.Chmod(filepath.Join(w.project, "soon.sh"), 0o755))
		must(os.Symlink("a.txt", filepath.Join(w.project, "soon")))
		w.in("add", "-N", "soon.sh", "soon", "src/plain.sh")
	})},
	{"staged deletions", and(func(w *world) {
		w.in("rm", "-q", "--cached", "a.txt", "src/util.go")
		w.in("rm", "-q", "c.txt", "link")
		w.put("c.txt", lines("another c.txt"), "src/util.go", lines("changed and not tracked"))
	})},
	{"ignoring all", and(func(w *world) {
		w.put("own/.gitignore", "*\n", "own/diary", lines("diary"), "own/deep/er", lines("deeper"), "scratch/.gitignore", "*\n", "scratch/x", "x\n")
	})},
	{"added by force", and(func(w *world) {
		w.put("x.log", lines("x.log"), "build/keep.txt", lines("keep"))
		w.in("add", "-f", "x.log", "build/keep.txt")
		w.in("commit", "-q", "-m", "by force")
		w.put("x.log", lines("changed by me"), "build/keep.txt", lines("changed as well"), "build/other", "ignored\n")
	})},
	{"negations", and(func(w *world) {
		w.put(".gitignore", "/*\n!/src/\n!/.gitignore\n!/d\n", "src/.gitignore", "*.o\n!keep.o\nlib/*\n!lib/x.go\n", "src/x.o", "x\n", "src/keep.o", lines("kept"), "src/lib/z", "z\n", "new-at-root", "ignored\n")
	})},
	{"info/exclude", and(func(w *world) {
		w.put(".git/info/exclude", "mine/\n*.tmp\n", "mine/plan", lines("plan"), "x.tmp", "x\n", "d/x.tmp", "d\n", "d/new", lines("not excluded"))
	})},
	{"excludesFile", and(func(w *world) {
		w.write(filepath.Join(w.dir, "home", "ignore"), "*.own\n.idea/\n")
		w.in("config", "core.excludesFile", "~/ignore")
		w.put("x.own", "own\n", ".idea/settings.xml", "settings\n", "d/z.own", "z\n", "d/new", lines("new"))
	})},
	{"empty folders", and(func(w *world) {
		for _, d := range []string{"empty", "e/e/e", "src/empty", "build/empty"} {
			must(os.MkdirAll(filepath.Join(w.project, d), 0o755))
		}
	})},
	{"folder modes", and(func(w *world) {
		w.put("private/x", lines("private"), "shared/y", lines("shared"))
		for d, m := range map[string]os.FileMode{"private": 0o700, "shared": 0o775, "src": 0o750, "src/lib": 0o711} {
			must(os.Chmod(filepath.Join(w.project, d), m))
		}
	})},
	{"pipes", and(func(w *world) {
		for _, p := range []string{"pipe", "src/pipe"} {
			must(syscall.Mkfifo(filepath.Join(w.project, p), 0o640))
		}
	})},
	{"read-only files", and(func(w *world) {
		w.put("ro.txt", lines("read-only"), "ro/x", lines("in a read-only folder"))
		for p, m := range map[string]os.FileMode{"ro.txt": 0o444, "a.txt": 0o400, "ro/x": 0o444, "ro": 0o555} {
			must(os.Chmod(filepath.Join(w.project, p), m))
		}
	})},
	{"hard links", and(func(w *world) {
		for from, to := range map[string]string{"a.txt": "hard.txt", "src/main.go": "src/same.go"} {
			must(os.Link(filepath.Join(w.project, from), filepath.Join(w.project, to)))
		}
		w.put("a.txt", lines("changed, in both"))
	})},
	{"renamed", and(func(w *world) {
		w.in("mv", "a.txt", "renamed.txt")
		w.in("mv", "src/lib", "src/library")
		w.put("renamed.txt", lines("renamed and changed"))
	})},
	{"kinds exchanged", and(func(w *world) {
		remove(filepath.Join(w.project, "d"))
		w.put("d", lines("a file now"))
		must(os.Remove(filepath.Join(w.project, "b.txt")))
		w.put("b.txt/in", lines("a folder now"))
		must(os.Remove(filepath.Join(w.project, "link")))
		w.put("link", lines("no link now"))
		must(os.Remove(filepath.Join(w.project, "c.txt")))
		must(os.Symlink("a.txt", filepath.Join(w.project, "c.txt")))
	})},
}

// nameKinds have names that are hard to write.
var nameKinds = []kind{
	{"Korean names", and(func(w *world) {
		w.put("한글.txt", lines("한글"), "폴더/문서.md", lines("문서"), "한글.txt", lines("NFD"), "폴더/é", lines("é"))
		w.in("add", "한글.txt", "폴더/문서.md")
		w.in("commit", "-q", "-m", "이름")
		w.put("한글.txt", lines("바뀜"), "폴더/새 파일", lines("새"))
	})},
	{"odd names", and(func(w *world) {
		list := []string{"new\nline", "quo\"te", "ti'ck", "-dash", "--force", "two  blanks ", " lead", "back\\slash", "tab\there", "$HOME", "`x`", "a;b", "*", "[a]", "#x", "~", "!", "a&b", "{x,y}", ":(top)x", "%41"}
		for i, n := range list {
			w.put(n, lines("odd "+n), "odd/"+n, lines("odd too "+n))
			if i%2 == 0 {
				w.in("--literal-pathspecs", "add", "--", n, "odd/"+n)
			}
		}
		w.in("commit", "-q", "-m", "odd")
		for i, n := range list {
			if i%3 == 0 {
				w.put(n, lines("changed "+n))
			}
		}
	})},
	{"invalid UTF-8", and(func(w *world) {
		w.put("x\xff\xfe", lines("x"), "d\xc3/y\xe9", lines("y"), "\x80", lines("80"))
		w.in("add", "-A")
		w.in("commit", "-q", "-m", "bytes")
		w.put("x\xff\xfe", lines("changed"), "new\xff", lines("new"), "d\xc3/\x01\x02", lines("controls"))
	})},
	{"case", and(func(w *world) {
		w.put("Readme", lines("Readme"), "README", lines("README"), "Src/Main.go", lines("Main"), "SRC/main.go", lines("MAIN"))
		w.in("add", "-A")
		w.in("commit", "-q", "-m", "case")
		w.put("readme", lines("readme"), "README", lines("changed"))
	})},
	{"long paths", and(func(w *world) {
		deep := strings.TrimSuffix(strings.Repeat("a-rather-long-name-of-a-folder/", 20), "/")
		w.put(deep+"/f", lines("deep"), strings.Repeat("n", 250), lines("a long name"), strings.Repeat("가", 80), lines("긴 이름"))
		w.in("add", deep)
		w.in("commit", "-q", "-m", "deep")
		w.put(deep+"/f", lines("changed deep"), deep+"/g", lines("new deep"))
	})},
	{"names like moai's", and(func(w *world) {
		w.put("checkpoint/x", lines("x"), "refs/moai/y", lines("y"), "moai", lines("moai"))
		w.in("branch", "checkpoint-mine", w.lone())
	})},
}
