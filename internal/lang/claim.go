package lang

import (
	"bytes"
	"strings"
)

// headSize is how much of an ambiguous file is read. Licence headers and include
// blocks fit; more of the file changes hardly any answer.
const headSize = 16 << 10

// decider holds the claims on one extension, its line patterns sorted by first
// byte: a head is then gone through once, whatever the number of patterns.
type decider struct {
	claims []Claim
	first  [256]uint16 // list number in lines, plus one
	lines  [][]linePattern
	fold   bool
	sample sample
}

type linePattern struct {
	claim int
	text  string
	fold  bool
}

// newDecider sorts the patterns of the claims. It is made once for an extension
// and asked from several goroutines; only sample changes, on the scan's own.
func newDecider(claims []Claim) *decider {
	d := &decider{claims: claims}
	for i := range claims {
		k := &claims[i]
		d.fold = d.fold || k.Fold
		for _, p := range k.Line {
			d.put(p[0], linePattern{i, p, k.Fold})
			if up := p[0] - 'a' + 'A'; k.Fold && 'a' <= p[0] && p[0] <= 'z' {
				d.put(up, linePattern{i, p, true})
			}
		}
	}
	return d
}

// put adds a pattern to the list of its first byte. Most lines of a file begin
// with a byte that no pattern has, and cost one look.
func (d *decider) put(c byte, p linePattern) {
	if d.first[c] == 0 {
		d.lines = append(d.lines, nil)
		d.first[c] = uint16(len(d.lines))
	}
	at := d.first[c] - 1
	d.lines[at] = append(d.lines[at], p)
}

// decide returns the number of the first claim that holds, and the words of the
// file that made it so; -1 when none does. path is for claims that hold only
// below certain folders.
func (d *decider) decide(path string, head []byte) (claim int, because string) {
	best, text := len(d.claims), ""
	// Lower case for all claims at once: half of the extensions have one that folds.
	var lower []byte
	if d.fold {
		lower = bytes.ToLower(head)
	}
	// The conditions that need the whole head come last: they are asked only of a
	// claim whose line or text was found.
	holds := func(i int) bool {
		k := &d.claims[i]
		in := head
		if k.Fold {
			in = lower
		}
		return k.below(path) && containsAll(in, k.With) && !containsAny(in, k.Not)
	}
	for rest := head; len(rest) > 0 && best > 0; {
		line := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			line, rest = rest[:n+1], rest[n+1:]
		} else {
			rest = nil
		}
		for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r') {
			line = line[1:]
		}
		if len(line) == 0 || d.first[line[0]] == 0 {
			continue
		}
		for _, p := range d.lines[d.first[line[0]]-1] {
			if p.claim < best && beginsLine(line, p.text, p.fold) && holds(p.claim) {
				best, text = p.claim, p.text
			}
		}
	}
	for i := range d.claims[:best] {
		k := &d.claims[i]
		in := head
		if k.Fold {
			in = lower
		}
		if t, ok := k.found(in); ok && holds(i) {
			best, text = i, t
			break
		}
	}
	if best == len(d.claims) {
		return -1, ""
	}
	return best, strings.TrimSpace(text)
}

// found looks for the texts of a claim that may stand anywhere.
func (k *Claim) found(head []byte) (string, bool) {
	for _, s := range k.Start {
		if bytes.HasPrefix(head, []byte(s)) {
			return s, true
		}
	}
	for _, s := range k.Text {
		if bytes.Contains(head, []byte(s)) {
			return s, true
		}
	}
	for _, s := range k.Word {
		if containsWord(head, s) {
			return s, true
		}
	}
	return "", false
}

// below says whether the claim may hold for a file at path: always, unless it is
// bound to folders with certain words in their name.
func (k *Claim) below(path string) bool {
	if len(k.In) == 0 {
		return true
	}
	for {
		dir, rest, ok := strings.Cut(path, "/")
		if !ok {
			return false
		}
		dir = strings.ToLower(dir)
		for _, w := range k.In {
			if dir == w || len(w) > 3 && strings.Contains(dir, w) {
				return true
			}
		}
		path = rest
	}
}

// beginsLine compares a line with a pattern in which a blank stands for one or
// more blanks.
func beginsLine(line []byte, p string, fold bool) bool {
	for i := 0; i < len(p); i++ {
		if p[i] == ' ' {
			if len(line) == 0 || line[0] != ' ' && line[0] != '\t' {
				return false
			}
			for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
				line = line[1:]
			}
			continue
		}
		if len(line) == 0 {
			// A file that ends without a newline still ends its last line.
			return p[i] == '\n' && i == len(p)-1
		}
		c := line[0]
		if fold && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != p[i] {
			return false
		}
		line = line[1:]
	}
	return true
}

func containsAll(head []byte, texts []string) bool {
	for _, s := range texts {
		if !bytes.Contains(head, []byte(s)) {
			return false
		}
	}
	return true
}

func containsAny(head []byte, texts []string) bool {
	for _, s := range texts {
		if bytes.Contains(head, []byte(s)) {
			return true
		}
	}
	return false
}

// containsWord is containsAny for one text that must not be a part of a word, as
// "end" is in "append".
func containsWord(head []byte, w string) bool {
	for at := 0; ; {
		i := bytes.Index(head[at:], []byte(w))
		if i < 0 {
			return false
		}
		i += at
		end := i + len(w)
		if (i == 0 || !wordByte(head[i-1])) && (end == len(head) || !wordByte(head[end])) {
			return true
		}
		at = i + 1
	}
}

// wordByte takes every byte above ASCII for a letter: in UTF-8 most are.
func wordByte(c byte) bool {
	return c == '_' || digit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
