package jit

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// A Given mode is what a prompt asks for by a keyword.
type Given struct {
	Name string // "ultrawork"
	Rule string // "modes.ultrawork"
	Text string // what to tell the model
}

// Modes lists the keyword modes that a prompt asks for, in the order of the rules, as far as the setting
// allows: off none, rare (also "") those of rare words and explicit forms, all also those of everyday words.
//
// A word counts when it stands in the user's own words (see zones), nothing around it makes it the subject
// of the sentence (the reference rules), and something shows that it is meant: it opens or ends a sentence,
// or a word like "use" or an ending like "로" stands beside it.
func (p *Prompt) Modes(setting string) []Given {
	if setting == "off" {
		return nil
	}
	var list []Given
	judged := 0
	for _, h := range p.hits {
		if h.zone != open {
			continue
		}
		i := h.rule
		if h.class == modeIs {
			i = p.namedMode(h)
		}
		if i < 0 || p.table[i].Kind != rule.ContextMode {
			continue
		}
		r := &p.table[i]
		if h.class == everyday && setting != "all" || slices.ContainsFunc(list, func(g Given) bool { return g.Rule == r.ID }) {
			continue
		}
		if judged++; judged > maxJudged {
			break
		}
		if h.class == modeIs || p.meant(h) {
			list = append(list, Given{modeName(r), r.ID, r.Text})
		}
	}
	slices.SortStableFunc(list, func(a, b Given) int { return p.place(a) - p.place(b) })
	return list
}

func (p *Prompt) place(g Given) int {
	return slices.IndexFunc(p.table, func(r rule.Context) bool { return r.ID == g.Rule })
}

func modeName(r *rule.Context) string { return r.ID[strings.LastIndexByte(r.ID, '.')+1:] }

// namedMode reads "mode: NAME" on the first line of a prompt, unless the line is one of several settings.
func (p *Prompt) namedMode(h hit) int {
	if strings.TrimSpace(p.text[:h.at]) != "" {
		return -1
	}
	line, rest, _ := strings.Cut(p.text[h.end:], "\n")
	name, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	next, _, _ := strings.Cut(rest, "\n")
	if key, _, ok := strings.Cut(next, ":"); ok && key != "" && !strings.Contains(strings.TrimSpace(key), " ") {
		return -1
	}
	name = strings.ToLower(strings.Trim(name, " \r\t.,;:!"))
	for i := range p.table {
		r := &p.table[i]
		if r.Kind == rule.ContextMode && name != "" && (modeName(r) == name || slices.Contains(r.Words, name)) {
			return i
		}
	}
	return -1
}

// meant reports whether a word, everyday word or form is an order in its sentence.
func (p *Prompt) meant(h hit) bool {
	s := p.sentence(h)
	if s.bracketed {
		return s.before == ""
	}
	if h.class == form {
		return p.formMeant(s)
	}
	asks := (s.question || p.any(s, questions)) && !p.any(s, requests)
	if h.class == everyday && wide(h.text) { // an order by its ending
		return !asks
	}
	if p.any(s, refersAfter) || p.any(s, refersBefore) || h.class == word && (s.others || s.listed()) {
		return false
	}
	if h.class == everyday {
		return !asks && (s.before == "" || polite(s.before)) && !s.cut
	}
	active := p.any(s, activates)
	if first, _ := utf8.DecodeRuneInString(s.after); s.attached && script(first) == hangul && !active {
		return false // a longer word
	}
	if s.mode && s.cut && narrates(s.clause) { // "Ultrawork mode: the text is cut off"
		return false
	}
	switch {
	case s.before == "":
		// At the start of a sentence the word may be an order or a part of a longer name (the ultrawork icon),
		// so what follows must be a mark, or begin an order.
		return s.after == "" && !asks || s.cut || active && (!asks || narrow(s.after) && len(strings.Fields(s.after)) > 2)
	case asks:
		return false
	case active:
		return !narrates(s.before) || p.any(s, requests)
	case s.apart:
		return true
	}
	return (s.after == "" || s.cut && s.clause == "") && !narrates(s.before)
}

// listed reports an enumeration: "Modes: search, plan, ultrawork", "ultrawork, search, plan mode".
func (s *sentence) listed() bool {
	if s.apart && strings.ContainsAny(s.before, ":：") || s.comma && s.labelled {
		return true
	}
	if !s.comma {
		return false
	}
	i := strings.IndexAny(s.clause, ",、，")
	return i >= 0 && len(strings.Fields(s.clause[:i])) < 2 && i < 24
}

// formMeant: an explicit form opens its sentence and is followed by a colon, a comma or nothing.
func (p *Prompt) formMeant(s sentence) bool {
	if s.before != "" && s.before != "use" && s.before != "please use" {
		return false
	}
	return !s.question && (s.after == "" || s.colon) || s.colon
}

// polite are the words after which an order still opens its sentence.
func polite(before string) bool {
	switch strings.TrimRight(before, ", ") {
	case "please", "let's", "let us", "can you", "could you", "would you", "can you please", "could you please", "now", "then", "and then", "next", "first", "ok", "okay", "so", "also", "and":
		return true
	}
	return false
}

// narrates reports sentences that tell something: an order does not start with its subject.
func narrates(before string) bool {
	first, rest, _ := strings.Cut(before, " ")
	switch strings.Trim(first, ",") {
	case "i", "i'm", "i've", "i'd", "we", "we've", "he", "she", "they", "it", "it's", "the", "a", "an", "this", "that", "these", "those", "there", "my", "our", "your", "their", "his", "her",
		"users", "people", "someone", "somebody", "everyone", "nobody", "some", "many", "most", "if", "when", "because", "since", "while", "after", "although":
		return !strings.Contains(rest, "want you to") && !strings.Contains(rest, "need you to") && !strings.Contains(rest, "like you to")
	}
	return false
}

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

func (p *Prompt) sentence(h hit) sentence {
	t := p.text
	from := h.at
	for from > 0 && h.at-from < reach && !ends(t, from-1) {
		from--
	}
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
	first := sort.Search(len(p.hits), func(i int) bool { return p.hits[i].at >= from })
	for i := first; i < len(p.hits) && p.hits[i].at < to; i++ {
		if o := &p.hits[i]; o.class == word && o.at != h.at && p.table[o.rule].Kind == rule.ContextMode {
			s.others = true
		}
	}
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
	right, s.mode = cutMode(right)
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
func cutMode(s string) (rest string, ok bool) {
	t := strings.TrimLeft(s, " -")
	for _, w := range [...]string{"mode", "모드", "モード", "模式"} {
		if len(t) >= len(w) && strings.EqualFold(t[:len(w)], w) {
			rest = t[len(w):]
			if w == "mode" && rest != "" && isWord(rest[0]) {
				continue
			}
			return rest, true
		}
	}
	return s, false
}

// ends reports whether a sentence ends at the byte i.
func ends(t string, i int) bool {
	switch t[i] {
	case '\n':
		return true
	case '.', '!', '?', ';':
		return i+1 >= len(t) || t[i+1] <= ' ' || t[i+1] >= 0x80 || t[i+1] == ')' || t[i+1] == '"' || t[i+1] == '?' || t[i+1] == '!'
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

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func wide(s string) bool { return s != "" && s[0] >= utf8.RuneSelf }

func narrow(s string) bool { return s[0] < utf8.RuneSelf }

// Which list of the reference rules is asked.
const (
	refersBefore = iota
	refersAfter
	questions
	requests
	activates
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
	for i := range p.table {
		r := &p.table[i]
		if r.Kind != rule.ContextReference {
			continue
		}
		switch list {
		case refersBefore:
			if slices.ContainsFunc(r.Before, s.endsWith) {
				return true
			}
		case refersAfter:
			whole := sentence{after: s.follows, attached: s.joined}
			if slices.ContainsFunc(r.After, s.startsWith) || slices.ContainsFunc(r.After, whole.startsWith) {
				return true
			}
		case questions:
			if slices.ContainsFunc(r.Questions, s.asks) {
				return true
			}
		case requests:
			if slices.ContainsFunc(r.Requests, s.holds) {
				return true
			}
		case activates:
			if s.before != "" && slices.ContainsFunc(r.ActivateBefore, s.endsWith) || slices.ContainsFunc(r.ActivateAfter, s.startsWith) {
				return true
			}
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
func (s *sentence) startsWith(phrase string) bool {
	rest, ok := strings.CutPrefix(s.after, phrase)
	if !ok {
		return false
	}
	if wide(phrase) {
		if particle(phrase) {
			next, _ := utf8.DecodeRuneInString(rest)
			return s.attached && script(next) != hangul
		}
		return true
	}
	return rest == "" || !isWord(phrase[len(phrase)-1]) || !isWord(rest[0]) && rest[0] != '\''
}

func particle(s string) bool {
	switch s {
	case "가", "이", "은", "는", "의", "와", "과", "도", "로", "으로":
		return true
	}
	return false
}

// asks: an English question word opens the sentence; in other languages it stands anywhere.
func (s *sentence) asks(phrase string) bool {
	if wide(phrase) {
		return s.holds(phrase)
	}
	rest, ok := strings.CutPrefix(s.before, phrase)
	return ok && (rest == "" || !isWord(rest[0]))
}

func (s *sentence) holds(phrase string) bool {
	return strings.Contains(s.before, phrase) || strings.Contains(s.after, phrase)
}
