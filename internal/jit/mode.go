package jit

import (
	"slices"
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

// place is the order of the rules, in which several modes are told.
func (p *Prompt) place(g Given) int {
	return slices.IndexFunc(p.table, func(r rule.Context) bool { return r.ID == g.Rule })
}

// modeName is the last part of a rule's id: "ultrawork" of "modes.ultrawork".
func modeName(r *rule.Context) string { return r.ID[strings.LastIndexByte(r.ID, '.')+1:] }

// namedMode reads "mode: NAME" on the first line of a prompt, unless the line is one of several settings.
func (p *Prompt) namedMode(h hit) int {
	// Further down it is a line of some file.
	if strings.TrimSpace(p.text[:h.at]) != "" {
		return -1
	}
	line, rest, _ := strings.Cut(p.text[h.end:], "\n")
	name, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	next, _, _ := strings.Cut(rest, "\n")
	// "mode: dark" with "theme: x" below it is a settings file.
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
	// A line of a document that is spoken of.
	if p.document(h.at) {
		return false
	}
	s := p.sentence(h)
	if s.bracketed {
		return s.before == "" && !assigns(nextLine(p.text[h.end:]))
	}
	if h.class == form {
		return p.formMeant(s)
	}
	asks := (s.question || p.any(s, questions)) && !p.any(s, requests)
	if h.class == everyday && wide(h.text) { // an order by its ending
		return !asks
	}
	// Before the references: "ulw もう一度" begins like one.
	whole := h.class == word && (p.any(s, alone) || cited(s.rest())) // "ulw again", "ulw #42"
	if whole && s.before == "" && !asks {
		return true
	}
	if p.any(s, refersAfter) || p.any(s, refersBefore) || h.class == word && (s.others || s.listed()) {
		return false
	}
	// Everyday words are orders only at the start: "find the bug" asks for a search, "I could not find it" does not.
	if h.class == everyday {
		return !asks && (s.before == "" || p.polite(s.before)) && !s.cut
	}
	active := whole || p.any(s, activates)
	if !active && (s.labelled && !strings.Contains(s.before, " ") && narrow(s.before) || p.commandLine(s.before)) { // "name: ulw", "git checkout ulw"
		return false
	}
	if first, _ := utf8.DecodeRuneInString(s.after); s.attached && script(first) == hangul && !active {
		return false // a longer word
	}
	if s.colon && (p.setting(s.clause) || p.complains(s.clause)) { // "ultrawork: true", "ulw: command not found"
		return false
	}
	if s.mode && s.cut && p.narrates(s.clause) { // "Ultrawork mode: the text is cut off"
		return false
	}
	switch {
	case s.before == "":
		// At the start of a sentence the word may be an order or a part of a longer name (the ultrawork icon),
		// so what follows must be a mark, begin an order, or end as one.
		return s.after == "" && !asks || s.cut || !asks && p.any(s, orders) || active && (!asks || narrow(s.after) && len(strings.Fields(s.after)) > 2)
	case asks:
		return false
	case active:
		return !p.narrates(s.before) || p.any(s, requests)
	case s.apart:
		return true
	}
	return (s.after == "" || s.cut && s.clause == "") && !p.narrates(s.before)
}
