package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestPipes checks who reads whose output, through wrappers and groups.
func TestPipes(t *testing.T) {
	tests := []struct {
		line string
		want []string // reader<writer
	}{
		{"a | b | c", []string{"b<a", "c<b"}},
		{"a | sudo -u x b", []string{"b<a"}},
		{"(a; b) | c", []string{"c<a", "c<b"}},
		{"a | { b; c; }", []string{"b<a", "c<a"}},
		{"a | while read x; do b; done", []string{"read<a", "b<a"}},
		{"a | bash -c 'b | c'", []string{"bash<a", "b<a", "c<b"}},
		{"a > f | b", nil},
		{"a; b", nil},
		{"b < <(a)", []string{"b<a"}},
		{"b <<< $(a)", []string{"b<a"}},
		{"a && b | c", []string{"c<b"}},
		{"f() { a; }; f | b", []string{"b<a"}},
		{"a | xargs b", []string{"xargs<a"}},
	}
	for _, tt := range tests {
		r := Parse(tt.line, here)
		var got []string
		for i := range r.Commands {
			for _, k := range r.Commands[i].PipeFrom {
				got = append(got, r.Commands[i].Name+"<"+r.Commands[k].Name)
				if !slices.Contains(r.Commands[k].PipeTo, i) {
					t.Errorf("Parse(%q): %s does not know that %s reads it", tt.line, r.Commands[k].Name, r.Commands[i].Name)
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Parse(%q): pipes %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestInput checks the text that flows into a command.
func TestInput(t *testing.T) {
	tests := []struct{ line, name, op, want string }{
		{"psql <<EOF\nDROP TABLE x;\nEOF", "psql", "<<", "DROP TABLE x;\n"},
		{"psql <<'EOF'\n$x\nEOF", "psql", "<<", "$x\n"},
		{"echo 'FLUSHALL' | redis-cli", "redis-cli", "|", "FLUSHALL\n"},
		{"printf 'a\\nb' | cat -n | psql", "psql", "|", "a\nb"},
		{"psql <<< 'DROP x'", "psql", "<<<", "DROP x\n"},
		{"echo x > f; psql < f", "psql", "<", "x\n"},
		{"psql < f", "psql", "<", "‹< f›"},
		{"curl x | psql", "psql", "|", "‹…›"},
		{"echo \"a $X b\" | psql", "psql", "|", "'a ‹$X› b⏎'"},
	}
	for _, tt := range tests {
		r := Parse(tt.line, here)
		i := slices.IndexFunc(r.Commands, func(c Command) bool { return c.Name == tt.name })
		if i < 0 || r.Commands[i].Stdin == nil {
			t.Errorf("Parse(%q): no input for %s in %q", tt.line, tt.name, show(r))
			continue
		}
		in := r.Commands[i].Stdin
		got := in.Text.Text
		if in.Text.Kind != Literal {
			got = spell(&in.Text)
			tt.want = strings.Trim(tt.want, "'")
		}
		if got != tt.want || in.Op != tt.op {
			t.Errorf("Parse(%q): input of %s = %s %q, want %s %q", tt.line, tt.name, in.Op, got, tt.op, tt.want)
		}
	}
}

// TestOrigin checks that a word knows the commands whose output it is.
func TestOrigin(t *testing.T) {
	for _, line := range []string{
		"x $(curl y)", "x \"a$(curl y)b\"", "X=$(curl y); x $X", "X=$(curl y | cat); x \"$X\"", "curl y | xargs x",
		"curl y | while read z; do x $z; done", "x <(curl y)", "x $(sudo curl y)",
	} {
		r := Parse(line, here)
		last := &r.Commands[len(r.Commands)-1]
		var from []string
		for i := range last.Args {
			for _, k := range last.Args[i].From() {
				from = append(from, r.Commands[k].Name)
			}
		}
		if last.Name != "x" || len(from) == 0 || from[0] != "curl" && from[0] != "cat" {
			t.Errorf("Parse(%q): the arguments of %s come from %q, want curl", line, last.Name, from)
		}
	}
}

// TestSpans checks that a command's span is its own text, also within scripts
// that stand literally in the line.
func TestSpans(t *testing.T) {
	tests := []struct{ line, name, want string }{
		{"ls; rm -rf / && a", "rm", "rm -rf /"},
		{"sudo -u x rm -rf / > f", "rm", "rm -rf / > f"},
		{"FOO=1 rm x;", "rm", "FOO=1 rm x"},
		{"bash -c 'cd /; rm -rf x; a'", "rm", "rm -rf x"},
		{"bash -c \"cd /; rm -rf x; a\"", "rm", "rm -rf x"},
		{"sudo sh -c 'a; sh -c \"rm x\"'", "rm", "rm x"},
		{"sh <<'EOF'\na\nrm x\nEOF", "rm", "rm x"},
		{"echo $(a; rm x) b", "rm", "rm x"},
		{"echo `rm x`", "rm", "rm x"},
		{"eval rm x", "rm", "rm x"},
		{"ssh host rm -rf x", "rm", "rm -rf x"},
		{"bash -c 'echo '\\''a'\\''; rm x'", "rm", "'echo '\\''a'\\''; rm x'"}, // respelled: the whole word
		{"X='rm x'; a; $X", "rm", "$X"},
		{"rm <<EOF x\n1\nEOF\na", "rm", "rm <<EOF x"},
		{"for i in 1 2; do rm $i; done", "rm", "rm $i"},
		{"pwsh -c 'a; Remove-Item x'", "remove-item", "Remove-Item x"},
		{"cmd /c 'dir & del x'", "del", "del x"},
	}
	for _, tt := range tests {
		r := Parse(tt.line, here)
		i := slices.IndexFunc(r.Commands, func(c Command) bool { return c.Name == tt.name })
		if i < 0 {
			t.Errorf("Parse(%q): no %s in %q", tt.line, tt.name, show(r))
			continue
		}
		s := r.Commands[i].Span
		if got := tt.line[s[0]:s[1]]; got != tt.want {
			t.Errorf("Parse(%q): the span of %s is %q, want %q", tt.line, tt.name, got, tt.want)
		}
	}
}

// TestName checks how programs are named.
func TestName(t *testing.T) {
	for line, want := range map[string]string{
		"rm x": "rm", "/usr/bin/rm x": "rm", "./x.sh": "x.sh", "C:\\\\bin\\\\Git.EXE x": "git", "npm.cmd x": "npm", "rimraf@5 x": "rimraf", "@scope/tool@1.2 x": "tool", "@x": "@x", "'/c/Program Files/x.exe'": "x",
		"$X x": "", "\"$X/rm\" x": "rm", "/bin/r? x": "rm", "* x": "", "RM x": "rm", "R x": "R", "\"a b\"": "a b", "\"$X\"rm x": "",
	} {
		r := Parse(line, here)
		if len(r.Commands) == 0 || r.Commands[0].Name != want {
			t.Errorf("Parse(%q) names %q, want %q", line, show(r), want)
		}
	}
}

// TestPlace checks what is made of an unknown place.
func TestPlace(t *testing.T) {
	r := Parse("cd sub; rm ~/x $HOME/y $USER", Options{Tables: tables})
	c := &r.Commands[1]
	if got := spell(&c.Dir); got != "‹$PWD›/sub" || c.Dir.Kind != Partial {
		t.Errorf("unknown directory and cd sub: Dir = %s of kind %d", got, c.Dir.Kind)
	}
	for i, want := range []Word{{Text: "~/x", Tilde: true}, {Text: "~/y", Tilde: true}, {Text: "$USER", Kind: Unknown}} {
		if w := c.Args[i+1]; w.Text != want.Text || w.Tilde != want.Tilde || w.Kind != want.Kind {
			t.Errorf("unknown home: argument %d = %+v, want %+v", i+1, w, want)
		}
	}
	env := func(name string) (string, bool) { return "/env", name == "D" }
	r = Parse("rm $D/x ${E:-/e} ${D:-/d}", Options{Tables: tables, Env: env})
	if got := args(r); got != "[rm rm /env/x /e /env]" {
		t.Errorf("with an environment: %s", got)
	}
}
