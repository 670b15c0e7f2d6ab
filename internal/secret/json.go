package secret

import (
	"encoding/json"
	"strings"
)

// Strings gives the strings and numbers of a JSON text to mask, each with the key before it, and puts what comes back in their place
// as a string; the rest stays as it is. A key is given for itself, without one. Text that is no JSON is treated as far as it goes.
func Strings(raw []byte, mask func(key, text string) string) []byte {
	var b strings.Builder
	done, key := 0, ""
	for at := 0; at < len(raw); at++ {
		end, text := at+1, ""
		switch c := raw[at]; {
		case c == '"':
			for end < len(raw) && raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			if end = min(end+1, len(raw)); json.Unmarshal(raw[at:end], &text) != nil {
				at = end - 1
				continue
			}
		case c == '-' || c >= '0' && c <= '9':
			for end < len(raw) && strings.IndexByte("0123456789+-.eE", raw[end]) >= 0 {
				end++
			}
			text = string(raw[at:end])
		default:
			// A list under a key holds its values, and so do objects in it until a key of their own comes.
			if c == '}' {
				key = ""
			}
			continue
		}
		name := raw[at] == '"' && strings.HasPrefix(strings.TrimLeft(string(raw[end:min(len(raw), end+16)]), " \t\r\n"), ":")
		if name {
			key = ""
		}
		if hidden := mask(key, text); hidden != text {
			quoted, _ := json.Marshal(hidden) // a string always can be
			b.Write(raw[done:at])
			b.Write(quoted)
			done = end
		}
		if name {
			key = text
		}
		at = end - 1
	}
	if done == 0 {
		return raw
	}
	b.Write(raw[done:])
	return []byte(b.String())
}
