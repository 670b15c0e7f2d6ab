package risk

import "strings"

// In a script, names that only come out when it runs are everyday. Not so a variable that nothing in it ever sets, in front of "/*": there "rm -rf
// $BUILD/*" is "rm -rf /*". What a caller, a build or a service commonly gives is not among them, nor what the script looks at before.

// neverSet reports a hit about a path that is / when a variable is empty, and of which no text that runs tells a value.
func (c *checker) neverSet(h *Hit) bool {
	if !contains(h.Rule.When.Is, "maybe-root") || h.index >= len(c.calls) {
		return false
	}
	k := &c.calls[h.index]
	if k.away() {
		return false
	}
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&h.Rule.When.Effect == 0 || !maybeRoot(e) {
			continue
		}
		name := strings.Trim(e.word.Parts[0].Text, "${}")
		if e.word.Parts[0].Unknown && inName(name, max(1, len(name))) && name[0] > '9' && !c.givenCommonly(name) && c.spend(len(c.res.Text)/wordBytes) && c.unset(c.res.Text, name) {
			return true
		}
	}
	return false
}

// givenCommonly reports a variable that whoever runs a script may well have set.
func (c *checker) givenCommonly(name string) bool {
	for word := range c.set.words("given-variables") {
		if globFold(word, name) {
			return true
		}
	}
	return false
}

// unset reports that a text uses a variable and names it nowhere else: it neither sets it, reads it, nor looks whether it is set, and reads no
// other file that may do so.
func (c *checker) unset(text, name string) bool {
	used := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if c.stopsUnset(line) {
			return false
		}
		for rest := line; ; {
			at := strings.Index(rest, name)
			if at < 0 {
				break
			}
			before, after := rest[:at], rest[at+len(name):]
			rest = after
			if inName(after, 1) || inName(before[max(0, at-1):], 1) {
				continue // of a longer name
			}
			braces := strings.HasSuffix(before, "${")
			if !braces && !strings.HasSuffix(before, "$") || braces && !strings.HasPrefix(after, "}") || c.tested(line) {
				return false
			}
			used = true
		}
	}
	return used
}

// inName reports that a text begins with so many bytes of a variable's name.
func inName(s string, n int) bool {
	for i := range n {
		if i == len(s) || s[i] != '_' && (s[i] < '0' || s[i] > '9') && (s[i]|0x20 < 'a' || s[i]|0x20 > 'z') {
			return false
		}
	}
	return true
}

// stopsUnset reports a line after which a shell stops at a name without a value, or that runs what is not seen here.
func (c *checker) stopsUnset(line string) bool {
	fields := strings.Fields(line)
	for i, word := range fields {
		switch {
		case c.set.In("sets-unseen", word) && i+1 < len(fields), word == "nounset":
			return true
		case len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word, "u") && i > 0 && (fields[0] == "set" || strings.HasPrefix(line, "#!") || strings.Contains(line, "SHELLFLAGS")):
			return true
		}
	}
	return false
}

// tested reports a line with a test.
func (c *checker) tested(line string) bool {
	for word := range strings.FieldsSeq(line) {
		if c.set.In("tests-values", strings.TrimLeft(word, `@-(!"`)) {
			return true
		}
	}
	return false
}
