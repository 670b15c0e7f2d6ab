package lang

import (
	"math/bits"
	"strings"
)

// sieve is a set of names that holds some by chance: nearly every name that a scan
// meets means nothing by itself, and leaves after one look at a few bits. Its length
// is a power of two, at most 64.
type sieve []uint64

// set enters a name, or a part of one, as a number.
func (v sieve) set(x uint64) {
	h := x * sieveMix
	v[h>>58&uint64(len(v)-1)] |= 1 << (h >> 52 & 63)
}

// bit is 1 where the bit of x is set. It is no bool, so that several can be asked
// with one branch: which of them a name meets cannot be predicted.
func (v sieve) bit(x uint64) uint64 {
	h := x * sieveMix
	return v[h>>58&uint64(len(v)-1)] >> (h >> 52 & 63) & 1
}

// all makes it hold everything.
func (v sieve) all() {
	for i := range v {
		v[i] = ^uint64(0)
	}
}

// end enters the names with an extension that end so.
func (v sieve) end(end, ext string) {
	front := end[:len(end)-len(ext)]
	if len(front) < 2 {
		v.all()
		return
	}
	v.set(oddTail | lastTwo(front, len(front)))
}

// number enters the names that end in digits behind something: "*.".
func (v sieve) number(front string) {
	if front == "" || strings.HasSuffix(front, "*") || strings.HasSuffix(front, "~") || strings.HasSuffix(front, "#") {
		v.all()
		return
	}
	const digits = "0123456789"
	for i := range digits {
		for _, before := range []byte(digits + front[len(front)-1:]) {
			v.set(oddTail | lastTwo(string([]byte{before, digits[i]}), 2))
		}
	}
}

// sieveMix is the golden ratio of 64 bits, odd: its products' high bits depend on all of x.
const sieveMix = 0x9e3779b97f4a7c15

// What of a name a number stands for; a lastWord stands for itself.
const (
	oddHead = 1 << 32 // the first two bytes
	oddTail = 2 << 32 // the last two before the extension, in lower case
	oddStem = 3 << 32 // the first four bytes
)

// stemBytes is how much of a stem a sieve looks at; none may be shorter.
const stemBytes = 4

// oddNames are the names with one extension that it does not decide: special names,
// README and its like, and those that a pattern may match.
type oddNames [32]uint64

// odd are those of an extension. The one with the most entries has about fifty, in 2,048
// bits: a name asks for four, and meets one of them by chance at one time in ten there, in fifty elsewhere.
func (t *Table) odd(ext string) (o oddNames) {
	v, low := sieve(o[:]), lowered(ext)
	for _, stem := range t.Stems {
		v.set(oddStem | firstFour(stem))
	}
	for _, s := range t.special(low) {
		if end, ok := strings.CutPrefix(s.Name, "*"); ok {
			v.end(end, ext)
		} else {
			v.set(lastWord(s.Name, 0))
		}
	}
	for _, g := range t.globs(low) {
		switch {
		case len(g.Tail) > len(ext):
			v.end(g.Tail, ext)
		case len(g.Head) > 1:
			v.set(oddHead | uint64(g.Head[0]) | uint64(g.Head[1])<<8)
		default:
			v.all()
		}
	}
	return o
}

// oddFolders are the names of folders that mean something.
func (t *Table) oddFolders() (v sieve) {
	v = make(sieve, 64)
	for i := range t.Dirs {
		v.set(lastWord(t.Dirs[i].Name, 0))
	}
	for i := range t.DirGlobs {
		g := &t.DirGlobs[i]
		if front, ok := strings.CutSuffix(g.Glob, "#"); ok && g.Name == "" {
			v.number(front)
		} else {
			v.end(g.Name, "")
		}
	}
	for _, p := range t.Scripts {
		v.set(oddHead | uint64(p[0]) | uint64(p[1])<<8)
	}
	return v
}

// holds says whether a name may be among the odd ones: dot is where its extension
// begins, last its lastWord.
func (o *oddNames) holds(name string, dot int, last uint64) bool {
	v := sieve(o[:])
	found := v.bit(last) | v.bit(oddTail|lastTwo(name, dot)) | v.bit(oddHead|uint64(name[0])|uint64(name[1])<<8)
	if len(name) >= stemBytes {
		found |= v.bit(oddStem | firstFour(name))
	}
	return found != 0
}

// firstFour are the first four bytes of a name that has them.
func firstFour(name string) uint64 {
	b := name[:stemBytes]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

// lastTwo are the two bytes before dot in lower case (letters at least); 0 for fewer.
func lastTwo(name string, dot int) uint64 {
	if dot < 2 {
		return 0
	}
	return uint64(name[dot-2]|0x20) | uint64(name[dot-1]|0x20)<<8
}

// lastWord are the last eight bytes of path[at:], or all, its first byte lowest.
func lastWord(path string, at int) (w uint64) {
	n := len(path)
	if n < 8 {
		for i := n - 1; i >= at; i-- {
			w = w<<8 | uint64(path[i])
		}
		return w
	}
	w = word(path, n-8)
	if n-at < 8 {
		w >>= uint(8-(n-at)) * 8
	}
	return w
}

// word are eight bytes of a path as a number, the first of them lowest.
func word(path string, at int) uint64 {
	b := path[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// eightOf repeats a byte in all of a word.
func eightOf(c byte) uint64 { return uint64(c) * 0x0101010101010101 }

// matches has the top bit set in each byte of w that is c. It is exact for all of
// them: no carry leaves a byte.
func matches(w uint64, c byte) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	x := w ^ eightOf(c)
	return ^(x&low + low | x | low)
}

// lastDot finds where the extension of a name begins, and returns it as a word: 0, 0
// when there is none of one to seven letters. last is the name's lastWord. A loop
// would end elsewhere for each name, and be mispredicted for each.
func lastDot(length int, last uint64) (dot int, ext uint64) {
	seen := min(length, 8)
	i := (63 - bits.LeadingZeros64(matches(last, '.'))) >> 3 // -1 for none
	if dot = length - seen + i; i < 0 || i == seen-1 || dot <= 0 {
		return 0, 0
	}
	return dot, last >> (8 * uint(i))
}

// extWord is an extension of one to seven letters, its dot in the lowest byte; 0
// for a longer one.
func extWord(ext string) uint64 {
	if len(ext) > 8 {
		return 0
	}
	return lastWord(ext, 0)
}

// slashed says whether there is a slash in path[at:], whose lastWord is last.
func slashed(path string, at int, last uint64) bool {
	found := matches(last, '/')
	for i := at; i+8 < len(path); i += 8 {
		found |= matches(word(path, i), '/')
	}
	return found != 0
}
