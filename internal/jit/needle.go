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
	heads [][2]byte   // second and third byte of each, folded; a third of 0 is any
	pairs [256]uint32 // second bytes behind a first one in either case, a bit for each by its lower five bits
	first [257]uint16 // list[first[b]:first[b+1]] start with b, folded
	kinds [256]uint8  // bits of each byte
}

// pairMask leaves the bits of a byte that both cases of a letter share.
const pairMask = 31

// Bits of needles.kinds.
const (
	inWordBit = 1 << iota
	needleBit // a needle starts with the byte, in either case
)

// index sorts what the rules look for by first byte: counted, summed up, put in place. It runs once a process, so it is made of arrays and
// two passes over the table instead of maps.
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
			// Counted one place up, so that the sums below give where each byte's needles begin.
			n.first[int(fold(e.text[0]))+1]++
			total++
		}
	})
	for b := range 256 {
		if isWord(byte(b)) {
			n.kinds[b] |= inWordBit
		}
		if n.first[int(fold(byte(b)))+1] > 0 {
			n.kinds[b] |= needleBit
		}
	}
	// Counting sort: sums of the counts are the first places.
	for b := 1; b < len(n.first); b++ {
		n.first[b] += n.first[b-1]
	}
	n.list, n.heads = make([]needle, total), make([][2]byte, total)
	// A copy, which moves on while the needles are put in place.
	free := n.first
	each(func(e needle) {
		if len(e.text) > 1 {
			c := fold(e.text[0])
			at := free[c]
			free[c]++
			n.list[at], n.heads[at][0] = e, fold(e.text[1])
			if len(e.text) > 2 {
				n.heads[at][1] = fold(e.text[2])
				if e.text[2] == ' ' { // a hyphen may stand there
					n.heads[at][1] = 0
				}
			}
			n.pairs[c] |= 1 << (e.text[1] & pairMask)
		}
	})
	// Capitals have the needles of their small letters.
	for b := range 0x80 {
		n.pairs[b] = n.pairs[fold(byte(b))]
	}
	return n
}
