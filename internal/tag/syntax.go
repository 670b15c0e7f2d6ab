package tag

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Syntax is how a file is commented; prose (Markdown, text) has headings instead of comments.
type Syntax struct {
	rule.Comment
	Prose bool
	// Texts are the quotes of literals that may run over lines: ` alone, " and ' tripled.
	Texts string
	// Bare are the quotes that open no string: they stand for lifetimes, symbols, apostrophes.
	Bare string
}

func (s *Syntax) has(quote byte) bool { return strings.IndexByte(s.Texts, quote) >= 0 }

func (s *Syntax) quotes(c byte) bool {
	return (c == '"' || c == '\'' || c == '`') && strings.IndexByte(s.Bare, c) < 0
}

// SyntaxOf is the built-in guess by the name of a file, for callers without a table of languages.
func SyntaxOf(name string) Syntax {
	ext := strings.ToLower(path.Ext(name))
	s := commentsOf(ext)
	s.Texts, s.Bare = literals(ext)
	return s
}

// literals says what quotes are in files with an extension, beyond the strings of a line.
func literals(ext string) (texts, bare string) {
	switch ext {
	case ".py", ".pyi", ".pyw", ".pyx", ".dart", ".toml", ".groovy", ".gradle", ".coffee", ".mojo", ".star", ".bzl":
		return `"'`, ""
	case ".java", ".kt", ".kts", ".scala", ".sc", ".swift", ".jl", ".ex", ".exs", ".cs", ".graphql", ".gql", ".fs", ".nim":
		return `"`, ""
	case ".go", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro":
		return "`", ""
	// A lifetime ('a), a type variable, a quoted symbol, a prime (foldl') and the apostrophes of marked-up text never close.
	case ".rs", ".hs", ".lhs", ".elm", ".ml", ".mli", ".re", ".res", ".clj", ".cljs", ".cljc", ".edn", ".lisp", ".el", ".scm", ".rkt", ".fnl",
		".ada", ".adb", ".ads", ".v", ".sv", ".svh", ".vhd", ".vhdl", ".html", ".htm", ".xml", ".svg", ".xhtml", ".agda", ".lean", ".purs", ".idr", ".forth", ".fth", ".4th":
		return "", "'`"
	// TeX writes quotes as `` and '', and a " is a command of the language packages.
	case ".tex", ".sty", ".cls", ".bib":
		return "", "'`\""
	// m4 quotes as in `this'.
	case ".m4", ".ac":
		return "", "'`"
	}
	return "", ""
}

// commentsOf knows the comments of extensions.
func commentsOf(ext string) Syntax {
	hash := rule.Comment{Line: []string{"#"}}
	slash := rule.Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}
	dash := rule.Comment{Line: []string{"--"}, Block: [][2]string{{"/*", "*/"}}}
	markup := rule.Comment{Block: [][2]string{{"<!--", "-->"}}}
	switch ext {
	case ".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc":
		return Syntax{Comment: markup, Prose: true}
	case ".py", ".pyi", ".rb", ".sh", ".bash", ".zsh", ".fish", ".pl", ".r", ".jl", ".ex", ".exs", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".tf", ".mk", ".cmake", ".nix", ".ps1", ".coffee", ".cr", ".nim", ".gd":
		return Syntax{Comment: hash}
	case ".go", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".java", ".kt", ".kts", ".scala", ".swift", ".rs", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".cs", ".dart", ".groovy", ".gradle", ".zig", ".proto", ".css", ".scss", ".less", ".sol", ".m", ".mm", ".fs", ".jsonc", ".json5":
		return Syntax{Comment: slash}
	case ".php":
		return Syntax{Comment: rule.Comment{Line: []string{"//", "#"}, Block: slash.Block}}
	case ".sql", ".lua", ".hs", ".elm", ".ada", ".vhd":
		dash.Block = append(dash.Block, [2]string{"{-", "-}"}, [2]string{"--[[", "]]"})
		return Syntax{Comment: dash}
	case ".clj", ".cljs", ".cljc", ".edn", ".lisp", ".el", ".scm", ".asm":
		return Syntax{Comment: rule.Comment{Line: []string{";"}}}
	case ".tex", ".erl", ".matlab":
		return Syntax{Comment: rule.Comment{Line: []string{"%"}}}
	case ".html", ".htm", ".xml", ".svg", ".xhtml":
		return Syntax{Comment: markup}
	case ".vue", ".svelte", ".astro":
		return Syntax{Comment: rule.Comment{Line: []string{"//"}, Block: [][2]string{{"<!--", "-->"}, {"/*", "*/"}}}}
	}
	// An unknown file gets the marks that most languages share: a TAG behind one of them is meant, whatever the file is.
	return Syntax{Comment: rule.Comment{Line: []string{"#", "//", "--", ";"}, Block: [][2]string{{"/*", "*/"}, {"<!--", "-->"}}}}
}
