package recipe

import (
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/argv"
)

// Lines reads the command lines of a source that stand behind a mark at the beginning of a line: //go:generate. A mark that begins with a blank
// stands in a line that does.
func Lines(s, mark string) (steps []Step) {
	for at, l := range strings.Split(s, "\n") {
		if strings.HasPrefix(mark, " ") {
			if in := strings.TrimLeft(l, " \t"); in != l {
				l = " " + in
			}
		}
		if body, ok := strings.CutPrefix(l, mark); ok && len(steps) < maxSteps {
			if body = strings.TrimSpace(body); body != "" {
				steps = append(steps, Step{Parts: text(body), Line: at + 1, Rows: true})
			}
		}
	}
	return steps
}

// Rake reads a Rakefile: what stands between the head of a task and the end that is as far to the right, with what the head says
// that it needs. What stands outside of tasks, and of the blocks that begin with one of the heads apart, runs whatever is asked for.
func Rake(s, head string, apart []string) *Book {
	const most = 2 << 10 // bytes of those in front of each task
	b := &Book{}
	before := "" // names that get a value at the left edge: ROOT = __dir__
	lines := strings.Split(s, "\n")
	if all := OutsideTasks(s, head, apart); strings.TrimSpace(all) != "" {
		b.Always = []Step{{Parts: text(all), Line: 1, Rows: true, Lang: "ruby"}}
	}
	for i := 0; i < len(lines) && len(b.Tasks) < maxTasks; i++ {
		l := lines[i]
		rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t"), head)
		if ok = ok && rest != "" && (rest[0] == ' ' || rest[0] == '('); !ok {
			if name, _, set := strings.Cut(l, " = "); set && !strings.ContainsAny(name, " \t#\"'(") && len(before)+len(l) < most {
				before += l + "; "
			}
			continue
		}
		by := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		says, body, braced := strings.Cut(rest, "{")
		if names := strings.TrimRight(says, " "); braced && (names == "" || strings.HasSuffix(names, "=>") || strings.HasSuffix(names, ":")) {
			says, braced = rest, false // a hash
		}
		says, _, opens := strings.Cut(says+" ", " do ")
		names := strings.FieldsFunc(says, func(r rune) bool { return strings.ContainsRune(" \t:,=>[]'\"(){}|", r) })
		if len(names) == 0 {
			continue
		}
		t := Task{Name: names[0], Needs: names[1:]}
		last := strings.LastIndex(body, "}")
		switch end := i + 1; {
		case braced && last >= 0: // task(:a) { rm "x" }
			t.Steps = []Step{{Parts: text(before + body[:last]), Line: i + 1, Rows: true, Lang: "ruby"}}
		case opens || braced:
			for end < len(lines) && lines[end] != by+"end" && lines[end] != by+"}" {
				end++
			}
			if end < len(lines) {
				t.Steps = []Step{{Parts: text(before + "\n" + strings.Join(lines[i+1:end], "\n")), Line: i + 1, Rows: true, Lang: "ruby"}}
				i = end
			}
		}
		b.Tasks = append(b.Tasks, t)
	}
	return b
}

// OutsideTasks is a Rakefile with nothing in the place of its tasks, and of the blocks that begin with one of the heads apart.
func OutsideTasks(s, head string, apart []string) string {
	heads := append([]string{head}, apart...)
	lines := strings.Split(s, "\n")
	for i := 0; i < len(lines); i++ {
		body := strings.TrimLeft(lines[i], " \t")
		by := lines[i][:len(lines[i])-len(body)]
		word := body[:len(body)-len(strings.TrimLeftFunc(body, func(r rune) bool { return r == '_' || r == ':' || r == '.' || unicode.IsLetter(r) }))]
		if !slices.Contains(heads, word) {
			continue
		}
		end := i
		if opens := strings.TrimRight(body, " \t\r|abcdefghijklmnopqrstuvwxyz,_"); word == "def" || strings.Contains(body, " do") || strings.HasSuffix(opens, "{") {
			for end = i + 1; end < len(lines) && lines[end] != by+"end" && lines[end] != by+"}"; end++ {
				lines[end] = ""
			}
		}
		lines[i] = ""
		if end < len(lines) {
			lines[end] = ""
		}
		i = end
	}
	return strings.Join(lines, "\n")
}

// Strings are the texts in quotes of a source, whatever its language; of those that begin with a mark what stands behind it.
func Strings(s, mark string) (steps []Step) {
	for at, l := range strings.Split(s, "\n") {
		if body := strings.TrimLeft(l, " \t"); strings.HasPrefix(body, "#") || strings.HasPrefix(body, "//") {
			continue
		}
		for _, q := range quotedIn(l) {
			if one := strings.TrimPrefix(q.text, mark); one != "" && len(steps) < maxSteps {
				steps = append(steps, Step{Parts: text(one), Line: at + 1})
			}
		}
	}
	return steps
}

// quoted is a text in quotes, and where it begins in its line.
type quoted struct {
	text    string
	at, end int // its quotes
}

func quotedIn(l string) (list []quoted) {
	for from := 0; len(list) < maxSteps; {
		i := strings.IndexAny(l[from:], "\"'`")
		if i < 0 {
			break
		}
		i += from
		end := i + 1
		for end < len(l) && l[end] != l[i] {
			if l[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(l) {
			from = i + 1 // no end on this line: perhaps an apostrophe
			continue
		}
		list = append(list, quoted{strings.ReplaceAll(l[i+1:end], `\`+l[i:i+1], l[i:i+1]), i, end + 1})
		from = end + 1
	}
	return list
}

// Blocks makes a shell script of a file whose blocks have heads that no shell knows, or are functions that its reader calls: each is run
// where it stands.
func Blocks(s string, heads []string) []Step {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		body := strings.TrimSpace(l)
		word, _, _ := strings.Cut(strings.NewReplacer("()", " ", "{", " ").Replace(body), " ")
		if slices.Contains(heads, word) && strings.HasSuffix(body, "{") {
			lines[i] = "{"
		}
	}
	return []Step{{Parts: text(strings.Join(lines, "\n")), Line: 1, Rows: true}}
}

// CMake are the commands that a list of CMake runs: what stands behind the word of a command up to the next word of that kind. Alike are
// words that amount to one: "file REMOVE=rm -f".
func CMake(s, mark string, alike []string) (steps []Step) {
	var words []string
	in, line, at, calls := false, 1, 1, ""
	flush := func() {
		if in && len(words) > 0 && len(steps) < maxSteps {
			steps = append(steps, Step{Parts: text(strings.Join(words, " ")), Line: at})
		}
		words = nil
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\n':
			line++
			i++
		case c == '#':
			i += max(1, strings.IndexByte(s[i:]+"\n", '\n'))
		case c == '(' || c == ')':
			flush()
			in = false
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == ';':
			i++
		default:
			word, end := cmakeWord(s, i)
			if s[i] != '"' && strings.ToUpper(word) == word && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
				flush()
				in, at = word == mark, line
				for _, one := range alike {
					if what, does, _ := strings.Cut(one, "="); what == calls+" "+word {
						in, words = true, []string{does}
					}
				}
			} else if in {
				words = append(words, cmakeQuoted(word))
			} else {
				calls = strings.ToLower(word)
			}
			line += strings.Count(s[i:end], "\n")
			i = end
		}
	}
	return steps
}

// cmakeQuoted is an argument as a shell has it: of what CMake puts in, variables of the environment are the shell's, too.
func cmakeQuoted(word string) string {
	before, rest, ok := strings.Cut(word, "$ENV{")
	name, after, closed := strings.Cut(rest, "}")
	if !ok || !closed || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) || name == "" {
		return argv.Quote(word)
	}
	quoted := func(part string) string {
		if part == "" {
			return ""
		}
		return argv.Quote(part)
	}
	return quoted(before) + `"${` + name + `}"` + quoted(after)
}

// cmakeWord reads an argument, which may be in quotes.
func cmakeWord(s string, i int) (word string, end int) {
	if s[i] != '"' {
		end = i + strings.IndexAny(s[i:]+" ", " \t\r\n();\"")
		return s[i:max(end, i+1)], max(end, i+1)
	}
	for end = i + 1; end < len(s) && s[end] != '"'; end++ {
		if s[end] == '\\' {
			end++
		}
	}
	end = min(end, len(s))
	return strings.ReplaceAll(s[i+1:end], `\`, ""), min(end+1, len(s))
}
