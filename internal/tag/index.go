package tag

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// The index is a file: magic, key, payload, checksum. The payload is the nodes of a tree in short numbers
// and strings. Whatever is wrong with it means no index. The number in the magic goes up whenever the form changes, or what a
// scan finds in the same file: builds from a work tree all have the same version, so the key alone would not tell them apart.
const magic = "moai tags 4\n"

// maxIndex bounds what is read back: a million files with their TAGs stay below it.
const maxIndex = 512 << 20

// indexKey changes with everything but the tree that decides what is found.
func indexKey(o *Options, up *above) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(o.Root + "\x00" + o.Version + "\x00" + o.Grammar.key() + "\x00"))
	for _, e := range o.Exclude {
		h.Write(e)
		h.Write([]byte{0})
	}
	up.hash(h)
	return [sha256.Size]byte(h.Sum(nil))
}

// loadIndex reads the nodes of an index by path.
func loadIndex(name string, key [sha256.Size]byte) map[string]*node {
	// A missing index is an empty one: the caller then finds no old state of any directory, and reads all of them.
	none := map[string]*node{}
	body, ok := readIndex(name, key)
	if !ok {
		return none
	}
	d := decoder{s: body}
	list := make([]node, d.count())
	nodes := make(map[string]*node, len(list))
	for i := range list {
		d.node(&list[i])
		nodes[list[i].path] = &list[i]
	}
	if d.bad {
		return none
	}
	return nodes
}

// readIndex reads the payload, as one string of which all that is decoded are parts. ok is false for whatever
// is no index with that key.
func readIndex(name string, key [sha256.Size]byte) (body string, ok bool) {
	f, err := os.OpenFile(name, os.O_RDONLY|disk.Nonblock, 0)
	if err != nil {
		return "", false
	}
	defer f.Close()
	st, err := f.Stat()
	head := int64(len(magic) + len(key))
	// Four bytes of checksum are the least that follows the head.
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxIndex || st.Size() < head+4 {
		return "", false
	}
	start := make([]byte, head)
	if _, err := io.ReadFull(f, start); err != nil || string(start[:len(magic)]) != magic || [sha256.Size]byte(start[len(magic):]) != key {
		return "", false
	}
	var b strings.Builder
	b.Grow(int(st.Size() - head))
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(io.MultiWriter(&b, sum), f, st.Size()-head-4); err != nil {
		return "", false
	}
	var want [4]byte
	_, err = io.ReadFull(f, want[:])
	return b.String(), err == nil && sum.Sum32() == binary.LittleEndian.Uint32(want[:])
}

// saveIndex replaces the index file as a whole. It is not flushed to disk: after a power cut a damaged one
// is rebuilt.
func saveIndex(name string, key [sha256.Size]byte, nodes []*node) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return cause(err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return cause(err)
	}
	err = writeIndex(f, key, nodes)
	if err = errors.Join(err, f.Close()); err == nil {
		err = state.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return cause(err)
	}
	return nil
}

// writeIndex writes a node at a time: the whole of a large index would be in memory twice.
func writeIndex(f *os.File, key [sha256.Size]byte, nodes []*node) error {
	out := bufio.NewWriterSize(f, 1<<16)
	_, _ = out.WriteString(magic) // what fails is said by Flush
	_, _ = out.Write(key[:])
	sum := crc32.NewIEEE()
	body := io.MultiWriter(out, sum)
	var e encoder
	e.number(uint64(len(nodes)))
	for _, n := range nodes {
		e.node(n)
		// In parts of 32 KB: the sum and the buffered writer both cost a call a part.
		if len(e.b) >= 1<<15 {
			_, _ = body.Write(e.b)
			e.b = e.b[:0]
		}
	}
	_, _ = body.Write(e.b)
	var end [4]byte
	binary.LittleEndian.PutUint32(end[:], sum.Sum32())
	_, _ = out.Write(end[:])
	return out.Flush()
}

// cause takes the paths off an error: they name a temporary file.
func cause(err error) error {
	var p *os.PathError
	var l *os.LinkError // of a rename
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
