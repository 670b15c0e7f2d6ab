package risk

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCheck asserts what holds for every line: no panic, spans inside the line,
// and a harmless command in front or around it never lowers the verdict.
func FuzzCheck(f *testing.F) {
	set := NewSet(builtin(f))
	for i := range set.Rules {
		f.Add(set.Rules[i].Get().Hits.First())
		f.Add(set.Rules[i].Get().Misses.First())
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 4096 {
			return
		}
		v := check(t, set, nil, line)
		for i := range v.Hits {
			if s := v.Hits[i].Span; s[0] < 0 || s[0] > s[1] || s[1] > len(line) {
				t.Fatalf("Check(%q): span %v of %s is outside the line", line, s, v.Hits[i].Rule.ID)
			}
		}
		if !utf8.ValidString(v.Reason()) && utf8.ValidString(line) {
			t.Fatalf("Check(%q): the reason is cut inside a character", line)
		}
		if len(v.Doubts) > 0 {
			return
		}
		wraps := [][2]string{{"true; ", ""}, {"true && ", ""}, {"cd . && ", ""}, {"(", "\n)"}, {"time ", ""}}
		if first, _, _ := strings.Cut(line, " "); first != "" && first[0] >= 'a' && strings.Trim(first, "abcdefghijklmnopqrstuvwxyz0123456789.-/") == "" && !changesShell(first) {
			wraps = append(wraps, [2]string{"nice ", ""}, [2]string{"env A=b ", ""}, [2]string{"command ", ""})
		}
		for _, around := range wraps {
			other := around[0] + line + around[1]
			if after := check(t, set, nil, other); len(after.Doubts) == 0 && after.Action < v.Action {
				t.Fatalf("Check(%q) = %s %v, but %q is %s", line, v.Action, v.IDs(), other, after.Action)
			}
		}
	})
}

// changesShell tells the first words that mean something else behind a program.
func changesShell(first string) bool {
	switch first {
	case "alias", "unalias", "set", "shift", "read", "mapfile", "readarray", "eval", "source", ".", "trap", "unset", "exec", "printf", "cd", "pushd", "popd", "env", "command", "builtin", "getopts", "history":
		return true
	}
	return reserved(first)
}

// FuzzQuoting asserts that quoting words differently changes no verdict.
func FuzzQuoting(f *testing.F) {
	set := NewSet(builtin(f))
	for _, seed := range []string{"rm -rf src", "git push -f origin main", "ls -la", "dd of=/dev/sda", "chmod 777 x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		if len(words) == 0 || len(words) > 12 {
			return
		}
		var plain, single, double []string
		for _, w := range words {
			for i := 0; i < len(w); i++ {
				if b := w[i]; (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9') && !strings.ContainsRune("-_./:+,@%", rune(b)) {
					return
				}
			}
			plain = append(plain, w)
			single = append(single, "'"+w+"'")
			double = append(double, `"`+w[:len(w)/2]+`"`+w[len(w)/2:])
		}
		if reserved(words[0]) {
			return
		}
		// A first word in quotes is not looked up as an alias or a keyword; the rest is the same.
		want := check(t, set, nil, strings.Join(plain, " "))
		for _, other := range [][]string{single, double} {
			got := check(t, set, nil, strings.Join(other, " "))
			if got.Action != want.Action {
				t.Fatalf("Check(%q) = %s %v, but Check(%q) = %s %v", strings.Join(plain, " "), want.Action, want.IDs(), strings.Join(other, " "), got.Action, got.IDs())
			}
		}
	})
}

func reserved(w string) bool {
	switch w {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function", "select", "time", "coproc", "declare", "export", "local", "readonly", "typeset", "nameref", "let":
		return true
	}
	return false
}
