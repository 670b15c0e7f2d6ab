package term

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"log", "list", "check", "checkpoint", "guard.mode", "git.push-force", "git.push-force-protected", "bash", "Bash", "검토", "stats", "status"}
	for word, want := range map[string]string{
		"lgo": "log", "lst": "list", "chekc": "check", "checkpiont": "checkpoint", "checkpo": "checkpoint", "gurad.mode": "guard.mode", "guard.mod": "guard.mode", "mode": "guard.mode",
		"git.push-froce": "git.push-force", "push-force": "git.push-force", "BASH": "bash", "검투": "검토",
		"statu": "status", "stauts": "status", "stast": "stats", "": "", "x": "", "tcsh": "", "frobnicate": "", "git.": "", "li": "", "git.push": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
