package lang

import "strings"

// Unknown stands where no language was found.
const Unknown = "Unknown Language"

// Report is what is known of one folder. Its JSON form is stable: fields are
// added, not renamed.
type Report struct {
	Dir     string   `json:"dir"`
	Primary *Primary `json:"primary"` // nil when no language of the table may be named
	// Kind is what the project is: code, infrastructure, documentation, data, configuration, dotfiles; empty where nothing says.
	Kind      string `json:"kind"`
	Ecosystem string `json:"ecosystem"` // what gives it its kind, where no language does: "Helm"
	// What version of the ecosystem the project wants, as of a Primary.
	EcosystemVersion       string     `json:"ecosystem_version,omitempty"`
	EcosystemVersionKind   string     `json:"ecosystem_version_kind,omitempty"`
	EcosystemVersionSource string     `json:"ecosystem_version_source,omitempty"`
	Languages              []Language `json:"languages"`
	Projects               []Project  `json:"projects"` // with Options.Projects
	Facts                  []Fact     `json:"facts"`    // with Options.Projects
	// ProjectCount is how many projects lie below the root, whether they are asked for or not. What else lies at the root is none of them.
	ProjectCount int      `json:"project_count"`
	Tools        Tools    `json:"tools"`
	Source       string   `json:"source"` // what the answer was read from: "git index", "folder walk"
	Scan         Scan     `json:"scan"`
	Notes        []string `json:"notes"` // what was left out or looked odd, in words
}

// Primary is the language that a project is said to be written in.
type Primary struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Version       string   `json:"version"`        // as shown: "3.12", ">=3.10", "Node 22"; empty when no file states one
	VersionKind   string   `json:"version_kind"`   // pin; floor; hint: others build or test it with this one, or it says little of the compiler
	VersionSource string   `json:"version_source"` // "go.mod: go"
	Confidence    float64  `json:"confidence"`     // 0 to 1
	Evidence      []string `json:"evidence"`
}

// Language is one language with its part of the project.
type Language struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Kind          string   `json:"kind"`  // programming, markup, data, prose
	Share         float64  `json:"share"` // of the bytes that count, 0 to 1; 0 for what does not count
	Bytes         int64    `json:"bytes"`
	Files         int      `json:"files"`
	Version       string   `json:"version"`
	VersionKind   string   `json:"version_kind,omitempty"`
	VersionSource string   `json:"version_source,omitempty"`
	Evidence      []string `json:"evidence,omitempty"`
}

// Project is a folder below the root with a manifest of its own, or what lies at the root beside what it is first (".").
type Project struct {
	Path     string   `json:"path"` // relative, with slashes
	Manifest string   `json:"manifest"`
	Primary  *Primary `json:"primary"`
	System   string   `json:"ecosystem,omitempty"` // "Helm", where it has no language
	Files    int      `json:"files"`
	Bytes    int64    `json:"bytes"`
	Tools    Tools    `json:"tools"`
}

// Tools are how a project is worked on; nil where nothing says.
type Tools struct {
	Manager    *Tool   `json:"package_manager"`
	Formatter  *Tool   `json:"formatter"`
	Linter     *Tool   `json:"linter"`
	Test       *Tool   `json:"test"`
	Build      *Tool   `json:"build"`
	Typecheck  *Tool   `json:"typecheck"`
	Start      *Tool   `json:"start"`
	Dev        *Tool   `json:"dev"`
	Install    *Tool   `json:"install"`
	Clean      *Tool   `json:"clean"`
	Coverage   *Tool   `json:"coverage"`
	Migrate    *Tool   `json:"migrate"`
	Frameworks []Named `json:"frameworks"`
	// Beside is how the other languages with a manifest at the root get what they need: a front end beside a back end.
	Beside []Tool `json:"packages_beside,omitempty"`
}

// Tool is one command.
type Tool struct {
	Name    string `json:"name"`
	Command string `json:"command"`         // for the whole project
	File    string `json:"file,omitempty"`  // for one file, with {file}
	One     string `json:"one,omitempty"`   // for one test, with {name}, {file}, {dir}
	Lines   string `json:"lines,omitempty"` // for the whole project, a line for each finding; where Command changes files, what only looks
	Fixes   string `json:"fixes,omitempty"` // of a linter: the word by which it changes files instead of only looking, as "--fix"
	Because string `json:"because"`         // "pyproject.toml holds [tool.ruff", "comes with the language"
}

// Remark is what a person should know before the command runs; "" for nothing.
func (t *Tool) Remark() string {
	switch {
	case t.Fixes == "":
		return ""
	case t.Lines != "":
		return "changes files: " + t.Fixes + "; only looks: " + t.Lines
	}
	return "changes files: " + t.Fixes
}

// Named is a framework and how it was told.
type Named struct {
	Name    string `json:"name"`
	Because string `json:"because"`
}

// Scan counts what was looked at.
type Scan struct {
	Files   int   `json:"files"`   // seen
	Counted int   `json:"counted"` // took part in shares
	Opened  int   `json:"opened"`  // read, because their name left a doubt
	Bytes   int64 `json:"bytes"`   // of the counted files
	Cached  bool  `json:"cached"`
	Partial bool  `json:"partial"` // a limit or the deadline ended the scan
}

// Title is the primary language as people write it: "Python 3.12", "Go ≥ 1.26", else the ecosystem, or Unknown.
func (r *Report) Title() string {
	switch {
	case r == nil || r.Primary == nil && r.Ecosystem == "":
		return Unknown
	case r.Primary == nil && r.EcosystemVersion != "":
		return r.Ecosystem + " " + Stated(r.EcosystemVersion, r.EcosystemVersionKind)
	case r.Primary == nil:
		return r.Ecosystem
	}
	return r.Primary.Title()
}

// Title is the name with the version behind it, where one is known.
func (p *Primary) Title() string {
	if p.Version == "" {
		return p.Name
	}
	// "C++20" and "C17" carry the name in the version.
	if strings.HasPrefix(p.Version, p.Name) {
		return p.Version
	}
	return p.Name + " " + Stated(p.Version, p.VersionKind)
}

// Stated is a version as people read it: a floor with the sign that says so ("≥ 3.12", "Node ≥ 22"), a pin as it is. What a file says with a
// sign of its own ("^8.2") stays.
func Stated(version, kind string) string {
	at := strings.IndexFunc(version, func(r rune) bool { return '0' <= r && r <= '9' })
	if kind != "floor" || at < 0 {
		return version
	}
	before, least := strings.CutSuffix(strings.TrimRight(version[:at], " "), ">=")
	before = strings.TrimRight(before, " ")
	if !least && before != "" && (strings.ContainsAny(before, "<>=~^!*") || version[at-1] != ' ') {
		return version
	}
	return before + strings.Repeat(" ", min(1, len(before))) + "≥ " + version[at:]
}

// Language returns the entry with that id, or nil.
func (r *Report) Language(id string) *Language {
	for i := range r.Languages {
		if r.Languages[i].ID == id {
			return &r.Languages[i]
		}
	}
	return nil
}
