package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modu-ai/moai/internal/diff"
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
		out[i].Added, out[i].Removed = diff.Count(a, b)
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
			out.Write(diff.Unified(name("a/", c.Path, c.Old), name("b/", c.Path, c.New), a, b))
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
