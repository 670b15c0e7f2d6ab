package risk

import (
	"encoding/json"
	"path"
	"slices"
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
	for _, text := range m.writtenTexts() {
		for set := m.c.set; set != nil; set = set.More {
			if found := set.Secrets(text); len(found) > 0 {
				m.detail = found[0].Format.What
				return true
			}
		}
	}
	return false
}

// writtenSays reports that a call writes one of the phrases of a group, whatever blanks and capitals it has.
func (m *match) writtenSays(group string) bool {
	for _, text := range m.writtenTexts() {
		if !m.c.spend(len(text) / textBytes) {
			return false
		}
		text = strings.ToLower(strings.Join(strings.Fields(text), ""))
		for phrase := range m.c.set.members(group).All() {
			if strings.Contains(text, phrase) {
				return true
			}
		}
	}
	return false
}

// writtenTexts returns the texts that a call writes, or has in a commit's message.
func (m *match) writtenTexts() []string {
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
	return texts
}

// maxLooked bounds a file of settings that is looked into for secrets; the usual ones are a few lines.
const maxLooked = 64 << 10

// withoutSecret reports a file of settings whose kind may hold a secret, such as .npmrc, and that holds none: a registry and a
// proxy are no secrets. A file that is not there holds none either; one of the project's own, such as .env, can be looked for.
// Where it is not read, it may hold one.
func (m *match) withoutSecret(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	name := t.Path[strings.LastIndexByte(t.Path, '/')+1:]
	if c.in.Settings == nil || e.glob || m.call.away() || !c.spend(costSettings) {
		return false
	}
	if !c.set.In("sometimes-secret", name) && !c.set.In("sometimes-secret", path.Base(path.Dir(t.Path))+"/"+name) {
		if t.Class&rule.Inside == 0 || !c.holdsAssignments(name) {
			return false
		}
		if text, there := c.in.Settings(t.Path); there {
			return c.everydayVariables(t.Path, text)
		}
		return c.neverThere(m.call, e, t.Path)
	}
	text, there := c.in.Settings(t.Path)
	if !there {
		return c.neverThere(m.call, e, t.Path)
	}
	return len(text) <= maxLooked && c.spend(len(text)/textBytes) && c.set.Mask(text) == text
}

// everydayVariables reports a file of variables with no key in it that either everybody has, since Git holds it, or in which no variable
// is called as a credential is: VITE_API_URL.
func (c *checker) everydayVariables(file, text string) bool {
	if len(text) > maxLooked || !c.spend(1+len(text)/textBytes) || c.set.Holds(text) {
		return false
	}
	if c.in.SettingsAt != nil && c.inIndex(path.Dir(file), file) && (c.in.Unsaved == nil || !c.in.Unsaved(file)) {
		return true
	}
	if c.set.Mask(text) != text {
		return false
	}
	for line := range strings.Lines(text) {
		name, value, set := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if set && strings.Trim(value, "\"' ") != "" && c.printedName(strings.TrimSpace(name)) {
			return false
		}
	}
	return true
}

// heldUnchanged reports a file that is in the index of Git with the text that it has, when no command before this one can have changed it.
func (m *match) heldUnchanged(e *effect) bool {
	c, k := m.c, m.call
	if c.in.SettingsAt == nil || c.in.Settings == nil || !e.known || k.away() || !c.spend(2*costSettings) {
		return false
	}
	p := c.locate(k, e).Path
	text, there := c.in.Settings(p)
	held, known := c.in.SettingsAt(path.Dir(p), staging, p)
	before := c.calls[:min(k.index, len(c.calls))]
	return there && known && text == held && c.spend(len(before)/costCalls) && !slices.ContainsFunc(before, func(b call) bool { return !b.onlyReads(c.set) && b.name != k.name })
}

// neverThere reports a file that is not there when a line begins, and that no command before this one can have made. In a project
// without files a line is tried out: there the answer is as if the file were there.
func (c *checker) neverThere(k *call, e *effect, p string) bool {
	return e.known && c.locate(k, e).Class&rule.Unknown == 0 && c.notMade(k, p)
}

// notMade is neverThere for a path that is known.
func (c *checker) notMade(k *call, p string) bool {
	if c.in.Exists == nil || c.in.Exists(p) || !c.in.Exists(c.in.Root) || c.blank() {
		return false
	}
	before := c.calls[:min(k.index, len(c.calls))]
	return c.spend(len(before)/costCalls) && !slices.ContainsFunc(before, func(p call) bool { return !p.onlyReads(c.set) })
}

// shadowsProgram reports that a file is written under the name of a program that every system has, in a folder of the user's
// that the shell looks into first: whoever calls git or sudo next runs that file.
func (m *match) shadowsProgram(e *effect) bool {
	dir, name := path.Split(m.c.locate(m.call, e).Path)
	if !m.c.set.In("on-every-system", name) {
		return false
	}
	return m.c.set.members("own-program-folders").Meets(func(end string) bool { return strings.HasSuffix(dir, "/"+end+"/") })
}
