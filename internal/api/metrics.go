package api

import (
	"cmp"
	"fmt"
	"net/http"
)

// metrics answers in the text form of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	p, err := s.pick(r)
	if err != nil {
		fail(w, statusOf(err), err.Error())
		return
	}
	sum, err := s.Store.Stats(r.Context(), p)
	skipped, cannot := s.Store.Skipped(r.Context())
	if err = cmp.Or(err, cannot); err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	for _, m := range []struct {
		name, text string
		value      int64
	}{
		{"moai_sessions", "Sessions that journals tell of.", int64(sum.Sessions)},
		{"moai_turns", "Turns that journals tell of.", int64(sum.Turns)},
		{"moai_edits", "Edits of files by tools.", int64(sum.Edits)},
		{"moai_denied", "Calls that the guard refused.", int64(sum.Denied)},
		{"moai_asked", "Calls that the guard asked about.", int64(sum.Questions)},
		{"moai_snapshots", "Snapshots that were taken.", int64(sum.Snapshots)},
		{"moai_failures", "Tools, tests, builds, turns and hooks that failed.", int64(sum.Failures)},
		{"moai_streams", "Streams that are open.", s.Feed.streams.Load()},
		{"moai_streams_dropped", "Streams that were too slow, since the start.", s.Feed.dropped.Load()},
		{"moai_events_fed", "Events that came since the start.", s.Feed.fed.Load()},
		{"moai_lines_skipped", "Lines of journals that could not be read.", skipped},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n%s %d\n", m.name, m.text, m.name, m.name, m.value)
	}
}
