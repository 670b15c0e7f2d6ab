package term

import "strconv"

// Count is n with its noun: 1 file, 2 files. Nouns whose plural is not made by an
// s give it as well: Count(n, "entry", "entries").
func Count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
	case len(plural) > 0:
		noun = plural[0]
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
