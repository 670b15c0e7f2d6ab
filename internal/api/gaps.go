package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// Gap is a time during which no command was judged in a project, as far as a server was asked how the guard stands.
type Gap struct {
	Project string     `json:"project"`
	Off     bool       `json:"off"` // switched off; else nothing called moai
	Since   time.Time  `json:"since"`
	Longer  bool       `json:"longer"` // it may have begun earlier: this server had not looked before
	Until   *time.Time `json:"until"`  // null while it lasts
	Ran     int        `json:"ran"`    // commands that ran then, as far as moai was called: with the guard switched off it is
}

// maxGaps is how many are kept.
const maxGaps = 200

// gaps are those that were seen, the newest first. They are kept in a file, since nothing else writes down how the guard stood.
type gaps struct {
	path   string // of the file
	read   sync.Once
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
	g.load()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.looked == nil {
		g.looked = map[string]bool{}
	}
	before := g.looked[project]
	g.looked[project] = true
	at := slices.IndexFunc(g.list, func(x Gap) bool { return x.Project == project && x.Until == nil })
	ends := at >= 0 && (!open || g.list[at].Off != off)
	if ends {
		g.list[at].Until = &now
		at = -1
	}
	begins := open && at < 0
	if begins {
		g.list = slices.Insert(g.list, 0, Gap{Project: project, Off: off, Since: now, Longer: !before})
		g.list = g.list[:min(len(g.list), maxGaps)]
	}
	if ends || begins {
		_ = state.Write(g.path, g.list) // without it they are known until the server ends
	}
}

// load takes in what earlier servers have seen.
func (g *gaps) load() {
	g.read.Do(func() { state.Read(g.path, 0, &g.list) })
}

// earlier is for how long before a gap was seen its commands are counted, where it may have begun earlier.
const earlier = 24 * time.Hour

// quiet is how long nothing has to call moai, where it is registered nowhere: agents have hooks from elsewhere, too, and keep those with
// which they began.
const quiet = 10 * time.Minute

// gapsSeen are those of a project, or of all, the newest first.
func (s *Server) gapsSeen(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	s.gaps.load()
	s.gaps.mu.Lock()
	seen := slices.Clone(s.gaps.list)
	s.gaps.mu.Unlock()
	list := []Gap{}
	for i, g := range seen {
		if p.Project != "" && p.Project != g.Project {
			continue
		}
		from, to := g.Since, time.Now()
		if g.Until != nil {
			to = *g.Until
		}
		if g.Longer && !g.Off {
			from = from.Add(-quiet)
		} else if g.Longer {
			from = from.Add(-earlier)
			if at := slices.IndexFunc(seen[i+1:], func(o Gap) bool { return o.Project == g.Project && o.Until != nil }); at >= 0 && seen[i+1+at].Until.After(from) {
				from = *seen[i+1+at].Until
			}
		}
		called, unjudged, err := s.Store.Called(r.Context(), g.Project, from, to)
		if err != nil {
			return nil, err
		}
		g.Ran = unjudged
		if called > 0 && !g.Off {
			g.Since = called.At()
			if to.Sub(g.Since) < quiet {
				continue
			}
		}
		list = append(list, g)
	}
	return list, nil
}
