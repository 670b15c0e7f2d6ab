package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Head says where the repository stands.
type Head struct {
	Branch   string // short name, "" when detached
	Hash     Hash   // zero when unborn
	Unborn   bool   // the branch has no commit yet
	Detached bool

	// Operation that waits to be finished: "rebase", "am", "merge", "cherry-pick",
	// "revert", "bisect", or "".
	Operation string
	// Onto is the branch that a rebase or a bisect began on, when it is known.
	Onto string
	// Step of Steps in a rebase or am; 0 when it is not one.
	Step, Steps int
}

// Head reads HEAD and what operation is in progress.
func (r *Repo) Head() (Head, error) {
	var h Head
	name, err := r.headRef()
	if err != nil {
		return h, err
	}
	if !strings.HasPrefix(name, "refs/") {
		hash, ok := ParseHash(name)
		if !ok {
			return h, declined(r.GitDir, "its HEAD is damaged")
		}
		h.Hash, h.Detached = hash, true
	} else {
		h.Branch = strings.TrimPrefix(name, "refs/heads/")
		h.Hash, err = r.lookup(name)
		if errors.Is(err, ErrNoRef) {
			h.Unborn = true
		} else if err != nil {
			return h, err
		}
	}
	r.operation(&h)
	return h, nil
}

// headRef is the content of HEAD: a reference name or an object name.
func (r *Repo) headRef() (string, error) {
	path := filepath.Join(r.GitDir, "HEAD")
	b, err := readSmall(path)
	if err != nil {
		if t, lerr := os.Readlink(path); lerr == nil && strings.HasPrefix(t, "refs/") {
			return t, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", declined(r.GitDir, "HEAD is missing")
		}
		return "", err
	}
	s := strings.TrimRight(string(b), " \t\r\n")
	if t, ok := strings.CutPrefix(s, "ref:"); ok {
		return strings.TrimLeft(t, " \t"), nil
	}
	return s, nil
}

// operation looks for the traces that git's own status looks for, in its order.
func (r *Repo) operation(h *Head) {
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.GitDir, name))
		return err == nil
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(r.stateLine(name))
		return n
	}
	switch {
	// First: a rebase picks commits, and leaves CHERRY_PICK_HEAD where one of them stops.
	case exists("rebase-merge"):
		h.Operation = "rebase"
		h.Onto = shortBranch(r.stateLine("rebase-merge/head-name"))
		h.Step, h.Steps = number("rebase-merge/msgnum"), number("rebase-merge/end")
	case exists("rebase-apply"):
		h.Operation = "rebase"
		if exists("rebase-apply/applying") {
			h.Operation = "am"
		}
		h.Onto = shortBranch(r.stateLine("rebase-apply/head-name"))
		h.Step, h.Steps = number("rebase-apply/next"), number("rebase-apply/last")
	case exists("MERGE_HEAD"):
		h.Operation = "merge"
	case exists("CHERRY_PICK_HEAD"):
		h.Operation = "cherry-pick"
	case exists("REVERT_HEAD"):
		h.Operation = "revert"
	case exists("sequencer/todo"):
		// Between two commits of a series neither head file exists.
		h.Operation = "cherry-pick"
		if strings.HasPrefix(r.stateLine("sequencer/todo"), "revert ") {
			h.Operation = "revert"
		}
	case exists("BISECT_LOG"):
		h.Operation = "bisect"
		h.Onto = shortBranch(r.stateLine("BISECT_START"))
	}
}

// stateLine is the first line of a small file in the Git directory, or "".
func (r *Repo) stateLine(name string) string {
	b, err := readSmall(filepath.Join(r.GitDir, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// shortBranch is the branch that a rebase began on; Git writes these words where HEAD was detached.
func shortBranch(ref string) string {
	if ref == "detached HEAD" {
		return ""
	}
	return strings.TrimPrefix(ref, "refs/heads/")
}
