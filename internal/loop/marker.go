package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Says reports that a message says the marker: as a word of its own, not in code, not in quotes, and in no sentence with a
// word that takes it back ("not COMPLETE yet", "when it is COMPLETE").
func Says(message, marker string, except []string) bool {
	if marker == "" {
		return false
	}
	text := bare(message)
	for from := 0; ; {
		i := strings.Index(text[from:], marker)
		if i < 0 {
			return false
		}
		at := from + i
		if alone(text, at, at+len(marker)) && !takenBack(text, at, at+len(marker), except) {
			return true
		}
		from = at + 1
	}
}

// alone reports a word that is no part of another one. Korean sets its particles right behind a word.
func alone(text string, from, to int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	if inWord(first) && (inWord(before) || before == '-') {
		return false
	}
	particle := last < utf8.RuneSelf && unicode.Is(unicode.Hangul, after)
	return !inWord(last) || particle || !inWord(after) && after != '-'
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// ends are what a sentence ends with.
const ends = ".!?;。\n"

// takenBack looks for words in the sentence around the marker.
func takenBack(text string, from, to int, except []string) bool {
	begin := strings.LastIndexAny(text[:from], ends) + 1
	end := len(text)
	if i := strings.IndexAny(text[to:], ends); i >= 0 {
		end = to + i
	}
	rest := strings.ToLower(text[begin:from] + " " + text[to:end])
	words := strings.FieldsFunc(rest, func(r rune) bool { return !inWord(r) && r != '\'' && r != '’' })
	return slices.ContainsFunc(except, func(one string) bool {
		if one[0] >= utf8.RuneSelf { // of a language that joins words
			return strings.Contains(rest, one)
		}
		return slices.ContainsFunc(words, func(w string) bool { return strings.ReplaceAll(w, "’", "'") == one })
	})
}

// quotes are marks that open and close what is somebody else's word.
var quotes = [...][2]string{{"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {`"`, `"`}}

// bare is a message with blanks in place of code and of what is quoted. It keeps its line ends.
func bare(message string) string {
	var b strings.Builder
	fence, blank := "", true
	for line := range strings.Lines(message) {
		text := strings.TrimLeft(line, " \t")
		opens := strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]+" \t\r\n") == "" {
				fence = ""
			}
		case opens:
			fence = text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
		case strings.HasPrefix(text, ">"), blank && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !listed(text):
		default:
			b.WriteString(outside(line))
			blank = strings.TrimSpace(text) == ""
			continue
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// listed reports a line of a list, which may be indented as code is.
func listed(text string) bool {
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "+ ")
}

// outside is a line without inline code and quotes. A mark that is not closed on its line quotes nothing: it stands for inches, or is a slip.
func outside(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		n := 1
		switch {
		case line[i] == '`':
			run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			if n = run; closes(line[i+run:], line[i:i+run]) >= 0 {
				n = 2*run + closes(line[i+run:], line[i:i+run])
				b.WriteByte(' ')
			}
			i += n
			continue
		case line[i] == '\'' && (i == 0 || !inWord(rune(line[i-1]))): // an apostrophe stands behind a letter
			if end := strings.IndexByte(line[i+1:], '\''); end > 0 && line[i+1] != ' ' {
				n = end + 2
				b.WriteByte(' ')
				i += n
				continue
			}
		default:
			if n = quoted(line[i:]); n > 0 {
				b.WriteByte(' ')
				i += n
				continue
			}
			n = 1
		}
		b.WriteString(line[i : i+n])
		i += n
	}
	return b.String()
}

// closes is where inline code of so many marks closes: one with as many.
func closes(text, mark string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return -1
		}
		run := len(text[at+i:]) - len(strings.TrimLeft(text[at+i:], "`"))
		if run == len(mark) {
			return at + i
		}
		at += i + run
	}
}

// quoted is how long a quote is with which a text begins, 0 for none.
func quoted(text string) int {
	for _, q := range quotes {
		if rest, ok := strings.CutPrefix(text, q[0]); ok {
			if end := strings.Index(rest, q[1]); end >= 0 {
				return len(q[0]) + end + len(q[1])
			}
		}
	}
	return 0
}

// stands names what a turn left: the same twice is a standstill.
func stands(t *Turn) string {
	sum := sha256.Sum256([]byte(t.Tree + "\x00" + strings.Join(strings.Fields(t.Message), " ")))
	return hex.EncodeToString(sum[:8])
}
