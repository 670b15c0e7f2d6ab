package rule

import "slices"

// ClientTool says what the arguments of a client's tool are. Argument names may lead
// into objects and lists with dots: "edits.new_string". A call that fits several
// tools has what all of them say.
type ClientTool struct {
	Names    []string       // globs: "Write", "mcp__*__delete_file"
	Effects  []ClientEffect // arguments that are paths
	Commands []string       // arguments that are command lines, or their words
	Text     []string       // arguments whose text goes somewhere, so no key may be in it; "*" for all
	Patches  []string       // arguments that are patches
	Dirs     []string       // arguments that name the folder in which a command runs
	As       string         // the client's own tool whose rules hold for it too: "Write"
	File     string
	Line     int
}

// ClientEffect says what the tool does to the paths in some arguments.
type ClientEffect struct {
	Kind Kind
	On   []string
}

type rawTool struct {
	Name    any             `toml:"name"`
	Effect  []rawToolEffect `toml:"effect"`
	Command any             `toml:"command"`
	Text    any             `toml:"text"`
	Patch   any             `toml:"patch"`
	Dir     any             `toml:"dir"`
	As      string          `toml:"as"`
}

type rawToolEffect struct {
	Kind any `toml:"kind"`
	On   any `toml:"on"`
}

func (d *riskDecoder) tool(i int, raw *rawTool) {
	t := ClientTool{
		Names: d.list("name", raw.Name), Commands: d.list("command", raw.Command),
		Text: d.list("text", raw.Text), Patches: d.list("patch", raw.Patch), Dirs: d.list("dir", raw.Dir), As: raw.As, File: d.file,
	}
	d.at(i, "")
	t.Line = d.line
	if len(t.Names) == 0 || slices.Contains(t.Names, "") {
		d.problem("a tool needs a name")
		return
	}
	// Later complaints name the tool.
	d.id = t.Names[0]
	for _, e := range raw.Effect {
		effect := ClientEffect{Kind: Kind(d.set("kind", e.Kind, kindNames[:])), On: d.list("on", e.On)}
		if effect.Kind == 0 || len(effect.On) == 0 {
			d.problem("an effect of a tool needs kind and on: the arguments that are paths")
			continue
		}
		t.Effects = append(t.Effects, effect)
	}
	if len(t.Effects)+len(t.Commands)+len(t.Text)+len(t.Patches) == 0 {
		d.problem("a tool needs one of effect, command, text and patch; one without is not looked at anyway")
		return
	}
	d.out.Tools = append(d.out.Tools, t)
}
