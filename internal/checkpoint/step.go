package checkpoint

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// The kinds of steps.
const (
	StepPrompt  = "prompt"  // a turn begins
	StepStop    = "stop"    // a turn has ended
	StepBefore  = "before"  // a command is about to run
	StepAfter   = "after"   // a command has run
	StepNow     = "now"     // somebody is about to undo: what was there then
	StepUndo    = "undo"    // what an undo leads to, before the first file of it is touched
	StepUndone  = "undone"  // that undo has come to its end
	StepMissing = "missing" // there is no snapshot; Why says so
)

// A Step is one moment of a timeline.
type Step struct {
	Kind    string
	Time    time.Time
	Session string
	Turn    int    // of the session
	Prompt  string // the first words of the turn's prompt, masked
	Command string // masked; of steps around a command
	Call    string // the client's name of that call
	Why     string // of a missing one
	Words   Words  // of the command; nothing is known of one that ran while no other session was there

	// From is the snapshot with which the turn began, and Since the one before the command, or before an undo; zero where that is not known.
	From, Since repo.Hash
	Undoes      []string // keys of what an undo takes back, or brings again
	Again       bool     // it brings them again
	Forced      bool     // also over what somebody else has changed

	Made []string // files that Git ignores and that the call made where there was nothing, relative to the work tree

	// Vault is the snapshot whose copies in the vault are the files that Git ignores, as they are now; zero for none.
	Vault repo.Hash
	// Were is the one whose copies are what there was before: before the command, before the undo, else when the turn began.
	Were repo.Hash

	Link     repo.Hash // the step itself
	Snapshot repo.Hash // zero for a missing one

	// Settings name those of the repository as they were; zero in what older programs wrote.
	Settings repo.Hash

	before repo.Hash
}

// Words are what a command changes by its own words. Two that ran at the same time are told apart by them.
type Words struct {
	Files []string `json:"files,omitempty"` // relative to the work tree; of a folder, all that is in it
	Only  bool     `json:"only,omitempty"`  // it changes no other file
	Still bool     `json:"still,omitempty"` // it moves no reference and stages nothing
}

// MaxWords bounds the files that a step names: from there on the words tell nothing.
const MaxWords = 50

// Changed reports the end of a command that changed something that snapshots hold.
func (st *Step) Changed() bool {
	return st.Kind == StepAfter && !st.Since.IsZero() && st.Since != st.Snapshot
}

// Before is when the step before this one was added; zero without one.
func (st *Step) Before(r *repo.Repo) time.Time {
	if st.before.IsZero() {
		return time.Time{}
	}
	was, err := readStep(r, st.before)
	if err != nil {
		return time.Time{}
	}
	return was.Time
}

// The message of a step is a subject and trailers, as that of a checkpoint.
func (st *Step) encode() string {
	var b strings.Builder
	fmt.Fprintf(&b, "turn: %s\n\n", st.Kind)
	put := func(key, val string) {
		if val != "" {
			fmt.Fprintf(&b, "Moai-%s: %s\n", key, val)
		}
	}
	hash := func(key string, h repo.Hash) {
		if !h.IsZero() {
			put(key, h.String())
		}
	}
	put("Time", st.Time.UTC().Format(stampFormat))
	put("Session", quote(term.Clip(st.Session, 100)))
	if st.Turn > 0 {
		put("Turn", strconv.Itoa(st.Turn))
	}
	put("Prompt", quote(term.Clip(st.Prompt, maxCommand)))
	put("Command", quote(term.Clip(st.Command, maxCommand)))
	put("Call", quote(term.Clip(st.Call, 100)))
	put("Why", quote(term.Clip(st.Why, maxCommand)))
	if w := &st.Words; len(w.Files) <= MaxWords {
		for _, p := range w.Files {
			put("Names", quote(p))
		}
		if w.Only {
			put("Only", "yes")
		}
		if w.Still {
			put("Still", "yes")
		}
	}
	for _, p := range st.Made {
		put("Made", quote(p))
	}
	for _, key := range st.Undoes {
		put("Undoes", quote(key))
	}
	if st.Again {
		put("Again", "yes")
	}
	if st.Forced {
		put("Forced", "yes")
	}
	hash("Before", st.before)
	hash("Snapshot", st.Snapshot)
	hash("From", st.From)
	hash("Since", st.Since)
	hash("Copies", st.Vault)
	hash("Were", st.Were)
	hash("Settings", st.Settings)
	return b.String()
}

// readStep reads a step from its commit.
func readStep(r *repo.Repo, h repo.Hash) (*Step, error) {
	k, err := r.Commit(h)
	if err != nil {
		return nil, err
	}
	kind, ok := strings.CutPrefix(strings.SplitN(k.Message, "\n", 2)[0], "turn: ")
	if !ok || k.Author != author {
		return nil, errors.New("it is no step of a timeline")
	}
	st := &Step{Kind: kind, Time: k.Time, Link: h}
	for line := range strings.Lines(k.Message) {
		key, val, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "Moai-Time":
			if t, err := time.Parse(stampFormat, val); err == nil {
				st.Time = t
			}
		case "Moai-Session":
			st.Session = unquote(val)
		case "Moai-Turn":
			st.Turn, _ = strconv.Atoi(val)
		case "Moai-Prompt":
			st.Prompt = unquote(val)
		case "Moai-Command":
			st.Command = unquote(val)
		case "Moai-Call":
			st.Call = unquote(val)
		case "Moai-Why":
			st.Why = unquote(val)
		case "Moai-Names":
			st.Words.Files = append(st.Words.Files, unquote(val))
		case "Moai-Only":
			st.Words.Only = true
		case "Moai-Still":
			st.Words.Still = true
		case "Moai-Made":
			st.Made = append(st.Made, unquote(val))
		case "Moai-Undoes":
			st.Undoes = append(st.Undoes, unquote(val))
		case "Moai-Again":
			st.Again = true
		case "Moai-Forced":
			st.Forced = true
		case "Moai-Before":
			st.before, _ = repo.ParseHash(val)
		case "Moai-Snapshot":
			st.Snapshot, _ = repo.ParseHash(val)
		case "Moai-From":
			st.From, _ = repo.ParseHash(val)
		case "Moai-Since":
			st.Since, _ = repo.ParseHash(val)
		case "Moai-Copies":
			st.Vault, _ = repo.ParseHash(val)
		case "Moai-Were":
			st.Were, _ = repo.ParseHash(val)
		case "Moai-Settings":
			st.Settings, _ = repo.ParseHash(val)
		}
	}
	return st, nil
}
