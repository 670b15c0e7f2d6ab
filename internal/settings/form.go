package settings

import (
	"strings"

	"github.com/tailscale/hujson"
)

// A known key with a value of the wrong kind makes the client skip the whole file,
// hooks and all (seen on Claude Code 2.1.329 for each of these). There are more keys, and
// what is no mistake here may be one there; these are what people and programs write.

// form is the kind of value that a key must have: '{', '[', '"', '0', or 'b' for a bool.
type form struct {
	key  string // dots lead into objects
	kind byte
}

var forms = [...]form{
	{"$schema", '"'},
	{"apiKeyHelper", '"'},
	{"autoMode", '{'},
	{"cleanupPeriodDays", '0'},
	{"enabledPlugins", '{'},
	{"env", '{'},
	{"includeCoAuthoredBy", 'b'},
	{"language", '"'},
	{"model", '"'},
	{"outputStyle", '"'},
	{"permissions", '{'},
	{"permissions.allow", '['},
	{"permissions.ask", '['},
	{"permissions.defaultMode", '"'},
	{"permissions.deny", '['},
	{"sandbox", '{'},
	{"sandbox.enabled", 'b'},
	{"skipDangerousModePermissionPrompt", 'b'},
	{"statusLine", '{'},
	{"worktree", '{'},
}

// modes are the values of permissions.defaultMode that the client takes.
const modes = " acceptEdits auto bypassPermissions default dontAsk manual plan "

func (c *checker) forms() {
	for _, s := range forms {
		v := &c.root
		for key := range strings.SplitSeq(s.key, ".") {
			obj, ok := v.Value.(*hujson.Object)
			if !ok {
				v = nil
				break
			}
			if v = member(obj, key); v == nil {
				break
			}
		}
		if v == nil {
			continue
		}
		kind := byte(v.Value.Kind())
		if kind == 't' || kind == 'f' {
			kind = 'b'
		}
		if kind != s.kind || s.key == "permissions.defaultMode" && !strings.Contains(modes, " "+text(v)+" ") {
			c.add(v.StartOffset, true, s.key+" has a value that the client does not take: it skips the whole file")
		}
	}
}
