package risk

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// gist is a file without the lines in which nothing is lost: of these stay the ones that lead to another folder, and that give a variable
// its value which a line of loss names.
type gist struct {
	text  string
	lines []gistLine // those of text
}

// gistLine is a line of a long file that is judged though the file as a whole is not. An inner line is indented, or stands in a function or
// a case. It may never run, so only what would be denied is told of it.
type gistLine struct {
	number int
	inner  bool
}

// isRecipes reports a file of recipes. It is no script, and of no use without its other lines.
func (c *checker) isRecipes(name string) bool {
	for i := range c.set.Shells.Recipes {
		if slices.Contains(c.set.Shells.Recipes[i].Files, path.Base(name)) {
			return true
		}
	}
	return false
}

// losing is the gist of a text.
func (c *checker) losing(text string) (g gist) {
	lines := strings.Split(text, "\n")
	loses := func(line string) bool {
		line = strings.TrimSpace(line)
		return !strings.HasPrefix(line, "#") && c.set.mentions("words-of-loss", line)
	}
	named := map[string]bool{}
	for _, line := range lines {
		if loses(line) {
			for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				named[word] = true
			}
		}
	}
	leads := func(line string) bool {
		line = strings.TrimSpace(line)
		name, _, sets := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		return strings.HasPrefix(line, "cd ") || sets && named[strings.TrimSpace(name)]
	}
	var b strings.Builder
	for i, line := range lines {
		if loses(line) || leads(line) {
			b.WriteString(line + "\n")
			inner := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.Contains(line, ") {") || strings.HasSuffix(line, ";;")
			g.lines = append(g.lines, gistLine{i + 1, inner})
		}
	}
	g.text = b.String()
	return g
}

// piece is a part of a line that is judged by itself.
type piece struct {
	text string
	line int // in the file
}

// longLine is from how many bytes on a line is taken apart.
const longLine = 200

// pieces are the lines each by itself. A long one is taken apart where one command ends, and of a file of recipes what stands around a command is taken off:
// the signs of make and of lists, and the quotes of JSON.
func (g gist) pieces(recipes bool) (list []piece) {
	texts := strings.Split(g.text, "\n")
	for i := range g.lines {
		line := strings.TrimSpace(texts[i])
		if recipes {
			if _, value, quoted := strings.Cut(line, `": "`); quoted {
				line = value
			}
			line = strings.TrimRight(strings.TrimLeft(line, "@-+ \t\""), `"}], `)
		}
		if len(line) <= longLine {
			list = append(list, piece{line, g.lines[i].number})
			continue
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(line, "&&", ";"), ";") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, piece{part, g.lines[i].number})
			}
		}
	}
	return list
}
