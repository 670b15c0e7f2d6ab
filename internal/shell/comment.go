package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// In every shell a comment ends with its line. The parser takes a backslash at its end for a continuation, so that the next line would belong to
// the command in front of the comment and be hidden. Where a line may end like that, the parser is told what stands there in another way: by a text
// of the same length in which another byte stands for that backslash. Where it does so is no guess: each byte that was replaced has to lie in a
// comment of what was parsed in the end, and no comment in there may end in a backslash. Read from the front, such a text and the one
// that was given mean the same.

// commentRounds is how often a text is parsed until that holds. Two do, but where a comment changes how what follows it is quoted.
const commentRounds = 8

var errComments = errors.New("it is not clear where its comments end")

// readShell parses a text, with comments that end with their lines. parse is asked for each text more than the first one whether it may be parsed.
func readShell(text string, parser *syntax.Parser, afford func(text string) bool) (*syntax.File, error) {
	maybe := continuedComments(text)
	syntax.KeepComments(len(maybe) > 0)(parser)
	f, err := parser.Parse(strings.NewReader(text), "")
	if len(maybe) == 0 {
		return f, err
	}
	b := []byte(text)
	if err != nil { // it may be for that reason
		for _, at := range maybe {
			b[at] = inComment
		}
	}
	first := err
	for range commentRounds {
		if err == nil && !settle(b, maybe, f) {
			return f, nil
		}
		if !afford(text) {
			break
		}
		if f, err = parser.Parse(strings.NewReader(string(b)), ""); err != nil {
			break
		}
	}
	// What was parsed so far may hide commands.
	if first == nil || err == nil {
		first = errComments
	}
	return nil, first
}

// inComment stands for a backslash at the end of a comment.
const inComment = '#'

// settle writes those backslashes that end a comment of the file in the other way, and all others as they are. It reports whether that changed any.
func settle(b []byte, maybe []int, f *syntax.File) (changed bool) {
	within := make(map[int]bool, len(maybe))
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			from := int(c.Hash.Offset())
			for _, at := range maybe {
				if from < at && at <= from+len(c.Text) {
					within[at] = true
				}
			}
		}
		return true
	})
	for _, at := range maybe {
		want := byte('\\')
		if within[at] {
			want = inComment
		}
		changed = changed || b[at] != want
		b[at] = want
	}
	return changed
}

// continuedComments returns where backslashes stand that may end a comment: at the end of a line, behind something that may begin one.
func continuedComments(text string) (at []int) {
	if !strings.Contains(text, "#") {
		return nil
	}
	for start := 0; start < len(text); {
		line, _, more := strings.Cut(text[start:], "\n")
		end := start + len(line)
		line = strings.TrimSuffix(line, "\r")
		if more && strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, `\\`) && mayComment(line) {
			at = append(at, start+len(line)-1)
		}
		start = end + 1
	}
	return at
}

// mayComment reports a "#" at the begin of what may be a word.
func mayComment(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] == '#' && (i == 0 || strings.IndexByte(" \t\r\v\f;&|()<>`\\\x00", line[i-1]) >= 0) {
			return true
		}
	}
	return false
}
