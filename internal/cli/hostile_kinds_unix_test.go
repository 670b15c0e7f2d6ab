//go:build unix

package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/modu-ai/moai/internal/kit"
)

// nested puts a word into itself n times, and no more than fit.
func nested(open, middle, end string, n int) string {
	n = min(n, (120<<10)/(len(open)+len(end)))
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// counted writes a form once for each number, as often as fits.
func counted(form string, n int) string {
	var b strings.Builder
	numbers := strings.Count(form, "%d") + strings.Count(form, "%[")
	for i := 0; i < n && b.Len() < 120<<10; i++ {
		if numbers == 1 {
			fmt.Fprintf(&b, form, i)
		} else {
			fmt.Fprintf(&b, form, i, i+1)
		}
	}
	return b.String()
}

// quotedAgain puts a line into quotes in quotes, behind a command each.
func quotedAgain(command, line string, most int) string {
	for len(line) < most {
		line = command + " '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
	}
	return line
}

// encoded is a line as PowerShell takes it behind -EncodedCommand.
func encoded(line string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(line)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// kinds are lines that grow by what shells and other languages put into each other, by what
// a line remembers, and by what stands in the repository around it.
func kinds() []attack {
	fill := func(s string, n int) string { return strings.Repeat(s, max(1, n/len(s))) }
	const size = 120 << 10
	end := ";rm -rf ~"
	long := "cd " + fill("abcdefg/", 4000)
	list := []attack{
		{name: "braces in braces", repo: "plain", line: "rm " + nested("{a,", "b", "}", 20000) + end},
		{name: "braces beside braces", repo: "plain", line: "rm " + fill("{a,b}{1..9}", size) + end},
		{name: "ranges", repo: "plain", line: "rm " + fill("{1..999999999} {a..z}{a..z}{a..z} ", size) + end},
		{name: "cases", repo: "plain", line: "case $x in " + counted("p%d*|q) rm a;; ", 20000) + "esac" + end},
		{name: "cases in cases", repo: "plain", line: nested("case $x in a*) ", "rm b", ";; esac", 2000) + end},
		{name: "here-documents in each other", repo: "plain", line: counted("sh <<E%d\n", 3000) + "rm a\n"},
		{name: "here-documents of shells", repo: "plain", line: counted("bash <<'E%[1]d'\nrm a%[2]d\nE\nE%[1]d\n", 9000) + "rm -rf ~"},
		{name: "functions that call the next", repo: "plain", line: counted("f%d(){ f%d; };", 10000) + "f0" + end},
		{name: "functions that call two", repo: "plain", line: counted("f%[1]d(){ f%[2]d $1$1; f%[2]d $1; };", 10000) + "f0 a" + end},
		{name: "functions in functions", repo: "plain", line: nested("f(){ ", "rm a", "; f; }", 3000) + ";f" + end},
		{name: "coprocesses", repo: "plain", line: fill("coproc rm a;", size) + end[1:]},
		{name: "named coprocesses", repo: "plain", line: counted("coproc N%d { cat a; }; ", 5000) + end[1:]},
		{name: "process substitutions", repo: "plain", line: "cat " + fill("<(rm a) >(sh) ", size) + end},
		{name: "process substitutions in each other", repo: "plain", line: "cat " + nested("<(cat ", "a", ")", 5000) + end},
		{name: "arithmetic that assigns", repo: "plain", line: counted("((x%d=x%d+1,y+=1));", 9000) + end[1:]},
		{name: "arithmetic in words", repo: "plain", line: "rm " + counted("a$((x%d=x%d**2)) ", 9000) + end},
		{name: "extended globs", repo: "plain", line: "shopt -s extglob; rm " + nested("+(a|", "b", ")", 9000) + end},
		{name: "extended globs beside each other", repo: "plain", line: "shopt -s extglob; rm " + fill("@(a|b)!(c)*([d-z]) ", size) + end},
		{name: "tests of globs", repo: "folder", line: fill("[[ $x == *(a|b)*c ]] && rm d/*1*;", size) + end[1:]},
		{name: "formats of printf", repo: "plain", line: "printf '" + fill("%1000000000d%s", size) + "' a | sh" + end},
		{name: "formats of printf, values", repo: "plain", line: "printf 'rm %s;' " + counted("a%d ", 20000) + "| sh" + end},
		{name: "xargs of xargs", repo: "plain", line: "echo a | " + fill("xargs ", size) + "rm" + end},
		{name: "pipes of xargs", repo: "plain", line: "echo a" + fill("|xargs -I{} echo {}{}", size) + "|xargs rm" + end},
		{name: "python texts", repo: "plain", line: "python3 -c 'import os; os.system(" + fill(`"r"+`, size) + `"x")'` + end},
		{name: "python in parentheses", repo: "plain", line: "python3 -c 'os.remove(" + nested("f(", "1", ")", 40000) + ")'" + end},
		{name: "python names", repo: "plain", line: "python3 -c '" + counted("a%d=a%d+a;", 20000) + "os.remove(a0)'" + end},
		{name: "python of a here-document", repo: "plain", line: "python3 <<'E'\n" + fill("shutil.rmtree(a+b)\n", size) + "E\nrm -rf ~"},
		{name: "perl quotes", repo: "plain", line: "perl -e '" + nested("q{", "a", "}", 40000) + fill(";unlink qw(a b)", 30<<10) + "'" + end},
		{name: "perl patterns", repo: "plain", line: "perl -e '" + fill("s{a}{`rm b`}e;", size) + "'" + end},
		{name: "node templates", repo: "plain", line: "node -e '" + nested("`${", "a", "}`", 30000) + "'" + end},
		{name: "node callbacks", repo: "plain", line: "node -e '" + nested("f(()=>{", "fs.rmSync(a)", "});", 10000) + "'" + end},
		{name: "ruby words", repo: "plain", line: "ruby -e '" + fill("%w(a b); `rm a`; FileUtils.rm_rf(a);", size) + "'" + end},
		{name: "awk functions", repo: "plain", line: "awk '" + counted(`function f%d(x){f%d(x);system("rm " x)}`, 9000) + "BEGIN{f0(1)}'" + end},
		{name: "awk output", repo: "plain", line: "awk '{" + counted(`print >"f%d";print|"sh";`, 9000) + "}' a" + end},
		{name: "sed in braces", repo: "plain", line: "sed '" + nested("/a/{", "w x", ";}", 20000) + "' a" + end},
		{name: "powershell blocks", repo: "plain", line: "pwsh -c '" + nested("& { ", "Remove-Item a", " }", 10000) + "'" + end},
		{name: "powershell pipes", repo: "plain", line: "pwsh -c 'ls" + fill("|% { Remove-Item $_ }", size) + "'" + end},
		{name: "powershell encoded", repo: "plain", line: "pwsh -EncodedCommand " + encoded(fill("rm a;", 40<<10)) + end},
		{name: "powershell texts", repo: "plain", line: "pwsh -c '" + counted("$a%d=\"$a%d$b\";iex $a0;", 9000) + "'" + end},
		{name: "cmd blocks", repo: "plain", line: `cmd /c "` + nested("if exist a (", "del b", ")", 9000) + `"` + end},
		{name: "cmd loops", repo: "plain", line: `cmd /c "` + fill("for %i in (a b c) do del %i & ", size) + `"` + end},
		{name: "cmd marks", repo: "plain", line: `cmd /c "del ` + fill("^a^b", size) + `"` + end},
		{name: "sql comments", repo: "plain", line: "psql -c '" + nested("/*", "x", "*/", 40000) + ";DROP TABLE a'" + end},
		{name: "sql of a here-document", repo: "plain", line: "mysql <<'E'\n" + counted("UPDATE t%d SET a=1;DELETE FROM t%d;\n", 9000) + "E\nrm -rf ~"},
		{name: "sql quotes", repo: "plain", line: `psql -c "` + fill(`'' \"\" `, size) + `;DROP TABLE a"` + end},
		{name: "evals in quotes", repo: "plain", line: quotedAgain("eval", "rm a", 60<<10) + end},
		{name: "shells in quotes", repo: "plain", line: quotedAgain("bash -c", "rm a", 60<<10) + end},
		{name: "traps", repo: "plain", line: fill("trap 'rm a; trap \"rm b\" EXIT' EXIT;", size) + end[1:]},
		{name: "escaped letters", repo: "plain", line: "rm " + fill(`$'\x41\u0041\101'`, size) + end},
		{name: "aliases of aliases", repo: "plain", line: "shopt -s expand_aliases\n" + counted("alias a%d='a%d x'\n", 9000) + "a0\nrm -rf ~"},
		{name: "aliases of git on the line", repo: "plain", line: "git" + counted(" -c alias.a%d=a%d", 9000) + " a0" + end},
		{name: "shell aliases of git on the line", repo: "plain", line: "git" + counted(" -c alias.a%d='!git a%d'", 9000) + " a0" + end},
		{name: "env -S in env -S", repo: "plain", line: quotedAgain("env -S", "rm a", 60<<10) + end},
		{name: "ssh of ssh", repo: "plain", line: fill("ssh h ", size) + "rm a" + end},
		{name: "containers", repo: "plain", line: fill("docker run a ", size) + "rm a" + end},
		{name: "mounts", repo: "plain", line: "docker run" + counted(" -v /x%d:/y%d", 9000) + " a rm -rf /y1" + end},
		{name: "find of find", repo: "plain", line: fill("find . -exec ", size) + "rm {} +" + end},
		{name: "reads", repo: "plain", line: counted("read a%d b <<< \"a%d b\"; rm $a;", 9000) + end[1:]},
		{name: "lists of lists", repo: "plain", line: "a=(" + counted("b%d ", 9000) + ");" + fill(`b=("${a[@]}" "${b[@]}");rm "${b[@]}";`, 60<<10) + end[1:]},
		{name: "named lists", repo: "plain", line: "declare -A m;" + counted("m[k%d]=v%d;", 9000) + "rm ${m[@]}" + end},
		{name: "names of names", repo: "plain", line: counted("declare -n n%d=n%d;", 9000) + "rm $n0" + end},
		{name: "shifts", repo: "plain", line: "set --" + counted(" a%d", 9000) + ";" + fill("rm $1;shift;", 60<<10) + end[1:]},
		{name: "names by names", repo: "plain", line: counted("v%d=v%d;", 9000) + fill("rm ${!v0};", 30<<10) + end[1:]},
		{name: "words replaced by words", repo: "plain", line: "x=" + fill("ab", 4000) + ";" + fill("y=${x//a/$x};z=${y##*a*b*c};rm $z;", 60<<10) + end[1:]},
		{name: "a stack of folders", repo: "plain", line: counted("pushd a%d;rm b%d;", 9000) + fill("popd;rm c;", 20<<10) + end[1:]},
		{name: "descriptors", repo: "plain", line: "rm a" + counted(" %d>b%d", 9000) + end},
		{name: "descriptors of exec", repo: "plain", line: counted("exec %d>b%d;", 9000) + end[1:]},
		{name: "descriptors by name", repo: "plain", line: "rm a" + fill(" {x}>b", size) + end},
		{name: "descriptors in branches", repo: "plain", line: counted("exec %d>b%d;", 900) + fill("if a;then b;fi;", 60<<10) + end[1:]},
		{name: "another name, in branches", repo: "plain", line: "cp /bin/rm x;" + fill("if a;then b;fi;", 60<<10) + "x a" + end},
		{name: "other names", repo: "plain", line: counted("cp /bin/rm x%d;x%d a;", 9000) + end[1:]},
		{name: "functions in branches", repo: "plain", line: counted("f%d(){ g%d; };", 900) + fill("if a;then b;fi;", 60<<10) + end[1:]},
		{name: "aliases in branches", repo: "plain", line: counted("alias a%d='b%d';", 900) + fill("if a;then b;fi;", 60<<10) + end[1:]},
		{name: "files in branches", repo: "plain", line: counted("echo x>a%d;cat b%d;", 900) + fill("if a;then b;fi;", 60<<10) + end[1:]},
		{name: "values in branches", repo: "plain", line: counted("v%d=w%d;", 900) + fill("if a;then x=$x$x;fi;", 60<<10) + "rm $x" + end},
		{name: "folders below folders", repo: "plain", line: fill("cd abcdefgh;rm b;", size) + end[1:]},
		{name: "folders below folders, links", repo: "plain", line: long + ";" + counted("ln -s ~ l%d;rm l%d/x;", 9000) + end[1:]},
		{name: "names in a long folder", repo: "plain", line: long + ";rm -rf" + counted(" %d", 20000) + " ~"},
		{name: "names in a folder too long", repo: "plain", line: "cd " + fill("a/", 60000) + ";rm -rf" + counted(" %d", 9000) + " ~"},
		{name: "patterns in a long folder", repo: "plain", line: long + ";rm -rf" + counted(" *%d", 20000) + " ~"},
		{name: "writes in a long folder", repo: "plain", line: long + counted(";echo x>%d", 9000) + end},
		{name: "git in a long folder", repo: "plain", line: long + fill(";git clean -fdx;git checkout .", 60<<10) + end},
		{name: "folders of git", repo: "plain", line: "git" + fill(" -C a", size) + " reset --hard" + end},
		{name: "folders of make", repo: "plain", line: fill("make -C a -f b;", size) + end[1:]},
		{name: "clusters of tar", repo: "plain", line: fill("tar -abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ;", size)},
		{name: "selects", repo: "plain", line: nested("select x in a b c; do ", "rm $x", "; done", 2000) + end},
		{name: "loops over loops", repo: "plain", line: nested("for i in {1..99}; do while a; do ", "rm $i", "; done; done", 900) + end},
		{name: "documents of programs", repo: "plain", line: fill("pytest a;go test ./a;npm test;", size) + end[1:]},
		{name: "words of agents", repo: "plain", line: fill("claude -p a --settings b;", size) + end[1:]},
		{name: "names of moai", repo: "plain", line: fill("moai risk allow a;", size) + end[1:]},
		{name: "settings of agents", repo: "plain", line: fill("echo {} > .claude/settings.json;", size) + end[1:]},
		{name: "programs of tests", repo: "plain", line: fill("python3 -c 'open(\".claude/settings.json\",\"w\")';", size) + end[1:]},
	}
	around := []string{"git reset --hard; rm -rf ~", "rm f; echo > f; mv f g", "git checkout -- . ; git clean -fdx; git stash -u", "git commit -am x", "git a0", "make a0; just a0; npm run a0; docker compose up a0", "git push -f; git branch -D main topic; git tag -d v1; git stash drop", "ls"}
	for _, r := range hostileKinds {
		for _, line := range around {
			list = append(list, attack{name: "in " + r + ": " + line, repo: r, line: line})
		}
	}
	for i, in := range inputs() {
		list = append(list, attack{name: fmt.Sprintf("input %d: %v %v", i, in["hook_event_name"], in["tool_name"]), repo: "plain", input: in})
	}
	return list
}

// hostileKinds are the repositories of makeKind.
var hostileKinds = []string{"settings", "includes", "conditions", "included attributes", "many refs", "loose refs", "large index", "heads", "worktrees", "alternates", "untracked", "folders", "rule files", "deep folders", "scripts", "configured", "ignored folders", "touched", "large untracked", "repositories inside", "patterns"}

// makeKind makes one of them.
func makeKind(tb testing.TB, dir, name string, files int) {
	tb.Helper()
	put := func(name string, text ...string) {
		p := filepath.Join(dir, name)
		kit.Write(tb, p, strings.Join(text, ""))
	}
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.invalid"}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			tb.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	lines := func(form string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i, i+1)
		}
		return b.String()
	}
	git("", "add", ".")
	git("", "commit", "-qm", "x")
	commit := git("", "rev-parse", "HEAD")
	switch name {
	case "settings":
		put(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[alias]\n", lines("\ta%d = a%d\n", 40*files), lines("[branch \"b%d\"]\n\tmerge = refs/heads/b%d\n", 10*files))
	case "includes":
		put(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", lines("[includeIf \"gitdir:**/*a*a*a%d*/**\"]\n\tpath = x%d\n", 5*files), "[include]\n\tpath = c0\n")
		for i := range 50 {
			put(fmt.Sprintf(".git/c%d", i), fmt.Sprintf("[include]\n\tpath = c%d\n\tpath = c%d\n", i+1, i+1), lines("[alias]\n\ta%d = !git a%d\n", 100))
		}
	case "conditions": // fewer, so that the file is not declined for its size
		put(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", lines("[includeIf \"gitdir:**/*a*a*a%d*/**\"]\n\tpath = x%d\n", files/2))
	case "included attributes":
		put(".gitattributes", lines("*a*%d*b filter=f%d text eol=crlf\n", 10*files))
		for i := range 100 {
			put(fmt.Sprintf("d%d/.gitattributes", i), lines("**/*a*%d*b%d -text\n", files/10))
			put(fmt.Sprintf("d%d/.gitignore", i), lines("**/*a*%d*b%d\n", files/10))
			put(fmt.Sprintf("d%d/f", i), "x\n")
		}
		git("", "add", "-f", ".")
	case "many refs":
		var b strings.Builder
		b.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
		for i := range 50 * files {
			fmt.Fprintf(&b, "%s refs/tags/x%07d\n", commit, i)
		}
		put(".git/packed-refs", b.String())
	case "loose refs":
		for i := range 5 * files {
			put(fmt.Sprintf(".git/refs/heads/d%d/b%d", i%100, i), commit, "\n")
		}
	case "large index":
		blob := git("x\n", "hash-object", "-w", "--stdin")
		var b strings.Builder
		for i := range 10 * files {
			fmt.Fprintf(&b, "100644 %s\tdir%d/file%d\n", blob, i%1000, i)
		}
		git(b.String(), "update-index", "--index-info")
	case "heads":
		for i := range 5000 {
			put(fmt.Sprintf(".git/refs/heads/h%d", i), fmt.Sprintf("ref: refs/heads/h%d\n", (i+1)%5000))
		}
		put(".git/HEAD", "ref: refs/heads/h0\n")
	case "worktrees":
		for i := range files / 2 {
			w := fmt.Sprintf(".git/worktrees/w%d/", i)
			put(w+"gitdir", dir, fmt.Sprintf("/../w%d/.git\n", i))
			put(w+"HEAD", "ref: refs/heads/main\n")
			put(w+"commondir", "../..\n")
		}
	case "alternates":
		put(".git/objects/info/alternates", lines("/nowhere/%d/%d\n", 15*files))
	case "untracked":
		for i := range files {
			put(fmt.Sprint("u/", i), "x\n")
		}
	case "folders":
		for i := range files / 2 {
			put(fmt.Sprintf("e/%d/f", i), "x\n")
		}
	case "touched": // each file's times are not those of the index
		for i := range files {
			put(fmt.Sprint("q/", i), fmt.Sprint(i))
		}
		git("", "add", ".")
		git("", "commit", "-qm", "q")
		then := time.Now().Add(-time.Hour)
		for i := range files {
			kit.Must(tb, os.Chtimes(filepath.Join(dir, fmt.Sprint("q/", i)), then, then))
		}
	case "large untracked":
		for i := range 12 {
			put(fmt.Sprint("b", i), "x")
			kit.Must(tb, os.Truncate(filepath.Join(dir, fmt.Sprint("b", i)), 9_000_000))
		}
	case "repositories inside":
		for i := range 150 {
			in := fmt.Sprintf("n%d/", i)
			put(in+".git/HEAD", "ref: refs/heads/main\n")
			put(in+".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
			put(in + ".git/refs/heads/none/x.lock")
			put(in + ".git/objects/info/x")
			put(in+"x", "x\n")
		}
	case "patterns":
		put(".gitignore", lines("**/a%d*/**/*%d*b?[a-z]c\n", files))
		for i := range files / 10 {
			put(fmt.Sprint("q/", strings.Repeat("a", 15), i), "x\n")
		}
	case "ignored folders":
		put(".gitignore", "dist/\nnode_modules/\n")
		for i := range files / 4 {
			put(fmt.Sprintf("p/%d/dist/f", i), "x\n")
		}
	case "rule files":
		for i := range files / 5 {
			put(fmt.Sprintf(".moai/rules/r%d.toml", i), "[[rule]]\nid = \"p.r\"\nsince = \"0.1.0\"\nprogram = \"rm\"\naction = \"ask\"\nwhy = \"w\"\ninstead = \"i\"\nhits = [\"rm a\"]\nmisses = [\"x y\"]\n")
		}
	case "deep folders":
		kit.Must(tb, os.MkdirAll(filepath.Join(dir, "x", strings.Repeat("a/", 900)), 0o755))
		put("x/f", "x\n")
		put("x/"+strings.Repeat("a/", 900)+"f", "x\n")
	case "scripts":
		put("Makefile", lines("a%d: a%d\n\trm -rf x\n", 10*files))
		put("justfile", lines("a%d: a%d\n\trm -rf x\n", 10*files))
		put("package.json", `{"scripts":{`, lines("\"a%d\":\"npm run a%d\",\n", 10*files), `"b":"rm -rf x"}}`)
		put("docker-compose.yml", "services:\n", lines("  a%d:\n    image: b%d\n", 10*files))
		put("Dockerfile", "FROM a\n", lines("RUN rm %d %d\n", 10*files))
	case "configured":
		put(".moai/config.toml", "[guard]\nmode = \"warn\"\n", lines("[x%d]\ny = %d\n", 5*files))
		put(".claude/settings.json", `{"env":{`, lines("\"A%d\":\"%d\",\n", 10*files), `"B":"c"}}`)
		put(".claude/settings.local.json", `{"permissions":{"allow":[`, lines("\"Bash(a%d:%d)\",\n", 10*files), `"x"]}}`)
		put(".moai/exceptions.toml", lines("[[allow]]\nrule = \"a.%d\"\nreason = \"%d\"\n", files))
	}
}

// inputs are calls that are no command lines, and events that are no calls.
func inputs() []map[string]any {
	text := func(s string, n int) string { return strings.Repeat(s, n/len(s)) }
	call := func(tool string, in any) map[string]any {
		return map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": tool, "tool_input": in}
	}
	var deep any = "rm -rf ~"
	for range 2000 {
		deep = map[string]any{"a": []any{deep}}
	}
	wide := map[string]any{}
	for i := range 20000 {
		wide[fmt.Sprint("a", i)] = "rm -rf ~"
	}
	edits := make([]any, 5000)
	for i := range edits {
		edits[i] = map[string]any{"old_string": "a", "new_string": fmt.Sprint("password = ", i)}
	}
	prompt := func(s string) map[string]any {
		return map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": s}
	}
	return []map[string]any{
		call("Write", map[string]any{"file_path": "a.md", "content": text("password = \"hunter2\"\n", 1<<20)}),
		call("Write", map[string]any{"file_path": "a.py", "content": text("AKIAIOSFODNN7EXAMPLE ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 1<<20)}),
		call("Write", map[string]any{"file_path": text("a/", 100<<10), "content": "x"}),
		call("MultiEdit", map[string]any{"file_path": ".claude/settings.json", "edits": edits}),
		call("mcp__db__query", map[string]any{"sql": text("DROP TABLE a; ", 1<<20)}),
		call("mcp__a__b", deep), call("mcp__a__b", wide),
		call("Read", map[string]any{"file_path": text("../", 100<<10)}),
		prompt(text("ultrathink @src/main.go implement and test it. ", 1<<20)),
		prompt(text("@SPEC:AUTH-001 ", 1<<20)), prompt(text("가나다 각 ", 1<<20)),
		{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": map[string]any{"command": "ls"}, "tool_response": map[string]any{"stdout": text("error: a.go:1: x\n", 1<<20)}},
	}
}

// asked answers one payload as moai hook would.
func asked(tb testing.TB, dir, home string, payload map[string]any) string {
	tb.Helper()
	payload["cwd"] = dir
	data, err := json.Marshal(payload)
	kit.Must(tb, err)
	vars := map[string]string{"HOME": home, "USERPROFILE": home, "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config"}
	var out, errs bytes.Buffer
	e := &env{in: bytes.NewReader(data), out: &out, err: &errs, dir: dir, getenv: func(k string) string { return vars[k] }, exit: os.Exit, dry: true}
	e.hookHere(nil)
	return out.String() + errs.String()
}
