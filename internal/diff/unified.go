package diff

import (
	"bytes"
	"fmt"
	"strconv"
)

// contextLines is the number of unchanged lines around a change, as in git.
const contextLines = 3

// Count tells how many lines b has that a has not, and the other way round.
func Count(a, b []byte) (added, removed int) {
	for _, e := range compare(split(a), split(b)) {
		switch e.op {
		case '-':
			removed += e.to - e.from
		case '+':
			added += e.to - e.from
		}
	}
	return added, removed
}

// Changed are the lines of b, from 1, that a has not: the i-th says so of line i+1.
func Changed(a, b []byte) []bool {
	lines := split(b)
	is := make([]bool, len(lines))
	for _, e := range compare(split(a), lines) {
		if e.op == '+' {
			for i := e.from; i < e.to; i++ {
				is[i] = true
			}
		}
	}
	return is
}

// Unified is the difference of two files, fit for git apply and patch; nothing where there is none. A file that does not
// exist is named /dev/null.
func Unified(oldName, newName string, a, b []byte) []byte {
	if bytes.Equal(a, b) {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	hunks(&out, split(a), split(b))
	return out.Bytes()
}

// hunks prints the edits with their context.
func hunks(out *bytes.Buffer, a, b [][]byte) {
	edits := compare(a, b)
	var body bytes.Buffer
	changed := false
	var i, j, startA, startB, lenA, lenB int // position, and extent of the open hunk
	flush := func() {
		if changed {
			fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(startA, lenA), extent(startB, lenB))
			out.Write(body.Bytes())
		}
		body.Reset()
		lenA, lenB, changed = 0, 0, false
	}
	put := func(op byte, l []byte) {
		body.WriteByte(op)
		body.Write(l)
		if len(l) == 0 || l[len(l)-1] != '\n' {
			body.WriteString("\n\\ No newline at end of file\n")
		}
	}
	for n, e := range edits {
		if e.op != ' ' {
			changed = true
			for k := e.from; k < e.to; k++ {
				if e.op == '-' {
					put('-', a[k])
					i, lenA = i+1, lenA+1
				} else {
					put('+', b[k])
					j, lenB = j+1, lenB+1
				}
			}
			continue
		}
		count := e.to - e.from
		head, tail := min(count, contextLines), min(count, contextLines)
		first, last := n == 0, n == len(edits)-1
		if first {
			head = 0
		}
		if last {
			tail = 0
		}
		// Two changes with little between them share a hunk, or `git apply` would find their context overlapping.
		if head+tail >= count && !first && !last {
			head, tail = count, 0
		}
		for k := range head {
			put(' ', a[e.from+k])
		}
		lenA, lenB = lenA+head, lenB+head
		// The whole run belongs to the open hunk.
		if head == count && !first {
			i, j = i+count, j+count
			continue
		}
		flush()
		i, j = i+count, j+count
		startA, startB = i-tail, j-tail
		for k := range tail {
			put(' ', a[e.to-tail+k])
		}
		lenA, lenB = tail, tail
	}
	flush()
}

// extent is "line,count" as a hunk header has it; an empty side names the line before.
func extent(start, n int) string {
	if n == 1 {
		return strconv.Itoa(start + 1)
	}
	if n == 0 {
		return strconv.Itoa(start) + ",0"
	}
	return fmt.Sprintf("%d,%d", start+1, n)
}
