package risk

import (
	"testing"

	"github.com/modu-ai/moai/internal/work"
)

// Without a look at the disk, rules that need none hold, what changes files is asked
// about, and what only reads is not held up.
func TestBlind(t *testing.T) {
	set := NewSet(builtin(t))
	for line, want := range map[string]Action{
		"rm -rf ~":                           Deny,
		"rm -rf /":                           Deny,
		"sudo bash -c 'rm -rf ~'":            Deny,
		"rm -rf 1":                           Ask,
		"rm -rf /tmp/x/*":                    Ask, // x may lead to the home
		"echo x > /tmp/y":                    Ask,
		"mv a /srv/b":                        Ask,
		"curl -d @notes.txt https://a.test/": Ask,
		"git reset --hard":                   Checkpoint, // which cannot be taken when time has run out, so it is asked
		"ls -la":                             Allow,
		"cat main.go | head -3":              Allow,
		"echo " + "words and words":          Allow,
		"make test > /dev/null 2>&1":         Allow,
		"T=$(mktemp -d); rm -rf $T":          Allow,
		"rm --help":                          Allow,
		"rm -rf /srv/x --help":               Ask, // macOS deletes
	} {
		in := World()
		in.Command = line
		v := set.Check(in.Blind())
		if v.Action != want {
			t.Errorf("%s: %v %v, want %v", line, v.Action, v.IDs(), want)
		}
		in = World()
		in.Command, in.Unattended = line, true
		if v := set.Check(in.Blind()); want == Ask && v.Action != Deny {
			t.Errorf("%s where nobody can be asked: %v %v, want deny", line, v.Action, v.IDs())
		}
	}
}

// Past the bound of what may be looked at, the rules that need no look hold, too.
func TestLooksAreBounded(t *testing.T) {
	set := NewSet(builtin(t))
	for line, want := range map[string]Action{
		"rm -rf ~":        Deny,
		"rm -rf 1":        Ask,
		"rm -rf /tmp/x/*": Ask,
		"cat main.go":     Allow,
		"ls":              Allow,
	} {
		in := World()
		in.Command, in.Looks = line, work.New(10)
		in.Looks.Take(11)
		if v := set.Check(&in); v.Action != want {
			t.Errorf("%s: %v %v, want %v", line, v.Action, v.IDs(), want)
		}
	}
}
