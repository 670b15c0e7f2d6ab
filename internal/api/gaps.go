package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Gap is a time during which no command was judged in a project, as far as this server was asked how the guard stands: nothing writes that
// down, so it is known until the server ends.
type Gap struct {
	Project string     `json:"project"`
	Off     bool       `json:"off"` // switched off; else nothing called moai
	Since   time.Time  `json:"since"`
	Longer  bool       `json:"longer"` // it may have begun earlier: this server had not looked before
	Until   *time.Time `json:"until"`  // null while it lasts
}

// maxGaps is how many are kept.
const maxGaps = 200

// gaps are those that were seen, the newest first.
type gaps struct {
	mu     sync.Mutex
	list   []Gap
	looked map[string]bool // projects that were seen guarded, or not
}

// saw takes in what moai answered about the guard of a project.
func (g *gaps) saw(project string, status any, now time.Time) {
	var told struct {
		Guard *struct {
			Mode       string
			Registered bool
		}
	}
	raw, ok := status.(json.RawMessage)
	if !ok || json.Unmarshal(raw, &told) != nil || told.Guard == nil {
		return
	}
	off := told.Guard.Mode == "off"
	open := off || !told.Guard.Registered
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.looked == nil {
		g.looked = map[string]bool{}
	}
	before := g.looked[project]
	g.looked[project] = true
	at := slices.IndexFunc(g.list, func(x Gap) bool { return x.Project == project && x.Until == nil })
	if at >= 0 && (!open || g.list[at].Off != off) {
		g.list[at].Until = &now
		at = -1
	}
	if open && at < 0 {
		g.list = slices.Insert(g.list, 0, Gap{project, off, now, !before, nil})
		g.list = g.list[:min(len(g.list), maxGaps)]
	}
}

// gapsSeen are those of a project, or of all, the newest first.
func (s *Server) gapsSeen(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	s.gaps.mu.Lock()
	defer s.gaps.mu.Unlock()
	list := []Gap{}
	for _, g := range s.gaps.list {
		if p.Project == "" || p.Project == g.Project {
			list = append(list, g)
		}
	}
	return list, nil
}
