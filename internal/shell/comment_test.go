package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestComments runs lines with comments, quotes and here-documents, put together at random, in the real bash, in a folder where a program of
// the name "zap" leaves a file with its arguments behind, and wants each of those calls seen.
func TestComments(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	rounds, seed := 150, uint64(1)
	if n := os.Getenv("COMMENT_ROUNDS"); n != "" {
		fmt.Sscan(n, &rounds, &seed)
	}
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("zap", "#!/bin/sh\necho \"$1\" >> "+ran+"\n")
	random := rand.New(rand.NewPCG(seed, 2))
	count := 0
	for range rounds {
		line := commented(random)
		if err := os.RemoveAll(ran); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bash, "--norc", "-c", line)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
		_ = cmd.Run()
		calls, _ := os.ReadFile(ran)
		seen := map[string]bool{}
		r := parse(line, Options{Tables: tables, Dir: "/p", Home: "/h"})
		for i := range r.Commands {
			if c := &r.Commands[i]; c.Name == "zap" && len(c.Args) > 1 {
				seen[c.Args[1].Text] = true
			}
		}
		for name := range strings.Lines(string(calls)) {
			count++
			if name = strings.TrimSpace(name); !seen[name] {
				t.Errorf("bash runs \"zap %s\" of %q\nand it is not seen: %+v", name, line, seen)
			}
		}
	}
	if count < rounds/4 {
		t.Errorf("bash ran %d commands in %d lines: they test little", count, rounds)
	}
}

// commented puts a script together. Each "zap" has another number.
func commented(random *rand.Rand) string {
	pieces := []string{
		"ls # a \\\n", "ls # a \\\r\n", "# a \\\n", "ls \\\n# b \\\n", "ls # don't \\\n", "ls # \\\\\n", "ls # \\\\\\\n", "ls # \"x \\\n", "ls # `x` \\\n",
		"ls > f # a \\\n", "x=1 # \\\n", "x=1 ls # \\\n", "cd . # \\\n", "ls | cat # \\\n", "ls |\n# a \\\ncat\n", "export A=1 # \\\n", "[[ a ]] # \\\n", "! false # \\\n", "ls && # \\\n",
		"if true # \\\n", "then # \\\n", "fi # \\\n", "else # \\\n", "fi\n", "then\n", "if true; then ls # \\\n", "case a in # \\\na) ls # \\\n;; esac # \\\n", "case a in a) # \\\n", "esac\n",
		"while true # \\\ndo # \\\n", "break # \\\n", "done # \\\n", "for i in a b # \\\n", "do # \\\n", "{ # \\\n", "{ ls # \\\n", "}\n", "} # \\\n", "( # \\\n", "( ls # \\\n", ")\n", ") # \\\n",
		"f() # \\\n", "f() { ls # \\\n", "f\n", "f # \\\n", "function g # \\\n", ">/dev/null function g\n", "g\n",
		"A=(a # \\\n", "A=( # \\\nb # \\\n)\n", "echo \"# a \\\n", "\"\n", "echo '# a \\\n", "'\n", "echo a#b \\\n", "echo \\# \\\n", "echo $# \\\n", "echo ${#x} \\\n", "echo \"a\"# \\\n", "echo $((1 + 2)) # \\\n", "(( 1 + 1 )) # \\\n",
		"echo $(ls # \\\n", ")\n", "echo `ls # \\\n", "`\n", "echo \"$(ls # \\\n", ")\"\n", "cat <<X\n# a \\\n", "X\n", "cat <<'X' # \\\n# a \\\n", "cat <<-X # \\\n", "\tX\n", "cat <<X # \\\nX\n", "cat <<< a # \\\n",
		"bash <<'X'\nls # \\\n", "bash -c 'ls # \\\n", "eval \"ls # \\\n", "[[ a == # \\\n a ]]\n", "echo a;# \\\n", "echo a &# \\\n", "(ls)# \\\n", "echo a>#b \\\n", "echo {a,#} \\\n", "echo a \\\\\\\n", "echo a\\\n# \\\n",
	}
	var b strings.Builder
	n := 0
	for range 1 + random.IntN(7) {
		if random.IntN(2) == 0 {
			b.WriteString(pieces[random.IntN(len(pieces))])
			continue
		}
		n++
		fmt.Fprintf(&b, []string{"zap %d\n", "zap %d # \\\n", "zap \\\n%d # \\\n"}[random.IntN(3)], n)
	}
	return b.String()
}
