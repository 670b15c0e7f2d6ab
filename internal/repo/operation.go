package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A StateName is a file, or with a slash at its end a folder, of a work tree's own Git folder in which git keeps an operation that
// waits to be finished: gitrepository-layout(5), and what git's sequencer, am and bisect write.
type StateName struct {
	Name  string
	Waits bool // where it is, something waits; the others can be left from what has ended
	Stays bool // git leaves it when the operation ends
}

// StateNames are all of them. What says that an operation waits comes last, since it is written in this order.
var StateNames = [...]StateName{
	{Name: "ORIG_HEAD", Stays: true},
	{Name: "MERGE_MSG", Waits: true}, // alone after cherry-pick -n and revert -n
	{Name: "MERGE_MODE"},
	{Name: "MERGE_RR"},
	{Name: "AUTO_MERGE"},
	{Name: "REBASE_HEAD"},
	{Name: "BISECT_TERMS"},
	{Name: "BISECT_NAMES"},
	{Name: "BISECT_EXPECTED_REV"},
	{Name: "BISECT_ANCESTORS_OK"},
	{Name: "BISECT_FIRST_PARENT"},
	{Name: "BISECT_HEAD"},
	{Name: "BISECT_RUN"},
	{Name: "NOTES_MERGE_REF"},
	{Name: "NOTES_MERGE_WORKTREE/"},
	{Name: "refs/rewritten/"},
	{Name: "refs/bisect/"},
	{Name: "BISECT_LOG", Waits: true},
	{Name: "BISECT_START", Waits: true},
	{Name: "NOTES_MERGE_PARTIAL", Waits: true},
	{Name: "SQUASH_MSG", Waits: true},
	{Name: "MERGE_AUTOSTASH", Waits: true},
	{Name: "sequencer/", Waits: true},
	{Name: "rebase-apply/", Waits: true},
	{Name: "rebase-merge/", Waits: true},
	{Name: "REVERT_HEAD", Waits: true},
	{Name: "CHERRY_PICK_HEAD", Waits: true},
	{Name: "MERGE_HEAD", Waits: true},
}

// State finds the name that a file of the Git folder is, or lies below. Nothing else may be written there by a checkpoint, which can
// come from anybody.
func State(path string) (StateName, bool) {
	i := slices.IndexFunc(StateNames[:], func(n StateName) bool {
		return path == n.Name || strings.HasSuffix(n.Name, "/") && strings.HasPrefix(path, n.Name) && safeState(path)
	})
	if i < 0 {
		return StateName{}, false
	}
	return StateNames[i], !strings.HasSuffix(path, "/")
}

// safeState says whether a path stays below its folder, on every system, and is a reference where it lies among them.
func safeState(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "\\:\x00") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.HasPrefix(path, "refs/") || validRef(path)
}

// WriteState makes a file of git's such as MERGE_HEAD or MERGE_MSG, which says what is being merged, picked or reverted.
func (r *Repo) WriteState(name string, content []byte) error {
	l, err := lockFilled(r.GitDir, filepath.Join(r.GitDir, name), refLockWait)
	if err == nil {
		_, _ = l.Write(content) // Commit has its error
		err = l.Commit()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Waiting says whether an operation waits in this work tree: whether git keeps anything of one. It looks and reads nothing.
func (r *Repo) Waiting() bool {
	return slices.ContainsFunc(StateNames[:], func(n StateName) bool {
		if !n.Waits {
			return false
		}
		_, err := os.Lstat(filepath.Join(r.GitDir, strings.TrimSuffix(n.Name, "/")))
		return err == nil
	})
}
