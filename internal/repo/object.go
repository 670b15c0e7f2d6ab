package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// Kind is the type of a Git object, by its number in a pack.
type Kind uint8

// The four kinds of object. Zero is no kind; 6 and 7 exist only inside packs (deltas) and never leave this package.
const (
	KindCommit Kind = 1
	KindTree   Kind = 2
	KindBlob   Kind = 3
	KindTag    Kind = 4
)

// String gives the word that Git hashes in front of an object.
func (k Kind) String() string {
	switch k {
	case KindCommit:
		return "commit"
	case KindTree:
		return "tree"
	case KindBlob:
		return "blob"
	case KindTag:
		return "tag"
	}
	return "unknown"
}

func parseKind(s string) (Kind, bool) {
	for k := KindCommit; k <= KindTag; k++ {
		if k.String() == s {
			return k, true
		}
	}
	return 0, false
}

var (
	// ErrNoObject says that neither loose files, packs nor alternates hold the object. In a partial clone this is normal for blobs.
	ErrNoObject = errors.New("object not found")
	// ErrObjectTooBig says that an object is larger than Object returns in memory; OpenBlob streams it.
	ErrObjectTooBig = errors.New("object too big to hold in memory")
)

// maxObject bounds what one object may take in memory. Sizes come from files that anybody may have written.
const maxObject = 256 << 20

const (
	// maxAlternates is git's own limit on the nesting of objects/info/alternates.
	maxAlternates = 5
	// maxStores bounds the folders of objects of one repository; a clone of a clone has three.
	maxStores = 100
)

// odb opens the repository's objects on first use.
func (r *Repo) odb() *objectStore {
	r.objectsOnce.Do(func() { r.objects = newObjectStore(filepath.Join(r.CommonDir, "objects"), r.hashSize, r.work) })
	return r.objects
}

// objectStore finds objects. It is safe for concurrent use.
type objectStore struct {
	dirs []string // the objects directory, then its alternates
	hs   int      // bytes in a name: 20 or 32
	work *work.Account

	mu     sync.Mutex
	packs  []*pack
	loaded bool
}

// newObjectStore prepares the store below dir (the repository's objects directory). Nothing but alternates is read yet.
func newObjectStore(dir string, hashSize int, a *work.Account) *objectStore {
	s := &objectStore{hs: hashSize, work: a}
	s.addDir(dir, 0)
	return s
}

// addDir adds a folder of objects and those that it borrows from, each once: they may borrow from each other.
func (s *objectStore) addDir(dir string, depth int) {
	if slices.Contains(s.dirs, dir) || len(s.dirs) == maxStores {
		return
	}
	s.dirs = append(s.dirs, dir)
	if depth >= maxAlternates {
		return
	}
	for _, other := range alternates(dir) {
		s.addDir(other, depth+1)
	}
}

// alternates lists the folders of objects that one borrows from, as many as are looked at: gitrepository-layout(5),
// objects/info/alternates.
func alternates(objects string) []string {
	var out []string
	for line := range strings.Lines(string(readBounded(filepath.Join(objects, "info", "alternates")))) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		// git writes a path with odd bytes as a C string; strconv reads the same escapes.
		if line[0] == '"' {
			if u, err := strconv.Unquote(line); err == nil {
				line = u
			}
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(objects, line)
		}
		if out = append(out, filepath.Clean(line)); len(out) == maxStores {
			break
		}
	}
	return out
}

// packList returns the packs, reading the directories on first use or again when fresh is set: a repack by another process
// moves objects while we look.
func (s *objectStore) packList(fresh bool) []*pack {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded && !fresh {
		return s.packs
	}
	known := make(map[string]*pack, len(s.packs))
	for _, p := range s.packs {
		known[p.path] = p
	}
	var packs []*pack
	for _, d := range s.dirs {
		names, _ := os.ReadDir(filepath.Join(d, "pack"))
		for _, n := range names {
			base, ok := strings.CutSuffix(n.Name(), ".idx")
			if !ok {
				continue
			}
			path := filepath.Join(d, "pack", base+".pack")
			if p := known[path]; p != nil {
				packs = append(packs, p)
			} else if p, err := openPack(path, s.hs, s.work); err == nil {
				packs = append(packs, p)
			}
		}
	}
	s.packs, s.loaded = packs, true
	return packs
}

// loosePath is where a loose object lies: two digits of its name are the folder, so that none gets too long.
func loosePath(dir string, h Hash) string {
	x := h.String()
	return dir + string(os.PathSeparator) + x[:2] + string(os.PathSeparator) + x[2:]
}

// Object returns the kind and the content of an object. It reads loose files, packs and alternates, and lists the packs once
// more before it answers ErrNoObject. Content above 256 MiB is ErrObjectTooBig.
func (r *Repo) Object(h Hash) (Kind, []byte, error) {
	k, b, err := r.odb().read(h)
	switch {
	case errors.Is(err, ErrObjectTooBig), errors.Is(err, errCostly), errors.Is(err, fs.ErrPermission):
		return 0, nil, fmt.Errorf("read object %s: %w", h, err)
	case err != nil:
		return 0, nil, &Damaged{What: "read object " + h.String(), Err: err, Advice: "git fsck"}
	}
	return k, b, nil
}

// HasObject reports whether the object is there, without reading it.
func (r *Repo) HasObject(h Hash) bool {
	return r.odb().has(h)
}

func (s *objectStore) has(h Hash) bool {
	for _, fresh := range [...]bool{false, true} {
		for _, p := range s.packList(fresh) {
			if _, ok := p.find(h); ok {
				return true
			}
		}
		if fresh {
			break
		}
		for _, d := range s.dirs {
			if _, err := os.Lstat(loosePath(d, h)); err == nil {
				return true
			}
		}
	}
	return false
}

func (s *objectStore) read(h Hash) (Kind, []byte, error) {
	err := error(ErrNoObject)
	// Packs first: in a repository that has been collected once, nearly everything is there and costs no failing open.
	for _, fresh := range [...]bool{false, true} {
		for _, p := range s.packList(fresh) {
			off, ok := p.find(h)
			if !ok {
				continue
			}
			k, b, e := p.object(off)
			if e == nil {
				return k, b, nil
			}
			// The pack may have been deleted by a repack since it was listed; another copy may exist.
			err = e
		}
		for _, d := range s.dirs {
			k, b, e := s.readLoose(loosePath(d, h))
			if e == nil {
				return k, b, nil
			}
			// Damage is worth more to whoever asks than that other places do not have it.
			if !errors.Is(e, os.ErrNotExist) {
				err = e
			}
		}
	}
	return 0, nil, err
}

// readLoose reads a loose object as a whole; bigger ones are streamed.
func (s *objectStore) readLoose(path string) (Kind, []byte, error) {
	f, _, err := disk.OpenPlain(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	z, k, size, err := looseHeader(f)
	if err != nil {
		return 0, nil, err
	}
	defer z.Close()
	b, err := readSized(z, size, s.work)
	return k, b, err
}

// looseHeader reads "kind size\0" and leaves the reader at the content.
func looseHeader(f io.Reader) (io.ReadCloser, Kind, int64, error) {
	z, err := inflate(f)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("loose object: %w", err)
	}
	k, size, err := readHeader(z)
	if err != nil {
		return nil, 0, 0, err
	}
	return z, k, size, nil
}

// readHeader reads the header of what a loose object inflates to.
func readHeader(z io.Reader) (Kind, int64, error) {
	var hd [32]byte
	n := 0
	for ; n < len(hd); n++ {
		if _, err := io.ReadFull(z, hd[n:n+1]); err != nil {
			return 0, 0, fmt.Errorf("loose object: %w", err)
		}
		// A byte at a time: what follows the header must stay in the reader.
		if hd[n] == 0 {
			break
		}
	}
	word, num, _ := strings.Cut(string(hd[:n]), " ")
	k, ok := parseKind(word)
	size, err := strconv.ParseInt(num, 10, 64)
	if !ok || err != nil || size < 0 || n == len(hd) {
		return 0, 0, errors.New("loose object: bad header")
	}
	return k, size, nil
}

// pays charges n units. What does not fit leaves the account to others, less the look that was taken.
func pays(a *work.Account, n int) bool {
	if !a.Fits(n) {
		a.Take(4 * work.Look)
		return false
	}
	return a.Take(n)
}

// readSized reads exactly size bytes. Memory grows with what really arrives, so that a false size costs nothing.
func readSized(r io.Reader, size int64, a *work.Account) ([]byte, error) {
	if size > maxObject {
		return nil, ErrObjectTooBig
	}
	if !pays(a, work.Inflate(size)) {
		return nil, errCostly
	}
	whole := exactReader{r, size}
	if size <= 1<<20 {
		b := make([]byte, size)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		whole.left = 0
		return b, whole.end()
	}
	var buf bytes.Buffer
	_, err := io.Copy(&buf, &whole)
	return buf.Bytes(), err
}

// exactReader gives the content of an object of a known size, and reads on to the end of the stream: zlib checks its sum there,
// and nowhere before. Content that the sum does not confirm must not be taken for what was stored.
type exactReader struct {
	r    io.Reader
	left int64
}

func (e *exactReader) Read(b []byte) (int, error) {
	if e.left == 0 {
		if err := e.end(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := e.r.Read(b[:min(int64(len(b)), e.left)])
	e.left -= int64(n)
	if err == io.EOF {
		if err = nil; e.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

// end is nil when the stream ends here and is sound.
func (e *exactReader) end() error {
	var more [1]byte
	switch n, err := io.ReadFull(e.r, more[:]); {
	case n > 0:
		return errors.New("the object is longer than it says")
	case err != io.EOF:
		return err
	}
	return nil
}
