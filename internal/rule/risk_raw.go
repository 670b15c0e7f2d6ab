package rule

// What a file of risk rules looks like to the TOML decoder. Fields of type any take one text or a list of them, so that a rule
// about one program reads program = "rm".

type rawRisks struct {
	Rule    []rawRisk    `toml:"rule"`
	Program []rawProgram `toml:"program"`
	Files   []rawFiles   `toml:"files"`
	Group   []rawGroup   `toml:"group"`
	Tool    []rawTool    `toml:"tool"`
	Mode    []Mode       `toml:"mode"`
	Secret  []rawKey     `toml:"secret"`
	Allow   []Allowed    `toml:"allow"`
	Moves   []rawMove    `toml:"moves"`
	Setting []Settings   `toml:"settings"`
	Restore []Restored   `toml:"restored"`
	Known   []string     `toml:"known_examples"`
	Branch  []string     `toml:"branch_operations"`
}

type rawRisk struct {
	ID        string  `toml:"id"`
	Since     string  `toml:"since"`
	Program   any     `toml:"program"`
	Tool      any     `toml:"tool"`
	Args      rawWhen `toml:"args"`
	Action    string  `toml:"action"`
	Unasked   *string `toml:"unasked"`
	Setting   string  `toml:"setting"`
	Operation string  `toml:"operation"`
	Pins      any     `toml:"pins"`
	Drops     bool    `toml:"drops"`
	Adds      bool    `toml:"adds"`
	Quiet     bool    `toml:"quiet"`
	Aside     bool    `toml:"aside"`
	Beyond    string  `toml:"beyond"`
	Keeps     string  `toml:"keeps"`
	Written   bool    `toml:"written"`
	Undone    bool    `toml:"undone"`
	Here      bool    `toml:"here"`
	Called    bool    `toml:"called"`
	Why       string  `toml:"why"`
	Instead   string  `toml:"instead"`
	// By program, with braces: "{apt,apt-get}" has the same words for both.
	Advice map[string]string `toml:"advice"`
	// Why no command is advised: what moai says by itself ends in one that works, but for these.
	Commandless string   `toml:"commandless"`
	Hits        []string `toml:"hits"`
	Misses      []string `toml:"misses"`
	KnownMiss   []string `toml:"known_miss"`
}

type rawMove struct {
	Program any     `toml:"program"`
	Args    rawWhen `toml:"args"`
	Pins    any     `toml:"pins"`
	Drops   bool    `toml:"drops"`
}

type rawWhen struct {
	Sub         any `toml:"subcommand"`
	NotSub      any `toml:"not_subcommand"`
	Flags       any `toml:"flags"`
	Without     any `toml:"without"`
	Operands    any `toml:"operands"`
	NotOperands any `toml:"not_operands"`
	Words       any `toml:"words"`
	NotWords    any `toml:"not_words"`
	Min         int `toml:"min_operands"`
	// A pointer, since 0 is a bound that people mean: "no operand".
	Max      *int `toml:"max_operands"`
	Effect   any  `toml:"effect"`
	Path     any  `toml:"path"`
	NotPath  any  `toml:"not_path"`
	Files    any  `toml:"files"`
	NotFiles any  `toml:"not_files"`
	// Three answers: there, not there, and not asked.
	Exists *bool `toml:"exists"`
	Fed    any   `toml:"fed_by"`
	NotFed any   `toml:"not_fed_by"`
	PipeTo any   `toml:"pipe_to"`
	Env    any   `toml:"env"`
	Says   any   `toml:"says"`
	Is     any   `toml:"is"`
	Not    any   `toml:"not"`
	// Names with dots lead into objects; values are one text or several.
	Argument map[string]any `toml:"argument"`
}

type rawProgram struct {
	Name   any      `toml:"name"`
	Global []string `toml:"global"`
	Folder []string `toml:"folder"`
	// By subcommand, "all" for each of them.
	Values     map[string]any `toml:"values"`
	Long       []string       `toml:"long"`
	Abbreviate bool           `toml:"abbreviate"`
	Dash       string         `toml:"dash" one:"- gnu long slash none bundle mode plus toolchain"`
	Plain      bool           `toml:"plain"`
	Expands    bool           `toml:"expands"`
	First      bool           `toml:"first"`
	Harmless   []string       `toml:"harmless"`
	Standin    []string       `toml:"standin"`
	Text       []string       `toml:"text"`
	Effect     []rawEffect    `toml:"effect"`
	Network    bool           `toml:"network"`
	Alias      []rawAlias     `toml:"alias"`
}

type rawAlias struct {
	Sub   string `toml:"subcommand"`
	Words any    `toml:"words"`
	Of    any    `toml:"of"`
}

type rawEffect struct {
	Kind    any `toml:"kind"`
	Sub     any `toml:"subcommand"`
	On      any `toml:"on"`
	Flags   any `toml:"flags"`
	Without any `toml:"without"`
	In      any `toml:"in"`
}

type rawFiles struct {
	Is     string `toml:"is"`
	Globs  any    `toml:"globs"`
	Except any    `toml:"except"`
}

// A group says why it is one, as a rule does: its members are listed for that reason alone.
type rawGroup struct {
	ID       string   `toml:"id"`
	Why      string   `toml:"why"`
	Programs []string `toml:"programs"`
	Words    []string `toml:"words"`
}
