package jit

import "github.com/modu-ai/moai/internal/rule"

// class is what a needle is, and so how it may stand.
type class uint8

const (
	command class = iota
	agent
	word
	everyday
	form
	modeIs // "mode: NAME"
)

// needle is one text to look for; its blanks also stand for a hyphen.
type needle struct {
	text  string
	rule  int
	class class
}

// needles holds the needles by their first byte.
type needles struct {
	list  []needle
	next  []byte      // second byte of each
	pairs [256]uint64 // second bytes behind a first one, a bit for each by its lower six bits
	first [257]uint16 // list[first[b]:first[b+1]] start with b
	kinds [256]uint8  // bits of each byte
}

// Bits of needles.kinds.
const (
	inWordBit = 1 << iota
	needleBit // a needle starts with the byte, in either case
)

func index(table []rule.Context) *needles {
	n := &needles{}
	each := func(f func(needle)) {
		for i := range table {
			r := &table[i]
			for _, t := range r.Commands {
				f(needle{t, i, command})
			}
			for _, t := range r.Words {
				f(needle{t, i, word})
			}
			for _, t := range r.Everyday {
				f(needle{t, i, everyday})
			}
			for _, t := range r.Forms {
				f(needle{t, i, form})
			}
		}
		f(needle{"@agent-", -1, agent})
		f(needle{"@\"", -1, agent})
		f(needle{"mode:", -1, modeIs})
	}
	total := 0
	each(func(e needle) {
		if len(e.text) > 1 { // scan compares the second byte
			n.first[int(e.text[0])+1]++
			total++
		}
	})
	for b := range 256 {
		if isWord(byte(b)) {
			n.kinds[b] |= inWordBit
		}
		if n.first[b+1] > 0 {
			n.kinds[b] |= needleBit
			if 'a' <= b && b <= 'z' {
				n.kinds[b-'a'+'A'] |= needleBit
			}
		}
	}
	for b := 1; b < len(n.first); b++ {
		n.first[b] += n.first[b-1]
	}
	n.list, n.next = make([]needle, total), make([]byte, total)
	free := n.first
	each(func(e needle) {
		if len(e.text) > 1 {
			at := free[e.text[0]]
			n.list[at], n.next[at] = e, e.text[1]
			n.pairs[e.text[0]] |= 1 << (e.text[1] & 63)
			free[e.text[0]]++
		}
	})
	return n
}
