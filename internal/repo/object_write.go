package repo

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zlib"
)

func newSum(hashSize int) hash.Hash {
	if hashSize == sha256Size {
		return sha256.New()
	}
	return sha1.New()
}

// HashObject names an object as Git does: SHA-1 or SHA-256, by the size of names, over "kind size\0content".
func HashObject(hashSize int, k Kind, b []byte) (h Hash) {
	s := newSum(hashSize)
	s.Write(objectHeader(k, int64(len(b))))
	s.Write(b)
	s.Sum(h[:0])
	return h
}

func objectHeader(k Kind, size int64) []byte {
	hd := make([]byte, 0, 32)
	hd = append(hd, k.String()...)
	hd = append(hd, ' ')
	hd = strconv.AppendInt(hd, size, 10)
	return append(hd, 0)
}

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
	NoSync bool // skip fsync: for tests and for content that can be made again
}

// An ObjectWriter collects new objects and stores those that the repository does not have yet: as loose files when they are
// few, as one pack when they are many. Nothing can be seen by others before Flush has returned, unless the content exceeds
// the memory window, and even then only as unreferenced objects. It is safe for concurrent use.
type ObjectWriter struct {
	s    *objectStore
	opts WriteOptions

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
	return &ObjectWriter{s: r.odb(), opts: o, seen: map[Hash]bool{}, trees: map[Hash][]byte{}}
}

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
	w.mu.Unlock()
	if w.opts.DryRun || w.s.freshen(h) {
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
		w.spill, w.err = newPackWriter(w.s, 0, !w.opts.NoSync)
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

// Flush stores everything that was added. Only after it has returned without error may a reference name these objects.
func (w *ObjectWriter) Flush() error {
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
			w.err = w.spill.close()
			w.spill = nil
		}
	case len(w.pending) > looseLimit:
		p, err := newPackWriter(w.s, len(w.pending), !w.opts.NoSync)
		if err == nil {
			if err = p.append(w.pending); err == nil {
				err = p.close()
			} else {
				p.abort()
			}
		}
		if w.err = err; err == nil {
			w.count()
		}
	default:
		if w.err = w.loose(); w.err == nil {
			w.count()
		}
	}
	if w.err != nil {
		w.abort()
		return fmt.Errorf("store objects: %w", w.err)
	}
	return nil
}

// Abort gives up and removes what is half written.
func (w *ObjectWriter) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.abort()
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

func (w *ObjectWriter) loose() error {
	dir := w.s.dirs[0]
	errs := make([]error, len(w.pending))
	fault := Parallel(len(w.pending), func(i int) {
		o := w.pending[i]
		z := deflate(nil, objectHeader(o.kind, int64(o.size)), o.raw)
		errs[i] = writeLoose(dir, o.hash, z, !w.opts.NoSync)
	})
	if fault != nil {
		return fault
	}
	for _, err := range errs {
		if err != nil {
			return err // they are all the same: no space, no permission
		}
	}
	return nil
}

// writeLoose places a finished object file. The temporary name is one that `git prune` knows and clears away after a crash.
func writeLoose(dir string, h Hash, z []byte, sync bool) error {
	path := loosePath(dir, h)
	f, err := createTemp(filepath.Dir(path), "tmp_obj_", 0o444)
	if err != nil {
		return err
	}
	_, err = f.Write(z)
	return finishTemp(f, path, sync, err)
}

// createTemp makes a new file in dir, and dir itself when it is missing. A gc that runs meanwhile removes empty directories,
// hence the second try.
func createTemp(dir, prefix string, mode os.FileMode) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(dir, prefix+strconv.Itoa(os.Getpid())+"_"+strconv.FormatInt(tempSeq.Add(1), 36)+strconv.FormatInt(time.Now().UnixNano(), 36))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err == nil || try == 5 {
			return f, err
		}
		switch {
		case errors.Is(err, os.ErrNotExist):
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, err
			}
		case !errors.Is(err, os.ErrExist):
			return nil, err
		}
	}
}

// tempSeq makes temporary names of one process differ.
var tempSeq atomic.Int64

// finishTemp syncs, closes and renames a temporary file, or removes it when anything went wrong before or does now.
func finishTemp(f *os.File, path string, sync bool, err error) error {
	if err == nil && sync {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
		if err != nil && fileExists(path) {
			// Windows does not rename onto a file that somebody reads; the same object is there already.
			err = nil
			os.Remove(f.Name())
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// syncDir makes a rename in dir durable. Windows and some network file systems cannot, and then it is nobody's fault.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// freshen reports whether the object is stored, and touches the file that holds it, as git does: a gc keeps unreferenced
// objects for as long as their file is young, and ours is not referenced before the very end. A file that cannot be touched
// does not count, the object is then written once more.
func (s *objectStore) freshen(h Hash) bool {
	now := time.Now()
	for _, d := range s.dirs {
		if os.Chtimes(loosePath(d, h), now, now) == nil {
			return true
		}
	}
	for _, p := range s.packList(false) {
		if _, ok := p.find(h); ok && p.touch(now) {
			return true
		}
	}
	return false
}

// touch freshens the pack once per process.
func (p *pack) touch(now time.Time) bool {
	p.touched.Do(func() { p.young = os.Chtimes(p.path, now, now) == nil })
	return p.young
}

// Parallel calls f(0) … f(n-1) on as many goroutines as there are processors. Its error is that f panicked; some calls may then
// not have been made.
func Parallel(n int, f func(i int)) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		return guard(func() {
			for i := range n {
				f(i)
			}
		})
	}
	faults := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			faults[k] = guard(func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					f(i)
				}
			})
		})
	}
	wg.Wait()
	return cmp.Or(faults...)
}

// A deflater is a compressor with the buffer that it fills.
type deflater struct {
	z   *zlib.Writer
	buf bytes.Buffer
}

// deflaters keeps one compressor per goroutine alive: making one costs more than compressing a source file.
var deflaters = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	return &deflater{z: z}
}}

// deflate gives start, as it is, and the parts as one zlib stream. Level 1 is what git's own pack.compression=1 would give; higher
// levels cost more time than the smaller file saves, and no compression costs it when the file is synced.
func deflate(start []byte, parts ...[]byte) []byte {
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	d.buf.Reset()
	d.buf.Write(start)
	d.z.Reset(&d.buf)
	for _, p := range parts {
		d.z.Write(p) // a bytes.Buffer does not fail
	}
	d.z.Close()
	return bytes.Clone(d.buf.Bytes())
}
