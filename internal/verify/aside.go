package verify

import (
	"bytes"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// A command can commit what it writes, or put it on the stash, and go back to where it was: no picture shows that. The logs of HEAD and of the
// stash do. What lies there counts once it is in the work tree, however it comes back.

// maxLog is how much of the end of a log is read.
const maxLog = 64 << 10

// logs are the logs that tell what was committed and stashed here.
func logs(r *repo.Repo) [2]string {
	return [2]string{filepath.Join(r.GitDir, "logs", "HEAD"), filepath.Join(r.CommonDir, "logs", "refs", "stash")}
}

// Log tells whether a log was written.
type Log struct {
	Size int64 `json:"size"`
	At   int64 `json:"at"`
}

func logStates(r *repo.Repo) (list [2]Log) {
	for i, path := range logs(r) {
		if now, err := disk.At(path); err == nil {
			list[i] = Log{now.Size, now.ModifiedNano()}
		}
	}
	return list
}

// Aside lists what a command committed or stashed: files, absolute, with what they held there; see Sum. What the picture before has as well is not its, nor is what others had when the
// session began.
func (p *Picture) Aside(r *repo.Repo, before *Picture, began time.Time) (files []string, sums []string) {
	if p.Tree != before.Tree || p.Logs == before.Logs {
		return nil, nil
	}
	seen := folders{}
	add := func(from, to repo.Hash) {
		moved := map[repo.Hash]bool{}
		for path := range missing(r, seen, from, to, "") {
			if blob, ok := seen.at(r, from, path); ok {
				moved[blob] = true
			}
		}
		for path, one := range written(r, seen, from, to, "") {
			was, shown := before.Files[path]
			if shown && was.Sum == "" || !one.had && moved[one.Hash] || len(files) == maxChanges {
				continue
			}
			// The index alone, or another folder taken for the work tree, can give a commit what the file here never held.
			if before.untouched(r.Path(path)) && (shown || (&content{blob: one.Hash}).in(r, r.Path(path))) {
				continue
			}
			if old, had := seen.blob(r, before.Head, path); had && old == one.Hash {
				continue
			}
			sum := one.sum(r)
			if sum == "" || shown && was.Sum == sum || before.theirs(r, seen, path, one.Hash, began) {
				continue
			}
			files, sums = append(files, r.Path(path)), append(sums, sum)
		}
	}
	for i, path := range logs(r) {
		for made := range p.logged(path, before, i) {
			c, err := r.Commit(made)
			if err != nil || len(c.Parents) > 1 && i == 0 {
				continue
			}
			var from repo.Hash
			if len(c.Parents) > 0 {
				from = commitTree(r, c.Parents[0].String())
			}
			add(from, c.Tree)
			if len(c.Parents) == 3 { // a stash with untracked files
				add(repo.Hash{}, commitTree(r, c.Parents[2].String()))
			}
		}
	}
	return files, sums
}

// Staged lists the same of what a command put into the index alone, while the file itself stayed as it was.
func (p *Picture) Staged(r *repo.Repo, before *Picture) (files []string, sums []string) {
	var ix *repo.Index
	for path := range p.Files {
		if _, shown := before.Files[path]; shown || p.Tree != before.Tree || !before.untouched(r.Path(path)) {
			continue
		}
		if ix == nil {
			var err error
			if ix, err = r.Index(); err != nil {
				return nil, nil
			}
			defer ix.Close()
		}
		at, tracked := ix.Find(path)
		if !tracked {
			continue
		}
		e := ix.At(at)
		one := put{repo.TreeEntry{Mode: e.Mode, Hash: e.Hash}, true}
		if old, had := (folders{}).blob(r, before.Head, path); had && old == e.Hash || (&content{blob: e.Hash}).in(r, r.Path(path)) {
			continue
		}
		if sum := one.sum(r); sum != "" {
			files, sums = append(files, r.Path(path)), append(sums, sum)
		}
	}
	return files, sums
}

// untouched reports a file that is there and has not been written since the picture, so that a command has left nothing else of it anywhere.
func (p *Picture) untouched(full string) bool {
	now, err := disk.At(full)
	return err == nil && max(now.ModifiedNano(), now.ChangedNano()) < p.At.Add(-coarse).UnixNano()
}

// CameIntoSight reports a file that Git ignored at an earlier picture and shows now, and that nobody has written since the session began.
func (p *Picture) CameIntoSight(r *repo.Repo, before *Picture, full string, began time.Time) bool {
	rel, err := filepath.Rel(p.Tree, full)
	if err != nil || p.Tree != before.Tree || began.IsZero() {
		return false
	}
	rel = filepath.ToSlash(rel)
	now, err := disk.At(full)
	_, shown := before.Files[rel]
	if err != nil || shown || max(now.ModifiedNano(), now.ChangedNano()) >= began.Add(-coarse).UnixNano() {
		return false
	}
	ix, err := r.Index()
	if err != nil {
		return false
	}
	_, staged := ix.Find(rel)
	_, held := folders{}.blob(r, before.Head, rel)
	return !staged && !held
}

// PutAside notes what a command left elsewhere of a file: the session's work as soon as the file holds it again, or if it still does.
func (s *State) PutAside(e Edit, sum string) {
	f, now := s.file(e.Path), e.Sum
	own := f != nil && !f.Off
	e.Sum = sum
	s.Changed(e)
	if now != sum {
		e.Sum, e.Back = now, !own
		s.Changed(e)
	}
	if f = s.file(e.Path); f == nil { // there are too many
		return
	}
	f.Off = f.Off && now != sum
	if !slices.Contains(f.Aside, sum) {
		f.Aside = add(f.Aside, sum, keepStates)
	}
}

// Returned notes files that hold again what the session put aside.
func (s *State) Returned(e Edit) (changed bool) {
	for i := range s.Files {
		f := &s.Files[i]
		if len(f.Aside) == 0 || f.Off {
			continue
		}
		if e.Path, e.Sum = f.Path, Sum(f.Path); e.Sum != f.Sum && slices.Contains(f.Aside, e.Sum) {
			changed = s.Changed(e) || changed
		}
	}
	return changed
}

// logged are the commits that a command put into a log by itself: not what it rebased, picked or pulled.
func (p *Picture) logged(path string, before *Picture, which int) iter.Seq[repo.Hash] {
	return func(yield func(repo.Hash) bool) {
		text, err := disk.ReadTail(path, maxLog)
		if err != nil || p.Logs[which] == before.Logs[which] {
			return
		}
		was, is := before.Logs[which], p.Logs[which]
		at := is.Size - int64(len(text))
		for line := range bytes.Lines(text) {
			at += int64(len(line))
			said, what, _ := strings.Cut(string(line), "\t")
			words := strings.Fields(said)
			if len(words) < 4 || which == 0 && !strings.HasPrefix(what, "commit") || is.Size > was.Size && at <= was.Size {
				continue
			}
			// An entry that went from the log made it shorter: the times tell then.
			if seconds, _ := strconv.ParseInt(words[len(words)-2], 10, 64); is.Size <= was.Size && seconds < before.At.Unix() {
				continue
			}
			if made, ok := repo.ParseHash(words[1]); ok && !yield(made) {
				return
			}
		}
	}
}

// sum is the Sum of a file as Git has it, "" where that is not known.
func (o *put) sum(r *repo.Repo) string {
	if o.Mode != repo.ModeLink {
		return blobSum(r, o.Hash)
	}
	if size, err := r.BlobSize(o.Hash); err != nil || size > maxRead {
		return ""
	}
	_, text, err := r.Object(o.Hash)
	if err != nil {
		return ""
	}
	return "link:" + string(text)
}
