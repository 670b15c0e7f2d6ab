package tag

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// An Edit is what a renaming changes in one file; a line a place.
type Edit struct {
	Path    string `json:"path"`
	Lines   []int  `json:"lines"`
	NewPath string `json:"new_path,omitempty"` // of a SPEC's folder or file that is renamed; Lines is nil then
	data    []byte
	mode    fs.FileMode
	old     []byte
}

// ErrTaken means that the new id of a renaming is in use.
var ErrTaken = errors.New("in use")

// PlanRename finds every place where an id is written: its TAGs of every kind with their parts, the SPEC-ID
// names beside them, the front matter of SPECs, and the folder of the SPEC. tags are those of the tree.
func PlanRename(root, from, to string, tags iter.Seq[Tag], docs []string) ([]Edit, error) {
	if !ValidID(from) || !ValidID(to) {
		return nil, fmt.Errorf("an id is like AUTH-001: %s → %s", from, to)
	}
	if from == to {
		return nil, errors.New("both ids are the same")
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var paths []string
	for t := range tags {
		if t.Malformed {
			continue
		}
		// Mentions count too: they would speak of the renamed SPEC from then on.
		if t.ID == to {
			return nil, fmt.Errorf("%s is %w: %s:%d", to, ErrTaken, t.Path, t.Line)
		}
		if t.ID == from && (len(paths) == 0 || paths[len(paths)-1] != t.Path) {
			paths = append(paths, t.Path)
		}
	}
	// A folder of the new name would swallow the SPEC, even one without a TAG in it.
	for _, flat := range [...]string{"", ".md"} {
		if _, err := dir.Lstat(filepath.FromSlash(specHome + to + flat)); err == nil {
			return nil, fmt.Errorf("%s is %w: %s%s%s", to, ErrTaken, specHome, to, flat)
		}
	}
	paths = append(paths, docs...)
	slices.Sort(paths)
	var edits []Edit
	for _, p := range slices.Compact(paths) {
		e, err := planFile(dir, p, from, to)
		if err != nil {
			return nil, err
		}
		if len(e.Lines) > 0 {
			edits = append(edits, e)
		}
	}
	// Last, for what is written before goes by the old paths. Header lines name a SPEC of one file as they name a folder's, so
	// it would be lost to them under its old name.
	for _, flat := range [...]string{"", ".md"} {
		name := specHome + from + flat
		st, err := dir.Lstat(filepath.FromSlash(name))
		if err != nil || linked(dir, name) || st.IsDir() != (flat == "") || !st.IsDir() && !st.Mode().IsRegular() {
			continue
		}
		edits = append(edits, Edit{Path: name, NewPath: specHome + to + flat})
	}
	return edits, nil
}

// specHome is how the paths of SPECs start: a folder, or in the older style one file.
const specHome = ".moai/specs/SPEC-"

// planFile is the edit of one file; without Lines when the id is not written there, or the file is none that may be written.
func planFile(dir *os.Root, path, from, to string) (Edit, error) {
	e := Edit{Path: path, Lines: []int{}}
	name := filepath.FromSlash(path)
	if linked(dir, path) {
		return e, nil
	}
	old, fi, err := disk.ReadRegular(dir.OpenFile, name, 0, maxRename)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge) {
			err = nil
		}
		return e, err
	}
	e.old, e.mode = old, fi.Mode().Perm()
	isSpec := strings.HasPrefix(path, ".moai/specs/")
	line := 1
	// By bytes and not by lines or runes: every other byte, a broken one too, stays as it is.
	for rest := e.old; len(rest) > 0; {
		i := bytes.Index(rest, []byte(from))
		if i < 0 {
			e.data = append(e.data, rest...)
			break
		}
		at := len(e.old) - len(rest) + i
		e.data = append(e.data, rest[:i]...)
		line += bytes.Count(rest[:i], []byte{'\n'})
		if names(e.old, at, len(from), isSpec) {
			e.data = append(e.data, to...)
			if n := len(e.Lines); n == 0 || e.Lines[n-1] != line {
				e.Lines = append(e.Lines, line)
			}
		} else {
			e.data = append(e.data, from...)
		}
		rest = rest[i+len(from):]
	}
	return e, nil
}

// isKind reports whether what stands between "@" and an id is a kind with its colon: "CODE:", "MX:NOTE:". An id in it makes what
// follows a part of that id (@CODE:AUTH-001:A-001), and small letters an address (@host:A-001).
func isKind(b []byte) bool {
	if len(b) < 2 || b[len(b)-1] != ':' || !isUpper(b[0]) {
		return false
	}
	for _, c := range b {
		if !isUpper(c) && !isDigit(c) && c != ':' && c != '_' {
			return false
		}
	}
	return true
}

// names reports whether the id at b[at:] is one: behind "@KIND:" or "SPEC-", in SPECs also alone, and not a
// part of a longer word.
func names(b []byte, at, n int, alone bool) bool {
	if end := at + n; end < len(b) && (isAlnum(b[end]) || b[end] == '_' || b[end] == '-' && end+1 < len(b) && isAlnum(b[end+1])) {
		return false
	}
	// Kinds and sub-ids are far shorter; a line of megabytes is not searched for its "@" each time.
	before := b[max(0, at-64):at]
	if bytes.HasSuffix(before, []byte("SPEC-")) {
		return len(before) == 5 || !isAlnum(before[len(before)-6])
	}
	// Any kind counts, also one that no table has: the id is renamed wherever somebody tied something to it.
	if i := bytes.LastIndexByte(before, '@'); i >= 0 && (i == 0 || !isAlnum(before[i-1])) && isKind(before[i+1:]) {
		return true
	}
	return alone && (at == 0 || !isAlnum(b[at-1]) && b[at-1] != '_' && b[at-1] != '-')
}
