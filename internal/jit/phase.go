package jit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// PhaseTTL is how long the data of a phase counts unless its writer says otherwise.
const PhaseTTL = 10 * time.Minute

// Phases is the memory between the phases of a workflow, for one project and one session: what planning
// found out, implementing need not find out again.
type Phases struct{ dir string }

// PhasesOf is the memory of a project and session below moai's state directory.
func PhasesOf(stateDir, root, session string) Phases {
	// Callers outside of a session share one memory a project.
	if session == "" {
		session = "default"
	}
	return Phases{filepath.Join(stateDir, "phase", state.ProjectKey(root), state.SafeName(session))}
}

// A Phase is what was kept under one name.
type Phase struct {
	Name  string          `json:"phase"`
	Saved time.Time       `json:"saved"`
	TTL   time.Duration   `json:"ttl"` // nanoseconds
	Data  json.RawMessage `json:"data"`
}

// Left is how long a phase still counts at a time; not more than 0 when it is over.
func (p *Phase) Left(now time.Time) time.Duration { return p.Saved.Add(p.TTL).Sub(now) }

// counts reports whether a phase does at a time. One of the future comes from a clock that was wrong, and would count too long; a
// minute is what the clocks of two machines that share a home may differ.
func (p *Phase) counts(now time.Time) bool {
	return p.Left(now) > 0 && !p.Saved.After(now.Add(time.Minute))
}

// maxPhase bounds what one phase may keep.
const maxPhase = 4 << 20

func (ps Phases) file(name string) string { return state.File(ps.dir, name) }

// Save keeps data, a JSON document, under a name, over what was there.
func (ps Phases) Save(name string, data json.RawMessage, ttl time.Duration) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a phase needs a name")
	case len(data) > maxPhase:
		return fmt.Errorf("the data of a phase may have %d MB at most", maxPhase>>20)
	case !json.Valid(data):
		return errors.New("the data of a phase is not JSON")
	case ttl <= 0:
		ttl = PhaseTTL
	}
	return state.Write(ps.file(name), Phase{name, time.Now(), ttl, data})
}

// Load gives what was kept under a name, nil when nothing was or its time is over. within, when greater
// than 0, asks for data not older than that.
func (ps Phases) Load(name string, within time.Duration) *Phase {
	var p Phase
	now := time.Now()
	// The name within counts: two names may have made the same safe name of a file.
	if !state.Read(ps.file(name), 0, &p) || p.Name != name || !p.counts(now) || within > 0 && now.Sub(p.Saved) > within {
		return nil
	}
	return &p
}

// List gives the phases that still count, the newest first.
func (ps Phases) List() []Phase {
	entries, err := os.ReadDir(ps.dir)
	if err != nil {
		return nil
	}
	var out []Phase
	for _, e := range entries {
		var p Phase
		if filepath.Ext(e.Name()) == ".json" && state.Read(filepath.Join(ps.dir, e.Name()), 0, &p) && p.counts(time.Now()) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Phase) int { return b.Saved.Compare(a.Saved) })
	return out
}

// Clear forgets one phase, or all with name "".
func (ps Phases) Clear(name string) error {
	if name == "" {
		return os.RemoveAll(ps.dir)
	}
	if err := os.Remove(ps.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget phase: %w", err)
	}
	return nil
}
