package port

import (
	"fmt"
	"slices"
	"strings"
)

// Circle says that ports would wait for each other.
type Circle struct{ IDs []string }

func (c *Circle) Error() string {
	return "ports would wait for each other: " + strings.Join(c.IDs, " → ")
}

// Unknown says that a port names one that is not there.
type Unknown struct{ By, ID string }

func (u *Unknown) Error() string {
	return fmt.Sprintf("there is no port %s, which %s names", u.ID, u.By)
}

// links are the ports that another one waits for.
func (p *Port) links() []string {
	if p.Parent == "" {
		return p.Needs
	}
	return append(slices.Clone(p.Needs), p.Parent)
}

// fits reports whether p can stand among the others as it is now: what it names is there, and no circle goes through it. What it
// named before may be gone: a merge can have brought it without.
func fits(all []*Port, p *Port) error {
	byID := index(all)
	var before []string
	if old := byID[p.ID]; old != nil {
		before = append(old.links(), old.Found)
	}
	byID[p.ID] = p
	for _, id := range append(p.links(), p.Found) {
		if id != "" && byID[id] == nil && !slices.Contains(before, id) {
			return &Unknown{p.ID, id}
		}
	}
	if way := circle(byID, p.ID); way != nil {
		return &Circle{way}
	}
	return nil
}

func index(all []*Port) map[string]*Port {
	m := make(map[string]*Port, len(all)+1)
	for _, p := range all {
		m[p.ID] = p
	}
	return m
}

// circle is a way from a port back to itself, nil for none.
func circle(byID map[string]*Port, from string) []string {
	seen := map[string]bool{}
	var walk func(id string) []string
	walk = func(id string) []string {
		p := byID[id]
		if p == nil || seen[id] {
			return nil
		}
		seen[id] = true
		for _, next := range p.links() {
			if next == from {
				return []string{id, from}
			}
			if way := walk(next); way != nil {
				return append([]string{id}, way...)
			}
		}
		return nil
	}
	return walk(from)
}

// Standing is a port as it stands among the others.
type Standing struct {
	*Port
	Status  Status   `json:"status"`             // with running
	Ready   bool     `json:"ready"`              // somebody could begin now
	Waits   []string `json:"waits_for"`          // ports that have to be over first
	Circle  []string `json:"circle,omitempty"`   // a merge has made it wait for itself
	Session string   `json:"session,omitempty"`  // that runs it
	Last    *Claim   `json:"last_run,omitempty"` // of a session that holds it no more
}

// Board is how all ports stand, by their ids.
type Board []Standing

// Of is the standing of a port.
func (b Board) Of(id string) *Standing {
	if i := slices.IndexFunc(b, func(s Standing) bool { return s.ID == id }); i >= 0 {
		return &b[i]
	}
	return nil
}

// Ready are the ports that somebody could begin with, the oldest first.
func (b Board) Ready() (list []Standing) {
	for _, s := range b {
		if s.Ready {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, c Standing) int { return a.Created.Compare(c.Created) })
	return list
}

// Children are the ports whose parent another one is.
func (b Board) Children(id string) (list []Standing) {
	for _, s := range b {
		if s.Parent == id {
			list = append(list, s)
		}
	}
	return list
}

// standings tells of each port what it waits for. A port waits for what it needs, and for all that its parent waits for; its parent
// itself is no reason to wait, unless somebody has blocked it.
func standings(all []*Port, held func(id string) (claim *Claim, holds bool)) Board {
	byID := index(all)
	board := make(Board, 0, len(all))
	for _, p := range all {
		s := Standing{Port: p, Status: p.Status, Waits: waits(byID, p)}
		if claim, holds := held(p.ID); holds && !p.Over() {
			s.Status, s.Session = Running, claim.Session
		} else {
			s.Last = claim
		}
		s.Circle = circle(byID, p.ID)
		s.Ready = s.Status == Pending && len(s.Waits) == 0 && s.Circle == nil
		board = append(board, s)
	}
	return board
}

// waits are the ports that p waits for, each once.
func waits(byID map[string]*Port, p *Port) []string {
	list := []string{}
	seen := map[string]bool{}
	for at := p; at != nil && !seen[at.ID]; at = byID[at.Parent] {
		seen[at.ID] = true
		for _, id := range at.Needs {
			if need := byID[id]; (need == nil || !need.Over()) && !slices.Contains(list, id) {
				list = append(list, id) // one that is not there yet comes with the next merge
			}
		}
		if at != p && at.Status == Blocked && !slices.Contains(list, at.ID) {
			list = append(list, at.ID)
		}
	}
	return list
}

// freed are the ports that waited for id alone, and can begin now that it is over.
func freed(before, after Board, id string) (list []string) {
	for _, s := range after {
		old := before.Of(s.ID)
		if s.Ready && old != nil && slices.Contains(old.Waits, id) {
			list = append(list, s.ID)
		}
	}
	return list
}
