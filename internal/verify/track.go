package verify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Bounds of what is kept of one session.
const (
	keepFiles  = 500
	keepRuns   = 20
	keepStates = 4 // of a file
	keepNames  = 40
)

// maxRead is how much of a file is read to know it again; larger ones are known by size and time.
const maxRead = 1 << 20

// Sum is a file as it is now: "" for none, else a text that changes with its content.
func Sum(path string) string {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return ""
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return "link:" + to
	case !info.Mode().IsRegular():
		return "special"
	}
	looked := fmt.Sprintf("%d:%d", info.Size(), info.ModTime().UnixNano())
	if info.Size() > maxRead {
		return looked
	}
	text, err := disk.ReadItself(path, maxRead)
	if err != nil {
		return looked
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Edit is a change of a file by a tool of the session.
type Edit struct {
	Path string // absolute, links followed
	Sum  string // as it was left; see Sum
	Turn int
	At   time.Time
	Tool string
	// Command says that it was found out from what a command line left.
	Command bool
	Agent   string // the type of the sub-agent, "" for the session itself
	Was     string // as it was before, where that is known
	Lost    bool   // it is gone, and a commit from before the session has it
	Back    bool   // it holds what a commit has that the session has not made
	Other   bool   // Git brought it from elsewhere than the commit that was there
	Merged  bool   // the session put it together by hand where it merged, and committed it
	Hand    bool   // the session itself wrote the mark of generated files
	Else    bool   // it lies in a repository elsewhere
	Untold  bool   // it is a folder in which a command changed files that could not be listed
}

// Changed notes a change. A file that is as it was left before is none.
func (s *State) Changed(e Edit) bool {
	f := s.file(e.Path)
	if f != nil && f.Sum == e.Sum && !(f.Off && e.Merged) {
		return false
	}
	if f == nil {
		if len(s.Files) >= keepFiles && !e.Untold {
			s.Dropped++
			return true
		}
		s.Files = append(s.Files, File{Path: e.Path, Was: e.Was, Looks: s.moved(e.Sum)})
		f = &s.Files[len(s.Files)-1]
	}
	s.Seq++
	off := e.Back || f.Was != "" && e.Sum == f.Was
	if (off || e.Sum == "") && !f.Off && f.Sum != "" {
		f.Last = f.Sum
	}
	f.Hand = f.Hand || e.Hand || !e.Command
	f.Off, f.Lost, f.Else, f.Untold = off, e.Lost, e.Else, e.Untold
	f.Seq, f.Sum, f.Turn, f.At, f.Tool, f.Command, f.Agent = s.Seq, e.Sum, e.Turn, e.At, e.Tool, e.Command, e.Agent
	return true
}

// Room drops what nobody has to look at where edits would be more than are kept: a heap of data leaves room for the code beside it.
func (s *State) Room(t *Tables, edits []Edit, rel func(path string) string) []Edit {
	if len(s.Files)+len(edits) <= keepFiles {
		return edits
	}
	s.Files = slices.DeleteFunc(s.Files, func(f File) bool { return f.Else || t.Kind(&f, rel(f.Path)) == nil })
	return slices.DeleteFunc(edits, func(e Edit) bool {
		return e.Else || t.Kind(&File{Path: e.Path, Sum: e.Sum, Tool: e.Tool, Command: e.Command, Hand: e.Hand}, rel(e.Path)) == nil
	})
}

// Has reports a file that the session changed at some time.
func (s *State) Has(path string) bool { return s.file(path) != nil }

// moved are the looks at a file that is now elsewhere, as it was: they count for it there.
func (s *State) moved(sum string) []Look {
	if sum == "" {
		return nil
	}
	for i := range s.Files {
		if f := &s.Files[i]; f.Sum == sum && f.Gone() {
			return slices.DeleteFunc(slices.Clone(f.Looks), func(l Look) bool { return l.Sum != sum })
		}
	}
	return nil
}

// Move notes that a file is elsewhere, as it was: what is known of it, and who looks at it, goes with it. It reports false for a file
// that is not the session's.
func (s *State) Move(from, to string) bool {
	at := func(path string) int { return slices.IndexFunc(s.Files, func(f File) bool { return f.Path == path }) }
	if at(from) < 0 {
		return false
	}
	if old := at(to); old >= 0 { // it took the place of that
		s.Files = slices.Delete(s.Files, old, old+1)
	}
	moved := &s.Files[at(from)]
	moved.Path, moved.Else, moved.Lost = to, false, false
	for i := range s.Runs {
		for j := range s.Runs[i].Saw {
			if saw := &s.Runs[i].Saw[j]; saw.Path == from {
				saw.Path = to
			}
		}
	}
	return true
}

// Renamed keeps which name a file had first to which a command gave another one.
func (s *State) Renamed(from, to string) {
	first := cmp.Or(s.First[from], from)
	delete(s.First, from)
	if first == to {
		return
	}
	if s.First == nil {
		s.First = map[string]string{}
	}
	if len(s.First) < maxMoved {
		s.First[to] = first
	}
}

// Rewrote notes that moai itself gave a file another form: who has looked at it as it was, has looked at it.
func (s *State) Rewrote(path, was, now string) (changed bool) {
	become := func(sum *string) {
		if *sum == was {
			*sum, changed = now, true
		}
	}
	for i := range s.Files {
		if f := &s.Files[i]; f.Path == path {
			become(&f.Sum)
			for j := range f.Looks {
				become(&f.Looks[j].Sum)
			}
			for _, spoken := range [][]string{f.Held, f.Told} {
				for j := range spoken {
					become(&spoken[j])
				}
			}
		}
	}
	for i := range s.Runs {
		for j := range s.Runs[i].Saw {
			if saw := &s.Runs[i].Saw[j]; saw.Path == path {
				become(&saw.Sum)
			}
		}
	}
	return changed
}

// Waits reports a file that somebody can look at: one that is there, or whose loss is what there is to look at.
func (f *File) Waits() bool {
	if f.Of != "" {
		return true
	}
	if f.Gone() {
		return f.Lost
	}
	return !f.Removed()
}

// Gone reports a file that is no more.
func (f *File) Gone() bool {
	if f.Of != "" {
		return false
	}
	_, err := os.Lstat(f.Path)
	return errors.Is(err, fs.ErrNotExist)
}

// Removed reports a file that the session has left as none: what is there now, somebody else has put there. What is again as the session left
// it before that, as undo brings it back, is the session's.
func (f *File) Removed() bool { return f.Sum == "" && (f.Last == "" || Sum(f.Path) != f.Last) }

// TookBack reports a file in which nothing of the session's is left, whoever changed it since. What is again as the session left it is its own.
func (f *File) TookBack() bool { return f.Off && (f.Last == "" || Sum(f.Path) != f.Last) }

// Looked reports whether somebody else has looked at a file as the session left it. It may have been changed by others
// since: that is theirs.
func (f *File) Looked(need string) bool {
	return slices.ContainsFunc(f.Looks, func(l Look) bool { return l.Need == need && (l.Seq == f.Seq || l.Sum == f.Left()) })
}

// Left is a file as the session left it. One that it removed, or whose change it took back, is as somebody brought it back.
func (f *File) Left() string {
	if f.Sum == "" || f.Off {
		return Sum(f.Path)
	}
	return f.Sum
}

func add[T any](list []T, one T, most int) []T {
	list = append(list, one)
	if over := len(list) - most; over > 0 {
		list = slices.Delete(list, 0, over)
	}
	return list
}
