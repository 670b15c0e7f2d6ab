package repo

import (
	"context"

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
	return &Cleaner{r.newComparison(context.Background(), ix, StatusOptions{})}, nil
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
