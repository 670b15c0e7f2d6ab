package rule

// Toolset is how projects of one kind are worked on: for each purpose the first tool whose conditions hold.
type Toolset struct {
	Managers   []Manager   `toml:"manager"`
	Installs   []Tool      `toml:"install"`
	Formatters []Tool      `toml:"formatter"`
	Linters    []Tool      `toml:"linter"`
	Tests      []Tool      `toml:"test"`
	Builds     []Tool      `toml:"build"`
	Typechecks []Tool      `toml:"typecheck"`
	Starts     []Tool      `toml:"start"`
	Devs       []Tool      `toml:"dev"`
	Cleans     []Tool      `toml:"clean"`
	Coverages  []Tool      `toml:"coverage"`
	Migrates   []Tool      `toml:"migrate"`
	Frameworks []Framework `toml:"framework"`
}

// Purposed is the list of tools for one purpose, by the name of its table.
type Purposed struct {
	Purpose string
	Tools   []Tool
}

// Purposes are all lists of tools, in the order in which they are shown.
func (s *Toolset) Purposes() []Purposed {
	return []Purposed{
		{"install", s.Installs},
		{"formatter", s.Formatters},
		{"linter", s.Linters},
		{"test", s.Tests},
		{"build", s.Builds},
		{"typecheck", s.Typechecks},
		{"start", s.Starts},
		{"dev", s.Devs},
		{"clean", s.Cleans},
		{"coverage", s.Coverages},
		{"migrate", s.Migrates},
	}
}

// Ecosystem is a way to work that is no language: Helm charts, Ansible, a build system of several languages. Where no program is,
// one with a kind is the answer to what a project is.
type Ecosystem struct {
	Name string `toml:"name"`
	// Kind is what a project of it is where it has no program of its own.
	Kind string   `toml:"kind" one:"- infrastructure documentation data configuration dotfiles"`
	When []string `toml:"when"` // conditions, any of which must hold
	// Languages are those whose projects it gives its tools; none: all.
	Languages []string `toml:"languages"`
	Last      bool     `toml:"last"`  // its tools come behind those of the language
	Sole      bool     `toml:"sole"`  // the tools of languages do not work at its root
	Whole     bool     `toml:"whole"` // the project is this, whatever scripts without a manifest lie beside it
	// Scripts are further languages that only help beside it.
	Scripts []string `toml:"scripts"`
	// Roots are files that make a folder a project of its own.
	Roots    []string  `toml:"roots"`
	Versions []Version `toml:"version"`
	Toolset
}

// Ecosystems is rules/languages/_ecosystems.toml.
type Ecosystems struct {
	List []Ecosystem `toml:"ecosystem"`
	// Settings are the languages of data whose files are settings; other data is data.
	Settings []string `toml:"settings"`
	// Scripts are languages whose files beside a whole ecosystem only help.
	Scripts []string `toml:"scripts"`
}

// Fact is something else worth knowing of a project.
type Fact struct {
	Kind string   `toml:"kind" one:"licence ci container database service docs entry"`
	Name string   `toml:"name"`
	When []string `toml:"when"` // conditions, any of which must hold
	Once bool     `toml:"once"` // not where the fact before it has its kind
	// Unless are conditions that show it is something else.
	Unless []string `toml:"unless"`
}

// Facts is rules/languages/_facts.toml.
type Facts struct {
	List []Fact `toml:"fact"`
}
