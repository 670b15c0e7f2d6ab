package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// FileStat counts the lines that a change adds and removes. Binary files and those that are too big have none.
type FileStat struct {
	Change
	Added, Removed int
	Binary         bool
}

// maxPatch is the size up to which a file is compared line by line.
const maxPatch = 4 << 20

// context is the number of unchanged lines around a change, as in git.
const contextLines = 3

// Show lists what a checkpoint holds that HEAD did not: the work that it saved.
func Show(r *repo.Repo, c *Checkpoint) ([]Change, error) {
	// Before the first commit everything is new.
	var head repo.Hash
	if !c.Head.IsZero() {
		k, err := r.Commit(c.Head)
		if err != nil {
			return nil, fmt.Errorf("show %s: %w", c.Short(), err)
		}
		head = k.Tree
	}
	return diffTrees(r.Tree, head, c.Tree)
}

// Content reads one side of a change; text is false for what is binary or too big to show.
type Content func(path string, s Side) (b []byte, text bool, err error)

// Stored reads what the repository holds.
func Stored(r *repo.Repo) Content {
	return func(_ string, s Side) ([]byte, bool, error) { return sideText(r, s) }
}

// Stat counts lines of changes.
func Stat(read Content, changes []Change) ([]FileStat, error) {
	out := make([]FileStat, len(changes))
	errs := make([]error, len(changes))
	// Comparing lines is work for a processor; a large checkpoint has thousands of files.
	fault := repo.Parallel(len(changes), func(i int) {
		out[i].Change = changes[i]
		a, b, text, err := bothSides(read, changes[i])
		if errs[i] = err; err != nil || !text {
			out[i].Binary = true
			return
		}
		for _, e := range compareLines(splitLines(a), splitLines(b)) {
			switch e.op {
			case '-':
				out[i].Removed += e.to - e.from
			case '+':
				out[i].Added += e.to - e.from
			}
		}
	})
	return out, errors.Join(append(errs, fault)...)
}

// bothSides reads the content of both sides; text is false when they are binary or too big to show.
func bothSides(read Content, c Change) (a, b []byte, text bool, err error) {
	if a, text, err = read(c.Path, c.Old); err != nil || !text {
		return nil, nil, false, err
	}
	b, text, err = read(c.Path, c.New)
	return a, b, text, err
}

// sideText gives no content for links and submodules beyond their target and commit, as git diff shows them.
func sideText(r *repo.Repo, s Side) ([]byte, bool, error) {
	switch s.Mode {
	case 0:
		return nil, true, nil
	case repo.ModeGitlink:
		return []byte("Subproject commit " + s.Hash.String() + "\n"), true, nil
	}
	// Before it is read: a disk image must not be brought into memory to be called too big.
	if n, err := r.BlobSize(s.Hash); err != nil || n > maxPatch {
		return nil, false, err
	}
	_, b, err := r.Object(s.Hash)
	if err != nil {
		return nil, false, err
	}
	return b, isText(b), nil
}

// isText is git's own test: no zero byte in the first 8000.
func isText(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 8000)], 0) < 0 }

// Patch writes changes in git's format, fit for `git apply`. Binary files are named and not shown.
func Patch(w io.Writer, read Content, changes []Change) error {
	for _, c := range changes {
		a, b, text, err := bothSides(read, c)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		header(&out, c)
		switch {
		case c.Old.Hash == c.New.Hash: // a mode alone
		case !text:
			fmt.Fprintf(&out, "index %s..%s\nBinary files %s and %s differ\n", c.Old.Hash, c.New.Hash, name("a/", c.Path, c.Old), name("b/", c.Path, c.New))
		default:
			fmt.Fprintf(&out, "index %s..%s%s\n", c.Old.Hash, c.New.Hash, sameMode(c))
			if len(a)+len(b) > 0 {
				fmt.Fprintf(&out, "--- %s\n+++ %s\n", name("a/", c.Path, c.Old), name("b/", c.Path, c.New))
				hunks(&out, splitLines(a), splitLines(b))
			}
		}
		if _, err := w.Write(out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func header(out *bytes.Buffer, c Change) {
	fmt.Fprintf(out, "diff --git %s %s\n", quoted("a/"+c.Path), quoted("b/"+c.Path))
	switch {
	case c.Old.Mode == 0:
		fmt.Fprintf(out, "new file mode %06o\n", c.New.Mode)
	case c.New.Mode == 0:
		fmt.Fprintf(out, "deleted file mode %06o\n", c.Old.Mode)
	case c.Old.Mode != c.New.Mode:
		fmt.Fprintf(out, "old mode %06o\nnew mode %06o\n", c.Old.Mode, c.New.Mode)
	}
}

func sameMode(c Change) string {
	if c.Old.Mode == c.New.Mode {
		return fmt.Sprintf(" %06o", c.Old.Mode)
	}
	return ""
}

func name(prefix, path string, s Side) string {
	if s.Mode == 0 {
		return "/dev/null"
	}
	return quoted(prefix + path)
}

// quoted is git's C-style quoting with core.quotePath off: Korean names stay readable. It is not Go's: git knows octal numbers
// only, and bytes that are no UTF-8 stand for themselves.
func quoted(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ', c == 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	// Nothing had to be escaped, and git quotes nothing then.
	if b.Len() == len(s) {
		return s
	}
	return `"` + b.String() + `"`
}

// hunks prints the edits with their context.
func hunks(out *bytes.Buffer, a, b [][]byte) {
	edits := compareLines(a, b)
	var body bytes.Buffer
	var i, j, startA, startB, lenA, lenB int // position, and extent of the open hunk
	flush := func() {
		if lenA+lenB > 0 {
			fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(startA, lenA), extent(startB, lenB))
			out.Write(body.Bytes())
		}
		body.Reset()
		lenA, lenB = 0, 0
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
	if body.Len() > 0 && bytes.ContainsAny(firstBytes(body.Bytes()), "+-") {
		flush()
	}
}

// firstBytes collects the marks of the lines of a hunk.
func firstBytes(b []byte) []byte {
	var out []byte
	for l := range bytes.Lines(b) {
		out = append(out, l[0])
	}
	return out
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
