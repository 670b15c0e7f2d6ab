package term

import "strings"

// Nearest is the name that a word was probably meant to be, "" where none is like it. A slip is a letter too many, too few, another
// one, or two that changed places: one in a short word, two in a longer one. What a name begins or ends with is meant to be it, too,
// where no other name does.
func Nearest(word string, names []string) string {
	const longest = 60 // what is longer was not typed
	if word == "" || len(word) > longest {
		return ""
	}
	lower := strings.ToLower(word)
	if name := onlyPart(lower, names); name != "" {
		return name
	}
	most := 1 // two would take tcsh for bash
	if len(word) > 5 {
		most = 2
	}
	best, at := "", most+1
	for _, name := range names {
		d := slips(lower, strings.ToLower(name), most)
		// Of two names the one that begins so is meant, since the last letters are what is left out, else the one of the same length: letters change
		// places more often than they are lost.
		begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), lower) }
		if d < at || d == at && d <= most && !begins(best) && (begins(name) || len(best) != len(word) && len(name) == len(word)) {
			best, at = name, d
		}
	}
	return best
}

// onlyPart is the one name that begins with a word, or ends with it behind a dot.
func onlyPart(lower string, names []string) (found string) {
	if len(lower) < 3 {
		return ""
	}
	for _, name := range names {
		whole := strings.ToLower(name)
		switch {
		case whole == lower:
			return name
		case !strings.HasPrefix(whole, lower) && !strings.HasSuffix(whole, "."+lower):
		case found != "":
			return ""
		default:
			found = name
		}
	}
	return found
}

// slips counts them between two words, up to most; more are most+1.
func slips(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > most || len(y)-len(x) > most {
		return most + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return min(row[len(y)], most+1)
}
