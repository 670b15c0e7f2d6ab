package argv

import (
	"os/exec"
	"strings"
	"testing"
)

// A printed line must be harmless to look at, and mean the same when it is pasted.
func TestQuote(t *testing.T) {
	// What needs no quotes has none, whatever its letters; zsh reads =ls as a path.
	if got := Quote("a/b-c@d+e:f,g%h^", "한글/이름", "", "=ls"); got != "a/b-c@d+e:f,g%h^ 한글/이름 '' '=ls'" {
		t.Errorf("Quote of plain words = %s", got)
	}
	bash, err := exec.LookPath("bash")
	for _, w := range []string{"", "plain", "two words", "it's", "한글 이름", "a\nb", "\x1b]0;x\x07\x1b[31m", "evil\u202egpj.exe", "\u009b31m", "zero\u200bwidth", "bad\xffbyte", "tab\there", `back\slash` + "\x1b", "'\x7f'", "👩\u200d💻"} {
		line := Quote(w)
		if strings.ContainsFunc(line, Invisible) {
			t.Errorf("Quote(%q) = %q shows what nobody sees", w, line)
		}
		if err != nil {
			continue
		}
		out, err := exec.Command(bash, "-c", "printf %s "+line).Output()
		if err != nil || string(out) != w {
			t.Errorf("Quote(%q) = %s, which bash reads as %q, %v", w, line, out, err)
		}
	}
}
