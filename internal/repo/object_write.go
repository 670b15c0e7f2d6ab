package repo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	// looseLimit is how many new objects are written as single files; more become one pack. Measured: a loose object costs a
	// create, a write, an fsync and a rename, a pack of a thousand costs about as much as twenty of them.
	looseLimit = 20
	// windowBytes bounds the content that waits in memory. Past it the writer starts a pack and keeps appending to it.
	windowBytes = 32 << 20
)

// WriteOptions say how objects are stored.
type WriteOptions struct {
	DryRun bool // name objects, store nothing
	Apart  bool // as if a gc ran already, see ObjectWriter.Apart
	NoSync bool // skip fsync: for tests and for content that can be made again
}

// An ObjectWriter collects new objects and stores those that the repository does not have yet: as loose files when they are
// few, as one pack when they are many. Nothing can be seen by others before Flush has returned, unless the content exceeds
// the memory window, and even then only as unreferenced objects. It is safe for concurrent use.
type ObjectWriter struct {
	s     *objectStore
	opts  WriteOptions
	apart bool
	kept  []string // .keep files of the packs

	mu      sync.Mutex
	seen    map[Hash]bool
	pending []*newObject
	bytes   int64 // held in memory by pending
	missing int   // objects that the repository did not have
	spill   *packWriter
	trees   map[Hash][]byte
	err     error

	written atomic.Int64 // objects stored
	stored  atomic.Int64 // bytes of content in them
}

type newObject struct {
	kind Kind
	hash Hash
	raw  []byte
	z    []byte // compressed, with the header that the target needs
	size int
	crc  uint32
	off  int64
}

// NewWriter starts a set of new objects.
func (r *Repo) NewWriter(o WriteOptions) *ObjectWriter {
	return &ObjectWriter{s: r.odb(), opts: o, apart: !o.DryRun && (o.Apart || r.Collecting()), seen: map[Hash]bool{}, trees: map[Hash][]byte{}}
}

// Apart says whether all that is added goes into packs with a .keep file, what is stored already as well: a gc ran when the writer began.
// A gc takes nothing of these, even where it looks for what is in use before a reference names them, as Git's own fetch has it. The file
// goes with Abort.
func (w *ObjectWriter) Apart() bool { return w.apart }

// Objects and Bytes say how much has been stored so far: objects, and their content before compression.
func (w *ObjectWriter) Objects() int { return int(w.written.Load()) }

// Bytes is the size of the stored content before compression.
func (w *ObjectWriter) Bytes() int64 { return w.stored.Load() }

// Add names the object and stores it with the next Flush unless the repository has it. The bytes of a blob may be used again
// after the call; those of other kinds are the writer's.
func (w *ObjectWriter) Add(k Kind, b []byte) (Hash, error) {
	h := HashObject(w.s.hs, k, b)
	return h, w.addNamed(k, h, b)
}

// addNamed keeps an object whose name is known until Flush, or until the window is full. What the repository has is freshened and
// forgotten: a gc that runs beside this could take it away otherwise.
func (w *ObjectWriter) addNamed(k Kind, h Hash, b []byte) error {
	w.mu.Lock()
	if w.seen[h] {
		w.mu.Unlock()
		return nil
	}
	w.seen[h] = true
	if k == KindTree {
		w.trees[h] = b
	}
	single := w.missing <= looseLimit
	w.mu.Unlock()
	if w.opts.DryRun || !w.apart && w.s.freshen(h, single) {
		return nil
	}
	o := &newObject{kind: k, hash: h, raw: b, size: len(b)}
	w.mu.Lock()
	w.missing++
	packed := w.missing > looseLimit
	w.mu.Unlock()
	switch {
	case k == KindBlob && packed:
		// There will be a pack in any case, and the content is in the processor's cache now. Trees are made one after the
		// other; they are left for Flush, which has all processors to itself.
		o.pack()
	case k == KindBlob:
		o.raw = bytes.Clone(b)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, o)
	w.bytes += int64(len(o.raw) + len(o.z))
	if w.bytes < windowBytes {
		return w.err
	}
	if w.spill == nil && w.err == nil {
		w.spill, w.err = w.newPack(0)
	}
	if w.err == nil {
		w.err = w.window()
	}
	return w.err
}

// window moves what is pending into the open pack.
func (w *ObjectWriter) window() error {
	if err := w.spill.append(w.pending); err != nil {
		return err
	}
	w.count()
	return nil
}

func (w *ObjectWriter) count() {
	w.written.Add(int64(len(w.pending)))
	for _, o := range w.pending {
		w.stored.Add(int64(o.size))
	}
	w.pending, w.bytes = nil, 0
}

// Added reports an object that was added to this writer, stored or not.
func (w *ObjectWriter) Added(h Hash) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[h]
}

// Tree reads a tree that was added to this writer or that the repository has.
func (w *ObjectWriter) Tree(r *Repo, h Hash) ([]TreeEntry, error) {
	w.mu.Lock()
	b, ok := w.trees[h]
	w.mu.Unlock()
	if ok {
		return ParseTree(w.s.hs, b)
	}
	return r.Tree(h)
}

// Has says whether the object is stored, or waits in this writer.
func (w *ObjectWriter) Has(h Hash) bool {
	w.mu.Lock()
	seen := w.seen[h]
	w.mu.Unlock()
	return seen || w.s.has(h)
}

// Flush stores everything that was added. Only after it has returned without error may a reference name these objects. What
// the caller has to wait for besides, such as references that have been written under another name, waits at the same time.
func (w *ObjectWriter) Flush(beside ...func()) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		w.abort()
		return w.err
	}
	switch {
	case w.spill != nil:
		w.err = w.window()
		if w.err == nil {
			w.err = w.closePack(w.spill, beside)
			w.spill = nil
		}
	// Nothing has been written so far, and the number is known: the header is right from the start.
	case len(w.pending) > looseLimit, w.apart && len(w.pending) > 0:
		p, err := w.newPack(len(w.pending))
		if err == nil {
			if err = p.append(w.pending); err == nil {
				err = w.closePack(p, beside)
			} else {
				p.abort()
			}
		}
		if w.err = err; err == nil {
			w.count()
		}
	default:
		if w.err = w.loose(beside); w.err == nil {
			w.count()
		}
	}
	if w.err != nil {
		w.abort()
		return fmt.Errorf("store objects: %w", w.err)
	}
	return nil
}

func (w *ObjectWriter) newPack(n int) (*packWriter, error) {
	p, err := newPackWriter(w.s, n, !w.opts.NoSync)
	if err == nil {
		p.keep = w.apart
	}
	return p, err
}

func (w *ObjectWriter) closePack(p *packWriter, beside []func()) error {
	err := p.close(beside)
	if p.path != "" {
		w.kept = append(w.kept, p.path)
	}
	return err
}

// Abort ends the writer: it removes what is half written, and lets the next gc look at packs that were kept from it.
func (w *ObjectWriter) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.abort()
	for _, path := range w.kept {
		_ = os.Remove(path)
	}
	w.kept = nil
}

func (w *ObjectWriter) abort() {
	if w.spill != nil {
		w.spill.abort()
		w.spill = nil
	}
	w.pending = nil
	if w.err == nil {
		w.err = errors.New("writer was aborted")
	}
}
