package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// TestExpansionsOracle asks bash what words become: where the engine names a value for certain, it is the one that bash prints.
// Each line prints one list of words; none of them looks at or changes a file.
func TestExpansionsOracle(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to ask")
	}
	unsure := 0
	for _, line := range []string{
		// Parts of values, from the front, from behind, and by lengths below nothing.
		`x=abcdef; echo ${x:2} ${x:1:3} ${x: -2} ${x:0:-2} ${x: -4:2} ${x:9} ${x:(-3)} ${x:+1}`,
		`x=한글이름; echo ${x:1:2} ${#x} ${x: -1}`,
		`set -- a b c d; echo ${@:2} ${@:1:2} ${*:3} $# $1 ${4}`,
		`a=(one two three); echo ${a[0]} ${a[-1]} ${a[2]} ${#a[@]} ${a[@]:1} ${a[@]:0:2} $a`,
		`a=(x); a+=(y z); echo "${a[@]}" "${a[*]}" ${a[9]} end`,
		// Values that are not there, or are empty.
		`unset x; echo ${x-a} ${x:-b} ${x+c}d ${x:+e}f`,
		`x=; echo ${x-a}b ${x:-c} ${x+d} ${x:+e}f`,
		`x=v; echo ${x-a} ${x:-b} ${x+c} ${x:+d}`,
		`unset x; echo ${x:=new} $x ${x:=other}`,
		// Cut and changed.
		`f=/a/b/c.tar.gz; echo ${f#*/} ${f##*/} ${f%.*} ${f%%.*} ${f##*.} ${f%/*}`,
		`x=foobarfoo; echo ${x/foo/X} ${x//foo/X} ${x/#foo/X} ${x/%foo/X} ${x//o} ${x/none/X}`,
		`x=zz/; echo ${x/#zz} ${x/%\/} ${x/#*z} ${x/%z*/X}; x=/zz; echo ${x/%zz} ${x/#\/z/Y}`,
		`x='#a#a'; echo ${x//#a/X} ${x/\#a/X} ${x/"#a"/X} ${x/##a/X} ${x/#a/X}; y=b; echo ${y/#/pre} ${y/%/post}`,
		`a=(zz / y); echo ${a[@]:1} end; echo "${a[@]:1:1}" ${a[@]: -1} ${a[*]:0:2}; echo x${a[@]:7}`,
		`set -- zz / y; echo ${@:2} end; echo "${@:1:1}" ${@: -1} ${*:2:1}`,
		`echo {-01..02} {1..03} {010..8}`,
		`x=a.b.c; echo ${x//./-} ${x//[ab]/_} ${x/?/Z}`,
		`x=hello; echo ${x^} ${x^^} ${x@U} ${x@u}`,
		`x=HELLO; echo ${x,} ${x,,} ${x@L}`,
		`x='a\tb'; printf '%s\n' "${x@E}" | cat -A >/dev/null; echo "${x}"`,
		`n=x; x=val; echo ${!n}`,
		`declare -A m=([k]=v [j]=w); echo ${m[k]} ${m[j]} ${#m[@]}`,
		// Quotes of all kinds, and what they keep.
		`echo 'a b' "a  b" $'a\x41\u00e9\101' "a\"b" a\ b 'it'"'"'s'`,
		`x='a  b'; echo $x "$x" '$x' \$x`,
		`x="a b c"; set -- $x; echo $# $2`,
		`IFS=:; x=a:b:c; echo $x; set -- $x; echo $3`,
		// Braces, and numbers.
		`echo {a,b}{1,2} {1..4} {a..d} {01..03} {5..1..2} pre{x,}post {one} a{b,c{d,e}}f`,
		`echo $((1+2*3)) $((2**8)) $((7/2)) $((7%3)) $((1<<4)) $((5>3)) $((-3)) $(( (1+2)*3 ))`,
		`i=4; echo $((i*2)) $((i+=1)) $i $((i>3?10:20))`,
		`x=3; y=$((x+1)); echo $y ${x}${y}`,
		// Functions, arguments and loops.
		`f() { echo "$1-$2"; }; f a b; f 'c d' e`,
		`for i in a b c; do echo $i; done`,
		`for i in {1..3}; do echo n$i; done`,
		`case abc in a*) echo yes;; *) echo no;; esac`,
		`x=1; if [ $x = 1 ]; then echo one; else echo two; fi`,
		`echo "$(echo inner)" $(printf '%s-%s' a b) ` + "`echo back`",
		`alias ll='echo list'; unalias ll; echo done`,
		`set -- a b; shift; echo $1 $#`,
		`x=abc; x+=def; echo $x`,
		`a=1 b=2; echo $a$b; a=$b; echo $a`,
		`readonly r=5; echo $r; export e=6; echo $e; declare d=7; echo $d`,
		`printf -v x '%s/%s' a b; echo $x`,
		`read x <<< "first second"; echo $x`,
		`x=$(cat <<'EOF'
some text
EOF
); echo "$x"`,
	} {
		// The words of every echo, in the order in which they run; only lines of which nothing is unsure can be compared.
		var said []string
		sure := true
		r := parse(line, here)
		for _, c := range r.Commands {
			if c.Name != "echo" || c.Substituted {
				continue
			}
			var words []string
			for _, w := range c.Args[1:] {
				sure = sure && w.Kind == Literal && !w.Many && !w.Glob
				words = append(words, w.Text)
			}
			sure = sure && !c.Conditional
			said = append(said, strings.Join(words, " "))
		}
		sure = sure && len(r.Incomplete) == 0
		if !sure {
			unsure++
			t.Logf("unsure: %s → %q", line, said)
			continue
		}
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", "shopt -s expand_aliases\n"+line)
		cmd.Env = []string{"HOME=/h", "LC_ALL=C.UTF-8"}
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("bash refuses %q: %v", line, err)
			continue
		}
		if got, want := strings.Join(said, "\n"), strings.TrimSuffix(string(out), "\n"); got != want {
			t.Errorf("%s\nengine %q\nbash   %q", line, got, want)
		}
	}
	// Doubt is allowed, and not everywhere.
	if unsure > 15 {
		t.Errorf("%d lines are unsure, want 15 at most", unsure)
	}
}
