package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// mostQuoted is how many bytes a message quotes of what a file says.
const mostQuoted = 60

// truth reads what people write for true and false.
func truth(s string) (on, ok bool) {
	switch s {
	case "true", "1", "yes", "on":
		return true, true
	case "false", "0", "no", "off":
		return false, true
	}
	return false, false
}

// Check normalises a value of key, or says in one line what is wrong with it.
func Check(key, value string) (string, error) {
	i := Find(key)
	if i < 0 {
		return "", fmt.Errorf("no setting is named %q", key)
	}
	k := Keys[i]
	switch {
	case len(k.Values) > 0:
		v := strings.ToLower(value)
		if on, ok := truth(v); ok && !slices.Contains(k.Values, v) && k.Old[0] != "" {
			v = k.Old[1]
			if on {
				v = k.Old[0]
			}
		}
		if !slices.Contains(k.Values, v) {
			return "", fmt.Errorf("%s is %q, want one of %s", key, term.Clip(value, mostQuoted), strings.Join(k.Values, ", "))
		}
		return v, nil
	case k.kind == boolean:
		if on, ok := truth(strings.ToLower(value)); ok {
			return strconv.FormatBool(on), nil
		}
		return "", fmt.Errorf("%s is %q, want true or false", key, term.Clip(value, mostQuoted))
	case k.kind == number:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return "", fmt.Errorf("%s is %q, want a whole number", key, term.Clip(value, mostQuoted))
		}
	case k.kind == place:
		return checkText(key, value)
	case k.kind == names:
		return checkNames(key, value)
	case k.kind == words:
		return checkWords(&k, value)
	case k.kind == paths:
		return checkPaths(key, value)
	case k.kind == duration:
		if d, err := when.Length(value); err != nil || d <= 0 {
			return "", fmt.Errorf("%s is %q, want a time such as 500ms, 2s or 1 minute", key, term.Clip(value, mostQuoted))
		}
	}
	return value, nil
}

// mostText is how long free text may be.
const mostText = 4000

// checkText refuses what is no text for a person or a model.
func checkText(key, value string) (string, error) {
	if len(value) > mostText || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
		return "", fmt.Errorf("%s is no text of at most %d bytes", key, mostText)
	}
	return value, nil
}
