package risk

import (
	"math"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Secret is a key found in text. The key itself is not kept, so that it cannot
// reach a log or a message.
type Secret struct {
	Token *rule.Token
	At    int // byte offset in the text
}

// maxSecretText bounds what is searched; keys in larger files are in their
// beginning or not written by hand.
const maxSecretText = 1 << 20

// Secrets finds keys of known formats in text: each format's word first, which
// most texts do not have, then its form around that place. What is found comes in
// the order of the formats.
func (s *Set) Secrets(text string) []Secret {
	if len(text) > maxSecretText {
		text = text[:maxSecretText]
	}
	// No family is shorter, and most messages of tools are.
	if len(text) < 8 {
		return nil
	}
	var words wordTable
	words.fill(s.Tokens)
	first := make([]int, len(s.Tokens)) // 1 + where each format was found; one of a family is enough to ask
	words.scan(text, func(i, at int) {
		if first[i] == 0 && s.token(&s.Tokens[i], text, at) {
			first[i] = at + 1
		}
	})
	var found []Secret
	for i, at := range first {
		if at > 0 {
			found = append(found, Secret{Token: &s.Tokens[i], At: at - 1})
		}
	}
	return found
}

// token tries one format at a place where its word stands.
func (s *Set) token(t *rule.Token, text string, at int) bool {
	// Without a form of its own a value counts by the name before it, if it looks random.
	if len(t.Prefixes) == 0 {
		value, ok := assigned(text, at+len(t.Word))
		if !ok || len(value) < t.Min || len(value) > t.Max || !madeOf(t.Chars, value) {
			return false
		}
		return entropy(value) >= t.Entropy && !s.example(value)
	}
	for _, p := range t.Prefixes {
		// The word is a part of the prefix, so the prefix can only begin around it.
		from := max(0, at-len(p))
		start := strings.LastIndex(text[from:min(len(text), at+len(p))], p)
		if start < 0 || from+start > at {
			continue
		}
		start += from
		// The prefix is the end of a longer word: "task-proj-" holds no "sk-proj-".
		if start > 0 && wordByte(text[start-1]) && wordByte(p[0]) {
			continue
		}
		rest := text[start+len(p):]
		if t.Chars == "login" {
			if password, ok := loginIn(rest); ok && len(password) >= t.Min && len(password) <= t.Max && entropy(password) >= t.Entropy && !s.example(password) {
				return true
			}
			continue
		}
		n := 0
		// One more than Max is looked at: a longer run of the same characters is something else.
		for n < len(rest) && n <= t.Max && charIn(t.Chars, rest[n]) {
			n++
		}
		if n < t.Min || n > t.Max {
			continue
		}
		body := rest[:n]
		if s.example(p+body) || t.Entropy > 0 && entropy(body) < t.Entropy {
			continue
		}
		return true
	}
	return false
}

// loginIn takes the password out of "user:password@host/…". A host that is not a name of
// the internet, or one that standards set aside for examples and for private use, is a
// container or a machine at hand, whose password opens nothing else (RFC 2606, 6761, 8375).
func loginIn(rest string) (password string, ok bool) {
	if end := strings.IndexAny(rest, " \t\r\n\"'`<>)"); end >= 0 {
		rest = rest[:end]
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return "", false
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	if low := strings.ToLower(password); !ok || password == user || strings.Contains(low, "pass") || strings.Contains(low, "secret") {
		return "", false // what documentation puts there
	}
	host, _, _ := strings.Cut(authority[at+1:], ",") // a MongoDB address names several
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	if !strings.Contains(host, ".") || isLocal(host) || strings.HasPrefix(host, "127.") {
		return "", false
	}
	for _, end := range [...]string{".example", ".example.com", ".example.org", ".example.net", ".test", ".invalid", ".localhost", ".local", ".home.arpa", ".docker.internal"} {
		if strings.HasSuffix("."+host, end) {
			return "", false
		}
	}
	return password, true
}

// assigned takes the value after a name: = or : or =>, perhaps in quotes.
func assigned(text string, i int) (string, bool) {
	// The name may go on: api_key_prod = …
	for i < len(text) && wordByte(text[i]) {
		i++
	}
	seen := false
	for i < len(text) && strings.IndexByte(" \t\"'`=:>", text[i]) >= 0 {
		seen = seen || text[i] == '=' || text[i] == ':'
		i++
	}
	if !seen {
		return "", false
	}
	end := i
	for end < len(text) && strings.IndexByte(" \t\r\n\"'`,;)}<", text[end]) < 0 {
		end++
	}
	return text[i:end], end > i
}

// example reports documented and made-up keys: words such as EXAMPLE, one
// character over and over, a run of the alphabet.
func (s *Set) example(key string) bool {
	low := strings.ToLower(key)
	for _, w := range s.Known {
		if strings.Contains(low, w) {
			return true
		}
	}
	// Chance makes six alike or seven in a row in about one of 30,000 keys of 40 hex digits.
	same, run := 1, 1
	for i := 1; i < len(low); i++ {
		if low[i] == low[i-1] {
			if same++; same >= 6 {
				return true
			}
		} else {
			same = 1
		}
		if low[i] == low[i-1]+1 {
			if run++; run >= 7 {
				return true
			}
		} else {
			run = 1
		}
	}
	// A variable, a placeholder, or stars in the place of the key.
	return strings.ContainsAny(key, "${<*") || strings.Contains(low, "...")
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func madeOf(set, s string) bool {
	for i := 0; i < len(s); i++ {
		if !charIn(set, s[i]) {
			return false
		}
	}
	return true
}

func charIn(set string, b byte) bool {
	alnum := b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	switch set {
	case "hex":
		return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	case "base62":
		return alnum
	case "upper":
		return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z'
	case "base64":
		return alnum || b == '+' || b == '/' || b == '='
	case "pem":
		return alnum || b == '+' || b == '/' || b == '=' || b == '\n' || b == '\r' || b == '\\' || b == ':' || b == ',' || b == '-' || b == ' '
	case "url":
		return alnum || b == '-' || b == '_' || b == '.'
	}
	return b > ' ' && b < 0x7f
}

// entropy is Shannon's, in bits per byte.
func entropy(s string) float64 {
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
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
				m.detail = found[0].Token.What
				return true
			}
		}
	}
	return false
}
