//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// maxLine is the longest command line that is tried: what Linux takes as one argument.
const maxLine = 128 << 10

// A filler is shell text that costs time and ends: what comes after it runs.
type filler struct {
	name string
	make func(r *rand.Rand, size int) string // of about so many bytes
}

// line is a command line with a filler, some more of them in small, and a destructive end that runs.
func line(r *rand.Rand, main filler) string {
	size := between(r, 200, maxLine-8<<10)
	parts := []string{main.make(r, size)}
	for range r.IntN(3) {
		f := pick(r, fillers...)
		parts = append(parts, f.make(r, between(r, 50, 1500)))
	}
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	end := destruction(r)
	if r.IntN(8) == 0 { // not only at the end
		parts = append([]string{end}, parts...)
	} else {
		parts = append(parts, end)
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			switch before := parts[i-1]; {
			case strings.Contains(before, "<<") || strings.HasSuffix(before, "&"):
				b.WriteString("\n")
			default:
				b.WriteString(pick(r, "; ", "\n", "\n\n", " ;\t"))
			}
		}
		b.WriteString(p)
	}
	return b.String()
}

// destruction is a command that deletes a home or everything, said in one of many ways.
func destruction(r *rand.Rand) string {
	plain := pick(r, "rm -rf ~", "rm -rf ~", "rm -rf ~/", "rm -rf ~/*", `rm -rf "$HOME"`, "rm -fr ${HOME}", "rm -r -f -- ~", "rm -rf /", "rm -rf /*",
		"rm --recursive --force ~", "/bin/rm -rf ~", "find ~ -delete", "find ~ -exec rm -rf {} +", `\rm -rf ~`)
	quoted := strings.ReplaceAll(plain, "~", "$HOME")
	if strings.ContainsAny(quoted, `"\`) {
		quoted = "rm -rf $HOME"
	}
	switch r.IntN(15) {
	case 0:
		return "sudo " + strings.TrimPrefix(plain, `\`)
	case 1:
		return "bash -c '" + strings.ReplaceAll(plain, `\`, "") + "'"
	case 2:
		return "if true; then " + plain + "; fi"
	case 3:
		return "for i in 1 2; do " + plain + "; done"
	case 4:
		return "{ " + plain + "; }"
	case 5:
		return "(" + plain + ")"
	case 6:
		return `echo "$(` + quoted + `)"`
	case 7:
		return "zzz() { " + plain + "; }; zzz"
	case 8:
		return "timeout 5 nice env A=b " + strings.TrimPrefix(plain, `\`)
	case 9:
		return "cat <<END | sh\n" + quoted + "\nEND"
	case 10:
		return `eval "` + quoted + `"`
	case 11:
		return backquoted(quoted, 1+r.IntN(5))
	}
	return plain
}

// backquoted puts a command into backquotes in backquotes.
func backquoted(s string, levels int) string {
	for range levels {
		s = "echo `" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(s) + "`"
	}
	return s
}

// repeat joins what each makes, with the words between them, up to a size.
func repeat(size int, sep string, each func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(each(i))
	}
	return b.String()
}

// deep puts a word into itself, up to a size but no deeper than the depth.
func deep(size, depth int, open, middle, end string) string {
	n := min(depth, max(1, size/(len(open)+len(end))))
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// name is a file of the scratch repository, or none at all.
func name(r *rand.Rand) string {
	return pick(r, "a", "b", "u", "src", "src/main.go", "d/deep", "x", "g/n0", "g/n1/x", "nowhere", "f"+strconv.Itoa(r.IntN(1000)), "..", "d/../a", "./g/n3")
}

func names(r *rand.Rand, size int) string {
	return repeat(size, " ", func(int) string { return name(r) })
}

// route is a path of many parts.
func route(r *rand.Rand, size int) string {
	part := pick(r, "a", ".", "x", "d", "..", "g", "src", "d/..")
	mixed := r.IntN(3) == 0
	return repeat(size, "/", func(int) string {
		if mixed {
			return pick(r, "a", ".", "..", "d", "g", "n0", "src", "")
		}
		return part
	})
}

func count(size, each int) int { return max(1, size/each) }

func numbered(word string) func(int) string {
	return func(i int) string { return fmt.Sprintf(word, i) }
}
