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
		name, kind, text string
		value            int64
	}{
		{"moai_sessions", "gauge", "Sessions that journals tell of.", int64(sum.Sessions)},
		{"moai_turns", "gauge", "Turns that journals tell of.", int64(sum.Turns)},
		{"moai_edits", "gauge", "Edits of files by tools.", int64(sum.Edits)},
		{"moai_denied", "gauge", "Calls that the guard refused.", int64(sum.Denied)},
		{"moai_asked", "gauge", "Calls that the guard asked about.", int64(sum.Questions)},
		{"moai_snapshots", "gauge", "Snapshots that were taken.", int64(sum.Snapshots)},
		{"moai_failures", "gauge", "Tools, tests, builds, turns and hooks that failed.", int64(sum.Failures)},
		{"moai_streams", "gauge", "Streams that are open.", s.Feed.streams.Load()},
		{"moai_streams_dropped_total", "counter", "Streams that were too slow, since the start.", s.Feed.dropped.Load()},
		{"moai_events_fed_total", "counter", "Events that came since the start.", s.Feed.fed.Load()},
		{"moai_lines_skipped", "gauge", "Lines of journals that could not be read.", skipped},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %d\n", m.name, m.text, m.name, m.kind, m.name, m.value)
	}
}
