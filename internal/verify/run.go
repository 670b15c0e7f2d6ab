package verify

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Needs is what an agent of a type verifies, nil for one that is no verifier. More are names of the user's and the
// project's own verifiers: NAME for code, plan/NAME for plans.
func (t *Tables) Needs(agentType string, more []string) (needs []string) {
	for i := range t.Agents.Verifiers {
		if v := &t.Agents.Verifiers[i]; v.Is(agentType) {
			needs = append(needs, v.Verifies...)
		}
	}
	for _, one := range more {
		need, name := named(one)
		if strings.EqualFold(name, agentType) && !slices.Contains(needs, need) {
			needs = append(needs, need)
		}
	}
	return needs
}

// named takes apart how settings name a verifier.
func named(one string) (need, name string) {
	if need, name, ok := strings.Cut(one, "/"); ok {
		return need, name
	}
	return "code", one
}

// Called notes the type of a teammate, which clients report by its name alone.
func (s *State) Called(name, agentType string) {
	if s.Names == nil {
		s.Names = map[string]string{}
	}
	if len(s.Names) < keepNames || s.Names[name] != "" {
		s.Names[name] = agentType
	}
}

// Begin notes that a verifier begins, and how it finds the files, those too that somebody has looked at: it may find what that one did not.
func (s *State) Begin(id, agentType string, needs []string, now time.Time, sum func(path string) string) {
	r := Run{ID: id, Type: agentType, Needs: needs, Began: now}
	for i := range s.Files {
		f := &s.Files[i]
		if len(needs) > 0 && (f.Lost || !f.Gone()) {
			r.Saw = append(r.Saw, Saw{Path: f.Path, Seq: f.Seq, Sum: sum(f.Path), Shown: slices.Contains(s.Given[agentType], f.Path)})
		}
	}
	for i := range s.Commits {
		if f := &s.Commits[i]; len(needs) > 0 && !s.governed(f) && !s.saw(f.Path, f.Sum) {
			r.Saw = append(r.Saw, Saw{Path: f.Path, Of: f.Of, Seq: f.Seq, Sum: f.Sum, Shown: slices.Contains(s.Given[agentType], f.Path)})
		}
	}
	delete(s.Given, agentType)
	for i := range s.Runs {
		if !s.Runs[i].Ended.IsZero() {
			s.Runs[i].Saw = nil // the last one may go on after its end; hooks can make it
		}
	}
	s.Runs = slices.DeleteFunc(s.Runs, func(old Run) bool { return old.ID == id }) // one that is spoken to again looks again
	s.Runs = add(s.Runs, r, keepRuns)
}

// Reads notes that a verifier calls a tool that may read, and which files that shows; false where all of it is known. A call with a name
// shows them until its answer says otherwise; see Answered.
func (s *State) Reads(id, call string, shows func(saw *Saw) bool) (changed bool) {
	i := s.run(id)
	if i < 0 {
		return false
	}
	r := &s.Runs[i]
	changed, r.Read = !r.Read, true
	for i := range r.Saw {
		switch saw := &r.Saw[i]; {
		case saw.Shown || !shows(saw):
		case call == "":
			saw.Shown, changed = true, true
		default:
			saw.By, changed = add(saw.By, call, keepStates), true
		}
	}
	return changed
}

// Answered notes what came of a call that may have shown files: how many lines of each, and how many are enough.
func (s *State) Answered(id, call string, shown func(path string) (lines, enough int)) (changed bool) {
	i := s.run(id)
	if i < 0 {
		return false
	}
	r, blind := &s.Runs[i], false
	for i := range r.Saw {
		saw := &r.Saw[i]
		at := slices.Index(saw.By, call)
		if at < 0 {
			continue
		}
		lines, enough := shown(saw.Path)
		saw.By, saw.Lines, changed = slices.Delete(saw.By, at, at+1), saw.Lines+lines, true
		saw.Shown = saw.Shown || saw.Lines >= enough
		blind = blind || lines < enough
	}
	if blind {
		r.Blind = add(r.Blind, call, keepNames)
	}
	return changed
}

// Short reports a call that showed less than its words say.
func (s *State) Short(id, call string) bool {
	i := s.run(id)
	return i >= 0 && call != "" && slices.Contains(s.Runs[i].Blind, call)
}

// Knows notes that all that a verifier called is known.
func (s *State) Knows(id string) {
	if i := s.run(id); i >= 0 {
		s.Runs[i].Known = true
	}
}

// Gives notes that the content of files stands in what a verifier is told that begins next.
func (s *State) Gives(agentType, prompt string, shows func(prompt, path string) bool) (changed bool) {
	for f := range s.All() {
		if path := f.Path; shows(prompt, path) {
			if s.Given == nil {
				s.Given = map[string][]string{}
			}
			s.Given[agentType], changed = add(s.Given[agentType], path, keepFiles), true
		}
	}
	return changed
}

func (s *State) run(id string) int {
	return slices.IndexFunc(s.Runs, func(r Run) bool { return r.ID == id })
}

// HasRead reports that it did.
func (s *State) HasRead(id string) bool {
	return slices.ContainsFunc(s.Runs, func(r Run) bool { return r.ID == id && r.Read })
}

// Finish notes what a verifier came to, and returns it; nil for one that is not known. A look that passed counts for the
// files that are now as they were when it began, but for those that it had not before it where that is known. If it found something, the files that
// its message names wait for a look again, also where somebody else had passed them, and of those it is said; if it names none, that is all of them
// that nobody had passed, or all.
func (s *State) Finish(id string, f Finding, why, message string, now time.Time, sum func(path string) string) *Run {
	i := s.run(id)
	if i < 0 {
		return nil
	}
	r := &s.Runs[i]
	before := r.Ended // it has gone on since
	r.Ended, r.Found, r.Why, r.Files, r.Paths, r.Missed = now, f, why, 0, nil, nil
	if f != Passed && f != Found {
		return r
	}
	unseen := func(f *File) bool {
		return slices.ContainsFunc(r.Needs, func(need string) bool { return !f.Looked(need) })
	}
	named := func(f *File) bool { return strings.Contains(message, filepath.Base(f.Path)) }
	some := func(is func(*File) bool) bool {
		return slices.ContainsFunc(r.Saw, func(saw Saw) bool { f := s.record(saw.Path, saw.Of, saw.Sum); return f != nil && is(f) })
	}
	blamed := named
	switch {
	case some(named):
	case some(unseen):
		blamed = unseen
	default:
		blamed = func(*File) bool { return true }
	}
	for _, saw := range r.Saw {
		one := s.record(saw.Path, saw.Of, saw.Sum)
		if one == nil || one.Seq != saw.Seq || saw.Of == "" && sum(saw.Path) != saw.Sum {
			continue
		}
		if !unseen(one) && (f == Passed || !blamed(one)) {
			continue // somebody else's look stays
		}
		if f == Passed && one.faultSince(r, before) {
			continue // somebody who looked meanwhile found something in it
		}
		if f == Passed && r.Known && !saw.shown() && saw.Sum != "" && !one.readFor(r.Needs) {
			r.Missed = append(r.Missed, saw.Path)
			continue
		}
		if f == Found && blamed(one) { // which is news to a user who was told that nobody looked
			one.Fault, one.Told = &Look{r.Needs[0], r.Type, saw.Seq, saw.Sum, now}, nil
		}
		r.Files++
		r.Paths = append(r.Paths, saw.Path)
		for _, need := range r.Needs {
			if f == Found {
				one.Looks = slices.DeleteFunc(one.Looks, func(l Look) bool { return l.Need == need })
				if saw.shown() {
					one.Read = add(one.Read, Look{need, r.Type, saw.Seq, saw.Sum, now}, keepStates)
				}
			} else {
				one.looked(Look{need, r.Type, saw.Seq, saw.Sum, now})
			}
		}
	}
	return r
}

// faultSince reports that another verifier has found something in the file, as it is, since one began: that one passes what it does not know of.
// What it found itself, at an end before, it may take back.
func (f *File) faultSince(r *Run, before time.Time) bool {
	fault := f.Fault
	return fault != nil && fault.Seq == f.Seq && fault.At.After(r.Began) && slices.Contains(r.Needs, fault.Need) &&
		!(fault.Agent == r.Type && fault.At.Equal(before))
}

// shown reports a file that the verifier had before it, as far as anybody has told.
func (s *Saw) shown() bool { return s.Shown || len(s.By) > 0 }

// readFor reports a file that a verifier has read as it is, which found something elsewhere.
func (f *File) readFor(needs []string) bool {
	return !slices.ContainsFunc(needs, func(need string) bool {
		return !slices.ContainsFunc(f.Read, func(l Look) bool { return l.Need == need && l.Seq == f.Seq })
	})
}

// Since says what a file waits for that somebody has looked at before, "" where nobody has.
func (f *File) Since(need string) string {
	var last *Look
	for i := range f.Looks {
		if f.Looks[i].Need == need {
			last = &f.Looks[i]
		}
	}
	switch f := f.Fault; {
	case f != nil && (last == nil || f.At.After(last.At)):
		last = f
	case last == nil:
		return ""
	}
	if last == f.Fault && last.Seq == f.Seq {
		return last.Agent + " found what must change"
	}
	return "changed since " + last.Agent + " looked"
}

// Sent notes that a verifier goes on in the background; false for one that is not known.
func (s *State) Sent(id string) bool {
	i := s.run(id)
	if i >= 0 {
		s.Runs[i].Away = true
	}
	return i >= 0
}

// AtWork is a verifier that looks at some of these files as they are, nil for none: one that has begun in this turn, or was sent to the
// background, and has not ended. After so long it will not.
func (s *State) AtWork(pending []Pending, turn, now time.Time) *Run {
	i := slices.IndexFunc(s.Runs, func(r Run) bool {
		return r.Ended.IsZero() && (r.Away || !r.Began.Before(turn)) && now.Sub(r.Began) < longest && slices.ContainsFunc(r.Saw, func(saw Saw) bool {
			return slices.ContainsFunc(pending, func(p Pending) bool {
				return p.File.Path == saw.Path && p.File.Seq == saw.Seq && slices.Contains(r.Needs, p.Need)
			})
		})
	})
	if i < 0 {
		return nil
	}
	return &s.Runs[i]
}

// longest is how long a verifier may be at work.
const longest = 30 * time.Minute

func (f *File) looked(l Look) {
	f.Looks = slices.DeleteFunc(f.Looks, func(old Look) bool { return old.Need == l.Need })
	f.Looks = append(f.Looks, l)
}

// Failed notes that a call of a verifier failed: it did not even begin, or is the newest one of its type since the call that the session waits for.
func (s *State) Failed(id, agentType string, needs []string, why string, began, now time.Time) {
	for i := range slices.Backward(s.Runs) {
		if r := &s.Runs[i]; r.Ended.IsZero() && !r.Away && r.Type == agentType && !r.Began.Before(began) {
			r.Ended, r.Found, r.Why = now, Unable, why
			return
		}
	}
	s.Runs = add(s.Runs, Run{ID: id, Type: agentType, Needs: needs, Began: now, Ended: now, Found: Unable, Why: why}, keepRuns)
}

// Since is the last verifier that ended after the last change of the files, nil for none; one that found something, or could not look, goes before
// one that passed what it saw, since that is why the files wait.
func (s *State) Since(pending []Pending) (passed *Run) {
	for i := len(s.Runs) - 1; i >= 0; i-- {
		r := &s.Runs[i]
		if r.Ended.IsZero() {
			continue
		}
		if slices.ContainsFunc(pending, func(p Pending) bool { return slices.Contains(r.Needs, p.Need) && !r.Ended.Before(p.File.At) }) {
			if r.Found != Passed || len(r.Missed) > 0 {
				return r
			}
			passed = cmp.Or(passed, r)
		}
	}
	return passed
}
