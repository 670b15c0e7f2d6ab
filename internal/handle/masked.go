package handle

import (
	"encoding/json"
	"strings"
)

// masked hides secrets in every string of a JSON text, and leaves the rest as it is.
func masked(raw []byte, mask func(string) string) []byte {
	var b strings.Builder
	done := 0
	for at := 0; at < len(raw); at++ {
		if raw[at] != '"' {
			continue
		}
		end := at + 1
		for end < len(raw) && raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(raw))
		var text string
		if json.Unmarshal(raw[at:end], &text) == nil {
			if hidden := mask(text); hidden != text {
				quoted, _ := json.Marshal(hidden) // a string always can be
				b.Write(raw[done:at])
				b.Write(quoted)
				done = end
			}
		}
		at = end - 1
	}
	if done == 0 {
		return raw
	}
	b.Write(raw[done:])
	return []byte(b.String())
}
