package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Underway is an operation that waited to be finished, in the words that people read.
type Underway struct {
	Operation string `json:"operation"`        // rebase, am, merge, cherry-pick, revert, bisect, or "" for what has no name
	Branch    string `json:"branch,omitempty"` // the branch that it began on
	With      string `json:"with,omitempty"`   // a branch or commit: what a rebase goes onto, what is merged, picked or reverted
	Step      int    `json:"step,omitempty"`   // of Steps, where they are counted
	Steps     int    `json:"steps,omitempty"`
}

// String reads as "a rebase of feature onto main, at 2 of 5".
func (u *Underway) String() string {
	words := [...]string{"a " + u.Operation, "on", u.Branch, "of", u.With}
	switch u.Operation {
	case "":
		words[0] = "an operation"
	case "rebase":
		words[1], words[3] = "of", "onto"
	case "am":
		words[0] = "an am of patches"
	case "merge":
		words[1], words[2], words[3], words[4] = "of", u.With, "into", u.Branch
	case "cherry-pick", "revert":
		words[1], words[2], words[3], words[4] = "of", u.With, "on", u.Branch
	case "bisect":
		words[1] = "that began on"
	}
	text := words[0]
	for i := 1; i < len(words); i += 2 {
		if words[i+1] != "" {
			text += " " + words[i] + " " + words[i+1]
		}
	}
	if u.Steps > 0 {
		text += fmt.Sprintf(", at %d of %d", u.Step, u.Steps)
	}
	return text
}

const (
	// maxStateFiles, maxStateFile and maxState bound what is kept of an operation: a series of patches that nobody would apply is not
	// copied into every checkpoint.
	maxStateFiles = 4000
	maxStateFile  = 16 << 20
	maxState      = 64 << 20
	// maxStateDepth bounds folders below refs/rewritten, where labels may have slashes.
	maxStateDepth = 16
)

// opState is what git keeps of an operation under way, as files of the work tree's own Git folder.
type opState struct {
	files map[string]Side
	seen  int  // names that were looked at, folders and what cannot be kept as well
	waits bool // something is under way, and these are not left-overs
	// skipped are files that belong to it and could not be kept: without them it cannot be brought back.
	skipped []Skip
	names   []string          // words of these files that may be names of objects
	text    map[string][]byte // contents that are in no object: of checkpoints of older versions
}

// readState reads what is there now. Contents go to w.
func readState(r *repo.Repo, w *repo.ObjectWriter) *opState {
	s := &opState{files: map[string]Side{}}
	root, err := os.OpenRoot(r.GitDir)
	if err != nil {
		return s // nothing can be under way
	}
	defer root.Close()
	left := int64(maxState)
	for _, n := range repo.StateNames {
		name := strings.TrimSuffix(n.Name, "/")
		fi, err := root.Lstat(filepath.FromSlash(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			s.skip(name, why(err))
			continue
		case fi.IsDir() != strings.HasSuffix(n.Name, "/"):
			s.skip(name, "not what git makes it")
		case fi.IsDir():
			s.folder(root, w, name, 0, &left)
		default:
			s.file(root, w, name, fi, &left)
		}
		s.waits = s.waits || n.Waits
	}
	return s
}

func (s *opState) skip(name, why string) {
	s.skipped = append(s.skipped, Skip{Path: ".git/" + name, Why: why, Tracked: true})
}

// folder reads what is in a folder. The names in it are git's, and not known beforehand.
func (s *opState) folder(root *os.Root, w *repo.ObjectWriter, dir string, depth int, left *int64) {
	f, err := root.Open(filepath.FromSlash(dir))
	if err != nil {
		s.skip(dir, why(err))
		return
	}
	list, err := f.ReadDir(maxStateFiles + 1)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		s.skip(dir, why(err))
		return
	}
	if s.seen += len(list); s.seen > maxStateFiles || depth > maxStateDepth {
		s.skip(dir, fmt.Sprintf("over the limit of %d files", maxStateFiles))
		return
	}
	for _, d := range list {
		name := dir + "/" + d.Name()
		if strings.HasSuffix(name, ".lock") {
			continue // of a git that runs, or was killed
		}
		if s.seen > maxStateFiles {
			return // a folder inside was over the limit, and said so
		}
		fi, err := root.Lstat(filepath.FromSlash(name))
		switch _, known := repo.State(name); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			s.skip(name, why(err))
		case fi.IsDir():
			s.folder(root, w, name, depth+1, left)
		case !known:
			s.skip(name, "its name is not safe")
		default:
			s.file(root, w, name, fi, left)
		}
	}
}

// file reads one file, and what it may name.
func (s *opState) file(root *os.Root, w *repo.ObjectWriter, name string, fi fs.FileInfo, left *int64) {
	switch {
	case !fi.Mode().IsRegular():
		s.skip(name, disk.ErrNotRegular.Error())
		return
	case len(s.files) >= maxStateFiles:
		s.skip(name, fmt.Sprintf("over the limit of %d files", maxStateFiles))
		return
	case fi.Size() > min(maxStateFile, *left):
		s.skip(name, Size(fi.Size())+", over the limit for an operation under way")
		return
	}
	f, fi, err := disk.OpenRegular(root.OpenFile, filepath.FromSlash(name), disk.NoFollow)
	var b []byte
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(f, maxStateFile))
		f.Close()
	}
	var h repo.Hash
	if err == nil {
		*left -= int64(len(b))
		h, err = w.Add(repo.KindBlob, b)
	}
	if err != nil {
		s.skip(name, why(err))
		return
	}
	mode := uint32(repo.ModeFile)
	if fi.Mode()&0o100 != 0 && hasPermissions {
		mode = repo.ModeExec
	}
	s.files[name] = Side{mode, h}
	s.named(name, b)
}

// whole says that it has all that there was, and not only what older versions kept or nothing at all.
func (s *opState) whole() bool { return len(s.files) > 0 && len(s.text) == 0 }

// same says whether two states are one.
func (s *opState) same(now *opState) bool {
	if len(s.skipped)+len(now.skipped) > 0 {
		return false
	}
	for name, side := range s.files {
		if now.files[name] != side {
			return false
		}
	}
	for name := range now.files {
		if n, _ := repo.State(name); (s.whole() || !n.Stays) && s.files[name].Mode == 0 {
			return false
		}
	}
	return true
}

// stateFolder holds the files in the tree of a state, and keptFolder objects that they name and that are no commits.
const (
	stateFolder = "state"
	keptFolder  = "kept"
)

// keepState adds the state to what is written: a tree of its files, as a commit that has the commits that they name as parents.
// Left-overs are kept where a restore is about to delete them.
func (s *snapshot) keepState(c *Checkpoint) {
	st := readState(s.r, s.w)
	if !st.waits && !s.opts.leftovers {
		return
	}
	if st.waits {
		c.Underway = underway(s.r, &s.head)
		s.stateLost = st.skipped
	}
	// Half of it would be worse than nothing: git would go on from something that never was.
	if len(st.files) == 0 || len(st.skipped) > 0 {
		return
	}
	e := &edits{}
	for name, side := range st.files {
		e.set(stateFolder+"/"+name, side)
	}
	var over bool
	s.stateTips, over = st.objects(s.r, e)
	if over {
		s.stateLost = append(s.stateLost, Skip{Path: ".git", Why: fmt.Sprintf("commits over the limit of %d that the operation under way names", maxPins), Tracked: true})
	}
	h, err := retree(s.w, s.readTree, s.r.HashSize(), repo.Hash{}, e)
	if err != nil {
		s.stateLost = append(s.stateLost, Skip{Path: ".git", Why: "the operation under way: " + why(err), Tracked: true})
		return
	}
	c.state = h
}

// underway says what waits, and of what.
func underway(r *repo.Repo, head *repo.Head) *Underway {
	u := &Underway{Operation: head.Operation, Branch: cmp.Or(head.Onto, head.Branch), Step: head.Step, Steps: head.Steps}
	for _, from := range underwayWith {
		if from.operation != u.Operation {
			continue
		}
		b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(r.GitDir, filepath.FromSlash(from.file)), disk.NoFollow, 4096)
		if h, ok := repo.ParseHash(firstWord(b)); err == nil && ok {
			u.With = branchAt(r, h, u.Branch, from.operation == "rebase" || from.operation == "merge")
			break
		}
	}
	return u
}

// underwayWith are the files that say what is merged, picked, reverted or rebased onto.
var underwayWith = [...]struct{ operation, file string }{
	{"rebase", "rebase-merge/onto"},
	{"rebase", "rebase-apply/onto"},
	{"merge", "MERGE_HEAD"},
	{"cherry-pick", "CHERRY_PICK_HEAD"},
	{"revert", "REVERT_HEAD"},
}

func firstWord(b []byte) string {
	if f := strings.Fields(string(b)); len(f) > 0 {
		return f[0]
	}
	return ""
}

// branchAt is a branch that stands on a commit, where one is looked for, and else the start of its name.
func branchAt(r *repo.Repo, h repo.Hash, but string, look bool) string {
	if look {
		for _, below := range [...]string{"refs/heads/", "refs/remotes/"} {
			refs, _ := r.Refs(below)
			for _, ref := range refs {
				if name := strings.TrimPrefix(ref.Name, below); ref.Hash == h && name != but && path.Base(name) != "HEAD" && !strings.HasPrefix(ref.Name, branchRefs) {
					return name
				}
			}
		}
	}
	return h.String()[:10]
}
