package settings

import (
	"regexp"
	"slices"
	"strings"
)

// alternatives are the names in a matcher that lists some and says no more, as "A|B" and as "^(A|B)$"; nil for any other.
func alternatives(matcher string) []string {
	inner, open := strings.CutPrefix(matcher, "^(")
	inner, closed := strings.CutSuffix(inner, ")$")
	if open != closed || strings.ContainsAny(inner, "()^$[]") || !open && strings.ContainsAny(inner, ".*+?") {
		return nil
	}
	return strings.Split(inner, "|")
}

// covers reports whether a matcher picks all that another one does: more than what is wanted here may be wanted elsewhere.
func covers(have, want string) bool {
	if equalMatcher(have, want) || equalMatcher(have, "") {
		return true
	}
	names := alternatives(have)
	return names != nil && alternatives(want) != nil && !slices.ContainsFunc(alternatives(want), func(name string) bool { return !slices.Contains(names, name) })
}

// Widened is a matcher that lists names with more of them, given as patterns in which * is any text and ? a letter.
func Widened(matcher string, patterns []string) string {
	list := alternatives(matcher)
	for _, p := range patterns {
		if p == "*" {
			return ""
		}
		name := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(p))
		if !slices.Contains(list, name) && !Fits(matcher, strings.NewReplacer("*", "x", "?", "x").Replace(p)) {
			list = append(list, name)
		}
	}
	if list = slices.Compact(list); len(list) == len(alternatives(matcher)) {
		return matcher
	}
	return "^(" + strings.Join(list, "|") + ")$"
}
