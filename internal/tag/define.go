package tag

import (
	"bytes"
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A definition says "this is the SPEC (test, code, document) of the id"; a mention only speaks of it. What
// tells them apart is where the TAG stands: at the start of a comment, of a heading or of a line it is a
// definition, in the middle of a sentence or in a string a mention. This needs no parser, only the comment
// syntax of the language.

// Syntax is how a file is commented; prose (Markdown, text) has headings instead of comments.
type Syntax struct {
	rule.Comment
	Prose bool
}

// SyntaxOf is the built-in guess by the name of a file, for callers without a table of languages.
func SyntaxOf(name string) Syntax {
	hash := rule.Comment{Line: []string{"#"}}
	slash := rule.Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}
	dash := rule.Comment{Line: []string{"--"}, Block: [][2]string{{"/*", "*/"}}}
	markup := rule.Comment{Block: [][2]string{{"<!--", "-->"}}}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc":
		return Syntax{markup, true}
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
	return Syntax{Comment: rule.Comment{Line: []string{"#", "//", "--", ";"}, Block: [][2]string{{"/*", "*/"}, {"<!--", "-->"}}}}
}

// defines reports whether the TAG at line[off:] is a definition. line is bounded around it.
func (s *Syntax) defines(line []byte, off int) bool {
	text, ok := s.opening(line, off)
	if !ok || s.Prose && len(bytes.TrimSpace(line[:off])) == 0 && !isHeader(line[off:]) {
		return false
	}
	if len(text) > 0 && !onlyTags(text) {
		return false
	}
	return !isChain(line[off:])
}

// opening gives what stands between the start of the comment, heading or line and the TAG.
func (s *Syntax) opening(line []byte, off int) (text []byte, ok bool) {
	before := line[:off]
	if lead := bytes.TrimLeft(bytes.TrimPrefix(before, []byte("\ufeff")), " \t"); len(lead) == 0 || !s.Prose && len(bytes.Trim(lead, "* \t")) == 0 {
		return nil, true // the line starts with it: a block comment, a docstring, a header line
	}
	if s.Prose {
		head := bytes.TrimLeft(before, " ")
		if n := len(head) - len(bytes.TrimLeft(head, "#")); n > 0 {
			return bytes.TrimLeft(head[n:], " \t*"), true
		}
		return s.block(before)
	}
	for _, q := range [][]byte{[]byte(`"""`), []byte("'''")} { // a docstring that opens here
		if head := bytes.TrimLeft(before, " \tru"); bytes.HasPrefix(head, q) {
			return bytes.TrimLeft(head[len(q):], " \t"), true
		}
	}
	if at := s.comment(line, off); at >= 0 {
		return decoration(before[at:]), true
	}
	return nil, false
}

// block finds an open block comment in front of the TAG.
func (s *Syntax) block(before []byte) ([]byte, bool) {
	for _, b := range s.Block {
		i := bytes.LastIndex(before, []byte(b[0]))
		if i >= 0 && !bytes.Contains(before[i:], []byte(b[1])) {
			return decoration(before[i+len(b[0]):]), true
		}
	}
	return nil, false
}

// comment is the offset behind the comment mark that opens before off, outside of strings; -1 when off is
// in none.
func (s *Syntax) comment(line []byte, off int) int {
	for i := 0; i < off; {
		switch c := line[i]; c {
		case '"', '\'', '`':
			if end := stringEnd(line, i); end > off {
				return -1
			} else if end > 0 {
				i = end
				continue
			}
		}
		for _, b := range s.Block {
			if hasPrefix(line[i:off], b[0]) {
				end := bytes.Index(line[i+len(b[0]):off], []byte(b[1]))
				if end < 0 {
					return i + len(b[0])
				}
				i += len(b[0]) + end + len(b[1]) - 1
				break
			}
		}
		for _, l := range s.Line {
			if hasPrefix(line[i:off], l) && (l != "#" || i == 0 || line[i-1] <= ' ') {
				return i + len(l)
			}
		}
		i++
	}
	return -1
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// stringEnd is the offset behind the string literal that opens at i, 0 when it does not end on this line:
// then the mark is an apostrophe or a lifetime.
func stringEnd(line []byte, i int) int {
	q := line[i]
	for k := i + 1; k < len(line); k++ {
		switch line[k] {
		case '\\':
			k++
		case q:
			return k + 1
		}
	}
	return 0
}

// decoration takes marks off that comments repeat: "///", "##", "/**", "--!", "- ".
func decoration(b []byte) []byte { return bytes.TrimLeft(b, " \t*/#!-;%<|") }

// onlyTags reports whether nothing but other TAGs stands in front.
func onlyTags(b []byte) bool {
	for f := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if f[0] != '@' || bytes.IndexByte(f, ':') < 0 {
			return false
		}
	}
	return true
}

// isHeader reports a TAG that stands alone on its line, or before a title or links; otherwise it opens a
// sentence.
func isHeader(rest []byte) bool {
	i := bytes.IndexAny(rest, " \t")
	if i < 0 {
		return true
	}
	after := bytes.TrimLeft(rest[i:], " \t")
	return len(after) == 0 || after[0] == '|' || rest[i-1] == ':'
}

// isChain reports a TAG that an arrow follows: "@SPEC:A-001 → @TEST:A-001" describes a chain.
func isChain(rest []byte) bool {
	i := bytes.IndexAny(rest, " \t")
	if i < 0 {
		return false
	}
	rest = bytes.TrimLeft(rest[i:], " \t")
	return hasPrefix(rest, "->") || hasPrefix(rest, "→") || hasPrefix(rest, "=>") || hasPrefix(rest, "⇒")
}

// tail reads what follows a definition on its line: a title or note, and the links of a header line.
func tail(rest []byte) (text string, links []Link) {
	for _, end := range []string{"-->", "*/", `"""`, "'''"} {
		if i := bytes.Index(rest, []byte(end)); i >= 0 {
			rest = rest[:i]
		}
	}
	first := true
	for part := range bytes.SplitSeq(rest, []byte("|")) {
		if first {
			text = strings.TrimSpace(strings.TrimLeft(strings.ToValidUTF8(string(part), "\ufffd"), " \t:-–—,"))
			first = false
			continue
		}
		label, target, ok := strings.Cut(string(part), ":")
		label, target = strings.TrimSpace(label), strings.TrimSpace(target)
		if ok && label != "" && target != "" && len(links) < 8 && strings.ToUpper(label) == label {
			links = append(links, Link{label, strings.ToValidUTF8(target, "\ufffd")})
		}
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "")
	}
	return text, links
}
