package risk

import "testing"

// TestTraps: what a trap runs at the end of its shell is judged with the values of then.
func TestTraps(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		line string
		want Action
	}{
		{`trap 'rm -rf "$W"' EXIT; W=$(mktemp -d); cp main.go "$W"`, Allow},
		{`trap 'rm -rf "$W"' 0; W=$(mktemp -d); cp main.go "$W"`, Allow},
		{`trap 'rm -rf "$W"' EXIT INT TERM; W=$(mktemp -d); cp main.go "$W"`, Allow},
		{`trap 'rm -rf "$W"' EXIT && W=$(mktemp -d) && cp main.go "$W"`, Allow},
		{`(trap 'rm -rf "$W"' EXIT; W=$(mktemp -d); ls "$W"); ls`, Allow},
		{`bash -c 'trap "rm -rf \"\$W\"" EXIT; W=$(mktemp -d); ls'; ls`, Allow},
		{`clean() { rm -rf "$W"; }; trap clean EXIT; W=$(mktemp -d); ls "$W"`, Allow},
		{`W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; ls "$W"`, Allow},
		{`trap 'rm -rf "$W"' EXIT; W=~; ls`, Deny},
		{`W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; W=~; ls`, Deny},
		{`(trap 'rm -rf "$W"' EXIT; W=~; ls); ls`, Deny},
		{`trap 'rm -rf ~' EXIT; exit`, Deny},
		{`trap "rm -rf ~" EXIT`, Deny},
		{`trap 'rm -rf "$W"' EXIT; W=src; ls`, Checkpoint},
	} {
		in := World()
		in.Command = test.line
		if v := set.Check(&in); v.Action != test.want {
			t.Errorf("%s: %v %v, want %v", test.line, v.Action, v.IDs(), test.want)
		}
	}
}
