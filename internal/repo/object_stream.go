package repo

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zlib"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// ErrChanged says that a file was changed while it was read.
var ErrChanged = errors.New("changed while it was read")

// AddFile stores a big file as a blob without holding it in memory: it is hashed first, and only when the repository lacks it
// read once more into a loose object. f must give size bytes and is left at any position. ErrChanged says that the two readings
// differ; the name is then that of the second, which is stored, or zero where the file did not give that many bytes.
func (w *ObjectWriter) AddFile(f io.ReadSeeker, size int64) (Hash, error) {
	h, err := hashStream(w.s.hs, f, size, io.Discard)
	if err != nil {
		return Hash{}, err
	}
	w.mu.Lock()
	seen := w.seen[h]
	w.mu.Unlock()
	if seen || w.opts.DryRun || !w.apart && w.s.freshen(h, true) {
		return h, nil
	}
	store := w.streamLoose
	if w.apart {
		store = w.streamPacked
	}
	stored, err := store(h, f, size)
	if err != nil {
		return Hash{}, err
	}
	// Not before: whoever adds the same content meanwhile must not rely on what may still fail.
	w.mu.Lock()
	w.seen[stored] = true
	w.mu.Unlock()
	w.written.Add(1)
	w.stored.Add(size)
	if stored != h {
		return stored, ErrChanged
	}
	return h, nil
}

// streamLoose stores a file that was named h as a single file, and names what it stored.
func (w *ObjectWriter) streamLoose(h Hash, f io.ReadSeeker, size int64) (Hash, error) {
	// Where the object will lie: a gc that runs meanwhile removes folders of objects, but none that holds a file.
	t, err := createTemp(filepath.Dir(loosePath(w.s.dirs[0], h)), "tmp_obj_")
	if err != nil {
		return Hash{}, err
	}
	stored, err := w.stream(t, f, size, true)
	if err == nil && !w.opts.NoSync {
		err = t.Sync()
	}
	path := loosePath(w.s.dirs[0], stored)
	if err == nil && stored != h {
		err = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	return stored, finishTemp(t, path, err)
}

// streamPacked is streamLoose with a pack of this one object.
func (w *ObjectWriter) streamPacked(_ Hash, f io.ReadSeeker, size int64) (Hash, error) {
	p, err := w.newPack(1)
	if err != nil {
		return Hash{}, err
	}
	o := &newObject{kind: KindBlob, off: p.off}
	crc := crc32.NewIEEE()
	to := io.MultiWriter(crc, writerFunc(p.write))
	if _, err = to.Write(entryHeader(KindBlob, size)); err == nil {
		o.hash, err = w.stream(to, f, size, false)
	}
	if err != nil {
		p.abort()
		return Hash{}, err
	}
	o.crc = crc.Sum32()
	p.objs = []*newObject{o}
	w.mu.Lock()
	defer w.mu.Unlock()
	return o.hash, w.closePack(p, nil)
}

type writerFunc func([]byte) error

func (f writerFunc) Write(b []byte) (int, error) { return len(b), f(b) }

// stream compresses a file, behind the header of a loose object or without, and names what it has written.
func (w *ObjectWriter) stream(to io.Writer, f io.ReadSeeker, size int64, loose bool) (Hash, error) {
	// Big files are mostly packed already (images, archives): more effort would find nothing.
	z, err := zlib.NewWriterLevel(to, zlib.BestSpeed)
	if err != nil {
		return Hash{}, err
	}
	if loose {
		_, err = z.Write(objectHeader(KindBlob, size))
	}
	var h Hash
	if err == nil {
		h, err = hashStream(w.s.hs, f, size, z)
	}
	return h, errors.Join(err, z.Close())
}

// hashStream names a file and copies it, in one pass. A file that has changed since its name was taken gets another one here,
// which the caller notices.
func hashStream(hashSize int, f io.ReadSeeker, size int64, also io.Writer) (h Hash, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return h, err
	}
	s := newSum(hashSize)
	s.Write(objectHeader(KindBlob, size))
	// The struct hides the file's WriteTo, which would ignore the limit's buffer and cost a system call more per chunk.
	n, err := io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(s, also)}, io.LimitReader(struct{ io.Reader }{f}, size), make([]byte, 128<<10))
	if err != nil {
		return h, err
	}
	if n != size {
		return h, ErrChanged
	}
	s.Sum(h[:0])
	return h, nil
}

// OpenBlob gives the content of a blob as a stream with its size. Loose and whole packed blobs of any size are streamed;
// deltas are rebuilt in memory, which bounds them as Object does. Content that another name belongs to ends with an error: a disk has
// mixed files up.
func (r *Repo) OpenBlob(h Hash) (io.ReadCloser, int64, error) {
	rc, n, err := r.odb().openBlob(h)
	if err != nil {
		return nil, 0, fmt.Errorf("read blob %s: %w", h, err)
	}
	s := newSum(r.hashSize)
	s.Write(objectHeader(KindBlob, n))
	return &named{ReadCloser: rc, sum: s, want: h}, n, nil
}

// named is a stream whose content must have a name at its end.
type named struct {
	io.ReadCloser
	sum  hash.Hash
	want Hash
}

func (n *named) Read(p []byte) (int, error) {
	k, err := n.ReadCloser.Read(p)
	n.sum.Write(p[:k])
	if errors.Is(err, io.EOF) {
		var is Hash
		if n.sum.Sum(is[:0]); is != n.want {
			return k, fmt.Errorf("read blob %s: it holds what belongs to %s", n.want, is)
		}
	}
	return k, err
}

func (s *objectStore) openBlob(h Hash) (io.ReadCloser, int64, error) {
	for _, d := range s.dirs {
		f, _, err := disk.OpenPlain(loosePath(d, h))
		if err != nil {
			continue
		}
		z, k, size, err := looseHeader(f)
		if err != nil || k != KindBlob {
			f.Close()
			break // a pack may hold it, too, and read says what is wrong
		}
		if !pays(s.work, work.Inflate(size)) {
			z.Close()
			f.Close()
			return nil, 0, errCostly
		}
		return &stream{Reader: &exactReader{z, size}, close: []io.Closer{z, f}}, size, nil
	}
	for _, p := range s.packList(false) {
		off, ok := p.find(h)
		if !ok {
			continue
		}
		e, err := p.entry(off)
		// Small ones are faster to read whole, and deltas have to be rebuilt in memory anyhow.
		if err != nil || e.kind != KindBlob || e.size < 1<<20 {
			break
		}
		if !pays(s.work, work.Inflate(e.size)) {
			return nil, 0, errCostly
		}
		z, err := p.body(e)
		if err != nil {
			break
		}
		return &stream{Reader: &exactReader{z, e.size}, close: []io.Closer{z}}, e.size, nil
	}
	k, b, err := s.read(h)
	if err != nil {
		return nil, 0, err
	}
	if k != KindBlob {
		return nil, 0, fmt.Errorf("it is a %s", k)
	}
	return io.NopCloser(&byteReader{b}), int64(len(b)), nil
}

type stream struct {
	io.Reader
	close []io.Closer
}

func (s *stream) Close() (err error) {
	for _, c := range s.close {
		err = errors.Join(err, c.Close())
	}
	return err
}

type byteReader struct{ b []byte }

func (r *byteReader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.b)
	r.b = r.b[n:]
	return n, nil
}

// BlobSize gives the size of a blob's content without inflating it; of a delta only its first bytes are read.
func (r *Repo) BlobSize(h Hash) (int64, error) {
	size, _, err := r.blobSize(h)
	return size, err
}

// blobSize also gives the length of the file where that is a loose object of the repository's own.
func (r *Repo) blobSize(h Hash) (size, length int64, err error) {
	s := r.odb()
	// A repack may have moved the object since the packs were listed; the second look lists them anew.
	for _, fresh := range [...]bool{false, true} {
		for _, p := range s.packList(fresh) {
			if off, ok := p.find(h); ok {
				if n, err := p.contentSize(off); err == nil {
					return n, 0, nil
				}
			}
		}
		for i, d := range s.dirs {
			f, fi, err := disk.OpenPlain(loosePath(d, h))
			if err != nil {
				continue
			}
			size, err := looseSize(f)
			f.Close()
			if err == nil {
				if i == 0 {
					length = fi.Size()
				}
				return size, length, nil
			}
		}
	}
	return 0, 0, fmt.Errorf("size of %s: %w", h, ErrNoObject)
}

// looseSize reads the header of a loose object, and no more of the file than that takes in nearly every one.
func looseSize(f io.ReadSeeker) (int64, error) {
	r := sizeReaders.Get().(*sizeReader)
	defer sizeReaders.Put(r)
	n, err := io.ReadFull(f, r.buf[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	if err := r.begin(r.buf[:n]); err == nil {
		if _, size, err := readHeader(r.z); err == nil {
			return size, nil
		}
	}
	// The first block's tables may not fit into what was read.
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	z, _, size, err := looseHeader(f)
	if err == nil {
		z.Close()
	}
	return size, err
}

// sizeReader is what contentSize and looseSize need, kept between calls: it is asked about every file of a repository.
type sizeReader struct {
	// Enough to begin to inflate nearly every delta: its sizes come first.
	buf [512]byte
	src bytes.Reader
	z   io.ReadCloser
}

// begin lets the reader inflate from the start of b.
func (r *sizeReader) begin(b []byte) (err error) {
	r.src.Reset(b)
	if r.z == nil {
		r.z, err = zlib.NewReader(&r.src)
	} else {
		err = r.z.(zlib.Resetter).Reset(&r.src, nil)
	}
	if err != nil {
		r.z = nil
	}
	return err
}

var sizeReaders = sync.Pool{New: func() any { return new(sizeReader) }}

// contentSize reads the header of an entry. A delta begins with the sizes of base and result, so a few inflated bytes tell.
func (p *pack) contentSize(off int64) (int64, error) {
	if err := p.open(); err != nil {
		return 0, err
	}
	r := sizeReaders.Get().(*sizeReader)
	defer sizeReaders.Put(r)
	n, err := p.data.ReadAt(r.buf[:], off)
	if err != nil && err != io.EOF {
		return 0, err
	}
	e, err := p.parseEntry(r.buf[:n], off)
	if err != nil || e.kind < ofsDelta {
		return e.size, err
	}
	if err := r.begin(r.buf[e.body-off : n]); err != nil {
		return 0, err
	}
	// Two sizes, ten bytes each at most.
	var small [20]byte
	hd := small[:min(e.size, 20)]
	if _, err := io.ReadFull(r.z, hd); err != nil {
		// The first block's tables may not fit into what was read.
		return p.longSize(e)
	}
	return resultSize(hd)
}

func (p *pack) longSize(e packEntry) (int64, error) {
	z, err := p.body(e)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	hd := make([]byte, min(e.size, 20))
	if _, err := io.ReadFull(z, hd); err != nil {
		return 0, err
	}
	return resultSize(hd)
}

// resultSize is the second of the two sizes at the start of a delta.
func resultSize(d []byte) (int64, error) {
	_, rest, err := deltaSize(d)
	if err != nil {
		return 0, err
	}
	n, _, err := deltaSize(rest)
	return n, err
}
