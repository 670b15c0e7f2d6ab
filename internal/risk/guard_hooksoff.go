package risk

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/modu-ai/moai/internal/toml"
)

// Which settings of which client switch hooks off is the group hooks-off: the folder of the file, the setting, its value,
// and "comments" where the client reads a file that has some.

// offBy says what settings for file have, and those that are there now have not, with which hooks are not called or
// judge otherwise. A text that the client cannot read has none: the client skips it.
func (c *checker) offBy(file, text, now string) string {
	folder := path.Base(path.Dir(file))
	type settings struct {
		all          map[string]any
		done, unread bool
	}
	var read, before [2]settings
	parsed := func(of *[2]settings, text string, comments int) map[string]any {
		if one := &of[comments]; !one.done {
			one.all, one.unread = readSettings(file, text, comments > 0)
			one.done = true
		}
		return of[comments].all
	}
	for entry := range c.set.words("hooks-off") {
		at, key, value, rest := offEntry(entry)
		if at != folder {
			continue
		}
		comments := 0
		if rest == "comments" {
			comments = 1
		}
		keys := strings.Split(key, ".")
		name := holds(parsed(&read, text, comments), keys, value)
		if read[comments].unread {
			return "is too large or nested too deeply to tell whether it switches hooks off"
		}
		if name == "" || holds(parsed(&before, now, comments), keys, value) == name {
			continue
		}
		if len(keys) > 1 && strings.ContainsAny(value, "*") {
			return "sets " + name + " for the hooks"
		}
		return "switches hooks off"
	}
	return ""
}

// offEntry takes an entry of the group hooks-off apart.
func offEntry(entry string) (folder, key, value, rest string) {
	folder, entry, _ = strings.Cut(entry, " ")
	key, entry, _ = strings.Cut(entry, " ")
	value, rest, _ = strings.Cut(entry, " ")
	return folder, key, value, rest
}

// readSettings reads a file of settings; nil for what is none. What costs too much to read may well be some.
func readSettings(file, text string, comments bool) (all map[string]any, unread bool) {
	data := []byte(strings.TrimPrefix(text, toml.Mark))
	if strings.HasSuffix(file, ".toml") {
		doc, err := toml.Parse(data)
		if err != nil {
			return nil, errors.Is(err, toml.ErrUnread)
		}
		return doc.Tree(), false
	}
	if comments {
		plain, err := hujson.Standardize(append(data, '\n')) // which ends a comment
		if err != nil {
			return nil, false
		}
		data = plain
	}
	if json.Unmarshal(data, &all) != nil {
		return nil, false
	}
	return all, false
}

// holds is the last of keys, as it is written, where it has such a value; the last may be a pattern.
func holds(all map[string]any, keys []string, value string) string {
	for ; len(keys) > 1; keys = keys[1:] {
		all, _ = all[keys[0]].(map[string]any)
	}
	names := make([]string, 0, len(all))
	for name := range all {
		if glob(keys[0], name) && agrees(all[name], value) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// agrees reports a value that fits a pattern: a truth, a text, or one of a list.
func agrees(v any, pattern string) bool {
	switch v := v.(type) {
	case bool:
		return glob(pattern, strconv.FormatBool(v))
	case string:
		return glob(pattern, v)
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return agrees(one, pattern) })
	case float64, int64:
		return pattern == "*"
	}
	return false
}

// patchedOff is the file of settings, from the project or the home, into which a patch writes such a setting, or out of which it takes the
// guard; empty for none.
func (c *checker) patchedOff(text string) string {
	if !c.spend(len(text) / wordBytes) {
		return ""
	}
	in := ""
	taken := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "*** ") || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff ") {
			named := ""
			for name := range c.set.words("registered-settings") {
				if strings.Contains(line, name) {
					named = name
				}
			}
			if named != "" || line[0] != '-' && line[0] != '*' && line != "+++ /dev/null" {
				in = named
			}
			continue
		}
		if in != "" && (strings.HasPrefix(line, "deleted file ") || strings.HasPrefix(line, "rename from ") && strings.HasSuffix(line, in)) {
			taken[in]++
		}
		if in != "" && line != "" && mentionsGuard(line) {
			switch line[0] {
			case '-', '<':
				taken[in]++
			case '+', '>', '!':
				taken[in]--
			}
		}
		if in == "" || line == "" || !strings.ContainsRune("+!>", rune(line[0])) {
			continue
		}
		folder := path.Base(path.Dir(in))
		for entry := range c.set.words("hooks-off") {
			at, key, value, _ := offEntry(entry)
			name, _, _ := strings.Cut(key[strings.LastIndexByte(key, '.')+1:], "*")
			if _, behind, ok := strings.Cut(line, name); at == folder && ok && (strings.Contains(value, "*") || strings.Contains(behind, value) || strings.TrimSpace(behind) == "") {
				return in
			}
		}
	}
	for name, lines := range taken {
		m := match{c: c}
		if lines > 0 && m.loses(c.cleaned(c.in.Root+"/"+name), "", true) != "" {
			return name
		}
	}
	return ""
}
