package verify

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Pending is a file that somebody else has to look at.
type Pending struct {
	File *File
	Rel  string // as people know it
	Gone bool   // it was taken away
	Kind string
	Need string
}

// Name is the file for people, with what became of it.
func (p *Pending) Name() string {
	if p.Gone {
		return p.Rel + " (removed)"
	}
	return p.Rel
}

// Unverified lists them, by path. Rel names a file for people, and says whether it counts: one that is as it was before the
// session, or that Git ignores, does not.
func (s *State) Unverified(t *Tables, rel func(*File) (name string, counts bool)) (list []Pending) {
	for f := range s.All() {
		name, counts := rel(f)
		if !counts || f.Else {
			continue
		}
		k := t.Kind(f, name)
		if k == nil || k.Needs == "" || f.Looked(k.Needs) || !f.Waits() || f.Of == "" && s.sawCommitted(f) {
			continue
		}
		// What a verifier writes to check is the check: to have it checked would never end.
		if f.Agent != "" && k.Paths != nil && slices.Contains(t.Needs(f.Agent, nil), k.Needs) {
			continue
		}
		list = append(list, Pending{f, name, f.Gone(), k.Name, k.Needs})
	}
	slices.SortFunc(list, func(a, b Pending) int { return cmp.Compare(a.Rel, b.Rel) })
	return list
}

// Modes of a gate, as settings name them.
const (
	ModeOff   = "off"
	ModeWarn  = "warn"
	ModeAuto  = "auto"
	ModeBlock = "block"
)

// NoVerifier is why nobody looked where nobody could.
const NoVerifier = "no verifier is installed here"

// PerTurn is how many blocks a turn has.
const PerTurn = 2

// Situation is the end of a turn.
type Situation struct {
	Turn   string // tells turns apart
	Number int    // of the turn, for people
	Mode   string
	// Waived says why nothing is asked for now, "" where it may be. The files stay as they are: the next end of a turn asks.
	Waived    string
	Pending   []Pending
	Installed []Agent // verifiers that exist here
	Vanished  []Agent // that existed when the session began, and do no more
	Spent     bool    // the gate only reminds
}

// Decision is what it comes to.
type Decision struct {
	Does  Action
	Why   string // for people, one line
	LetGo bool   // it was held up before, and nobody looked
}

// Decide says what the end of a turn comes to, and remembers it.
func (s *State) Decide(at *Situation, now time.Time) Decision {
	d := s.decide(at)
	last := &Last{At: now, Turn: at.Number, Does: d.Does, Why: d.Why}
	for i := range at.Pending {
		last.Files = append(last.Files, at.Pending[i].Name())
	}
	last.Open = len(last.Files)
	s.Last = last
	return d
}

func (s *State) decide(at *Situation) Decision {
	pass := func(why string) Decision { return Decision{Does: Pass, Why: why} }
	switch {
	case at.Mode == ModeOff:
		return pass("verify.stop is off")
	case len(at.Pending) == 0:
		return pass("nothing waits for a look")
	case at.Waived != "":
		return pass(at.Waived)
	}
	if s.Blocks.Turn != at.Turn {
		s.Blocks.Turn, s.Blocks.Count = at.Turn, 0
	}
	// Fewer files, each as it was, are no new state of them.
	held := s.all(at.Pending, func(f *File) []string { return f.Held })
	warn := func(why string) Decision {
		if s.all(at.Pending, func(f *File) []string { return f.Told }) {
			return pass("the user was told of these files: " + why)
		}
		s.note(at.Pending, func(f *File) *[]string { return &f.Told })
		return Decision{Warn, why, held}
	}
	switch {
	case at.Mode == ModeWarn:
		return warn("verify.stop is warn")
	case held:
		return warn("it was held up once for this state of the files")
	case s.Blocks.Count >= PerTurn:
		return warn(fmt.Sprintf("it was held up %d times in this turn", PerTurn))
	case at.Mode == ModeAuto && !installed(at):
		if r := s.Since(at.Pending); r != nil && r.Found == Found { // one that is installed nowhere has looked
			return warn("a verifier found what must change")
		}
		// Whoever never asked for verification hears of it once a session.
		if !s.Tell(NoVerifier) {
			return pass("the user was told once: " + NoVerifier)
		}
		return Decision{Does: Warn, Why: NoVerifier}
	case at.Spent:
		return warn(fmt.Sprintf("%d blocks found nothing, so it only reminds", Patience))
	}
	s.Blocks.Count++
	s.note(at.Pending, func(f *File) *[]string { return &f.Held })
	return Decision{Does: Block, Why: "nobody else has looked at these files"}
}

// installed reports that somebody could look at some of the files, or could when the session began.
func installed(at *Situation) bool {
	return slices.ContainsFunc(at.Pending, func(p Pending) bool {
		looks := func(a Agent) bool { return slices.Contains(a.Needs, p.Need) }
		return slices.ContainsFunc(at.Installed, looks) || slices.ContainsFunc(at.Vanished, looks)
	})
}

// all reports that the gate has spoken of each of the files as it is.
func (s *State) all(pending []Pending, spoken func(*File) []string) bool {
	return !slices.ContainsFunc(pending, func(p Pending) bool {
		left := p.File.Left() // in the work tree or in a commit
		said := func(f *File) bool { return f != nil && slices.Contains(spoken(f), left) }
		return !said(s.file(p.File.Path)) && !said(s.commit(p.File.Path, left))
	})
}

// note keeps that it has.
func (s *State) note(pending []Pending, spoken func(*File) *[]string) {
	for i := range pending {
		p := pending[i].File
		if f := s.record(p.Path, p.Of, p.Sum); f != nil && !slices.Contains(*spoken(f), p.Left()) {
			*spoken(f) = add(*spoken(f), p.Left(), keepStates)
		}
	}
}

func (s *State) file(path string) *File {
	for i := range s.Files {
		if s.Files[i].Path == path {
			return &s.Files[i]
		}
	}
	return nil
}

// Tell notes that the user is told something once a session; false where that was done before.
func (s *State) Tell(what string) bool {
	if slices.Contains(s.Told, what) {
		return false
	}
	s.Told = add(s.Told, what, keepNames)
	return true
}
