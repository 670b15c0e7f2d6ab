package api

import (
	"cmp"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/session"
)

// Left is a process that began in a folder after a time and still runs: no undo ends it. Whose it is, nothing tells.
type Left struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"` // masked
	Began   time.Time `json:"began_at"`
	Ports   []int     `json:"ports"` // on which it listens, it and what it has started
}

// Bounds of an answer.
const (
	maxLeft    = 20
	maxCommand = 300
)

// process is one of this user's, without a terminal: people have one, what agents start has none.
type process struct {
	Left
	parent int
	dir    string
}

// left are the processes that a turn may have left behind.
func (s *Server) left(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	list := []Left{}
	if s.Feed.Me.Demo {
		return list, nil
	}
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	if p.Since.IsZero() {
		return nil, &answerError{http.StatusBadRequest, "since is missing: processes that began from then on are told"}
	}
	if p.Session != "" {
		if record := session.Read(s.Store.StateDir, p.Session); record != nil {
			root = cmp.Or(record.Now.Tree(), root)
		}
	}
	for _, one := range leftIn(disk.Real(root), p.Since, processes()) {
		if s.Mask != nil {
			one.Command = s.Mask(one.Command)
		}
		if len(one.Command) > maxCommand {
			end := maxCommand
			for !utf8.RuneStart(one.Command[end]) {
				end--
			}
			one.Command = one.Command[:end] + "…"
		}
		list = append(list, one)
	}
	return list, nil
}

// leftIn picks those that began in a folder since then. What one of them has started is told with it.
func leftIn(root string, since time.Time, all []process) (list []Left) {
	mine := slices.DeleteFunc(slices.Clone(all), func(p process) bool {
		return p.Began.Before(since) || p.dir != root && !strings.HasPrefix(p.dir, root+string(filepath.Separator))
	})
	slices.SortFunc(mine, func(a, b process) int { return a.Began.Compare(b.Began) })
	at := map[int]int{} // where the one of a process stands, or that of the one that started it
	for _, p := range mine {
		if i, ok := at[p.parent]; ok {
			at[p.PID] = i
			list[i].Ports = append(list[i].Ports, p.Ports...)
		} else if len(list) < maxLeft {
			at[p.PID] = len(list)
			list = append(list, p.Left)
		}
	}
	for i := range list {
		slices.Sort(list[i].Ports)
		list[i].Ports = slices.Compact(list[i].Ports)
	}
	return list
}
