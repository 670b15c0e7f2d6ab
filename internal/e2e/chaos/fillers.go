//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// fillers are all the texts that were ever seen to cost a judge time, and their relatives.
var fillers = slices.Concat(pathFillers, wordFillers, nestFillers, codeFillers)

// pathFillers make somebody resolve paths.
var pathFillers = []filler{
	{"cd-and-targets", func(r *rand.Rand, n int) string {
		return "cd " + route(r, n/3) + "; rm -rf " + names(r, n/2)
	}},
	{"cd-300-targets-300", func(r *rand.Rand, n int) string {
		return "cd " + strings.Repeat("a/", 300) + "; rm -rf " + repeat(min(n, 1200), " ", numbered("%d"))
	}},
	{"many-cd", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return "cd " + name(r) })
	}},
	{"long-path", func(r *rand.Rand, n int) string {
		return pick(r, "rm -rf ", "cat ", "echo x > ", "mv a ", "ls ") + route(r, n)
	}},
	{"links-into-each-other", func(r *rand.Rand, n int) string {
		return pick(r, "cat ", "rm -rf ", "ls ", "cp a b ") + repeat(min(n, 20_000), " ", func(i int) string { return fmt.Sprintf("g/n%d/%d", r.IntN(38), i) })
	}},
	{"links-of-links", func(r *rand.Rand, n int) string {
		return "rm -rf " + repeat(n, " ", func(int) string {
			return "g/" + repeat(between(r, 3, 120), "/", func(int) string { return fmt.Sprint("n", r.IntN(38)) })
		})
	}},
	{"many-targets", func(r *rand.Rand, n int) string {
		return pick(r, "rm -rf ", "shred ", "unlink ", "chmod 777 ") + names(r, n)
	}},
	{"many-redirections", func(r *rand.Rand, n int) string {
		return "echo x " + repeat(n, " ", func(int) string { return pick(r, "> ", ">> ", "2> ", "< ") + name(r) })
	}},
	{"many-moves", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return pick(r, "mv ", "cp ", "ln -sf ", "install ") + name(r) + " " + name(r) })
	}},
	{"mkdir-chain", func(r *rand.Rand, n int) string {
		return repeat(n, " && ", func(i int) string { return fmt.Sprintf("mkdir -p m%d && cd m%d", i, i) })
	}},
	{"globs", func(r *rand.Rand, n int) string {
		return "ls " + repeat(n, " ", func(int) string {
			return pick(r, "**/*a*a*a*a*a*b", "*/*/*/*/*", "[a-z]*[!x]", "g/*/*/*", "?????", "../*/*", "**/**/**/**/x", "*"+strings.Repeat("*a", 30)+"b")
		})
	}},
	{"rm-globs", func(r *rand.Rand, n int) string {
		return "rm -rf " + repeat(min(n, 10_000), " ", func(int) string { return pick(r, "g/*", "*/*/*", "d/*/x", "**/*a*b", "src/[a-m]*") })
	}},
	{"tilde-names", func(r *rand.Rand, n int) string {
		return "ls " + repeat(n, " ", numbered("~user%d/x"))
	}},
}

// wordFillers make somebody expand words.
var wordFillers = []filler{
	{"export-growth", func(r *rand.Rand, n int) string {
		return repeat(n, " ", func(int) string { return pick(r, "export P=$P/a;", "export P=/a;", "export P=$P:$P;") }) + " echo $P"
	}},
	{"doubling", func(r *rand.Rand, n int) string {
		return "x=aaaaaaaa; " + repeat(min(n, 4000), "; ", func(int) string { return "x=$x$x" }) + "; echo $x > $x"
	}},
	{"many-variables", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(i int) string { return fmt.Sprintf("v%d=$v%d/x", i+1, i) })
	}},
	{"braces", func(r *rand.Rand, n int) string {
		return "echo " + repeat(min(n, 3000), "", func(int) string { return pick(r, "{a,b}", "{1..9}", "{x,{y,z}}", "{a,b,c,d}") })
	}},
	{"rm-braces", func(r *rand.Rand, n int) string {
		return "rm -rf x" + repeat(min(n, 400), "", func(int) string { return "{a,b,c}" })
	}},
	{"long-braces", func(r *rand.Rand, n int) string { return "echo {" + repeat(n, ",", numbered("%d")) + "}" }},
	{"ranges", func(r *rand.Rand, n int) string {
		return "echo " + repeat(min(n, 2000), " ", func(int) string {
			return pick(r, "{1..99999}", "{1..999999999}", "{a..z}{a..z}{a..z}", "{-5..9999999..1}")
		})
	}},
	{"nested-braces", func(r *rand.Rand, n int) string { return "echo " + deep(n, 2000, "{a,", "b", "}") }},
	{"parameters", func(r *rand.Rand, n int) string {
		return "y=" + strings.Repeat("ab", min(n/2, 3000)) + "; echo " + repeat(n/2, " ", func(int) string {
			return pick(r, `${y//a/bb}`, `${y#*b}`, `${y##*a*a*a*c}`, `${y%%b*}`, `${y/#a/x}`, `${y:1:5}`, `${y^^}`, `${y:-$y$y}`, `${#y}`)
		})
	}},
	{"nested-parameters", func(r *rand.Rand, n int) string { return "echo " + deep(n, 1500, "${q:-", "x", "}") }},
	{"arithmetic", func(r *rand.Rand, n int) string {
		return "echo $((" + repeat(n, "+", func(int) string { return pick(r, "1", "(2*3)", "9**2", "x", "0x7fffffff", "(1?2:3)") }) + "))"
	}},
	{"nested-arithmetic", func(r *rand.Rand, n int) string { return "echo $((" + deep(n, 1500, "(1+", "1", ")") + "))" }},
	{"powers", func(r *rand.Rand, n int) string {
		return "echo $((9**9**9**9)) $((1<<62)) $((2**" + repeat(min(n, 300), "**", numbered("%d")) + "))"
	}},
	{"quotes", func(r *rand.Rand, n int) string {
		return "echo " + repeat(n, "", func(int) string { return pick(r, `'a'`, `"b"`, `\c`, `$'\x41'`, `""`, `"$x"`) })
	}},
	{"one-long-word", func(r *rand.Rand, n int) string {
		return "echo " + strings.Repeat(pick(r, "a", "가", `\\`, "-", "="), n/3)
	}},
	{"many-words", func(r *rand.Rand, n int) string { return "echo " + repeat(n, " ", func(int) string { return "w" }) }},
	{"many-options", func(r *rand.Rand, n int) string {
		return "git commit " + repeat(n, " ", func(int) string { return pick(r, "-m x", "--author=y", "-v", "--amend") })
	}},
	{"options-together", func(r *rand.Rand, n int) string { return "ls -" + strings.Repeat("lah", n/3) }},
	{"many-assignments", func(r *rand.Rand, n int) string { return repeat(n, " ", numbered("A%d=b")) + " ls" }},
	{"env-prefix", func(r *rand.Rand, n int) string { return "env " + repeat(n, " ", numbered("A%d=b")) + " ls" }},
	{"arrays", func(r *rand.Rand, n int) string {
		return "arr=(" + names(r, n) + `); echo "${arr[@]}" "${arr[@]:1:3}" "${#arr[@]}" "${!arr[@]}"`
	}},
	{"set-arguments", func(r *rand.Rand, n int) string { return "set -- " + names(r, n) + `; ls "$@" "$*" $# $1` }},
	{"letters", func(r *rand.Rand, n int) string {
		return "echo '" + repeat(n, "", func(int) string { return pick(r, "가", "é", "\u202e", "🛡️", "e\u0301", "\u200b", "\x7f") }) + "'"
	}},
	{"doubled-in-words", func(r *rand.Rand, n int) string {
		return "p=" + strings.Repeat("x", 500) + "; " + repeat(n, "; ", func(int) string { return `rm -rf "$p$p$p$p/$p$p"` })
	}},
}

// nestFillers put commands into commands.
var nestFillers = []filler{
	{"substitutions", func(r *rand.Rand, n int) string { return "echo " + deep(n, 2000, "$(echo ", "x", ")") }},
	{"wide-substitutions", func(r *rand.Rand, n int) string {
		return "echo " + repeat(n, " ", func(int) string { return pick(r, "$(ls)", "`pwd`", "$(cat a)", "<(ls)", `"$(echo $(echo y))"`) })
	}},
	{"backticks", func(r *rand.Rand, n int) string {
		s := backquoted("echo x", 1+r.IntN(5))
		return repeat(n/4, "; ", func(int) string { return s })
	}},
	{"groups", func(r *rand.Rand, n int) string { return deep(n, 2000, "( ", "ls", " )") }},
	{"blocks", func(r *rand.Rand, n int) string { return deep(n, 2000, "{ ", "ls", "; }") }},
	{"ifs", func(r *rand.Rand, n int) string { return deep(n, 1000, "if true; then ", "ls", "; fi") }},
	{"loops", func(r *rand.Rand, n int) string {
		return deep(n, 300, "for i in 1 2 3 4 5 6 7 8 9; do ", "rm -rf x$i", "; done")
	}},
	{"wide-loops", func(r *rand.Rand, n int) string {
		return "for i in " + names(r, n) + "; do rm -rf x/$i/$i; cat $i; done"
	}},
	{"loops-over-ranges", func(r *rand.Rand, n int) string {
		return repeat(min(n, 8000), "; ", func(int) string { return "for i in {1..1000}; do for j in {1..1000}; do touch $i/$j; done; done" })
	}},
	{"functions", func(r *rand.Rand, n int) string {
		k := min(count(n, 24), 400)
		return "f0() { ls; }; " + repeat(k*20, "; ", func(i int) string { return fmt.Sprintf("f%d() { f%d; f%d; }", i+1, i, i) }) + fmt.Sprintf("; f%d", k/2)
	}},
	{"functions-with-arguments", func(r *rand.Rand, n int) string {
		return `g0() { rm -rf "x$1"; }; ` + repeat(min(n, 6000), "; ", func(i int) string { return fmt.Sprintf(`g%d() { g%d "$1$1"; g%d "$1/x"; }`, i+1, i, i) }) + "; g20 y"
	}},
	{"aliases", func(r *rand.Rand, n int) string {
		return "shopt -s expand_aliases\n" + repeat(n, "\n", func(i int) string { return fmt.Sprintf("alias l%d='l%d '", i+1, i) })
	}},
	{"here-documents", func(r *rand.Rand, n int) string {
		return repeat(n, "\n", func(i int) string { return fmt.Sprintf("cat <<E%d\n$(ls) $x `pwd`\nE%d", i, i) })
	}},
	{"one-here-document", func(r *rand.Rand, n int) string {
		return pick(r, "cat", "cat > x", "tee y", "bash", "python3") + " <<'E'\n" + repeat(n, "\n", func(int) string { return pick(r, "echo x", "ls -la", "print(1)", "x = 1") }) + "\nE"
	}},
	{"here-documents-at-once", func(r *rand.Rand, n int) string { // bash takes 16 of them on one line
		return repeat(n, "\n", func(int) string { return "cat" + strings.Repeat(" <<E", 16) + strings.Repeat("\nx\nE", 16) })
	}},
	{"here-strings", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return pick(r, `bash <<< "ls"`, `cat <<< "$x"`) })
	}},
	{"pipes", func(r *rand.Rand, n int) string {
		return "ls" + repeat(n, "", func(int) string { return pick(r, " | cat", " | sort", " | xargs echo", " |& tee x", " | grep x") })
	}},
	{"and-or", func(r *rand.Rand, n int) string {
		return "true" + repeat(n, "", func(int) string { return pick(r, " && true", " || false", " && ! ls") }) + "; true"
	}},
	{"many-commands", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string {
			return pick(r, "ls", "git status", "npm test", "go build ./...", "make", "cd .", "true", ":")
		})
	}},
	{"many-judged", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string {
			return pick(r, "git reset --hard", "git clean -fd", "git push --force", "npm publish", "dd if=a of=b", "chmod -R 777 .", "git checkout .", "curl x | sh", "kubectl delete ns x")
		})
	}},
	{"background", func(r *rand.Rand, n int) string { return repeat(n, " ", func(int) string { return "sleep 0 &" }) }},
	{"wrappers", func(r *rand.Rand, n int) string {
		return repeat(n, " ", func(int) string {
			return pick(r, "nice", "nohup", "env", "sudo", "time", "command", "stdbuf -o0", "timeout 5", "setsid")
		}) + " ls"
	}},
	{"shells-in-shells", func(r *rand.Rand, n int) string {
		s := "ls"
		for len(s) < n/2 && len(s) < 4000 {
			s = pick(r, "bash", "sh", "zsh") + " -c " + "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		return s
	}},
	{"evals", func(r *rand.Rand, n int) string { return repeat(n, " ", func(int) string { return "eval" }) + " ls" }},
	{"wide-evals", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return `eval "echo $x" 'ls' "$y"` })
	}},
	{"cases", func(r *rand.Rand, n int) string {
		return "case $x in " + repeat(n, " ", numbered("p%d*) ls;;")) + " esac"
	}},
	{"tests", func(r *rand.Rand, n int) string {
		return "[[ " + repeat(n, " || ", func(int) string { return pick(r, "-f a", "$x == a*b*c", "$x =~ ^(a+)+$", "! -d x") }) + " ]]"
	}},
	{"traps", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return "trap 'ls; pwd' USR1" })
	}},
	{"xargs", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return "ls | xargs -I{} sh -c 'cat {}'" })
	}},
	{"nested-xargs", func(r *rand.Rand, n int) string {
		return deep(n, n, pick(r, "xargs ", "find . -exec ", "xargs -I{} ", "parallel "), "ls", "")
	}},
	{"find", func(r *rand.Rand, n int) string {
		return "find . " + repeat(n, " -o ", func(int) string { return pick(r, "-name x", "-path '*a*a*b'", `-exec ls {} \;`, "-type f") })
	}},
	{"nested-find", func(r *rand.Rand, n int) string { return "find . " + deep(n, 1000, `\( `, "-name x", ` \)`) }},
}

// codeFillers carry programs in other languages.
var codeFillers = []filler{
	{"awk", func(r *rand.Rand, n int) string {
		return "awk 'BEGIN{" + repeat(n, ";", func(int) string { return pick(r, "x=1", "y=x y", `print "a"`, `z[x]=2`, `x++`) }) + "}'"
	}},
	{"awk-system", func(r *rand.Rand, n int) string {
		return "awk '{" + repeat(n, ";", func(int) string {
			return pick(r, `system("ls " $1)`, `print > "f"`, `print | "cat"`, `"date" | getline d`)
		}) + "}' a"
	}},
	{"sed", func(r *rand.Rand, n int) string {
		return "sed '" + repeat(n, ";", func(int) string { return pick(r, "s/a/b/", "1d", "y/a/b/", "/x/p", "s/x/y/g") }) + "' a"
	}},
	{"perl", func(r *rand.Rand, n int) string {
		return "perl -e '" + repeat(n, ";", func(int) string {
			return pick(r, `my $x=1`, `unlink("x")`, `system("ls")`, `print "a"`, `if($x){$y}`, `s/(a+)+b//`, "qw(a b c)")
		}) + "'"
	}},
	{"python", func(r *rand.Rand, n int) string {
		return `python3 -c '` + repeat(n, "\n", func(int) string {
			return pick(r, "x = 1", `import os`, `os.system("ls")`, `open("f").read()`, `y = [i for i in range(9)]`, `print("a" + "b")`, `x = ((((1))))`, `"""doc"""`)
		}) + `'`
	}},
	{"python-text", func(r *rand.Rand, n int) string {
		return `python3 -c 'x = "` + repeat(n, "", func(int) string { return pick(r, `\\`, `a`, `{`, `(`, `#`, `\"`) }) + `a"'`
	}},
	{"python-parentheses", func(r *rand.Rand, n int) string { return "python3 -c '" + deep(n, 20_000, "f(", "1", ")") + "'" }},
	{"python-joined", func(r *rand.Rand, n int) string {
		return "python3 -c 'import os; os.system(" + repeat(n, "+", func(int) string { return `"l"` }) + ")'"
	}},
	{"node", func(r *rand.Rand, n int) string {
		return `node -e '` + repeat(n, ";", func(int) string {
			return pick(r, "let x=1", `require("fs")`, "f(()=>{})", "`a${1}`", "/a+/.test(x)", `require("child_process").execSync("ls")`)
		}) + `'`
	}},
	{"ruby", func(r *rand.Rand, n int) string {
		return "ruby -e '" + repeat(n, ";", func(int) string { return pick(r, "x=1", "`ls`", "%w(a b)", `system("ls")`, "puts 1") }) + "'"
	}},
	{"sql", func(r *rand.Rand, n int) string {
		return `psql -c "` + repeat(n, "; ", func(int) string {
			return pick(r, "select 1", "delete from t where x=1", "drop table t", "update t set x=1", "-- x\n")
		}) + `"`
	}},
	{"powershell", func(r *rand.Rand, n int) string {
		return `pwsh -c '` + repeat(n, ";", func(int) string { return pick(r, "ls", "$x=1", "Remove-Item x", "Get-ChildItem | % { $_ }", "iex ls") }) + `'`
	}},
	{"cmd", func(r *rand.Rand, n int) string {
		return `cmd /c "` + repeat(n, " & ", func(int) string { return pick(r, "dir", "del x", "if exist a echo b", "for %i in (1) do dir") }) + `"`
	}},
	{"ssh", func(r *rand.Rand, n int) string {
		return "ssh host '" + repeat(n, "; ", func(int) string { return pick(r, "ls", "rm -rf x", "uptime") }) + "'"
	}},
	{"encoded", func(r *rand.Rand, n int) string { return "echo " + strings.Repeat("bHMK", n/4) + " | base64 -d | sh" }},
	{"make", func(r *rand.Rand, n int) string { return "make " + repeat(n, " ", numbered("X%d='$(shell ls)'")) }},
	{"git-settings", func(r *rand.Rand, n int) string {
		return "git " + repeat(n, " ", numbered("-c alias.x%d='!ls'")) + " status"
	}},
	{"secrets", func(r *rand.Rand, n int) string {
		return "curl -d '" + repeat(n, "&", func(int) string {
			return pick(r, "key=AKIAIOSFODNN7EXAMPLE", "token=ghp_"+strings.Repeat("a", 36), "x=y", "password=hunter2", "-----BEGIN")
		}) + "' http://localhost"
	}},
	{"printf", func(r *rand.Rand, n int) string {
		return "printf '" + repeat(n, "", func(int) string { return pick(r, "%s", "%d", `\n`, `\x41`, `\101`) }) + "' a b | sh"
	}},
	{"comments", func(r *rand.Rand, n int) string {
		return repeat(n, "\n", func(int) string { return pick(r, "# rm -rf it's", "ls # \"x", ": # $(") }) + "\n:"
	}},
	{"continued-lines", func(r *rand.Rand, n int) string { return "echo " + strings.Repeat("a \\\n", n/5) + "b" }},
	{"tar-and-zip", func(r *rand.Rand, n int) string {
		return repeat(n, "; ", func(int) string { return "tar xf a.tar --to-command=ls " + name(r) })
	}},
	{"docker", func(r *rand.Rand, n int) string {
		return "docker run " + repeat(n, " ", numbered("-v /x%d:/y")) + " image ls"
	}},
}
