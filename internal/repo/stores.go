package repo

import (
	"context"
	"os"

	"github.com/modu-ai/moai/internal/disk"
)

// A Cleaner says what Git would store for files, as it does before it stores them: line ends, $Id$, LFS and, as far as the index knows
// them, filter programs and encodings. It is for one goroutine.
type Cleaner struct{ cmp *scan }

// Cleaner compares by the index as it is now.
func (r *Repo) Cleaner() (*Cleaner, error) {
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	return r.CleanerOf(ix), nil
}

// CleanerOf is Cleaner by an index that was read.
func (r *Repo) CleanerOf(ix *Index) *Cleaner {
	return &Cleaner{r.newComparison(context.Background(), ix, StatusOptions{})}
}

// Stores says whether Git would store a blob for the file at a path, relative to the work tree and slashed. False where nothing is
// converted there: then the name of the content itself says it.
func (c *Cleaner) Stores(path string, blob Hash) bool {
	conv := c.cmp.r.conversionOf(c.cmp.attrs(), path)
	if conv.none() {
		return false
	}
	root, err := openRoot(c.cmp.r.WorkTree)
	if err != nil {
		return false
	}
	defer root.Close()
	var st disk.Stat
	if root.lstatName(path, &st) != opened || !st.IsRegular() {
		return false
	}
	w := worker{scan: c.cmp}
	if !conv.opaque {
		e := entry{name: path, raw: new([rawSize]byte)}
		copy(e.raw[statSize:], blob[:c.cmp.ix.hashSize])
		same, _ := w.sameContent(&e, &st)
		return same
	}
	// What a program makes of it, Git alone knows, and has noted with the entry.
	i, found := c.cmp.ix.Find(path)
	if !found {
		return false
	}
	e := &c.cmp.ix.entries[i]
	return e.stage() == 0 && e.hash(c.cmp.ix.hashSize) == blob && w.noted(e, &st)
}

// noted says whether a file is as Git has noted it, also where that was in the very instant in which the index was written.
func (w *worker) noted(e *entry, st *disk.Stat) bool {
	sec, ns := e.mtime()
	csec, cns := e.ctime()
	return e.size() == uint32(st.Size) && sec == uint32(st.Mtime) && (ns == 0 || ns == st.MtimeNs) &&
		(!st.Full || w.minimal || !w.ctime || csec == uint32(st.Ctime) && (cns == 0 || cns == st.CtimeNs))
}

// Name is what Git would call a plain file or a link at a path, relative to the work tree and slashed, if it stored it now, its mode and size. ok is false
// for anything else, for files of more than most bytes, and where a filter program alone could tell.
func (c *Cleaner) Name(path string, most int64) (h Hash, mode uint32, size int64, ok bool) {
	full := c.cmp.r.Path(path)
	var indexed Hash
	if i, tracked := c.cmp.ix.Find(path); tracked {
		indexed, mode = c.cmp.ix.At(i).Hash, c.cmp.ix.At(i).Mode
	}
	info, err := os.Lstat(full)
	if err != nil {
		return h, 0, 0, false
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(full)
		return hashBlob([]byte(linkTarget(target)), c.cmp.ix.hashSize), ModeLink, 0, err == nil
	}
	f, info, err := disk.OpenPlain(full)
	if err != nil {
		return h, 0, 0, false
	}
	defer f.Close()
	conv := c.cmp.r.conversionOf(c.cmp.attrs(), path)
	if info.Size() > most || conv.opaque {
		return h, 0, 0, false
	}
	switch {
	case !c.cmp.fileMode && (mode == ModeFile || mode == ModeExec): // as the index has it
	case c.cmp.fileMode && info.Mode()&0o100 != 0:
		mode = ModeExec
	default:
		mode = ModeFile
	}
	w := worker{scan: c.cmp, buf: make([]byte, 64<<10)}
	h, err = w.storedHash(f, info.Size(), conv, indexed)
	return h, mode, info.Size(), err == nil
}
