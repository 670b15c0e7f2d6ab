package tag

import (
	"bytes"
	"time"
)

// read scans one file, in pieces when it is large. It is asked for as rel of t.
func (w *worker) read(f *file, name string, t *tree, rel string) {
	now := time.Now().UnixNano()
	h, st, err := t.open(rel)
	if err != nil {
		w.c.warn(name, err)
		return
	}
	defer h.close()
	f.stamp, f.stable = st, st.stable(now)
	if w.buf == nil {
		w.buf = make([]byte, chunk+lineLeft+lineRight)
	}
	s := scanner{g: w.c.o.Grammar, path: name, of: w.c.o.Syntax}
	n, done := 0, false
	for n < chunk && !done {
		got, err := h.read(w.buf[n:chunk])
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
	} else if err := s.stream(h, w.buf, n); err != nil {
		w.c.warn(name, err)
		f.stable = false
	}
	f.tags = string(s.out.b)
}

// stream scans a file that does not fit, of which buf[:n] was read: piece by piece, each with the end of the
// piece before in front of it, for a TAG's line may have begun there.
func (s *scanner) stream(h handle, buf []byte, n int) error {
	if bytes.IndexByte(buf[:nulWithin], 0) >= 0 {
		return nil
	}
	from := 0 // TAGs that start before it are done
	for {
		got, err := h.read(buf[n:])
		if err != nil {
			return err
		}
		n += got
		to := n
		if got > 0 {
			if n < len(buf) {
				continue
			}
			to = n - lineRight // what starts behind may go on in the next piece
		}
		s.piece(buf[:n], from, to)
		if got == 0 {
			return nil
		}
		keep := to - lineLeft
		s.drop(buf[:n], keep)
		n = copy(buf, buf[keep:n])
		from = to - keep
	}
}

// drop takes leave of b[:keep]: what is open there stays known.
func (s *scanner) drop(b []byte, keep int) {
	if !s.asked {
		s.syntax, s.asked = s.of(s.path), true
	}
	start := bytes.LastIndexByte(b[:keep], '\n') + 1
	s.fence.inside(b, start, &s.syntax)
	s.fence.at = max(0, s.fence.at-keep)
	s.lines += bytes.Count(b[:keep], []byte{'\n'})
}

// small reads a file of rules; a link is none, as in Git.
func (c *collector) small(rel string) []byte {
	h, st, err := c.tree.open(rel)
	if err != nil || st.size > 1<<20 {
		if err == nil {
			h.close()
		}
		return nil
	}
	defer h.close()
	buf := make([]byte, st.size)
	n := 0
	for n < len(buf) {
		got, err := h.read(buf[n:])
		if got <= 0 || err != nil {
			break
		}
		n += got
	}
	return buf[:n]
}
