package repo

import (
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/modu-ai/moai/internal/disk"
)

// A shadow is a repository whose Git folder is moai's own, of a folder that is in no repository: nothing is written into that. Its index is
// no stage that somebody works with, but what the last snapshot has seen of each file, so that the next one need not read it again.

// shadowConfig has Git look at the files as they are: nobody's own lists and line ends count there.
const shadowConfig = "[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tautocrlf = false\n\texcludesFile =\n\tattributesFile =\n"

// shadowAttributes say the same to the folder's own .gitattributes.
const shadowAttributes = "* -text -crlf -eol -ident -filter -working-tree-encoding\n"

// OpenShadow opens the shadow of a folder; ErrNone where there is none.
func OpenShadow(workTree, at string) (*Repo, error) {
	if _, ok := gitDir(at); !ok {
		return nil, ErrNone
	}
	r, err := trustedRepo(workTree, at, at)
	if err != nil {
		return nil, err
	}
	r.Shadow, r.WorkTree = true, workTree
	return r, nil
}

// MakeShadow makes the shadow of a folder, or gives the one that is there, in which the lines of exclude are left out.
func MakeShadow(workTree, at string, exclude []string) (*Repo, error) {
	for _, dir := range [...]string{"objects", "refs", "info"} {
		if err := os.MkdirAll(filepath.Join(at, dir), 0o700); err != nil {
			return nil, err
		}
	}
	put := func(text string, name ...string) error {
		path := filepath.Join(at, filepath.Join(name...))
		if was, _, err := disk.ReadFile(path, int64(len(text))); err == nil && string(was) == text {
			return nil
		}
		return maybe.WriteFile(path, []byte(text), 0o600)
	}
	err := errors.Join(put(shadowConfig, "config"), put(shadowAttributes, "info", "attributes"), put(strings.Join(exclude, "\n")+"\n", "info", "exclude"))
	if err == nil {
		err = put("ref: refs/heads/main\n", "HEAD") // last: it is what makes the folder one
	}
	if err != nil {
		return nil, err
	}
	return OpenShadow(workTree, at)
}

// Seen is a file of a shadow as a snapshot has read it. Without a mode it is gone.
type Seen struct {
	Path string
	Mode uint32
	Hash Hash
	Info fs.FileInfo // from before it was read
}

// settling is how old a file must be when it is read: a second write in the same instant would leave the same times.
const settling = 50 * time.Millisecond

// WriteSeen notes in the index of a shadow what has changed since it was read as ix, by a look at the files that began then. What another
// process has noted meanwhile is lost, and so read again.
func (r *Repo) WriteSeen(ix *Index, list []Seen, began time.Time) error {
	if !r.Shadow {
		return errors.New("the index is not moai's to write")
	}
	if len(list) == 0 && !slices.ContainsFunc(ix.entries, func(e entry) bool { sec, _ := e.mtime(); return sec == 0 }) {
		return nil
	}
	root, err := openRoot(r.WorkTree)
	if err != nil {
		return err
	}
	defer root.Close()
	slices.SortFunc(list, func(a, b Seen) int { return strings.Compare(a.Path, b.Path) })
	var body []byte
	n := uint32(0)
	put := func(stat []byte, hash Hash, path string) {
		start := len(body)
		body = append(body, stat...)
		body = append(body, hash[:r.hashSize]...)
		body = binary.BigEndian.AppendUint16(body, uint16(min(len(path), flagName)))
		body = append(body, path...)
		body = append(body, make([]byte, 8-(len(body)-start)%8)...)
		n++
	}
	old := 0
	keep := func(before string, all bool) {
		for ; old < len(ix.entries) && (all || ix.entries[old].name < before); old++ {
			e := &ix.entries[old]
			stat := e.raw[:statSize]
			if sec, _ := e.mtime(); sec == 0 { // what it holds was compared just now
				stat = statOf(root, &Seen{Path: e.name, Mode: e.mode()}, began)
			}
			put(stat, e.hash(r.hashSize), e.name)
		}
	}
	for i := range list {
		one := &list[i]
		keep(one.Path, false)
		for old < len(ix.entries) && ix.entries[old].name == one.Path {
			old++
		}
		if one.Mode == ModeFile || one.Mode == ModeExec || one.Mode == ModeLink {
			put(statOf(root, one, began), one.Hash, one.Path)
		}
	}
	keep("", true)
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("DIRC"), 2), n)
	l, err := r.LockIndex()
	if err != nil {
		return err
	}
	sum := sha1.New()
	for _, b := range [...][]byte{head, body} {
		sum.Write(b)
		_, _ = l.Write(b) // Commit gives the error
	}
	_, _ = l.Write(sum.Sum(nil))
	return l.Commit()
}

// statOf is what an index keeps of a file's state: nothing but the mode where it may have been written since it was read.
func statOf(root folder, one *Seen, began time.Time) []byte {
	b := make([]byte, statSize)
	binary.BigEndian.PutUint32(b[24:], one.Mode)
	var st disk.Stat
	if root.lstatName(one.Path, &st) != opened || one.Info != nil && (st.Size != one.Info.Size() || !st.Modified().Equal(one.Info.ModTime())) {
		return b
	}
	if limit := began.Add(-settling).UnixNano(); st.ModifiedNano() > limit || st.ChangedNano() > limit {
		return b
	}
	for _, f := range [...]struct {
		at  int
		val uint32
	}{{0, uint32(st.Ctime)}, {4, st.CtimeNs}, {8, uint32(st.Mtime)}, {12, st.MtimeNs}, {16, uint32(st.Dev)}, {20, uint32(st.Ino)}, {28, st.UID}, {32, st.GID}, {36, uint32(st.Size)}} {
		binary.BigEndian.PutUint32(b[f.at:], f.val)
	}
	return b
}
