package jit

import "strings"

// Scripts that do not put blanks between words, or put endings right behind them.
const (
	hangul = iota + 1
	kana
	han
)

// script tells what a word's neighbours mean: 컨테스트 holds 테스트 and is another word, while テストを ends in a particle.
func script(r rune) int {
	switch {
	case 0xac00 <= r && r <= 0xd7a3:
		return hangul
	case 0x30a0 <= r && r <= 0x30ff:
		return kana
	case 0x3040 <= r && r <= 0x309f:
		return han // hiragana: endings, which may stand before and after anything
	case 0x3400 <= r && r <= 0x9fff:
		return han
	}
	return 0
}

// isLatin reports letters with marks, so that "testé" is not "test".
func isLatin(r rune) bool { return 0xc0 <= r && r <= 0x24f && r != 0xd7 && r != 0xf7 }

// compose joins decomposed Hangul and kana, as text pasted from some file names is, so that words are found
// in either form. Other text comes back as it is.
func compose(s string) string {
	// Conjoining consonants are U+1100 to U+1112, E1 84 xx.
	if !strings.Contains(s, "\xe1\x84") && !strings.Contains(s, "\u3099") && !strings.Contains(s, "\u309a") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune = -1
	flush := func() {
		if last >= 0 {
			b.WriteRune(last)
		}
	}
	for _, r := range s {
		switch {
		// A consonant (19 of them) and a vowel (21) make a syllable; each pair has 28, with a final consonant or none (Unicode 3.12).
		case 0x1161 <= r && r <= 0x1175 && 0x1100 <= last && last <= 0x1112:
			last = 0xac00 + ((last-0x1100)*21+(r-0x1161))*28
			continue
		// A final consonant joins a syllable that has none.
		case 0x11a8 <= r && r <= 0x11c2 && 0xac00 <= last && last <= 0xd7a3 && (last-0xac00)%28 == 0:
			last += r - 0x11a7
			continue
		case r == 0x3099 && kanaVoices(last):
			last++
			continue
		case r == 0x309a && (0x306f <= last && last <= 0x307b || 0x30cf <= last && last <= 0x30db):
			last += 2
			continue
		}
		flush()
		last = r
	}
	flush()
	return b.String()
}

// kanaVoices reports the kana whose voiced form is the next code point.
func kanaVoices(r rune) bool {
	if 0x30a0 <= r && r <= 0x30ff {
		r -= 0x60
	}
	switch {
	case 0x304b <= r && r <= 0x3061:
		return r%2 == 1
	case 0x3064 <= r && r <= 0x3068:
		return r%2 == 0
	case 0x306f <= r && r <= 0x307b:
		return r%3 == 0
	}
	return false
}
