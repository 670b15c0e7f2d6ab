package repo

import (
	"bytes"
	"errors"
	"io"
)

var (
	errApproximate = errors.New("needs a conversion that is not made here")
	errStopped     = errors.New("stopped")
)

// eolStats counts what git's heuristic for text looks at.
type eolStats struct {
	size                 int64
	nul, loneCR          int64
	crlf                 int64
	printable, unprinted int64

	pending bool // the last byte so far was a carriage return
	last    byte
}

// add counts one piece of a file; a CRLF may be cut in two by its end.
func (s *eolStats) add(b []byte) {
	if len(b) == 0 {
		return
	}
	s.size += int64(len(b))
	s.last = b[len(b)-1]
	// What stands between carriage returns is counted alone: that needs no state for each byte.
	for {
		// A carriage return was the last byte so far; what it is depends on this one.
		if s.pending && len(b) > 0 {
			s.pending = false
			if b[0] == '\n' {
				s.crlf++
				b = b[1:]
			} else {
				s.loneCR++
			}
		}
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			s.count(b)
			return
		}
		s.count(b[:i])
		s.pending = true
		b = b[i+1:]
	}
}

// count counts bytes among which is no carriage return.
func (s *eolStats) count(b []byte) {
	printable := int64(len(b))
	for _, c := range b {
		if c >= 32 && c != 127 { // delete is the one control character above the others
			continue
		}
		switch c {
		// The bytes that gather_stats takes for text, escape among them.
		case '\b', '\t', 27, '\f':
			continue
		case '\n':
		case 0:
			s.nul++
			s.unprinted++
		default:
			s.unprinted++
		}
		printable--
	}
	s.printable += printable
}

// binary says whether git would keep its hands off: a NUL, a carriage return on its own,
// or more than one byte in 128 that no text has. A final Ctrl-Z is a text from DOS.
func (s *eolStats) binary() bool {
	unprinted := s.unprinted
	if s.last == 26 {
		unprinted--
	}
	// The rules of gather_stats and convert_is_binary in Git's convert.c.
	return s.pending || s.loneCR > 0 || s.nul > 0 || s.printable>>7 < unprinted
}

// crlfStripper drops the carriage return of each CRLF, across pieces.
type crlfStripper struct {
	pending bool // a carriage return waits for what follows
}

// strip writes all but the last run of b to out and returns that run.
func (c *crlfStripper) strip(b []byte, out io.Writer) []byte {
	if len(b) == 0 {
		return b
	}
	if c.pending {
		c.pending = false
		if b[0] != '\n' {
			_, _ = out.Write([]byte{'\r'})
		}
	}
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			return b
		}
		_, _ = out.Write(b[:i])
		b = b[i+1:]
		switch {
		case len(b) == 0:
			c.pending = true
			return b
		case b[0] != '\n':
			_, _ = out.Write([]byte{'\r'})
		}
	}
}
