package rule

import "slices"

// ClientTool says what the arguments of a client's tool are. Argument names may lead
// into objects and lists with dots: "edits.new_string". A call that fits several
// tools has what all of them say.
type ClientTool struct {
	Names    []string       // globs: "Write", "mcp__*__delete_file"
	Except   []string       // globs of names that are none of these after all
	Effects  []ClientEffect // arguments that are paths
	Commands []string       // arguments that are command lines, or their words
	Lines    []string       // arguments that are command lines, one in each text of a list
	Programs []string       // arguments that are a program, at any depth, where Words stand beside them
	Words    []string       // arguments that are the words behind a program
	Text     []string       // arguments whose text goes somewhere, so no key may be in it; "*" for all
	Patches  []string       // arguments that are patches
	Prefix   string         // what command lines are the rest of: "git"
	Dirs     []string       // arguments that name the folder in which a command runs
	Runs     []ClientRun    // arguments that are text for a program
	Language []string       // arguments that name the language of such text
	As       string         // the client's own tool whose rules hold for it too: "Write"
	File     string
	Line     int
}

// ClientEffect says what the tool does to the paths in some arguments.
type ClientEffect struct {
	Kind Kind
	On   []string
}

// ClientRun says which program does the same with a text: "psql -c" of {"sql": "…"}.
type ClientRun struct {
	Program  string   // and its options; the text is its last argument
	On       []string // arguments that are such text; empty: the program is the whole line
	Language []string // only if the call names one of these languages; "" for none named; empty: always
	Begins   []string // only if the text begins with one of these words; empty: always
	When     []Arg    // only if these arguments hold, too; "|" between names of the same
	Instead  string   // what to do instead in such a tool, where the program of the rules cannot be had; empty: as the rules say
}

type rawTool struct {
	Name    any             `toml:"name"`
	Except  any             `toml:"except"`
	Effect  []rawToolEffect `toml:"effect"`
	Command any             `toml:"command"`
	Lines   any             `toml:"lines"`
	Program any             `toml:"program"`
	Words   any             `toml:"words"`
	Text    any             `toml:"text"`
	Patch   any             `toml:"patch"`
	Dir     any             `toml:"dir"`
	Prefix  string          `toml:"prefix"`
	As      string          `toml:"as"`
	Runs    []rawToolRun    `toml:"runs"`
	// Names of arguments, not of languages: those stand in runs.
	Language any `toml:"language"`
}

type rawToolRun struct {
	Program  string `toml:"program"`
	On       any    `toml:"on"`
	Language any    `toml:"language"`
	Begins   any    `toml:"begins"`
	Instead  string `toml:"instead"`
	// The arguments that say what a tool for many things does this time.
	When map[string]any `toml:"when"`
}

type rawToolEffect struct {
	Kind any `toml:"kind"`
	On   any `toml:"on"`
}

func (d *riskDecoder) tool(raw *rawTool) {
	t := ClientTool{
		Names: d.list("name", raw.Name), Commands: d.list("command", raw.Command),
		Except: d.list("except", raw.Except), Language: d.list("language", raw.Language),
		Lines: d.list("lines", raw.Lines), Programs: d.list("program", raw.Program), Words: d.list("words", raw.Words),
		Text: d.list("text", raw.Text), Patches: d.list("patch", raw.Patch), Dirs: d.list("dir", raw.Dir), As: raw.As, Prefix: raw.Prefix, File: d.file, Line: d.line,
	}
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
	for _, r := range raw.Runs {
		run := ClientRun{Program: r.Program, On: d.list("on", r.On), Language: d.list("language", r.Language), Begins: d.list("begins", r.Begins), When: d.arguments(r.When), Instead: r.Instead}
		if run.Program == "" || len(run.On) == 0 && len(run.Begins) > 0 {
			d.problem("runs of a tool needs program, and on: the arguments that are text for it")
			continue
		}
		t.Runs = append(t.Runs, run)
	}
	if len(t.Effects)+len(t.Commands)+len(t.Lines)+len(t.Programs)+len(t.Text)+len(t.Patches)+len(t.Runs) == 0 {
		d.problem("a tool needs one of effect, command, text, patch and runs; one without is not looked at anyway")
		return
	}
	d.out.Tools = append(d.out.Tools, t)
}
