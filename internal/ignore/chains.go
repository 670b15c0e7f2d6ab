package ignore

// manyPatterns of a list are worth chains.
const manyPatterns = 64

// chains are the patterns of a long list by what each asks of a path before anything else, so that a path is compared with few of them.
// Each pattern is in one chain. Numbers of patterns begin with 1; two chains that fall together are one, which costs time alone.
type chains struct {
	heads []int32 // the last pattern of each chain; their number is a power of two
	prev  []int32 // by pattern, the one before it in its chain
}

// What the patterns of a chain ask for.
const (
	anything = iota
	lastByte
	lastFour
	baseFour // the first four bytes of the last element
	pathFour // the first four bytes of the whole path
	kindsOfChains
)

// chained puts count patterns into chains.
func chained(count int, at func(int) *pattern) *chains {
	if count < manyPatterns {
		return nil
	}
	size := manyPatterns
	for size < 2*count {
		size *= 2
	}
	c := &chains{heads: make([]int32, size), prev: make([]int32, count)}
	for i := range count {
		head := &c.heads[c.slot(at(i).asks())]
		c.prev[i], *head = *head, int32(i+1)
	}
	return c
}

// slot is where the head of a chain is.
func (c *chains) slot(kind int, word uint32) int {
	h := (uint64(word)<<3 | uint64(kind)) * 0x9e3779b97f4a7c15
	return int(h>>32) & (len(c.heads) - 1)
}

// asks says what a path must have for the pattern to match it.
func (p *pattern) asks() (kind int, word uint32) {
	if n := len(p.text); n >= 4 && literal(p.text[n-4:]) {
		return lastFour, four(p.text[n-4:])
	}
	switch {
	case p.fixed >= 4 && p.name:
		return baseFour, four(p.text)
	case p.fixed >= 4:
		return pathFour, four(p.text)
	case p.last != 0:
		return lastByte, uint32(lower(p.last))
	}
	return anything, 0
}

// literal says that what matches the end of a pattern ends in those bytes. A slash may be left out behind "**", and what stands behind
// an unclosed bracket matches nothing anyway.
func literal(end string) bool {
	for i := range len(end) {
		switch end[i] {
		case '*', '?', '[', ']', '\\', '/':
			return false
		}
	}
	return true
}

// four are the first four bytes, whatever their case.
func four(s string) uint32 {
	return uint32(lower(s[0])) | uint32(lower(s[1]))<<8 | uint32(lower(s[2]))<<16 | uint32(lower(s[3]))<<24
}

// search goes through the patterns that may match one path, from the last to the first: all of them where there are no chains.
type search struct {
	chains *chains
	at     [kindsOfChains]int32
}

// search begins with the list of count patterns.
func (c *chains) search(count int, rel, base string) search {
	s := search{chains: c}
	if c == nil {
		s.at[anything] = int32(count)
		return s
	}
	s.at[anything] = c.heads[c.slot(anything, 0)]
	if n := len(rel); n > 0 {
		s.at[lastByte] = c.heads[c.slot(lastByte, uint32(lower(rel[n-1])))]
		if n >= 4 {
			s.at[lastFour] = c.heads[c.slot(lastFour, four(rel[n-4:]))]
			s.at[pathFour] = c.heads[c.slot(pathFour, four(rel))]
		}
	}
	if len(base) >= 4 {
		s.at[baseFour] = c.heads[c.slot(baseFour, four(base))]
	}
	return s
}

// next is the number of the next pattern, 0 after the first.
func (s *search) next() int {
	if s.chains == nil {
		s.at[anything]--
		return int(s.at[anything] + 1)
	}
	n := max(s.at[0], s.at[1], s.at[2], s.at[3], s.at[4])
	if n == 0 {
		return 0
	}
	for i := range s.at {
		if s.at[i] == n {
			s.at[i] = s.chains.prev[n-1]
		}
	}
	return int(n)
}
