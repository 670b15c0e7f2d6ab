// Package diff compares texts line by line, and writes what differs as Git and patch read it.
package diff

import "bytes"

// edit is a run of lines: kept, deleted from the old side, or inserted on the new side.
type edit struct {
	op       byte // ' ', '-' or '+'
	from, to int  // lines of the old side for ' ' and '-', of the new side for '+'
}

// maxEdits bounds the search for the shortest difference. Beyond it the middle is shown as replaced, which is right and longer.
const maxEdits = 2000

// split cuts after each line end.
func split(b []byte) [][]byte {
	if len(b) == 0 {
		return nil
	}
	l := bytes.SplitAfter(b, []byte("\n"))
	// The piece behind the last line end is no line.
	if len(l[len(l)-1]) == 0 {
		l = l[:len(l)-1]
	}
	return l
}

// compare is the greedy algorithm of E. Myers, "An O(ND) Difference Algorithm" (1986), after the common ends are cut off.
func compare(a, b [][]byte) []edit {
	pre := 0
	for pre < len(a) && pre < len(b) && bytes.Equal(a[pre], b[pre]) {
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && bytes.Equal(a[len(a)-1-post], b[len(b)-1-post]) {
		post++
	}
	var out []edit
	add := func(op byte, from, to int) {
		if from == to {
			return
		}
		if n := len(out); n > 0 && out[n-1].op == op && out[n-1].to == from {
			out[n-1].to = to
			return
		}
		out = append(out, edit{op, from, to})
	}
	add(' ', 0, pre)
	x, y := number(a[pre:len(a)-post], b[pre:len(b)-post])
	middle(x, y, func(op byte, from, to int) { add(op, pre+from, pre+to) })
	add(' ', len(a)-post, len(a))
	return out
}

// number gives equal lines equal numbers, so that the search compares integers.
func number(a, b [][]byte) (x, y []int) {
	ids := make(map[string]int, len(a))
	id := func(l []byte) int {
		n, ok := ids[string(l)]
		if !ok {
			n = len(ids)
			ids[string(l)] = n
		}
		return n
	}
	for _, l := range a {
		x = append(x, id(l))
	}
	for _, l := range b {
		y = append(y, id(l))
	}
	return x, y
}

// middle finds the edits between two sequences and hands them over in order.
func middle(x, y []int, add func(op byte, from, to int)) {
	n, m := len(x), len(y)
	replace := func() { add('-', 0, n); add('+', 0, m) }
	if n == 0 || m == 0 {
		replace()
		return
	}
	// Furthest points by diagonal; one slot more on each side spares the comparisons their bounds.
	limit := min(n+m, maxEdits)
	v := make([]int, 2*limit+2)
	var trace [][]int
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			var i int
			// From the neighbouring diagonal that has come further: down is an insertion, to the right a deletion.
			if k == -d || k != d && v[limit+k-1] < v[limit+k+1] {
				i = v[limit+k+1]
			} else {
				i = v[limit+k-1] + 1
			}
			j := i - k
			// Equal lines are free: follow the diagonal as far as it goes.
			for i < n && j < m && i >= 0 && j >= 0 && x[i] == y[j] {
				i, j = i+1, j+1
			}
			v[limit+k] = i
			if i >= n && j >= m {
				walkBack(trace, n, d, k, add)
				return
			}
		}
		// Only the diagonals in use are kept: memory grows with the square of the edits, which maxEdits bounds.
		trace = append(trace, append([]int(nil), v[limit-d:limit+d+1]...))
	}
	replace()
}

// walkBack follows the furthest points back to the start and hands the steps over forwards.
func walkBack(trace [][]int, n, d, k int, add func(op byte, from, to int)) {
	type step struct {
		op       byte
		from, to int
	}
	var steps []step
	i := n
	for ; d > 0; d-- {
		prev := trace[d-1] // furthest points of d-1 edits, diagonals -(d-1) … d-1
		at := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return prev[k+d-1]
		}
		pk := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			pk = k + 1
		}
		pi := at(pk)
		pj := pi - pk
		// From (pi, pj) one edit, then equal lines up to (i, j).
		if pk == k+1 {
			steps = append(steps, step{' ', pi, i}, step{'+', pj, pj + 1})
		} else {
			steps = append(steps, step{' ', pi + 1, i}, step{'-', pi, pi + 1})
		}
		i, k = pi, pk
	}
	steps = append(steps, step{' ', 0, i})
	for s := len(steps) - 1; s >= 0; s-- {
		add(steps[s].op, steps[s].from, steps[s].to)
	}
}
