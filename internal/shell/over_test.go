package shell

import (
	"slices"
	"testing"
)

// TestLeavesEarly: what a script does for the words that it is given, and what not, for it has ended, or a test that they decide keeps it from it.
func TestLeavesEarly(t *testing.T) {
	for _, c := range []struct {
		name, script string
		runs         []string // lines that remove x
		spares       []string
	}{
		{"help", "case $1 in -h|--help) echo; exit 0;; esac\nrm x", []string{"bash s.sh", "bash s.sh a"}, []string{"bash s.sh -h", "bash s.sh --help"}},
		{"a switch in a loop over words", "GO=no\nfor a in \"$@\"; do case $a in --go) GO=yes;; -n) GO=no;; esac; done\n[ \"$GO\" = yes ] || { echo; exit 0; }\nrm x", []string{"bash s.sh --go"}, []string{"bash s.sh", "bash s.sh --go -n"}},
		{"the last word counts", "GO=${GO:-no}\nfor a in \"$@\"; do case $a in --go) GO=yes;; -n) GO=no;; esac; done\n[ \"$GO\" = yes ] && rm x", []string{"GO=yes bash s.sh a", "bash s.sh -n --go"}, []string{"GO=yes bash s.sh a -n"}},
		{"a switch in a loop that shifts", "GO=\nwhile [ $# -gt 0 ]; do case $1 in --go) GO=1;; esac; shift; done\nif [[ -n $GO && $GO -eq 1 ]]; then rm x; fi", []string{"bash s.sh --go", "bash s.sh a --go"}, []string{"bash s.sh a"}},
		{"a variable", "[ \"${GO:-no}\" != yes ] && exit\nrm x", []string{"GO=yes bash s.sh", "export GO=yes; bash s.sh"}, []string{"bash s.sh", "GO=no bash s.sh"}},
		{"a function that ends it", "usage() { echo; exit 1; }\n[ $# -eq 1 ] || usage\nrm x", []string{"bash s.sh a"}, []string{"bash s.sh"}},
		{"a function that is left", "f() { [ \"$1\" = a ] && return; rm x; }\nf $1", []string{"bash s.sh", "bash s.sh b"}, []string{"bash s.sh a"}},
		{"a program that only fails or not", "DRY=${DRY:-true}\nif ! $DRY; then rm x; fi", []string{"DRY=false bash s.sh"}, []string{"bash s.sh"}},
		{"and, or", "cd . && echo && { [ \"$1\" = -l ] || rm x; }", []string{"bash s.sh"}, []string{"bash s.sh -l"}},
		{"a script that may run", "case $1 in -h) exit;; esac\nrm x", []string{"test -e y && bash s.sh", "true && ./s.sh -v"}, []string{"test -e y && bash s.sh -h", "if test -e y; then ./s.sh -h; fi"}},
		{"a function that may run", "f() { [ $1 = a ] && exit; rm x; }\ngrep -q x y && f a\nrm y", []string{"bash s.sh"}, nil},
		{"a shell within", "(exit 0)\nexit 0 | cat\necho $(exit)\nrm x", []string{"bash s.sh"}, nil},
		{"what may not run", "grep -q x y && exit 0\nif grep -q x y; then exit; fi\nfor f in *; do exit; done\nrm x", []string{"bash s.sh"}, nil},
		{"a trap", "trap 'rm x' EXIT\nexit 0", []string{"bash s.sh"}, nil},
		{"a function of that name", "exit() { :; }\nexit 0\nrm x", []string{"bash s.sh"}, nil},
		{"a file that is sourced", ". ./t.sh\nrm x", []string{"echo return > t.sh; bash s.sh"}, nil},
		{"the line goes on", "exit 0", []string{"bash s.sh; rm x", ". ./s.sh; rm x", "bash s.sh && rm x"}, nil},
		{"text that nobody knows", "GO=no\neval \"$(cat y)\"\n[ $GO = yes ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"a file that nobody knows", "GO=no\n. /etc/y.conf\n[ $GO = yes ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"names that nobody knows", "GO=no\nexport $(cat .env)\n[ $GO = yes ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"arithmetic", "GO=0\n((GO=1))\n[ $GO = 1 ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"arithmetic of a word", "GO=0\nlet 'GO=1'\n[ $GO = 1 ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"arithmetic within", "GO=0\n: $((GO++))\n[ $GO = 1 ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"lines", "GO=no\nmapfile GO <y\n[ $GO = no ] && exit\nrm x", []string{"bash s.sh"}, nil},
		{"a loop within one that is left", "GO=no\nfor a in y; do [ $a = y ] && break; for b in 1; do :; done; GO=never; done\n[ $GO = no ] || exit\nrm x", []string{"bash s.sh"}, nil},
		{"nothing, without quotes", "F=\n[ -n $F ] && rm x", []string{"bash s.sh"}, nil},
		{"several words, without quotes", "F='a b'\n[ $F = 'a b' ] || rm x", []string{"bash s.sh"}, nil},
		{"what sets variables", "[ ${GO:-no} = yes ] || exit\nrm x", []string{"dotenv bash s.sh", "direnv exec . bash s.sh", "set -a; . ./.env; bash s.sh", "export $(cat .env); bash s.sh", "python3 -c 'import subprocess; subprocess.run([\"bash\", \"s.sh\"])'"}, []string{"bash s.sh"}},
		{"shift by options", "while getopts g o; do :; done\nshift $((OPTIND-1))\n[ \"$1\" = a ] && rm x", []string{"bash s.sh a", "bash s.sh -g a"}, []string{"bash s.sh b"}},
		{"shift by more", "shift 2\n[ \"$1\" = a ] && rm x", []string{"bash s.sh b c a"}, []string{"bash s.sh a b c"}},
		{"shift by what nobody knows", "shift $N\n[ \"$1\" = a ] && rm x", []string{"bash s.sh a", "bash s.sh b a"}, nil},
		{"a trap at any time", "trap 'x=1' DEBUG\nx=0\n[ $x = 1 ] && rm x", []string{"bash s.sh"}, nil},
		{"the end of a pipe", "x=no\necho yes | read x\n[ $x = yes ] && rm x", []string{"zsh s.sh"}, nil},
		{"numbers that are reckoned", "typeset -i n=1\nn=n+1\n[ $n = 2 ] && rm x", []string{"bash s.sh"}, nil},
		{"a star in quotes", "x='*'\n[[ a == \"$x\" ]] || rm x", []string{"bash s.sh"}, nil},
		{"a star of a case in quotes", "case $1 in '*') exit;; esac\nrm x", []string{"bash s.sh a"}, nil},
		{"octal", "[[ 010 -eq 8 ]] && rm x", []string{"bash s.sh"}, nil},
		{"a round", "for i in a b; do [ $i = a ] && continue; rm x; done", []string{"bash s.sh"}, nil},
		{"a loop that is left", "while [ $# -gt 0 ]; do break; done\nrm x", []string{"bash s.sh a"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			removes := func(line string) bool {
				r := looked(t, line, map[string]string{"s.sh": c.script})
				return slices.ContainsFunc(r.Commands, func(cmd Command) bool { return cmd.Name == "rm" })
			}
			for _, line := range c.runs {
				if !removes(line) {
					t.Errorf("%s: does not remove", line)
				}
			}
			for _, line := range c.spares {
				if removes(line) {
					t.Errorf("%s: removes", line)
				}
			}
		})
	}
}
