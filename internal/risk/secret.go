package risk

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
)

// Secrets finds keys of known formats in text, in the order of the formats.
func (s *Set) Secrets(text string) []secret.Found { return s.Keys.Find(text) }

// Mask hides secrets in a text that is kept, those in the user's own formats too.
func (s *Set) Mask(text string) string { return s.masked(text, (*secret.Table).Mask) }

func (s *Set) masked(text string, mask func(*secret.Table, string) string) string {
	if s == nil {
		return mask(nil, text)
	}
	text = mask(s.Keys, text)
	for more := s.More; more != nil; more = more.More {
		if more.Keys != nil {
			text = mask(more.Keys, text)
		}
	}
	return text
}

// MaskJSON hides secrets in a JSON document that is kept whole, those that nothing but their key tells among them.
func (s *Set) MaskJSON(raw []byte) []byte {
	return secret.Strings(raw, func(key, text string) string {
		hidden := s.masked(text, (*secret.Table).MaskAll)
		if key == "" || hidden != text || text == "" {
			return hidden
		}
		before, _ := json.Marshal(key) // a string always can be
		behind, _ := json.Marshal(text)
		sign := ": "
		if strings.Trim(text, "0123456789") == "" { // mostly a count, but for a PIN
			before, behind, sign = []byte(key), []byte(text), " "
		}
		if pair := string(before) + sign + string(behind); !strings.HasSuffix(s.masked(pair, (*secret.Table).MaskAll), string(behind)) {
			return "***"
		}
		return text
	})
}

// MaskPart gives Mask for parts of a command: what is a secret in the whole is one in them. The whole is read once, with the first
// part.
func (s *Set) MaskPart(whole string) func(part string) string {
	hidden := sync.OnceValue(func() (list []string) {
		for set := s; set != nil; set = set.More {
			if set.Keys != nil {
				list = append(list, set.Keys.Hidden(whole)...)
			}
		}
		return list
	})
	return func(part string) string {
		part = s.Mask(part)
		for _, v := range hidden() {
			part = strings.ReplaceAll(part, v, "***")
		}
		return part
	}
}

// Holds reports whether a text may hold a secret.
func (s *Set) Holds(text string) bool {
	for ; s != nil; s = s.More {
		if s.Keys != nil && s.Keys.Holds(text) {
			return true
		}
	}
	return false
}

// HoldsIn reports whether the content of a file may hold a secret.
func (s *Set) HoldsIn(path, content string) bool {
	for ; s != nil; s = s.More {
		if s.Keys != nil && s.Keys.HoldsIn(path, content) {
			return true
		}
	}
	return false
}

// secretContent reports keys in what a tool writes, or in a commit's message.
func (m *match) secretContent() bool {
	k := m.call
	texts := k.content
	// A commit's message is published with it.
	if len(texts) == 0 && k.name == "git" {
		for i := range k.options {
			if o := &k.options[i]; o.has && (o.name == "-m" || k.same(o.name, "--message")) {
				texts = append(texts, o.value)
			}
		}
		if k.cmd.Stdin != nil {
			texts = append(texts, k.cmd.Stdin.Text.Text)
		}
	}
	// "echo KEY > file" and a here-document write what a tool would write.
	if len(texts) == 0 && k.kinds&(rule.Write|rule.Append) != 0 {
		if k.cmd.Stdin != nil {
			texts = append(texts, k.cmd.Stdin.Text.Text)
		}
		if m.c.set.In("prints-words", k.name) {
			for _, w := range k.cmd.Args[1:] {
				texts = append(texts, w.Text)
			}
		}
	}
	for _, text := range texts {
		for set := m.c.set; set != nil; set = set.More {
			if found := set.Secrets(text); len(found) > 0 {
				m.detail = found[0].Format.What
				return true
			}
		}
	}
	return false
}
