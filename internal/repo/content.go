package repo

import (
	"bytes"
	"crypto/sha1" // Git's object names
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/work"
)

// newHash is the hash of a repository with names of size bytes.
func newHash(size int) hash.Hash {
	if size == sha256Size {
		return sha256.New()
	}
	return sha1.New() // Git's object names
}

// hashBlob names b as a blob.
func hashBlob(b []byte, size int) (h Hash) {
	s := newHash(size)
	s.Write(blobHeader(int64(len(b))))
	s.Write(b)
	s.Sum(h[:0])
	return h
}

func blobHeader(size int64) []byte {
	b := append(make([]byte, 0, 32), "blob "...)
	return append(strconv.AppendInt(b, size, 10), 0)
}

// eolAction is what git does to line ends when it stores a file.
type eolAction uint8

const (
	eolKeep eolAction = iota
	eolText           // CRLF becomes LF
	eolAuto           // the same, if it looks like text and is not stored with CRLF already
)

// conversion is all that git does to a file between the work tree and the object.
type conversion struct {
	eol    eolAction
	ident  bool
	lfs    bool // a pointer is stored in place of the content
	opaque bool // a filter program or a re-encoding, which are not run here
}

func (c conversion) none() bool { return c == conversion{} }

// conversionOf reads attributes and configuration as git's convert.c does.
func (r *Repo) conversionOf(attrs *ignore.Attributes, path string) (c conversion) {
	// All at once: each look-up walks the attribute files of every folder above.
	v := attrs.Lookup(path, "text", "crlf", "eol", "ident", "filter", "working-tree-encoding")
	text, crlf, eol, ident, filter, encoding := v[0], v[1], v[2], v[3], v[4], v[5]
	cfg := r.Config()
	if filter.IsString() {
		clean := cfg.String("filter." + string(filter) + ".clean")
		process := cfg.String("filter." + string(filter) + ".process")
		switch {
		// What LFS stores can be computed without running it: the hash and the size of the content.
		case strings.Contains(clean, "git-lfs clean") || strings.Contains(process, "git-lfs filter-process"):
			c.lfs = true
		case clean != "" || process != "":
			c.opaque = true
		}
	}
	if encoding.IsString() && !strings.EqualFold(string(encoding), "utf-8") && !strings.EqualFold(string(encoding), "utf8") {
		c.opaque = true
	}
	c.ident = ident == ignore.Set
	action, known := eolOf(text)
	// In the order of convert_attrs in Git's convert.c: text, its old name crlf, eol, then the configuration.
	if !known {
		action, known = eolOf(crlf)
	}
	if !known && (eol == "lf" || eol == "crlf") {
		action, known = eolText, true
	}
	if !known {
		auto := cfg.String("core.autocrlf")
		if cfg.Bool("core.autocrlf", false) || strings.EqualFold(auto, "input") {
			action = eolAuto
		}
	}
	c.eol = action
	return c
}

// eolOf reads the text attribute, or crlf, its old name.
func eolOf(v ignore.Value) (a eolAction, known bool) {
	switch v {
	case ignore.Set, "input":
		return eolText, true
	case ignore.Unset:
		return eolKeep, true
	case "auto":
		return eolAuto, true
	}
	return eolKeep, false
}

// maxIdent bounds a file with the ident attribute, which is read as a whole.
const maxIdent = 32 << 20

// sameContent compares a file with its entry by what git would store for it. known is
// false when that cannot be told without running a filter; same is false then too.
func (w *worker) sameContent(e *entry, st *disk.Stat) (same, known bool) {
	want := e.hash(w.ix.hashSize)
	path := w.r.Path(e.name)
	if st.IsLink() {
		target, err := os.Readlink(path)
		return err == nil && hashBlob([]byte(linkTarget(target)), w.ix.hashSize) == want, true
	}
	if w.hashes.holds(e.name, st, want) && w.r.conversionOf(w.attrs(), e.name).none() {
		return true, true
	}
	f, fi, err := disk.OpenPlain(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return false, true // replaced since it was looked at
	}
	if err != nil {
		w.unreadable = append(w.unreadable, e.name)
		return false, true
	}
	defer f.Close()
	// More than there is work for is not begun with.
	if !w.o.Work.Fits(work.Hash(fi.Size())) && w.o.Work.Take(work.Hash(fi.Size())) || !w.afford(2*work.Look) {
		return false, true
	}
	// Attributes are looked up only here, for the few files whose times do not match.
	c := w.r.conversionOf(w.attrs(), e.name)
	if c.opaque {
		return false, false
	}
	if w.buf == nil {
		w.buf = make([]byte, 64<<10)
	}
	got, err := w.storedHash(f, fi.Size(), c, want)
	// The walk is over: its answer is partial, and this file is no part of it.
	if err == errStopped {
		return true, true // not known any more, and nothing is listed that is not known
	}
	same = err == nil && got == want
	if same && c.none() {
		w.hashes.note(e.name, st, want)
	}
	return same, err != errApproximate
}

// storedHash names the blob that git would store for an open file. indexed is the blob
// that the index has, whose line ends matter for automatic conversion.
func (w *worker) storedHash(f *os.File, size int64, c conversion, indexed Hash) (h Hash, err error) {
	switch {
	case c.none():
		return w.streamHash(f, size, nil)
	case c.lfs:
		b, err := w.lfsPointer(f, size)
		if err != nil || b != nil {
			return hashBlob(b, w.ix.hashSize), err
		}
		return w.streamHash(f, size, nil)
	case c.ident:
		// Bigger files with keywords in them have not been seen; they are called approximate, not read.
		if size > maxIdent {
			return h, errApproximate
		}
		b, err := io.ReadAll(io.LimitReader(f, maxIdent+1))
		if err != nil {
			return h, err
		}
		var stats eolStats
		stats.add(b)
		if w.strips(c.eol, &stats, indexed) {
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		}
		return hashBlob(foldIdent(b), w.ix.hashSize), nil
	}
	// Two passes keep memory flat: what is in the file, then its name.
	var stats eolStats
	if err := w.read(f, func(b []byte) { stats.add(b) }); err != nil {
		return h, err
	}
	// The first pass has read to the end.
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return h, err
	}
	if !w.strips(c.eol, &stats, indexed) {
		return w.streamHash(f, stats.size, nil)
	}
	return w.streamHash(f, stats.size-stats.crlf, &crlfStripper{})
}

// strips decides whether carriage returns before line feeds are dropped.
func (w *worker) strips(a eolAction, s *eolStats, indexed Hash) bool {
	if a == eolKeep || s.crlf == 0 {
		return false
	}
	if a == eolText {
		return true
	}
	if s.binary() {
		return false
	}
	// A file that was stored with CRLF once stays so: git's safe autocrlf.
	k, b, err := w.r.Object(indexed)
	if err != nil || k != KindBlob {
		return true
	}
	var old eolStats
	old.add(b)
	return old.crlf == 0 || old.binary()
}

// read feeds the whole file to fn in pieces; it gives up when the walk is stopped.
func (w *worker) read(f io.Reader, fn func([]byte)) error {
	for {
		n, err := f.Read(w.buf)
		w.afford(work.Hash(int64(n)) - work.Look)
		fn(w.buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if w.stop.Load() {
			return errStopped
		}
	}
}

// streamHash hashes a file of which size bytes are stored. A file that changes its size
// meanwhile gets a wrong name and so counts as changed, which it is.
func (w *worker) streamHash(f io.Reader, size int64, strip *crlfStripper) (h Hash, err error) {
	s := newHash(w.ix.hashSize)
	s.Write(blobHeader(size))
	err = w.read(f, func(b []byte) {
		if strip != nil {
			b = strip.strip(b, s)
		}
		s.Write(b)
	})
	if strip != nil && strip.pending {
		s.Write([]byte{'\r'})
	}
	s.Sum(h[:0])
	return h, err
}

// lfsPointer computes what git-lfs would store: a pointer with the SHA-256 and the size, or
// nil when the file is empty or a pointer already, which stay as they are.
func (w *worker) lfsPointer(f *os.File, size int64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	const version = "version https://git-lfs.github.com/spec/v1\n"
	// A pointer is shorter than that by LFS's own specification.
	if size < 1024 {
		b, err := io.ReadAll(io.LimitReader(f, 1024))
		if err != nil {
			return nil, err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		// A file that was not fetched is a pointer on disk, too, and is stored as it is.
		if bytes.HasPrefix(b, []byte(version)) {
			return nil, nil
		}
	}
	s := sha256.New()
	var n int64
	if err := w.read(f, func(b []byte) { n += int64(len(b)); s.Write(b) }); err != nil {
		return nil, err
	}
	b := append([]byte(version), "oid sha256:"...)
	b = append(b, HashOf(s.Sum(nil)).String()...)
	b = append(b, "\nsize "...)
	b = strconv.AppendInt(b, n, 10)
	return append(b, '\n'), nil
}

// foldIdent turns $Id: anything$ on one line back into $Id$.
func foldIdent(b []byte) []byte {
	if !bytes.Contains(b, []byte("$Id:")) {
		return b
	}
	out := make([]byte, 0, len(b))
	for {
		i := bytes.Index(b, []byte("$Id:"))
		if i < 0 {
			return append(out, b...)
		}
		end := bytes.IndexByte(b[i+4:], '$')
		if end < 0 {
			return append(out, b...)
		}
		if bytes.IndexByte(b[i+4:i+4+end], '\n') >= 0 {
			out = append(out, b[:i+1]...)
			b = b[i+1:]
			continue
		}
		out = append(append(out, b[:i]...), "$Id$"...)
		b = b[i+4+end+1:]
	}
}
