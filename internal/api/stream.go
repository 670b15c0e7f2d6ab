package api

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/store"
)

const (
	heartbeat  = 15 * time.Second
	maxStreams = 128             // that are open at once: a browser needs one
	atOnce     = 64 << 10        // bytes that are put together before they are sent
	writeLimit = 5 * time.Second // who takes longer for a portion is dropped, and comes back with the last id that it has
)

// stream sends events as they come. The id of each is the store's generation and number, so that who comes back gets what it
// has not, and no event twice; of a store that was made anew it is told by the event "reset".
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	p, err := s.streamed(r)
	if err != nil {
		fail(w, statusOf(err), err.Error())
		return
	}
	generation, err := s.Store.Generation(r.Context())
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	f := s.Feed
	defer f.streams.Add(-1)
	if f.streams.Add(1) > maxStreams {
		fail(w, http.StatusServiceUnavailable, "too many streams are open")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out, seq := hello(r, generation, f.last())
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		frames, news, err := f.behind(r.Context(), seq)
		if err != nil {
			return
		}
		for i := range frames {
			seq = frames[i].Seq
			if name := named(p, &frames[i], r); name != "" {
				fmt.Fprintf(out, "id: %s-%d\nevent: %s\ndata: %s\n\n", generation, seq, name, frames[i].data)
			}
			if out.Len() >= atOnce && !send(w, out) {
				f.dropped.Add(1)
				return
			}
		}
		if out.Len() > 0 && !send(w, out) {
			f.dropped.Add(1)
			return
		}
		if len(frames) > 0 {
			continue
		}
		select {
		case <-r.Context().Done():
			return
		case <-news:
		case <-beat.C:
			out.WriteString(": alive\n\n")
		}
	}
}

// streamed reads what a stream is asked for. A session may begin later; of a project or a type that there is none of, nothing ever comes.
func (s *Server) streamed(r *http.Request) (*store.Pick, error) {
	p, err := read(r)
	if err != nil {
		return nil, err
	}
	if as := r.URL.Query()["as"]; len(as) > 0 && as[0] != "type" {
		return nil, &answerError{http.StatusBadRequest, "as is " + strconv.Quote(as[0]) + ", and can only be type"}
	}
	return p, s.missing(r, &store.Pick{Project: p.Project, Types: p.Types})
}

// hello is how a stream begins, and the number behind which it goes on: that of the last event that the reader has, where this store gave it.
func hello(r *http.Request, generation string, last int64) (out *bytes.Buffer, seq int64) {
	out, seq = bytes.NewBufferString("retry: 1000\n\n"), last
	if id := lastID(r); id != "" {
		of, number, _ := strings.Cut(id, "-")
		n, err := strconv.ParseInt(number, 10, 64)
		if of == generation && err == nil && n >= 0 && n <= last {
			seq = n
		} else {
			out.WriteString("event: reset\ndata: {}\n\n")
		}
	}
	fmt.Fprintf(out, "id: %s-%d\nevent: hello\ndata: {}\n\n", generation, seq)
	return out, seq
}

// send writes what there is, and says false of who is too slow, or gone.
func send(w http.ResponseWriter, out *bytes.Buffer) bool {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(writeLimit)) // Flush says what failed
	_, err := w.Write(out.Bytes())
	out.Reset()
	return err == nil && control.Flush() == nil
}

// named is the name of an event on a stream, "" for one that is not wanted.
func named(p *store.Pick, one *frame, r *http.Request) string {
	switch {
	case p.Session != "" && one.Session != p.Session, p.Project != "" && one.Project != p.Project, len(p.Types) > 0 && !slices.Contains(p.Types, one.Type):
		return ""
	case r.URL.Query().Get("as") == "type":
		return word(one.Type)
	}
	return "session.event"
}

// lastHeader says where a stream goes on.
const lastHeader = "Last-Event-ID"

// lastID is what a browser sends when it comes back; a worker of a page, which cannot set a header, says it as a parameter.
func lastID(r *http.Request) string {
	if id := r.Header.Get(lastHeader); id != "" {
		return id
	}
	return r.URL.Query().Get("after")
}

// word is a type as the name of an event: one that somebody wrote into a journal begins no line of its own.
func word(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, text)
}
