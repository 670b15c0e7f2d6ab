package argv

import (
	"fmt"
	"strings"
	"testing"
)

// text is a line of words; one that ends in "…" is known up to there.
type text []string

func (t text) Len() int { return len(t) }

func (t text) Known(i int) (string, bool) {
	known, cut := strings.CutSuffix(t[i], "…")
	return known, !cut
}

// TestReader reads lines by a table as getopt_long reads them.
func TestReader(t *testing.T) {
	const list = List("uo user output")
	takes := func(name, rest string) Take {
		switch {
		case name == "-i", name == "--color":
			return Rest
		case name == "--bind":
			return Two
		case name == "--checkpoint":
			return Loose
		case name == "-p" && strings.HasPrefix(rest, "u"):
			return None
		}
		return list.Takes(name, rest)
	}
	tests := []struct{ line, want string }{
		{"a -u root b", "a -u=root b"},
		{"-uroot -xvuroot -xu root", "-u=root -x -v -u=root -x -u=root"},
		{"--user root --user=root --use=root --us root", "--user=root --user=root --use=root --us root"},
		{"--user= -u", "--user= -u"},
		{"-x -- -u --", "-x [--] -u --"},
		{"- -u", "- -u"},
		{"-ibak -i bak -xi", "-i=bak -i bak -x -i"},
		{"--color auto --color=auto", "--color auto --color=auto"},
		{"--bind a b c", "--bind=a c"},
		{"--bind a", "--bind=a"},
		{"--checkpoint 5 --checkpoint --user=x", "--checkpoint=5 --checkpoint --user=x"},
		{"-pu x -p x", "-p -u=x -p x"},
		{"-xxxxu y", "-x -u=y"},
		{"-u… x", "-u= x"},        // what follows is a part of the word, whatever it is
		{"--user… x", "--user=x"}, // it may be all of the name
		{"--… x", "- x"},
		{"-…", "-"},
		{"-ex a -xe", "-ex=a -x -e"},
		{"-x--y -u a", "-x - -y -u=a"}, // a letter, and no mark
	}
	for _, tt := range tests {
		args := text(strings.Fields(tt.line))
		r := Reader{Args: args, Takes: func(name, rest string) Take {
			if name == "-ex" {
				return One
			}
			return takes(name, rest)
		}, Word: func(s string) bool { return s == "-ex" }}
		var got []string
		for it, ok := r.Next(); ok; it, ok = r.Next() {
			s := it.Name
			switch {
			case it.Name == "":
				s, _ = args.Known(it.Arg)
			case it.Name == Mark:
				s = "[--]"
			case it.Value >= 0:
				value, _ := args.Known(it.Value)
				s += "=" + value[it.Cut:]
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: read %s, want %s", tt.line, s, tt.want)
		}
	}
}

// TestOptions asserts where the operands begin.
func TestOptions(t *testing.T) {
	for line, want := range map[string]string{"-x -u a b c": "3 -x -u", "-x -- -u": "2 -x", "a -u b": "0", "-u a": "2 -u", "-x stop -u": "1 -x"} {
		r := Reader{Args: text(strings.Fields(line)), Takes: List("u").Takes}
		got := ""
		at := r.Options(func(it Item) bool { got += " " + it.Name; return true })
		if s := fmt.Sprint(at) + got; s != want {
			t.Errorf("%s: operands begin at %s, want %s", line, s, want)
		}
	}
}

// TestMarkTakenBack asserts that a caller may go on with options behind the mark.
func TestMarkTakenBack(t *testing.T) {
	r, got := Reader{Args: text{"--", "-x", "--", "-y"}, Takes: List("").Takes}, ""
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		got += " " + it.Name
		r.Ended = it.Arg > 0
	}
	if got != " -- -x "+" " {
		t.Errorf("read%s, want -- and -x, and operands behind the -x", got)
	}
}

// TestList asserts what stands for an option of a list.
func TestList(t *testing.T) {
	const list = List("ug user group")
	for name, want := range map[string]bool{"u": true, "-g": true, "--user": true, "--use": true, "--us": false, "user": true, "--users": false, "x": false, "-": false, "--": false, "": false} {
		if list.Has(name) != want {
			t.Errorf("Has(%q) = %v, want %v", name, !want, want)
		}
	}
	if List(" user").Has("u") || !List(" user").Exactly("user") || List(" user").Exactly("use") {
		t.Error("a list with a blank in front has long options alone, and Exactly takes no abbreviation")
	}
}

// FuzzReader asserts that reading ends, and that each argument is read at most once as a whole.
func FuzzReader(f *testing.F) {
	f.Add("-xu root --user=a -- b", "u user")
	f.Fuzz(func(t *testing.T, line, list string) {
		args := text(strings.Fields(line))
		r := Reader{Args: args, Takes: List(list).Takes}
		n, last := 0, 0
		for it, ok := r.Next(); ok; it, ok = r.Next() {
			if n++; n > len(line) {
				t.Fatalf("%q by %q: more than %d items", line, list, len(line))
			}
			if it.Arg < last || it.Value >= len(args) || it.Value >= 0 && it.Cut > len(args[it.Value]) {
				t.Fatalf("%q by %q: %+v", line, list, it)
			}
			last = it.Arg
		}
	})
}
