package risk

import (
	"regexp"
	"strings"
)

// maxExpression is the longest regular expression that is tried, in bytes; a longer one may find anything.
const maxExpression = 200

// expression reports that a regular expression of find may fit the whole path, by either of the syntaxes that -regextype chooses: with plain
// parentheses and bars, or with escaped ones. Case is left out of account. One that cannot be read may fit.
func (x *findTest) expression(text string) bool {
	if len(text) > maxExpression {
		return true
	}
	swapped := strings.NewReplacer(`\\`, `\\`, `\(`, `(`, `\)`, `)`, `\|`, `|`, `(`, `\(`, `)`, `\)`, `|`, `\|`)
	for _, form := range []string{text, swapped.Replace(text)} {
		re, err := regexp.Compile("(?is)^(?:" + form + ")$")
		if err != nil || re.MatchString(x.start+"/"+x.path) {
			return true
		}
	}
	return false
}
