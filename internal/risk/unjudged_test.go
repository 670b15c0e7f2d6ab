package risk

import (
	"fmt"
	"strings"
	"testing"
)

// A program that cannot be judged does not pass for that: one whose lines of loss are too much by themselves, and one whose calls lie deeper than
// anybody writes. One that is long, and no more than that, is no question.
func TestProgramsTooMuchToJudgeAreAskedAbout(t *testing.T) {
	set := NewSet(builtin(t))
	var deep, many, long strings.Builder
	deep.WriteString("import shutil\n")
	for i := range 900 {
		fmt.Fprintf(&deep, "def f%d(p): f%d(p)\n", i, i+1)
	}
	deep.WriteString("def f900(p): shutil.rmtree(p)\nf0('/srv/x')\n")
	many.WriteString("import os\n")
	long.WriteString("import os\n")
	for i := range 1200 {
		fmt.Fprintf(&many, "def g%d(p): os.remove(p + str(%d)); os.remove(p)\n", i, i)
		fmt.Fprintf(&long, "def g%d(p):\n    return p + str(%d)\n\n", i, i)
	}
	many.WriteString("g0('/srv/x')\n")
	long.WriteString("print(g0('x'))\n")
	for name, text := range map[string]string{"deep": deep.String(), "many": many.String(), "long": long.String()} {
		if v := judgedAs(set, "python3 x.py", "x.py", text); (v.Action >= Ask) != (name != "long") {
			t.Errorf("%s, %d bytes: %v %s", name, len(text), v.Action, v.Reason())
		} else {
			t.Log(name, v.Action, v.Reason())
		}
	}
}
