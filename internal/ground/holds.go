package ground

import (
	"archive/tar"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/work"
)

// Bounds of what is read of an archive. One that holds more is as one that cannot be read.
const (
	maxMembers  = 4096
	maxInflated = 4 << 20 // bytes of a compressed archive
	maxCatalog  = 1 << 20 // bytes of a zip's list of its members
)

// Holds lists the files that an archive or a folder would bring to where it is unpacked or copied, by their paths in it, with slashes. known
// is false for what is neither, and where it cannot be read within the bounds; the first names of a tar are given all the same.
func (g *Facts) Holds(p string) (names []string, known bool) {
	info, looked := g.lstat(p)
	switch {
	case info == nil || !looked:
		return nil, false
	case info.IsDir():
		return g.below(nil, p, "", 0)
	case !info.Mode().IsRegular() || !g.looks.Take(work.Path(p)+work.Read(tarBlock)):
		return nil, false
	}
	f, err := os.Open(p)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	head := make([]byte, tarBlock)
	n, _ := io.ReadFull(f, head)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, false
	}
	switch head = head[:n]; {
	case n > 4 && string(head[:2]) == "PK":
		return g.zipped(f, info.Size())
	case n > 2 && head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, false
		}
		return g.tarred(&charged{r: io.LimitReader(z, maxInflated), looks: g.looks})
	case n == tarBlock && string(head[257:262]) == "ustar":
		return g.tarred(f)
	case n > cpioMagic && strings.HasPrefix(string(head), "0707"):
		return g.cpioed(f, info.Size())
	}
	return nil, false
}

// tarBlock is the size of a tar's pieces; the first says what it is.
const tarBlock = 512

// charged takes what is read through it off an account.
type charged struct {
	r     io.Reader
	looks *work.Account
}

func (c *charged) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if !c.looks.Take(work.Read(int64(n))) {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// tarred lists a tar: what is in its members is stepped over.
func (g *Facts) tarred(r io.Reader) (names []string, known bool) {
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return names, true
		}
		if err != nil || len(names) == maxMembers || !g.looks.Take(work.Read(tarBlock)+len(h.Name)) {
			return names, false
		}
		if h.Typeflag != tar.TypeDir {
			names = append(names, path.Clean(h.Name))
		}
	}
}

// cpioMagic is how many bytes tell the form of a cpio archive.
const cpioMagic = 6

// cpioForm is where the numbers stand that lead through a cpio archive whose headers are text.
type cpioForm struct {
	magic                  string
	base, header, align    int
	modeAt, modeLen        int
	nameAt, nameLen        int
	contentAt, contentSize int
}

var cpioForms = [...]cpioForm{
	{"070701", 16, 110, 4, 14, 8, 94, 8, 54, 8},
	{"070702", 16, 110, 4, 14, 8, 94, 8, 54, 8},
	{"070707", 8, 76, 1, 18, 6, 59, 6, 65, 11},
}

// cpioed lists a cpio archive: what is in its members is stepped over.
func (g *Facts) cpioed(r io.ReaderAt, size int64) (names []string, known bool) {
	const last = "TRAILER!!!"
	head := make([]byte, 128)
	for at := int64(0); at < size; {
		n, _ := r.ReadAt(head, at)
		i := slices.IndexFunc(cpioForms[:], func(f cpioForm) bool { return n >= f.header && string(head[:cpioMagic]) == f.magic })
		if i < 0 || len(names) == maxMembers {
			return nil, false
		}
		f := &cpioForms[i]
		mode, err := strconv.ParseUint(string(head[f.modeAt:f.modeAt+f.modeLen]), f.base, 32)
		length, errLength := strconv.ParseUint(string(head[f.nameAt:f.nameAt+f.nameLen]), f.base, 32)
		content, errContent := strconv.ParseUint(string(head[f.contentAt:f.contentAt+f.contentSize]), f.base, 64)
		if err != nil || errLength != nil || errContent != nil || length == 0 || length > maxPath || content > uint64(size) || !g.looks.Take(work.Read(tarBlock)+int(length)) {
			return nil, false
		}
		name := make([]byte, length)
		if n, _ := r.ReadAt(name, at+int64(f.header)); n < int(length) {
			return nil, false
		}
		text, _, _ := strings.Cut(string(name), "\x00")
		if text == last {
			return names, true
		}
		const kind, folder = 0o170000, 0o040000
		if mode&kind != folder {
			names = append(names, path.Clean(text))
		}
		round := func(n int64) int64 { return (n + int64(f.align) - 1) / int64(f.align) * int64(f.align) }
		at = round(round(at+int64(f.header)+int64(length)) + int64(content))
	}
	return nil, false
}

// zipped lists a zip by the catalog at its end; one over 4 GiB has another.
func (g *Facts) zipped(f *os.File, size int64) (names []string, known bool) {
	const end, entry = 22, 46 // bytes of the fixed parts
	tail := make([]byte, min(size, end+1<<16))
	if !g.looks.Take(work.Read(int64(len(tail)))) {
		return nil, false
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, false
	}
	at := strings.LastIndex(string(tail), "PK\x05\x06")
	if at < 0 || len(tail)-at < end {
		return nil, false
	}
	count, length, offset := int(binary.LittleEndian.Uint16(tail[at+10:])), int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if count > maxMembers || length > maxCatalog || offset+length > size || !g.looks.Take(work.Read(length)) {
		return nil, false
	}
	catalog := make([]byte, length)
	if _, err := f.ReadAt(catalog, offset); err != nil {
		return nil, false
	}
	for len(catalog) > 0 {
		if len(catalog) < entry || string(catalog[:4]) != "PK\x01\x02" {
			return nil, false
		}
		n := int(binary.LittleEndian.Uint16(catalog[28:]))
		rest := entry + n + int(binary.LittleEndian.Uint16(catalog[30:])) + int(binary.LittleEndian.Uint16(catalog[32:]))
		if rest > len(catalog) {
			return nil, false
		}
		if name := string(catalog[entry : entry+n]); !strings.HasSuffix(name, "/") {
			names = append(names, path.Clean(strings.ReplaceAll(name, `\`, "/")))
		}
		catalog = catalog[rest:]
	}
	return names, len(names) <= count
}

// below lists the files below a folder; links are not followed.
func (g *Facts) below(names []string, dir, rel string, deep int) ([]string, bool) {
	if deep > 64 || !g.looks.Take(work.Folder+work.Path(dir)) {
		return nil, false
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(names)+len(list) > maxMembers || !g.looks.Take(len(list)*work.Name) {
		return nil, false
	}
	for _, one := range list {
		name := path.Join(rel, one.Name())
		if !one.IsDir() {
			names = append(names, name)
			continue
		}
		if one.Name() == ".git" {
			continue // rules of their own speak of it
		}
		known := false
		if names, known = g.below(names, filepath.Join(dir, one.Name()), name, deep+1); !known {
			return nil, false
		}
	}
	return names, true
}
