package settings

import (
	"fmt"
	"strings"
)

// Diff compares two files line by line and writes the difference as unified
// diff, "" when there is none. It is for people: settings are small, so it
// looks for the longest common subsequence and has no heuristics.
func Diff(oldName, newName string, before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	a, b := splitLines(before), splitLines(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	const context = 3
	ops := compare(a, b)
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i++
			continue
		}
		// A hunk reaches until more than twice the context is unchanged.
		start, end := max(i-context, 0), i
		for n := i; n < len(ops) && n-end <= 2*context; n++ {
			if ops[n].kind != ' ' {
				end = n
			}
		}
		stop := min(end+context+1, len(ops))
		var text strings.Builder
		oldCount, newCount := 0, 0
		for _, op := range ops[start:stop] {
			if op.kind != '+' {
				oldCount++
			}
			if op.kind != '-' {
				newCount++
			}
			text.WriteByte(op.kind)
			text.WriteString(strings.TrimSuffix(op.line, "\n"))
			text.WriteByte('\n')
			if !strings.HasSuffix(op.line, "\n") {
				text.WriteString("\\ No newline at end of file\n")
			}
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", hunkRange(ops[start].old, oldCount), hunkRange(ops[start].new, newCount), text.String())
		i = stop
	}
	return out.String()
}

// hunkRange writes where a hunk lies; an empty one names the line before it.
func hunkRange(line, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", line)
	}
	return fmt.Sprintf("%d,%d", line+1, count)
}

// splitLines keeps the line ends; the last line may have none.
func splitLines(data []byte) []string {
	lines := strings.SplitAfter(string(data), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lineOp is one line of a comparison with the lines before it on both sides.
type lineOp struct {
	kind     byte // ' ', '-' or '+'
	line     string
	old, new int
}

// compare finds the lines that differ between the common beginning and end.
// Where that middle is huge it is given as replaced whole.
func compare(a, b []string) []lineOp {
	var ops []lineOp
	i, j := 0, 0
	add := func(kind byte, line string) {
		ops = append(ops, lineOp{kind, line, i, j})
		i += btoi(kind != '+')
		j += btoi(kind != '-')
	}
	// Nearly all lines of a settings file are the same before and after: what
	// is left to compare is small.
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		add(' ', a[head])
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	// common[n][m] is the length of the longest common subsequence of x[n:], y[m:].
	var common [][]int32
	if len(x)*len(y) <= 4<<20 { // 16 MB at most
		common = make([][]int32, len(x)+1)
		for n := range common {
			common[n] = make([]int32, len(y)+1)
		}
		for n := len(x) - 1; n >= 0; n-- {
			for m := len(y) - 1; m >= 0; m-- {
				if x[n] == y[m] {
					common[n][m] = common[n+1][m+1] + 1
				} else {
					common[n][m] = max(common[n+1][m], common[n][m+1])
				}
			}
		}
	}
	n, m := 0, 0
	for n < len(x) || m < len(y) {
		switch {
		case n < len(x) && m < len(y) && common != nil && x[n] == y[m]:
			add(' ', x[n])
			n, m = n+1, m+1
		case n < len(x) && (m == len(y) || common == nil || common[n+1][m] >= common[n][m+1]):
			add('-', x[n])
			n++
		default:
			add('+', y[m])
			m++
		}
	}
	for _, line := range a[len(a)-tail:] {
		add(' ', line)
	}
	return ops
}
