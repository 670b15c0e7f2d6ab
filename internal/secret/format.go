package secret

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// format tries one format at a place where its word stands, and gives the part that is secret.
func (s *scan) format(i, at int) (span, bool) {
	t := &s.table.Secrets.Formats[i]
	// Without a form of its own a value counts by the name before it, if it looks random.
	if len(t.Prefixes) == 0 {
		from, to, ok := assigned(s.text, at+len(t.Word), t.Max)
		s.spent(to - at)
		if !ok {
			return span{}, false
		}
		return span{from, to}, s.body(t, "", s.text[from:to])
	}
	if len(t.Near) > 0 && !s.near(t.Near, at) {
		return span{}, false
	}
	for _, p := range t.Prefixes {
		start := begins(s.text, p, t.Word, at)
		if start < 0 {
			continue
		}
		// The prefix is the end of a longer word: "task-proj-" holds no "sk-proj-".
		if !t.Inside && start > 0 && wordByte(s.text[start-1]) && wordByte(p[0]) {
			continue
		}
		if one, ok := s.rest(i, t, start, start+len(p)); ok {
			return one, true
		}
	}
	return span{}, false
}

// begins tells where a prefix stands whose word is at a place; -1 if it does not. The word is a part of the prefix, or all of it.
func begins(text, prefix, word string, at int) int {
	if word == "" {
		word = prefix
	}
	for k := 0; k <= len(prefix)-len(word) && k <= at; k++ {
		if text[at-k] == prefix[0] && strings.HasPrefix(text[at-k:], prefix) {
			return at - k
		}
	}
	return -1
}

// rest judges what stands behind a prefix.
func (s *scan) rest(i int, t *rule.Token, start, from int) (span, bool) {
	prefix := s.text[start:from]
	switch t.Chars {
	case "login":
		return s.addressLogin(t, from)
	case "dsn":
		return s.dsn(t, start, from)
	}
	// A run is measured once, however many words stand in it.
	if s.runs == nil {
		s.runs = make([]run, len(s.table.Secrets.Formats))
	}
	r := &s.runs[i]
	if from < r.from || from >= r.to {
		to := from
		for to < len(s.text) && charIn(t.Chars, s.text[to]) {
			to++
		}
		*r = run{from, to}
		s.spent(to - from)
	}
	to := r.to
	if t.Chars == "pem" {
		if end := strings.Index(s.text[from:to], "-----"); end >= 0 {
			to = from + end
		}
	}
	body := s.text[from:to]
	if t.Back > 0 {
		back := start - t.Back
		for k := max(back, 0); k < start; k++ {
			if !charIn(t.Chars, s.text[k]) {
				return span{}, false
			}
		}
		if back < 0 || to < len(s.text) && wordByte(s.text[to]) {
			return span{}, false
		}
		return span{back, start}, len(body) >= t.Min && len(body) <= t.Max && !s.example("", s.text[back:start])
	}
	return span{from, to}, s.body(t, prefix, body)
}

// body judges the characters of a key: by the format where it has to be one for certain, else by less.
func (s *scan) body(t *rule.Token, prefix, body string) bool {
	n := len(body)
	switch {
	case n == 0:
		return false
	case t.Max > 0 && n >= t.Min && n <= t.Max && s.sure(t, prefix, body):
		return true
	case !s.wide || t.Mask == 0 || n < t.Mask:
		return false
	}
	s.spent(n)
	return !s.known(prefix+body) && !variable(body) && shaped(t, body) && (t.Entropy == 0 || entropy(body[:min(n, 256)]) >= min(t.Entropy, 3))
}

func (s *scan) sure(t *rule.Token, prefix, body string) bool {
	s.spent(len(body))
	return madeOf(t.Chars, body) && shaped(t, body) && !s.example(prefix, body) && (t.Entropy == 0 || entropy(body) >= t.Entropy)
}

// shaped holds a key against what its format says about its parts.
func shaped(t *rule.Token, body string) bool {
	switch t.Chars {
	case "basic":
		text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
		user, password, ok := strings.Cut(string(text), ":")
		if err != nil || !ok || user == "" || password == "" {
			return false
		}
		for _, c := range text {
			if c < ' ' || c == 0x7f {
				return false
			}
		}
		return true
	case "colons":
		return strings.Count(body, ":") >= 2
	case "slash": // user/password@host
		user, _, ok := strings.Cut(body, "@")
		return ok && strings.IndexByte(user, '/') > 0
	case "upper", "hexdash":
		return strings.ContainsAny(body, "0123456789ABCDEF")
	}
	if t.Dots == "" {
		return true
	}
	parts, lengths := strings.Split(body, "."), strings.Split(t.Dots, ".")
	if len(parts) != len(lengths) {
		return false
	}
	for i, want := range lengths {
		low, high, two := strings.Cut(want, "-")
		if !two {
			high = low
		}
		least, _ := strconv.Atoi(low)
		most, _ := strconv.Atoi(high)
		if n := len(parts[i]); n < least || n > most {
			return false
		}
	}
	return true
}

// near reports that one of the texts stands before a place, on its line.
func (s *scan) near(list []string, at int) bool {
	low := max(0, at-200)
	line := s.text[low:at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	s.spent(len(line))
	for _, w := range list {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// maxName bounds how far a name is followed, in bytes.
const maxName = 80

// assigned finds the value after a name: = or : or =>, perhaps in quotes. A value of more than most bytes is cut, and so none.
func assigned(text string, i, most int) (from, to int, ok bool) {
	// The name may go on: api_key_prod = …
	for end := i + maxName; i < len(text) && i < end && wordByte(text[i]); {
		i++
	}
	seen := false
	for end := i + maxName; i < len(text) && i < end && strings.IndexByte(" \t\"'`=:>\\", text[i]) >= 0; i++ {
		seen = seen || text[i] == '=' || text[i] == ':'
	}
	if !seen {
		return i, i, false
	}
	end := i
	for end < len(text) && end-i <= most && strings.IndexByte(" \t\r\n\"'`,;)}<\\", text[end]) < 0 {
		end++
	}
	return i, end, end > i
}

// longKey is the length from which a key is a private one, in which chance makes words and runs of letters: one in two hundred has "fake" or
// "todo" in it somewhere. Of such a key the beginning tells.
const longKey = 256

// known reports a documented key, or the word that stands for one.
func (s *scan) known(key string) bool {
	if len(key) > longKey {
		key = key[:longKey/2]
	}
	low := strings.ToLower(key)
	s.spent(len(key))
	for _, w := range s.table.Secrets.Known {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// example reports documented and made-up keys: words such as EXAMPLE, one
// character over and over, a run of the alphabet.
func (s *scan) example(prefix, body string) bool {
	if s.known(prefix + body) {
		return true
	}
	low := strings.ToLower(prefix + body)
	// Chance makes six alike or seven in a row in about one of 30,000 keys of 40 hex digits. Each private key of OpenSSH has such:
	// AAAAAAAAAAEAAAA.
	same, run := 1, 1
	for i := 1; i < len(low) && len(low) <= longKey && !s.wide; i++ {
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
	return strings.ContainsAny(body, "${<*") || strings.Contains(low, "...")
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
	case "hexdash":
		return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b == '-'
	case "digits":
		return b >= '0' && b <= '9'
	case "base62":
		return alnum
	case "upper":
		return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z'
	case "base64", "basic":
		return alnum || b == '+' || b == '/' || b == '='
	case "pem":
		return alnum || b == '+' || b == '/' || b == '=' || b == '\n' || b == '\r' || b == '\\' || b == ':' || b == ',' || b == '-' || b == ' '
	case "url":
		return alnum || b == '-' || b == '_' || b == '.'
	case "colons":
		return b > ' ' && b < 0x7f && b != '/' && b != '"' && b != '\''
	}
	return b > ' ' && b < 0x7f && b != '"' && b != '\'' && b != '`'
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
