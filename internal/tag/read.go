package tag

import (
	"bytes"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// read scans one file, in pieces when it is large. It is asked for as rel of t.
func (w *worker) read(f *file, name string, t *tree, rel string) {
	now := time.Now().UnixNano()
	h, st, err := t.open(rel)
	if err != nil {
		w.c.warn(name, err)
		return
	}
	defer h.Close()
	// Asked for before the content: a change while it is read gives another stamp than this one.
	f.stamp, f.stable = st, st.stable(now)
	// One a worker, made at the first file that is read: an answer from the index alone needs none, and for one small file a small one
	// will do, since a megabyte of memory takes longer to get than that to read.
	if st.size >= int64(len(w.buf)) {
		w.grow(st.size)
	}
	s := scanner{g: w.c.o.Grammar, path: name, of: w.c.o.Syntax}
	n, done := 0, false
	for n < chunk && !done {
		if n == len(w.buf) { // it has become longer
			w.grow(chunk)
		}
		got, err := h.Read(w.buf[n:min(chunk, len(w.buf))])
		if err != nil {
			w.c.warn(name, err)
			f.stable = false
			return
		}
		n += got
		// A regular file that gave as much as its size has given all, unless it is growing under us.
		done = got == 0 || int64(n) == st.size
	}
	if done {
		s.whole(w.buf[:n])
	} else if err := s.large(h, w.buf, n); err != nil {
		w.c.warn(name, err)
		f.stable = false
	}
	f.tags = string(s.out.b)
}

// smallFile is the size up to which a file needs no buffer for large ones.
const smallFile = 16 << 10

// grow makes room for a file of some size, and keeps what was read.
func (w *worker) grow(size int64) {
	room := chunk + lineLeft + lineRight
	if size < smallFile && w.buf == nil {
		room = smallFile
	}
	if len(w.buf) < room {
		old := w.buf
		w.buf = make([]byte, room)
		copy(w.buf, old)
	}
}

// large scans a file that does not fit, of which buf[:n] was read. Most such files hold no TAG, and finding that out needs no
// line and no literal to be followed: only one that does is read once more, from its start and with all its state.
func (s *scanner) large(h disk.File, buf []byte, n int) error {
	if bytes.IndexByte(buf[:nulWithin], 0) >= 0 {
		return nil
	}
	found := false
	err := pieces(h, buf, n, func(b []byte, from, to, _ int) bool {
		found = s.any(b, from, to)
		return !found
	})
	if err != nil || !found {
		return err
	}
	if err := h.Rewind(); err != nil {
		return err
	}
	return pieces(h, buf, 0, func(b []byte, from, to, keep int) bool {
		s.piece(b, from, to)
		s.drop(b, keep)
		return true
	})
}

// pieces reads the rest of a file behind buf[:n] and gives it piece by piece, each with the end of the piece before in front of
// it, for a TAG's line may have begun there: TAGs that start in b[from:to] are in question, and b[:keep] will be gone afterwards.
func pieces(h disk.File, buf []byte, n int, f func(b []byte, from, to, keep int) bool) error {
	from := 0
	for {
		got, err := h.Read(buf[n:])
		if err != nil {
			return err
		}
		n += got
		if got > 0 && n < len(buf) {
			continue
		}
		// At the end of the file every TAG is whole.
		to := n
		if got > 0 {
			to = n - lineRight // what starts behind may go on in the next piece
		}
		keep := max(0, to-lineLeft)
		if !f(buf[:n], from, to, keep) || got == 0 {
			return nil
		}
		n = copy(buf, buf[keep:n])
		from = to - keep
	}
}

// drop takes leave of b[:keep]: what is open there stays known.
func (s *scanner) drop(b []byte, keep int) {
	s.ask()
	start := bytes.LastIndexByte(b[:keep], '\n') + 1
	s.fence.inside(b, start, &s.syntax)
	s.fence.at = max(0, s.fence.at-keep)
	s.lines += bytes.Count(b[:keep], []byte{'\n'})
}

// maxRules bounds a file of rules, in bytes. Git's own bound is 100 MB; nobody has written one of a megabyte by hand.
const maxRules = 1 << 20

// small reads a file of rules; a link is none, as in Git.
func (t *tree) small(rel string) []byte {
	h, st, err := t.open(rel)
	if err != nil || st.size > maxRules {
		if err == nil {
			h.Close()
		}
		return nil
	}
	defer h.Close()
	buf := make([]byte, st.size)
	n, _ := h.Fill(buf)
	return buf[:n]
}
