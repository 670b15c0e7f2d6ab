package shell

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// Text that is decoded on its way to a shell hides what would run. These are the
// decodings that a line can hold in full: base64, hexadecimal, character tables.

// translate is tr with sets of single characters and ranges.
func translate(args []Word, text Word) (Word, bool) {
	if len(args) < 2 || args[0].Kind != Literal || args[1].Kind != Literal {
		return Word{}, false
	}
	if args[0].Text == "-d" {
		set := ranges(args[1].Text)
		return lit(strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, text.Text), text.Span), true
	}
	// -s squeezes and -c takes the rest of all characters: neither hides a command.
	if strings.HasPrefix(args[0].Text, "-") {
		return Word{}, false
	}
	from, to := ranges(args[0].Text), ranges(args[1].Text)
	if to == "" {
		return Word{}, false
	}
	return lit(strings.Map(func(r rune) rune {
		i := strings.IndexRune(from, r)
		if i < 0 {
			return r
		}
		// The last character of a set that is too short stands for the rest (GNU tr).
		return rune(to[min(i, len(to)-1)])
	}, text.Text), text.Span), true
}

// ranges spells out a set of tr: a-z, escapes and the two common classes.
func ranges(set string) string {
	switch set {
	case "[:upper:]":
		set = "A-Z"
	case "[:lower:]":
		set = "a-z"
	}
	set = ansi(set)
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' && set[i] <= set[i+2] {
			for ch := int(set[i]); ch <= int(set[i+2]); ch++ {
				b.WriteByte(byte(ch))
			}
			i += 2
			continue
		}
		b.WriteByte(set[i])
	}
	return b.String()
}

// decode returns decoded input, if the arguments ask for decoding.
func decode(args []Word, in *Input, f func(string) (string, bool)) (Word, bool) {
	if _, given := sorted(args, ""); !given.has("dDr decode revert") || in == nil || in.Text.Kind != Literal {
		return Word{}, false
	}
	s, ok := f(in.Text.Text)
	return lit(s, in.Text.Span), ok
}

// base64Text decodes both alphabets, with or without padding and line ends, as
// the decoders in use do.
func base64Text(s string) (string, bool) {
	s = strings.Join(strings.Fields(s), "")
	s = strings.TrimRight(s, "=")
	s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
	b, err := base64.RawStdEncoding.DecodeString(s)
	return string(b), err == nil
}

// hexText decodes hexadecimal as xxd -r -p does.
func hexText(s string) (string, bool) {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	return string(b), err == nil
}
