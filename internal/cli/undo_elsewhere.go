package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/undo"
)

// placeJSON is a folder in which turns changed files, too.
type placeJSON struct {
	Dir     string `json:"dir"`
	Files   int    `json:"files"`
	Command string `json:"command,omitempty"` // what takes it back; none where no snapshot is there
}

// alsoIn are the other work trees in which tools changed files in the turns, as the session's record has them: an undo there is another one.
func (e *env) alsoIn(u *undoing, ch *change) (list []placeJSON) {
	s := session.Read(e.stateDir(), ch.session)
	if s == nil || len(ch.turns) == 0 || ch.only != "" || len(u.files) > 0 {
		return nil
	}
	oldest, newest := &ch.turns[len(ch.turns)-1], &ch.turns[0]
	here := disk.Real(u.r.WorkTree)
	last := newest.Number == s.Turn.Number // it may have gone on elsewhere after it ended here
	for _, w := range s.Wrote {
		if w.At.Before(oldest.Since()) || !last && w.At.After(newest.Ended) || w.Path == here || strings.HasPrefix(w.Path, here+string(filepath.Separator)) {
			continue
		}
		dir := filepath.Dir(w.Path)
		r, err := e.openAny(dir)
		known := err == nil && !r.Bare()
		if known {
			dir = r.WorkTree
		}
		at := slices.IndexFunc(list, func(one placeJSON) bool { return one.Dir == dir })
		if at < 0 {
			one := placeJSON{Dir: dir}
			if known {
				one.Command = e.wayIn(r, ch)
			}
			list, at = append(list, one), len(list)
		}
		list[at].Files++
	}
	return list
}

// maxInside bounds the repositories inside that are looked at.
const maxInside = 20

// alsoInside adds the repositories inside the work tree, and its other work trees, in which something changed since the turns began: a snapshot
// has the commits on which they stand, and nothing else of them.
func (e *env) alsoInside(u *undoing, ch *change, list []placeJSON) []placeJSON {
	if ch.again || ch.only != "" || len(u.files) > 0 || len(ch.turns) == 0 {
		return list
	}
	others := session.Open(e.stateDir(), ch.began())
	for _, dir := range e.repositories(u, ch) {
		if one, ok := e.replacedInside(u, ch, dir); ok {
			list = append(list, one)
			continue
		}
		r, emptied := e.insideAt(u, ch, dir)
		if r == nil {
			continue
		}
		if one, ok := emptiedInside(r, dir, ch); emptied {
			if ok {
				list = append(list, one)
			}
			continue
		}
		at := func(s *session.Session) bool { return s.ID != ch.session && s.Now.WorkTree == r.WorkTree }
		if r.WorkTree == u.r.WorkTree || slices.ContainsFunc(others, at) || // what is done there is theirs
			slices.ContainsFunc(list, func(one placeJSON) bool { return one.Dir == r.WorkTree }) {
			continue
		}
		files, moved := changedSince(u, r, ch.began())
		if files == 0 && !moved && !e.copiesGone(r, ch) {
			continue
		}
		one := placeJSON{Dir: r.WorkTree, Files: files, Command: e.wayIn(r, ch)}
		if one.Command == "" && r.CommonDir == u.r.CommonDir && r.GitDir == r.CommonDir {
			continue // a person works in the main work tree, while sessions stand in linked ones
		}
		list = append(list, one)
	}
	return list
}

// repositories are the folders of the repositories inside, submodules, and others that were there when the turns began, and of the other work trees.
func (e *env) repositories(u *undoing, ch *change) (list []string) {
	from := ch.turns[len(ch.turns)-1].From
	if from.IsZero() {
		from = u.line.Newest
	}
	if then, err := checkpoint.SnapshotAt(u.r, from); err == nil {
		list = slices.Clone(then.Nested)
	}
	if ix, err := u.r.Index(); err == nil {
		for i := range ix.Len() {
			if en := ix.At(i); en.Mode == repo.ModeGitlink {
				list = append(list, en.Path)
			}
		}
	}
	for _, path := range undo.ReadOpen(e.stateDir(), ch.session).Ignored {
		if dir := repositoryOf(u.r, path); dir != "" && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	list = list[:min(len(list), maxInside)]
	for i, path := range list {
		list[i] = u.r.Path(path)
	}
	beside := u.r.Beside()
	for i := range beside[:min(len(beside), maxInside)] {
		list = append(list, beside[i].Dir)
	}
	return list
}

// repositoryOf is the folder of the repository inside in which a path lies; "" for none.
func repositoryOf(r *repo.Repo, file string) string {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if ground.HasGit(r.Path(dir)) {
			return dir
		}
	}
	return ""
}

// changedSince counts the files of a repository that were written to since a moment, also those that are as in HEAD again, and says whether HEAD
// moved, or something came or went at its top.
func changedSince(u *undoing, r *repo.Repo, since time.Time) (files int, moved bool) {
	after := func(path string) bool {
		fi, err := os.Lstat(path)
		return err == nil && fi.ModTime().After(since)
	}
	moved = after(filepath.Join(r.GitDir, "HEAD")) || after(filepath.Join(r.GitDir, "logs", "HEAD")) || after(r.WorkTree)
	ix, err := r.Index()
	if err != nil {
		return 0, moved
	}
	for i := range min(ix.Len(), maxCounted) {
		if after(r.Path(ix.At(i).Path)) {
			files++
		}
	}
	st, err := r.Status(u.ctx, repo.StatusOptions{Untracked: repo.UntrackedAll, Most: maxCounted, Index: ix})
	if err != nil {
		return files, moved
	}
	for _, ch := range st.Changes {
		if _, tracked := ix.Find(ch.Path); !tracked && after(r.Path(ch.Path)) {
			files++
		}
	}
	return files, moved
}

// maxCounted bounds the files that are looked at in a repository inside.
const maxCounted = 20_000

// canUndo reports a repository whose timeline has one of the turns: tools may write where the session never was.
func (e *env) canUndo(r *repo.Repo, ch *change) bool {
	line, err := undo.Read(r, e.stateDir())
	return err == nil && slices.ContainsFunc(line.Turns, func(t undo.Turn) bool {
		return !t.Undone && !t.From.IsZero() && slices.ContainsFunc(ch.turns, func(one undo.Turn) bool { return one.Key == t.Key })
	})
}
