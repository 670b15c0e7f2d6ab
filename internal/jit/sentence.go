package jit

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// A sentence is what stands around a word, lower-cased and trimmed.
type sentence struct {
	before, after string
	question      bool   // ends in a question mark
	bracketed     bool   // [word]
	colon         bool   // followed by a colon or comma
	cut           bool   // a mark separates the word from what follows
	apart         bool   // marks on both sides
	attached      bool   // after follows without a blank
	mode          bool   // the word "mode" follows, which after no longer holds
	clause        string // what follows the mark
	comma         bool   // the mark is a comma
	labelled      bool   // a colon stands before the word
	others        bool   // another word of a mode stands in the sentence
	follows       string // after with the word "mode"
	joined        bool   // follows follows without a blank
}

// maxJudged bounds how many words of one prompt are judged: beyond it the text was not typed.
const maxJudged = 200

// reach bounds how far a sentence is followed in either direction.
const reach = 400

// sentence takes the text around a hit apart, once, so that the phrases of every language are compared with the same parts.
func (p *Prompt) sentence(h hit) sentence {
	t := p.text
	from := h.at
	for from > 0 && h.at-from < reach && !ends(t, from-1) {
		from--
	}
	// The bound may have cut a letter in two.
	for from < h.at && !utf8.RuneStart(t[from]) {
		from++
	}
	to := h.end
	for to < len(t) && to-h.end < reach && !ends(t, to) {
		to++
	}
	for to < len(t) && !utf8.RuneStart(t[to]) {
		to++
	}
	var s sentence
	rest := t[to:]
	s.question = strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, "？")
	before, after := t[from:h.at], t[h.end:to]
	// The hits are in order of place, and there may be thousands: only those of this sentence are looked at.
	first := sort.Search(len(p.hits), func(i int) bool { return p.hits[i].at >= from })
	for i := first; i < len(p.hits) && p.hits[i].at < to; i++ {
		if o := &p.hits[i]; o.class == word && o.at != h.at && p.table[o.rule].Kind == rule.ContextMode {
			s.others = true
		}
	}
	// The marks of lists and headings are no words.
	before = strings.TrimLeft(before, " \t\r-*•#>_0123456789.)")
	if strings.HasSuffix(before, "[") || strings.HasSuffix(before, "【") {
		s.before = strings.ToLower(strings.TrimSpace(strings.TrimRight(before, "[【")))
		tail := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(after, " mode"), "-mode"), "-work")
		s.bracketed = (strings.HasPrefix(tail, "]") || strings.HasPrefix(tail, "】")) && !strings.HasPrefix(tail, "](")
		if s.bracketed {
			return s
		}
	}
	left := strings.TrimRight(before, "*_ \t")
	right := strings.TrimLeft(after, "*_")
	marks := ",:;-–—(，：、；（"
	s.labelled = strings.HasSuffix(left, ":") || strings.HasSuffix(left, "：")
	leftMark := left != "" && strings.ContainsRune(marks, lastRune(left))
	s.follows = strings.ToLower(strings.TrimSpace(right))
	s.joined = right != "" && right[0] != ' ' && right[0] != '\t'
	right, s.mode = p.cutMode(right)
	s.attached = right != "" && right[0] != ' ' && right[0] != '\t'
	right = strings.TrimSpace(right)
	if right != "" {
		r, size := utf8.DecodeRuneInString(right)
		if strings.ContainsRune(",:;-–—)，：、；）", r) {
			s.cut = true
			s.colon = strings.ContainsRune(",:，：、", r)
			s.comma = strings.ContainsRune(",，、", r)
			s.clause = strings.TrimSpace(strings.Trim(right[size:], ")） "))
		}
	}
	s.apart = leftMark && (right == "" || s.cut)
	s.before = strings.ToLower(strings.TrimSpace(strings.TrimRight(left, marks+" ")))
	s.after = strings.ToLower(right)
	return s
}

// cutMode takes the word "mode" off what follows a mode's name.
func (p *Prompt) cutMode(s string) (rest string, ok bool) {
	t := strings.TrimLeft(s, " -")
	ok = p.says(func(r *rule.Context) bool {
		return slices.ContainsFunc(r.Mode, func(w string) bool {
			if len(t) < len(w) || !strings.EqualFold(t[:len(w)], w) {
				return false
			}
			rest = t[len(w):]
			return wide(w) || rest == "" || !isWord(rest[0]) // "ulw models" says nothing of a mode
		})
	})
	if !ok {
		return s, false
	}
	return rest, true
}

// ends reports whether a sentence ends at the byte i.
func ends(t string, i int) bool {
	switch t[i] {
	case '\n':
		return true
	// Within a word (v1.2, a.b) they end nothing; behind them stands a blank, a closing mark or text without blanks.
	case '.', '!', '?', ';':
		return i+1 >= len(t) || t[i+1] <= ' ' || t[i+1] >= 0x80 || t[i+1] == ')' || t[i+1] == '"' || t[i+1] == '?' || t[i+1] == '!'
	// The first bytes of the marks that Chinese and Japanese end sentences with.
	case 0xe3:
		return strings.HasPrefix(t[i:], "。")
	case 0xef:
		return strings.HasPrefix(t[i:], "！") || strings.HasPrefix(t[i:], "？")
	case 0x80, 0x82: // the last bytes of 。, ！ and ？ when walking to the left
	}
	if i >= 2 && t[i]&0xc0 == 0x80 {
		switch t[i-2 : i+1] {
		case "。", "！", "？":
			return true
		}
	}
	return false
}

// lastRune is the last character of a text.
func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// wide and narrow tell by the first byte whether a text is written in a script without blanks between words.
func wide(s string) bool { return s != "" && s[0] >= utf8.RuneSelf }

func narrow(s string) bool { return s != "" && s[0] < utf8.RuneSelf }

// Which list of the reference rules is asked.
const (
	refersBefore = iota
	refersAfter
	questions
	requests
	activates
	alone
	orders
)

// any reports whether one phrase of a list fits the sentence, in any language of the table. No phrase fits
// where nothing stands.
func (p *Prompt) any(s sentence, list int) bool {
	switch {
	case list == refersBefore && s.before == "", list == refersAfter && s.after == "" && s.follows == "":
		return false
	case s.before == "" && s.after == "" && s.follows == "":
		return false
	}
	return p.says(func(r *rule.Context) bool {
		starts := func(phrase string) bool { return s.startsWith(phrase, r.Particles) }
		switch list {
		case refersBefore:
			return slices.ContainsFunc(r.Before, s.endsWith)
		case refersAfter:
			whole := sentence{after: s.follows, attached: s.joined}
			return slices.ContainsFunc(r.After, func(phrase string) bool { return starts(phrase) || whole.startsWith(phrase, r.Particles) }) ||
				slices.ContainsFunc(r.Things, func(thing string) bool {
					return starts(thing) && !(strings.HasPrefix(s.after, thing+" ") && slices.ContainsFunc(r.Orders, s.orders))
				})
		case questions:
			return slices.ContainsFunc(r.Questions, s.asks)
		case requests:
			return slices.ContainsFunc(r.Requests, s.holds)
		case activates:
			return s.before != "" && slices.ContainsFunc(r.ActivateBefore, s.endsWith) || slices.ContainsFunc(r.ActivateAfter, starts)
		}
		if list == orders {
			return slices.ContainsFunc(r.Orders, s.orders)
		}
		return slices.Contains(r.Alone, s.rest())
	})
}

// says reports whether one of the reference rules, one a language, fits.
func (p *Prompt) says(fits func(*rule.Context) bool) bool {
	for i := range p.table {
		if r := &p.table[i]; r.Kind == rule.ContextReference && fits(r) {
			return true
		}
	}
	return false
}

// endsWith: the phrase stands right before the word.
func (s *sentence) endsWith(phrase string) bool {
	rest, ok := strings.CutSuffix(s.before, phrase)
	return ok && (wide(phrase) || rest == "" || !isWord(rest[len(rest)-1]) && rest[len(rest)-1] != '-')
}

// startsWith: the phrase follows the word. A Korean particle of one syllable is one only where it is attached.
func (s *sentence) startsWith(phrase string, particles []string) bool {
	rest, ok := strings.CutPrefix(s.after, phrase)
	if !ok {
		return false
	}
	if wide(phrase) {
		if slices.Contains(particles, phrase) {
			next, _ := utf8.DecodeRuneInString(rest)
			return s.attached && script(next) != hangul
		}
		return true
	}
	return rest == "" || !isWord(phrase[len(phrase)-1]) || !isWord(rest[0]) && rest[0] != '\''
}

// asks: an English question word opens the sentence; in other languages it stands anywhere.
func (s *sentence) asks(phrase string) bool {
	if wide(phrase) {
		return s.holds(phrase)
	}
	rest, ok := strings.CutPrefix(s.before, phrase)
	return ok && (rest == "" || !isWord(rest[0]))
}

// orders: behind the word and a blank comes text that ends in an order, as sentences do whose verb stands at the end.
func (s *sentence) orders(phrase string) bool {
	return !s.attached && wide(s.after) && strings.HasSuffix(strings.TrimRight(s.after, "~^ ㅎㅋㅠㅜ"), phrase)
}

// rest is all that follows the word, without marks at its end.
func (s *sentence) rest() string { return strings.Trim(s.after, ",;:-–—，、：； ") }

// holds reports a phrase anywhere in the sentence.
func (s *sentence) holds(phrase string) bool {
	return strings.Contains(s.before, phrase) || strings.Contains(s.after, phrase)
}
