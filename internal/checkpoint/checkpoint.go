package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

const (
	// Hidden is the folder of references below which moai keeps its own: no branch or tag, so that `git branch` does not list them.
	Hidden = repo.OwnRefs
	// hiddenRefs holds every checkpoint. `git push --all`, `git branch` and clones do not see it.
	hiddenRefs = Hidden + "checkpoints/"
	// pinRefs holds tips that a command may make unreachable, one folder per checkpoint.
	pinRefs = Hidden + "pins/"
	// branchRefs holds the same checkpoints as branches, without sensitive untracked files, when the user wants them.
	branchRefs = "refs/heads/checkpoint/"

	// stampFormat sorts by time. Colons are not allowed in references. Milliseconds keep the order of checkpoints that follow
	// each other at once, such as the one before a reset and the one before the restore that undoes it.
	stampFormat = "20060102T150405.000Z"
)

// ErrNone says that no checkpoint has the id that was asked for.
var ErrNone = errors.New("no such checkpoint")

// ErrSeveral says that the part of a name that was asked for does not single one out.
var ErrSeveral = errors.New("not one checkpoint")

// A Checkpoint is one snapshot, as its commit describes it.
type Checkpoint struct {
	Name   string    `json:"name"` // checkpoint/before-rm-20260102T150405.123Z, also the name of the branch
	Ref    string    `json:"ref"`  // refs/moai/checkpoints/before-rm-20260102T150405.123Z
	Branch string    `json:"branch_ref,omitempty"`
	Commit repo.Hash `json:"-"`
	Tree   repo.Hash `json:"-"`
	Time   time.Time `json:"time"`

	Operation string `json:"operation"`
	Command   string `json:"command,omitempty"` // secrets masked
	Program   string `json:"-"`                 // of fresh checkpoints alone
	Session   string `json:"session,omitempty"`
	Message   string `json:"message,omitempty"`

	Worktree string `json:"worktree,omitempty"` // of a linked work tree, its name; they share references

	elsewhere string // what core.worktree said where that was another folder than the repository's own

	On    string    `json:"on,omitempty"` // branch that was checked out; "" when detached
	Head  repo.Hash `json:"-"`            // zero on an unborn branch
	Index repo.Hash `json:"-"`            // tree of the index, without paths in conflict
	// Unmerged is the tree of conflicting index entries, 1/path, 2/path, 3/path; zero without a conflict.
	Unmerged repo.Hash `json:"-"`

	// Intent are paths that were announced with git add -N: the index names them without content.
	Intent []string `json:"intent,omitempty"`
	// IntentModes are the modes of those that are no plain files, in octal, before their paths: "100755 run.sh".
	IntentModes []string `json:"-"`
	// Links are links on disk where core.symlinks is off, and Git would write a plain file.
	Links []string `json:"-"`

	// Marks are flags of index entries.
	Marks Marks `json:"-"`

	Stats     Stats    `json:"stats"`
	Skipped   []Skip   `json:"skipped,omitempty"`
	Nested    []string `json:"nested,omitempty"`    // repositories inside, kept as the commit they stand on
	Inside    []Inner  `json:"inside,omitempty"`    // checkpoints that were taken in repositories inside
	Torn      []string `json:"torn,omitempty"`      // files that were written to while they were read
	Sensitive []string `json:"sensitive,omitempty"` // files that are in Ref but not in Branch
	Vaulted   []string `json:"vaulted,omitempty"`   // ignored files that were copied to the vault
	Pins      []Pin    `json:"pins,omitempty"`
	// Underway is an operation that waited to be finished; nil when there was none.
	Underway *Underway `json:"under_way,omitempty"`
	// Usual are the permissions of files that are not executable and that Modes does not name; those of executable ones follow from
	// them. Zero, of older checkpoints, says nothing.
	Usual fs.FileMode `json:"-"`
	// Modes are permissions that git has no place for, of files that differ from what is usual here.
	Modes map[string]fs.FileMode `json:"-"`
	// Folders are empty folders, and modes of folders; older checkpoints have none.
	Folders Folders `json:"-"`

	// Brings is what the restore made, before which this was taken.
	Brings Brings `json:"-"`

	// Repositories are all that Create has seen inside, with changes or without.
	Repositories []string `json:"-"`

	// Lost are those of the paths left out that CreateOptions.InDanger names: nothing brings them back.
	Lost []Skip `json:"-"`

	// Staged says that the index holds what HEAD does not, be it what the user has told it of a path.
	Staged bool `json:"-"`

	// Linked are files with further names, of those that were saved: they come back as files of their own. Create knows.
	Linked []string `json:"-"`

	// Raised are files in danger that run with the rights of their owner or group: they come back without that, since a checkpoint can
	// be anybody's. Create knows.
	Raised []string `json:"-"`

	// Resolved says that the index remembered conflicts of what is under way which were resolved: how they were does not come back.
	// Create knows.
	Resolved bool `json:"-"`

	// Settings are the sections of the repository's settings that the vault holds for it; SettingsLeft names variables of those that
	// no restore sets. Create knows.
	Settings, SettingsLeft []string `json:"-"`

	// Trees are where the HEADs of the other work trees stood, that of a bare repository among them: who renames a branch moves these, too.
	// Only checkpoints that keep references know it.
	Trees []TreeHead `json:"-"`
	// Symbolic are the pinned references that stand for another one, and which that is.
	Symbolic map[string]string `json:"-"`

	// Reused says that Create found this one, equal in everything, and made none.
	Reused bool `json:"reused,omitempty"`
	// Warnings of Create: the checkpoint is there, something beside it (the branch, the log) is not.
	Warnings []string `json:"warnings,omitempty"`

	// Unbranched says why Create wrote no branch though one was asked for.
	Unbranched string `json:"unbranched,omitempty"`

	public repo.Hash // commit of the branch
	vault  string    // mark of the copy in the vault
	refs   repo.Hash // commit that says where references stood, of a step of a timeline
	state  repo.Hash // tree of what git keeps of Underway; zero where it could not be kept
	// texts are files of Underway in checkpoints of older versions, which have its heads as pins.
	texts map[string]string
}

// Stats counts what differs from HEAD's index: files and their bytes as stored.
type Stats struct {
	Changed   int   `json:"changed"`
	Deleted   int   `json:"deleted"`
	Untracked int   `json:"untracked"`
	Bytes     int64 `json:"bytes"`
}

// Skip is a path that is not in the checkpoint, with the reason. A path that ends in a slash stands for files below it.
type Skip struct {
	Path string `json:"path"`
	Why  string `json:"why"`

	Tracked bool `json:"-"` // the index names it; known of fresh checkpoints alone
	Broken  bool `json:"-"` // the disk failed: what else it hides nobody can tell
	// Unlisted says that Git passes it over: only a line that names it, or what it is in, takes it.
	Unlisted bool `json:"-"`
	// InWay is what stands in the way of a file that does not come back, "" where that is not it.
	InWay string `json:"-"`
	safe  bool   // git can bring it back: it calls it unchanged
}

// Pin is a reference that is kept reachable, with the value it had. Stash entries are "stash@{0}" and so on.
type Pin struct {
	Ref  string    `json:"ref"`
	Hash repo.Hash `json:"-"`
}

// Brief is the end of the name, which is enough of an id: a command with it fits into a narrow terminal, and unlike @1 it means the
// same tomorrow.
func (c *Checkpoint) Brief() string {
	short := c.Short()
	if i := strings.LastIndexByte(short, 'T'); i >= 0 && len(short)-i > len("T150405") {
		return short[i+1:]
	}
	return short
}

// Short is the name without its folder: before-rm-20260102T150405.123Z.
func (c *Checkpoint) Short() string { return strings.TrimPrefix(c.Name, "checkpoint/") }

// ID is the abbreviated commit, for people; names are what verbs take.
func (c *Checkpoint) ID() string { return c.Commit.String()[:10] }

// Amount says in words how much it holds of the work in progress.
func (c *Checkpoint) Amount() string {
	if c.Staged && c.Stats.Files() == 0 {
		return "staged changes"
	}
	if c.Head.IsZero() && c.Stats.Files() == 0 { // nothing has changed since the snapshot before: in no repository all of it is there alone
		return "the whole folder"
	}
	return c.Stats.String()
}

// Files is the number of files that differ from the index.
func (s Stats) Files() int { return s.Changed + s.Deleted + s.Untracked }

// String reads as "3 changed, 1 deleted, 2 untracked"; zero parts are left out.
func (s Stats) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{s.Changed, "changed"}, {s.Deleted, "deleted"}, {s.Untracked, "untracked"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if len(parts) == 0 {
		return "no changes"
	}
	return strings.Join(parts, ", ")
}

// slug makes an operation fit for a reference name: lower-case letters, digits and single hyphens, at most 40 of them.
func slug(op string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(op) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			b.WriteRune(c)
		} else if b.Len() > 0 && b.String()[b.Len()-1] != '-' {
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "manual"
}

// nameTime reads operation and time back from a short name; the time of names from elsewhere is zero.
func nameTime(short string) (op string, t time.Time, seq int) {
	rest := strings.TrimPrefix(short, "before-")
	for {
		i := strings.LastIndexByte(rest, '-')
		if i < 0 {
			return rest, time.Time{}, 0
		}
		if t, err := time.Parse(stampFormat, rest[i+1:]); err == nil {
			return rest[:i], t, seq
		}
		// A second one of the same instant carries -02, -03 …
		if seq != 0 {
			return strings.TrimPrefix(short, "before-"), time.Time{}, 0
		}
		if _, err := fmt.Sscanf(rest[i+1:], "%d", &seq); err != nil {
			return rest, time.Time{}, 0
		}
		rest = rest[:i]
	}
}
